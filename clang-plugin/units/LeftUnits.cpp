//===- clang-plugin/units/LeftUnits.cpp - Units that a build has read already -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LeftUnits.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;
namespace json = llvm::json;

namespace busfare::frontend {

static constexpr StringRef unitLine = "# busfare-unit ", askedLine = "# busfare-asked ", readLine = "# busfare-read ";

//===--- As text ----------------------------------------------------------===//

std::string spelled(const LeftUnit &unit) {
  json::Object asked;
  for (const auto &[question, answer] : unit.asked) asked[json::fixUTF8(question)] = answer;
  json::Array words;
  for (const std::string &word : unit.words) words.push_back(json::fixUTF8(word));
  json::Value about = json::Object{{"file", json::fixUTF8(unit.file)},
                                   {"directory", json::fixUTF8(unit.directory)},
                                   {"words", std::move(words)},
                                   {"output", json::fixUTF8(unit.output)},
                                   {"plugin", unit.plugin},
                                   {"preprocessed", unit.isPreprocessed},
                                   {"lacks_openmp", unit.lacksOpenMP}};
  auto [head, skeleton] = StringRef(unit.text).split('\n');
  return llvm::formatv("{0}{1}\n{2}{3}\n{4}{5}\n{6}", unitLine, about, askedLine, json::Value(std::move(asked)),
                       readLine, head, skeleton)
      .str();
}

/// Of a line that begins so, the object behind that.
static std::optional<json::Object> takeObject(StringRef &text, StringRef beginning) {
  auto [line, rest] = text.split('\n');
  if (!line.consume_front(beginning)) return std::nullopt;
  llvm::Expected<json::Value> value = json::parse(line);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  text = rest;
  json::Object *object = value->getAsObject();
  return object ? std::optional(std::move(*object)) : std::nullopt;
}

std::optional<LeftUnit> leftUnitIn(StringRef text) {
  std::optional<json::Object> about = takeObject(text, unitLine);
  std::optional<json::Object> asked = about ? takeObject(text, askedLine) : std::nullopt;
  if (!asked || !text.consume_front(readLine)) return std::nullopt;
  LeftUnit unit;
  auto wordOf = [&](StringRef key) { return about->getString(key).value_or("").str(); };
  unit.file = wordOf("file");
  unit.directory = wordOf("directory");
  unit.output = wordOf("output");
  unit.plugin = wordOf("plugin");
  unit.isPreprocessed = about->getBoolean("preprocessed").value_or(false);
  unit.lacksOpenMP = about->getBoolean("lacks_openmp").value_or(false);
  if (const json::Array *words = about->getArray("words"))
    for (const json::Value &word : *words) unit.words.push_back(word.getAsString().value_or("").str());
  for (const auto &[question, answer] : *asked) unit.asked[question.str()] = answer.getAsString().value_or("").str();
  unit.text = text.str();
  return unit;
}

std::string leftFileOf(const LeftUnit &unit, StringRef folder) {
  llvm::SmallString<256> output(unit.output);
  if (!llvm::sys::path::is_absolute(output)) {
    output = unit.directory;
    llvm::sys::path::append(output, unit.output);
  }
  if (folder.empty()) return output.str().str() + ".skel";
  // Objects of two folders may have one name.
  llvm::SmallString<256> name(folder);
  llvm::sys::path::append(name, llvm::sys::path::filename(output) + "-" + StringRef(digestOf(output)).take_front(12) +
                                    ".skel");
  return name.str().str();
}

//===--- In a section -----------------------------------------------------===//

// A unit in a section: a line with this word, the bytes behind the line, and those of the text; the text, packed; what
// an assembler or linker puts in between to align it is skipped.
static constexpr StringRef beginning = "busfare-unit-1 ";

std::string packed(const LeftUnit &unit) {
  const std::string text = spelled(unit);
  llvm::SmallVector<uint8_t, 0> bytes;
  llvm::compression::zstd::compress(llvm::arrayRefFromStringRef(text), bytes);
  return beginning.str() + std::to_string(bytes.size()) + " " + std::to_string(text.size()) + "\n" +
         llvm::toStringRef(bytes).str();
}

std::vector<LeftUnit> unpacked(StringRef section) {
  std::vector<LeftUnit> units;
  for (size_t at; (at = section.find(beginning)) != StringRef::npos;) {
    auto [line, rest] = section.drop_front(at + beginning.size()).split('\n');
    auto [packedSize, size] = line.split(' ');
    size_t bytes = 0, textBytes = 0;
    section = rest;
    if (packedSize.getAsInteger(10, bytes) || size.getAsInteger(10, textBytes) || bytes > rest.size()) continue;
    llvm::SmallVector<uint8_t, 0> text;
    if (llvm::Error error =
            llvm::compression::zstd::decompress(llvm::arrayRefFromStringRef(rest.take_front(bytes)), text, textBytes)) {
      llvm::consumeError(std::move(error));
      continue;
    }
    section = rest.drop_front(bytes);
    if (std::optional<LeftUnit> unit = leftUnitIn(llvm::toStringRef(text))) units.push_back(std::move(*unit));
  }
  return units;
}

} // namespace busfare::frontend
