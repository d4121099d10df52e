//===- projection/Messages.cpp - Messages between GPUs of different nodes -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Messages.h"
#include <algorithm>
#include <cmath>

namespace busfare::projection {

llvm::StringRef toString(PutOrGet operation) { return operation == PutOrGet::Put ? "put" : "get"; }
llvm::StringRef toString(PipelinedUnit unit) { return unit == PipelinedUnit::PerByte ? "per-byte" : "per-message"; }
llvm::StringRef toString(Initiator initiator) { return initiator == Initiator::Host ? "host" : "device"; }

/// Equations (3) and (4), or their overlapping forms, with the given l.
static double hostEquation(const Network &network, PutOrGet operation, double latency, double bytes, bool overlap) {
  bool get = operation == PutOrGet::Get;
  double o = get ? network.hostGetOverhead : network.hostPutOverhead;
  double O = bytes * (get ? network.hostGetPerByte : network.hostPutPerByte), G = bytes / network.bandwidth;
  double fixed = 2 * latency + 4 * (o + network.gap);
  // A get has two O and two G, a put one and two: each O may hide a G, or be hidden by it.
  if (overlap) return fixed + (get ? 2 : 1) * std::max(O, G) + (get ? 0 : G);
  return fixed + (get ? 2 : 1) * O + 2 * G;
}

static double hostInitiated(const Network &network, PutOrGet operation, double latency, double bytes,
                            LargeMessages large) {
  if (large == LargeMessages::Add || bytes <= singleMessageBytes)
    return hostEquation(network, operation, latency, bytes, false);
  return std::max(hostEquation(network, operation, latency, singleMessageBytes, false),
                  hostEquation(network, operation, latency, bytes, true));
}

double singleTime(const Network &network, PutOrGet operation, Initiator initiator, double bytes, LargeMessages large) {
  if (initiator == Initiator::Host) return hostInitiated(network, operation, network.latency, bytes, large);
  double G = bytes / network.bandwidth;
  if (operation == PutOrGet::Get)
    return 2 * (network.latency + G + network.deviceGetStart) + 4 * (network.deviceGetOverhead + network.gap);
  return network.devicePutStart + 2 * (network.latency + G) + 4 * (network.devicePutOverhead + network.gap);
}

double hostToHostTime(const Network &network, PutOrGet operation, double bytes, LargeMessages large) {
  return hostInitiated(network, operation, network.hostMemoryLatency, bytes, large);
}

static std::optional<double> pipelined(const Network &network, const MaybeQuantity &factor,
                                       const MaybeQuantity &exponent, double bytes, PipelinedUnit unit) {
  if (!factor || !exponent) return std::nullopt;
  double law = bytes > 0 ? *factor * std::pow(bytes, -*exponent) : 0;
  return std::max({unit == PipelinedUnit::PerByte ? bytes * law : law, bytes / network.bandwidth, network.gap.value});
}

std::optional<double> pipelinedTime(const Network &network, Initiator initiator, double bytes, PipelinedUnit unit) {
  return initiator == Initiator::Host
             ? pipelined(network, network.hostPipelinedFactor, network.hostPipelinedExponent, bytes, unit)
             : pipelined(network, network.devicePipelinedFactor, network.devicePipelinedExponent, bytes, unit);
}

std::optional<double> pipelinedHostToHost(const Network &network, double bytes, PipelinedUnit unit) {
  return pipelined(network, network.verbsPipelinedFactor, network.verbsPipelinedExponent, bytes, unit);
}

double effectiveShare(const WholePort &port) {
  double hidden = port.communication * port.overlapped;
  return hidden < 1 ? (port.communication - hidden) / (1 - hidden) : 0;
}

double fixedSpeedup(const WholePort &port, double r) {
  double f = effectiveShare(port);
  return 1 / ((1 - f) / port.computeSpeedup + f * r);
}

double scaledSpeedup(const WholePort &port, double r) {
  double f = effectiveShare(port);
  return port.computeSpeedup / ((1 - f) + f * r);
}

double messageRatio(const Network &network, const WholePort &port, PutOrGet operation, Initiator initiator,
                    double bytes) {
  double launch = initiator == Initiator::Host ? port.launch : 0;
  return (singleTime(network, operation, initiator, bytes, port.large) + launch) /
         hostToHostTime(network, operation, bytes, port.large);
}

std::optional<double> pipelinedRatio(const Network &network, const WholePort &port, Initiator initiator, double bytes,
                                     double batch) {
  std::optional<double> gpu = pipelinedTime(network, initiator, bytes, port.unit),
                        cpu = pipelinedHostToHost(network, bytes, port.unit);
  if (!gpu || !cpu || *cpu <= 0) return std::nullopt;
  return (*gpu + (initiator == Initiator::Host ? port.launch / batch : 0)) / *cpu;
}

double computeRatio(const Machine &machine) {
  const Host &host = machine.host;
  const Gpu &gpu = machine.gpu;
  double perCycle = gpu.fp64PerCycle > 0 ? gpu.fp64PerCycle.value : gpu.fp32PerCycle / 32;
  double ofGpu = gpu.multiprocessors * gpu.clock * perCycle * 2;
  double ofHost = host.cores * host.clock * host.vectorPipes * (host.simdBytes / 8) * (1 + host.fusedMultiplyAdd);
  return ofGpu / ofHost;
}

static double timeOf(const Network &network, std::optional<Initiator> initiator, PutOrGet operation, double bytes,
                     LargeMessages large) {
  return initiator ? singleTime(network, operation, *initiator, bytes, large)
                   : hostToHostTime(network, operation, bytes, large);
}

/// A collective by one algorithm.
static MessagePrice priceOf(const Network &network, const CollectiveAlgorithm &algorithm,
                            std::optional<Initiator> initiator, LargeMessages large) {
  MessagePrice price{0, algorithm.rounds.empty() ? 0 : std::max(1.0, algorithm.combining), algorithm.messages(),
                     algorithm.bytes(), algorithm.name};
  for (const Round &round : algorithm.rounds)
    price.time += round.count * timeOf(network, initiator, PutOrGet::Put, round.bytes, large);
  return price;
}

MessagePrice priceOf(const Network &network, const CountedMessage &message, std::optional<Initiator> initiator,
                     double launch, LargeMessages large) {
  if (!message.collective)
    return {timeOf(network, initiator, message.operation, message.bytes, large), 1, 1, message.bytes, ""};
  std::optional<MessagePrice> best;
  auto all = [&](const MessagePrice &one) {
    return one.time + (initiator == Initiator::Host ? one.launches * launch : 0);
  };
  for (const CollectiveAlgorithm &algorithm : algorithmsOf(*message.collective, message.bytes, message.processes)) {
    MessagePrice price = priceOf(network, algorithm, initiator, large);
    if (!best || all(price) < all(*best)) best = std::move(price);
  }
  return best.value_or(MessagePrice());
}

std::vector<CollectiveRow> priceCollectives(const Network &network, llvm::ArrayRef<skeleton::MessageKind> kinds,
                                            llvm::ArrayRef<double> sizes, unsigned processes, const WholePort &port) {
  std::vector<CollectiveRow> rows;
  for (skeleton::MessageKind kind : kinds)
    for (double bytes : sizes)
      for (const CollectiveAlgorithm &algorithm : algorithmsOf(kind, bytes, processes)) {
        auto timed = [&](std::optional<Initiator> initiator) {
          return priceOf(network, algorithm, initiator, port.large);
        };
        MessagePrice host = timed(Initiator::Host);
        rows.push_back({skeleton::toString(kind), processes, bytes, algorithm.name, host.messages, host.launches,
                        timed(std::nullopt).time, host.time + host.launches * port.launch,
                        timed(Initiator::Device).time});
      }
  return rows;
}

double timeBetweenHosts(const Network &network, const WholePort &port, llvm::ArrayRef<CountedMessage> messages) {
  double time = 0;
  for (const CountedMessage &one : messages)
    time += one.count * priceOf(network, one, std::nullopt, 0, port.large).time;
  return time;
}

double timeBetweenDevices(const Network &network, const WholePort &port, Initiator initiator,
                          llvm::ArrayRef<CountedMessage> messages) {
  double time = 0, launch = initiator == Initiator::Host ? port.launch : 0;
  for (const CountedMessage &one : messages) {
    MessagePrice price = priceOf(network, one, initiator, port.launch, port.large);
    time += one.count * (price.time + price.launches * launch);
  }
  return time;
}

/// Likewise back to back, a launch for each batch. The rounds of a collective wait for each other: it stays what it
/// was.
static std::optional<double> pipelinedBetweenDevices(const Network &network, const WholePort &port,
                                                     llvm::ArrayRef<CountedMessage> messages, double batch) {
  double time = 0;
  for (const CountedMessage &one : messages) {
    if (one.collective) {
      time += timeBetweenDevices(network, port, Initiator::Host, one);
      continue;
    }
    std::optional<double> each = pipelinedTime(network, Initiator::Host, one.bytes, port.unit);
    if (!each) return std::nullopt;
    time += one.count * (*each + port.launch / batch);
  }
  return time;
}

/// And between hosts.
static std::optional<double> pipelinedBetweenHosts(const Network &network, const WholePort &port,
                                                   llvm::ArrayRef<CountedMessage> messages) {
  double time = 0;
  for (const CountedMessage &one : messages) {
    std::optional<double> each = one.collective ? priceOf(network, one, std::nullopt, 0, port.large).time
                                                : pipelinedHostToHost(network, one.bytes, port.unit);
    if (!each) return std::nullopt;
    time += one.count * *each;
  }
  return time;
}

/// The paper's five priorities (section VI), as far as they gain something here.
static std::vector<Priority> prioritiesOf(const Network &network, const WholePort &port, double otherLaunch,
                                          double batch, llvm::ArrayRef<CountedMessage> messages) {
  constexpr double worthwhile = 1.05;
  double before = timeBetweenHosts(network, port, messages),
         fromHost = timeBetweenDevices(network, port, Initiator::Host, messages);
  double now = fixedSpeedup(port, fromHost / before);
  std::vector<Priority> found;
  auto add = [&](unsigned number, std::string text, double after) {
    if (after > worthwhile * now) found.push_back({number, std::move(text), now, after});
  };
  add(1, "Scale the problem up with the GPU's computing, so that the messages stay what they are",
      scaledSpeedup(port, fromHost / before));
  std::vector<CountedMessage> larger = messages.vec();
  for (CountedMessage &one : larger) one.bytes *= 16;
  add(2, "Send larger messages: 16 times as large",
      fixedSpeedup(port, timeBetweenDevices(network, port, Initiator::Host, larger) /
                             timeBetweenHosts(network, port, larger)));
  // In a batch, messages cost what pipelined ones do; the CPU code keeps sending single ones.
  if (std::optional<double> time = pipelinedBetweenDevices(network, port, messages, batch))
    add(3, "Batch messages, or send them back to back", fixedSpeedup(port, *time / before));
  WholePort faster = port;
  faster.launch = otherLaunch;
  add(4, "Launch and synchronise kernels faster",
      fixedSpeedup(faster, timeBetweenDevices(network, faster, Initiator::Host, messages) / before));
  add(5, "Let the device start messages: it saves the launch of a kernel for each",
      fixedSpeedup(port, timeBetweenDevices(network, port, Initiator::Device, messages) / before));
  return found;
}

std::optional<ProgramPort> priceProgram(const Network &network, llvm::ArrayRef<CountedMessage> messages,
                                        const WholePort &port, double otherLaunch, double batch) {
  ProgramPort answer;
  answer.port = port;
  answer.otherLaunch = otherLaunch;
  answer.batch = batch;
  for (const CountedMessage &one : messages) {
    MessagePrice price = priceOf(network, one, std::nullopt, 0, port.large);
    answer.messages += one.count * price.messages;
    answer.bytes += one.count * price.bytes;
  }
  if (answer.messages <= 0) return std::nullopt;
  answer.betweenHosts = timeBetweenHosts(network, port, messages);
  answer.fromHost = timeBetweenDevices(network, port, Initiator::Host, messages);
  answer.fromDevice = timeBetweenDevices(network, port, Initiator::Device, messages);
  answer.ceiling = fixedSpeedup(port, 1);
  answer.host = fixedSpeedup(port, answer.fromHost / answer.betweenHosts);
  answer.device = fixedSpeedup(port, answer.fromDevice / answer.betweenHosts);
  answer.scaled = scaledSpeedup(port, answer.fromHost / answer.betweenHosts);
  WholePort faster = port;
  faster.launch = otherLaunch;
  answer.fastLaunch =
      fixedSpeedup(faster, timeBetweenDevices(network, faster, Initiator::Host, messages) / answer.betweenHosts);
  std::optional<double> devices = pipelinedBetweenDevices(network, port, messages, batch),
                        hosts = pipelinedBetweenHosts(network, port, messages);
  if (devices && hosts && *hosts > 0) answer.pipelined = fixedSpeedup(port, *devices / *hosts);
  answer.priorities = prioritiesOf(network, port, otherLaunch, batch, messages);
  return answer;
}

CommAnswer priceMessages(const Network &network, const std::vector<double> &sizes, const WholePort &port,
                         double otherLaunch, double batch) {
  CommAnswer answer;
  answer.port = port;
  answer.otherLaunch = otherLaunch;
  answer.batch = batch;
  answer.ceiling = fixedSpeedup(port, 1);
  WholePort faster = port;
  faster.launch = otherLaunch;
  for (double bytes : sizes)
    for (PutOrGet operation : {PutOrGet::Put, PutOrGet::Get}) {
      for (Initiator initiator : {Initiator::Host, Initiator::Device})
        answer.messages.push_back({operation, initiator, bytes,
                                   singleTime(network, operation, initiator, bytes, port.large),
                                   singleTime(network, operation, initiator, bytes, LargeMessages::Add),
                                   pipelinedTime(network, initiator, bytes, port.unit)});
      double ratio = messageRatio(network, port, operation, Initiator::Host, bytes);
      PortRow row;
      row.operation = operation;
      row.bytes = bytes;
      row.host = fixedSpeedup(port, ratio);
      row.device = fixedSpeedup(port, messageRatio(network, port, operation, Initiator::Device, bytes));
      row.scaled = scaledSpeedup(port, ratio);
      row.fastLaunch = fixedSpeedup(faster, messageRatio(network, faster, operation, Initiator::Host, bytes));
      if (std::optional<double> pipelined = pipelinedRatio(network, port, Initiator::Host, bytes, batch))
        row.pipelined = fixedSpeedup(port, *pipelined);
      answer.rows.push_back(row);
    }
  if (!sizes.empty())
    answer.priorities = prioritiesOf(network, port, otherLaunch, batch,
                                     CountedMessage{PutOrGet::Put, sizes.front(), 1, std::nullopt, 1});
  for (double bytes = 1; bytes <= 1e12 && !answer.nearCeiling; bytes *= 2)
    if (fixedSpeedup(port, messageRatio(network, port, PutOrGet::Put, Initiator::Host, bytes)) >= 0.95 * answer.ceiling)
      answer.nearCeiling = bytes;
  return answer;
}

} // namespace busfare::projection
