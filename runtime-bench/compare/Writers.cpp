//===- runtime-bench/compare/Writers.cpp - A comparison as CSV, table and plot ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/compare/Writers.h"
#include "projection/Machine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <cstdio>

using llvm::StringRef;

namespace busfare::bench {

static std::string digits(const char *format, double value) {
  char text[48];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

static std::string quoted(const std::string &text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result = "\"";
  for (char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

void writeCsv(const Comparison &comparison, llvm::raw_ostream &os) {
  os << "program,variant,kind,what,count,bytes,measured,projected,error_percent\n";
  for (const ErrorRow &row : comparison.rows)
    os << quoted(row.program) << ',' << quoted(row.variant) << ',' << toString(row.kind) << ',' << quoted(row.what)
       << ',' << digits("%.0f", row.count) << ',' << (row.bytes > 0 ? digits("%.0f", row.bytes) : "") << ','
       << digits("%.7g", row.measured) << ',' << digits("%.7g", row.projected) << ','
       << digits("%.1f", 100 * errorOf(row)) << '\n';
}

/// 1.23 ms; a speedup 1.23x.
static std::string shown(const ErrorRow &row, double value) {
  if (row.kind == RowKind::Speedup) return digits("%.2fx", value);
  for (const auto &[unit, size] : {std::pair("s", 1.0), {"ms", 1e-3}, {"us", 1e-6}})
    if (value >= size) return digits("%.3g ", value / size) + unit;
  return digits("%.3g ns", value * 1e9);
}

void writeTable(const Comparison &comparison, llvm::raw_ostream &os) {
  std::vector<std::vector<std::string>> lines{
      {"program", "variant", "kind", "what", "count", "measured", "projected", "error"}};
  for (const ErrorRow &row : comparison.rows)
    lines.push_back({row.program, row.variant, toString(row.kind).str(),
                     row.what + (row.bytes > 0 ? " " + digits("%.0f B", row.bytes) : ""), digits("%.0f", row.count),
                     shown(row, row.measured), shown(row, row.projected), digits("%+.1f %%", 100 * errorOf(row))});
  std::vector<size_t> widths(lines.front().size());
  for (const auto &line : lines)
    for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  for (const auto &line : lines) {
    std::string text;
    for (size_t i = 0; i < line.size(); ++i) {
      const std::string blanks(widths[i] - line[i].size(), ' ');
      text += (i ? "  " : "") + (i < 4 ? line[i] + blanks : blanks + line[i]);
    }
    os << StringRef(text).rtrim() << '\n';
  }
  for (const std::string &note : comparison.notes) os << "- " << note << ".\n";
  for (RowKind kind : {RowKind::Kernel, RowKind::Transfer, RowKind::Host})
    if (Spread spread = spreadOf(comparison.rows, kind); spread.samples)
      os << "- " << toString(kind) << ": one standard deviation of the error is "
         << (std::expm1(spread.deviation) < 1 ? digits("%.1f %%", 100 * std::expm1(spread.deviation))
                                              : digits("a factor of %.3g", std::exp(spread.deviation)))
         << ", of " << spread.samples << (spread.samples == 1 ? " row" : " rows") << ".\n";
}

void writePlot(const Comparison &comparison, llvm::raw_ostream &os) {
  constexpr double size = 480, margin = 60;
  double low = INFINITY, high = 0;
  for (const ErrorRow &row : comparison.rows)
    if (row.kind != RowKind::Speedup) {
      low = std::min({low, row.measured, row.projected});
      high = std::max({high, row.measured, row.projected});
    }
  if (!(low < INFINITY)) low = 1e-6, high = 1;
  const int first = int(std::floor(std::log10(low))), last = std::max(first + 1, int(std::ceil(std::log10(high))));
  auto place = [&](double value) { return (std::log10(value) - first) / (last - first) * size; };
  auto x = [&](double value) { return digits("%.1f", margin + place(value)); };
  auto y = [&](double value) { return digits("%.1f", 20 + size - place(value)); };
  static const std::pair<RowKind, const char *> colours[] = {{RowKind::Kernel, "#1b6ca8"},
                                                             {RowKind::Transfer, "#c0392b"},
                                                             {RowKind::Plan, "#2e7d32"},
                                                             {RowKind::Host, "#8e6c00"}};
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 " << size + 80
     << "\" font-family=\"sans-serif\" font-size=\"12\">\n<title>Projected against measured seconds</title>\n"
     << "<rect x=\"" << margin << "\" y=\"20\" width=\"" << size << "\" height=\"" << size
     << "\" fill=\"none\" stroke=\"#888\"/>\n";
  for (int power = first; power <= last; ++power) {
    const double value = std::pow(10.0, power);
    os << "<text x=\"" << x(value) << "\" y=\"" << size + 36 << "\" text-anchor=\"middle\">1e" << power
       << "</text>\n<text x=\"" << margin - 6 << "\" y=\"" << y(value) << "\" text-anchor=\"end\">1e" << power
       << "</text>\n";
  }
  os << "<text x=\"" << margin + size / 2 << "\" y=\"" << size + 60
     << "\" text-anchor=\"middle\">measured, s</text>\n<text x=\"14\" y=\"" << 20 + size / 2
     << "\" text-anchor=\"middle\" transform=\"rotate(-90 14 " << 20 + size / 2 << ")\">projected, s</text>\n";
  const double begin = std::pow(10.0, first), end = std::pow(10.0, last);
  os << "<line x1=\"" << x(begin) << "\" y1=\"" << y(begin) << "\" x2=\"" << x(end) << "\" y2=\"" << y(end)
     << "\" stroke=\"#888\"/>\n";
  double legend = 40;
  for (const auto &[kind, colour] : colours) {
    bool any = false;
    for (const ErrorRow &row : comparison.rows) {
      if (row.kind != kind) continue;
      any = true;
      std::string name =
          row.program + " " + row.variant + " " + row.what + ": " + digits("%+.1f %%", 100 * errorOf(row));
      std::string escaped;
      llvm::raw_string_ostream stream(escaped);
      llvm::printHTMLEscaped(name, stream);
      os << "<circle cx=\"" << x(row.measured) << "\" cy=\"" << y(row.projected) << "\" r=\"4\" fill=\"" << colour
         << "\" fill-opacity=\"0.7\"><title>" << escaped << "</title></circle>\n";
    }
    if (!any) continue;
    os << "<circle cx=\"" << margin + size + 20 << "\" cy=\"" << legend - 4 << "\" r=\"4\" fill=\"" << colour
       << "\"/><text x=\"" << margin + size + 32 << "\" y=\"" << legend << "\">" << toString(kind) << "</text>\n";
    legend += 20;
  }
  os << "</svg>\n";
}

llvm::Expected<std::string> withErrors(StringRef machineText, StringRef file, const Comparison &comparison,
                                       std::vector<std::string> &changed) {
  llvm::Expected<projection::Machine> machine = projection::parseMachine(machineText, file);
  if (!machine) return machine.takeError();
  const std::tuple<RowKind, const char *, projection::Quantity projection::ModelErrors::*> errors[] = {
      {RowKind::Kernel, "kernel", &projection::ModelErrors::kernel},
      {RowKind::Transfer, "transfer", &projection::ModelErrors::transfer},
      {RowKind::Host, "cpu", &projection::ModelErrors::cpu}};
  for (const auto &[kind, key, member] : errors) {
    const Spread spread = spreadOf(comparison.rows, kind);
    if (spread.samples < leastSamples) continue;
    projection::Quantity &quantity = machine->errors.*member;
    quantity.value = spread.deviation;
    quantity.kind = projection::SourceKind::Measured;
    quantity.source = "busfare-bench compare: one standard deviation of the logarithm of projected over measured, " +
                      std::to_string(spread.samples) + " rows of kind " + toString(kind).str();
    changed.push_back("errors." + std::string(key));
  }
  return llvm::formatv("{0:2}", projection::toJson(*machine)).str() + "\n";
}

} // namespace busfare::bench
