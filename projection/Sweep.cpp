//===- projection/Sweep.cpp - Projections over ranges ---------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Sweep.h"
#include "projection/Messages.h"
#include "projection/Peer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>

using llvm::StringRef;

namespace busfare::projection {

//===--- Axes -------------------------------------------------------------===//

std::optional<double> numberIn(StringRef text) {
  static constexpr std::pair<StringRef, double> units[] = {
      {"Ki", 1024}, {"Mi", 1048576}, {"Gi", 1073741824}, {"Ti", 1099511627776}, {"K", 1e3}, {"k", 1e3},
      {"M", 1e6},   {"G", 1e9},      {"T", 1e12}};
  text = text.trim();
  text.consume_back("B");
  double factor = 1, value;
  for (const auto &[unit, size] : units)
    if (factor == 1 && text.consume_back(unit)) factor = size;
  text = text.rtrim();
  if (text.empty() || text.getAsDouble(value) || !std::isfinite(value)) return std::nullopt;
  return value * factor;
}

llvm::Expected<SweepAxis> parseAxis(StringRef text) {
  auto wrong = [&](const llvm::Twine &why) { return llvm::createStringError("--range " + text + ": " + why); };
  auto [name, range] = text.split('=');
  SweepAxis axis{name.trim().str(), {}};
  if (axis.name.empty() || range.trim().empty())
    return wrong("expected NAME=LO:HI, NAME=LO:HI:xFACTOR, NAME=LO:HI:+STEP or NAME=V,V,...");
  llvm::SmallVector<StringRef> parts;
  if (!range.contains(':')) {
    range.split(parts, ',');
    for (StringRef part : parts)
      if (std::optional<double> value = numberIn(part)) axis.values.push_back(*value);
      else return wrong("expected a number, found '" + part + "'");
    return axis;
  }
  range.split(parts, ':');
  std::optional<double> low = numberIn(parts[0]), high = parts.size() > 1 ? numberIn(parts[1]) : std::nullopt;
  if (parts.size() > 3 || !low || !high) return wrong("expected two numbers, as in 1:100, found '" + range + "'");
  if (*low > *high) return wrong("expected a lower end that is not above the upper one");
  bool powers = *high - *low > 63 && *low > 0;
  double by = powers ? 2 : 1;
  if (parts.size() == 3) {
    StringRef step = parts[2].trim();
    powers = step.consume_front("x");
    bool steps = !powers && step.consume_front("+");
    std::optional<double> given = numberIn(step);
    if ((!powers && !steps) || !given || (powers ? *given <= 1 : *given <= 0))
      return wrong("expected xFACTOR above 1 or +STEP above 0, found '" + parts[2] + "'");
    by = *given;
  }
  if (powers && *low <= 0) return wrong("a range by powers begins above 0");
  double count = powers ? std::log(*high / *low) / std::log(by) : (*high - *low) / by;
  if (count > mostRows) return wrong("has more than " + llvm::Twine(int64_t(mostRows)) + " values");
  // Computed from the index, so that errors do not add up; 1e-9 is for those in the count.
  for (int64_t i = 0; double(i) <= count + 1e-9; ++i)
    axis.values.push_back(powers ? *low * std::pow(by, double(i)) : *low + by * double(i));
  return axis;
}

size_t SweepTable::column(StringRef name) const {
  return llvm::find_if(columns, [&](const SweepColumn &column) { return column.name == name; }) - columns.begin();
}

//===--- Calculators ------------------------------------------------------===//

llvm::Expected<SweepTable> sweepFunction(llvm::ArrayRef<Machine> machines, llvm::ArrayRef<SweepAxis> axes,
                                         llvm::ArrayRef<std::string> results, const SweepFunction &function) {
  double rows = double(machines.size());
  for (const SweepAxis &axis : axes) rows *= double(axis.values.size());
  if (rows > mostRows)
    return llvm::createStringError("the ranges have " + llvm::Twine(std::to_string(int64_t(rows))) +
                                   " combinations; at most " + llvm::Twine(int64_t(mostRows)) + " are computed");
  SweepTable table;
  table.columns.push_back({"machine", true});
  for (const SweepAxis &axis : axes) table.columns.push_back({axis.name, false});
  for (const std::string &result : results) table.columns.push_back({result, false});
  table.cells.resize(size_t(rows) * table.columns.size());
  double *cell = table.cells.data();
  std::vector<size_t> at(axes.size());
  std::vector<double> values(axes.size());
  for (const Machine &machine : machines) {
    table.texts.push_back(machine.name);
    std::fill(at.begin(), at.end(), 0);
    for (bool more = true; more;) {
      *cell++ = double(table.texts.size() - 1);
      for (size_t i = 0; i < axes.size(); ++i) *cell++ = values[i] = axes[i].values[at[i]];
      function(machine, values, {cell, results.size()});
      cell += results.size();
      size_t i = axes.size();
      while (i && ++at[i - 1] == axes[i - 1].values.size()) at[--i] = 0;
      more = i > 0;
    }
  }
  return table;
}

llvm::Expected<std::vector<size_t>> placesOf(llvm::ArrayRef<SweepAxis> axes, llvm::ArrayRef<StringRef> known,
                                             StringRef what) {
  std::vector<size_t> places(known.size(), axes.size());
  for (size_t i = 0; i < axes.size(); ++i) {
    auto found = llvm::find(known, StringRef(axes[i].name));
    if (found == known.end())
      return llvm::createStringError("--range " + axes[i].name + ": " + what + " has no such range; there are " +
                                     llvm::join(known, ", "));
    if (places[found - known.begin()] != axes.size())
      return llvm::createStringError("--range " + axes[i].name + " is given twice");
    places[found - known.begin()] = i;
  }
  return places;
}

static const double unknown = std::nan("");

llvm::Expected<SweepTable> sweepTransfer(llvm::ArrayRef<Machine> machines, llvm::ArrayRef<SweepAxis> axes,
                                         Direction direction, HostMemory memory) {
  llvm::Expected<std::vector<size_t>> places = placesOf(axes, {"bytes"}, "transfer");
  if (!places) return places.takeError();
  if (axes.empty()) return llvm::createStringError("sweep transfer wants --range bytes=LO:HI");
  if (direction == Direction::Peer)
    for (const Machine &machine : machines)
      if (llvm::Error error = needPeer(machine)) return error;
  std::vector<TransferModel> models;
  llvm::copy_if(transferModels, std::back_inserter(models), [&](TransferModel model) {
    return model != TransferModel::Staged || (memory == HostMemory::Pageable && touchesHost(direction));
  });
  std::vector<std::string> results;
  for (TransferModel model : models) results.push_back(toString(model).str() + "_s");
  results.push_back("time_s");
  llvm::Expected<SweepTable> table =
      sweepFunction(machines, axes, results,
                    [&](const Machine &machine, llvm::ArrayRef<double> values, llvm::MutableArrayRef<double> out) {
                      for (auto [i, model] : llvm::enumerate(models))
                        out[i] = modelledTime(machine, model, direction, memory, values[0]).value_or(unknown);
                      out.back() = direction == Direction::OnDevice ? out[0]
                                   : direction == Direction::Peer
                                       ? peerTime(*machine.peer, values[0])
                                       : transferTime(machine.link, direction, memory, values[0]);
                    });
  if (table) table->plotted = "time_s";
  return table;
}

llvm::Expected<SweepTable> sweepOverlap(llvm::ArrayRef<Machine> machines, llvm::ArrayRef<SweepAxis> axes,
                                        const OverlapQuestion &fixed, double most) {
  llvm::Expected<std::vector<size_t>> found = placesOf(axes, {"h2d", "d2h", "kernel", "streams"}, "overlap");
  if (!found) return found.takeError();
  const std::vector<size_t> &places = *found;
  bool splitGiven = places[3] < axes.size();
  const std::vector<std::string> results = {"explicit_s", "streams_s", "best_streams",
                                            "mapped_s",   "hybrid_s",  "best_s"};
  const Machine *known = nullptr;
  OverlapDevice device;
  llvm::Expected<SweepTable> table =
      sweepFunction(machines, axes, results,
                    [&](const Machine &machine, llvm::ArrayRef<double> values, llvm::MutableArrayRef<double> out) {
                      if (known != &machine) device = overlapDeviceOf(machine);
                      known = &machine;
                      OverlapQuestion question = fixed;
                      auto take = [&](size_t place, double &value) {
                        value = places[place] < axes.size() ? values[places[place]] : value;
                      };
                      take(0, question.h2dBytes);
                      take(1, question.d2hBytes);
                      take(2, question.kernel);
                      question.mappedH2dBytes = std::max(fixed.mappedH2dBytes, question.h2dBytes);
                      question.mappedD2hBytes = std::max(fixed.mappedD2hBytes, question.d2hBytes);
                      double streams =
                          splitGiven ? values[places[3]]
                                     : bestStreams([&](double n) { return streamsTime(device, question, n); }, most);
                      out[0] = explicitTime(device, question);
                      out[1] = streamsTime(device, question, streams);
                      out[2] = streams;
                      out[3] = equationTime(6, device, question, 1);
                      out[4] = hybridTime(device, question, streams);
                      out[5] = std::min({out[0], out[1], out[3], out[4]});
                    });
  if (table) table->plotted = "best_s";
  return table;
}

llvm::Expected<SweepTable> sweepBlas(llvm::ArrayRef<Machine> machines, llvm::ArrayRef<SweepAxis> axes,
                                     StringRef routine, llvm::ArrayRef<std::string> onDevice, double beta) {
  llvm::Expected<std::vector<size_t>> found = placesOf(axes, {"m", "n", "k", "size", "tile"}, "blas");
  if (!found) return found.takeError();
  const std::vector<size_t> &places = *found;
  if (places[4] == axes.size()) return llvm::createStringError("sweep blas wants --range tile=LO:HI");
  unsigned level = routine.ends_with("axpy") ? 1 : routine.ends_with("gemv") ? 2 : 3;
  auto dimension = [&](llvm::ArrayRef<double> values, size_t which) -> std::optional<double> {
    bool wanted = which == 1 || (which == 0 && level >= 2) || level == 3;
    size_t place = places[which] < axes.size() ? places[which] : wanted ? places[3] : axes.size();
    return place < axes.size() ? std::optional(values[place]) : std::nullopt;
  };
  auto callOf = [&](llvm::ArrayRef<double> values) {
    return blasCall(routine, dimension(values, 0), dimension(values, 1), dimension(values, 2), onDevice, beta);
  };
  std::vector<double> first;
  for (const SweepAxis &axis : axes) first.push_back(axis.values.front());
  llvm::Expected<BlasCall> tried = callOf(first);
  if (!tried) return tried.takeError();
  BlasCall call = std::move(*tried); // changed in place below: only its dimensions differ
  const std::vector<std::string> results = {"tile_time_s",     "baseline_s", "location_s",
                                            "bidirectional_s", "reuse_s",    "cso_s"};
  std::vector<double> sizes = first;
  llvm::Expected<SweepTable> table = sweepFunction(
      machines, axes, results,
      [&](const Machine &machine, llvm::ArrayRef<double> values, llvm::MutableArrayRef<double> out) {
        std::fill(out.begin(), out.end(), unknown);
        double tile = values[places[4]];
        std::vector<double> now = values.vec();
        now[places[4]] = sizes[places[4]];
        if (now != sizes) {
          sizes = now;
          call = llvm::cantFail(callOf(values), "the routine and its operands do not depend on the sizes");
        }
        if (tile > largestTile(call) || call.deviceBytes() > machine.gpu.dramBytes) return;
        TileTime time{tile, modelledTileTime(call, machine.gpu, tile)};
        TileTimes times = tileTimes(call, tileLinkOf(machine.link), time, time);
        const double all[] = {
            time.time, times.baseline, times.location, times.bidirectional, times.reuse.value_or(unknown), times.cso};
        llvm::copy(all, out.begin());
      });
  if (table) {
    table->plotted = level == 3 ? "reuse_s" : "bidirectional_s";
    table->notes.push_back("The kernel's times are a roofline in waves of thread blocks, at the machine's peaks.");
  }
  return table;
}

llvm::Error needNetworks(llvm::ArrayRef<Machine> machines) {
  for (const Machine &machine : machines)
    if (!machine.network)
      return llvm::createStringError(machine.name +
                                     ": expected a part network, which messages between nodes need, found none");
  return llvm::Error::success();
}

llvm::Expected<SweepTable> sweepMessages(llvm::ArrayRef<Machine> machines, llvm::ArrayRef<SweepAxis> axes,
                                         PutOrGet operation, PipelinedUnit unit) {
  llvm::Expected<std::vector<size_t>> found =
      placesOf(axes, {"bytes", "comm-share", "launch", "compute-speedup"}, "comm");
  if (!found) return found.takeError();
  const std::vector<size_t> &places = *found;
  if (places[0] == axes.size()) return llvm::createStringError("sweep comm wants --range bytes=LO:HI");
  if (llvm::Error error = needNetworks(machines)) return error;
  const std::vector<std::string> results = {
      "put_host_s",     "put_device_s",   "get_host_s",       "get_device_s",       "speedup_host",
      "speedup_device", "speedup_scaled", "pipelined_host_s", "pipelined_device_s", "speedup_pipelined"};
  llvm::Expected<SweepTable> table =
      sweepFunction(machines, axes, results,
                    [&](const Machine &machine, llvm::ArrayRef<double> values, llvm::MutableArrayRef<double> out) {
                      const Network &network = *machine.network;
                      WholePort port;
                      port.launch = network.launch;
                      port.computeSpeedup = computeRatio(machine);
                      port.unit = unit;
                      double *const members[] = {nullptr, &port.communication, &port.launch, &port.computeSpeedup};
                      for (size_t i = 1; i < places.size(); ++i)
                        *members[i] = places[i] < axes.size() ? values[places[i]] : *members[i];
                      double bytes = values[places[0]];
                      size_t i = 0;
                      for (PutOrGet one : {PutOrGet::Put, PutOrGet::Get})
                        for (Initiator initiator : {Initiator::Host, Initiator::Device})
                          out[i++] = singleTime(network, one, initiator, bytes);
                      const double ratio = messageRatio(network, port, operation, Initiator::Host, bytes);
                      out[i++] = fixedSpeedup(port, ratio);
                      out[i++] = fixedSpeedup(port, messageRatio(network, port, operation, Initiator::Device, bytes));
                      out[i++] = scaledSpeedup(port, ratio);
                      for (Initiator initiator : {Initiator::Host, Initiator::Device})
                        out[i++] = pipelinedTime(network, initiator, bytes, unit).value_or(unknown);
                      std::optional<double> pipelined =
                          pipelinedRatio(network, port, Initiator::Host, bytes, messagesOfABatch);
                      out[i++] = pipelined ? fixedSpeedup(port, *pipelined) : unknown;
                    });
  if (table) {
    table->plotted = "speedup_host";
    table->notes.push_back(("Speedups are of ports whose messages are " + toString(operation) +
                            "s; pipelined by Table II of Groves et al. " +
                            (unit == PipelinedUnit::PerByte ? "per byte." : "per message."))
                               .str());
  }
  return table;
}

} // namespace busfare::projection
