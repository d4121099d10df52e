//===- clang-plugin/cli/Figures.cpp - Sizes and times on the command line -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Figures.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using llvm::StringRef;

namespace busfare::frontend {

namespace {

struct Unit {
  StringRef name;
  double size;
};

constexpr Unit byteUnits[] = {{"", 1},
                              {"B", 1},
                              {"kB", 1e3},
                              {"MB", 1e6},
                              {"GB", 1e9},
                              {"TB", 1e12},
                              {"k", 1e3},
                              {"K", 1e3},
                              {"M", 1e6},
                              {"G", 1e9},
                              {"T", 1e12},
                              {"KiB", 1024},
                              {"Ki", 1024},
                              {"MiB", 1048576},
                              {"Mi", 1048576},
                              {"GiB", 1073741824.0},
                              {"Gi", 1073741824.0},
                              {"TiB", 1099511627776.0},
                              {"Ti", 1099511627776.0}};
constexpr Unit timeUnits[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};

/// A number that is finite and not negative, and one of the units.
std::optional<double> parseFigure(StringRef text, llvm::ArrayRef<Unit> units) {
  text = text.trim();
  StringRef number = text.rtrim("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  StringRef unit = text.drop_front(number.size());
  double value;
  if (number.empty() || number.rtrim().getAsDouble(value) || !std::isfinite(value) || value < 0) return std::nullopt;
  const Unit *found = llvm::find_if(units, [&](const Unit &each) { return each.name == unit; });
  return found == units.end() ? std::nullopt : std::optional(value * found->size);
}

llvm::Error wrong(StringRef option, StringRef wanted, StringRef text) {
  return llvm::createStringError(option + " wants " + wanted + ", not '" + text + "'");
}

} // namespace

std::optional<int64_t> parseWhole(StringRef text) {
  static constexpr std::pair<StringRef, int64_t> units[] = {
      {"Ki", 1 << 10}, {"Mi", 1 << 20}, {"Gi", 1 << 30}, {"K", 1000}, {"k", 1000}, {"M", 1000000}, {"G", 1000000000}};
  int64_t factor = 1, number, product;
  for (const auto &[unit, size] : units)
    if (factor == 1 && text.consume_back(unit)) factor = size;
  if (text.getAsInteger(10, number) || llvm::MulOverflow(number, factor, product)) return std::nullopt;
  return product;
}

std::optional<std::string> givenFigure(const Options &options, StringRef name) {
  std::optional<std::string> found;
  for (const auto &[option, text] : options.figures)
    if (option == name) found = text;
  return found;
}

llvm::Expected<double> parseBytes(StringRef option, StringRef text) {
  std::optional<double> value = parseFigure(text, byteUnits);
  if (!value || *value != std::floor(*value) || *value > 9e15)
    return wrong(option, "bytes, as in 1048576, 64 kB or 1 MiB", text);
  return *value;
}

llvm::Expected<std::vector<double>> parseByteList(StringRef option, StringRef text) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ',');
  std::vector<double> list;
  for (StringRef part : parts) {
    llvm::Expected<double> bytes = parseBytes(option, part);
    if (!bytes) return bytes.takeError();
    list.push_back(*bytes);
  }
  return list;
}

llvm::Expected<projection::Direction> parseDirection(StringRef text) {
  using projection::Direction;
  for (Direction direction : {Direction::ToDevice, Direction::ToHost, Direction::OnDevice, Direction::Peer})
    if (text == toString(direction)) return direction;
  return llvm::createStringError("--direction wants h2d, d2h, d2d or peer, not '" + text + "'");
}

llvm::Expected<projection::PipelinedUnit> pipeliningOf(const Options &options) {
  using projection::PipelinedUnit;
  std::optional<std::string> given = givenFigure(options, "--pipelining");
  if (!given) return PipelinedUnit::PerByte;
  for (PipelinedUnit unit : {PipelinedUnit::PerByte, PipelinedUnit::PerMessage})
    if (*given == toString(unit)) return unit;
  return llvm::createStringError("--pipelining wants per-byte or per-message, not '" + *given + "'");
}

llvm::Expected<projection::PutOrGet> operationOf(const Options &options, projection::PutOrGet otherwise) {
  using projection::PutOrGet;
  std::optional<std::string> given = givenFigure(options, "--operation");
  if (!given) return otherwise;
  for (PutOrGet operation : {PutOrGet::Put, PutOrGet::Get})
    if (*given == toString(operation)) return operation;
  return llvm::createStringError("--operation wants put or get, not '" + *given + "'");
}

llvm::Expected<std::optional<double>> bytesOf(const Options &options, StringRef name) {
  std::optional<std::string> text = givenFigure(options, name);
  if (!text) return std::nullopt;
  llvm::Expected<double> bytes = parseBytes(name, *text);
  if (!bytes) return bytes.takeError();
  return std::optional(*bytes);
}

llvm::Expected<double> parseSeconds(StringRef option, StringRef text) {
  std::optional<double> value = parseFigure(text, timeUnits);
  if (!value) return wrong(option, "seconds, as in 0.02, 20ms or 5us", text);
  return *value;
}

llvm::Expected<std::optional<double>> secondsOf(const Options &options, StringRef name) {
  std::optional<std::string> text = givenFigure(options, name);
  if (!text) return std::nullopt;
  llvm::Expected<double> value = parseSeconds(name, *text);
  if (!value) return value.takeError();
  return std::optional(*value);
}

llvm::Expected<std::optional<double>> numberOf(const Options &options, StringRef name) {
  std::optional<std::string> text = givenFigure(options, name);
  if (!text) return std::nullopt;
  std::optional<double> value = parseFigure(*text, timeUnits[0]);
  if (!value) return wrong(name, "a number that is not negative", *text);
  return value;
}

llvm::Expected<std::optional<double>> countOf(const Options &options, StringRef name) {
  llvm::Expected<std::optional<double>> number = numberOf(options, name);
  bool isCount = bool(number) && (!*number || (**number >= 1 && **number <= 1e15 && **number == std::floor(**number)));
  if (!isCount) {
    llvm::consumeError(number.takeError());
    return wrong(name, "a whole number from 1 on", *givenFigure(options, name));
  }
  return number;
}

} // namespace busfare::frontend
