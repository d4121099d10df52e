//===- projection/Mapping.cpp - Which loops run as threads, and the traffic ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Mapping.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <set>

namespace busfare::projection {
using namespace skeleton;

namespace {

/// The loops below, following the one that runs most at each level.
std::vector<const Loop *> chainOf(const Loop &kernel, const Work &work) {
  std::vector<const Loop *> chain{&kernel};
  while (true) {
    const Loop *next = nullptr;
    double most = 0;
    std::vector<const Block *> blocks{&chain.back()->body};
    while (!blocks.empty()) {
      const Block *block = blocks.back();
      blocks.pop_back();
      for (const Node &node : *block) {
        if (auto *branch = std::get_if<Branch>(&node.kind)) {
          blocks.insert(blocks.end(), {&branch->then, &branch->otherwise});
        } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
          auto found = work.iterations.find(loop);
          if (found != work.iterations.end() && found->second > most) most = found->second, next = loop;
        }
      }
    }
    if (!next) return chain;
    chain.push_back(next);
  }
}

/// Does each thread write elements that no other thread touches? Then serial loops around a thread loop may run
/// inside the threads: nothing passes from one to another.
bool keepsToItself(const std::vector<const Loop *> &threadLoops, const std::vector<Reference> &references) {
  for (const Reference &written : references) {
    if (!written.writes) continue;
    if (written.indirect || written.places.size() > 1) return false;
    for (const Loop *loop : threadLoops)
      if (written.strideOf(*loop) == 0) return false;
    // Another reference must keep to the same element in each thread.
    for (const Reference &other : references)
      if (&other != &written && other.array == written.array &&
          (other.indirect || other.places.size() > 1 || other.places[0].offset != written.places[0].offset ||
           llvm::any_of(threadLoops, [&](const Loop *l) { return other.strideOf(*l) != written.strideOf(*l); })))
        return false;
  }
  return true;
}

bool isSerialBetween(const std::vector<const Loop *> &chain, const std::vector<const Loop *> &threadLoops) {
  size_t deepest = 0;
  for (size_t i = 0; i < chain.size(); ++i)
    if (llvm::is_contained(threadLoops, chain[i])) deepest = i;
  for (size_t i = 0; i < deepest; ++i)
    if (!llvm::is_contained(threadLoops, chain[i])) return true;
  return false;
}

void addShapes(Mapping mapping, const Gpu &gpu, std::vector<Mapping> &mappings) {
  for (const Loop *x : llvm::reverse(mapping.threadLoops))
    for (double size : {256.0, 128.0, 64.0}) {
      mapping.x = x;
      mapping.block.clear();
      double xTrips = 1, rest = size;
      for (size_t i = 0; i < mapping.threadLoops.size(); ++i)
        if (mapping.threadLoops[i] == x) xTrips = mapping.trips[i];
      double wide = mapping.threadLoops.size() == 1 ? size : std::min(size, double(gpu.coalescedThreads));
      mapping.block[x] = std::max(1.0, std::min(wide, std::ceil(xTrips)));
      rest = std::max(1.0, std::floor(size / mapping.block[x]));
      // What is left goes to the innermost of the others, then outwards.
      for (size_t i = mapping.threadLoops.size(); i-- > 0;)
        if (mapping.threadLoops[i] != x) {
          double take = std::max(1.0, std::min(rest, std::ceil(mapping.trips[i])));
          mapping.block[mapping.threadLoops[i]] = take;
          rest = std::max(1.0, std::floor(rest / take));
        }
      mappings.push_back(mapping);
    }
}

/// A block for each iteration around the innermost loop, which its threads share.
void addTeams(Mapping mapping, std::vector<Mapping> &mappings) {
  mapping.x = mapping.threadLoops.back();
  for (size_t i = 0; i < mapping.threadLoops.size(); ++i)
    mapping.block[mapping.threadLoops[i]] = mapping.threadLoops[i] == mapping.x ? std::ceil(mapping.trips[i]) : 1;
  for (unsigned size : {256, 128, 64}) {
    mapping.team = size;
    mappings.push_back(mapping);
  }
}

/// Do the threads of a half-warp ask for neighbouring elements, in order, from an aligned start?
struct Alignment {
  double pieces; ///< Elements of an aligned start.
  double phase;  ///< Column, modulo pieces, at which thread 0 starts: where most accesses are aligned.
};

double columnPhase(const Place &place, const Reference &reference, const Loop &x, double pieces) {
  double atFirst = place.column;
  for (size_t i = 0; i < reference.loops.size(); ++i)
    if (reference.loops[i] == &x) atFirst -= reference.strides[i] * std::floor(reference.trips[i] / 2);
  return atFirst - pieces * std::floor(atFirst / pieces);
}

Alignment alignmentOf(const std::vector<Reference> &references, const Mapping &mapping, double pieces) {
  std::map<double, double> votes;
  for (const Reference &reference : references)
    if (std::abs(reference.strideOf(*mapping.x)) == 1)
      for (const Place &place : reference.places)
        votes[columnPhase(place, reference, *mapping.x, pieces)] += place.count * reference.elementBytes;
  Alignment alignment{pieces, 0};
  double most = 0;
  for (const auto &[phase, weight] : votes)
    if (weight > most) most = weight, alignment.phase = phase;
  return alignment;
}

/// Bytes of transactions for each thread's access.
double transactionBytes(const Reference &reference, const Place &place, const Mapping &mapping,
                        const Alignment &alignment, const Gpu &gpu) {
  double alone = std::max(double(gpu.sectorBytes), reference.elementBytes);
  if (reference.indirect) return alone;
  double stride = std::abs(reference.strideOf(*mapping.x));
  double together = gpu.coalescedThreads;
  if (stride == 0) { // one element for all; what they share may also be staged, loaded side by side
    double sharers = mapping.block.at(mapping.x);
    return std::min(alone / together, std::max(reference.elementBytes / sharers, reference.elementBytes / together));
  }
  bool aligned = stride == 1 && columnPhase(place, reference, *mapping.x, alignment.pieces) == alignment.phase;
  return aligned ? reference.elementBytes : alone;
}

/// How many elements the threads before this one of a block move the reference by.
double offsetInBlock(const Reference &reference, const Mapping &mapping, double thread) {
  auto take = [&](const Loop &loop) {
    double extent = mapping.block.at(&loop), index = std::fmod(thread, extent);
    thread = std::floor(thread / extent);
    return index * reference.strideOf(loop);
  };
  double offset = take(*mapping.x);
  for (const Loop *loop : llvm::reverse(mapping.threadLoops))
    if (loop != mapping.x) offset += take(*loop);
  return offset;
}

/// Does one instruction of a warp bring at most twice the bytes that its threads ask for, whole sectors?
bool isCoalesced(const Reference &reference, const Mapping &mapping, const Gpu &gpu) {
  double sector = gpu.sectorBytes;
  if (reference.indirect) return sector <= 2 * reference.narrowestBytes;
  std::set<double> elements, sectors;
  double threads = 1;
  for (const auto &entry : mapping.block) threads *= entry.second;
  for (double thread = 0; thread < std::min<double>(gpu.warpSize, threads); ++thread) {
    double offset = offsetInBlock(reference, mapping, thread);
    if (elements.insert(offset).second)
      for (double first = std::floor(offset * reference.elementBytes / sector), piece = first;
           piece * sector < offset * reference.elementBytes + reference.narrowestBytes; ++piece)
        sectors.insert(piece);
  }
  double asked = std::ceil(double(elements.size()) * reference.narrowestBytes / sector) * sector;
  return double(sectors.size()) * sector <= 2 * asked;
}

} // namespace

std::vector<const Loop *> Mapping::apart() const {
  std::vector<const Loop *> loops = threadLoops;
  if (team) std::erase(loops, x);
  return loops;
}

double Mapping::threads() const {
  double product = team ? team : 1;
  for (size_t i = 0; i < threadLoops.size(); ++i) product *= team && threadLoops[i] == x ? 1 : trips[i];
  return product;
}

unsigned Mapping::blockThreads() const {
  if (team) return team;
  double product = 1;
  for (const auto &entry : block) product *= entry.second;
  // Whole warps are scheduled.
  return unsigned(std::ceil(product / 32) * 32);
}

double Mapping::blocks() const {
  double product = 1;
  for (size_t i = 0; i < threadLoops.size(); ++i) product *= std::ceil(trips[i] / block.at(threadLoops[i]));
  return product;
}

double Mapping::replication(const Reference &reference) const {
  double times = 1;
  for (size_t i = 0; i < threadLoops.size(); ++i)
    if (!llvm::is_contained(reference.loops, threadLoops[i]) && !(team && threadLoops[i] == x)) times *= trips[i];
  return times;
}

void joinSiblings(const KernelQuestion &q, const Work &work, std::vector<Reference> &references) {
  std::vector<const Loop *> chain = chainOf(q.loop, work);
  for (Reference &reference : references)
    for (const Loop *&loop : reference.loops) {
      if (llvm::is_contained(chain, loop) || !q.isParallel || !q.isParallel(*loop)) continue;
      auto twin = llvm::find_if(chain, [&](const Loop *c) {
        return !llvm::is_contained(reference.loops, c) && q.isParallel(*c) && c->lower == loop->lower &&
               c->upper == loop->upper && c->step == loop->step;
      });
      if (twin != chain.end()) loop = *twin;
    }
}

std::vector<Mapping> mappingsOf(const KernelQuestion &q, const Work &work, const std::vector<Reference> &references,
                                const Gpu &gpu) {
  auto withTrips = [&](std::vector<const Loop *> loops) {
    Mapping mapping;
    for (const Loop *loop : loops) {
      // Runs of the loop for each iteration of the nearest loop around it.
      double own = work.iterations.count(loop) ? work.iterations.at(loop) : 0, around = 1;
      for (const Loop *outer : chainOf(q.loop, work)) {
        if (outer == loop) break;
        around = work.iterations.at(outer);
      }
      mapping.trips.push_back(around > 0 ? std::max(1.0, own / around) : 1);
    }
    mapping.threadLoops = std::move(loops);
    return mapping;
  };
  std::vector<Mapping> mappings;
  std::vector<const Loop *> perfect = q.parallelLoops.empty() ? std::vector<const Loop *>{&q.loop} : q.parallelLoops;
  addShapes(withTrips(perfect), gpu, mappings);
  std::vector<const Loop *> chain = chainOf(q.loop, work), taken;
  if (q.addsUp && gpu.cachesGlobal > 0 && chain.size() == perfect.size() + 1 && q.addsUp(*chain.back())) {
    std::vector<const Loop *> loops = perfect;
    loops.push_back(chain.back());
    addTeams(withTrips(std::move(loops)), mappings);
  }
  for (const Loop *loop : chain) {
    if (!q.isParallel || !q.isParallel(*loop)) continue;
    taken.push_back(loop);
    if (taken.size() <= perfect.size()) continue;
    if (!isSerialBetween(chain, taken) || keepsToItself(taken, references)) addShapes(withTrips(taken), gpu, mappings);
  }
  return mappings;
}

MappingTraffic uncachedTraffic(const std::vector<Reference> &references, const Mapping &mapping, const Gpu &gpu) {
  Alignment alignment = alignmentOf(references, mapping, gpu.coalescedThreads);
  MappingTraffic traffic;
  for (const Reference &reference : references) {
    double shared = 1; // threads of a block, along other loops than x, that ask for the same element
    for (const Loop *loop : mapping.threadLoops)
      if (loop != mapping.x && !reference.dependsOn(*loop)) shared *= mapping.block.at(loop);
    for (const Place &place : reference.places) {
      double times = place.count * mapping.replication(reference) * reference.keptInRegisters(mapping.threadLoops);
      double bytes = transactionBytes(reference, place, mapping, alignment, gpu);
      traffic.coalesced &= bytes <= 2 * reference.elementBytes;
      traffic.regular = traffic.coalesced;
      traffic.dram += times * bytes * ((place.reads ? 1 / shared : 0) + (place.writes ? 1 : 0));
    }
  }
  return traffic;
}

MappingTraffic cachedTraffic(const std::vector<Reference> &references, const Mapping &mapping, const Gpu &gpu,
                             unsigned residentThreads, double blocksAtOnce) {
  MappingTraffic traffic;
  double blocks = mapping.blocks(), sector = gpu.sectorBytes;
  double blocksHere = std::max(1.0, std::floor(double(residentThreads) / mapping.blockThreads()));
  double nearCapacity = gpu.sharedBytesPerMultiprocessor / blocksHere * shareOfCapacity;
  double farCapacity = gpu.l2Bytes * shareOfCapacity;
  // A wave covers blocks along x first, then along the loops further out.
  Tile wave = mapping.block;
  double left = std::min(blocks, blocksAtOnce);
  auto widen = [&](const Loop *loop) {
    for (size_t i = 0; i < mapping.threadLoops.size(); ++i)
      if (mapping.threadLoops[i] == loop) {
        double most = std::ceil(mapping.trips[i] / wave[loop]), take = std::max(1.0, std::min(left, most));
        wave[loop] = std::min(wave[loop] * take, std::max(1.0, mapping.trips[i]));
        left = std::max(1.0, left / take);
      }
  };
  widen(mapping.x);
  for (const Loop *loop : llvm::reverse(mapping.threadLoops))
    if (loop != mapping.x) widen(loop);
  double waves = std::max(1.0, blocks / std::min(blocks, blocksAtOnce));
  for (const Reference &reference : references) {
    double directions = (reference.reads ? 1 : 0) + (reference.writes ? 1 : 0);
    Tile own = mapping.block, far = wave;
    double near = blocks * footprint(reference, own, sector, nearCapacity) * directions;
    double away = waves * footprint(reference, far, sector, farCapacity) * directions;
    traffic.l2 += near;
    traffic.dram += std::min(near, away);
    double useful = reference.indirect
                        ? reference.elementBytes
                        : footprint(reference, own, reference.elementBytes, nearCapacity) * directions * blocks;
    traffic.regular &= reference.indirect ? sector <= 2 * reference.elementBytes : near <= 2 * useful;
    traffic.coalesced &= isCoalesced(reference, mapping, gpu);
  }
  return traffic;
}

} // namespace busfare::projection
