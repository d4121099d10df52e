// With --trust-directives a loop is parallel because its directive says so, where nothing shows the contrary; it is said.
// RUN: %busfare loops trust-directives.c | %FileCheck trust-directives.c --check-prefix=CHECKED
// RUN: %busfare loops trust-directives.c --trust-directives | %FileCheck trust-directives.c --check-prefix=TRUSTED
// RUN: %busfare analyze trust-directives.c --trust-directives --function scatter | %FileCheck trust-directives.c --check-prefix=REPORT
// REPORT: - what its directive says of the loop at trust-directives.c:
void scatter(int n, const int *to, double *a, const double *b) {
  // CHECKED: [[#@LINE+3]] i no
  // TRUSTED: [[#@LINE+2]] i yes if independent
#pragma omp parallel for
  for (int i = 0; i < n; i++) a[to[i]] = b[i];
}
void without(int n, const int *to, double *a, const double *b) {
  // TRUSTED: [[#@LINE+1]] i no
  for (int i = 0; i < n; i++) a[to[i]] = b[i];
}
void refuted(int n, double *a) {
  // TRUSTED: [[#@LINE+2]] i no
#pragma omp parallel for
  for (int i = 1; i < n; i++) a[i] = a[i - 1] + 1;
}
// Who does it first is not said by a directive that takes turns.
void turns(int n, const int *to, double *a) {
  // TRUSTED: [[#@LINE+2]] i no
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp critical
    a[to[i]] = a[to[i]] * 2 + i;
  }
}
// The copy that each thread has is not the array outside.
void copies(int n, const int *to, double *b) {
  double own[100];
  // TRUSTED: [[#@LINE+2]] i no
#pragma omp parallel for private(own)
  for (int i = 0; i < n; i++) {
    own[to[i]] = i;
    b[i] = own[to[i] / 2];
  }
}
void collapsed(int n, const int *to, double *a) {
  // TRUSTED: [[#@LINE+3]] i yes if independent
  // TRUSTED: [[#@LINE+3]] ..j yes if independent
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[to[i * n + j]] = i;
}
