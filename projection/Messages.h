//===- projection/Messages.h - Messages between GPUs of different nodes ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Groves et al., "Performance Trade-offs in GPU Communication": LogGOP for one-sided
// messages that the host or the device starts. For m bytes, G = m / bandwidth and O
// linear in m, l, o, g and S of the machine's network:
//
//   (1) device get = 2 (l + G + S) + 4 (o + g)
//   (2) device put = S + 2 (l + G) + 4 (o + g)
//   (3) host get   = 2 (l + O + G) + 4 (o + g)
//   (4) host put   = O + 2 (l + G) + 4 (o + g)
//
//   Summit, 8 B: host put 1.998 us, get 2.070 us; device put 6.337 us, get 11.169 us
//
// Beyond 8 KiB, O and G of a host-initiated message overlap: the larger of the two
// counts. Taken alone that would make 8193 B faster than 8192 B (a get falls from 4.48
// to 3.38 us), so such a message takes at least what one of 8 KiB does: it costs the
// same up to where the overlapping equation has caught up (15 KiB for a get).
//
// Pipelined messages follow power laws of the overhead per byte, fitted by the paper:
// max(m * factor * m^-exponent, G, g) a message. The host's law falls with m up to about
// 4 KB, as printed; it is a fit, no reason to send more bytes.
//
// Whole ports (section VI): a fraction f of the CPU's time is communication, the rest
// goes R times as fast. S = 1 / ((1 - f) / R + f r), r = (t_GPU(m) + launch) / t_CPU(m).
//
// A collective takes its rounds (Collectives.h) one after the other, by the algorithm with
// the least time; where the device combines, the host launches a kernel each time:
//
//   Summit, allreduce of 8 B among 16: 4 puts between hosts 5.99 us; between devices,
//   started by the host, 7.99 us and 4 launches
//
// Not modelled: several GPUs that share a NIC, contention.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_MESSAGES_H
#define BUSFARE_PROJECTION_MESSAGES_H

#include "projection/Collectives.h"
#include "projection/Machine.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace busfare::projection {

enum class PutOrGet { Put, Get };
enum class Initiator { Host, Device };
llvm::StringRef toString(PutOrGet operation);
llvm::StringRef toString(Initiator initiator);

/// Above this O and G of a message overlap (section IV-D).
inline constexpr double singleMessageBytes = 8192;

/// What O and G of large host-initiated messages do. The figures of section VI follow from Add.
enum class LargeMessages { Overlap, Add };
/// What the power laws of Table II are of, which the paper leaves open: its text and Figure 5 say ns per byte, as
/// measured; the landmark of 100 B in Figure 9 needs ns per message. In a machine file they are per byte.
enum class PipelinedUnit { PerByte, PerMessage };
llvm::StringRef toString(PipelinedUnit unit); ///< per-byte, per-message

/// s of one message and its answer.
double singleTime(const Network &network, PutOrGet operation, Initiator initiator, double bytes,
                  LargeMessages large = LargeMessages::Overlap);
/// s of one message between the hosts' memories, as a CPU code sends it: host-initiated, without the devices' memory.
double hostToHostTime(const Network &network, PutOrGet operation, double bytes,
                      LargeMessages large = LargeMessages::Overlap);
/// s a message of many in a row; nothing if the machine has no law for it.
std::optional<double> pipelinedTime(const Network &network, Initiator initiator, double bytes,
                                    PipelinedUnit unit = PipelinedUnit::PerByte);
/// Likewise, between hosts (verbs).
std::optional<double> pipelinedHostToHost(const Network &network, double bytes,
                                          PipelinedUnit unit = PipelinedUnit::PerByte);

/// Pipelined messages for which a port waits for one launch: so many the paper sends back to back.
inline constexpr double messagesOfABatch = 10000;

/// A CPU code that is ported as a whole.
struct WholePort {
  double communication = 0.25; ///< f, of the CPU's time.
  double overlapped = 0;       ///< Share of the communication that computing hides; changes f.
  double computeSpeedup = 5;   ///< R
  double launch = 5e-6;        ///< s, for each host-initiated message.
  LargeMessages large = LargeMessages::Overlap;
  PipelinedUnit unit = PipelinedUnit::PerByte; ///< Of the laws of pipelined messages.
};

/// f once a share of the communication is hidden: 60 % of 10 units, half of it hidden, are 3 of 7.
double effectiveShare(const WholePort &port);
/// Of the problem as it is; r is what a message takes on the GPU over what it took.
double fixedSpeedup(const WholePort &port, double r);
/// Of a problem that grows with the computing, its messages staying what they are: R / ((1 - f) + f r).
double scaledSpeedup(const WholePort &port, double r);
/// r of single messages: with the launch if the host starts them.
double messageRatio(const Network &network, const WholePort &port, PutOrGet operation, Initiator initiator,
                    double bytes);
/// r of pipelined ones, of which a batch waits for one launch.
std::optional<double> pipelinedRatio(const Network &network, const WholePort &port, Initiator initiator, double bytes,
                                     double batch);

struct Message {
  PutOrGet operation = PutOrGet::Put;
  Initiator initiator = Initiator::Host;
  double bytes = 0, single = 0;
  double added = 0; ///< Equations (1) to (4) whatever the size.
  std::optional<double> pipelined;
};

/// A whole port with one kind of message.
struct PortRow {
  PutOrGet operation = PutOrGet::Put;
  double bytes = 0;
  double host = 0, device = 0,
         scaled = 0; ///< Speedups: host-initiated, device-initiated, host-initiated on the larger problem.
  double fastLaunch = 0;                   ///< Host-initiated, with the other launch time.
  std::optional<double> pipelined;         ///< Host-initiated, in batches.
};

/// Messages of a program: so many of this size.
struct CountedMessage {
  PutOrGet operation = PutOrGet::Put;
  double bytes = 0, count = 1;
  std::optional<skeleton::MessageKind> collective; ///< It is one of these, of `bytes` as skeleton::Message has them,
  unsigned processes = 1;                          ///< among so many.
};

/// What one message, or one collective, takes.
struct MessagePrice {
  double time = 0;          ///< s, without launches.
  double launches = 1;      ///< Of kernels that it waits for, if the host starts it and buffers are on the device.
  double messages = 1;      ///< One after the other.
  double bytes = 0;         ///< Of them all.
  std::string algorithm;    ///< Of a collective.
};
/// initiator: nothing for buffers of the hosts. launch: of a collective the algorithm is that with the least time,
/// launches included.
MessagePrice priceOf(const Network &network, const CountedMessage &message, std::optional<Initiator> initiator,
                     double launch, LargeMessages large = LargeMessages::Overlap);

/// s of all of them: between hosts, as a CPU code sends them; and between devices, launches included if the host starts
/// them.
double timeBetweenHosts(const Network &network, const WholePort &port, llvm::ArrayRef<CountedMessage> messages);
double timeBetweenDevices(const Network &network, const WholePort &port, Initiator initiator,
                          llvm::ArrayRef<CountedMessage> messages);

/// One of the paper's five priorities, with what it would do here.
struct Priority {
  unsigned number = 0;
  std::string text;
  double before = 0, after = 0; ///< Speedups.
};

/// One collective by one algorithm, s.
struct CollectiveRow {
  std::string kind; ///< allreduce
  unsigned processes = 1;
  double bytes = 0;
  std::string algorithm;
  double messages = 0, launches = 0; ///< As in MessagePrice.
  double betweenHosts = 0, host = 0, device = 0; ///< Between the hosts' memories; between devices, launches included.
};
/// Every algorithm of each kind, at each size.
std::vector<CollectiveRow> priceCollectives(const Network &network, llvm::ArrayRef<skeleton::MessageKind> kinds,
                                            llvm::ArrayRef<double> sizes, unsigned processes, const WholePort &port);

struct CommAnswer {
  std::vector<Message> messages;
  std::vector<CollectiveRow> collectives;
  bool processesAssumed = false; ///< Of collectives.
  WholePort port;
  double ceiling = 0; ///< Speedup with messages that take what they took.
  double otherLaunch = 2e-6;
  double batch = messagesOfABatch;
  std::vector<PortRow> rows;
  std::vector<Priority> priorities; ///< Those that gain more than 5 % for the first size, in the paper's order.
  std::optional<double>
      nearCeiling; ///< Bytes of the smallest message (a power of two) with 95 % of the ceiling, host put.
};

CommAnswer priceMessages(const Network &network, const std::vector<double> &sizes, const WholePort &port,
                         double otherLaunch, double batch);

/// The whole port of a program with these messages; nothing if there are none.
struct ProgramPort {
  WholePort port;
  double messages = 0, bytes = 0; ///< How many, and of how many bytes, in all.
  double betweenHosts = 0, fromHost = 0, fromDevice = 0; ///< s of all of them.
  double ceiling = 0;
  double host = 0, device = 0, scaled = 0, fastLaunch = 0; ///< Speedups, as in PortRow.
  std::optional<double> pipelined;
  double otherLaunch = 2e-6, batch = messagesOfABatch;
  std::vector<Priority> priorities; ///< Those that gain more than 5 %.
};
std::optional<ProgramPort> priceProgram(const Network &network, llvm::ArrayRef<CountedMessage> messages,
                                        const WholePort &port, double otherLaunch, double batch);

/// Peak double-precision arithmetic of the GPU over that of the host.
double computeRatio(const Machine &machine);

} // namespace busfare::projection

#endif
