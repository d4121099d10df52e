// RUN: %busfare extract %s -- -std=c++17 | %FileCheck %s
// What a destructor does happens where its object goes: at the end of the block in reverse order, at every jump out of
// it, at `delete`, and for temporaries at the end of their statement.
struct Guard {
  double *p;
  Guard(double *q) : p(q) {}
  ~Guard() { p[0] = 7; }
};
struct Unseen {
  Unseen(double *p);
  ~Unseen();
};
struct Owner {
  double *p;
  Owner(int n) : p(new double[n]) {}
  ~Owner() { delete[] p; }
};
struct Both {
  Guard first, second;
  Both(double *a, double *b) : first(a), second(b) {}
};

// CHECK-LABEL: function blocks(
void blocks(double *a, double *b, int n) {
  // CHECK: call Guard::Guard(&a)
  // CHECK-NEXT: call Guard::Guard(&b)
  Guard outer(a), inner(b);
  // CHECK-NEXT: for i = 0 .. n - 1
  for (int i = 0; i < n; i++) {
    // CHECK-NEXT: call Guard::Guard(&a + i)
    Guard each(a + i);
    // CHECK-NEXT: write b[i]
    b[i] = 1;
    // CHECK-NEXT: call `Guard::~Guard`(&a + i)
  }
  // CHECK-NEXT: }
  // CHECK-NEXT: call `Guard::~Guard`(&b)
  // CHECK-NEXT: call `Guard::~Guard`(&a)
  // CHECK-NEXT: }
}

// CHECK-LABEL: function jumps(
double jumps(double *a, const double *x, int n) {
  // CHECK: call Guard::Guard(&a)
  Guard outer(a);
  // CHECK: for i
  for (int i = 0; i < n; i++) {
    // CHECK: call Guard::Guard(&a + 1)
    Guard inner(a + 1);
    // CHECK: if ?
    // CHECK-NEXT: call `Guard::~Guard`(&a + 1)
    if (x[i] < 0) continue;
    // CHECK: read a[2]
    // CHECK-NEXT: call `Guard::~Guard`(&a + 1)
    // CHECK-NEXT: call `Guard::~Guard`(&a)
    if (x[i] > 1) return a[2];
    // CHECK: write a[3]
    a[3] = x[i];
    // CHECK: call `Guard::~Guard`(&a + 1)
  }
  // CHECK: read a[4]
  // CHECK-NEXT: call `Guard::~Guard`(&a)
  return a[4];
}

// CHECK-LABEL: function temporaries(
void temporaries(double *a, double *b) {
  // CHECK: call Guard::Guard(&a)
  // CHECK-NEXT: write a[1]
  // CHECK-NEXT: call `Guard::~Guard`(&a)
  Guard(a).p[1] = 2;
  // CHECK: write a[2]
  a[2] = 1;
  // A reference keeps it.
  // CHECK: call Guard::Guard(&b)
  // CHECK-NEXT: write a[3]
  const Guard &kept = Guard(b);
  a[3] = 1;
  // CHECK-NEXT: call `Guard::~Guard`(&b)
}

// CHECK-LABEL: function members(
void members(double *a, double *b) {
  // CHECK: call Both::Both(&a, &b
  Both both(a, b);
  // CHECK: write a[1]
  a[1] = 0;
  // CHECK: call `Guard::~Guard`(&b)
  // CHECK-NEXT: call `Guard::~Guard`(&a)
}

// CHECK-LABEL: function heap(
void heap(double *a, int n) {
  // CHECK: call Guard::Guard(&a)
  Guard *g = new Guard(a);
  // CHECK: write a[1]
  a[1] = 1;
  // CHECK: call `Guard::~Guard`(&a)
  delete g;
}

// One that nobody has seen may do anything to what it can reach.
// CHECK-LABEL: function unseen(
void unseen(double *a, int n) {
  // CHECK: host opaque "Unseen"
  Unseen here(a);
  // CHECK: for i
  for (int i = 0; i < n; i++) a[i] = 1;
  // CHECK: host opaque "~Unseen" at {{.*}} {
  // CHECK-NEXT: may read a[?]
  // CHECK-NEXT: may write a[?]
}

// Memory that is given back is nobody's business.
// CHECK-LABEL: function owner(
// CHECK-NOT: ~Owner
// CHECK: {{^}}}
void owner(double *a, int n) {
  Owner o(n);
  for (int i = 0; i < n; i++) o.p[i] = a[i];
}
