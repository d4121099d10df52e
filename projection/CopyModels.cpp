//===- projection/CopyModels.cpp - A machine as models of its copies ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/CopyModels.h"
#include "projection/Transfer.h"

namespace busfare::projection {

static CopyModel modelOf(const Machine &machine) {
  return [link = machine.link, launch = machine.gpu.launchLatency.value, bandwidth = machine.gpu.dramBandwidth.value](
             TraceKind kind, TraceMemory memory, double bytes) {
    HostMemory host = memory == TraceMemory::Pageable ? HostMemory::Pageable : HostMemory::Pinned;
    if (kind == TraceKind::ToDevice)
      return transferTime(link, Direction::ToDevice, host, bytes);
    if (kind == TraceKind::ToHost)
      return transferTime(link, Direction::ToHost, host, bytes);
    return kind == TraceKind::OnDevice ? launch + 2 * bytes / bandwidth : -1;
  };
}

EstimateModels copyModelsOf(const Machine &target, const Machine *source) {
  EstimateModels models;
  models.target = modelOf(target);
  models.peak = models.target;
  models.envelope = models.target;
  if (source)
    models.source = modelOf(*source);
  return models;
}

} // namespace busfare::projection
