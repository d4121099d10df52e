//===- projection/report/KernelText.cpp - The kernels, for people ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/KernelText.h"
#include "projection/report/Figures.h"
#include "projection/report/PlanText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <map>
#include <set>

using llvm::StringRef;

namespace busfare::projection {

/// Up to so many kernels each has a row, however little it does.
static constexpr size_t fewKernels = 16;
/// Of more, loops get one until what is left takes less than this share of the time.
static constexpr double shareLeft = 0.02;
static constexpr size_t mostRows = 24;

StringRef spokenLimit(StringRef limit) {
  static const std::pair<StringRef, StringRef> words[] = {
      {"dram", "device memory bandwidth"}, {"l2", "L2 bandwidth"},
      {"shared", "shared memory"},         {"fp64", "double-precision rate"},
      {"fp32", "single-precision rate"},   {"special", "special functions"},
      {"integer", "integer rate"},         {"load_store", "load/store units"},
      {"latency", "memory latency"},       {"launch", "launch overhead"},
      {"issue", "instruction rate"},       {"last_level", "last-level cache bandwidth"}};
  for (const auto &[key, word] : words)
    if (key == limit) return word;
  return limit;
}

std::string shortFile(StringRef file, StringRef beside) {
  using namespace llvm::sys::path;
  return !beside.empty() && parent_path(file) == parent_path(beside) ? filename(file).str() : file.str();
}

/// `step (jacobi.c:31)`, a call, with its place shortened like those of the region.
static std::string shortCall(StringRef call, StringRef file, StringRef regionFile) {
  const size_t at = call.rfind('('), line = call.rfind(':');
  if (at == StringRef::npos || line == StringRef::npos || line < at) return call.str();
  const StringRef place = call.slice(at + 1, line);
  return (call.take_front(at + 1) + (place == file ? "line " + call.drop_front(line + 1).str()
                                                   : shortFile(place, regionFile) + call.drop_front(line).str()))
      .str();
}

namespace {

/// Kernels of one loop.
struct LoopOfKernels {
  const KernelReport *first = nullptr;
  size_t paths = 0, onHost = 0;
  double launches = 0, time = 0;
  std::set<double> each; ///< The times of one launch.
};

std::vector<LoopOfKernels> byLoop(llvm::ArrayRef<KernelReport> kernels) {
  std::vector<LoopOfKernels> loops;
  std::map<skeleton::Location, size_t> known;
  for (const KernelReport &kernel : kernels) {
    auto [at, isNew] = known.try_emplace(kernel.location, loops.size());
    if (isNew) loops.push_back({&kernel});
    LoopOfKernels &loop = loops[at->second];
    ++loop.paths;
    loop.onHost += kernel.staysOnHost;
    loop.launches += kernel.launches;
    loop.time += kernel.launches * kernel.time;
    loop.each.insert(kernel.time);
  }
  return loops;
}

/// `a.c: lines 61 to 124 (11 loops); b.c: line 7`
std::string spokenLoops(llvm::ArrayRef<LoopOfKernels> loops, StringRef regionFile) {
  std::vector<std::pair<std::string, std::set<unsigned>>> files;
  for (const LoopOfKernels &loop : loops) {
    const std::string file = shortFile(loop.first->location.file.str(), regionFile);
    auto known = llvm::find_if(files, [&](const auto &one) { return one.first == file; });
    if (known == files.end()) known = files.insert(files.end(), {file, {}});
    known->second.insert(loop.first->location.line);
  }
  std::vector<std::string> texts;
  for (const auto &[file, lines] : files)
    texts.push_back(file + (lines.size() == 1 ? ": line " + std::to_string(*lines.begin())
                                              : ": lines " + std::to_string(*lines.begin()) + " to " +
                                                    std::to_string(*lines.rbegin()) + " (" +
                                                    formatPlural(lines.size(), "loop") + ")"));
  return llvm::join(texts, "; ");
}

void addRow(Table &table, const LoopOfKernels &loop, const RegionReport &region) {
  const KernelReport &kernel = *loop.first;
  const std::string regionFile = region.location.file.str(), file = kernel.location.file.str();
  // A long file name leaves no room for the figures: it goes to the line below.
  const std::string id = loop.paths == 1 ? kernel.id : StringRef(kernel.id).split('#').first.str();
  const bool isLong = id.size() > 24;
  const std::string each = loop.each.size() == 1 ? formatTime(kernel.time) : "<= " + formatTime(*loop.each.rbegin());
  table.row({isLong ? "line " + StringRef(id).rsplit(':').second.str() : id, formatMean(loop.launches), each,
             formatTime(loop.time), spokenLimit(kernel.limitedBy).str()});
  std::vector<std::string> parts, indices;
  if (loop.onHost == loop.paths) parts.push_back("stays on the host in the plan");
  else if (loop.onHost > 0)
    parts.push_back(std::to_string(loop.onHost) + " of " + std::to_string(loop.paths) +
                    " stay on the host in the plan");
  if (isLong && file != regionFile) parts.push_back("in " + shortFile(file, regionFile));
  for (const auto &[line, index] : kernel.parallelLoops) indices.push_back(spelled(index).str());
  if (!indices.empty()) parts.push_back("parallel over " + llvm::join(indices, ", "));
  if (kernel.blockThreads) {
    std::string shape = std::to_string(kernel.blockThreads) + " threads a block";
    if (!kernel.threadIndex.empty())
      shape += " along " + spelled(kernel.threadIndex).str() + (kernel.addsUp ? ", which add up," : "");
    parts.push_back(shape + (kernel.addsUp ? "" : ",") + (kernel.coalesced ? " coalesced" : " not coalesced"));
  }
  if (kernel.occupancy > 0) parts.push_back(spokenOccupancy(kernel));
  std::vector<std::string> calls;
  for (const std::string &call : kernel.context) calls.push_back(shortCall(call, file, regionFile));
  if (loop.paths > 1) parts.push_back("reached by " + std::to_string(loop.paths) + " call paths");
  else if (!calls.empty()) parts.push_back("reached by " + llvm::join(calls, " > "));
  if (!parts.empty()) table.note(llvm::join(parts, "; "));
}

} // namespace

void writeKernels(const RegionReport &region, const MachineAnswer &answer, Page &page) {
  if (answer.kernels.empty()) return;
  const bool areMany = answer.kernels.size() > fewKernels;
  page.heading(answer.kernels.size() == 1 ? "The kernel"
                                          : "The " + std::to_string(answer.kernels.size()) + " kernels" +
                                                (areMany ? ", most time first" : ""));
  std::vector<LoopOfKernels> loops;
  if (areMany) loops = byLoop(answer.kernels);
  else
    for (const KernelReport &kernel : answer.kernels) loops.push_back(byLoop(kernel).front());
  std::vector<LoopOfKernels> onHost;
  if (areMany) {
    auto staysAway = [](const LoopOfKernels &loop) { return loop.onHost == loop.paths; };
    llvm::copy_if(loops, std::back_inserter(onHost), staysAway);
    llvm::erase_if(loops, staysAway);
  }
  double left = 0;
  for (const LoopOfKernels &loop : loops) left += loop.time;
  const double all = left;
  size_t rows = loops.size();
  if (areMany) {
    llvm::stable_sort(loops, [](const LoopOfKernels &a, const LoopOfKernels &b) { return a.time > b.time; });
    for (rows = 0; rows < loops.size() && rows < mostRows && left > shareLeft * all; ++rows) left -= loops[rows].time;
  }
  Table table({{"at"}, {"launches", Align::Right}, {"each", Align::Right}, {"in all", Align::Right}, {"limited by"}});
  for (const LoopOfKernels &loop : llvm::ArrayRef(loops).take_front(rows)) addRow(table, loop, region);
  page.table(table);
  const llvm::ArrayRef<LoopOfKernels> others = llvm::ArrayRef(loops).drop_front(rows);
  if (!others.empty())
    page.paragraph("The other " + formatPlural(others.size(), "loop") + " take" + (others.size() == 1 ? "s " : " ") +
                       formatTime(std::max(left, 0.0)) + " in all (" +
                       formatPercent(all > 0 ? std::max(left, 0.0) / all : 0) +
                       "): " + spokenLoops(others, region.location.file.str()) + ". --format json has every kernel.",
                   2, 4);
  if (!onHost.empty())
    page.paragraph("The plan keeps on the host: " + spokenLoops(onHost, region.location.file.str()) + ".", 2, 4);
  page.line();
}

} // namespace busfare::projection
