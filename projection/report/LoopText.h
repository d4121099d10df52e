//===- projection/report/LoopText.h - A loop's verdict in words -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_LOOPTEXT_H
#define BUSFARE_PROJECTION_REPORT_LOOPTEXT_H

#include "projection/report/Report.h"
#include <string>

namespace busfare::projection {

/// "private(t, u), reduction(+: s), if noalias(a,b)"; of what goes on from iteration to iteration by a closed form
/// "induction private(k)": a plain private copy would not do. Empty: no treatment.
std::string treatment(const LoopReport &loop);

} // namespace busfare::projection

#endif
