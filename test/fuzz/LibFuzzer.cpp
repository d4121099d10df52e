//===- test/fuzz/LibFuzzer.cpp - One fuzzer under libFuzzer ----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compiled once for each fuzzer, BUSFARE_FUZZER being its function. Text is mutated by
// words and lines half of the time: by bytes alone hardly a program stays one.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "MutateText.h"
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/time.h>
#include <unistd.h>

using namespace busfare::fuzz;

namespace {

/// libFuzzer's own limit is of the clock on the wall, which on a loaded machine says nothing.
void limitProcessorTime() {
  static bool first = true;
  if (first)
    std::signal(SIGPROF, [](int) {
      constexpr char text[] = "more than ten seconds of processor time\n";
      (void)!write(STDERR_FILENO, text, sizeof text - 1);
      std::abort();
    });
  first = false;
  itimerval limit{{0, 0}, {secondsPerInput, 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);
}

} // namespace

void busfare::fuzz::fail(const std::string &message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::abort();
}

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  limitProcessorTime();
  BUSFARE_FUZZER(llvm::StringRef(reinterpret_cast<const char *>(data), size));
  return 0;
}

#ifdef BUSFARE_FUZZ_TEXT
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  if (seed % 2)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::string text = mutateText(llvm::StringRef(reinterpret_cast<const char *>(data), size), seed / 2);
  if (text.empty() || text.size() > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
#endif
