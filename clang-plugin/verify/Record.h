//===- clang-plugin/verify/Record.h - What a watched run left behind -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads the JSON lines that runtime-bench/watch/Record.c writes; that file says what
// each key is.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_VERIFY_RECORD_H
#define BUSFARE_CLANG_PLUGIN_VERIFY_RECORD_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace busfare::frontend::verify {

/// [0] is to the device, [1] from it.
struct ArrayRecord {
  std::string root, array, protection;
  uint64_t bytes = 0, moved[2] = {0, 0}, unplanned[2] = {0, 0};
};

struct CopyRecord {
  uint64_t calls = 0, elements = 0, bytes = 0;
  bool changed = false;     ///< Some run of it brought a value that was not there already.
  bool lastChanged = false; ///< Some last element of a run did.
};

struct ValueRecord {
  std::string root, symbol;
  int64_t value = 0, least = 0, most = 0;
  uint64_t times = 0; ///< It was told.
};

/// Of one region: how often it began, and how often its guard held by itself.
struct GuardRecord {
  uint64_t asked = 0, held = 0;
};

/// Of one region in chunks.
struct TasksRecord {
  uint64_t tasks = 0, orders = 0;
  bool isComplete = false; ///< There were no more orders.
};

struct Record {
  std::vector<ArrayRecord> arrays;
  std::map<int, CopyRecord> copies;
  std::vector<ValueRecord> values;
  std::map<int, GuardRecord> guards;
  std::map<int, uint64_t> guarded; ///< By construct: how often it came to run.
  std::map<int, TasksRecord> tasks;
  uint64_t blocks = 0; ///< Of device memory that were made.
  uint64_t kernels = 0, otherBytes[2] = {0, 0};
  bool isProtected = true; ///< Every request to shut memory was granted.
  std::string fault;       ///< Why a protection ended the run; empty if none did.
  bool complete = false;   ///< The program ran to its end, or to a fault.
};

/// A file that is not there gives a Record that is not complete.
llvm::Expected<Record> readRecord(llvm::StringRef file);

} // namespace busfare::frontend::verify

#endif
