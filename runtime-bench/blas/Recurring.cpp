//===- runtime-bench/blas/Recurring.cpp - Operands that come again --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/blas/Recurring.h"
#include <algorithm>
#include <cstdint>
#include <utility>

namespace busfare::blas {
namespace {

/// Of operands that are remembered: a factorization has a new one for each of its steps, none of which comes again.
constexpr size_t mostEntries = 256;
constexpr size_t mostLeftAlone = 1024;
/// An operand is looked at if bringing it takes so many times as long as asking about it.
constexpr double worthAsking = 4;

bool isSame(const Operand &left, const Operand &right) {
  return left.view.at == right.view.at && left.rows == right.rows && left.columns == right.columns &&
         left.view.rowStride == right.view.rowStride && left.view.columnStride == right.view.columnStride;
}

} // namespace

double Recurring::askSeconds(const Range &range) const {
  const WatchCosts costs = watch->costs();
  return costs.ask + costs.askPage * double(watch->pagesOf(range).bytes() / watch->pageBytes());
}

Recurring::Entry *Recurring::find(const Operand &operand, size_t elementBytes) {
  for (Entry &entry : entries)
    if (entry.elementBytes == elementBytes && isSame(entry.operand, operand)) return &entry;
  return nullptr;
}

void Recurring::add(const Operand &operand, size_t elementBytes) {
  if (entries.size() == mostEntries) {
    const auto oldest = std::min_element(entries.begin(), entries.end(), [](const Entry &left, const Entry &right) {
      return left.lastUse < right.lastUse;
    });
    forget(size_t(oldest - entries.begin()));
  }
  Entry entry;
  entry.operand = operand;
  entry.elementBytes = elementBytes;
  entry.range = Residents::rangeOf(operand, elementBytes);
  entry.lastUse = looks;
  entries.push_back(std::move(entry));
}

void Recurring::dropCopy(Entry &entry) {
  if (entry.isCopied) residents.changed(entry.range.from, entry.range.bytes());
  entry.isCopied = false;
}

void Recurring::forget(size_t index) {
  Entry &entry = entries[index];
  dropCopy(entry);
  // Others lose their watch on pages that they share with it. Where the memory is not what was watched, it is not ours
  // to release; nor to read.
  if (entry.isRegistered && watch->writtenIn(entry.range)) watch->release(entry.range);
  isLost(entry.range);
  entries.erase(entries.begin() + std::ptrdiff_t(index));
}

/// One for a page.
std::vector<Snapshot> Recurring::snapshotsOf(const Range &range) const {
  const Range whole = watch->wholePagesOf(range);
  std::vector<Snapshot> edges;
  auto add = [&](const char *from, const char *to) {
    if (from < to) edges.push_back({{from, to}, {from, to}});
  };
  add(range.from, std::min(range.to, whole.from));
  if (whole.from <= whole.to) add(std::max(range.from, whole.to), range.to);
  return edges;
}

std::vector<Snapshot> Recurring::edgesOf(const Operand &operand, size_t elementBytes) {
  const Entry *entry = find(operand, elementBytes);
  return entry ? entry->edges : std::vector<Snapshot>();
}

/// `written` lies in pages of an operand of the call that asks, which may be read; other pages of another operand may
/// be gone by now.
void Recurring::tell(const Range &written) {
  auto isOther = [&](const Snapshot &edge) {
    return overlap(edge.range, written) && !std::equal(edge.bytes.begin(), edge.bytes.end(), edge.range.from);
  };
  for (Entry &entry : entries) {
    if (!entry.isWatched || !overlap(written, watch->pagesOf(entry.range))) continue;
    const Range whole = watch->wholePagesOf(entry.range);
    // The edges are read after their pages were protected again: who writes them now is found the next time.
    if ((whole.bytes() > 0 && overlap(written, whole)) || std::any_of(entry.edges.begin(), entry.edges.end(), isOther))
      entry.hasChanged = true;
  }
}

void Recurring::isLost(const Range &range) {
  const Range touched = watch->pagesOf(range);
  for (Entry &entry : entries)
    if (entry.isWatched && overlap(touched, watch->pagesOf(entry.range))) entry.hasChanged = true;
}

bool Recurring::ask(const Range &range) {
  const std::optional<std::vector<Range>> written = watch->writtenIn(range);
  if (!written) isLost(range);
  else
    for (const Range &each : *written) tell(each);
  return written.has_value();
}

void Recurring::giveUp(Entry &entry) {
  watch->relax(entry.range);
  entry.isWatched = entry.hasChanged = false;
  entry.leaveAlone = entry.nextLeaveAlone;
  entry.nextLeaveAlone = std::min(2 * entry.nextLeaveAlone, mostLeftAlone);
}

void Recurring::beginToWatch(Entry &entry) {
  // Others may be watched on the same pages: what was written there is theirs to know. The edges are read last.
  const bool isRegistered = watch->watch(entry.range);
  entry.isRegistered |= isRegistered;
  if (!isRegistered || !ask(entry.range)) return giveUp(entry);
  entry.edges = snapshotsOf(entry.range);
  entry.isWatched = true;
  entry.hasChanged = false;
  entry.credit = 0;
}

Known Recurring::lookAt(Entry &entry) {
  entry.useBefore = std::exchange(entry.lastUse, looks);
  if (!entry.isWatched) {
    if (entry.leaveAlone > 0) --entry.leaveAlone;
    else beginToWatch(entry);
    return Known::Nothing;
  }
  const bool isWatchedStill = ask(entry.range);
  entry.isCopied = entry.isCopied && residents.isHere(entry.operand, entry.elementBytes);
  if (!entry.hasChanged) return entry.isCopied ? Known::Here : Known::Unchanged;
  ++entry.changes;
  ++totals.changes;
  const WatchCosts costs = watch->costs();
  const double pages = double(watch->pagesOf(entry.range).bytes() / watch->pageBytes());
  const bool hasPaid = entry.isCopied && entry.credit > costs.writePage * pages;
  dropCopy(entry);
  giveUp(entry);
  if (hasPaid && isWatchedStill) {
    // It stays long enough to be worth the faults: watched anew at once.
    entry.leaveAlone = 0;
    entry.nextLeaveAlone = 1;
    beginToWatch(entry);
  }
  return Known::Nothing;
}

std::vector<Known> Recurring::look(const Call &call, const std::vector<Where> &places) {
  ++looks;
  std::vector<Known> known(call.operands.size(), Known::Nothing);
  auto isWrittenIn = [&](const Range &range) {
    if (call.result &&
        overlap(range, {static_cast<const char *>(call.result), static_cast<const char *>(call.result) + call.bytes()}))
      return true;
    return std::any_of(call.operands.begin(), call.operands.end(), [&](const Operand &each) {
      return each.isWritten && overlap(range, Residents::rangeOf(each, call.bytes()));
    });
  };
  for (size_t i = 0; i < call.operands.size(); ++i) {
    const Operand &operand = call.operands[i];
    // Of what is aligned no element lies on two pages.
    if (places[i] != Where::Pageable || operand.isWritten || operand.rows <= 0 || operand.columns <= 0 ||
        operand.view.rowStride != 1 || reinterpret_cast<uintptr_t>(operand.view.at) % call.bytes() != 0)
      continue;
    const Range range = Residents::rangeOf(operand, call.bytes());
    const auto bytes = size_t(operand.rows * operand.columns) * call.bytes();
    if (bringSeconds(bytes) < worthAsking * askSeconds(range) || isWrittenIn(range)) continue;
    bool isSecond = false;
    for (size_t j = 0; j < i; ++j)
      if (places[j] == places[i] && isSame(call.operands[j], operand)) {
        known[i] = known[j];
        isSecond = true;
      }
    if (isSecond) continue;
    if (Entry *entry = find(operand, call.bytes())) known[i] = lookAt(*entry);
    else add(operand, call.bytes());
  }
  // Asked last: memory that is pinned now was pinned before it was protected.
  if (std::any_of(entries.begin(), entries.end(), [](const Entry &entry) { return entry.isWatched; }) &&
      watch->isPinned()) {
    wasPinned = true;
    for (Entry &entry : entries) {
      dropCopy(entry);
      if (entry.isWatched) giveUp(entry);
    }
    std::fill(known.begin(), known.end(), Known::Nothing);
  }
  return known;
}

bool Recurring::makeRoom(const Entry &entry, size_t mostBytes) {
  while (heldBytes() + entry.bytes() > mostBytes) {
    Entry *oldest = nullptr;
    for (Entry &each : entries)
      if (each.isCopied && each.lastUse < entry.useBefore && (!oldest || each.lastUse < oldest->lastUse))
        oldest = &each;
    if (!oldest) return false;
    dropCopy(*oldest);
    oldest->credit = 0;
  }
  return true;
}

std::vector<bool> Recurring::stays(const Call &call, const std::vector<Known> &known, double gain, size_t mostBytes) {
  std::vector<bool> stay(known.size(), false);
  std::vector<Entry *> concerned;
  double bytes = 0;
  for (size_t i = 0; i < known.size(); ++i) {
    Entry *entry = known[i] == Known::Nothing ? nullptr : find(call.operands[i], call.bytes());
    if (!entry || std::count(concerned.begin(), concerned.end(), entry) > 0) continue;
    concerned.push_back(entry);
    bytes += double(entry->bytes());
  }
  size_t coming = 0;
  for (Entry *entry : concerned) {
    entry->credit += gain * double(entry->bytes()) / bytes - askSeconds(entry->range);
    const bool isToCome =
        !entry->isCopied && entry->credit >= bringSeconds(entry->bytes()) && makeRoom(*entry, mostBytes - coming);
    coming += isToCome ? entry->bytes() : 0;
    for (size_t i = 0; i < known.size(); ++i)
      if (known[i] != Known::Nothing && isSame(call.operands[i], entry->operand))
        stay[i] = known[i] == Known::Here || isToCome;
  }
  return stay;
}

size_t Recurring::heldBytes() const {
  size_t held = 0;
  for (const Entry &entry : entries)
    if (entry.isCopied && residents.isHere(entry.operand, entry.elementBytes)) held += entry.bytes();
  return held;
}

void Recurring::cameIn(const Operand &operand, size_t elementBytes, bool isThere, size_t brought) {
  Entry *entry = find(operand, elementBytes);
  if (!entry) return;
  entry->isCopied = isThere;
  if (!isThere) return giveUp(*entry);
  if (brought > 0) {
    ++totals.brought;
    entry->credit = 0;
    return;
  }
  ++entry->uses;
  ++totals.uses;
  entry->saved += entry->bytes();
  totals.saved += entry->bytes();
}

void Recurring::writeReport(std::FILE *file) const {
  std::fprintf(file,
               "residency: %zu times an operand was on the device already, %zu bytes did not cross; "
               "%zu were brought to stay, %zu times one had been written\n",
               totals.uses, totals.saved, totals.brought, totals.changes);
  if (wasPinned)
    std::fprintf(file, "residency: memory of this program was pinned for a device, whose writes are not seen: "
                       "nothing stayed meanwhile\n");
  constexpr size_t most = 10;
  std::vector<const Entry *> used;
  for (const Entry &entry : entries)
    if (entry.uses > 0) used.push_back(&entry);
  std::stable_sort(used.begin(), used.end(),
                   [](const Entry *left, const Entry *right) { return left->saved > right->saved; });
  if (used.size() > most) used.resize(most);
  for (const Entry *entry : used)
    std::fprintf(file, "%8zu  uses of %lld x %lld elements at %p: %zu bytes did not cross, written %zu times\n",
                 entry->uses, static_cast<long long>(entry->operand.rows),
                 static_cast<long long>(entry->operand.columns), static_cast<const void *>(entry->range.from),
                 entry->saved, entry->changes);
}

} // namespace busfare::blas
