//===- projection/Estimate.h - A traced program's transfers elsewhere -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// AHEAD's filter and estimator (Abdelhafez et al., sections III, V and VI): takes
// the operations of a trace (Trace.h), gives every transfer the time that a model
// says it takes on another machine, and sums up.
//
//   400 h2d of 8 B in 1.6 ms, 2 of 64 MiB in 44 ms, kernels 100 ms, on A:
//   31 % of GPU time is transfers, 99.5 % of transfers are tiny and take 3.5 % of
//   the transfers' time; on B, of four times the bandwidth, 1.6 + 11 ms
//
// A model is any function from kind, memory and bytes to seconds; one that knows
// nothing of a kind of copy says so with a negative number, and the recorded time
// stays. Kernels and fills keep their times.
//
// Error (section VI-C): WMAPE = sum |A - P| / sum A over the transfers of a trace
// of the target. The paper's tables hold values above 100 % for models that predict
// too little, which that cannot give; the mean of |A - P| / P, weighted by A, can,
// and is beside it.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_ESTIMATE_H
#define BUSFARE_PROJECTION_ESTIMATE_H

#include "projection/Timeline.h"
#include "projection/Trace.h"
#include <array>
#include <functional>
#include <optional>

namespace busfare::projection {

/// Seconds of one copy on some machine, or a negative number: not known.
using CopyModel = std::function<double(TraceKind kind, TraceMemory memory, double bytes)>;

struct EstimateModels {
  CopyModel target;   ///< The prediction.
  CopyModel peak; ///< The link's peak bandwidth with the latency; empty: the machine has no peak, and its sums are no
                  ///< numbers.
  CopyModel envelope; ///< The peak alone, as on the back of an envelope; likewise.
  /// The machine of the trace; may be empty. With it pageable copies, for which no model is good, take their recorded
  /// time times target/source.
  CopyModel source;
};

/// Copies at most this large are called tiny: all latency.
inline constexpr uint64_t tinyBytes = 1024;

/// Sums over a set of copies; predictions in the order of `Predictor`.
enum Predictor : size_t { PredictedByModel, PredictedByPeak, PredictedByEnvelope };
struct CopySums {
  uint64_t count = 0, bytes = 0;
  double recorded = 0;
  std::array<double, 3> predicted = {};
  uint64_t unknown = 0; ///< How many of them the model does not know: they keep their recorded time.
};

/// Copies of one kind, memory and size.
struct CopyGroup {
  TraceKind kind = TraceKind::Unknown;
  TraceMemory memory = TraceMemory::Unknown;
  bool symbol = false;
  uint64_t bytes = 0; ///< Of each.
  CopySums sums;
};

/// Copies whose sizes lie in one power of four: [below / 4, below), the first [0, 1).
struct SizeBin {
  uint64_t below = 1;
  CopySums sums;
};

struct Accuracy {
  uint64_t matched = 0,
           unmatched = 0; ///< Transfers of the target's trace with and without one of their kind and size in the other.
  double measured = 0; ///< s, of those that matched.
  std::array<double, 3> wmape = {}; ///< sum |A - P| / sum A.
  std::array<double, 3> ofPredicted = {}; ///< |A - P| / P, weighted by A.
};

struct Estimate {
  TraceSource source;
  CopySums transfers, tiny, symbols;
  std::vector<CopyGroup> byKind; ///< One a kind, memory and whether it is a symbol's (bytes: 0), the longest first.
  std::vector<CopyGroup> bySize; ///< One a kind, memory and size, the longest first.
  uint64_t moreSizes = 0; ///< Copies that bySize leaves out: there were too many sizes to keep.
  std::vector<SizeBin>
      histogram; ///< From the smallest to the largest size there is; empty bins between them are there.
  uint64_t kernels = 0, fills = 0;
  double kernelTime = 0, fillTime = 0; ///< Sums, s.
  double pageableAsPinned = 0; ///< s that the pageable copies would take on the target from pinned memory.
  double pageablePredicted = 0; ///< s that they take.
  uint64_t pageableBytes = 0;
  bool scaledPageable = false; ///< Pageable copies are scaled from what was recorded.
  std::optional<double> sourceWmape; ///< How far the source machine's model is off on what was recorded there.
  Busy before, after; ///< The timeline as recorded, and rebuilt.
  std::optional<Accuracy> accuracy;

  double gpuTime() const { return transfers.recorded + kernelTime + fillTime; }
};

/// Reads the trace, and that of the target unless its name is empty. Errors: those of readTrace.
llvm::Expected<Estimate> estimate(const std::string &file, const EstimateModels &models,
                                  const std::string &measuredFile = "");

} // namespace busfare::projection

#endif
