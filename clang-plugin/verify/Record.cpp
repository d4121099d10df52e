//===- clang-plugin/verify/Record.cpp - What a watched run left behind ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/verify/Record.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using llvm::StringRef;

namespace busfare::frontend::verify {

static std::string text(const llvm::json::Object &line, StringRef key) {
  return line.getString(key).value_or("").str();
}
static int64_t number(const llvm::json::Object &line, StringRef key) { return line.getInteger(key).value_or(0); }

static void take(const llvm::json::Object &line, Record &record) {
  std::string kind = text(line, "kind");
  if (kind == "array") {
    ArrayRecord array{text(line, "root"), text(line, "array"), text(line, "protection"),
                      uint64_t(number(line, "bytes"))};
    array.moved[0] = number(line, "h2d");
    array.moved[1] = number(line, "d2h");
    array.unplanned[0] = number(line, "unplanned_h2d");
    array.unplanned[1] = number(line, "unplanned_d2h");
    record.arrays.push_back(std::move(array));
  } else if (kind == "copy") {
    record.copies[int(number(line, "id"))] = {
        uint64_t(number(line, "calls")), uint64_t(number(line, "elements")), uint64_t(number(line, "bytes")),
        line.getBoolean("changed").value_or(false), line.getBoolean("last_changed").value_or(false)};
  } else if (kind == "value") {
    record.values.push_back({text(line, "root"), text(line, "symbol"), number(line, "value"), number(line, "least"),
                             number(line, "most"), uint64_t(number(line, "values"))});
  } else if (kind == "guard") {
    record.guards[int(number(line, "region"))] = {uint64_t(number(line, "asked")), uint64_t(number(line, "held"))};
  } else if (kind == "guarded") {
    record.guarded[int(number(line, "id"))] = number(line, "calls");
  } else if (kind == "tasks") {
    record.tasks[int(number(line, "region"))] = {uint64_t(number(line, "tasks")), uint64_t(number(line, "orders")),
                                                 line.getBoolean("all").value_or(false)};
  } else if (kind == "fault") {
    record.fault = text(line, "why");
  } else if (kind == "run") {
    record.kernels = number(line, "kernels");
    record.blocks = number(line, "blocks");
    record.otherBytes[0] = number(line, "other_h2d");
    record.otherBytes[1] = number(line, "other_d2h");
    record.isProtected = line.getBoolean("protected").value_or(false);
    record.complete = true;
  }
}

llvm::Expected<Record> readRecord(StringRef file) {
  Record record;
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer) return record;
  llvm::SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, false);
  for (StringRef line : lines) {
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
    if (!value) return value.takeError();
    if (const llvm::json::Object *object = value->getAsObject()) take(*object, record);
  }
  return record;
}

} // namespace busfare::frontend::verify
