//===- runtime-bench/compare/Measured.cpp - What runs of a program took -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/compare/Measured.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <algorithm>

using llvm::StringRef;

namespace busfare::bench {

double medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Seconds between two times in ns; nothing if they are none.
static std::optional<double> between(StringRef begin, StringRef end) {
  int64_t from = 0, to = 0;
  if (begin.getAsInteger(10, from) || end.getAsInteger(10, to) || to < from) return std::nullopt;
  return 1e-9 * double(to - from);
}

/// "fd00_5a1" of "__omp_offloading_fd00_5a1_step_l40".
static std::string fileIn(StringRef name) {
  if (!name.consume_front("__omp_offloading_")) return "";
  auto [device, rest] = name.split('_');
  return (device + "_" + rest.split('_').first).str();
}

llvm::Expected<TimedRun> readTimedRun(StringRef text, StringRef file) {
  TimedRun run;
  std::map<std::pair<std::string, long>, TimedKernel> kernels;
  std::map<std::pair<bool, uint64_t>, TimedCopies> copies;
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n', -1, false);
  auto wrong = [&](size_t number, StringRef expected) {
    return llvm::createStringError(file + ":" + llvm::Twine(number + 1) + ": expected " + expected + ", found '" +
                                   lines[number] + "'");
  };
  if (lines.empty()) return llvm::createStringError(file + ": is empty: the program has no target regions that ran");
  if (!lines[0].starts_with("busfare-timing 1 ")) return wrong(0, "busfare-timing 1 real|virtual");
  run.isVirtual = lines[0].ends_with(" virtual");
  for (size_t i = 1; i < lines.size(); ++i) {
    llvm::SmallVector<StringRef> words;
    lines[i].split(words, ' ');
    if (words[0] == "copy") {
      uint64_t bytes = 0;
      std::optional<double> seconds = words.size() == 5 ? between(words[3], words[4]) : std::nullopt;
      if (!seconds || (words[1] != "h2d" && words[1] != "d2h") || words[2].getAsInteger(10, bytes))
        return wrong(i, "copy h2d|d2h BYTES BEGIN END");
      TimedCopies &same = copies[{words[1] == "d2h", bytes}];
      same.toDevice = words[1] == "h2d";
      same.bytes = bytes;
      same.seconds.push_back(*seconds);
    } else if (words[0] == "kernel") {
      long line = 0;
      std::optional<double> seconds = words.size() == 5 ? between(words[3], words[4]) : std::nullopt;
      if (!seconds || words[1].getAsInteger(10, line)) return wrong(i, "kernel LINE NAME BEGIN END");
      TimedKernel &same = kernels[{fileIn(words[2]), line}];
      same.file = fileIn(words[2]);
      same.line = line;
      same.seconds.push_back(*seconds);
    } else if (words[0] == "device") {
      run.device = lines[i].drop_front(words[0].size()).trim().str();
    } else if (words[0] == "span") {
      run.span = words.size() == 2 ? between("0", words[1]) : std::nullopt;
      if (!run.span) return wrong(i, "span NANOSECONDS");
    } else {
      return wrong(i, "device, copy, kernel or span");
    }
  }
  for (auto &[key, kernel] : kernels) run.kernels.push_back(std::move(kernel));
  for (auto &[key, same] : copies) run.copies.push_back(std::move(same));
  if (run.kernels.empty() && run.copies.empty())
    return llvm::createStringError(file +
                                   ": nothing ran on a device: is the program a port, and was its device there?");
  if (!run.span) return llvm::createStringError(file + ": the last line, span, is missing: the program did not end");
  return run;
}

bool isHostDevice(const TimedRun &run) { return StringRef(run.device).starts_with("generic"); }

llvm::Expected<HostRun> readHostRun(StringRef text, StringRef file) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) return llvm::createStringError(file + ": not JSON: " + llvm::toString(value.takeError()));
  const llvm::json::Object *object = value->getAsObject();
  const llvm::json::Array *regions = object ? object->getArray("regions") : nullptr;
  if (!regions || object->getString("output") != "profile")
    return llvm::createStringError(file + ": expected what `busfare measure --format json` writes");
  HostRun run;
  for (const llvm::json::Value &each : *regions) {
    const llvm::json::Object *region = each.getAsObject();
    std::optional<StringRef> id = region ? region->getString("id") : std::nullopt;
    std::optional<double> seconds = region ? region->getNumber("seconds") : std::nullopt,
                          entries = region ? region->getNumber("entries") : std::nullopt;
    if (!id || !seconds || !entries)
      return llvm::createStringError(file + ": regions: expected id, seconds and entries");
    if (*entries > 0) run.regions[id->str()] = *seconds / *entries;
  }
  return run;
}

} // namespace busfare::bench
