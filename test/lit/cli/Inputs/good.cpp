#include <cstddef>

template <class T> struct Factor {
  T value;
};

void scale(std::size_t n, Factor<double> factor, const double *__restrict a, double *__restrict b) {
  for (std::size_t i = 0; i < n; i++)
    b[i] = factor.value * a[i];
}
