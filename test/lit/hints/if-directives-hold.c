// Where a directive is neither proved nor refuted, the report says what would come of believing it.
// RUN: %busfare analyze --details if-directives-hold.c | %FileCheck if-directives-hold.c --check-prefix=OPEN --match-full-lines --strict-whitespace
// RUN: %busfare analyze --details if-directives-hold.c --trust-directives | %FileCheck if-directives-hold.c --check-prefix=TRUSTED
// RUN: %busfare analyze --details if-directives-hold.c -- -DREFUTED | %FileCheck if-directives-hold.c --check-prefix=TRUSTED
// RUN: %busfare analyze if-directives-hold.c --format json -o %t.json
// RUN: %busfare schema report > %t.schema && %python %S/../report/Inputs/check_json.py --self-test %t.schema %t.json
// RUN: %FileCheck if-directives-hold.c --check-prefix=JSON --input-file %t.json
// OPEN:If the directives hold
// OPEN-NEXT:OpenMP says of the loop at line 30 of if-directives-hold.c that iterations are
// OPEN-NEXT:independent, which is neither proved nor refuted. Were it believed
// OPEN-NEXT:(--trust-directives):
// OPEN-NEXT:  if-directives-hold.c:30:scatter: {{.*}}; 1
// OPEN-NEXT:    kernel, in {{.*}}, out {{.*}}.
// OPEN:  busfare analyze if-directives-hold.c --trust-directives
// TRUSTED-NOT: If the directives hold
// JSON: "if_directives_hold": [
// JSON-NEXT: {
// JSON-NEXT: "function": "scatter",
// JSON-NEXT: "directives": [
// JSON: "line": 30
// JSON: "regions": [
// JSON: "loops": [
#ifdef REFUTED
#define AT(i) ((i) / 2)
#else
#define AT(i) to[i]
#endif
void scatter(int n, const int *to, double *a, const double *b) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) a[AT(i)] = b[i];
}
