#include "stream.h"
template <class T> Serial<T>::Serial(int n) : n(n), a(new T[n]), b(new T[n]), c(new T[n]) {
  for (int i = 0; i < n; i++)
    a[i] = b[i] = c[i] = 1;
}
template <class T> Serial<T>::~Serial() {
  delete[] a;
  delete[] b;
  delete[] c;
}
template <class T> void Serial<T>::triad() {
  for (int i = 0; i < n; i++)
    a[i] = b[i] + T(0.4) * c[i];
}
template struct Serial<double>;
