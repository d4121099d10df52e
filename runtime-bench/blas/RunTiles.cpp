//===- runtime-bench/blas/RunTiles.cpp - A call by tiles on a device ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/blas/RunTiles.h"
#include <algorithm>
#include <cassert>
#include <cstring>

namespace busfare::blas {

using projection::TileAt;
using projection::TiledOperand;
using projection::TileStep;

namespace {

/// A piece of device memory, and what must be over before something else is written there.
struct Slot {
  char *at = nullptr;
  Event kernel = noEvent, out = noEvent;
};

struct Tile {
  int64_t rows = 0, columns = 0;
  View device;
  Slot slot;
  bool isHere = false;
  bool mustComeIn = false; ///< What the host has is what the next step reads.
  bool isDirty = false;
  Event lastOut = noEvent;  ///< Of a half-made result that went back.
  std::vector<size_t> uses; ///< Steps, in order.
  size_t used = 0;
  size_t nextUse() const { return used < uses.size() ? uses[used] : SIZE_MAX; }
};

struct Matrix {
  const Operand *operand = nullptr;
  TiledOperand shape;
  Where where = Where::Pageable;
  bool isStaged = false; ///< Through pinned pieces.
  int64_t tileRows = 1;
  std::vector<Tile> tiles; ///< By columns.
};

/// Slots of one size.
struct Pool {
  size_t slotBytes = 0, wanted = 0;
  std::vector<Slot> free; ///< The next at `nextFree`: the one that was freed first.
  size_t nextFree = 0;
  std::vector<std::pair<unsigned, size_t>> taken; ///< Operand and tile.
  size_t bytes() const { return slotBytes * wanted; }
};

class Run {
public:
  Run(const Call &call, Device &device, TileMemory &memory, Staging &staging)
      : call(call), device(device), memory(memory), staging(staging) {}
  Ran run(int64_t tile);

private:
  bool plan(int64_t tile);
  void cut(int64_t tile);
  bool fits();
  void steps();
  Tile &tileAt(const TileAt &at) { return matrices[at.operand].tiles[indexOf(at)]; }
  size_t indexOf(const TileAt &at) const { return size_t(at.row + at.column * matrices[at.operand].tileRows); }
  Pool &poolOf(const Matrix &matrix) { return matrix.shape.isVector ? vectors : squares; }
  void bringIn(const TileAt &at, const TileStep &step);
  Slot slotFor(Pool &pool, const TileStep &step);
  void evict(Pool &pool, const TileStep &step);
  void sendBack(unsigned operand, size_t index);
  void release(const TileAt &at);
  TileKernel kernelFor(const TileStep &step);
  View hostOf(const Matrix &matrix, size_t index) const;
  void addUp();

  const Call &call;
  Device &device;
  TileMemory &memory;
  Staging &staging;
  int64_t tile = 0;
  std::vector<TileStep> order;
  std::vector<Matrix> matrices;
  Pool squares, vectors;
  Event lastIn = noEvent, waitedFor = noEvent;
  char *sums = nullptr; ///< dot: one for each piece.
  Ran ran;
};

View Run::hostOf(const Matrix &matrix, size_t index) const {
  View view = matrix.operand->view;
  const int64_t row = int64_t(index) % matrix.tileRows * tile, column = int64_t(index) / matrix.tileRows * tile;
  view.at += (row * view.rowStride + column * view.columnStride) * int64_t(call.bytes());
  return view;
}

/// The tiles of all operands, with the steps that use them.
void Run::cut(int64_t side) {
  tile = side;
  order = projection::tileSteps(call.shape, side);
  matrices.clear();
  const std::vector<TiledOperand> shapes = projection::operandsOf(call.shape);
  for (size_t i = 0; i < shapes.size(); ++i) {
    Matrix matrix;
    matrix.operand = &call.operands[i];
    matrix.shape = shapes[i];
    matrix.where = device.whereIs(matrix.operand->view.at);
    matrix.isStaged = matrix.where == Where::Pageable || matrix.operand->view.rowStride != 1;
    const int64_t rows = shapes[i].rows, columns = shapes[i].columns;
    matrix.tileRows = (rows + side - 1) / side;
    const int64_t tileColumns = (columns + side - 1) / side;
    matrix.tiles.resize(size_t(matrix.tileRows * tileColumns));
    for (size_t index = 0; index < matrix.tiles.size(); ++index) {
      Tile &each = matrix.tiles[index];
      each.rows = std::min(side, rows - int64_t(index) % matrix.tileRows * side);
      each.columns = std::min(side, columns - int64_t(index) / matrix.tileRows * side);
      each.mustComeIn = matrix.operand->isRead;
      if (matrix.where == Where::OnDevice) {
        each.device = hostOf(matrix, index);
        each.isHere = true;
      }
    }
    matrices.push_back(std::move(matrix));
  }
  for (size_t number = 0; number < order.size(); ++number) {
    const TileStep &step = order[number];
    for (const std::optional<TileAt> &at : {step.a, step.b, std::optional(step.c)})
      if (at)
        if (Tile &each = tileAt(*at); each.uses.empty() || each.uses.back() != number) each.uses.push_back(number);
  }
}

/// Slots for all tiles if there is memory, else for as many as there is; false: for too few to run a step.
bool Run::fits() {
  squares = vectors = {};
  size_t tilesOf[2] = {0, 0};
  for (const Matrix &matrix : matrices)
    if (matrix.where != Where::OnDevice)
      for (const Tile &each : matrix.tiles)
        if (!each.uses.empty()) {
          Pool &pool = poolOf(matrix);
          ++tilesOf[matrix.shape.isVector];
          // Slots begin where any element may: a line of the device's memory is more than enough.
          const size_t bytes = (size_t(each.rows * each.columns) * call.bytes() + 255) / 256 * 256;
          pool.slotBytes = std::max(pool.slotBytes, bytes);
        }
  squares.wanted = tilesOf[0];
  vectors.wanted = tilesOf[1];
  // What is used once needs no more than what is under way.
  constexpr size_t underWay = 16;
  if (call.shape.kind == BlasKind::Gemv) squares.wanted = std::min(squares.wanted, underWay);
  if (call.shape.kind == BlasKind::Axpy || call.shape.kind == BlasKind::Dot)
    vectors.wanted = std::min(vectors.wanted, underWay);
  const size_t sumBytes = call.shape.kind == BlasKind::Dot ? order.size() * call.bytes() + 255 : 0,
               limit = memory.limit();
  // A step works on three tiles of a kind; one more lets the next come in meanwhile.
  constexpr size_t least = 4;
  if (vectors.bytes() > limit / 4 && squares.wanted > 0)
    vectors.wanted = std::max(std::min(least, vectors.wanted), limit / 4 / std::max<size_t>(1, vectors.slotBytes));
  if (vectors.bytes() + sumBytes > limit && vectors.wanted > 0)
    vectors.wanted = std::max(std::min(least, vectors.wanted), (limit - std::min(limit, sumBytes)) / vectors.slotBytes);
  if (vectors.bytes() + sumBytes > limit) return false;
  const size_t left = limit - vectors.bytes() - sumBytes;
  if (squares.bytes() > left) squares.wanted = left / squares.slotBytes;
  if (squares.wanted < std::min(least, tilesOf[0]) || !memory.reserve(squares.bytes(), vectors.bytes() + sumBytes))
    return false;
  for (Pool *pool : {&squares, &vectors})
    for (size_t i = 0; i < pool->wanted; ++i)
      pool->free.push_back({(pool == &squares ? memory.matrices() : memory.vectors()) + i * pool->slotBytes});
  sums = sumBytes ? memory.vectors() + vectors.bytes() : nullptr;
  return true;
}

bool Run::plan(int64_t side) {
  // So many steps are made that their list is no larger than a large operand; with tiles that small the device gains
  // nothing.
  constexpr double mostSteps = 4e6;
  side = std::min(side, std::max({call.shape.m, call.shape.n, call.shape.k, int64_t(1)}));
  for (; side >= 1 && projection::stepsOf(call.shape, side) <= mostSteps; side /= 2) {
    cut(side);
    for (const Matrix &matrix : matrices)
      if ((matrix.isStaged || matrix.shape.isTriangle || call.result) && !staging.reserve()) return false;
    if (fits()) return true;
    memory.clear();
  }
  return false;
}

void Run::sendBack(unsigned operand, size_t index) {
  if (device.hasFailed()) return;
  Matrix &matrix = matrices[operand];
  Tile &each = matrix.tiles[index];
  device.wait(Queue::Out, each.slot.kernel);
  const View host = hostOf(matrix, index);
  const bool isDiagonal =
      matrix.shape.isTriangle && int64_t(index) % matrix.tileRows == int64_t(index) / matrix.tileRows;
  const Part part = !isDiagonal ? Part::All : call.shape.isLower ? Part::Lower : Part::Upper;
  if (matrix.isStaged || isDiagonal) {
    if (!staging.copyOut(host, each.device, each.rows, each.columns, call.bytes(), part))
      ran.status = Status::OutOfMemory;
  } else {
    device.copyOut(host, each.device, each.rows, each.columns, call.bytes());
  }
  each.slot.out = each.lastOut = device.record(Queue::Out);
  each.isDirty = false;
  ran.bytesOut += size_t(each.rows * each.columns) * call.bytes();
}

void Run::evict(Pool &pool, const TileStep &step) {
  auto isInUse = [&](const std::pair<unsigned, size_t> &at) {
    for (const std::optional<TileAt> &used : {step.a, step.b, std::optional(step.c)})
      if (used && used->operand == at.first && indexOf(*used) == at.second) return true;
    return false;
  };
  size_t victim = SIZE_MAX, furthest = 0;
  for (size_t i = 0; i < pool.taken.size(); ++i) {
    const auto &[operand, index] = pool.taken[i];
    const size_t next = matrices[operand].tiles[index].nextUse();
    if (!isInUse(pool.taken[i]) && (victim == SIZE_MAX || next > furthest)) {
      victim = i;
      furthest = next;
    }
  }
  assert(victim != SIZE_MAX && "there are slots for the tiles of a step and one more");
  const auto [operand, index] = pool.taken[victim];
  Tile &each = matrices[operand].tiles[index];
  if (each.isDirty) sendBack(operand, index);
  each.mustComeIn = true;
  each.isHere = false;
  pool.free.push_back(each.slot);
  pool.taken[victim] = pool.taken.back();
  pool.taken.pop_back();
}

Slot Run::slotFor(Pool &pool, const TileStep &step) {
  if (pool.nextFree == pool.free.size()) evict(pool, step);
  return pool.free[pool.nextFree++];
}

void Run::bringIn(const TileAt &at, const TileStep &step) {
  Matrix &matrix = matrices[at.operand];
  Tile &each = tileAt(at);
  if (each.isHere) return;
  Pool &pool = poolOf(matrix);
  each.slot = slotFor(pool, step);
  pool.taken.push_back({at.operand, indexOf(at)});
  each.device = {each.slot.at, 1, each.rows};
  each.isHere = true;
  const Queue first = each.mustComeIn ? Queue::In : Queue::Kernels;
  for (Event before : {each.slot.kernel, each.slot.out})
    if (before != noEvent) device.wait(first, before);
  each.slot.kernel = each.slot.out = noEvent;
  if (!each.mustComeIn) return;
  const View host = hostOf(matrix, indexOf(at));
  if (each.lastOut != noEvent) {
    device.wait(Queue::In, each.lastOut);
    staging.settle(true); // What went back through a piece may still lie there.
  }
  if (!matrix.isStaged) device.copyIn(each.device, host, each.rows, each.columns, call.bytes());
  else if (!staging.copyIn(each.device, host, each.rows, each.columns, call.bytes())) ran.status = Status::OutOfMemory;
  each.mustComeIn = false;
  lastIn = device.record(Queue::In);
  ran.bytesIn += size_t(each.rows * each.columns) * call.bytes();
}

/// The tile is needed no more: the next may have its place.
void Run::release(const TileAt &at) {
  Matrix &matrix = matrices[at.operand];
  if (matrix.where == Where::OnDevice) return;
  Pool &pool = poolOf(matrix);
  auto place = std::find(pool.taken.begin(), pool.taken.end(), std::pair(at.operand, indexOf(at)));
  *place = pool.taken.back();
  pool.taken.pop_back();
  pool.free.push_back(tileAt(at).slot);
  tileAt(at).isHere = false;
}

TileKernel Run::kernelFor(const TileStep &step) {
  TileKernel kernel = kernelOf(
      call, {step.work, step.transposesA, step.transposesB, step.isFirst, step.subtracts, step.m, step.n, step.k});
  if (step.a) kernel.a = tileAt(*step.a).device;
  if (step.b) kernel.b = tileAt(*step.b).device;
  kernel.c = tileAt(step.c).device;
  if (step.work == BlasKind::Gemv && step.transposesA) std::swap(kernel.m, kernel.k);
  if (step.work == BlasKind::Gemv) kernel.n = kernel.k;
  if (step.work == BlasKind::Gemm && matrices[step.c.operand].shape.isVector) kernel.c.columnStride = kernel.m;
  // A vector that is only scaled, as a matrix of one row where its elements lie apart.
  if (step.work == BlasKind::Gemm && kernel.c.rowStride != 1) {
    const int64_t stride = kernel.c.rowStride;
    if (stride < 0) kernel.c.at += stride * (kernel.m - 1) * int64_t(call.bytes());
    kernel.c.columnStride = std::abs(stride);
    kernel.c.rowStride = 1;
    std::swap(kernel.m, kernel.n);
  }
  if (sums) kernel.sum = sums + size_t(&step - order.data()) * call.bytes();
  return kernel;
}

void Run::steps() {
  for (const TileStep &step : order) {
    if (ran.status != Status::Ok || device.hasFailed()) return;
    for (const std::optional<TileAt> &at : {step.a, step.b, std::optional(step.c)})
      if (at) bringIn(*at, step);
    if (lastIn != waitedFor) {
      device.wait(Queue::Kernels, lastIn);
      waitedFor = lastIn;
    }
    device.run(kernelFor(step));
    ++ran.kernels;
    const Event done = device.record(Queue::Kernels);
    Tile &result = tileAt(step.c);
    for (const std::optional<TileAt> &at : {step.a, step.b, std::optional(step.c)})
      if (at) tileAt(*at).slot.kernel = done;
    const Matrix &changed = matrices[step.c.operand];
    if (changed.operand->isWritten && changed.where != Where::OnDevice) {
      result.isDirty = true;
      if (step.isLast) sendBack(step.c.operand, indexOf(step.c));
    }
    const size_t number = size_t(&step - order.data());
    for (const std::optional<TileAt> &at : {step.a, step.b, std::optional(step.c)})
      if (at)
        if (Tile &each = tileAt(*at); each.nextUse() == number && (++each.used, each.nextUse() == SIZE_MAX))
          release(*at);
    staging.settle(false);
  }
}

/// dot: the sums of the pieces come back, and are added up here, in the order of the pieces.
void Run::addUp() {
  std::vector<char> all(order.size() * call.bytes());
  device.wait(Queue::Out, device.record(Queue::Kernels));
  const int64_t count = int64_t(order.size());
  if (!staging.copyOut({all.data(), 1, count}, {sums, 1, count}, count, 1, call.bytes(), Part::All))
    ran.status = Status::OutOfMemory;
  staging.settle(true);
  auto sum = [&](auto zero) {
    auto total = zero;
    for (int64_t i = 0; i < count; ++i) {
      auto each = zero;
      std::memcpy(&each, all.data() + size_t(i) * sizeof each, sizeof each);
      total += each;
    }
    std::memcpy(call.result, &total, sizeof total);
  };
  switch (call.element) {
  case Element::S: return sum(0.0F);
  case Element::D: return sum(0.0);
  case Element::C: return sum(std::complex<float>());
  case Element::Z: return sum(std::complex<double>());
  }
}

Ran Run::run(int64_t wanted) {
  device.newCall();
  staging.newCall();
  if (!plan(wanted)) {
    device.finish();
    ran.status = Status::OutOfMemory;
    return ran;
  }
  ran.tile = tile;
  steps();
  if (sums && ran.status == Status::Ok && !device.hasFailed()) addUp();
  staging.settle(true);
  if (Status status = device.finish(); ran.status == Status::Ok) ran.status = status;
  return ran;
}

} // namespace

Ran executeTiles(const Call &call, int64_t tile, Device &device, TileMemory &memory, Staging &staging) {
  return Run(call, device, memory, staging).run(tile);
}

} // namespace busfare::blas
