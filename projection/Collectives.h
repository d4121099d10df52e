//===- projection/Collectives.h - What a collective is made of ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A collective among p processes as the rounds of messages on its longest path, one
// after the other, by the algorithms that MPI libraries have for it:
//
//   broadcast       binomial tree; scatter and allgather (van de Geijn)
//   reduce          binomial tree; reduce-scatter and gather (Rabenseifner)
//   allreduce       recursive doubling; reduce-scatter and allgather (Rabenseifner); ring
//   gather scatter  binomial tree
//   allgather       recursive doubling (Bruck, unless p is a power of two); ring
//   alltoall        Bruck; pairwise exchange
//   reduce_scatter  recursive halving; pairwise exchange
//   scan            recursive doubling
//
//   allreduce of 1 MiB, p = 8:  recursive doubling 3 x 1 MiB; Rabenseifner
//   512, 256, 128 KiB and back; ring 14 x 128 KiB
//
// Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in
// MPICH", IJHPCA 19(1), 2005; Bruck et al., IEEE TPDS 8(11), 1997. Where p is no power of
// two, the processes beyond one hand what they have to others before recursive halving
// and doubling, and get the result after, as MPICH does it.
//
// An exchange counts as one message: both ways at a time. Does not handle: arithmetic of
// the combining rounds, several processes a node, networks and switches that
// combine, messages that share links, sizes that differ between processes (MPI_Gatherv),
// and segments of a message in a pipeline. A library switches by tables of its own; Messages.h
// takes the algorithm with the least time, so that more bytes are never faster.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_COLLECTIVES_H
#define BUSFARE_PROJECTION_COLLECTIVES_H

#include "skeleton/Message.h"
#include <string>
#include <vector>

namespace busfare::projection {

/// Messages of one size, one after the other.
struct Round {
  double bytes = 0, count = 1;
};

struct CollectiveAlgorithm {
  std::string name; ///< "binomial tree"
  std::vector<Round> rounds;
  double combining = 0; ///< Of the rounds, those after which data are combined.
  double messages() const;
  double bytes() const; ///< Of all rounds.
};

bool isCollective(skeleton::MessageKind kind);

/// The processes taken where nobody says how many there are.
inline constexpr unsigned assumedProcesses = 16;

/// Each with its rounds, of which one process alone has none. bytes: as skeleton::Message::bytes. Empty: no collective.
std::vector<CollectiveAlgorithm> algorithmsOf(skeleton::MessageKind kind, double bytes, unsigned processes);

} // namespace busfare::projection

#endif
