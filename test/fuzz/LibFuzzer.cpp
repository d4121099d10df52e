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
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace busfare::fuzz;

void busfare::fuzz::fail(const std::string &message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::abort();
}

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
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
