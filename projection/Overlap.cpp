//===- projection/Overlap.cpp - Transfers and a kernel at the same time ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Overlap.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cassert>
#include <cmath>

namespace busfare::projection {

static OverlapWay wayOf(const Link &link, Direction direction) {
  bool in = direction == Direction::ToDevice;
  LogGP form = logGP(link, direction, HostMemory::Pinned);
  OverlapWay way;
  way.latency = form.latency;
  way.gapPerByte = form.gapPerByte;
  way.gap = form.gap;
  way.slowdown = (in ? link.slowdownH2d : link.slowdownD2h).value().value_or(1);
  way.gapPerByteBusy = (in ? link.explicitH2dBusy : link.explicitD2hBusy).value();
  way.gapPerByteMapped = (in ? link.mappedH2dBusy : link.mappedD2hBusy).value();
  return way;
}

OverlapDevice overlapDeviceOf(const Machine &machine) {
  OverlapDevice device;
  device.in = wayOf(machine.link, Direction::ToDevice);
  device.out = wayOf(machine.link, Direction::ToHost);
  device.copyEngines = unsigned(machine.gpu.copyEngines);
  device.synchronisesImplicitly = machine.gpu.implicitSynchronisation.value().value_or(0) != 0;
  device.launch = machine.gpu.launchLatency;
  return device;
}

//===--- van Werkhoven's equations ----------------------------------------===//

namespace {

/// The terms that the equations share.
struct Terms {
  double in, inChunk, inGaps;    ///< h(B_h), h(B_h/n), g_hd*(n-1)
  double out, outChunk, outGaps; ///< d(B_d), d(B_d/n), g_dh*(n-1)
  double kernel, kernelChunk;
};

double copyTime(const OverlapWay &way, double gapPerByte, double bytes) {
  return bytes > 0 ? way.latency + bytes * gapPerByte : 0;
}

/// G of both directions.
struct PerByte {
  double in, out;
};

PerByte alone(const OverlapDevice &device) { return {device.in.gapPerByte, device.out.gapPerByte}; }

/// While both directions have something to copy. Without a measured G the one that is done first takes the other's
/// slowdown away with it (CoCoPeLia (3)).
PerByte bothWays(const OverlapDevice &device, const OverlapQuestion &q) {
  PerByte result = alone(device);
  if (q.h2dBytes <= 0 || q.d2hBytes <= 0) return result;
  Chunks all{q.h2dBytes * result.in, 0, q.d2hBytes * result.out, device.in.slowdown, device.out.slowdown, 1};
  double over = bothWaysTime(all);
  result = {std::min(result.in * device.in.slowdown, over / q.h2dBytes),
            std::min(result.out * device.out.slowdown, over / q.d2hBytes)};
  return {device.in.gapPerByteBusy.value_or(result.in), device.out.gapPerByteBusy.value_or(result.out)};
}

/// Of (5): two engines meet on the link.
PerByte perByteOfStreams(const OverlapDevice &device, const OverlapQuestion &q) {
  return device.copyEngines >= 2 ? bothWays(device, q) : alone(device);
}

Terms termsOf(const OverlapDevice &device, const PerByte &g, const OverlapQuestion &q, double n) {
  auto gaps = [&](const OverlapWay &way, double bytes) { return bytes > 0 ? way.gap * (n - 1) : 0; };
  auto part = [&](double bytes, double whole) { return whole + (bytes - whole) / n; };
  double kernel = q.kernel + q.kernelPerStream * (n - 1);
  return {copyTime(device.in, g.in, q.h2dBytes),
          copyTime(device.in, g.in, part(q.h2dBytes, q.h2dAhead)),
          gaps(device.in, q.h2dBytes),
          copyTime(device.out, g.out, q.d2hBytes),
          copyTime(device.out, g.out, part(q.d2hBytes, q.d2hBehind)),
          gaps(device.out, q.d2hBytes),
          kernel,
          kernel / n};
}

double twoEngines(const Terms &t) {
  return std::max({t.in + t.inGaps + t.kernelChunk + t.outChunk, t.inChunk + t.kernel + t.outChunk,
                   t.inChunk + t.kernelChunk + t.out + t.outGaps});
}

double mappedTime(const OverlapDevice &device, const OverlapQuestion &q) {
  const OverlapWay &in = device.in, &out = device.out;
  double inLatency = q.mappedH2dBytes > 0 ? in.latency : 0, outLatency = q.mappedD2hBytes > 0 ? out.latency : 0;
  return std::max({copyTime(in, in.gapPerByte, q.mappedH2dBytes) + outLatency, inLatency + q.kernel + outLatency,
                   inLatency + copyTime(out, out.gapPerByte, q.mappedD2hBytes)});
}

} // namespace

double explicitTime(const OverlapDevice &device, const OverlapQuestion &q) {
  return copyTime(device.in, device.in.gapPerByte, q.h2dBytes) + q.kernel +
         copyTime(device.out, device.out.gapPerByte, q.d2hBytes);
}

double equationTime(unsigned number, const OverlapDevice &device, const OverlapQuestion &q, double n) {
  assert(number >= 1 && number <= 6 && n >= 1 && "there are six equations, of one stream or more");
  if (number == 6) return mappedTime(device, q);
  Terms t = termsOf(device, number == 5 ? perByteOfStreams(device, q) : alone(device), q, n);
  switch (number) {
  case 1: return t.inChunk + t.kernel + t.out + t.outGaps;
  case 2: return t.in + t.inGaps + t.kernelChunk + t.out + t.outGaps;
  case 3: return t.inChunk + t.kernel + t.outChunk;
  case 4:
    return std::max({t.in + t.inGaps + t.out + t.outGaps, t.in + t.inGaps + t.kernelChunk + t.outChunk,
                     t.inChunk + t.kernelChunk + t.out + t.outGaps});
  default: return twoEngines(t);
  }
}

double hybridTime(const OverlapDevice &device, const OverlapQuestion &q, double n) {
  PerByte g = bothWays(device, q);
  return twoEngines(
      termsOf(device, {device.in.gapPerByteMapped.value_or(g.in), device.out.gapPerByteMapped.value_or(g.out)}, q, n));
}

unsigned applicableEquation(const OverlapDevice &device, const OverlapQuestion &q, double n) {
  if (device.copyEngines >= 2 && !device.synchronisesImplicitly) return 5;
  unsigned first = device.synchronisesImplicitly ? 1 : 3;
  return equationTime(first, device, q, n) > equationTime(first + 1, device, q, n) ? first : first + 1;
}

double streamsTime(const OverlapDevice &device, const OverlapQuestion &q, double n) {
  return equationTime(applicableEquation(device, q, n), device, q, n);
}

double bestStreams(const std::function<double(double)> &timeOf, double most) {
  // The first n from which one more stream does not help; convexity makes every later one useless too.
  double low = 1, high = std::max(1.0, std::floor(most));
  while (low < high) {
    double middle = std::floor((low + high) / 2);
    if (timeOf(middle + 1) < timeOf(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

std::optional<double> streamsByFormula(unsigned number, const OverlapDevice &device, const OverlapQuestion &q) {
  const OverlapWay &in = device.in, &out = device.out;
  PerByte perByte = number == 5 ? perByteOfStreams(device, q) : alone(device);
  double h = q.h2dBytes * perByte.in, d = q.d2hBytes * perByte.out;
  switch (number) {
  case 1: return std::sqrt(h / out.gap);
  case 2: return std::sqrt(q.kernel / (in.gap + out.gap));
  case 4: {
    double a = h > d ? d : h, g = h > d ? out.gap : in.gap;
    return std::ceil((g - a + std::sqrt((a + g) * (a + g) + 4 * g * q.kernel)) / (2 * g));
  }
  case 5: return h > d ? std::sqrt((d + q.kernel) / in.gap) : std::sqrt((h + q.kernel) / out.gap);
  default: return std::nullopt;
  }
}

//===--- CoCoPeLia's pipeline ---------------------------------------------===//

Chunks chunksOf(const OverlapDevice &device, const OverlapQuestion &q, double count) {
  Chunks chunks;
  chunks.in = copyTime(device.in, device.in.gapPerByte, q.h2dBytes / count);
  chunks.out = copyTime(device.out, device.out.gapPerByte, q.d2hBytes / count);
  chunks.kernel = q.kernel / count + (count > 1 ? device.launch : 0);
  chunks.slowdownIn = device.in.slowdown;
  chunks.slowdownOut = device.out.slowdown;
  chunks.count = count;
  return chunks;
}

double locationTime(const Chunks &c) {
  return std::max({c.kernel, c.in, c.out}) * (c.count - 1) + c.in + c.kernel + c.out;
}

double bothWaysTime(const Chunks &c) {
  double in = c.in * c.slowdownIn, out = c.out * c.slowdownOut;
  return in >= out ? out + (in - out) / c.slowdownIn : in + (out - in) / c.slowdownOut;
}

double bidirectionalTime(const Chunks &c) {
  return std::max(c.kernel, bothWaysTime(c)) * (c.count - 1) + c.in + c.kernel + c.out;
}

//===--- Roofline ---------------------------------------------------------===//

double peakFlops(const Gpu &gpu) {
  // Without double precision units it is computed as if in software.
  double perCycle = gpu.fp64PerCycle > 0 ? gpu.fp64PerCycle : gpu.fp32PerCycle / 32;
  return 2 * perCycle * gpu.multiprocessors * gpu.clock;
}

double rooflineTime(const Gpu &gpu, const Roofline &roofline) {
  return std::max(roofline.flops / peakFlops(gpu),
                  roofline.dramBytes / gpu.peakDramBandwidth.value().value_or(gpu.dramBandwidth));
}

OverlapBounds boundsOf(const Machine &machine, const OverlapQuestion &q, const std::optional<Roofline> &roofline) {
  OverlapDevice device = overlapDeviceOf(machine);
  double kernel = roofline ? std::max(q.kernel, rooflineTime(machine.gpu, *roofline)) : q.kernel;
  double in = q.h2dBytes * device.in.gapPerByte, out = q.d2hBytes * device.out.gapPerByte;
  OverlapBounds bounds;
  // Both directions at a time, also with one copy engine: mapped memory needs none.
  bounds.fullOverlap = std::max({kernel, in, out});
  OverlapQuestion atRoof = q;
  atRoof.kernel = kernel;
  bounds.zeroOverlap = explicitTime(device, atRoof);
  double mapped = std::max(q.mappedH2dBytes * device.in.gapPerByte, q.mappedD2hBytes * device.out.gapPerByte);
  // Operational intensity counts the kernel's own traffic, and all of it crosses the bus.
  bounds.mapped =
      roofline
          ? std::max({roofline->flops / peakFlops(machine.gpu), roofline->dramBytes * device.in.gapPerByte, mapped})
          : std::max(kernel, mapped);
  return bounds;
}

//===--- The answer -------------------------------------------------------===//

std::string equationReason(const OverlapDevice &device, unsigned applies) {
  std::string engines =
      device.copyEngines == 1 ? "1 copy engine" : std::to_string(device.copyEngines) + " copy engines";
  if (applies == 5)
    return engines + ", and copies do not wait for kernels of other streams: both directions and the kernel overlap";
  bool kernelDominates = applies % 2 == 1;
  return (device.synchronisesImplicitly
              ? "copies to the host wait for the kernels of all streams (implicit synchronisation)"
              : engines + ", and copies do not wait for kernels of other streams") +
         (kernelDominates ? "; the kernel takes longer than what overlaps it"
                          : "; the transfers take longer than the kernel");
}

bool secondEngineHelps(const OverlapDevice &device, const OverlapQuestion &q, double n) {
  double h = q.h2dBytes > 0 ? device.in.latency + q.h2dBytes * device.in.gapPerByte : 0;
  double d = q.d2hBytes > 0 ? device.out.latency + q.d2hBytes * device.out.gapPerByte : 0, t = q.kernel;
  return (h + t) / n < h && (d + t) / n < d && t < (h + d) * (1 - 1 / n);
}

static void addNotes(const Machine &machine, const OverlapQuestion &q, bool assumesStreams, OverlapAnswer &answer) {
  if (assumesStreams)
    answer.notes.push_back(llvm::formatv("at most {0} streams are tried: how far the loop can be split is not given",
                                         unsigned(assumedStreams))
                               .str());
  if (q.mappedH2dBytes == q.h2dBytes && q.mappedD2hBytes == q.d2hBytes)
    answer.notes.push_back(
        "mapped memory: each element is taken to cross once; one that k threads read crosses k times");
  for (const Gap &gap : gapsOf(machine)) {
    bool matters = llvm::StringRef(gap.key).starts_with("link.gap_") ||
                   llvm::StringRef(gap.key).starts_with("link.slowdown_") || gap.key == "gpu.implicit_synchronisation";
    bool isSaid =
        gap.key.find("slowdown") != std::string::npos &&
        (gap.key.find("h2d") != std::string::npos ? machine.link.explicitH2dBusy : machine.link.explicitD2hBusy).known;
    if (matters && !isSaid) answer.notes.push_back(gap.key + " is not known: " + gap.consequence);
  }
}

OverlapAnswer answerOverlap(const Machine &machine, const OverlapQuestion &question,
                            const std::optional<Roofline> &roofline, std::optional<double> streams,
                            std::optional<double> most) {
  OverlapDevice device = overlapDeviceOf(machine);
  auto streamed = [&](double n) { return streamsTime(device, question, n); };
  auto hybrid = [&](double n) { return hybridTime(device, question, n); };
  double limit = most.value_or(assumedStreams);
  double forStreams = streams ? *streams : bestStreams(streamed, limit),
         forHybrid = streams ? *streams : bestStreams(hybrid, limit);
  OverlapAnswer answer;
  answer.streams = forStreams;
  answer.explicitCopies = explicitTime(device, question);
  for (unsigned number = 1; number <= 6; ++number)
    answer.equations[number - 1] = equationTime(number, device, question, forStreams);
  answer.hybrid = hybrid(forStreams);
  answer.applies = applicableEquation(device, question, forStreams);
  answer.because = equationReason(device, answer.applies);
  if (device.copyEngines == 1 && !device.synchronisesImplicitly && secondEngineHelps(device, question, forStreams))
    answer.withSecondEngine = answer.equations[4];
  answer.strategy = "explicit";
  answer.bestTime = answer.explicitCopies;
  auto consider = [&](const char *strategy, double n, double time) {
    if (time < answer.bestTime) answer.strategy = strategy, answer.bestStreams = n, answer.bestTime = time;
  };
  consider("streams", forStreams, streamed(forStreams));
  consider("mapped", 1, answer.equations[5]);
  consider("hybrid", forHybrid, hybrid(forHybrid));
  answer.bounds = boundsOf(machine, question, roofline);
  Chunks chunks = chunksOf(device, question, forStreams);
  answer.location = locationTime(chunks);
  answer.bidirectional = bidirectionalTime(chunks);
  addNotes(machine, question, !streams && !most, answer);
  return answer;
}

} // namespace busfare::projection
