//===- test/runtime-bench/BlasCaller.cpp - A program that calls BLAS ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Calls BLAS by its Fortran and CBLAS names and knows nothing of busfare: results are held
// against plain loops. Run as it is, it tests the system's BLAS; with libbusfare-blas.so
// preloaded, what that answers.
//
//   build/test/blas_caller                  every routine; exit code 1 if a result is wrong
//   build/test/blas_caller --time 8192      dgemm of that size, three times, in seconds
//
//===----------------------------------------------------------------------===//

#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

using Complex = std::complex<double>;
using SingleComplex = std::complex<float>;

extern "C" {
#define DECLARE(letter, S)                                                                                             \
  void letter##axpy_(const int *, const void *, const void *, const int *, void *, const int *);                       \
  void letter##gemm_(const char *, const char *, const int *, const int *, const int *, const void *, const void *,    \
                     const int *, const void *, const int *, const void *, void *, const int *);                       \
  void cblas_##letter##axpy(int, S, const void *, int, void *, int);                                                   \
  void cblas_##letter##gemv(int, int, int, int, S, const void *, int, const void *, int, S, void *, int);              \
  void cblas_##letter##gemm(int, int, int, int, int, int, S, const void *, int, const void *, int, S, void *, int);    \
  void cblas_##letter##syrk(int, int, int, int, int, S, const void *, int, S, void *, int);                            \
  void cblas_##letter##trsm(int, int, int, int, int, int, int, S, const void *, int, void *, int);
DECLARE(s, float)
DECLARE(d, double)
DECLARE(c, const void *)
DECLARE(z, const void *)
#undef DECLARE
double cblas_ddot(int, const double *, int, const double *, int);
float cblas_sdot(int, const float *, int, const float *, int);
void cblas_zdotc_sub(int, const void *, int, const void *, int, void *);
void cblas_zdotu_sub(int, const void *, int, const void *, int, void *);
void cblas_cdotc_sub(int, const void *, int, const void *, int, void *);
double ddot_(const int *, const double *, const int *, const double *, const int *);
}

namespace {

constexpr int rowMajor = 101, columnMajor = 102;
std::minstd_rand random(11);
int failures = 0;

int upTo(int most) { return 1 + int(random() % unsigned(most)); }

template <class T> struct IsComplex : std::false_type {};
template <class R> struct IsComplex<std::complex<R>> : std::true_type {};

template <class T> T number() {
  const double re = double(int(random() % 2001) - 1000) / 1000, im = double(int(random() % 2001) - 1000) / 1000;
  if constexpr (IsComplex<T>::value) return T(typename T::value_type(re), typename T::value_type(im));
  else return T(re);
}
template <class T> T conjugate(T value) {
  if constexpr (IsComplex<T>::value) return std::conj(value);
  else return value;
}
template <class T> std::vector<T> numbers(size_t count) {
  std::vector<T> all(count);
  for (T &each : all) each = number<T>();
  return all;
}
/// As CBLAS takes a scalar.
template <class T> auto passed(const T &value) {
  if constexpr (IsComplex<T>::value) return static_cast<const void *>(&value);
  else return value;
}

template <class T> void expectNear(const char *what, const std::vector<T> &found, const std::vector<T> &right) {
  const double bound = sizeof(T) / (IsComplex<T>::value ? 2 : 1) == 4 ? 2e-4 : 1e-11;
  for (size_t i = 0; i < right.size(); ++i)
    if (!(std::abs(found[i] - right[i]) <= bound)) {
      std::printf("%s: element %zu is off by %g\n", what, i, double(std::abs(found[i] - right[i])));
      ++failures;
      return;
    }
}

/// A matrix in either order.
template <class T> struct Matrix {
  std::vector<T> values;
  int order, rows, columns, leading;
  Matrix(int order, int rows, int columns)
      : order(order), rows(rows), columns(columns), leading((order == rowMajor ? columns : rows) + upTo(3)) {
    values = numbers<T>(size_t(leading) * size_t(order == rowMajor ? rows : columns));
  }
  T &at(int i, int j) { return values[size_t(order == rowMajor ? i * leading + j : j * leading + i)]; }
  /// Of op(X).
  T at(char trans, int i, int j) { return trans == 'N' ? at(i, j) : trans == 'T' ? at(j, i) : conjugate(at(j, i)); }
};

int numberOf(char trans) { return trans == 'N' ? 111 : trans == 'T' ? 112 : 113; }

template <class T, class Axpy, class Gemv, class Gemm, class Syrk, class Trsm, class FortranGemm, class FortranAxpy>
void all(const char *type, Axpy cblasAxpy, Gemv cblasGemv, Gemm cblasGemm, Syrk cblasSyrk, Trsm cblasTrsm,
         FortranGemm fortranGemm, FortranAxpy fortranAxpy) {
  const std::string name(type);
  for (int round = 0; round < 20; ++round) {
    const int order = round % 2 ? rowMajor : columnMajor, m = upTo(50), n = upTo(50), k = upTo(50);
    const T alpha = number<T>(), beta = round % 5 ? number<T>() : T(0);
    const char ta = "NTC"[random() % 3], tb = "NTC"[random() % 3];
    {
      Matrix<T> a(order, ta == 'N' ? m : k, ta == 'N' ? k : m), b(order, tb == 'N' ? k : n, tb == 'N' ? n : k),
          c(order, m, n);
      Matrix<T> right = c;
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
          T sum = 0;
          for (int l = 0; l < k; ++l) sum += a.at(ta, i, l) * b.at(tb, l, j);
          right.at(i, j) = alpha * sum + beta * right.at(i, j);
        }
      if (order == columnMajor && round % 4 == 0)
        fortranGemm(&ta, &tb, &m, &n, &k, &alpha, a.values.data(), &a.leading, b.values.data(), &b.leading, &beta,
                    c.values.data(), &c.leading);
      else
        cblasGemm(order, numberOf(ta), numberOf(tb), m, n, k, passed(alpha), a.values.data(), a.leading,
                  b.values.data(), b.leading, passed(beta), c.values.data(), c.leading);
      expectNear((name + "gemm").c_str(), c.values, right.values);
    }
    {
      Matrix<T> a(order, m, n);
      const int in = ta == 'N' ? n : m, out = ta == 'N' ? m : n, step = upTo(3);
      std::vector<T> x = numbers<T>(size_t(in) * step), y = numbers<T>(size_t(out)), right = y;
      for (int i = 0; i < out; ++i) {
        T sum = 0;
        for (int j = 0; j < in; ++j) sum += a.at(ta, i, j) * x[size_t(j * step)];
        right[size_t(i)] = alpha * sum + beta * right[size_t(i)];
      }
      cblasGemv(order, numberOf(ta), m, n, passed(alpha), a.values.data(), a.leading, x.data(), step, passed(beta),
                y.data(), 1);
      expectNear((name + "gemv").c_str(), y, right);
    }
    {
      const char trans = "NT"[random() % 2];
      const bool isLower = random() % 2;
      Matrix<T> a(order, trans == 'N' ? n : k, trans == 'N' ? k : n), c(order, n, n);
      Matrix<T> right = c;
      for (int i = 0; i < n; ++i)
        for (int j = isLower ? 0 : i; j < (isLower ? i + 1 : n); ++j) {
          T sum = 0;
          for (int l = 0; l < k; ++l) sum += a.at(trans, i, l) * a.at(trans, j, l);
          right.at(i, j) = alpha * sum + beta * right.at(i, j);
        }
      cblasSyrk(order, isLower ? 122 : 121, numberOf(trans), n, k, passed(alpha), a.values.data(), a.leading,
                passed(beta), c.values.data(), c.leading);
      expectNear((name + "syrk").c_str(), c.values, right.values);
    }
    {
      // Solved, and multiplied back.
      const bool isLower = random() % 2, isLeft = random() % 2, isUnit = random() % 2;
      const int side = isLeft ? m : n;
      Matrix<T> a(order, side, side), b(order, m, n);
      for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j)
          a.at(i, j) = i == j                      ? T(isUnit ? 9 : 2)
                       : (isLower ? i > j : i < j) ? a.at(i, j) / T(float(2 * side))
                                                   : T(1e30F);
      Matrix<T> solved = b;
      cblasTrsm(order, isLeft ? 141 : 142, isLower ? 122 : 121, numberOf(ta), isUnit ? 132 : 131, m, n, passed(alpha),
                a.values.data(), a.leading, solved.values.data(), solved.leading);
      auto triangle = [&](int i, int j) {
        const int row = ta == 'N' ? i : j, column = ta == 'N' ? j : i;
        if (row == column) return isUnit ? T(1) : a.at(ta, i, j);
        return (isLower ? row > column : row < column) ? a.at(ta, i, j) : T(0);
      };
      std::vector<T> back, wanted;
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
          T sum = 0;
          for (int l = 0; l < side; ++l)
            sum += isLeft ? triangle(i, l) * solved.at(l, j) : solved.at(i, l) * triangle(l, j);
          back.push_back(sum);
          wanted.push_back(alpha * b.at(i, j));
        }
      expectNear((name + "trsm").c_str(), back, wanted);
    }
    {
      const int length = upTo(5000), step = upTo(3), one = 1;
      std::vector<T> x = numbers<T>(size_t(length) * step), y = numbers<T>(size_t(length)), right = y;
      for (int i = 0; i < length; ++i) right[size_t(i)] += alpha * x[size_t(i * step)];
      if (round % 2) cblasAxpy(length, passed(alpha), x.data(), step, y.data(), 1);
      else fortranAxpy(&length, &alpha, x.data(), &step, y.data(), &one);
      expectNear((name + "axpy").c_str(), y, right);
    }
  }
}

void dots() {
  for (int round = 0; round < 20; ++round) {
    const int length = upTo(5000), step = upTo(3), one = 1;
    const std::vector<double> x = numbers<double>(size_t(length) * step), y = numbers<double>(size_t(length));
    double sum = 0;
    for (int i = 0; i < length; ++i) sum += x[size_t(i * step)] * y[size_t(i)];
    expectNear<double>(
        "ddot", {cblas_ddot(length, x.data(), step, y.data(), 1), ddot_(&length, x.data(), &step, y.data(), &one)},
        {sum, sum});
    const std::vector<Complex> u = numbers<Complex>(size_t(length)), v = numbers<Complex>(size_t(length));
    Complex plain = 0, conjugated = 0, foundPlain, foundConjugated;
    for (int i = 0; i < length; ++i) {
      plain += u[size_t(i)] * v[size_t(i)];
      conjugated += std::conj(u[size_t(i)]) * v[size_t(i)];
    }
    cblas_zdotu_sub(length, u.data(), 1, v.data(), 1, &foundPlain);
    cblas_zdotc_sub(length, u.data(), 1, v.data(), 1, &foundConjugated);
    expectNear<Complex>("zdot", {foundPlain, foundConjugated}, {plain, conjugated});
    std::vector<SingleComplex> s = numbers<SingleComplex>(10);
    SingleComplex single = 0, foundSingle;
    for (const SingleComplex &each : s) single += std::conj(each) * each;
    cblas_cdotc_sub(10, s.data(), 1, s.data(), 1, &foundSingle);
    expectNear<SingleComplex>("cdotc", {foundSingle}, {single});
  }
}

int timeGemm(int side) {
  const auto count = size_t(side) * size_t(side);
  std::vector<double> a = numbers<double>(count), b = numbers<double>(count), c(count, 0);
  for (int round = 0; round < 3; ++round) {
    const auto start = std::chrono::steady_clock::now();
    cblas_dgemm(columnMajor, 111, 111, side, side, side, 1, a.data(), side, b.data(), side, 0, c.data(), side);
    std::printf("dgemm %d: %.4f s\n", side,
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 3 && !std::strcmp(argv[1], "--time")) return timeGemm(std::atoi(argv[2]));
  all<float>("s", cblas_saxpy, cblas_sgemv, cblas_sgemm, cblas_ssyrk, cblas_strsm, sgemm_, saxpy_);
  all<double>("d", cblas_daxpy, cblas_dgemv, cblas_dgemm, cblas_dsyrk, cblas_dtrsm, dgemm_, daxpy_);
  all<SingleComplex>("c", cblas_caxpy, cblas_cgemv, cblas_cgemm, cblas_csyrk, cblas_ctrsm, cgemm_, caxpy_);
  all<Complex>("z", cblas_zaxpy, cblas_zgemv, cblas_zgemm, cblas_zsyrk, cblas_ztrsm, zgemm_, zaxpy_);
  dots();
  std::printf("%s\n", failures ? "wrong" : "right");
  return failures != 0;
}
