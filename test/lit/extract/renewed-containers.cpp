// RUN: %busfare extract %s 2>&1 | %FileCheck %s
//
// Unseen code may give a container other memory: how much it holds by then is nothing that the caller knew.
#include <string>
#include <vector>
struct Node {
  std::vector<Node *> children;
  std::string print();
};
struct Document : Node {
  std::string name, text();
};
// CHECK-NOT: not well formed
// CHECK: function Document::text(
// CHECK: `this->children{{.*}}` : ptr[?] alias
// CHECK: for i
std::string Document::text() {
  std::string all;
  all = all + name;
  for (unsigned long i = 0; i < children.size(); i++)
    all = all + children[i]->print();
  if (name != "")
    std::string command = "print " + name;
  return all;
}
