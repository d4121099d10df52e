//===- projection/papers/Groves.cpp - Groves' messages and whole ports ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Groves et al., "Performance Trade-offs in GPU Communication": the 8-byte figures of
// its equations, and the landmarks of its section VI, on the machine file of Summit.
// Above 8 KiB those landmarks follow from equations (1) to (4) as they stand, O and G
// added up; below they do not depend on it.
//
//===----------------------------------------------------------------------===//

#include "projection/Messages.h"
#include "projection/Papers.h"
#include <algorithm>

namespace busfare::projection {

static const char machineName[] = "summit-v100-nvlink2";

/// Section VI: 25 % communication, 2 against 10 TFLOP/s.
static WholePort publishedPort(double launch) {
  WholePort port;
  port.communication = 0.25;
  port.computeSpeedup = 5;
  port.launch = launch;
  port.large = LargeMessages::Add;
  return port;
}

static double speedup(const Network &network, const WholePort &port, PutOrGet operation, Initiator initiator,
                      double bytes) {
  return fixedSpeedup(port, messageRatio(network, port, operation, initiator, bytes));
}

/// The first size, by 1 %, from which on the port is no slower than the CPU code.
static double worthFrom(const Network &network, const WholePort &port, PutOrGet operation) {
  double bytes = 1;
  while (bytes < 1e9 && speedup(network, port, operation, Initiator::Host, bytes) < 1) bytes *= 1.01;
  return bytes;
}

static void addMessages(const Network &network, PaperTable &table) {
  struct Figure {
    PutOrGet operation;
    Initiator initiator;
    double time;
  };
  for (const Figure &each : {Figure{PutOrGet::Put, Initiator::Host, 1997.9},
                             {PutOrGet::Get, Initiator::Host, 2070.4},
                             {PutOrGet::Put, Initiator::Device, 6337.3},
                             {PutOrGet::Get, Initiator::Device, 11169.3}})
    table.claim((toString(each.initiator) + "-initiated " + toString(each.operation) + " of 8 B, from Table I").str(),
                "ns", each.time, 1e9 * singleTime(network, each.operation, each.initiator, 8), printed(1));
  double put = singleTime(network, PutOrGet::Put, Initiator::Host, 8),
         get = singleTime(network, PutOrGet::Get, Initiator::Host, 8);
  table.claim("host-initiated put of 8 B: within 3.5 % of get", "%", 3.5, 100 * (get / put - 1), {0, 0.2});
  double devicePut = singleTime(network, PutOrGet::Put, Initiator::Device, 8),
         deviceGet = singleTime(network, PutOrGet::Get, Initiator::Device, 8);
  table.claim("share of S in a device-initiated get", "%", 82, 100 * 2 * network.deviceGetStart / deviceGet, {0, 0.5});
  table.show("share of S in a device-initiated put", "%", 72, 100 * network.devicePutStart / devicePut,
             "Table I says 4380 of 6337 ns");
  table.show("S of the text", "us", 4.6, 1e6 * network.devicePutStart, "Table I has 4.38 for put and 4.57 for get");
  table.show("O of a put, as in the text", "ns/B", 0.74, 1e9 * network.hostPutPerByte,
             "Table I has a tenth of it; the text's would be nine times the wire's");
}

static void addPorts(const Network &network, PaperTable &table) {
  WholePort now = publishedPort(5e-6), then = publishedPort(2e-6);
  table.claim("ceiling at 25 % communication", "x", 2.5, fixedSpeedup(now, 1), printed(1));
  table.claim("8 B, launch of 5 us (\"0.8x\"), get", "x", 0.784,
              speedup(network, now, PutOrGet::Get, Initiator::Host, 8), printed(3));
  table.claim("8 B, launch of 5 us (\"0.8x\"), put", "x", 0.759,
              speedup(network, now, PutOrGet::Put, Initiator::Host, 8), printed(3));
  table.claim("8 B, launch of 2 us (\"near 1.3x\"), get", "x", 1.253,
              speedup(network, then, PutOrGet::Get, Initiator::Host, 8), printed(3));
  table.claim("8 B, launch of 2 us (\"near 1.3x\"), put", "x", 1.224,
              speedup(network, then, PutOrGet::Put, Initiator::Host, 8), printed(3));
  table.claim("near the ceiling from 1 MB on, single messages", "x", 2.47,
              speedup(network, now, PutOrGet::Get, Initiator::Host, 1e6), printed(2));
  WholePort heavy = then;
  heavy.communication = 0.8;
  table.claim("80 % communication at 2 us is worth it from", "KB", 37, worthFrom(network, heavy, PutOrGet::Get) / 1e3,
              {0.02, 0});
  heavy.large = LargeMessages::Overlap;
  table.show("the same, O and G overlapping above 8 KiB", "KB", 37, worthFrom(network, heavy, PutOrGet::Get) / 1e3,
             "the paper's Figure 10 has them added up");
  WholePort overlapped;
  overlapped.communication = 0.6;
  overlapped.overlapped = 0.5;
  table.claim("10 units, 60 % communication, half of it hidden: share", "%", 43, 100 * effectiveShare(overlapped),
              printed(0));
  table.claim("10 units, 60 % communication, half of it hidden: units", "", 7, 10 * (1 - 0.6 * 0.5), printed(0));
  auto pipelined = [&](PipelinedUnit unit) {
    WholePort port = now;
    port.unit = unit;
    std::optional<double> ratio = pipelinedRatio(network, port, Initiator::Host, 100, 10000);
    return ratio ? std::optional(fixedSpeedup(port, *ratio)) : std::nullopt;
  };
  table.claim("pipelined, 100 B: the ceiling; Table II per message", "x", 2.5, pipelined(PipelinedUnit::PerMessage),
              {0, 0.1}); // read off Figure 9
  table.show("pipelined, 100 B: the ceiling; Table II per byte", "x", 2.5, pipelined(PipelinedUnit::PerByte),
             "Figure 5 and section IV-E make Table II per byte");
}

static void addNotReproducible(const Network &network, PaperTable &table) {
  WholePort now = publishedPort(5e-6), then = publishedPort(2e-6);
  double best = 0, large = speedup(network, now, PutOrGet::Get, Initiator::Device, 1e8) /
                           speedup(network, now, PutOrGet::Get, Initiator::Host, 1e8);
  double crossing = 0, gain = 0;
  for (double bytes = 1; bytes < 1e8; bytes *= 1.05) {
    double ratio = speedup(network, now, PutOrGet::Get, Initiator::Host, bytes) /
                   speedup(network, now, PutOrGet::Get, Initiator::Device, bytes);
    best = std::max(best, ratio);
    if (crossing == 0 && ratio < 1) crossing = bytes;
    gain = std::max(gain, speedup(network, then, PutOrGet::Get, Initiator::Host, bytes) /
                              speedup(network, now, PutOrGet::Get, Initiator::Host, bytes));
  }
  const char *why = "does not follow from the published parameters";
  table.show("host against device: gain for small messages", "x", 1.26, best, why);
  table.show("host against device: up to", "KB", 512, crossing / 1e3, why);
  table.show("device against host: gain for very large messages", "x", 1.09, large, why);
  table.show("gain of a launch of 2 instead of 5 us", "x", 1.49, gain, why);
  double fixed = 0, scaled = 0;
  int count = 0;
  WholePort port = now;
  for (double bytes = 8; bytes <= 1 << 20; bytes *= 2)
    for (double share = 0.1; share < 0.95; share += 0.1, ++count) {
      port.communication = share;
      double ratio = messageRatio(network, port, PutOrGet::Get, Initiator::Host, bytes);
      fixed += fixedSpeedup(port, ratio);
      scaled += scaledSpeedup(port, ratio);
    }
  table.show("mean speedup of Figure 8, fixed problem", "x", 1.2, fixed / count,
             "which sizes and shares it averages is not said");
  table.show("mean speedup of Figure 8, scaled problem", "x", 2.6, scaled / count,
             "which sizes and shares it averages is not said");
}

PaperTable grovesRows() {
  PaperTable table("Groves");
  llvm::Expected<Machine> machine = loadMachine(machineName);
  if (!machine) {
    llvm::consumeError(machine.takeError());
    table.claim(std::string("machine file ") + machineName, "", 1, std::nullopt, {});
    return table;
  }
  if (!machine->network) {
    table.claim(std::string("part network of ") + machineName, "", 1, std::nullopt, {});
    return table;
  }
  addMessages(*machine->network, table);
  addPorts(*machine->network, table);
  addNotReproducible(*machine->network, table);
  return table;
}

} // namespace busfare::projection
