//===- test/projection/CollectivesTest.cpp - What collectives are made of -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rounds and bytes against the costs that Thakur, Rabenseifner and Gropp (IJHPCA 2005,
// sections 3 and 4) print for p processes and n bytes, and prices by Groves' messages.
//
//===----------------------------------------------------------------------===//

#include "Near.h"
#include "projection/Messages.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace busfare;
using namespace busfare::projection;
using busfare::test::relative;
using skeleton::MessageKind;

namespace {

const MessageKind kinds[] = {MessageKind::Broadcast, MessageKind::Reduce,    MessageKind::AllReduce,
                             MessageKind::Gather,    MessageKind::AllGather, MessageKind::Scatter,
                             MessageKind::AllToAll,  MessageKind::Scan,      MessageKind::ReduceScatter};

CollectiveAlgorithm one(MessageKind kind, const char *name, double bytes, unsigned processes) {
  for (CollectiveAlgorithm &algorithm : algorithmsOf(kind, bytes, processes))
    if (algorithm.name == name) return algorithm;
  ADD_FAILURE() << "no " << name;
  return {};
}

TEST(Collectives, CostsOfThePaper) {
  constexpr double n = 1024; // bytes
  for (unsigned p : {2u, 4u, 16u, 64u, 1024u}) {
    double steps = std::log2(p), rest = (p - 1.0) / p * n;
    auto expect = [&](MessageKind kind, const char *name, double bytes, double messages, double moved,
                      double combining) {
      CollectiveAlgorithm found = one(kind, name, bytes, p);
      EXPECT_EQ(found.messages(), messages) << name << " of " << p;
      EXPECT_NEAR_TO(found.bytes(), moved, relative(1e-12)) << name << " of " << p;
      EXPECT_EQ(found.combining, combining) << name << " of " << p;
    };
    expect(MessageKind::Broadcast, "binomial tree", n, steps, steps * n, 0);
    expect(MessageKind::Broadcast, "scatter and allgather", n, 2 * steps, 2 * rest, 0);
    expect(MessageKind::Reduce, "binomial tree", n, steps, steps * n, steps);
    expect(MessageKind::Reduce, "reduce-scatter and gather", n, 2 * steps, 2 * rest, steps);
    expect(MessageKind::AllReduce, "recursive doubling", n, steps, steps * n, steps);
    expect(MessageKind::AllReduce, "reduce-scatter and allgather", n, 2 * steps, 2 * rest, steps);
    expect(MessageKind::AllReduce, "ring", n, 2 * (p - 1), 2 * rest, p - 1);
    // What follows counts n / p a process: n in all.
    expect(MessageKind::Gather, "binomial tree", n / p, steps, rest, 0);
    expect(MessageKind::Scatter, "binomial tree", n / p, steps, rest, 0);
    expect(MessageKind::AllGather, "recursive doubling", n / p, steps, rest, 0);
    expect(MessageKind::AllGather, "ring", n / p, p - 1, rest, 0);
    expect(MessageKind::AllToAll, "Bruck", n / p, steps, n / 2 * steps, 0);
    expect(MessageKind::AllToAll, "pairwise exchange", n / p, p - 1, rest, 0);
    expect(MessageKind::ReduceScatter, "recursive halving", n / p, steps, rest, steps);
    expect(MessageKind::ReduceScatter, "pairwise exchange", n / p, p - 1, rest, p - 1);
    expect(MessageKind::Scan, "recursive doubling", n, steps, steps * n, steps);
  }
}

TEST(Collectives, NoPowerOfTwo) {
  // Bruck and the tree need the logarithm rounded up, and still move p - 1 blocks.
  for (unsigned p : {3u, 5u, 6u, 7u, 12u, 100u}) {
    CollectiveAlgorithm gathered = one(MessageKind::AllGather, "Bruck", 8, p),
                        tree = one(MessageKind::Gather, "binomial tree", 8, p);
    EXPECT_EQ(gathered.messages(), std::ceil(std::log2(p)));
    EXPECT_EQ(gathered.bytes(), 8 * (p - 1.0));
    EXPECT_EQ(tree.messages(), std::ceil(std::log2(p)));
    EXPECT_EQ(tree.bytes(), 8 * (p - 1.0));
  }
  // 5 processes: 4 double, the fifth hands its vector over before and gets the sum after.
  CollectiveAlgorithm doubling = one(MessageKind::AllReduce, "recursive doubling", 8, 5);
  EXPECT_EQ(doubling.messages(), 4);
  EXPECT_EQ(doubling.bytes(), 32);
  EXPECT_EQ(doubling.combining, 3);
  // 5 blocks of 8 B over 4 processes: 40 before, 20 + 10 within, 8 after.
  EXPECT_EQ(one(MessageKind::ReduceScatter, "recursive halving", 8, 5).bytes(), 78);
  // Blocks of 6 processes with bit 0, 1 and 2: {1, 3, 5}, {2, 3}, {4, 5}.
  std::vector<Round> bruck = one(MessageKind::AllToAll, "Bruck", 8, 6).rounds;
  ASSERT_EQ(bruck.size(), 3u);
  EXPECT_EQ(bruck[0].bytes, 24);
  EXPECT_EQ(bruck[1].bytes, 16);
  EXPECT_EQ(bruck[2].bytes, 16);
}

TEST(Collectives, OneProcessSendsNothing) {
  for (MessageKind kind : kinds) {
    std::vector<CollectiveAlgorithm> found = algorithmsOf(kind, 1024, 1);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].messages(), 0);
  }
  EXPECT_TRUE(algorithmsOf(MessageKind::Send, 8, 4).empty());
  EXPECT_TRUE(algorithmsOf(MessageKind::Wait, 8, 4).empty());
}

TEST(Collectives, PricesAreTheirMessages) {
  Machine summit = llvm::cantFail(loadMachine("summit-v100-nvlink2"));
  const Network &network = *summit.network;
  CountedMessage sum{PutOrGet::Put, 8, 1, MessageKind::AllReduce, 16};
  // Eight bytes: four rounds of eight bytes beat whatever has more rounds.
  MessagePrice hosts = priceOf(network, sum, std::nullopt, 5e-6),
               devices = priceOf(network, sum, Initiator::Device, 5e-6);
  EXPECT_EQ(hosts.algorithm, "recursive doubling");
  EXPECT_NEAR_TO(hosts.time, 4 * hostToHostTime(network, PutOrGet::Put, 8), relative(1e-12));
  EXPECT_NEAR_TO(devices.time, 4 * singleTime(network, PutOrGet::Put, Initiator::Device, 8), relative(1e-12));
  EXPECT_EQ(devices.launches, 4);
  // 64 MiB: bytes count, and doubling would move twice as many.
  sum.bytes = 64 << 20;
  EXPECT_EQ(priceOf(network, sum, std::nullopt, 5e-6).algorithm, "reduce-scatter and allgather");
  WholePort port;
  port.launch = 5e-6;
  sum.bytes = 8;
  sum.count = 10;
  EXPECT_NEAR_TO(timeBetweenHosts(network, port, sum), 10 * hosts.time, relative(1e-12));
  EXPECT_NEAR_TO(timeBetweenDevices(network, port, Initiator::Host, sum),
                 10 * (4 * singleTime(network, PutOrGet::Put, Initiator::Host, 8) + 4 * 5e-6), relative(1e-12));
  EXPECT_NEAR_TO(timeBetweenDevices(network, port, Initiator::Device, sum), 10 * devices.time, relative(1e-12));
}

TEST(Collectives, MoreBytesOrProcessesAreNeverFaster) {
  Machine summit = llvm::cantFail(loadMachine("summit-v100-nvlink2"));
  const Network &network = *summit.network;
  std::optional<Initiator> ways[] = {std::nullopt, Initiator::Host, Initiator::Device};
  auto timeOf = [&](double bytes, MessageKind kind, unsigned processes, std::optional<Initiator> way) {
    MessagePrice price = priceOf(network, {PutOrGet::Put, bytes, 1, kind, processes}, way, 5e-6);
    return price.time + (way == Initiator::Host ? price.launches * 5e-6 : 0);
  };
  for (MessageKind kind : kinds)
    for (std::optional<Initiator> way : ways) {
      for (unsigned processes : {2u, 5u, 16u, 100u}) {
        double before = 0;
        for (double bytes = 1; bytes < 1e9; bytes *= 1.7) {
          double now = timeOf(bytes, kind, processes, way);
          EXPECT_GE(now, before * (1 - 1e-12)) << toString(kind) << " of " << bytes << " among " << processes;
          before = now;
        }
      }
      double before = 0;
      for (unsigned processes = 1; processes <= 4096; processes *= 2) {
        double now = timeOf(4096, kind, processes, way);
        EXPECT_GE(now, before * (1 - 1e-12)) << toString(kind) << " among " << processes;
        before = now;
      }
    }
}

} // namespace
