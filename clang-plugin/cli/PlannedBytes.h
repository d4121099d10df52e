//===- clang-plugin/cli/PlannedBytes.h - What a port moves at a run's sizes -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A port is made before its program runs, for sizes that may be assumed. What its
// copies move follows from the sizes that the run then had, each root's own:
//
//   p7's u[0:n-1:1], doubles; the watched run says n of p7 = 12   ->   u, to the device: 96
//
// How a copy is made (rows, or everything between the first and the last) was chosen
// with the port and stays. Copies below a condition that data decide happen as often as
// the run says; what each moves is the plan's.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_CLI_PLANNED_BYTES_H
#define BUSFARE_CLANG_PLUGIN_CLI_PLANNED_BYTES_H

#include "clang-plugin/port/Port.h"
#include "clang-plugin/verify/Verify.h"

namespace busfare::frontend {

/// One row for each array and direction that is copied.
llvm::Expected<std::vector<verify::PlannedBytes>>
plannedBytes(port::OpenProgram &program, const port::PortedProgram &ported,
             const std::vector<std::pair<std::string, int64_t>> &parameters, const verify::Record &record);
void addCopies(const port::PortedProgram &ported, std::vector<verify::PlannedCopy> &copies);

} // namespace busfare::frontend

#endif
