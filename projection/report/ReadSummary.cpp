//===- projection/report/ReadSummary.cpp - A report read back from JSON ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/JsonParts.h"
#include "projection/report/Printable.h"
#include "projection/report/ReportSummary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using llvm::StringRef;
namespace json = llvm::json;

namespace busfare::projection {

namespace {

bool read(const json::Value &value, RegionSummary &region, json::Path path);
bool read(const json::Value &value, LoopSummary &loop, json::Path path);
bool read(const json::Value &value, FindingSummary &finding, json::Path path);

bool complain(json::Path path, llvm::StringLiteral text) {
  path.report(text);
  return false;
}

/// A key that has to be there, with a value that `accept` takes. A Path refers to the one it was made of, so none is
/// ever set to another.
template <class Accept>
bool take(const json::Object &object, StringRef key, llvm::StringLiteral what, json::Path path, Accept accept) {
  const json::Value *value = object.get(key);
  return (value && accept(*value)) || complain(path.field(key), what);
}

template <class Row> bool readRows(const json::Object &object, StringRef key, std::vector<Row> &rows, json::Path path) {
  const json::Array *array = object.getArray(key);
  if (!array) return complain(path.field(key), "expected an array");
  for (size_t i = 0; i < array->size(); ++i)
    if (!read((*array)[i], rows.emplace_back(), path.field(key).index(i))) return false;
  return true;
}

bool readText(const json::Object &object, StringRef key, std::string &text, json::Path path) {
  return take(object, key, "expected a string", path, [&](const json::Value &value) {
    text = value.getAsString().value_or("").str();
    return value.getAsString().has_value();
  });
}

template <class Number> bool readCount(const json::Object &object, StringRef key, Number &number, json::Path path) {
  return take(object, key, "expected a whole number that is not negative", path, [&](const json::Value &value) {
    std::optional<uint64_t> count = value.getAsUINT64();
    if (!count || *count > std::numeric_limits<Number>::max()) return false;
    number = Number(*count);
    return true;
  });
}

/// A figure, or null for what is no number.
bool readFigure(const json::Object &object, StringRef key, std::optional<double> &figure, json::Path path) {
  return take(object, key, "expected a number or null", path, [&](const json::Value &value) {
    figure = value.getAsNumber();
    return figure || value.kind() == json::Value::Null;
  });
}

bool readLocation(const json::Object &object, skeleton::Location &location, std::string *function, json::Path path) {
  const json::Object *place = object.getObject("location");
  const json::Path at = path.field("location");
  if (!place) return complain(at, "expected an object");
  std::string file;
  if (!readText(*place, "file", file, at) || !readCount(*place, "line", location.line, at)) return false;
  location.file = file;
  if (place->get("column") && !readCount(*place, "column", location.column, at)) return false;
  if (function) *function = place->getString("function").value_or("").str();
  return true;
}

/// One direction of an array: null, or bytes, moved_bytes and count.
bool readDirection(const json::Object &array, StringRef key, RegionSummary &region, json::Path path) {
  const json::Value *value = array.get(key);
  const json::Path at = path.field(key);
  if (value && value->kind() == json::Value::Null) return true;
  const json::Object *direction = value ? value->getAsObject() : nullptr;
  if (!direction) return complain(at, "expected an object or null");
  uint64_t bytes = 0, moved = 0, count = 0;
  if (!readCount(*direction, "bytes", bytes, at) || !readCount(*direction, "moved_bytes", moved, at) ||
      !readCount(*direction, "count", count, at))
    return false;
  region.sectionBytes = llvm::SaturatingMultiplyAdd(bytes, count, region.sectionBytes);
  region.movedBytes = llvm::SaturatingMultiplyAdd(moved, count, region.movedBytes);
  return true;
}

bool readAnswer(const json::Value &value, AnswerSummary &answer, json::Path path) {
  const json::Object *object = value.getAsObject();
  if (!object) return complain(path, "expected an object");
  std::string verdict;
  if (!readText(*object, "verdict", verdict, path)) return false;
  bool isKnown = false;
  for (Verdict each : {Verdict::Port, Verdict::Keep, Verdict::Measure})
    if (toString(each) == verdict) answer.verdict = each, isKnown = true;
  if (!isKnown) return complain(path.field("verdict"), "expected port, keep or measure");
  const json::Object *speedup = object->getObject("speedup");
  const json::Path at = path.field("speedup");
  if (!speedup) return complain(at, "expected an object");
  // Reports of earlier versions have no times here.
  if (const json::Object *time = object->getObject("time_s")) {
    std::optional<double> asDescribed, allCores;
    const json::Path times = path.field("time_s");
    if (!readFigure(*time, "cpu", asDescribed, times) || !readFigure(*time, "cpu_all_cores", allCores, times) ||
        !readFigure(*time, "total", answer.total, times))
      return false;
    if (asDescribed && allCores) answer.host = std::min(*asDescribed, *allCores);
  }
  return readFigure(*speedup, "value", answer.speedup.value, at) &&
         readFigure(*speedup, "low", answer.speedup.low, at) && readFigure(*speedup, "high", answer.speedup.high, at);
}

bool readArrays(const json::Object &object, RegionSummary &region, json::Path path) {
  const json::Array *arrays = object.getArray("arrays");
  const json::Path at = path.field("arrays");
  if (!arrays) return complain(at, "expected an array");
  for (size_t i = 0; i < arrays->size(); ++i) {
    const json::Object *array = (*arrays)[i].getAsObject();
    if (!array) return complain(at.index(i), "expected an object");
    if (!readDirection(*array, "h2d", region, at.index(i)) || !readDirection(*array, "d2h", region, at.index(i)))
      return false;
  }
  return true;
}

bool readSizes(const json::Object &object, RegionSummary &region, json::Path path) {
  const json::Object *parameters = object.getObject("parameters");
  const json::Path at = path.field("parameters");
  if (!parameters) return complain(at, "expected an object");
  for (const auto &[name, value] : *parameters) {
    const json::Object *size = value.getAsObject();
    std::optional<int64_t> number = size ? size->getInteger("value") : std::nullopt;
    if (!number) return complain(at.field(name), "expected an object with a whole number as its value");
    region.sizes[name.str()] = *number;
  }
  return true;
}

bool read(const json::Value &value, RegionSummary &region, json::Path path) {
  const json::Object *object = value.getAsObject();
  if (!object) return complain(path, "expected an object");
  if (!readText(*object, "id", region.id, path) || !readText(*object, "fingerprint", region.fingerprint, path) ||
      !readLocation(*object, region.location, &region.function, path) || !readArrays(*object, region, path) ||
      !readSizes(*object, region, path))
    return false;
  const json::Object *iterations = object->getObject("iterations");
  if (!iterations) return complain(path.field("iterations"), "expected an object");
  if (!readCount(*iterations, "count", region.iterations, path.field("iterations"))) return false;
  const json::Object *on = object->getObject("on");
  if (!on) return complain(path.field("on"), "expected an object");
  for (const auto &[machine, answer] : *on)
    if (!readAnswer(answer, region.on[machine.str()], path.field("on").field(machine))) return false;
  return true;
}

bool read(const json::Value &value, LoopSummary &loop, json::Path path) {
  const json::Object *object = value.getAsObject();
  if (!object) return complain(path, "expected an object");
  std::optional<bool> parallel = object->getBoolean("parallel");
  if (!parallel) return complain(path.field("parallel"), "expected true or false");
  loop.parallel = *parallel;
  if (!readLocation(*object, loop.location, &loop.function, path) || !readText(*object, "reason", loop.reason, path))
    return false;
  loop.index = object->getString("index").value_or("").str();
  return !object->get("depth") || readCount(*object, "depth", loop.depth, path);
}

bool read(const json::Value &value, FindingSummary &finding, json::Path path) {
  const json::Object *object = value.getAsObject();
  if (!object) return complain(path, "expected an object");
  if (!readText(*object, "rule", finding.rule, path) || !readText(*object, "level", finding.level, path)) return false;
  StringRef number = finding.rule;
  if (!number.consume_front("BF") || number.size() != 3 || !llvm::all_of(number, llvm::isDigit))
    return complain(path.field("rule"), "expected the id of a rule, such as BF001");
  if (!llvm::is_contained({"note", "remark", "warning", "error"}, StringRef(finding.level)))
    return complain(path.field("level"), "expected note, remark, warning or error");
  return readLocation(*object, finding.location, nullptr, path) && readText(*object, "message", finding.message, path);
}

bool readMachines(const json::Object &object, std::vector<std::string> &machines, json::Path path) {
  const json::Array *array = object.getArray("machines");
  const json::Path at = path.field("machines");
  if (!array) return complain(at, "expected an array");
  for (size_t i = 0; i < array->size(); ++i) {
    const json::Object *machine = (*array)[i].getAsObject();
    if (!machine) return complain(at.index(i), "expected an object");
    if (!readText(*machine, "name", machines.emplace_back(), at.index(i))) return false;
  }
  return true;
}

bool read(const json::Value &value, ReportSummary &summary, json::Path path) {
  const json::Object *object = value.getAsObject();
  if (!object) return complain(path, "expected an object");
  if (object->getString("output") != StringRef("report"))
    return complain(path.field("output"), "expected \"report\", which `busfare analyze --format json` writes");
  if (object->getInteger("schema_version") != 1)
    return complain(path.field("schema_version"), "expected 1, the only version that this busfare reads");
  const json::Object *tool = object->getObject("tool"), *coverage = object->getObject("coverage");
  if (!tool || !coverage) return complain(path.field(tool ? "coverage" : "tool"), "expected an object");
  return readText(*tool, "version", summary.version, path.field("tool")) &&
         readMachines(*object, summary.machines, path) && readRows(*object, "regions", summary.regions, path) &&
         readRows(*object, "loops", summary.loops, path) && readRows(*object, "findings", summary.findings, path) &&
         readCount(*coverage, "files", summary.files, path.field("coverage")) &&
         readCount(*coverage, "failed_files", summary.failedFiles, path.field("coverage"));
}

/// The parser calls itself for each level: no report has a hundred of them.
bool nestsDeeper(StringRef text, unsigned most) {
  unsigned depth = 0;
  bool isQuoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') isQuoted = !isQuoted;
    else if (isQuoted && c == '\\') ++i;
    else if (!isQuoted && (c == '[' || c == '{') && ++depth > most) return true;
    else if (!isQuoted && (c == ']' || c == '}') && depth > 0) --depth;
  }
  return false;
}

} // namespace

llvm::Expected<ReportSummary> parseReportSummary(StringRef text, StringRef file) {
  constexpr unsigned mostLevels = 100;
  if (nestsDeeper(text, mostLevels))
    return llvm::createStringError(
        (file + ": more than " + llvm::Twine(mostLevels) + " brackets inside each other: this is no report").str());
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value) return llvm::createStringError((file + ": " + llvm::toString(value.takeError())).str());
  ReportSummary summary;
  json::Path::Root root("the report");
  if (!read(*value, summary, json::Path(root)))
    return llvm::createStringError((file + ": " + printable(llvm::toString(root.getError()))).str());
  summary.file = file.str();
  return summary;
}

llvm::Expected<ReportSummary> loadReportSummary(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer) return llvm::createStringError((file + ": cannot be read: " + buffer.getError().message()).str());
  return parseReportSummary((*buffer)->getBuffer(), file);
}

} // namespace busfare::projection
