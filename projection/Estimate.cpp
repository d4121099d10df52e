//===- projection/Estimate.cpp - A traced program's transfers elsewhere ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Estimate.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>

namespace busfare::projection {
namespace {

/// How many different copies are told apart; the rest is only summed.
constexpr size_t mostGroups = 1 << 18;

struct GroupKey {
  uint64_t bytes;
  TraceKind kind;
  TraceMemory memory;
  bool symbol;
  bool operator==(const GroupKey &) const = default;
};

struct HashKey {
  size_t operator()(const GroupKey &key) const {
    uint64_t mixed = key.bytes * 0x9e3779b97f4a7c15 +
                     (uint64_t(key.kind) << 9 | uint64_t(key.memory) << 1 | uint64_t(key.symbol)) * 0xc2b2ae3d27d4eb4f;
    return mixed ^ (mixed >> 29);
  }
};

/// What the models say of a copy: predicted = fixed + ofRecorded * recorded.
struct Prediction {
  std::array<double, 3> fixed = {};
  double ofRecorded = 0; ///< Of PredictedByModel alone.
  double asPinned = 0;
  double onSource = -1; ///< By the source machine's model; negative: not known.
  bool known = true;
};

struct Group {
  Prediction prediction;
  CopySums sums;
};

bool isTransfer(const TraceOperation &operation) { return operation.kind < TraceKind::Fill; }

void add(CopySums &sums, uint64_t bytes, double recorded, const std::array<double, 3> &predicted, bool known) {
  ++sums.count;
  sums.bytes += bytes;
  sums.recorded += recorded;
  for (size_t i = 0; i < predicted.size(); ++i) sums.predicted[i] += predicted[i];
  sums.unknown += !known;
}

/// 0 -> 0, 1..3 -> 1, 4..15 -> 2, ...
size_t binOf(uint64_t bytes) {
  size_t bin = 0;
  for (; bytes; bytes >>= 2) ++bin;
  return bin;
}

Engine engineOf(TraceKind kind) {
  if (kind == TraceKind::ToDevice) return Engine::CopyIn;
  if (kind == TraceKind::ToHost) return Engine::CopyOut;
  return kind < TraceKind::Fill ? Engine::OtherCopy : Engine::Compute;
}

class Estimator {
public:
  explicit Estimator(const EstimateModels &models) : models(models), bins(binOf(~uint64_t(0)) + 1) {}
  void take(const TraceOperation &operation);
  void finish();
  llvm::Error measure(const std::string &file);
  Estimate result;

private:
  Prediction predict(const GroupKey &key) const;
  std::array<double, 3> timesOf(const Prediction &prediction, double recorded) const;

  const EstimateModels &models;
  std::unordered_map<GroupKey, Group, HashKey> groups;
  std::vector<CopySums> bins;
  std::map<std::tuple<TraceKind, TraceMemory, bool>, CopySums> byKind;
  Timeline timeline;
  double sourceOff = 0, sourceRecorded = 0; ///< Sums for Estimate::sourceWmape.
};

Prediction Estimator::predict(const GroupKey &key) const {
  Prediction prediction;
  double bytes = double(key.bytes);
  double ours = models.target(key.kind, key.memory, bytes);
  auto ask = [&](const CopyModel &model) { return model ? model(key.kind, key.memory, bytes) : std::nan(""); };
  prediction.fixed = {ours, ask(models.peak), ask(models.envelope)};
  prediction.asPinned = models.target(key.kind, TraceMemory::Pinned, bytes);
  prediction.known = ours >= 0;
  if (models.source) prediction.onSource = models.source(key.kind, key.memory, bytes);
  if (key.memory == TraceMemory::Pageable && prediction.onSource > 0 && ours >= 0) {
    prediction.ofRecorded = ours / prediction.onSource;
    prediction.fixed[PredictedByModel] = 0;
  }
  return prediction;
}

std::array<double, 3> Estimator::timesOf(const Prediction &prediction, double recorded) const {
  std::array<double, 3> times = prediction.fixed;
  for (double &time : times)
    if (time < 0) time = recorded;
  times[PredictedByModel] += prediction.ofRecorded * recorded;
  return times;
}

void Estimator::take(const TraceOperation &operation) {
  double recorded = double(operation.end - operation.start) * 1e-9;
  double predicted = recorded;
  if (isTransfer(operation)) {
    GroupKey key{operation.bytes, operation.kind, operation.memory, operation.symbol};
    auto found = groups.find(key);
    Group fresh;
    Group *group = &fresh;
    if (found != groups.end()) {
      group = &found->second;
    } else {
      fresh.prediction = predict(key);
      if (groups.size() < mostGroups) group = &groups.emplace(key, fresh).first->second;
      else ++result.moreSizes;
    }
    std::array<double, 3> times = timesOf(group->prediction, recorded);
    predicted = times[PredictedByModel];
    bool known = group->prediction.known;
    if (group->prediction.onSource >= 0) {
      sourceOff += std::fabs(recorded - group->prediction.onSource);
      sourceRecorded += recorded;
    }
    CopySums &ofKind = byKind[{operation.kind, operation.memory, operation.symbol}];
    for (CopySums *sums : {&group->sums, &result.transfers, &bins[binOf(operation.bytes)], &ofKind})
      add(*sums, operation.bytes, recorded, times, known);
    if (operation.bytes <= tinyBytes) add(result.tiny, operation.bytes, recorded, times, known);
    if (operation.symbol) add(result.symbols, operation.bytes, recorded, times, known);
    if (operation.memory == TraceMemory::Pageable && known) {
      result.scaledPageable |= group->prediction.ofRecorded > 0;
      result.pageablePredicted += predicted;
      result.pageableAsPinned += group->prediction.asPinned;
      result.pageableBytes += operation.bytes;
    }
  } else if (operation.kind == TraceKind::Kernel) {
    ++result.kernels;
    result.kernelTime += recorded;
  } else {
    ++result.fills;
    result.fillTime += recorded;
  }
  timeline.push_back({operation.start, float(double(operation.end - operation.start)), float(predicted * 1e9),
                      operation.stream, uint8_t(std::min<uint32_t>(operation.device, 255)), engineOf(operation.kind)});
}

bool isLonger(const CopyGroup &left, const CopyGroup &right) {
  auto key = [](const CopyGroup &group) {
    return std::tuple(-group.sums.recorded, group.kind, group.memory, group.symbol, group.bytes);
  };
  return key(left) < key(right);
}

void Estimator::finish() {
  for (const auto &[key, group] : groups)
    result.bySize.push_back({key.kind, key.memory, key.symbol, key.bytes, group.sums});
  llvm::sort(result.bySize, isLonger);
  for (const auto &[key, sums] : byKind)
    result.byKind.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), 0, sums});
  llvm::sort(result.byKind, isLonger);
  auto used = [](const CopySums &sums) { return sums.count > 0; };
  size_t first = llvm::find_if(bins, used) - bins.begin();
  size_t last = bins.size();
  while (last > first && !used(bins[last - 1])) --last;
  for (size_t bin = first; bin < last; ++bin)
    result.histogram.push_back({bin < 32 ? uint64_t(1) << (2 * bin) : ~uint64_t(0), bins[bin]});
  if (sourceRecorded > 0) result.sourceWmape = sourceOff / sourceRecorded;
  sortByStart(timeline);
  result.before = busyOf(timeline);
  rebuildInPlace(timeline);
  result.after = busyOf(timeline);
  timeline.clear();
}

/// Each transfer of the target's trace against the mean prediction for its like.
llvm::Error Estimator::measure(const std::string &file) {
  Accuracy accuracy;
  llvm::Expected<TraceSource> source = readTrace(file, [&](const TraceOperation &operation) {
    if (!isTransfer(operation)) return;
    auto found = groups.find({operation.bytes, operation.kind, operation.memory, operation.symbol});
    if (found == groups.end() || !found->second.prediction.known) {
      ++accuracy.unmatched;
      return;
    }
    const CopySums &sums = found->second.sums;
    double actual = double(operation.end - operation.start) * 1e-9;
    ++accuracy.matched;
    accuracy.measured += actual;
    for (size_t i = 0; i < accuracy.wmape.size(); ++i) {
      double predicted = sums.predicted[i] / double(sums.count), off = std::fabs(actual - predicted);
      accuracy.wmape[i] += off;
      accuracy.ofPredicted[i] += predicted <= 0 ? 0 : actual * off / predicted;
    }
  });
  if (!source) return source.takeError();
  for (auto *errors : {&accuracy.wmape, &accuracy.ofPredicted})
    for (double &error : *errors) error = accuracy.measured > 0 ? error / accuracy.measured : 0;
  result.accuracy = accuracy;
  return llvm::Error::success();
}

} // namespace

llvm::Expected<Estimate> estimate(const std::string &file, const EstimateModels &models,
                                  const std::string &measuredFile) {
  Estimator estimator(models);
  llvm::Expected<TraceSource> source =
      readTrace(file, [&](const TraceOperation &operation) { estimator.take(operation); });
  if (!source) return source.takeError();
  estimator.finish();
  estimator.result.source = std::move(*source);
  if (!measuredFile.empty())
    if (llvm::Error error = estimator.measure(measuredFile)) return error;
  return std::move(estimator.result);
}

} // namespace busfare::projection
