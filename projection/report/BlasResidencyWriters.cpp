//===- projection/report/BlasResidencyWriters.cpp - BLAS calls of a program ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/BlasResidencyWriters.h"
#include "projection/report/Figures.h"
#include "projection/report/Page.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <cmath>

namespace busfare::projection {

static std::string times(double count) {
  return count == std::floor(count) ? formatExact(uint64_t(count)) : llvm::formatv("{0:f1}", count).str();
}

static std::string timeOf(const std::optional<double> &time) { return time ? formatTime(*time) : "unknown"; }

static void writeRoot(const RootResidency &root, const Residency &residency, Page &page) {
  page.title("BLAS calls of " + root.root + " on " + residency.machine);
  if (!root.isReached) page.paragraph("No root of the program is seen to call it: the counts are of one call.");
  Table calls({{"call"},
               {"routine"},
               {"times", Align::Right},
               {"host", Align::Right},
               {"offloaded", Align::Right},
               {"inputs kept", Align::Right}});
  for (const ResidentCall &call : root.calls)
    calls.row({toString(call.location), call.routine, times(call.count), timeOf(call.host), timeOf(call.offloaded),
               timeOf(call.kept)});
  page.table(calls);
  for (const ResidentCall &call : root.calls)
    if (!call.why.empty()) page.paragraph("- " + toString(call.location) + " has no price: " + call.why + ".", 2, 4);
  if (root.matrices.empty()) return;
  page.line();
  page.heading("Matrices that calls read");
  Table matrices({{"matrix"},
                  {"bytes", Align::Right},
                  {"read", Align::Right},
                  {"crosses", Align::Right},
                  {"there again", Align::Right},
                  {"changed in between by"}});
  for (const ResidentMatrix &matrix : root.matrices) {
    if (matrix.uses <= 0) continue;
    std::vector<std::string> by;
    for (const auto &[place, count] : matrix.changed) by.push_back(place);
    matrices.row({matrix.name, formatBytes(uint64_t(std::llround(matrix.bytes))), times(matrix.uses),
                  times(matrix.crossings), times(matrix.again()), llvm::join(by, ", ")});
  }
  page.table(matrices);
  page.line();
  const double saved = savedBy(root);
  page.paragraph(saved > 0 ? "- Kept on the device, inputs save " + formatTime(saved) +
                                 " of one run, where each call runs where it is faster."
                           : std::string("- Keeping inputs on the device saves nothing here."),
                 2, 4);
  for (const ResidentMatrix &matrix : root.matrices)
    if (matrix.isUnsure)
      page.paragraph("- " + matrix.name +
                         ": some calls read a part of it that may be another one each time; it is taken to cross "
                         "for each of them.",
                     2, 4);
  if (root.mostBytes > residency.deviceBytes)
    page.paragraph("- All that is kept, " + formatBytes(uint64_t(std::llround(root.mostBytes))) +
                       ", does not fit on the device (" + formatBytes(uint64_t(std::llround(residency.deviceBytes))) +
                       "): some of it has to cross more often.",
                   2, 4);
  if (!root.assumptions.empty())
    page.paragraph("- Assumed: " + llvm::join(root.assumptions, ", ") + "; --param NAME=VALUE says otherwise.", 2, 4);
  page.paragraph("- Results go back at the end of each call. libbusfare-blas keeps what busfare_blas_keep names, until "
                 "busfare_blas_changed (runtime-bench/blas).",
                 2, 4);
}

void writeResidencyText(const Residency &residency, llvm::raw_ostream &os, const TextStyle &style) {
  Page page(os, style.width, style.colour);
  if (residency.roots.empty()) page.paragraph("No BLAS calls in this program.");
  bool first = true;
  for (const RootResidency &root : residency.roots) {
    if (!first) page.line();
    first = false;
    writeRoot(root, residency, page);
  }
}

void writeResidencyJson(const Residency &residency, llvm::raw_ostream &os) {
  auto orNull = [](const std::optional<double> &value) {
    return value ? llvm::json::Value(*value) : llvm::json::Value(nullptr);
  };
  llvm::json::Array roots;
  for (const RootResidency &root : residency.roots) {
    llvm::json::Array calls, matrices;
    for (const ResidentCall &call : root.calls)
      calls.push_back(llvm::json::Object{{"location", toString(call.location)},
                                         {"call", call.call},
                                         {"routine", call.routine},
                                         {"count", call.count},
                                         {"host_s", orNull(call.host)},
                                         {"offloaded_s", orNull(call.offloaded)},
                                         {"kept_s", orNull(call.kept)},
                                         {"why_not", call.why}});
    for (const ResidentMatrix &matrix : root.matrices) {
      if (matrix.uses <= 0) continue;
      llvm::json::Array changed;
      for (const auto &[place, count] : matrix.changed)
        changed.push_back(llvm::json::Object{{"location", place}, {"count", count}});
      matrices.push_back(llvm::json::Object{{"name", matrix.name},
                                            {"bytes", matrix.bytes},
                                            {"uses", matrix.uses},
                                            {"crossings", matrix.crossings},
                                            {"again", matrix.again()},
                                            {"sure", !matrix.isUnsure},
                                            {"changed", std::move(changed)}});
    }
    roots.push_back(llvm::json::Object{{"root", root.root},
                                       {"reached", root.isReached},
                                       {"calls", std::move(calls)},
                                       {"matrices", std::move(matrices)},
                                       {"assumptions", llvm::json::Array(root.assumptions)},
                                       {"saved_s", savedBy(root)},
                                       {"most_bytes", root.mostBytes}});
  }
  llvm::json::Value value =
      llvm::json::Object{{"schema_version", 1},
                         {"output", "residency"},
                         {"tool", llvm::json::Object{{"name", "busfare"}, {"version", residency.version}}},
                         {"machine", residency.machine},
                         {"device_bytes", residency.deviceBytes},
                         {"roots", std::move(roots)}};
  os << llvm::formatv("{0:2}\n", value);
}

} // namespace busfare::projection
