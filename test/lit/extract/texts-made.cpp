// A constructor of std::string keeps no pointer to what it makes: calls of unseen code do not get at the texts that earlier ones were
// given, but at what those could keep.
// RUN: %busfare extract %s | %FileCheck %s
#include <string>
struct Out {
  void add(const std::string &key, const std::string &value);
  void keep(std::string &text);
};
// CHECK: function report
// CHECK: host opaque "add" at 26:3 {
// CHECK-NEXT: may read `basic_string (temporary)`
// CHECK-NEXT: may write `basic_string (temporary)`
// CHECK-NEXT: may read `basic_string (temporary).2`
// CHECK-NEXT: may write `basic_string (temporary).2`
// CHECK-NEXT: }
// CHECK: host opaque "keep"
// CHECK: host opaque "add" at 29:3 {
// CHECK-NEXT: may read `basic_string (temporary).3`
// CHECK-NEXT: may write `basic_string (temporary).3`
// CHECK-NEXT: may read `basic_string (temporary).4`
// CHECK-NEXT: may write `basic_string (temporary).4`
// CHECK-NEXT: may read name
// CHECK-NEXT: may write name
// CHECK-NEXT: }
void report(Out &out) {
  out.add("steps", "ten");
  std::string name = "run";
  out.keep(name);
  out.add("cells", "many");
}
