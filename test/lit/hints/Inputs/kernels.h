template <class T>
void scatter(int n, T *a, const int *idx) {
  // busfare: independent
  for (int i = 0; i < n; i++)
    a[idx[i]] = 0;
}
