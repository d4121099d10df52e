struct S {
  int n;
  double *a;
  void (*run)(struct S *);
};
void a(struct S *);
void b(struct S *);
