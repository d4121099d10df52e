//===- projection/CopyModels.h - A machine as models of its copies --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What AHEAD's estimator (Estimate.h) is given for a machine file. A model of Link.h
// can be asked for by its name; without one the machine decides, copy by copy:
//
//   a measured sweep of such copies     it
//   a measured latency and bandwidth    linear
//   generation and lanes, or flits      packets, which is AHEAD's own model
//   none of these                       linear, on what the file assumes
//
// A latency that the target's file only assumes is replaced by the source machine's if
// that one measured it: latencies change less from machine to machine than bandwidths
// (AHEAD, section IV-C). Copies from GPU to GPU are known where the machine has a part peer,
// those within the host nowhere.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_COPYMODELS_H
#define BUSFARE_PROJECTION_COPYMODELS_H

#include "projection/Estimate.h"
#include "projection/Link.h"

namespace busfare::projection {

struct CopyModels {
  EstimateModels models;
  bool latencyFromSource = false; ///< A latency of the source machine stands in.
  std::string used;               ///< The model of pinned copies: "linear", ..., or "sweep".
};

/// source may be null. Errors: the model cannot be computed for the target, with what its file lacks.
llvm::Expected<CopyModels> copyModelsOf(const Machine &target, const Machine *source,
                                        std::optional<TransferModel> model = std::nullopt);

} // namespace busfare::projection

#endif
