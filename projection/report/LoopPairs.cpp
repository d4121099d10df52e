//===- projection/report/LoopPairs.cpp - The same loop in two reports -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/LoopPairs.h"
#include "projection/report/PlanText.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <set>
#include <tuple>

namespace busfare::projection {

namespace {

/// The loops of one function of one file, by their numbers.
struct LoopsOfFunction {
  std::string file, function;
  std::vector<size_t> loops;
};

struct Letter {
  std::string index;
  unsigned depth;
  bool parallel; ///< Decides only between loops that fit otherwise.
  auto operator<=>(const Letter &) const = default;
};

bool fits(const Letter &a, const Letter &b) { return a.index == b.index && a.depth == b.depth; }

std::vector<LoopsOfFunction> grouped(llvm::ArrayRef<LoopSummary> loops) {
  std::map<std::pair<std::string, std::string>, std::vector<size_t>> groups;
  for (size_t i = 0; i < loops.size(); ++i) groups[{loops[i].location.file.str(), loops[i].function}].push_back(i);
  std::vector<LoopsOfFunction> result;
  for (auto &[name, numbers] : groups) {
    // A report may have them in another order than the file.
    llvm::stable_sort(numbers, [&](size_t a, size_t b) {
      return std::pair(loops[a].location.line, loops[a].location.column) <
             std::pair(loops[b].location.line, loops[b].location.column);
    });
    result.push_back({name.first, name.second, std::move(numbers)});
  }
  return result;
}

using Pairs = std::vector<std::pair<size_t, size_t>>;

/// What an alignment is worth: how many loops fit, then how many of those have the same verdict.
using Worth = uint64_t;
constexpr Worth oneThatFits = Worth(1) << 32;
Worth worthOf(const Letter &a, const Letter &b) { return oneThatFits + (a.parallel == b.parallel ? 1 : 0); }

/// The alignment of two texts that is worth most, as places in them. Of several the choice depends on the letters
/// alone, not on which text is which. Beyond four million comparisons: what the texts begin and end with in common.
Pairs alignedPlaces(const std::vector<Letter> &a, const std::vector<Letter> &b) {
  Pairs pairs;
  size_t first = 0, behindA = a.size(), behindB = b.size();
  for (; first < behindA && first < behindB && a[first] == b[first]; ++first) pairs.emplace_back(first, first);
  Pairs ends;
  for (; behindA > first && behindB > first && a[behindA - 1] == b[behindB - 1]; --behindA, --behindB)
    ends.emplace_back(behindA - 1, behindB - 1);
  const size_t height = behindA - first, width = behindB - first;
  constexpr size_t mostCells = 4'000'000;
  if (height > 0 && width > 0 && height <= mostCells / width) {
    std::vector<Worth> cells((height + 1) * (width + 1)); // [i, j]: of what begins there
    auto cell = [&](size_t i, size_t j) -> Worth & { return cells[i * (width + 1) + j]; };
    auto paired = [&](size_t i, size_t j) {
      const Letter &left = a[first + i], &right = b[first + j];
      return fits(left, right) ? worthOf(left, right) + cell(i + 1, j + 1) : 0;
    };
    for (size_t i = height; i-- > 0;)
      for (size_t j = width; j-- > 0;) cell(i, j) = std::max({paired(i, j), cell(i + 1, j), cell(i, j + 1)});
    for (size_t i = 0, j = 0; i < height && j < width;) {
      const Worth withoutLeft = cell(i + 1, j), withoutRight = cell(i, j + 1);
      if (paired(i, j) == cell(i, j) && cell(i, j) > 0) pairs.emplace_back(first + i++, first + j++);
      else if (withoutLeft != withoutRight ? withoutLeft > withoutRight : a[first + i] < b[first + j]) ++i;
      else ++j;
    }
  }
  pairs.insert(pairs.end(), ends.rbegin(), ends.rend());
  return pairs;
}

/// Also what lies between two places that fit, if it looks the same but for the indices' names.
Pairs withRenamed(Pairs pairs, const std::vector<Letter> &a, const std::vector<Letter> &b) {
  Pairs all;
  size_t i = 0, j = 0;
  pairs.emplace_back(a.size(), b.size());
  for (const auto &[nextI, nextJ] : pairs) {
    if (nextI - i == nextJ - j)
      for (size_t k = 0; i + k < nextI; ++k)
        if (a[i + k].depth == b[j + k].depth) all.emplace_back(i + k, j + k);
    if (nextI < a.size()) all.emplace_back(nextI, nextJ);
    i = nextI + 1;
    j = nextJ + 1;
  }
  return all;
}

std::vector<Letter> lettersOf(llvm::ArrayRef<LoopSummary> loops, const LoopsOfFunction &function) {
  std::vector<Letter> letters;
  for (size_t number : function.loops)
    letters.push_back({spelled(loops[number].index).str(), loops[number].depth, loops[number].parallel});
  return letters;
}

std::set<std::string> filesOf(const std::vector<LoopsOfFunction> &functions) {
  std::set<std::string> files;
  for (const LoopsOfFunction &one : functions) files.insert(one.file);
  return files;
}

} // namespace

Pairing<LoopSummary> pairLoops(llvm::ArrayRef<LoopSummary> before, llvm::ArrayRef<LoopSummary> after) {
  const std::vector<LoopsOfFunction> old = grouped(before), now = grouped(after);
  Pairing<LoopsOfFunction> functions(old, now);
  functions.by([](const LoopsOfFunction &one, bool) { return std::optional(keyOf({one.file, one.function})); });

  // Functions that moved: the most alike first. Of two that are as alike, those that are nearer to the beginning on
  // both sides.
  const std::set<std::string> oldFiles = filesOf(old), newFiles = filesOf(now);
  std::vector<std::tuple<double, size_t, size_t>> alike; // how unlike, and which
  for (size_t i = 0; i < old.size(); ++i)
    for (size_t j = 0; j < now.size(); ++j) {
      if (functions.newOf(i) || functions.oldOf(j) || old[i].function != now[j].function) continue;
      // Every program has a main: another file's is another one, unless the file was renamed.
      if (old[i].function == "main" && (newFiles.count(old[i].file) || oldFiles.count(now[j].file))) continue;
      const size_t fit = alignedPlaces(lettersOf(before, old[i]), lettersOf(after, now[j])).size();
      const size_t longer = std::max(old[i].loops.size(), now[j].loops.size());
      if (2 * fit >= longer) alike.emplace_back(-double(fit) / double(longer), i, j);
    }
  llvm::stable_sort(alike, [](const auto &a, const auto &b) {
    return std::pair(std::get<0>(a), std::get<1>(a) + std::get<2>(a)) <
           std::pair(std::get<0>(b), std::get<1>(b) + std::get<2>(b));
  });
  for (const auto &[unlike, i, j] : alike)
    if (!functions.newOf(i) && !functions.oldOf(j)) functions.pair(i, j);

  Pairing<LoopSummary> result(before, after);
  for (size_t i = 0; i < old.size(); ++i)
    if (std::optional<size_t> j = functions.newOf(i)) {
      const std::vector<Letter> a = lettersOf(before, old[i]), b = lettersOf(after, now[*j]);
      for (const auto &[left, right] : withRenamed(alignedPlaces(a, b), a, b))
        result.pair(old[i].loops[left], now[*j].loops[right]);
    }
  return result;
}

} // namespace busfare::projection
