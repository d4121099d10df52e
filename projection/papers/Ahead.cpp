//===- projection/papers/Ahead.cpp - AHEAD's links and shares -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Abdelhafez et al., AHEAD: the bandwidths of its Table II, wire bytes of its equations
// (4) to (7), and the shares of its Table I. Its errors rest on traces that are not
// published.
//
//===----------------------------------------------------------------------===//

#include "projection/Estimate.h"
#include "projection/Link.h"
#include "projection/Papers.h"

namespace busfare::projection {

static Quantity given(double value) { return {value, SourceKind::Assumed, "AHEAD, section IV", false, {}}; }

/// Equations (4) and (5) with the paper's 12 bytes a packet.
static Link pcie(double generation, double lanes) {
  Link link;
  link.kind = LinkKind::Pcie;
  link.pcieGeneration = {given(generation), {}};
  link.lanes = {given(lanes), {}};
  link.maxPayload = given(256);
  link.maxReadRequest = given(512);
  link.readCompletionBoundary = given(64);
  link.completionOverhead = given(12);
  link.writeOverhead = given(12);
  return link;
}

static void addLinks(PaperTable &table) {
  const double ofLane[] = {0.25, 0.5, 1.0, 2.0};
  for (int generation = 1; generation <= 4; ++generation) {
    std::optional<double> bandwidth = linkBandwidth(pcie(generation, 1));
    // The third and fourth are printed as "about".
    table.claim("PCIe " + std::to_string(generation) + ": bandwidth of a lane", "GB/s", ofLane[generation - 1],
                bandwidth ? std::optional(*bandwidth / 1e9) : std::nullopt, {generation < 3 ? 1e-9 : 0.02, 0});
  }
  table.claim("Titan: PCIe 2, 16 lanes", "GB/s", 8, linkBandwidth(pcie(2, 16)).value_or(0) / 1e9, {1e-9, 0});
  for (auto [bytes, read, write] : {std::tuple(4096.0, 5388.0, 4288.0), std::tuple(1048576.0, 1245708.0, 1097728.0)}) {
    std::string name = std::to_string(int64_t(bytes)) + " B over PCIe";
    table.claim("equation (4), read of " + name, "B", read, wireBytes(pcie(2, 16), Direction::ToDevice, bytes), {});
    table.claim("equation (5), write of " + name, "B", write, wireBytes(pcie(2, 16), Direction::ToHost, bytes), {});
  }
  Link nvlink;
  nvlink.kind = LinkKind::NvLink;
  nvlink.flitBytes = given(16);
  nvlink.flitPayload = given(256);
  constexpr double mebi = 1 << 20;
  std::optional<double> read = wireBytes(nvlink, Direction::ToDevice, mebi);
  table.claim("equation (6), read of 1 MiB over NVLink", "B", 1114128, read, {});
  table.claim("equation (7), write of 1 MiB over NVLink", "B", 1114112, wireBytes(nvlink, Direction::ToHost, mebi), {});
  table.claim("NVLink: efficiency of large transfers, \"almost 95 %\"", "%", 95,
              read ? std::optional(100 * mebi / *read) : std::nullopt, {0, 1});
}

static void addShares(PaperTable &table) {
  struct Application {
    const char *name;
    double kernels, transfers, share;
  };
  double sum = 0;
  const Application applications[] = {{"qmcpack", 1.01, 0.53, 34.42},
                                      {"lammps", 2.88, 2.23, 43.64},
                                      {"minife", 0.96, 0.02, 2.04},
                                      {"pennant", 196.05, 0.18, 0.09},
                                      {"laghos", 3.32, 0.82, 19.81}};
  for (const Application &each : applications) {
    Estimate estimate;
    estimate.kernelTime = each.kernels;
    estimate.transfers.recorded = each.transfers;
    double share = 100 * estimate.transfers.recorded / estimate.gpuTime();
    sum += share;
    // The times are printed with two digits after the point.
    table.claim(std::string(each.name) + ": share of transfers in GPU time", "%", each.share, share, {0, 0.02});
  }
  table.claim("share of transfers in GPU time, on average", "%", 20, sum / std::size(applications), {0, 0.5});
}

PaperTable aheadRows() {
  PaperTable table("AHEAD");
  addLinks(table);
  addShares(table);
  if (llvm::Expected<Machine> summit = loadMachine("summit-v100-nvlink2")) {
    std::optional<double> bandwidth = linkBandwidth(summit->link);
    table.claim("Summit: NVLink between CPU and GPU", "GB/s", 50,
                bandwidth ? std::optional(*bandwidth / 1e9) : std::nullopt, {1e-9, 0});
  } else {
    llvm::consumeError(summit.takeError());
  }
  table.show("WMAPE, CORAL-2", "%", 19, std::nullopt, "the traces are not published");
  table.show("WMAPE, Rodinia", "%", 23, std::nullopt, "the traces are not published");
  return table;
}

} // namespace busfare::projection
