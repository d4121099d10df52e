//===- test/projection/MessagesTest.cpp - Messages between nodes, as Groves et al. have them ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tables I and II of Groves et al. in, their 8-byte figures and landmarks out; more
// bytes are never faster.
//
//===----------------------------------------------------------------------===//

#include "projection/Messages.h"
#include "Near.h"
#include "gtest/gtest.h"

using namespace busfare::projection;
using busfare::test::absolute;
using busfare::test::relative;

namespace {

constexpr double ns = 1e-9;

Quantity known(double value) { return {value, SourceKind::Measured, "Groves et al., Table I", false, {}}; }
MaybeQuantity maybe(double value) { return {known(value), {}}; }

Network summit() {
  Network network;
  network.name = "EDR InfiniBand";
  network.latency = known(530 * ns);
  network.hostMemoryLatency = known(280 * ns);
  network.bandwidth = known(12.5e9);
  network.gap = known(5 * ns);
  network.hostPutOverhead = known(229 * ns);
  network.hostGetOverhead = known(247 * ns);
  network.hostPutPerByte = known(0.074 * ns);
  network.hostGetPerByte = known(0.067 * ns);
  network.devicePutOverhead = known(219 * ns);
  network.deviceGetOverhead = known(237 * ns);
  network.devicePutStart = known(4380 * ns);
  network.deviceGetStart = known(4570 * ns);
  network.launch = known(5e-6);
  network.hostPipelinedFactor = maybe(624 * ns);
  network.hostPipelinedExponent = maybe(1.09);
  network.devicePipelinedFactor = maybe(1411 * ns);
  network.devicePipelinedExponent = maybe(0.781);
  network.verbsPipelinedFactor = maybe(290 * ns);
  network.verbsPipelinedExponent = maybe(1.15);
  return network;
}

TEST(Messages, EightBytes) {
  Network network = summit();
  EXPECT_NEAR_TO(singleTime(network, PutOrGet::Put, Initiator::Host, 8), 1997.872 * ns, relative(1e-9));
  EXPECT_NEAR_TO(singleTime(network, PutOrGet::Get, Initiator::Host, 8), 2070.352 * ns, relative(1e-9));
  EXPECT_NEAR_TO(singleTime(network, PutOrGet::Put, Initiator::Device, 8), 6337.28 * ns, relative(1e-9));
  EXPECT_NEAR_TO(singleTime(network, PutOrGet::Get, Initiator::Device, 8), 11169.28 * ns, relative(1e-9));
}

TEST(Messages, TheJoinAtEightKibibytes) {
  Network network = summit();
  double at = singleTime(network, PutOrGet::Get, Initiator::Host, 8192);
  EXPECT_NEAR_TO(at, 4476 * ns, absolute(1 * ns));
  // The overlapping equation alone would say 3379 ns at 8193 B.
  EXPECT_EQ(singleTime(network, PutOrGet::Get, Initiator::Host, 8193), at);
  EXPECT_EQ(singleTime(network, PutOrGet::Get, Initiator::Host, 15000), at);
  EXPECT_GT(singleTime(network, PutOrGet::Get, Initiator::Host, 15100), at);
  // Far beyond, G alone is left: 2 (l + G) + 4 (o + g).
  EXPECT_NEAR_TO(singleTime(network, PutOrGet::Get, Initiator::Host, 1e6), (2 * (530 + 80000) + 4 * 252) * ns,
                 relative(1e-12));
  EXPECT_NEAR_TO(singleTime(network, PutOrGet::Put, Initiator::Host, 1e6), (2 * (530 + 80000) + 4 * 234) * ns,
                 relative(1e-12));
}

TEST(Messages, MoreBytesAreNeverFaster) {
  Network network = summit();
  for (PutOrGet operation : {PutOrGet::Put, PutOrGet::Get})
    for (Initiator initiator : {Initiator::Host, Initiator::Device})
      for (LargeMessages large : {LargeMessages::Overlap, LargeMessages::Add}) {
        double before = 0;
        for (double bytes = 0; bytes < 1e7; bytes = bytes * 1.01 + 1) {
          double now = singleTime(network, operation, initiator, bytes, large);
          EXPECT_GE(now, before) << toString(operation).str() << " " << toString(initiator).str() << " " << bytes;
          before = now;
        }
      }
}

TEST(Messages, PipelinedLawsPerByte) {
  Network network = summit();
  EXPECT_NEAR_TO(*pipelinedTime(network, Initiator::Host, 8), 8 * 624 * std::pow(8.0, -1.09) * ns, relative(1e-12));
  EXPECT_NEAR_TO(*pipelinedTime(network, Initiator::Device, 8), 8 * 1411 * std::pow(8.0, -0.781) * ns, relative(1e-12));
  EXPECT_NEAR_TO(*pipelinedTime(network, Initiator::Host, 1e6), 80000 * ns, relative(1e-12)) << "the wire";
  EXPECT_NEAR_TO(*pipelinedTime(network, Initiator::Host, 100, PipelinedUnit::PerMessage), 8 * ns, relative(1e-12));
  EXPECT_NEAR_TO(*pipelinedTime(network, Initiator::Host, 0), 5 * ns, relative(1e-12)) << "the gap";
  network.hostPipelinedExponent = {};
  EXPECT_FALSE(pipelinedTime(network, Initiator::Host, 8));
}

TEST(Messages, OverlapChangesTheShare) {
  WholePort port;
  port.communication = 0.6;
  port.overlapped = 0.5;
  EXPECT_NEAR_TO(effectiveShare(port), 3.0 / 7, relative(1e-12));
  port.overlapped = 1;
  EXPECT_EQ(effectiveShare(port), 0);
  port.communication = 1;
  EXPECT_EQ(effectiveShare(port), 0);
}

/// Section VI: 25 % communication, five times the flops, launches of 5 and 2 us.
TEST(Messages, LandmarksOfWholePorts) {
  Network network = summit();
  WholePort port;
  EXPECT_NEAR_TO(fixedSpeedup(port, 1), 2.5, relative(1e-12));
  auto speedup = [&](PutOrGet operation) {
    return fixedSpeedup(port, messageRatio(network, port, operation, Initiator::Host, 8));
  };
  EXPECT_NEAR_TO(speedup(PutOrGet::Get), 0.784, absolute(5e-4));
  EXPECT_NEAR_TO(speedup(PutOrGet::Put), 0.759, absolute(5e-4));
  port.launch = 2e-6;
  EXPECT_NEAR_TO(speedup(PutOrGet::Get), 1.253, absolute(5e-4));
  EXPECT_NEAR_TO(speedup(PutOrGet::Put), 1.224, absolute(5e-4));
  // 80 % communication at 2 us: worth it above about 37 KB, with O and G added up as printed.
  port.communication = 0.8;
  port.large = LargeMessages::Add;
  auto large = [&](double bytes) {
    return fixedSpeedup(port, messageRatio(network, port, PutOrGet::Get, Initiator::Host, bytes));
  };
  EXPECT_LT(large(36000), 1);
  EXPECT_GT(large(38000), 1);
}

TEST(Messages, AdviceIsForThoseItHelps) {
  Network network = summit();
  WholePort port;
  CommAnswer small = priceMessages(network, {8}, port, 2e-6, 10000);
  std::vector<unsigned> numbers;
  for (const Priority &priority : small.priorities) {
    numbers.push_back(priority.number);
    EXPECT_GT(priority.after, 1.05 * priority.before);
  }
  EXPECT_EQ(numbers, (std::vector<unsigned>{1, 3, 4, 5}));
  EXPECT_EQ(small.messages.size(), 4u);
  ASSERT_TRUE(small.nearCeiling);
  EXPECT_GE(fixedSpeedup(port, messageRatio(network, port, PutOrGet::Put, Initiator::Host, *small.nearCeiling)),
            0.95 * 2.5);
  // A code that does not communicate needs no advice about it.
  port.communication = 0;
  EXPECT_TRUE(priceMessages(network, {8}, port, 2e-6, 10000).priorities.empty());
}

/// One message of 8 B is the calculator's; of a mixture the times add up, and the speedups lie between those of its
/// parts.
TEST(Messages, ProgramsAreMixtures) {
  Network network = summit();
  WholePort port;
  auto of = [&](std::vector<CountedMessage> messages) { return priceProgram(network, messages, port, 2e-6, 10000); };
  std::optional<ProgramPort> one = of({{PutOrGet::Get, 8, 3}});
  ASSERT_TRUE(one);
  EXPECT_NEAR_TO(one->host, 0.784, absolute(5e-4));
  EXPECT_NEAR_TO(one->fastLaunch, 1.253, absolute(5e-4));
  EXPECT_NEAR_TO(one->fromHost, 3 * (2070.352 * ns + 5e-6), relative(1e-9));
  EXPECT_NEAR_TO(one->fromDevice, 3 * 11169.28 * ns, relative(1e-9));
  EXPECT_NEAR_TO(one->betweenHosts, 3 * (2070.352 - 500) * ns, relative(1e-9)) << "l = 280 ns on both ways";
  EXPECT_NEAR_TO(one->ceiling, 2.5, relative(1e-12));
  std::optional<ProgramPort> large = of({{PutOrGet::Get, 1 << 20, 1}}),
                             both = of({{PutOrGet::Get, 8, 3}, {PutOrGet::Get, 1 << 20, 1}});
  EXPECT_EQ(both->messages, 4);
  EXPECT_EQ(both->bytes, 24 + (1 << 20));
  EXPECT_NEAR_TO(both->fromHost, one->fromHost + large->fromHost, relative(1e-12));
  EXPECT_GT(both->host, one->host);
  EXPECT_LT(both->host, large->host);
  std::vector<unsigned> numbers;
  for (const Priority &priority : one->priorities) numbers.push_back(priority.number);
  EXPECT_EQ(numbers, (std::vector<unsigned>{1, 3, 4})) << "a get that the device starts takes longer";
  EXPECT_FALSE(of({})) << "nothing to port";
  EXPECT_FALSE(of({{PutOrGet::Put, 8, 0}}));
}

} // namespace
