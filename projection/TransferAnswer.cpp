//===- projection/TransferAnswer.cpp - Transfers of given sizes -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/TransferAnswer.h"
#include "projection/Peer.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::projection {

llvm::StringRef memoryOf(const TransferRow &row) {
  return touchesHost(row.direction) ? toString(row.memory) : "device";
}

static TransferRow rowOf(const Machine &machine, double bytes, Direction direction, HostMemory memory) {
  TransferRow row{bytes, direction, memory, {}, 0, false};
  for (TransferModel model : transferModels)
    if (std::optional<double> time = modelledTime(machine, model, direction, memory, bytes))
      row.times.emplace_back(model, *time);
  if (direction == Direction::Peer) {
    row.isPiecewise = !machine.peer->measured.empty();
    row.projected = peerTime(*machine.peer, bytes);
    return row;
  }
  const TransferCurve *curve = findCurve(machine.link, direction, memory);
  row.isPiecewise = curve != nullptr;
  if (direction != Direction::OnDevice) row.projected = transferTime(machine.link, direction, memory, bytes);
  else if (curve)
    row.projected =
        timeOnCurve(curve->rising, bytes, *modelledTime(machine, TransferModel::Linear, direction, memory, 0));
  else row.projected = *modelledTime(machine, TransferModel::Linear, direction, memory, bytes);
  return row;
}

static const MaybeQuantity &slowdownOf(const Machine &machine, Direction direction) {
  return direction == Direction::Peer       ? machine.peer->slowdown
         : direction == Direction::ToDevice ? machine.link.slowdownH2d
                                            : machine.link.slowdownD2h;
}

/// Both directions at a time.
static TransferRow busyRowOf(const Machine &machine, double bytes, Direction direction, HostMemory memory) {
  TransferRow row{bytes, direction, memory, {}, 0, false};
  const MaybeQuantity &slowdown = slowdownOf(machine, direction);
  if (slowdown)
    row.times.emplace_back(TransferModel::Linear,
                           *slowdown * *modelledTime(machine, TransferModel::Linear, direction, memory, bytes));
  if (direction == Direction::Peer) {
    row.isPiecewise = !machine.peer->measured.empty();
    row.projected = busyPeerTime(*machine.peer, bytes);
    return row;
  }
  row.isPiecewise = findCurve(machine.link, direction, memory, true) || findCurve(machine.link, direction, memory);
  row.projected = busyTransferTime(machine.link, direction, memory, bytes);
  return row;
}

static void addUnavailable(const Machine &machine, const TransferQuestion &question, TransferAnswer &answer) {
  for (Direction direction : question.directions)
    for (TransferModel model : transferModels) {
      std::string because = whyNot(machine, model, direction);
      if (question.whileReverseBusy && model != TransferModel::Linear) because = "it knows of one direction at a time";
      else if (question.whileReverseBusy && !slowdownOf(machine, direction))
        because = direction == Direction::Peer ? std::string("peer.slowdown is not known")
                                               : ("link.slowdown_" + toString(direction) + " is not known").str();
      if (!because.empty()) answer.unavailable.push_back({model, direction, because});
    }
}

TransferAnswer answerTransfers(const Machine &machine, const TransferQuestion &question) {
  TransferAnswer answer{machine.name, machine.description, question.whileReverseBusy, {}, {}, {}};
  bool busy = question.whileReverseBusy;
  bool both = !busy && llvm::is_contained(question.memories, HostMemory::Pinned) &&
              llvm::is_contained(question.memories, HostMemory::Pageable);
  for (double bytes : question.sizes)
    for (Direction direction : question.directions) {
      bool ofHost = touchesHost(direction);
      for (HostMemory memory : ofHost ? question.memories : std::vector{HostMemory::Pinned})
        answer.rows.push_back((busy ? busyRowOf : rowOf)(machine, bytes, direction, memory));
      if (both && ofHost) answer.pinning.push_back({bytes, direction, pinningPays(machine, direction, bytes)});
    }
  addUnavailable(machine, question, answer);
  return answer;
}

} // namespace busfare::projection
