//===- projection/Terms.h - What a modelled time is made of ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every time that a model gives can be taken apart: one term for each limit, with its
// formula, what stands in it, and where each of those figures comes from:
//
//   dram   {bytes from DRAM} / {gpu.dram_bandwidth_bytes_per_s}   2.25 us
//     bytes from DRAM                     3145728     counted: each of its bytes once, as they fit into L2
//     gpu.dram_bandwidth_bytes_per_s      1.4e12 B/s  measured: BabelStream
//
// The models fill terms with the figures they use themselves, if they are asked to;
// nobody else computes one. A formula holds {0}, {1}, ... for its inputs.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_TERMS_H
#define BUSFARE_PROJECTION_TERMS_H

#include "projection/Machine.h"
#include <string>
#include <vector>

namespace busfare::projection {

/// A figure in a formula.
struct TermInput {
  std::string name;   ///< "gpu.clock_hz" of a machine's number, else in words: "bytes from L2".
  double value = 0;
  std::string unit;   ///< Empty for a count or a ratio.
  std::string
      kind;   ///< measured|datasheet|derived|assumed of a machine's number; counted: from the program at its sizes.
  std::string source; ///< Who published it; of a count how it comes about.
};

struct TimeTerm {
  std::string name;    ///< "dram", "launch", ...
  std::string formula; ///< "{0} / {1}"
  double time = 0;     ///< s
  std::vector<TermInput> inputs;
  bool decides = false; ///< It is the longest, of which only one counts.
  bool isAdded = false; ///< It is on top of the longest: a launch, fork and join.
};

/// The number with its key in machine files. It must be a member of the part.
TermInput inputOf(const Host &host, const Quantity &number);
TermInput inputOf(const Link &link, const Quantity &number);
TermInput inputOf(const Gpu &gpu, const Quantity &number);
inline TermInput counted(std::string name, double value, std::string unit, std::string how) {
  return {std::move(name), value, std::move(unit), "counted", std::move(how)};
}

/// The formula with the inputs' names, or with their values as people read them.
std::string spelledFormula(const TimeTerm &term);
std::string formulaInNumbers(const TimeTerm &term);

/// A count in full, else four digits: "1,024", "0.25", "1.4e12".
std::string formatCount(double value);
/// A value with its unit: "1.4e12 B/s", "1,024".
std::string formatInput(const TermInput &input);

} // namespace busfare::projection

#endif
