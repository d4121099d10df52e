//===- projection/report/SweepWriters.cpp - Tables and plots of a sweep ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/SweepWriters.h"
#include "projection/report/Figures.h"
#include "projection/report/Page.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <charconv>
#include <cmath>
#include <map>

using llvm::StringRef;

namespace busfare::projection {

//===--- CSV and JSON: tables of millions, hence by hand ------------------===//

/// Nine significant digits; whole numbers as they are.
static void append(double value, std::string &text) {
  char digits[40];
  bool whole = value == std::floor(value) && std::fabs(value) < 1e15;
  std::to_chars_result end = whole ? std::to_chars(digits, std::end(digits), int64_t(value))
                                   : std::to_chars(digits, std::end(digits), value, std::chars_format::general, 9);
  text.append(digits, end.ptr);
}

/// Texts of one table, as CSV or JSON wants them.
template <class Quote> static std::vector<std::string> quotedTexts(const SweepTable &table, Quote quote) {
  std::vector<std::string> quoted;
  for (const std::string &text : table.texts) quoted.push_back(quote(text));
  return quoted;
}

static void writeCells(const SweepTable &table, const std::vector<std::string> &texts, StringRef before,
                       StringRef between, StringRef after, StringRef unknown, StringRef betweenRows,
                       llvm::raw_ostream &os) {
  std::string buffer;
  const double *cell = table.cells.data();
  for (size_t row = 0, rows = table.rows(); row < rows; ++row) {
    if (row) buffer += betweenRows;
    buffer += before;
    for (size_t column = 0; column < table.columns.size(); ++column, ++cell) {
      if (column) buffer += between;
      if (table.columns[column].isText) buffer += texts[size_t(*cell)];
      else if (std::isfinite(*cell)) append(*cell, buffer);
      else buffer += unknown;
    }
    buffer += after;
    if (buffer.size() > 1 << 16) {
      os << buffer;
      buffer.clear();
    }
  }
  os << buffer;
}

void writeSweepCsv(const SweepReport &report, llvm::raw_ostream &os) {
  const SweepTable &table = report.table;
  for (size_t i = 0; i < table.columns.size(); ++i) os << (i ? "," : "") << table.columns[i].name;
  os << '\n';
  auto quote = [](const std::string &text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
  };
  writeCells(table, quotedTexts(table, quote), "", ",", "\n", "", "", os);
}

void writeSweepJson(const SweepReport &report, llvm::raw_ostream &os) {
  const SweepTable &table = report.table;
  llvm::json::Array columns, notes;
  for (const SweepColumn &column : table.columns) columns.push_back(column.name);
  for (const std::string &note : table.notes) notes.push_back(note);
  os << "{\n  \"schema_version\": 1,\n  \"output\": \"sweep\",\n  \"tool\": {\"name\": \"busfare\", \"version\": \""
     << report.version << "\"},\n  \"columns\": " << llvm::formatv("{0}", llvm::json::Value(std::move(columns)))
     << ",\n  \"notes\": " << llvm::formatv("{0}", llvm::json::Value(std::move(notes))) << ",\n  \"rows\": [\n";
  auto quote = [](const std::string &text) {
    return llvm::formatv("{0}", llvm::json::Value(llvm::json::fixUTF8(text))).str();
  };
  writeCells(table, quotedTexts(table, quote), "    [", ", ", "]", "null", ",\n", os);
  os << "\n  ]\n}\n";
}

//===--- Text -------------------------------------------------------------===//

static std::string cellText(const SweepTable &table, size_t row, size_t column) {
  double value = table.cells[row * table.columns.size() + column];
  const SweepColumn &which = table.columns[column];
  if (which.isText) return table.texts[size_t(value)];
  if (std::isnan(value)) return "-";
  StringRef name = which.name;
  if (name.ends_with("_s")) return formatTime(value);
  if (name.starts_with("speedup")) return formatFactor(value);
  return value == std::floor(value) && value < 1e15 ? formatExact(uint64_t(std::max(0.0, value)))
                                                    : llvm::formatv("{0}", llvm::json::Value(value)).str();
}

namespace {
/// One letter of the plot: the rows of a machine (and a region), the other ranges at their first values.
struct Series {
  char letter = 'a';
  std::string name;
  std::vector<size_t> rows;
};
} // namespace

/// The columns of texts come first, then the axes, then the results.
static size_t firstAxis(const SweepTable &table) {
  size_t column = 0;
  while (column < table.columns.size() && table.columns[column].isText) ++column;
  return column;
}

/// How many axes there are: results have a unit, or are speedups and tables' own.
static size_t axisCount(const SweepTable &table) {
  size_t first = firstAxis(table), column = first;
  while (column < table.columns.size() && !StringRef(table.columns[column].name).ends_with("_s")) ++column;
  return column - first;
}

static std::vector<Series> seriesOf(const SweepTable &table) {
  std::vector<Series> series;
  size_t axis = firstAxis(table), width = table.columns.size(), axes = axisCount(table);
  std::map<std::vector<double>, size_t> known;
  std::map<std::vector<double>, std::vector<double>> firstOthers;
  for (size_t row = 0; row < table.rows(); ++row) {
    const double *cells = &table.cells[row * width];
    std::vector<double> texts(cells, cells + axis),
        others(cells + axis + std::min<size_t>(1, axes), cells + axis + axes);
    auto [first, isNew] = firstOthers.try_emplace(texts, others);
    if (!isNew && first->second != others) continue;
    auto [entry, fresh] = known.try_emplace(texts, series.size());
    if (fresh) {
      Series added;
      added.letter = char('a' + series.size() % 26);
      for (size_t i = 0; i < axis; ++i) added.name += (i ? " on " : "") + table.texts[size_t(cells[i])];
      series.push_back(std::move(added));
    }
    series[entry->second].rows.push_back(row);
  }
  return series;
}

/// Where a value lies between two others, 0 to 1; in the logarithm if they are far apart.
static double shareBetween(double value, double low, double high) {
  if (low == high) return 0.5;
  bool logarithmic = low > 0 && high / low > 20;
  return logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

static void plot(const SweepTable &table, const std::vector<Series> &series, llvm::raw_ostream &os) {
  constexpr size_t plotWidth = 60, plotHeight = 14;
  size_t width = table.columns.size(), x = firstAxis(table), y = table.column(table.plotted);
  double low = INFINITY, high = -INFINITY, left = INFINITY, right = -INFINITY;
  for (const Series &each : series)
    for (size_t row : each.rows) {
      double value = table.cells[row * width + y], at = table.cells[row * width + x];
      if (!std::isfinite(value)) continue;
      low = std::min(low, value), high = std::max(high, value);
      left = std::min(left, at), right = std::max(right, at);
    }
  if (!std::isfinite(low) || left == right) return;
  std::vector<std::string> lines(plotHeight, std::string(plotWidth, ' '));
  auto lineOf = [&](double value) {
    return plotHeight - 1 - size_t(std::lround(shareBetween(value, low, high) * (plotHeight - 1)));
  };
  bool factors = StringRef(table.plotted).starts_with("speedup");
  if (factors && low < 1 && high > 1) lines[lineOf(1)] = std::string(plotWidth, '-');
  for (const Series &each : series)
    for (size_t row : each.rows) {
      double value = table.cells[row * width + y];
      if (!std::isfinite(value)) continue;
      char &place =
          lines[lineOf(value)]
               [size_t(std::lround(shareBetween(table.cells[row * width + x], left, right) * (plotWidth - 1)))];
      place = place == ' ' || place == '-' || place == each.letter ? each.letter : '*';
    }
  auto label = [&](double value) {
    return factors                                    ? formatFactor(value)
           : StringRef(table.plotted).ends_with("_s") ? formatTime(value)
                                                      : formatSize(uint64_t(value));
  };
  for (size_t i = 0; i < plotHeight; ++i) {
    std::string text = i == 0                                             ? label(high)
                       : i + 1 == plotHeight                              ? label(low)
                       : factors && low < 1 && high > 1 && i == lineOf(1) ? "1x"
                                                                          : "";
    os << std::string(10 - std::min<size_t>(10, text.size()), ' ') << text << " |" << StringRef(lines[i]).rtrim(' ')
       << '\n';
  }
  auto end = [&](double value) {
    return value == std::floor(value) ? formatExact(uint64_t(value))
                                      : llvm::formatv("{0}", llvm::json::Value(value)).str();
  };
  std::string from = end(left), to = end(right);
  os << std::string(11, ' ') << '+' << std::string(plotWidth, '-') << '\n'
     << std::string(12, ' ') << from << std::string(plotWidth - std::min(plotWidth, from.size() + to.size()), ' ') << to
     << '\n';
}

static std::string withoutUnit(StringRef name) {
  name.consume_back("_s");
  return name.str();
}

llvm::Error writeSweepQuestion(const SweepReport &report, llvm::raw_ostream &os) {
  const SweepTable &table = report.table;
  const size_t width = table.columns.size(), x = firstAxis(table), y = table.column(table.plotted);
  const std::string axis = axisCount(table) ? table.columns[x].name : "";
  llvm::json::Array lines;
  for (const Series &each : seriesOf(table)) {
    llvm::json::Array points;
    for (size_t row : each.rows)
      if (const double value = table.cells[row * width + y]; std::isfinite(value))
        points.push_back(llvm::json::Array{table.cells[row * width + x], value});
    if (points.size() > 1)
      lines.push_back(llvm::json::Object{{"name", llvm::json::fixUTF8(each.name)}, {"points", std::move(points)}});
  }
  if (axis.empty() || lines.empty())
    return llvm::createStringError("a drawing wants a range of two values or more that have a price");
  const StringRef kind = StringRef(table.plotted).starts_with("speedup") ? "factor"
                         : StringRef(table.plotted).ends_with("_s")      ? "time"
                                                                         : "number";
  const std::string column = withoutUnit(table.plotted);
  os << llvm::json::Value(llvm::json::Object{{"sweep", llvm::json::Object{{"title", column + " over " + axis},
                                                                          {"axis", axis},
                                                                          {"column", column},
                                                                          {"kind", kind},
                                                                          {"series", std::move(lines)}}}});
  return llvm::Error::success();
}

void writeSweepText(const SweepReport &report, llvm::raw_ostream &os, const TextStyle &style) {
  const SweepTable &table = report.table;
  Page page(os, style.width, style.colour);
  std::vector<Series> series = seriesOf(table);
  size_t axis = firstAxis(table), axes = axisCount(table);
  page.title(table.plotted + (axes ? " over " + table.columns[axis].name : std::string()));
  if (axes > 1)
    page.paragraph("The other ranges at their first values; --format csv has all " + formatExact(table.rows()) +
                   " rows.");
  if (axes) plot(table, series, os);
  for (const Series &each : series) page.paragraph(std::string(1, each.letter) + "  " + each.name, 2, 5);
  if (axes && series.size() > 1) page.paragraph("*  several of them", 2, 5);
  page.line();
  // A column of nothing but zeros says nothing that is worth its room.
  std::vector<size_t> shownColumns{axis};
  for (size_t column = axis + std::max<size_t>(1, axes); column < table.columns.size(); ++column)
    for (size_t row = 0; row < table.rows(); ++row)
      if (table.cells[row * table.columns.size() + column] != 0) {
        shownColumns.push_back(column);
        break;
      }
  Table rows([&] {
    std::vector<Table::Column> columns{{""}};
    for (size_t column : shownColumns) {
      const std::string name = withoutUnit(table.columns[column].name);
      columns.push_back({name == "speedup_common" ? "common" : name, Align::Right});
    }
    return columns;
  }());
  constexpr size_t mostShown = 12;
  for (const Series &each : series)
    for (size_t i = 0; i < std::min(mostShown, each.rows.size()); ++i) {
      size_t shown = std::min(mostShown, each.rows.size());
      size_t row = each.rows[shown > 1 ? i * (each.rows.size() - 1) / (shown - 1) : 0];
      std::vector<std::string> cells{std::string(1, each.letter)};
      for (size_t column : shownColumns) cells.push_back(cellText(table, row, column));
      rows.row(cells);
    }
  page.table(rows);
  for (const std::string &note : table.notes) page.paragraph("- " + note, 2, 4);
}

} // namespace busfare::projection
