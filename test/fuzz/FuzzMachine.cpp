//===- test/fuzz/FuzzMachine.cpp - Machine files --------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Any text is a machine or an error that names the file; a machine written and read
// back is the same one.
//
// Text that is no whole machine is also taken as changes to one: bytes cannot be
// expected to grow seventy numbers with their sources. A line KEY.KEY.KEY=JSON sets
// or, without a value, removes what is there in a built-in machine.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "projection/Machine.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace busfare::projection;

namespace busfare::fuzz {

namespace {

std::string written(const Machine &machine) { return llvm::formatv("{0:2}", toJson(machine)).str(); }

void checkText(llvm::StringRef text) {
  llvm::Expected<Machine> machine = parseMachine(text, "m.json");
  if (!machine) {
    std::string message = llvm::toString(machine.takeError());
    require(llvm::StringRef(message).starts_with("m.json: "), [&] { return "the error names no file: " + message; });
    return;
  }
  std::string first = written(*machine);
  llvm::Expected<Machine> again = parseMachine(first, "again.json");
  require(bool(again), [&] { return llvm::toString(again.takeError()) + "\nin:\n" + first; });
  std::string second = written(*again);
  require(first == second, [&] { return "written, read and written again:\n" + first + "\nbecame\n" + second; });
}

void change(llvm::json::Object &object, llvm::StringRef line) {
  auto [path, value] = line.split('=');
  llvm::SmallVector<llvm::StringRef> keys;
  path.split(keys, '.');
  llvm::json::Object *place = &object;
  for (llvm::StringRef key : llvm::ArrayRef(keys).drop_back())
    if (llvm::json::Object *next = place->getObject(key))
      place = next;
  if (!llvm::json::isUTF8(keys.back()))
    return;
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(value);
  if (parsed)
    (*place)[llvm::json::ObjectKey(keys.back().str())] = std::move(*parsed);
  else
    place->erase(keys.back());
  llvm::consumeError(parsed.takeError());
}

} // namespace

void fuzzMachine(llvm::StringRef input) {
  checkText(input);
  if (input.ltrim().starts_with("{") || input.size() > 4096)
    return;
  static const Machine base = llvm::cantFail(loadMachine(defaultMachine));
  llvm::json::Value json = toJson(base);
  llvm::SmallVector<llvm::StringRef> lines;
  input.split(lines, '\n', 20);
  for (llvm::StringRef line : lines)
    change(*json.getAsObject(), line);
  checkText(llvm::formatv("{0}", json).str());
}

} // namespace busfare::fuzz
