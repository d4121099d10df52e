//===- projection/report/PlanText.cpp - How data and kernel meet, in words ===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/PlanText.h"
#include "projection/report/Figures.h"
#include "projection/report/KernelText.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using llvm::StringRef;

namespace busfare::projection {

std::string sentence(std::string text) {
  if (text.empty()) return text;
  text[0] = llvm::toUpper(text[0]);
  return text + (StringRef(".!?").contains(text.back()) ? "" : ".");
}

StringRef spelled(StringRef index) {
  auto [name, number] = index.rsplit('.');
  return !number.empty() && number.find_first_not_of("0123456789") == StringRef::npos ? name : index;
}

std::string spokenCause(const CrossingReport &crossing, bool toDevice, const std::string &place) {
  std::string at = place.empty() ? "" : " at " + place;
  switch (crossing.cause) {
  case brs::Cause::Read: return at.empty() ? "" : (toDevice ? ", read" : ", needed") + at;
  case brs::Cause::Kept:
    return toDevice     ? ", as the kernels may leave some of it as it was, and it comes back"
           : at.empty() ? ""
                        : ", as the host may leave some of it as it was" + at;
  case brs::Cause::Widened: return ", so that a whole box can be copied the other way";
  case brs::Cause::Seldom: return ", the host may change it under a condition" + at;
  case brs::Cause::Pointer: return ", a pointer that may point to it is read" + at;
  case brs::Cause::Caller: return ", the caller sees it";
  case brs::Cause::Others: return ", other functions may read it";
  case brs::Cause::Unseen:
    return ", " +
           (crossing.unseen.empty() ? "opaque code (" : crossing.unseen + " (opaque" + (place.empty() ? "" : ", ")) +
           place + ") may read it";
  }
  return "";
}

llvm::StringRef wordOf(brs::Cause cause) {
  static const char *const words[] = {"read", "kept", "caller", "widened", "others", "unseen", "pointer", "seldom"};
  return words[size_t(cause)];
}

std::string spokenOccupancy(const KernelReport &kernel) {
  std::string text = "occupancy " + formatPercent(kernel.occupancy);
  if (kernel.busyMultiprocessors < kernel.multiprocessors)
    text += ", " + formatSize(uint64_t(kernel.busyMultiprocessors)) + " of " +
            formatSize(uint64_t(kernel.multiprocessors)) + " multiprocessors busy";
  return text;
}

/// "8 streams", "mapped memory", "hybrid, 42 streams in".
static std::string spokenPlan(StringRef strategy, unsigned streams) {
  if (strategy == "explicit") return "explicit copies";
  if (strategy == "mapped") return "mapped memory";
  std::string number = formatPlural(streams, "stream");
  return strategy == "streams" ? number : strategy.str() + ", " + number;
}

/// "[0:0:1] u [k-1:k:1]", iterations, as "0 and k-1 to k".
static std::string spokenIterations(StringRef section) {
  std::vector<std::string> parts;
  while (!section.empty()) {
    StringRef box;
    std::tie(box, section) = section.split(" u ");
    box.consume_front("[");
    box.consume_back("]");
    StringRef bounds = box.rsplit(':').first, step = box.rsplit(':').second;
    auto [from, to] = bounds.split(':');
    parts.push_back(from == to ? from.str()
                               : from.str() + " to " + to.str() + (step == "1" ? "" : " by " + step.str()));
  }
  return llvm::join(parts, " and ");
}

/// What the chunks of the plan wait for, and what they cannot share out. Mapped results are not copied back.
static std::string chunksStatement(const ChunksReport &chunks, bool copiesBack) {
  StringRef index = spelled(chunks.index);
  std::string own = "[" + chunks.index + ":" + chunks.index + ":1]";
  std::string text =
      "The loop over " + index.str() + " (line " + std::to_string(chunks.location.line) + ") is cut into chunks";
  for (unsigned line : chunks.behind)
    text += (line == chunks.behind.front() ? ", each of which then runs through the kernel at line " : ", ") +
            std::to_string(line);
  text += ".";
  if (chunks.needs != own)
    text += " Iteration " + index.str() + " needs the copies of " + spokenIterations(chunks.needs) + ".";
  if (copiesBack && chunks.backWaits != own && !chunks.backWaits.empty())
    text += " Its copy back waits for the kernels of " + spokenIterations(chunks.backWaits) + ".";
  for (bool in : {true, false}) {
    if (!in && !copiesBack) break;
    std::vector<std::string> names;
    for (const ChunkedArrayReport &array : chunks.arrays)
      if ((in ? array.in : array.out) == "whole") names.push_back(array.name);
    if (!names.empty())
      text += (in ? " Before the first: all of " : " After the last: all of ") + llvm::join(names, ", ") + ".";
  }
  return text;
}

/// "lines 12, 14 and 30 more".
static std::string spokenPlaces(llvm::ArrayRef<skeleton::Location> places, StringRef file) {
  constexpr size_t few = 4;
  std::vector<std::string> lines;
  for (const skeleton::Location &place : places) {
    std::string line = place.file.empty() || place.file.str() == file
                           ? std::to_string(place.line)
                           : shortFile(place.file.str(), file) + ":" + std::to_string(place.line);
    if (!llvm::is_contained(lines, line)) lines.push_back(std::move(line));
  }
  size_t more = lines.size() > few + 1 ? lines.size() - few : 0;
  lines.resize(lines.size() - more);
  return (lines.size() + more == 1 ? "line " : "lines ") + llvm::join(lines, ", ") +
         (more ? " and " + std::to_string(more) + " more" : "");
}

static std::string spokenFlip(const SizeBreakEven &flip, bool isCheaper) {
  std::string now = isCheaper == (flip.factor > 1) ? "up to " : "from ";
  std::string where = flip.value ? flip.parameter + " = " + formatSize(uint64_t(*flip.value))
                                 : formatFactor(flip.factor) + " of today's sizes";
  return "; the cheaper one " + now + where;
}

/// Who does the statements that are not the host's any more.
static std::string spokenDoer(const MixReport &mix) {
  if (mix.kind == "kernels-on-host") return " on the host: ";
  if (mix.calls.empty()) return " by one thread of the device: ";
  if (mix.calls.size() == mix.places.size()) return " by the device's library: ";
  return " by one thread of the device, calls of BLAS among them by its library: ";
}

/// The region's other divisions: what changes sides, what it costs then, and what would turn it round.
static void writeMixes(const RegionReport &region, const MachineAnswer &answer, Page &page) {
  if (answer.mixes.empty()) return;
  std::vector<std::string> lines;
  for (size_t i = 0; i < answer.mixes.size(); ++i) {
    const MixReport &mix = answer.mixes[i];
    if (i >= mixesSpokenOf && !mix.isPlan) continue;
    const bool onHost = mix.kind == "kernels-on-host", areCalls = !onHost && mix.calls.size() == mix.places.size();
    std::string text = std::string("The ") +
                       (onHost     ? "kernel"
                        : areCalls ? "call"
                                   : "statement") +
                       (mix.places.size() == 1 ? " at " : "s at ") +
                       spokenPlaces(mix.places, region.location.file.str()) + spokenDoer(mix) + formatTime(mix.time);
    uint64_t in = 0, out = 0;
    for (const MovedBytes &array : mix.arrays) in += array.h2d, out += array.d2h;
    text += " (h2d " + formatBytes(in) + ", d2h " + formatBytes(out) + ")";
    if (mix.flipsAt) text += spokenFlip(*mix.flipsAt, mix.time < answer.asDescribed);
    text += mix.isPlan ? ". This is the plan, and what its times, speedup and verdict are of" : "";
    if (!mix.calls.empty())
      text += ". busfare port does not write this: by hand, a call of cuBLAS or libbusfare-blas on what lies on the "
              "device";
    text = sentence(text);
    if (!llvm::is_contained(lines, text)) // runs of statements that begin alike
      lines.push_back(std::move(text));
  }
  std::vector<std::string> crossing;
  for (const MixReport &mix : answer.mixes)
    for (const std::string &name : mix.because)
      if (!llvm::is_contained(crossing, name)) crossing.push_back(name);
  constexpr size_t fewNames = 6;
  const size_t others = crossing.size() > fewNames + 1 ? crossing.size() - fewNames : 0;
  const bool isOne = crossing.size() == 1;
  crossing.resize(crossing.size() - others);
  std::string crosses = crossing.empty() ? ""
                                         : ", and " + llvm::join(crossing, ", ") +
                                               (others ? " and " + std::to_string(others) + " more" : "") +
                                               (isOne ? " crosses" : " cross") + " inside a loop";
  page.paragraph("With all kernels on the device and everything else on the host: " + formatTime(answer.asDescribed) +
                     crosses + ". Instead:",
                 2, 2);
  for (const std::string &line : lines) page.paragraph(line, 4, 6);
}

void writePlan(const RegionReport &region, const MachineAnswer &answer, Page &page) {
  const PlanReport &plan = answer.plan;
  page.heading("The plan");
  bool overlaps = plan.strategy != "explicit";
  std::string text = spokenPlan(plan.strategy, plan.streams) + ", " + plan.memory + " host memory";
  if (overlaps)
    text += ": " + formatTime(plan.time) + " in place of " + formatTime(plan.explicitTime) + " with explicit copies (" +
            formatFactor(answer.speedup.withExplicit) + ")";
  page.paragraph(sentence(text) + (plan.because.empty() ? "" : " " + sentence(plan.because)), 2, 2);
  if (overlaps && plan.strategy != "mapped")
    page.paragraph(chunksStatement(region.chunks, plan.strategy == "streams"), 2, 2);
  std::vector<std::string> others;
  for (const StrategyReport &other : plan.alternatives)
    if (other.whyNot.empty() && other.strategy != "explicit")
      others.push_back(spokenPlan(other.strategy, other.streams) + " " + formatTime(other.time));
    else if (!other.whyNot.empty() && overlaps)
      others.push_back("no " + (other.strategy == "streams" ? "streams" : spokenPlan(other.strategy, 1)) + ": " +
                       other.whyNot);
  if (!others.empty()) page.paragraph("Others: " + llvm::join(others, "; ") + ".", 2, 2);
  if (overlaps)
    page.paragraph("busfare port writes " + spokenPlan(plan.emitted, 1) + ", unless --plan planned asks for chunks.", 2,
                   2);
  writeMixes(region, answer, page);
  if (plan.pinning > 0 && plan.savedByPinning > 0) {
    const bool isPinned = plan.memory == "pinned";
    page.paragraph("Pinning the arrays " + std::string(isPinned ? "costs " : "would cost ") + formatTime(plan.pinning) +
                       " once" + (isPinned ? " (in the start-up) and saves" : " and save") + " explicit copies " +
                       formatTime(plan.savedByPinning) + " each time: it pays from " +
                       formatPlural(uint64_t(std::ceil(plan.pinning / plan.savedByPinning)), "run") +
                       " of the region on.",
                   2, 2);
  }
  page.line();
}

} // namespace busfare::projection
