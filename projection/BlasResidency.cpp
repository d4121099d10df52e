//===- projection/BlasResidency.cpp - Operands of BLAS calls that may stay on the device ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/BlasResidency.h"
#include "projection/Blas.h"
#include "projection/Describe.h"
#include "projection/FoundCalls.h"
#include "projection/LibraryWork.h"
#include "projection/Shares.h"
#include "projection/Work.h"
#include "skeleton/Print.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <set>

namespace busfare::projection {
using namespace skeleton;

namespace {

/// A block of an array that lies on the device, too.
struct KeptBlock {
  std::string array, text; ///< The access, and the block's rows and columns.
  std::set<std::string> symbols; ///< In its subscripts.
  double bytes = 0;
  bool operator==(const KeptBlock &o) const { return array == o.array && text == o.text; }
};

bool hasLibraryCalls(const Block &block) {
  bool any = false;
  forEachNode(block, [&](const Node &node) {
    auto *host = std::get_if<HostStatement>(&node.kind);
    any |= host && host->library;
  });
  return any;
}

class CallWalk {
public:
  CallWalk(const Root &root, const Sizes &sizes, const Machine &machine)
      : root(root), sizes(sizes), machine(machine), values(sizes.realValues()) {
    result.root = root.name;
  }
  RootResidency result;

  void walk(const Block &block, double weight);

private:
  const Root &root;
  const Sizes &sizes;
  const Machine &machine;
  RealValues values;
  std::vector<KeptBlock> there;

  void restsOn(const Expr &expr);

  void walkLoop(const Loop &loop, double weight);
  void dropArray(const std::string &array, const Location &by, double weight);
  void dropSymbol(const std::string &symbol) {
    llvm::erase_if(there, [&](const KeptBlock &block) { return block.symbols.count(symbol) > 0; });
  }
  void writes(const Node &node, double weight, const HostStatement *in = nullptr);
  void addCall(const HostStatement &host, double weight);
  std::optional<KeptBlock> blockOf(const HostStatement &host, const std::string &array, const BlasOperand &operand,
                                   double elementBytes) const;
  ResidentMatrix &matrixOf(const std::string &array);
  std::optional<double> offloadTime(const LibraryCall &call, std::vector<std::string> resident) const;
  std::optional<double> sizeOf(const LibraryCall &call, llvm::StringRef name) const;
};

} // namespace

ResidentMatrix &CallWalk::matrixOf(const std::string &array) {
  const std::string name = withoutPaths(array);
  for (ResidentMatrix &matrix : result.matrices)
    if (matrix.name == name) return matrix;
  result.matrices.push_back({});
  result.matrices.back().name = name;
  return result.matrices.back();
}

/// Says which sizes in it nothing binds.
void CallWalk::restsOn(const Expr &expr) {
  for (const std::string &symbol : expr.symbols()) {
    if (!sizes.isAssumed(symbol)) continue;
    const std::string text =
        scopedName(root.name, symbol) + " = " + std::to_string(sizes.bySymbol.at(symbol).value) + " assumed";
    if (!llvm::is_contained(result.assumptions, text)) result.assumptions.push_back(text);
  }
}

void CallWalk::dropArray(const std::string &array, const Location &by, double weight) {
  if (llvm::none_of(there, [&](const KeptBlock &block) { return block.array == array; })) return;
  llvm::erase_if(there, [&](const KeptBlock &block) { return block.array == array; });
  matrixOf(array).changed[toString(by)] += weight;
}

/// Whatever it may write leaves the device.
void CallWalk::writes(const Node &node, double weight, const HostStatement *in) {
  if (auto *access = std::get_if<Access>(&node.kind)) {
    if (access->kind != AccessKind::Read) dropArray(access->array, locationOf(*access, in), weight);
  } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
    if (touchesExposed(*host)) there.clear();
  } else if (auto *define = std::get_if<Define>(&node.kind)) {
    dropSymbol(define->symbol);
  } else if (auto *allocate = std::get_if<Allocate>(&node.kind)) {
    dropArray(allocate->array, allocate->location, weight);
  } else if (auto *released = std::get_if<Free>(&node.kind)) {
    dropArray(released->array, released->location, weight);
  } else if (std::holds_alternative<Rotate>(node.kind) || std::holds_alternative<Call>(node.kind)) {
    there.clear();
  }
}

void CallWalk::walk(const Block &block, double weight) {
  for (const Node &node : block) {
    if (auto *loop = std::get_if<Loop>(&node.kind)) {
      walkLoop(*loop, weight);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      const double share = shareOf(branch->condition, values);
      const std::vector<KeptBlock> before = there;
      walk(branch->then, weight * share);
      std::vector<KeptBlock> then = std::move(there);
      there = before;
      walk(branch->otherwise, weight * (1 - share));
      llvm::erase_if(there, [&](const KeptBlock &block) { return !llvm::is_contained(then, block); });
    } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
      if (host->library) {
        addCall(*host, weight);
      } else {
        writes(node, weight);
        for (const Node &inner : host->body) writes(inner, weight, host);
      }
    } else {
      writes(node, weight);
    }
  }
}

void CallWalk::walkLoop(const Loop &loop, double weight) {
  const double trips = tripsOf(loop, values, {});
  if (!hasLibraryCalls(loop.body)) {
    forEachNode(loop.body, [&](const Node &node) { writes(node, weight); });
    return;
  }
  restsOn(loop.lower);
  restsOn(loop.upper);
  const double lower = loop.lower.evaluateReal(values).value_or(0);
  const bool isNew = values.try_emplace(loop.index, lower + double(loop.step) * (trips - 1) / 2).second;
  // Each iteration has another value of the index, and so has what comes behind the loop.
  for (double part : {std::min(trips, 1.0), trips - 1}) {
    if (part <= 0) continue;
    dropSymbol(loop.index);
    walk(loop.body, weight * part);
  }
  dropSymbol(loop.index);
  if (isNew) values.erase(loop.index);
}

std::optional<double> CallWalk::sizeOf(const LibraryCall &call, llvm::StringRef name) const {
  for (const auto &[dimension, expr] : call.dimensions)
    if (dimension == name && expr) return expr->evaluateReal(values);
  return std::nullopt;
}

std::optional<double> CallWalk::offloadTime(const LibraryCall &call, std::vector<std::string> resident) const {
  llvm::Expected<BlasCall> blas = blasCall(call.routine, sizeOf(call, "m"), sizeOf(call, "n"), sizeOf(call, "k"),
                                           resident, call.overwrites ? 0 : 1);
  if (!blas) {
    llvm::consumeError(blas.takeError());
    return std::nullopt;
  }
  std::vector<TileTime> measured = tilesOf(machine, tileRoutine(call.routine));
  if (llvm::none_of(measured, [&](const TileTime &tile) { return tile.tile <= largestTile(*blas); })) measured.clear();
  llvm::Expected<BlasAnswer> answer = selectTile(*blas, machine, measured);
  if (!answer) {
    llvm::consumeError(answer.takeError());
    return std::nullopt;
  }
  if (!answer->selected) return std::nullopt;
  const TileTimes &best = answer->tiles[*answer->selected];
  return best.pipeline ? *best.pipeline : blas->level == 3 ? *best.reuse : best.bidirectional;
}

/// The block that the call reads of an array; nothing if it may be another one where the text is the same.
std::optional<KeptBlock> CallWalk::blockOf(const HostStatement &host, const std::string &array,
                                           const BlasOperand &operand, double elementBytes) const {
  const Access *read = nullptr;
  for (const Node &node : host.body)
    if (auto *access = std::get_if<Access>(&node.kind); access && access->array == array) {
      if (read || access->kind != AccessKind::Read) return std::nullopt;
      read = access;
    }
  if (!read || operand.isTriangle) return std::nullopt;
  double elements = 1;
  KeptBlock block{array, toString(*read), {}, 0};
  for (const Subscript &subscript : read->subscripts) {
    if (subscript.value) continue;
    if (!subscript.atLeast || !subscript.atMost) return std::nullopt;
    std::optional<double> low = subscript.atLeast->evaluateReal(values), high = subscript.atMost->evaluateReal(values);
    if (!low || !high) return std::nullopt;
    elements *= *high - *low + 1;
  }
  // More elements than the operand has: which of them it is, is not known.
  if (std::fabs(elements - operand.elements()) > 0.5) return std::nullopt;
  forEachSubscriptExpr(*read, [&](const Expr &expr) {
    for (const std::string &symbol : expr.symbols()) block.symbols.insert(symbol);
  });
  block.text += " " + std::to_string(operand.rows) + " x " + std::to_string(operand.columns);
  block.bytes = operand.elements() * elementBytes;
  return block;
}

void CallWalk::addCall(const HostStatement &host, double weight) {
  const LibraryCall &library = *host.library;
  auto known = llvm::find_if(result.calls, [&](const ResidentCall &call) {
    return call.location == host.location && call.routine == library.routine;
  });
  if (known == result.calls.end()) {
    result.calls.push_back({host.location, host.what, library.routine, 0, 0.0, 0.0, 0.0, ""});
    known = std::prev(result.calls.end());
  }
  known->count += weight;
  for (const auto &[name, expr] : library.dimensions)
    if (expr) restsOn(*expr);
  auto addTime = [&](std::optional<double> &sum, std::optional<double> time) {
    if (!time) sum.reset();
    else if (sum) *sum += weight * *time;
  };
  LibraryWork work = libraryWork(library, values);
  addTime(known->host, work.flops && work.bytes
                           ? std::optional(libraryTime(library.routine, {work.flops, work.bytes}, machine.host))
                           : std::nullopt);
  llvm::Expected<BlasCall> blas = blasCall(library.routine, sizeOf(library, "m"), sizeOf(library, "n"),
                                           sizeOf(library, "k"), {}, library.overwrites ? 0 : 1);
  std::vector<std::string> resident;
  if (blas) {
    // An array that is two operands, one of them written, is written.
    std::set<std::string> written;
    for (const BlasOperand &operand : blas->operands)
      for (const auto &[name, array] : library.operands)
        if (name == operand.name && operand.goesBack) written.insert(array);
    std::vector<KeptBlock> brought;
    for (const BlasOperand &operand : blas->operands)
      for (const auto &[name, array] : library.operands) {
        if (name != operand.name || written.count(array)) continue;
        ResidentMatrix &matrix = matrixOf(array);
        matrix.uses += weight;
        matrix.bytes = std::max(matrix.bytes, operand.elements() * blas->elementBytes);
        std::optional<KeptBlock> block = blockOf(host, array, operand, blas->elementBytes);
        if (!block) matrix.isUnsure = true;
        if (block && llvm::is_contained(there, *block)) {
          resident.push_back(name);
          continue;
        }
        if (block && llvm::is_contained(brought, *block)) continue; // crosses once for both operands of this call
        matrix.crossings += weight;
        if (block) brought.push_back(std::move(*block));
      }
    llvm::move(brought, std::back_inserter(there));
    double bytes = 0;
    for (const KeptBlock &block : there) bytes += block.bytes;
    result.mostBytes = std::max(result.mostBytes, bytes);
  } else {
    known->why = llvm::toString(blas.takeError());
  }
  addTime(known->offloaded, offloadTime(library, {}));
  addTime(known->kept, offloadTime(library, resident));
  if (known->why.empty() && !known->offloaded) known->why = "it is smaller than any tile, or does not fit";
  for (const Node &node : host.body) writes(node, weight, &host);
}

llvm::Expected<Residency> findResidency(const Program &program, const ProjectOptions &options) {
  const Machine &machine = options.machines.front();
  Residency residency{BUSFARE_VERSION, machine.name, machine.gpu.dramBytes, {}};
  ProjectOptions own = options;
  own.machines.resize(1);
  std::set<std::string> reached;
  std::vector<RootResidency> roots;
  own.afterRoot = [&](const Root &root, const Sizes &sizes, llvm::ArrayRef<RegionReport>) {
    if (!hasLibraryCalls(root.function.body)) return;
    CallWalk calls(root, sizes, machine);
    calls.walk(root.function.body, 1);
    roots.push_back(std::move(calls.result));
  };
  llvm::Expected<Report> report = project(program, own);
  if (!report) return report.takeError();
  // A call that a root reaches is in the report as such; a function all of whose calls are said there says nothing new.
  for (RootResidency &root : roots) {
    root.isReached = llvm::any_of(root.calls, [&](const ResidentCall &call) {
      return llvm::any_of(report->libraryCalls, [&](const LibraryCallReport &said) {
        return said.isReached && said.location == call.location;
      });
    });
    const bool isNew = llvm::any_of(root.calls, [&](const ResidentCall &call) {
      return llvm::none_of(residency.roots, [&](const RootResidency &earlier) {
        return llvm::any_of(earlier.calls, [&](const ResidentCall &other) { return other.location == call.location; });
      });
    });
    if (isNew) residency.roots.push_back(std::move(root));
  }
  return residency;
}

double savedBy(const RootResidency &root) {
  double saved = 0;
  for (const ResidentCall &call : root.calls)
    if (call.host && call.offloaded && call.kept)
      saved += std::min(*call.host, *call.offloaded) - std::min(*call.host, *call.kept);
  return saved;
}

} // namespace busfare::projection
