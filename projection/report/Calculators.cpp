//===- projection/report/Calculators.cpp - Answers of the calculators -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/Calculators.h"
#include "projection/report/Figures.h"
#include "projection/report/JsonParts.h"
#include "projection/report/Page.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <cstdio>

using llvm::StringRef;

namespace busfare::projection {

static void begin(Stream &json, StringRef output, const Tool &tool, StringRef machine, StringRef description) {
  json.attribute("schema_version", 1);
  json.attribute("output", output);
  json.attributeObject("tool", [&] {
    json.attribute("name", "busfare");
    text(json, "version", tool.version);
  });
  json.attributeObject("machine", [&] {
    text(json, "name", machine);
    text(json, "description", description);
  });
}

/// "1.0 MiB (1,048,576 bytes)"
static std::string sizeOf(double bytes) {
  std::string exact = formatExact(uint64_t(bytes)) + (bytes == 1 ? " byte" : " bytes");
  return bytes < 1024 ? exact : formatBytes(uint64_t(bytes)) + " (" + exact + ")";
}

static std::string titleOf(StringRef what, StringRef machine, StringRef description) {
  return (what + " on " + machine + (description.empty() ? "" : ": " + description)).str();
}

//===--- transfer ---------------------------------------------------------===//

void writeTransfersJson(const TransferAnswer &answer, const Tool &tool, llvm::raw_ostream &os) {
  Stream json(os, 2);
  auto place = [&](double bytes, Direction direction, StringRef memory) {
    json.attribute("bytes", int64_t(bytes));
    json.attribute("direction", toString(direction));
    json.attribute("memory", memory);
  };
  json.object([&] {
    begin(json, "transfers", tool, answer.machine, answer.description);
    json.attribute("reverse", answer.whileReverseBusy ? "busy" : "idle");
    json.attributeArray("transfers", [&] {
      for (const TransferRow &row : answer.rows)
        for (const auto &[model, time] : row.times)
          json.object([&, model = model, time = time] {
            place(row.bytes, row.direction, memoryOf(row));
            json.attribute("model", toString(model));
            number(json, "time_s", time);
          });
    });
    json.attributeArray("projected", [&] {
      for (const TransferRow &row : answer.rows)
        json.object([&] {
          place(row.bytes, row.direction, memoryOf(row));
          json.attribute("method", row.isPiecewise ? "piecewise" : "linear");
          number(json, "time_s", row.projected);
        });
    });
    json.attributeArray("pinning", [&] {
      for (const PinningRow &row : answer.pinning)
        json.object([&] {
          json.attribute("bytes", int64_t(row.bytes));
          json.attribute("direction", toString(row.direction));
          number(json, "pinning_s", row.pinning.pinningTime);
          number(json, "saved_per_copy_s", row.pinning.savedPerCopy);
          number(json, "break_even_copies", row.pinning.repetitions.value_or(NAN));
        });
    });
    json.attributeArray("unavailable", [&] {
      for (const TransferAnswer::Unavailable &each : answer.unavailable)
        json.object([&] {
          json.attribute("model", toString(each.model));
          json.attribute("direction", toString(each.direction));
          text(json, "because", each.because);
        });
    });
  });
  os << '\n';
}

/// One size: a column for each direction and memory kind, a row for each model.
static void showSize(llvm::ArrayRef<TransferRow> rows, Page &page) {
  page.heading(sizeOf(rows.front().bytes));
  std::vector<Table::Column> columns{{"model"}};
  for (const TransferRow &row : rows)
    columns.push_back({(toString(row.direction) + " " + memoryOf(row)).str(), Align::Right});
  Table table(columns);
  std::vector<std::string> projected{"projected"}, bandwidth{""};
  for (const TransferRow &row : rows) {
    projected.push_back(formatTime(row.projected));
    char text[64];
    double rate = row.bytes / row.projected / 1e9;
    std::snprintf(text, sizeof text, rate < 100 ? "%.3g GB/s" : "%.0f GB/s", rate);
    bandwidth.push_back(text);
  }
  table.row(projected);
  table.row(bandwidth);
  for (TransferModel model : transferModels) {
    std::vector<std::string> cells{toString(model).str()};
    bool any = false;
    for (const TransferRow &row : rows) {
      auto found = llvm::find_if(row.times, [&](const auto &each) { return each.first == model; });
      cells.push_back(found == row.times.end() ? "-" : formatTime(found->second));
      any |= found != row.times.end();
    }
    if (any) table.row(cells);
  }
  page.table(table);
}

static void showPinning(const TransferAnswer &answer, Page &page) {
  page.line();
  page.heading("Pinned or pageable memory");
  Table table({{"size", Align::Right},
               {"direction"},
               {"pinning costs", Align::Right},
               {"saves a copy", Align::Right},
               {"pays from"}});
  for (const PinningRow &row : answer.pinning)
    table.row({formatBytes(uint64_t(row.bytes)), toString(row.direction).str(), formatTime(row.pinning.pinningTime),
               formatTime(row.pinning.savedPerCopy),
               !row.pinning.repetitions        ? "never"
               : *row.pinning.repetitions == 1 ? "the first copy"
                                               : formatSize(uint64_t(*row.pinning.repetitions)) + " copies"});
  page.table(table);
}

void writeTransfersText(const TransferAnswer &answer, llvm::raw_ostream &os) {
  Page page(os, 80, false);
  page.title(titleOf(answer.whileReverseBusy ? "Transfers, the other direction busy," : "Transfers", answer.machine,
                     answer.description));
  llvm::ArrayRef<TransferRow> rows = answer.rows;
  while (!rows.empty()) {
    size_t count =
        llvm::find_if(rows, [&](const TransferRow &row) { return row.bytes != rows.front().bytes; }) - rows.begin();
    page.line();
    showSize(rows.take_front(count), page);
    rows = rows.drop_front(count);
  }
  if (!answer.pinning.empty()) showPinning(answer, page);
  page.line();
  bool piecewise = llvm::any_of(answer.rows, [](const TransferRow &row) { return row.isPiecewise; });
  bool linear = llvm::any_of(answer.rows, [](const TransferRow &row) { return !row.isPiecewise; });
  bool ofPeers = llvm::any_of(answer.rows, [](const TransferRow &row) { return row.direction == Direction::Peer; });
  page.paragraph((ofPeers ? std::string("projected is what projections take (of peers, trace alone): ")
                          : std::string("projected is what analyze takes: ")) +
                 (piecewise ? "between the machine's measured transfers" : "") + (piecewise && linear ? ", or " : "") +
                 (linear ? "the linear model" : "") + ".");
  for (const TransferAnswer::Unavailable &each : answer.unavailable)
    page.paragraph(
        (toString(each.direction) + ", " + toString(each.model) + ": not computed, " + each.because + ".").str(), 0, 2);
}

//===--- overlap ----------------------------------------------------------===//

void writeOverlapJson(const Machine &machine, const OverlapQuestion &question, const OverlapAnswer &answer,
                      const Tool &tool, llvm::raw_ostream &os) {
  Stream json(os, 2);
  json.object([&] {
    begin(json, "overlap", tool, machine.name, machine.description);
    json.attribute("h2d_bytes", int64_t(question.h2dBytes));
    json.attribute("d2h_bytes", int64_t(question.d2hBytes));
    number(json, "kernel_s", question.kernel);
    json.attribute("streams", int64_t(answer.streams));
    json.attributeObject("equations", [&] {
      number(json, "explicit", answer.explicitCopies);
      for (size_t i = 0; i < answer.equations.size(); ++i) number(json, std::to_string(i + 1), answer.equations[i]);
      number(json, "hybrid", answer.hybrid);
    });
    json.attribute("applies", std::to_string(answer.applies));
    text(json, "because", answer.because);
    if (answer.withSecondEngine) number(json, "with_second_engine_s", *answer.withSecondEngine);
    else json.attribute("with_second_engine_s", nullptr);
    json.attributeObject("best", [&] {
      json.attribute("strategy", answer.strategy);
      json.attribute("streams", int64_t(answer.bestStreams));
      number(json, "time_s", answer.bestTime);
    });
    json.attributeObject("bounds", [&] {
      number(json, "full_overlap_s", answer.bounds.fullOverlap);
      number(json, "zero_overlap_s", answer.bounds.zeroOverlap);
      number(json, "mapped_s", answer.bounds.mapped);
    });
    json.attributeObject("chunks", [&] {
      number(json, "location_s", answer.location);
      number(json, "bidirectional_s", answer.bidirectional);
    });
    json.attributeArray("notes", [&] {
      for (const std::string &note : answer.notes) json.value(readable(note));
    });
  });
  os << '\n';
}

static void showEquations(const OverlapAnswer &answer, Page &page) {
  page.heading("Equations, " + formatPlural(uint64_t(answer.streams), "stream"));
  Table table({{"equation"}, {"time", Align::Right}, {"for"}});
  static const char *const meanings[] = {"copies wait for kernels, kernel dominates",
                                         "copies wait for kernels, transfers dominate",
                                         "one copy engine, kernel dominates",
                                         "one copy engine, transfers dominate",
                                         "two copy engines",
                                         "device-mapped host memory"};
  table.row({"explicit", formatTime(answer.explicitCopies), "copy, compute, copy"});
  for (size_t i = 0; i < answer.equations.size(); ++i)
    table.row({"(" + std::to_string(i + 1) + ")", formatTime(answer.equations[i]),
               std::string(meanings[i]) + (i + 1 == answer.applies ? "  <- streams on this machine" : "")});
  table.row({"hybrid", formatTime(answer.hybrid), "chunks copied in, results mapped"});
  page.table(table);
}

void writeOverlapText(const Machine &machine, const OverlapQuestion &question, const OverlapAnswer &answer,
                      llvm::raw_ostream &os) {
  Page page(os, 80, false);
  page.title(titleOf("Overlap", machine.name, machine.description));
  page.paragraph("To the device " + sizeOf(question.h2dBytes) + ", to the host " + sizeOf(question.d2hBytes) +
                 ", kernel " + formatTime(question.kernel) + ".");
  page.line();
  std::string streams = answer.strategy == "streams" || answer.strategy == "hybrid"
                            ? ", " + formatPlural(uint64_t(answer.bestStreams), "stream")
                            : "";
  page.paragraph("Best: " + answer.strategy + streams + ", " + formatTime(answer.bestTime) +
                 (answer.strategy == "explicit" ? "; nothing overlaps to any use."
                                                : "; explicit copies take " + formatTime(answer.explicitCopies) + "."));
  page.line();
  showEquations(answer, page);
  page.paragraph("(" + std::to_string(answer.applies) + ") holds for streams: " + answer.because + "." +
                     (answer.withSecondEngine
                          ? " A second copy engine would make it " + formatTime(*answer.withSecondEngine) + ", by (5)."
                          : std::string()),
                 2, 2);
  page.line();
  page.heading("Bounds");
  Table bounds({{"overlap"}, {"time", Align::Right}});
  bounds.row({"full", formatTime(answer.bounds.fullOverlap)});
  bounds.row({"zero", formatTime(answer.bounds.zeroOverlap)});
  bounds.row({"mapped memory", formatTime(answer.bounds.mapped)});
  page.table(bounds);
  page.line();
  page.heading("Pipeline of " + formatPlural(uint64_t(answer.streams), "chunk") + " (CoCoPeLia), a kernel launch each");
  Table chunks({{"transfers"}, {"time", Align::Right}});
  chunks.row({"undisturbed", formatTime(answer.location)});
  chunks.row({"slowed by each other", formatTime(answer.bidirectional)});
  page.table(chunks);
  if (answer.notes.empty()) return;
  page.line();
  page.heading("Assumed");
  for (const std::string &note : answer.notes) page.paragraph(note, 2, 4);
}

} // namespace busfare::projection
