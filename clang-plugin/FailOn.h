//===- clang-plugin/FailOn.h - Conditions that turn into exit code 1 ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The language of --fail-on, one condition an option:
//
//   port | keep | measure          some region has this verdict on some machine
//   speedup < 2, low >= 1, high>3  the figure of some region on some machine
//   BF014                          there is a finding of this rule
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_FAILON_H
#define BUSFARE_CLANG_PLUGIN_FAILON_H

#include "clang-plugin/Options.h"
#include "projection/report/Report.h"

namespace busfare::frontend {

/// What makes the condition hold, as a sentence; empty if it does not.
std::string holdsBecause(const FailCondition &condition, const projection::Report &report);

} // namespace busfare::frontend

#endif
