// Read by headers.c.
static inline double mix(double a, double b, double part) { return a * (1 - part) + b * part; }

static inline void scale(double *v, int n, double by) {
  for (int i = 0; i < n; i++)
    v[i] *= by;
}
