//===- projection/Overlap.h - Transfers and a kernel at the same time -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A kernel that needs B_h bytes from the host and leaves B_d to it, cut into n chunks that
// run in n streams; or reading and writing the host's memory directly; or both (van
// Werkhoven et al., equations (1) to (6) and hybrid):
//
//   explicit  h(B_h) + t + d(B_d)         copy, compute, copy
//   (1) (2)   devices whose copies wait for kernels (implicit synchronisation)
//   (3) (4)   the others, one copy engine
//   (5)       the others, two copy engines: both directions at a time
//   (6)       device-mapped host memory, no copies
//   hybrid    chunks are copied in, results are written to mapped memory
//
//   gtx-titan-pcie3, 704.6 MB in, 1057 MB out, kernel 20 ms, 42 streams, in ms:
//   explicit 162.4, (4) 142.6, (6) 83.8, hybrid 159.1
//
// (1) and (3) are for kernels that take longer than the transfers, (2) and (4) for the
// opposite; the larger of the two holds. Beside them CoCoPeLia's pipeline of chunks (its
// equations (1), (2) and (4)), in which each chunk also starts a kernel.
//
// Of what all chunks need, the first term of a chunk copied in, h(B_h/n), holds all, and of
// the rest an n-th; likewise d(B_d/n) of results that no chunk completes by itself.
//
// Does not model: copies that slow the kernel down, pageable memory.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_OVERLAP_H
#define BUSFARE_PROJECTION_OVERLAP_H

#include "projection/Link.h"
#include <array>
#include <functional>

namespace busfare::projection {

/// What one direction of the link costs a chunk.
struct OverlapWay {
  double latency = 0;          ///< Lo: s.
  double gapPerByte = 0;       ///< G alone: s/B.
  std::optional<double> gapPerByteBusy;   ///< G while copies go the other way all the time; none: from the slowdowns.
  std::optional<double> gapPerByteMapped; ///< G of copies beside mapped writes, or of those writes; none: as busy.
  double gap = 0;              ///< g: s of each further stream.
  double slowdown = 1;         ///< Of copies by copies the other way (CoCoPeLia's sl), while there are any.
};

struct OverlapDevice {
  OverlapWay in, out;
  unsigned copyEngines = 1;
  bool synchronisesImplicitly = false;
  double launch = 0; ///< s that starting one more kernel takes.
};
OverlapDevice overlapDeviceOf(const Machine &machine);

struct OverlapQuestion {
  double h2dBytes = 0, d2hBytes = 0;
  double kernel = 0; ///< s of the whole kernel, its data on the device.
  /// Bytes of every access that would cross the bus, an element read k times counted k times; as h2dBytes and d2hBytes
  /// if each element is touched once.
  double mappedH2dBytes = 0, mappedD2hBytes = 0;
  // What chunks cannot share out (brs/Chunks.h). Streams and hybrid alone ask for it.
  double h2dAhead = 0; ///< Of h2dBytes: must be there before the first chunk starts.
  double d2hBehind = 0; ///< Of d2hBytes: is complete when the last chunk has run.
  double kernelPerStream = 0; ///< s that each further stream adds to the kernel.
};

double explicitTime(const OverlapDevice &device, const OverlapQuestion &question);
/// Equation 1 to 6. Of (6), streams do not matter. A direction without bytes costs nothing.
double equationTime(unsigned number, const OverlapDevice &device, const OverlapQuestion &question, double streams);
double hybridTime(const OverlapDevice &device, const OverlapQuestion &question, double streams);

/// The equation that holds for streams on this device, by the larger of (1) and (2), or (3) and (4).
unsigned applicableEquation(const OverlapDevice &device, const OverlapQuestion &question, double streams);
double streamsTime(const OverlapDevice &device, const OverlapQuestion &question, double streams);
/// Why it is that one: what of the device, and of the times.
std::string equationReason(const OverlapDevice &device, unsigned applies);

/// Would (5) be faster than (3) and (4), the transfers of each direction h and d: (h + t)/n < h, (d + t)/n < d and
/// t < (h + d)(1 - 1/n). (The paper's section V prints the last with its sign reversed.)
bool secondEngineHelps(const OverlapDevice &device, const OverlapQuestion &question, double streams);

/// The smallest whole number from 1 to most with the least time. timeOf must be convex, as the equations are: a largest
/// of functions a/n + b*n + c.
double bestStreams(const std::function<double(double)> &timeOf, double most);
/// The paper's own formula: beyond this number more streams do not help. Nothing for (3) and (6), which have none.
std::optional<double> streamsByFormula(unsigned number, const OverlapDevice &device, const OverlapQuestion &question);

/// A pipeline of equal chunks: its stages in s, each chunk's; slowdowns of the transfers by each other.
struct Chunks {
  double in = 0, kernel = 0, out = 0;
  double slowdownIn = 1, slowdownOut = 1;
  double count = 1;
};
Chunks chunksOf(const OverlapDevice &device, const OverlapQuestion &question, double count);
double locationTime(const Chunks &chunks); ///< CoCoPeLia (2): stages overlap, transfers do not disturb each other.
double bothWaysTime(const Chunks &chunks); ///< t_over of CoCoPeLia (3): one chunk in and one out at a time.
double bidirectionalTime(const Chunks &chunks); ///< CoCoPeLia (4), BTS.

/// Bounds in s, whatever the number of streams: the roofline with the bus as one more roof.
struct OverlapBounds {
  double fullOverlap = 0; ///< Everything at a time: the slowest of kernel and bus, each direction by itself.
  double zeroOverlap = 0; ///< One after the other, starting the copies included.
  double mapped = 0; ///< No copies: the bus in place of the device's memory.
};
/// Of a kernel whose operations and DRAM traffic are known its own time is not needed.
struct Roofline {
  double flops = 0, dramBytes = 0;
};
OverlapBounds boundsOf(const Machine &machine, const OverlapQuestion &question,
                       const std::optional<Roofline> &roofline);
/// FLOP/s of the device, a fused multiply-add being two.
double peakFlops(const Gpu &gpu);
/// s of a kernel at the roofline of the device.
double rooflineTime(const Gpu &gpu, const Roofline &roofline);

struct OverlapAnswer {
  double streams = 1; ///< Of the figures below.
  double explicitCopies = 0;
  std::array<double, 6> equations{}; ///< (1) to (6).
  double hybrid = 0;
  unsigned applies = 0; ///< The equation of streams on this machine.
  std::string because; ///< Why it is that one.
  std::optional<double> withSecondEngine; ///< (5), on a device with one copy engine that a second one would help.
  std::string strategy; ///< The best: explicit, streams, mapped, hybrid.
  double bestStreams = 1, bestTime = 0;
  OverlapBounds bounds;
  double location = 0, bidirectional = 0; ///< CoCoPeLia's, as many chunks as streams.
  std::vector<std::string> notes; ///< What was assumed.
};
/// With streams: at that number. Without: at the best number for each strategy, up to most (none: assumedStreams,
/// said).
OverlapAnswer answerOverlap(const Machine &machine, const OverlapQuestion &question,
                            const std::optional<Roofline> &roofline, std::optional<double> streams,
                            std::optional<double> most);

/// Where nobody says how far the loop can be split.
inline constexpr double assumedStreams = 32;

} // namespace busfare::projection

#endif
