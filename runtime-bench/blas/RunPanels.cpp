//===- runtime-bench/blas/RunPanels.cpp - A call by panels on a device ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/blas/RunPanels.h"
#include <algorithm>

namespace busfare::blas {

using projection::BlockAt;
using projection::Panel;
using projection::PanelStep;

namespace {

/// Room for a whole operand, so that the next begins where memory is best read.
size_t roomOf(const Operand &operand, size_t elementBytes) {
  return (size_t(operand.rows * operand.columns) * elementBytes + 255) / 256 * 256;
}

class Runner {
public:
  Runner(const Call &call, Device &device, Staging &staging) : call(call), device(device), staging(staging) {}
  void place(char *room, const std::vector<Where> &places);
  void bring(const Panel &panel);
  void run(const PanelStep &step);
  Event lastIn = noEvent;
  Ran ran;

private:
  struct Placed {
    View view; ///< On the device.
    bool isStaged = false;
  };
  View blockOf(const View &whole, int64_t row, int64_t column) const {
    View view = whole;
    view.at += (row * view.rowStride + column * view.columnStride) * int64_t(call.bytes());
    return view;
  }
  View deviceAt(const BlockAt &at) const { return blockOf(placed[at.operand].view, at.row, at.column); }
  void send(const Panel &panel, Event after);
  void sendBlock(const Panel &panel, Part part);

  const Call &call;
  Device &device;
  Staging &staging;
  std::vector<Placed> placed;
};

void Runner::place(char *room, const std::vector<Where> &places) {
  for (size_t i = 0; i < places.size(); ++i) {
    const Operand &operand = call.operands[i];
    if (places[i] == Where::OnDevice) {
      placed.push_back({operand.view});
      continue;
    }
    placed.push_back({{room, 1, operand.rows}, places[i] == Where::Pageable});
    room += roomOf(operand, call.bytes());
  }
}

void Runner::bring(const Panel &panel) {
  const View there = deviceAt({panel.operand, panel.row, panel.column});
  const View host = blockOf(call.operands[panel.operand].view, panel.row, panel.column);
  if (!placed[panel.operand].isStaged) device.copyIn(there, host, panel.rows, panel.columns, call.bytes());
  else if (!staging.copyIn(there, host, panel.rows, panel.columns, call.bytes())) ran.status = Status::OutOfMemory;
  lastIn = device.record(Queue::In);
  ran.bytesIn += size_t(panel.rows * panel.columns) * call.bytes();
}

void Runner::sendBlock(const Panel &panel, Part part) {
  if (panel.rows == 0 || device.hasFailed()) return;
  const View there = deviceAt({panel.operand, panel.row, panel.column});
  const View host = blockOf(call.operands[panel.operand].view, panel.row, panel.column);
  if (part == Part::All && !placed[panel.operand].isStaged)
    device.copyOut(host, there, panel.rows, panel.columns, call.bytes());
  else if (!staging.copyOut(host, there, panel.rows, panel.columns, call.bytes(), part))
    ran.status = Status::OutOfMemory;
  ran.bytesOut += size_t(panel.rows * panel.columns) * call.bytes();
}

void Runner::send(const Panel &panel, Event after) {
  device.wait(Queue::Out, after);
  if (!panel.hasDiagonal) return sendBlock(panel, Part::All);
  Panel diagonal = panel, beside = panel;
  diagonal.rows = panel.columns;
  beside.rows -= panel.columns;
  (call.shape.isLower ? beside.row : diagonal.row) += call.shape.isLower ? panel.columns : beside.rows;
  sendBlock(beside, Part::All);
  sendBlock(diagonal, call.shape.isLower ? Part::Lower : Part::Upper);
}

void Runner::run(const PanelStep &step) {
  KernelOf from{step.work, step.transposesA, step.transposesB, step.isFirst, step.subtracts, step.m, step.n, step.k};
  TileKernel kernel = kernelOf(call, from);
  kernel.a = deviceAt(step.a);
  if (step.work == BlasKind::Gemm) kernel.b = deviceAt(step.b);
  kernel.c = deviceAt(step.c);
  device.run(kernel);
  ++ran.kernels;
  if (step.out) send(*step.out, device.record(Queue::Kernels));
}

} // namespace

size_t panelBytes(const Call &call, const std::vector<Where> &places) {
  size_t bytes = 0;
  for (size_t i = 0; i < places.size(); ++i)
    bytes += places[i] == Where::OnDevice ? 0 : roomOf(call.operands[i], call.bytes());
  return bytes;
}

Ran executePanels(const Call &call, const projection::PanelSchedule &schedule, Device &device, TileMemory &memory,
                  Staging &staging) {
  device.newCall();
  staging.newCall();
  const std::vector<Where> places = placesOf(call, device);
  Runner runner(call, device, staging);
  bool isStaged = false;
  for (size_t i = 0; i < places.size(); ++i)
    isStaged |= places[i] == Where::Pageable || (i + 1 == places.size() && call.shape.kind == BlasKind::Syrk);
  if (!memory.reserve(panelBytes(call, places), 0) || (isStaged && !staging.reserve())) {
    memory.clear();
    device.finish();
    runner.ran.status = Status::OutOfMemory;
    return runner.ran;
  }
  runner.place(memory.matrices(), places);
  size_t brought = 0;
  Event waitedFor = noEvent;
  for (const PanelStep &step : schedule.steps) {
    if (runner.ran.status != Status::Ok || device.hasFailed()) break;
    for (; brought < step.copiesIn; ++brought) runner.bring(schedule.in[brought]);
    if (runner.lastIn != waitedFor) {
      device.wait(Queue::Kernels, runner.lastIn);
      waitedFor = runner.lastIn;
    }
    runner.run(step);
    staging.settle(false);
  }
  staging.settle(true);
  if (Status status = device.finish(); runner.ran.status == Status::Ok) runner.ran.status = status;
  return runner.ran;
}

} // namespace busfare::blas
