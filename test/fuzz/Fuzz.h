//===- test/fuzz/Fuzz.h - What a fuzzer is --------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A fuzzer is a function of bytes that returns if all is well and does not return if
// something is wrong. One source file holds one; libFuzzer calls it with bytes of its
// making (LibFuzzer.cpp), the replay with bytes kept in files (Replay.cpp):
//
//   void fuzzParse(llvm::StringRef input) {
//     ...
//     require(again == program, "printed and read back, it is another program:\n" + text);
//   }
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_FUZZ_FUZZ_H
#define BUSFARE_TEST_FUZZ_FUZZ_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstddef>
#include <cstdint>
#include <string>

namespace busfare::fuzz {

/// Skeleton text: read, printed, read again, verified, calls substituted, written as JSON.
void fuzzParse(llvm::StringRef input);
/// Skeleton text through the whole pipeline to the reports.
void fuzzAnalyse(llvm::StringRef input);
/// Skeleton text: the analysis against runs of the skeleton.
void fuzzOracle(llvm::StringRef input);
/// JSON text: machine files.
void fuzzMachine(llvm::StringRef input);
/// Bytes: formulas against the integers, and the order of formulas under facts.
void fuzzExpr(llvm::StringRef input);
/// Bytes: operations on boxes with strides, point by point.
void fuzzSections(llvm::StringRef input);
/// Bytes: operations on sets of elements, point by point.
void fuzzElements(llvm::StringRef input);

struct Fuzzer {
  const char *name;
  void (*run)(llvm::StringRef input);
  bool takesText; ///< Skeleton text: mutations know its words.
};
inline constexpr Fuzzer fuzzers[] = {
    {"parse", fuzzParse, true},   {"machine", fuzzMachine, false},   {"expr", fuzzExpr, false},   {"sections", fuzzSections, false},
    {"elements", fuzzElements, false}, {"analyse", fuzzAnalyse, true}, {"oracle", fuzzOracle, true},
};

/// Of processor time; an input that takes longer is a finding.
inline constexpr int secondsPerInput = 10;

/// Prints the message and ends the program by SIGABRT.
[[noreturn]] void fail(const std::string &message);

/// The message is made only when it is needed.
inline void require(bool holds, llvm::function_ref<std::string()> message) {
  if (!holds)
    fail(message());
}

/// Bytes as small decisions. Past the end all are zero.
class Bytes {
public:
  explicit Bytes(llvm::StringRef input) : rest(input) {}
  uint8_t next() {
    if (rest.empty())
      return 0;
    uint8_t value = uint8_t(rest.front());
    rest = rest.drop_front();
    return value;
  }
  unsigned below(unsigned n) { return next() % n; }
  bool oneIn(unsigned n) { return next() % n == n - 1; }
  int64_t between(int64_t low, int64_t high) { return low + int64_t(below(unsigned(high - low + 1))); }
  bool atEnd() const { return rest.empty(); }

private:
  llvm::StringRef rest;
};

} // namespace busfare::fuzz

#endif
