//===- projection/report/Csv.cpp - A report as rows -----------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/Csv.h"
#include "projection/report/Printable.h"
#include <array>
#include <charconv>
#include <cmath>

using llvm::StringRef;

namespace busfare::projection {

std::string csvNumber(double value) {
  char text[64];
  auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return std::isfinite(value) && error == std::errc() ? std::string(text, end) : "";
}

std::string csvWord(StringRef name) {
  std::string shown = printable(name);
  if (!shown.empty() && StringRef("=+-@").contains(shown.front())) shown.insert(0, "'");
  if (shown.find_first_of(",\"") == std::string::npos) return shown;
  std::string quoted = "\"";
  for (char c : shown) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

namespace {

enum Column {
  Kind,
  Region,
  OnMachine,
  Name,
  File,
  Line,
  Verdict_,
  Speedup,
  Low,
  High,
  Gain,
  Cpu,
  Total,
  Kernels,
  In,
  Out,
  Launches,
  Time,
  LimitedBy,
  Way,
  Bytes,
  Moved,
  Count,
  Exact,
  Section,
  Columns
};
const char *const titles[Columns] = {
    "kind",       "region",    "machine", "name",        "file",     "line",  "verdict", "speedup",  "low",
    "high",       "gain_s",    "cpu_s",   "total_s",     "kernel_s", "h2d_s", "d2h_s",   "launches", "time_s",
    "limited_by", "direction", "bytes",   "moved_bytes", "count",    "exact", "section"};

class Row {
public:
  Row(const char *kind, const RegionReport &region) {
    cells[Kind] = kind;
    cells[Region] = csvWord(region.id);
  }
  std::string &operator[](Column column) { return cells[column]; }
  void at(const skeleton::Location &location) {
    cells[File] = csvWord(location.file.str());
    cells[Line] = location.isKnown() ? std::to_string(location.line) : "";
  }
  void write(llvm::raw_ostream &os) const {
    for (size_t k = 0; k < Columns; ++k) os << (k ? "," : "") << cells[k];
    os << '\n';
  }

private:
  std::array<std::string, Columns> cells;
};

void writeAnswer(const RegionReport &region, const std::string &machine, const MachineAnswer &answer,
                 llvm::raw_ostream &os) {
  Row row("region", region);
  row[OnMachine] = csvWord(machine);
  row[Name] = csvWord(region.function);
  row.at(region.location);
  row[Verdict_] = toString(answer.verdict).str();
  for (auto [column, value] : {std::pair(Speedup, answer.speedup.with.value),
                               {Low, answer.speedup.with.low},
                               {High, answer.speedup.with.high},
                               {Gain, answer.gain.value},
                               {Cpu, answer.time.cpu},
                               {Total, answer.time.total},
                               {Kernels, answer.time.kernel},
                               {In, answer.time.h2d},
                               {Out, answer.time.d2h}})
    row[column] = csvNumber(value);
  row.write(os);
  for (const KernelReport &kernel : answer.kernels) {
    Row own("kernel", region);
    own[OnMachine] = csvWord(machine);
    own[Name] = csvWord(kernel.id);
    own.at(kernel.location);
    own[Launches] = csvNumber(kernel.launches);
    own[Time] = csvNumber(kernel.time);
    own[LimitedBy] = csvWord(kernel.limitedBy);
    own.write(os);
  }
}

void writeCopies(const RegionReport &region, const ArrayReport &array, const char *way,
                 const std::optional<DirectionReport> &direction, llvm::raw_ostream &os) {
  if (!direction) return;
  for (const CrossingReport &crossing : direction->crossings) {
    Row row("transfer", region);
    row[Name] = csvWord(array.name);
    row.at(crossing.because);
    row[Way] = way;
    row[Bytes] = std::to_string(crossing.bytes);
    row[Moved] = std::to_string(crossing.movedBytes);
    row[Count] = std::to_string(crossing.count);
    row[Exact] = crossing.exact ? "true" : "false";
    row[Section] = csvWord(crossing.section);
    row.write(os);
  }
}

} // namespace

void writeCsv(const Report &report, llvm::raw_ostream &os) {
  for (size_t k = 0; k < Columns; ++k) os << (k ? "," : "") << titles[k];
  os << '\n';
  for (const RegionReport &region : report.regions) {
    for (const auto &[machine, answer] : region.on) writeAnswer(region, machine, answer, os);
    for (const ArrayReport &array : region.arrays) {
      writeCopies(region, array, "h2d", array.h2d, os);
      writeCopies(region, array, "d2h", array.d2h, os);
    }
  }
}

} // namespace busfare::projection
