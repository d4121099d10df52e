//===- projection/report/Figures.cpp - Numbers as people read them --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/Figures.h"
#include <cmath>
#include <cstdio>

namespace busfare::projection {

/// value rounded to the given number of significant digits.
static double roundTo(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return value;
  double scale = std::pow(10.0, digits - 1 - std::floor(std::log10(std::fabs(value))));
  return std::isfinite(scale) && scale > 0 ? std::round(value * scale) / scale : value;
}

/// value with so many decimals that `digits` significant ones show; none is made up beyond the point.
static std::string significant(double value, int digits) {
  value = roundTo(value, digits);
  int before = value == 0 ? 1 : int(std::floor(std::log10(std::fabs(value)) + 1e-9)) + 1;
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", before >= digits ? 0 : digits - before, value);
  return text;
}

std::string formatTime(double seconds) {
  if (!std::isfinite(seconds)) return "-";
  if (seconds == 0) return "0 s";
  double rounded = roundTo(std::fabs(seconds), 3);
  const char *sign = seconds < 0 ? "-" : "";
  struct Unit {
    double size;
    const char *name;
  };
  for (const Unit &unit : {Unit{3600, " h"}, {1, " s"}, {1e-3, " ms"}, {1e-6, " us"}})
    if (rounded >= unit.size * (1 - 1e-9)) return sign + significant(rounded / unit.size, 3) + unit.name;
  return sign + significant(rounded / 1e-9, 3) + " ns";
}

std::string formatBytes(uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " B";
  double value = double(bytes);
  const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  size_t unit = 0;
  value /= 1024;
  // 1023.96 KiB would print as 1024.0 KiB.
  while (value >= 1023.95 && unit + 1 < std::size(units)) {
    value /= 1024;
    ++unit;
  }
  char text[64];
  std::snprintf(text, sizeof text, "%.1f %s", value, units[unit]);
  return text;
}

std::string formatExact(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t place = digits.size(); place > 3;) {
    place -= 3;
    digits.insert(place, ",");
  }
  return digits;
}

std::string formatFactor(double factor) {
  if (std::isnan(factor)) return "-";
  if (std::isinf(factor)) return "any factor";
  if (factor > 0.9 && factor < 1.1 && factor != 1) return significant(factor, 3) + "x";
  return significant(factor, factor >= 100 ? 3 : 2) + "x";
}

std::string formatSize(uint64_t number) {
  if (number < 1000000) return std::to_string(number);
  char text[64];
  std::snprintf(text, sizeof text, "%.2g", double(number));
  std::string result = text; // 3.1e+06
  size_t exponent = result.find("e+");
  if (exponent == std::string::npos) return result;
  size_t digit = exponent + 2;
  while (digit + 1 < result.size() && result[digit] == '0') ++digit;
  return result.substr(0, exponent + 1) + result.substr(digit);
}

std::string formatMean(double number) {
  if (!(number > 0) || !std::isfinite(number)) return "0";
  constexpr double addedUp = 1e-9; // what adding up many iterations loses
  const bool isWhole = std::abs(number - std::round(number)) <= addedUp * number;
  return isWhole || number >= 1000 ? formatSize(uint64_t(std::llround(number)))
                                   : significant(number, number >= 100  ? 4
                                                         : number >= 10 ? 3
                                                                        : 2);
}

std::string formatPercent(double share) {
  double percent = share * 100;
  char text[64];
  std::snprintf(text, sizeof text, percent > 0 && percent < 0.95 ? "%.1f %%" : "%.0f %%", percent);
  return text;
}

std::string formatPlural(uint64_t number, const char *noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

} // namespace busfare::projection
