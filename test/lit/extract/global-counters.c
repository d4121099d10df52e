// RUN: %busfare extract %s -- | %FileCheck %s
// RUN: %busfare loops %s | %FileCheck %s --check-prefix=LOOPS
//
// A global or a field that is first mentioned in a loop which changes it has its value on entry only once.

int place;
struct Queue {
  int end;
  double *cursor;
};

void every_other(int n, double *a) {
  // CHECK-LABEL: function every_other
  for (int i = 0; i < n; i++) {
    a[place] = 1; // CHECK: write a[2*i + place]
    place += 2;   // CHECK: write place induction
  }
}

void triangular_steps(int n, double *a) {
  // CHECK-LABEL: function triangular_steps
  // LOOPS: triangular_steps
  // LOOPS: i {{ *}}no {{ *}}place -> place
  for (int i = 0; i < n; i++) {
    a[place] = 1;      // CHECK: read place
                       // CHECK: write a[?]
    place = place + i; // CHECK: update place +
  }
}

void append(struct Queue *q, int n, double *a) {
  // CHECK-LABEL: function append
  // LOOPS: append
  // LOOPS: i {{ *}}no {{ *}}q->end -> q->end
  for (int i = 0; i < n; i++) {
    a[q->end] = 1; // CHECK: write a[?]
    q->end = q->end + i;
  }
}

double walk(struct Queue *q, int n) {
  // CHECK-LABEL: function walk
  // LOOPS: walk
  // LOOPS: i {{ *}}no
  for (int i = 0; i < n; i++) {
    *q->cursor = i; // CHECK: write {{.*}}[?]
    q->cursor += i;
  }
  return 0;
}
