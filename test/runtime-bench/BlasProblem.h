//===- test/runtime-bench/BlasProblem.h - Random BLAS calls, and what is right ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A call of any routine and type, of random sizes, flags, increments and leading dimensions,
// with its operands in buffers that are larger than they are: pageable, pinned, or on the
// device, and a way to run it. The right answer is the host's BLAS on a copy, whole. What the routine may not read
// is NaN (the other triangle, a result that is multiplied by zero), and what it may not write
// must stay as it is, to the bit.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_RUNTIMEBENCH_BLASPROBLEM_H
#define BUSFARE_TEST_RUNTIMEBENCH_BLASPROBLEM_H

#include "runtime-bench/blas/Arguments.h"
#include "runtime-bench/blas/HostBlas.h"
#include "runtime-bench/blas/HostDevice.h"
#include "runtime-bench/blas/RunPanels.h"
#include "runtime-bench/blas/RunTiles.h"
#include "runtime-bench/blas/Scalars.h"
#include "runtime-bench/blas/Select.h"
#include <cmath>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace busfare::test {

using namespace busfare::blas;

class BlasProblem {
public:
  BlasProblem(unsigned seed, int64_t longest) : random(seed) { make(longest); }

  std::string words() const {
    std::ostringstream text;
    const projection::TiledCall &shape = call.shape;
    text << call.name() << " m=" << shape.m << " n=" << shape.n << " k=" << shape.k << ' ' << call.transA << call.transB
         << call.uplo << call.side << call.diag << " alpha=" << call.alpha << " beta=" << call.beta;
    for (const Operand &operand : call.operands)
      text << " (" << operand.view.rowStride << ',' << operand.view.columnStride << ')';
    return text.str();
  }

  bool hasWork() const { return work; }

  /// The call with its operands put where `places` says; release takes them back.
  Call on(Device &device, const std::vector<Where> &places);
  /// What came out, from where on() put it; nothing is right until then.
  void collect(Device &device);
  /// Empty if it is right, else what is not.
  std::string wrong(const HostBlas &host);

  Call call; ///< On the buffers here, as the right answer is computed.
  size_t operandCount() const { return call.operands.size(); }

private:
  void make(int64_t longest);
  int64_t upTo(int64_t most) { return 1 + int64_t(random() % uint64_t(most)); }
  Scalar scalar() {
    switch (random() % 5) {
    case 0: return 0;
    case 1: return 1;
    default:
      return {double(int(random() % 2001) - 1000) / 500,
              isComplex(call.element) ? double(int(random() % 2001) - 1000) / 500 : 0};
    }
  }
  void fill(std::vector<char> &buffer, int64_t elements) {
    const size_t parts = size_t(elements) * (isComplex(call.element) ? 2 : 1);
    const bool isSingle = call.element == Element::S || call.element == Element::C;
    buffer.resize(size_t(elements) * call.bytes());
    for (size_t i = 0; i < parts; ++i) {
      const double value = double(int(random() % 2001) - 1000) / 1000;
      const auto single = float(value);
      std::memcpy(buffer.data() + i * (isSingle ? 4 : 8), isSingle ? static_cast<const void *>(&single) : &value,
                  isSingle ? 4 : 8);
    }
  }
  void put(size_t operand, int64_t row, int64_t column, double value) {
    char *at = placeOf(operand, row, column);
    const StoredScalar stored(value, call.element);
    std::memcpy(at, stored.at(), call.bytes());
  }
  char *placeOf(size_t operand, int64_t row, int64_t column) const {
    const View &view = call.operands[operand].view;
    return view.at + (row * view.rowStride + column * view.columnStride) * int64_t(call.bytes());
  }
  void poison();

  std::minstd_rand random;
  bool work = true;
  std::vector<std::vector<char>> buffers; ///< As they were.
  std::vector<char *> moved;              ///< Where on() put them.
  std::vector<Where> movedTo;
  std::vector<std::vector<char>> results; ///< As they came back.
  char sum[16] = {};
  double largest = 0; ///< Of the numbers in a sum, for the bound of its error.
};

inline void BlasProblem::make(int64_t longest) {
  call.element = Element(random() % 4);
  const auto kind = BlasKind(random() % 6);
  const int64_t m = upTo(longest), n = upTo(longest), k = random() % 12 == 0 ? 0 : upTo(longest);
  const Scalar alpha = scalar(), beta = scalar();
  const char ta = "NTC"[random() % 3], tb = "NTC"[random() % 3], uplo = "LU"[random() % 2], side = "LR"[random() % 2],
             diag = "NU"[random() % 2];
  auto step = [&] { return random() % 2 ? 1 : (random() % 2 ? 1 : -1) * upTo(3); };
  auto pad = [&] { return random() % 2 ? 0 : upTo(5); };
  auto vector = [&](int64_t length, int64_t increment) {
    buffers.emplace_back();
    fill(buffers.back(), (length - 1) * std::abs(increment) + 1 + 2);
    return buffers.back().data();
  };
  int64_t leading = 0;
  auto matrix = [&](int64_t rows, int64_t columns) {
    leading = std::max<int64_t>(1, rows) + pad();
    buffers.emplace_back();
    fill(buffers.back(), leading * std::max<int64_t>(1, columns) + 2);
    return buffers.back().data();
  };
  buffers.reserve(3); // their places must stay
  Asked asked;
  switch (kind) {
  case BlasKind::Axpy:
  case BlasKind::Dot: {
    const int64_t incx = step(), incy = step();
    char *x = vector(n, incx), *y = vector(n, incy);
    asked = kind == BlasKind::Axpy ? axpy(call.element, n, alpha, x, incx, y, incy)
                                   : dot(call.element, isComplex(call.element) && ta == 'C', n, x, incx, y, incy, sum);
    break;
  }
  case BlasKind::Gemv: {
    const int64_t incx = step(), incy = step();
    char *a = matrix(m, n);
    const int64_t lda = leading;
    char *x = vector(ta == 'N' ? n : m, incx), *y = vector(ta == 'N' ? m : n, incy);
    asked = gemv(call.element, ta, m, n, alpha, a, lda, x, incx, beta, y, incy);
    break;
  }
  case BlasKind::Gemm: {
    char *a = matrix(ta == 'N' ? m : k, ta == 'N' ? k : m);
    const int64_t lda = leading;
    char *b = matrix(tb == 'N' ? k : n, tb == 'N' ? n : k);
    const int64_t ldb = leading;
    char *c = matrix(m, n);
    asked = gemm(call.element, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, leading);
    break;
  }
  case BlasKind::Syrk: {
    const char trans = "NT"[random() % 2];
    char *a = matrix(trans == 'N' ? n : k, trans == 'N' ? k : n);
    const int64_t lda = leading;
    char *c = matrix(n, n);
    asked = syrk(call.element, uplo, trans, n, k, alpha, a, lda, beta, c, leading);
    break;
  }
  case BlasKind::Trsm: {
    const int64_t order = side == 'L' ? m : n;
    char *a = matrix(order, order);
    const int64_t lda = leading;
    char *b = matrix(m, n);
    asked = trsm(call.element, side, uplo, ta, diag, m, n, alpha, a, lda, b, leading);
    break;
  }
  }
  const Element element = call.element;
  call = asked.call;
  call.element = element;
  work = asked.hasWork && !asked.wrong;
  poison();
}

/// What the routine must not read. A solve gets a matrix that does not let errors grow.
inline void BlasProblem::poison() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (call.shape.kind == BlasKind::Trsm) {
    const int64_t order = call.operands[0].rows;
    for (int64_t j = 0; j < order; ++j)
      for (int64_t i = 0; i < order; ++i) {
        const bool isInside = call.shape.isLower ? i >= j : i <= j;
        if (i == j) put(0, i, j, call.diag == 'U' ? nan : 2);
        else if (!isInside) put(0, i, j, nan);
        else put(0, i, j, double((i * 7 + j * 3) % 5 - 2) / double(4 * order));
      }
  }
  const bool overwrites = call.shape.kind == BlasKind::Trsm || call.shape.kind == BlasKind::Gemm ||
                          call.shape.kind == BlasKind::Syrk || call.shape.kind == BlasKind::Gemv;
  const Operand &result = call.operands.back();
  if (overwrites && !result.isRead)
    for (int64_t j = 0; j < result.columns; ++j)
      for (int64_t i = 0; i < result.rows; ++i) put(call.operands.size() - 1, i, j, nan);
}

inline Call BlasProblem::on(Device &device, const std::vector<Where> &places) {
  Call there = call;
  moved.clear();
  movedTo = places;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const auto bytes = int64_t(buffers[i].size());
    char *memory = static_cast<char *>(places[i] == Where::Pageable ? std::malloc(bytes)
                                       : places[i] == Where::Pinned ? device.allocatePinned(bytes)
                                                                    : device.allocate(bytes));
    if (places[i] == Where::OnDevice) {
      void *pinned = device.allocatePinned(bytes);
      std::memcpy(pinned, buffers[i].data(), bytes);
      device.newCall();
      device.copyIn({memory, 1, bytes}, {static_cast<char *>(pinned), 1, bytes}, bytes, 1, 1);
      device.finish();
      device.releasePinned(pinned);
    } else {
      std::memcpy(memory, buffers[i].data(), bytes);
    }
    there.operands[i].view.at = memory + (call.operands[i].view.at - buffers[i].data());
    moved.push_back(memory);
  }
  return there;
}

inline void BlasProblem::collect(Device &device) {
  results.clear();
  for (size_t i = 0; i < moved.size(); ++i) {
    const auto bytes = int64_t(buffers[i].size());
    results.emplace_back(buffers[i].size());
    if (movedTo[i] == Where::OnDevice) {
      char *pinned = static_cast<char *>(device.allocatePinned(bytes));
      device.newCall();
      device.copyOut({pinned, 1, bytes}, {moved[i], 1, bytes}, bytes, 1, 1);
      device.finish();
      std::memcpy(results.back().data(), pinned, bytes);
      device.releasePinned(pinned);
      device.release(moved[i]);
    } else {
      std::memcpy(results.back().data(), moved[i], bytes);
      movedTo[i] == Where::Pageable ? std::free(moved[i]) : device.releasePinned(moved[i]);
    }
  }
}

inline std::string BlasProblem::wrong(const HostBlas &host) {
  char got[16];
  std::memcpy(got, sum, sizeof got);
  const std::vector<std::vector<char>> before = buffers;
  if (work && host.run(call) != Status::Ok) return "the host's BLAS did not run";
  const bool isSingle = call.element == Element::S || call.element == Element::C;
  const double epsilon = isSingle ? 0x1p-23 : 0x1p-52;
  const auto &shape = call.shape;
  const double summed = double(std::max<int64_t>(
      1, shape.kind == BlasKind::Gemm || shape.kind == BlasKind::Syrk ? shape.k : std::max(shape.m, shape.n)));
  // Elements are at most 1 (in complex types sqrt 2), alpha and beta at most 2 (2 sqrt 2).
  const double bound = 8 * (summed + 2) * epsilon * (isComplex(call.element) ? 2 * std::sqrt(8) : 2);
  auto isFar = [&](const char *left, const char *right) {
    const Scalar a = scalarAt(left, call.element), b = scalarAt(right, call.element);
    return !(std::abs(a - b) <= bound);
  };
  if (shape.kind == BlasKind::Dot) return isFar(got, sum) ? "the sum is off" : "";
  // Elements of the result may be off by their rounding; all else is what it was, to the bit.
  const size_t last = buffers.size() - 1;
  std::vector<bool> isResult(buffers[last].size() / call.bytes());
  const Operand &result = call.operands.back();
  for (int64_t j = 0; j < result.columns; ++j)
    for (int64_t i = 0; i < result.rows; ++i)
      if (work && (shape.kind != BlasKind::Syrk || (shape.isLower ? i >= j : i <= j)))
        isResult[size_t(placeOf(last, i, j) - buffers[last].data()) / call.bytes()] = true;
  for (size_t i = 0; i < buffers.size(); ++i)
    for (size_t at = 0; at < buffers[i].size() / call.bytes(); ++at) {
      const size_t offset = at * call.bytes();
      const char *right = buffers[i].data() + offset, *found = results[i].data() + offset;
      const bool mayDiffer = i == last && isResult[at];
      if (mayDiffer ? !isFar(found, right) : std::memcmp(found, before[i].data() + offset, call.bytes()) == 0) continue;
      std::ostringstream text;
      text << "operand " << i << ", element " << at << " of the buffer"
           << (mayDiffer ? ": " : ", which is not to be written: ") << scalarAt(found, call.element) << " instead of "
           << scalarAt(right, call.element);
      return text.str();
    }
  return "";
}

/// How a problem is run: drawn by its seed.
struct BlasSetting {
  HostDeviceOptions options;
  int64_t tile = 1;
  size_t limit = 0; ///< Bytes for tiles; 0: no limit.
  std::vector<Where> places;
  int64_t firstPanel = 0; ///< By panels, of which the first is so wide; 0: by tiles.
};

/// By panels if the setting says so and the call has such a way.
inline Ran runIn(const Call &call, const BlasSetting &setting, Device &device, TileMemory &memory, Staging &staging) {
  if (setting.firstPanel > 0)
    if (auto panels = panelsOf(call, placesOf(call, device), setting.tile, setting.firstPanel, memory.limit()))
      return executePanels(call, *panels, device, memory, staging);
  return executeTiles(call, setting.tile, device, memory, staging);
}

inline BlasSetting settingOf(unsigned seed, size_t operands) {
  std::minstd_rand random(seed * 2654435761U + 1);
  random.discard(3);
  BlasSetting setting;
  setting.options.seed = random();
  setting.options.threads = random() % 16 == 0;
  setting.tile = 1 + int64_t(random() % 16);
  setting.limit = random() % 3 ? 0 : 8192 + random() % 16384;
  const unsigned kind = random() % 4; // all alike, or mixed
  for (size_t i = 0; i < operands; ++i) setting.places.push_back(Where(kind < 3 ? kind : random() % 3));
  setting.firstPanel = random() % 2 ? 0 : setting.tile * int64_t(1 + random() % 4);
  return setting;
}

} // namespace busfare::test

#endif
