//===- projection/Root.h - One root, analysed ----------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Everything that does not depend on a machine or a size: the root with its calls
// substituted and shapes recovered, its loops' verdicts, its regions and what crosses.
// Regions and verdicts point into the function, so a Root is not copied or moved.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_ROOT_H
#define BUSFARE_PROJECTION_ROOT_H

#include "brs/Chunks.h"
#include "brs/Dependence.h"
#include "brs/Effects.h"
#include "brs/Shape.h"
#include "brs/Transfers.h"
#include "projection/Copies.h"
#include "skeleton/Inline.h"
#include "skeleton/Skeleton.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace busfare::projection {

/// What one launch of a kernel touches of one array.
struct Footprint {
  std::string array;
  skeleton::Expr readElements, writtenElements; ///< Distinct ones, at most; 0 = none.
  bool known = true;                            ///< Otherwise the extent is not known.
  double elementBytes = 0;
};

/// What the models want to know of a kernel at whatever sizes.
struct KernelFacts {
  std::vector<Footprint> footprint;
  unsigned registers = 0; ///< A thread's.
  std::vector<std::string> symbols; ///< Of everything outside the kernel that its price can depend on, sorted.
  std::vector<brs::Guard> decided;  ///< As CrossingForm::decided.
};

/// The chunks of a region's kernel, and what its price asks of them.
struct RegionChunks {
  brs::ChunkedKernel kernel;
  /// Of kernel.arrays: elements that the first chunk needs, and that the last copies back; nothing: not split, or not
  /// known.
  struct Ends {
    std::optional<skeleton::Expr> first, last;
  };
  std::vector<Ends> ends;
};

struct Root {
  std::string name;
  skeleton::Function function;
  skeleton::ArrayTable arrays; ///< Those that `function` sees.
  std::vector<skeleton::CallPath> paths; ///< The calls that were substituted; Node::path indexes them.
  brs::Context context;
  std::map<std::string, skeleton::Expr> elements; ///< brs::Shaped::elements
  /// brs::Shaped::assumed: verdicts and regions that rest on them say so; they are part of the context.
  std::vector<skeleton::Expr> assumed;
  brs::DependenceAnalysis dependence;
  brs::TransferAnalysis transfers;
  std::map<const skeleton::Loop *, KernelFacts> kernels; ///< All that are in transfers.
  std::map<const brs::Crossing *, CrossingForm> crossings; ///< Of every crossing in transfers.
  std::map<const brs::ArrayTransfers *, std::optional<skeleton::Expr>> onDevice; ///< Elements held there, at most.
  std::map<const brs::Region *, RegionChunks> chunks; ///< Of every region in transfers.
  /// Of loops that stand for a call of a library, which the device has as well (OneThread.h).
  std::map<const skeleton::Loop *, skeleton::LibraryCall> libraryCalls;
  std::set<std::string> given; ///< Sizes that are not assumed (takeGiven).
  std::vector<skeleton::Finding> findings;
  mutable brs::EffectsMemo effects; ///< Of this function's loops, for whoever asks again.

  Root() = default;
  Root(const Root &) = delete;
  Root &operator=(const Root &) = delete;
};

/// How far to go.
enum class Depth {
  Shapes,
  LeftOver, ///< As Dependence, of a function that no root leads to; there may be thousands.
  Dependence,
  Transfers,
};

/// Effort for one root (its calls substituted), in seconds of a usual processor. Past it every question is answered by
/// what is safe: whole arrays, serial loops. A whole program has many loops, whose verdicts decide what is planned.
double effortFor(const skeleton::Function &function, Depth depth);

/// Fills the root's transfers, which its function and verdicts must be there for, and what prices ask of its kernels
/// and copies.
void planTransfers(const skeleton::Program &program, Root &root, const brs::PlanLimits &limits);
/// Of one of the root's regions.
RegionChunks chunksOf(const skeleton::Program &program, const Root &root, const brs::Region &region);
/// formOf of one of the root's crossings, and the most that the device holds of an array.
CrossingForm formIn(const Root &root, const brs::ArrayTransfers &array, const brs::Crossing &crossing,
                    Direction direction, llvm::ArrayRef<skeleton::Expr> runs = {});
std::optional<skeleton::Expr> heldIn(const Root &root, const brs::ArrayTransfers &array);
/// Of transfers that came from elsewhere: what prices ask of their kernels and copies.
void preparePrices(const skeleton::Program &program, Root &root);
/// And its chunks.
void splitRegions(const skeleton::Program &program, Root &root);
/// Prices then take branches that these sizes decide as they are: `if (tiling)` does not run where no option sets it.
void takeGiven(Root &root, std::set<std::string> given);

/// Error: no such function. judged: functions whose loops have verdicts for whatever they are given; where a call of
/// one gives it nothing that they did not allow for (one array twice, or one that it also knows by another name), its
/// loops get none here.
llvm::Expected<std::unique_ptr<Root>> analyseRoot(const skeleton::Program &program, const std::string &name,
                                                  Depth depth, brs::ShapeProof proof = brs::ShapeProof::Strict,
                                                  const std::set<std::string> &judged = {});

} // namespace busfare::projection

#endif
