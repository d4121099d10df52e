//===- projection/report/Figures.h - Numbers as people read them ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One place that rounds, so that a figure looks the same wherever it stands:
//
//   formatTime(0.0123456)   12.3 ms      three significant digits, SI units
//   formatBytes(8388608)    8.0 MiB      one digit, binary units
//   formatFactor(0.4137)    0.41x        two digits: no model knows a third ...
//   formatFactor(0.9962)    0.996x       ... except beside 1, where it decides
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_FIGURES_H
#define BUSFARE_PROJECTION_REPORT_FIGURES_H

#include <cstdint>
#include <string>

namespace busfare::projection {

/// Seconds as ns, us, ms, s or h, three significant digits: "1.00 ms". "-" if it is no number.
std::string formatTime(double seconds);
/// "512 B", "97.0 KiB", "8.0 MiB", "1.3 GiB".
std::string formatBytes(uint64_t bytes);
/// All digits, in groups of three: "8,388,608".
std::string formatExact(uint64_t number);
/// A ratio: "0.41x", "3.2x", "120x".
std::string formatFactor(double factor);
/// A size or a count: all digits up to six, then "3.1e6".
std::string formatSize(uint64_t number);
/// How often on average: "3", "0.25" where a condition decides, "12.5".
std::string formatMean(double number);
/// "75 %" of 0.75; "0.4 %" below one per cent.
std::string formatPercent(double share);
/// "1 loop", "3 loops".
std::string formatPlural(uint64_t number, const char *noun);

} // namespace busfare::projection

#endif
