int f(int n) {
  int s = 0;
  for (;; i < n) s += n;
  return s;
}
