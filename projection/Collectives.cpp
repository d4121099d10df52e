//===- projection/Collectives.cpp - What a collective is made of ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Collectives.h"
#include <algorithm>
#include <bit>

namespace busfare::projection {

using skeleton::MessageKind;
using Rounds = std::vector<Round>;

double CollectiveAlgorithm::messages() const {
  double sum = 0;
  for (const Round &round : rounds) sum += round.count;
  return sum;
}

double CollectiveAlgorithm::bytes() const {
  double sum = 0;
  for (const Round &round : rounds) sum += round.count * round.bytes;
  return sum;
}

bool isCollective(MessageKind kind) {
  switch (kind) {
  case MessageKind::Send:
  case MessageKind::Receive:
  case MessageKind::Exchange:
  case MessageKind::Put:
  case MessageKind::Get:
  case MessageKind::Accumulate:
  case MessageKind::Wait: return false;
  case MessageKind::Broadcast:
  case MessageKind::Reduce:
  case MessageKind::AllReduce:
  case MessageKind::Gather:
  case MessageKind::AllGather:
  case MessageKind::Scatter:
  case MessageKind::AllToAll:
  case MessageKind::Scan:
  case MessageKind::ReduceScatter: return true;
  }
  return false;
}

namespace {

Rounds operator+(Rounds a, const Rounds &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// The rounds of p processes, two or more, whose blocks have `block` bytes.
class Builder {
public:
  Builder(unsigned processes, double block) : processes(processes), block(block) {}

  unsigned steps() const { return std::bit_width(processes - 1); } ///< log2 p, rounded up.
  Rounds ring() const { return {{block, double(processes - 1)}}; }

  /// What the root of a binomial tree sends or gets: the subtrees, the largest first, p - 1 blocks in all.
  Rounds tree() const {
    Rounds rounds;
    unsigned left = processes;
    for (unsigned subtree = std::bit_floor(processes - 1); subtree > 0; subtree /= 2) {
      rounds.push_back({block * (left - subtree)});
      left = subtree;
    }
    return rounds;
  }

  /// Each round doubles the blocks that a process has; of Bruck's the last brings the rest. p - 1 blocks in all.
  Rounds doubling() const {
    Rounds rounds;
    for (unsigned have = 1; have < processes; have *= 2) rounds.push_back({block * std::min(have, processes - have)});
    return rounds;
  }

  /// Bruck's exchange of all with all: in round i go the blocks whose number has bit i.
  Rounds bruck() const {
    Rounds rounds;
    for (unsigned bit = 1; bit < processes; bit *= 2) {
      unsigned blocks = 0;
      for (unsigned number = 1; number < processes; ++number) blocks += (number & bit) != 0;
      rounds.push_back({block * blocks});
    }
    return rounds;
  }

private:
  unsigned processes;
  double block;
};

/// Recursive halving or doubling wants a power of two: the others hand over what they have before.
struct PowerOfTwo {
  explicit PowerOfTwo(unsigned processes)
      : within(std::bit_floor(processes)), steps(std::bit_width(within) - 1), hasOthers(within != processes) {}
  unsigned within, steps;
  bool hasOthers;
  Rounds others(double bytes) const { return hasOthers ? Rounds{{bytes}} : Rounds(); }
};

std::vector<CollectiveAlgorithm> allReduce(unsigned p, double bytes) {
  PowerOfTwo power(p);
  Rounds before = power.others(bytes), halving = Builder(power.within, bytes / power.within).tree();
  double combining = power.steps + double(power.hasOthers);
  return {{"recursive doubling", before + Rounds{{bytes, double(power.steps)}} + before, combining},
          {"reduce-scatter and allgather",
           before + halving + Builder(power.within, bytes / power.within).doubling() + before, combining},
          {"ring", {{bytes / p, 2.0 * (p - 1)}}, double(p - 1)}};
}

std::vector<CollectiveAlgorithm> reduce(unsigned p, double bytes) {
  PowerOfTwo power(p);
  Builder parts(power.within, bytes / power.within);
  double steps = Builder(p, bytes).steps();
  return {{"binomial tree", {{bytes, steps}}, steps},
          {"reduce-scatter and gather", power.others(bytes) + parts.tree() + parts.tree(),
           power.steps + double(power.hasOthers)}};
}

std::vector<CollectiveAlgorithm> reduceScatter(unsigned p, double block) {
  PowerOfTwo power(p);
  // Within the power of two a process stands for what it took over, too.
  double each = block * p / power.within;
  return {{"recursive halving", power.others(block * p) + Builder(power.within, each).tree() + power.others(block),
           power.steps + double(power.hasOthers)},
          {"pairwise exchange", {{block, double(p - 1)}}, double(p - 1)}};
}

} // namespace

std::vector<CollectiveAlgorithm> algorithmsOf(MessageKind kind, double bytes, unsigned processes) {
  if (!isCollective(kind)) return {};
  if (processes < 2) return {{"nothing", {}, 0}};
  Builder whole(processes, bytes), parts(processes, bytes / processes);
  double steps = whole.steps();
  const char *doubling = std::has_single_bit(processes) ? "recursive doubling" : "Bruck";
  switch (kind) {
  case MessageKind::Broadcast:
    return {{"binomial tree", {{bytes, steps}}, 0}, {"scatter and allgather", parts.tree() + parts.doubling(), 0}};
  case MessageKind::Reduce: return reduce(processes, bytes);
  case MessageKind::AllReduce: return allReduce(processes, bytes);
  case MessageKind::Gather:
  case MessageKind::Scatter: return {{"binomial tree", whole.tree(), 0}};
  case MessageKind::AllGather: return {{doubling, whole.doubling(), 0}, {"ring", whole.ring(), 0}};
  case MessageKind::AllToAll: return {{"Bruck", whole.bruck(), 0}, {"pairwise exchange", whole.ring(), 0}};
  case MessageKind::Scan: return {{"recursive doubling", {{bytes, steps}}, steps}};
  case MessageKind::ReduceScatter: return reduceScatter(processes, bytes);
  default: return {};
  }
}

} // namespace busfare::projection
