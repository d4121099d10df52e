//===- projection/report/PapersWriters.cpp - Published figures as text ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/PapersWriters.h"
#include "projection/report/Figures.h"
#include "projection/report/Page.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <cstdio>

namespace busfare::projection {

/// Up to seven significant digits, as published figures have at most.
static std::string figure(double value, const std::string &unit) {
  char text[64];
  if (value == std::floor(value) && std::fabs(value) < 1e15) std::snprintf(text, sizeof text, "%.0f", value);
  else std::snprintf(text, sizeof text, "%.7g", value);
  return std::string(text) + (unit.empty() || unit == "x" ? unit : " " + unit);
}

static std::string signedPercent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, std::fabs(share) < 0.0995 ? "%+.1f %%" : "%+.0f %%", 100 * share);
  return std::fabs(share) < 5e-6 ? "0" : std::fabs(share) < 5e-4 ? (share > 0 ? "+0.0 %" : "-0.0 %") : text;
}

/// The paper's own wording of a row's fate.
static std::string fateOf(const PaperRow &row) {
  return !row.claimed ? "not claimed" : row.holds() ? "holds" : "FAILS";
}

void writePapersText(llvm::ArrayRef<PaperRow> rows, llvm::raw_ostream &os, const TextStyle &style) {
  Page page(os, style.width, style.colour);
  size_t claimed = llvm::count_if(rows, [](const PaperRow &row) { return row.claimed; });
  size_t held = llvm::count_if(rows, [](const PaperRow &row) { return row.claimed && row.holds(); });
  page.title("Published figures");
  page.paragraph(std::to_string(held) + " of " + std::to_string(claimed) + " claimed figures hold; " +
                 std::to_string(rows.size() - claimed) + " more are shown that do not follow from what is published.");
  for (size_t first = 0; first < rows.size();) {
    size_t end = first;
    while (end < rows.size() && rows[end].paper == rows[first].paper) ++end;
    page.line();
    page.heading(rows[first].paper);
    Table table({{"figure"}, {"published", Align::Right}, {"ours", Align::Right}, {"off by", Align::Right}, {""}});
    for (const PaperRow &row : rows.slice(first, end - first)) {
      std::optional<double> error = row.error();
      table.row({row.item, figure(row.published, row.unit), row.ours ? figure(*row.ours, row.unit) : "-",
                 error ? signedPercent(*error) : "", fateOf(row)});
      if (!row.why.empty()) table.note(row.why);
    }
    page.table(table);
    first = end;
  }
}

void writePapersJson(llvm::ArrayRef<PaperRow> rows, llvm::StringRef version, llvm::raw_ostream &os) {
  auto orNull = [](const std::optional<double> &value) {
    return value && std::isfinite(*value) ? llvm::json::Value(*value) : llvm::json::Value(nullptr);
  };
  llvm::json::Array list;
  for (const PaperRow &row : rows)
    list.push_back(llvm::json::Object{{"paper", row.paper},
                                      {"item", row.item},
                                      {"published", row.published},
                                      {"ours", orNull(row.ours)},
                                      {"unit", row.unit},
                                      {"error", orNull(row.error())},
                                      {"allowed", row.allowed},
                                      {"or_less", row.orLess},
                                      {"claimed", row.claimed},
                                      {"holds", row.holds()},
                                      {"why", row.why}});
  llvm::json::Value value = llvm::json::Object{{"schema_version", 1},
                                               {"output", "papers"},
                                               {"tool", llvm::json::Object{{"name", "busfare"}, {"version", version}}},
                                               {"rows", std::move(list)}};
  os << llvm::formatv("{0:2}\n", value);
}

} // namespace busfare::projection
