//===- projection/TransferAnswer.cpp - Transfers of given sizes -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/TransferAnswer.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::projection {

llvm::StringRef memoryOf(const TransferRow &row) {
  return row.direction == Direction::OnDevice ? "device" : toString(row.memory);
}

static TransferRow rowOf(const Machine &machine, double bytes, Direction direction, HostMemory memory) {
  TransferRow row{bytes, direction, memory, {}, 0, false};
  for (TransferModel model : transferModels)
    if (std::optional<double> time = modelledTime(machine, model, direction, memory, bytes))
      row.times.emplace_back(model, *time);
  const TransferCurve *curve = findCurve(machine.link, direction, memory);
  row.isPiecewise = curve != nullptr;
  if (direction != Direction::OnDevice) row.projected = transferTime(machine.link, direction, memory, bytes);
  else if (curve)
    row.projected =
        timeOnCurve(curve->rising, bytes, *modelledTime(machine, TransferModel::Linear, direction, memory, 0));
  else row.projected = *modelledTime(machine, TransferModel::Linear, direction, memory, bytes);
  return row;
}

/// Both directions at a time.
static TransferRow busyRowOf(const Machine &machine, double bytes, Direction direction, HostMemory memory) {
  TransferRow row{bytes, direction, memory, {}, 0, false};
  const MaybeQuantity &slowdown =
      direction == Direction::ToDevice ? machine.link.slowdownH2d : machine.link.slowdownD2h;
  if (slowdown)
    row.times.emplace_back(TransferModel::Linear,
                           *slowdown * *modelledTime(machine, TransferModel::Linear, direction, memory, bytes));
  row.isPiecewise = findCurve(machine.link, direction, memory, true) || findCurve(machine.link, direction, memory);
  row.projected = busyTransferTime(machine.link, direction, memory, bytes);
  return row;
}

static void addUnavailable(const Machine &machine, const TransferQuestion &question, TransferAnswer &answer) {
  for (Direction direction : question.directions)
    for (TransferModel model : transferModels) {
      std::string because = whyNot(machine, model, direction);
      if (question.whileReverseBusy && model != TransferModel::Linear) because = "it knows of one direction at a time";
      else if (question.whileReverseBusy &&
               !(direction == Direction::ToDevice ? machine.link.slowdownH2d : machine.link.slowdownD2h))
        because = ("link.slowdown_" + toString(direction) + " is not known").str();
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
      bool onDevice = direction == Direction::OnDevice;
      for (HostMemory memory : onDevice ? std::vector{HostMemory::Pinned} : question.memories)
        answer.rows.push_back((busy ? busyRowOf : rowOf)(machine, bytes, direction, memory));
      if (both && !onDevice) answer.pinning.push_back({bytes, direction, pinningPays(machine, direction, bytes)});
    }
  addUnavailable(machine, question, answer);
  return answer;
}

} // namespace busfare::projection
