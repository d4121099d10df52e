//===- projection/report/TraceWriters.cpp - A trace's estimate as text ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/TraceWriters.h"
#include "projection/report/Figures.h"
#include "projection/report/Page.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using llvm::StringRef;

namespace busfare::projection {

static std::string copies(uint64_t number) { return formatExact(number) + (number == 1 ? " copy" : " copies"); }

static double shareOf(double part, double whole) { return whole > 0 ? part / whole : 0; }

//===--- Text -------------------------------------------------------------===//

static std::string bar(double share) { return std::string(size_t(share * 16 + 0.5), '#'); }

static std::string nameOf(const CopyGroup &group) {
  return toString(group.kind).str() + (group.symbol ? " symbol" : "");
}

static std::string memoryOf(const CopyGroup &group) {
  bool hasHost = group.kind == TraceKind::ToDevice || group.kind == TraceKind::ToHost;
  return hasHost ? toString(group.memory).str() : "";
}

static void writeKinds(const Estimate &estimate, Page &page) {
  page.heading("Copies");
  Table table({{"kind"},
               {"memory"},
               {"copies", Align::Right},
               {"bytes", Align::Right},
               {"recorded", Align::Right},
               {"predicted", Align::Right},
               {"at peak", Align::Right},
               {"envelope", Align::Right}});
  auto row = [&](std::string kind, std::string memory, const CopySums &sums) {
    bool known = sums.unknown < sums.count;
    auto predicted = [&](Predictor which) {
      return known ? formatTime(sums.predicted[which]) : std::string("unknown");
    };
    table.row({std::move(kind), std::move(memory), formatExact(sums.count), formatBytes(sums.bytes),
               formatTime(sums.recorded), predicted(PredictedByModel), predicted(PredictedByPeak),
               predicted(PredictedByEnvelope)});
  };
  for (const CopyGroup &group : estimate.byKind) row(nameOf(group), memoryOf(group), group.sums);
  if (estimate.byKind.size() > 1) row("all", "", estimate.transfers);
  page.table(table);
  if (estimate.transfers.unknown)
    page.paragraph(copies(estimate.transfers.unknown) +
                       " of a kind that the machine file says nothing of: the recorded time stays.",
                   2, 2);
}

static void writeSizes(const Estimate &estimate, Page &page) {
  page.line();
  page.heading("Sizes, and their shares of the copies and of the recorded time");
  Table table({{"below", Align::Right},
               {"copies", Align::Right},
               {""},
               {"recorded", Align::Right},
               {""},
               {"predicted", Align::Right}});
  for (const SizeBin &bin : estimate.histogram) {
    double ofCopies = shareOf(double(bin.sums.count), double(estimate.transfers.count));
    double ofTime = shareOf(bin.sums.recorded, estimate.transfers.recorded);
    table.row({formatBytes(bin.below), formatExact(bin.sums.count), bar(ofCopies), formatTime(bin.sums.recorded),
               bar(ofTime), formatTime(bin.sums.predicted[PredictedByModel])});
  }
  page.table(table);
  page.line();
  page.heading("The copies that took longest");
  Table longest({{"kind"},
                 {"memory"},
                 {"each", Align::Right},
                 {"copies", Align::Right},
                 {"recorded", Align::Right},
                 {"predicted", Align::Right}});
  for (const CopyGroup &group : llvm::ArrayRef(estimate.bySize).take_front(8))
    longest.row({nameOf(group), memoryOf(group), formatBytes(group.bytes), formatExact(group.sums.count),
                 formatTime(group.sums.recorded), formatTime(group.sums.predicted[PredictedByModel])});
  page.table(longest);
  if (estimate.bySize.size() > 8)
    page.paragraph("and " + formatPlural(estimate.bySize.size() - 8, "other size") + "; --format csv has them", 2, 2);
}

static void writeTimeline(const Estimate &estimate, Page &page) {
  page.line();
  page.heading("Timeline, rebuilt with the predicted transfers and the recorded kernels");
  Table table({{""}, {"recorded", Align::Right}, {"predicted", Align::Right}});
  const Busy &before = estimate.before, &after = estimate.after;
  const std::pair<const char *, double Busy::*> rows[] = {{"first start to last end", &Busy::span},
                                                          {"copying", &Busy::transfers},
                                                          {"computing", &Busy::kernels},
                                                          {"copying while computing", &Busy::both},
                                                          {"neither", &Busy::idle}};
  for (const auto &[name, member] : rows) table.row({name, formatTime(before.*member), formatTime(after.*member)});
  page.table(table);
}

static void writeAdvice(const TraceReport &report, Page &page) {
  const Estimate &estimate = report.estimate;
  const CopySums &all = estimate.transfers;
  page.line();
  auto say = [&](const std::string &text) { page.paragraph(text, 2, 4); };
  page.heading("What it says");
  say("- Tiny copies, of at most " + formatBytes(tinyBytes) + ": " +
      formatPercent(shareOf(double(estimate.tiny.count), double(all.count))) + " of them, " +
      formatPercent(shareOf(estimate.tiny.recorded, all.recorded)) +
      " of their time. No bus makes them faster; sending several as one does.");
  if (estimate.symbols.count)
    say("- Copies to or from symbols (constants): " +
        formatPercent(shareOf(double(estimate.symbols.count), double(all.count))) + " of the copies, " +
        formatPercent(shareOf(estimate.symbols.recorded, all.recorded)) +
        " of their time. Kernel arguments cost nothing of the kind.");
  if (estimate.pageableBytes) {
    say("- Pageable memory: " + formatBytes(estimate.pageableBytes) + " take " +
        formatTime(estimate.pageablePredicted) + " there; from pinned memory they would take " +
        formatTime(estimate.pageableAsPinned) + ".");
    say(estimate.scaledPageable
            ? "- Pageable copies are what was recorded times the ratio of the two machines' models: staging is not linear."
            : "- Pageable copies are staged, which is not linear: --from MACHINE scales what was recorded instead.");
  }
  if (!estimate.source.hasMemoryKinds)
    say("- The trace does not say which copies were pinned: all are taken as pinned.");
  if (estimate.source.withoutTime)
    say("- Left out, as the profiler has no times of them: " + formatPlural(estimate.source.withoutTime, "operation") +
        ".");
  say("- Pinned copies: " +
      (report.model == "sweep" ? std::string("what was measured on " + report.to)
                               : "the " + report.model + " model of " + report.to) +
      (report.latencyFromSource ? ", with latencies measured on " + report.from + "." : "."));
  if (estimate.sourceWmape)
    say("- On " + report.from + " itself the models are off by " + formatPercent(*estimate.sourceWmape) +
        " (WMAPE) on what was recorded.");
  say("- Kernels keep the times they took: this is about the bus alone.");
}

static std::string percent(double share) { return std::isnan(share) ? "-" : formatPercent(share); }

static void writeAccuracy(const Accuracy &accuracy, StringRef file, Page &page) {
  page.line();
  page.heading("Against " + file.str());
  Table table({{""}, {"WMAPE", Align::Right}, {"|A-P|/P", Align::Right}});
  static constexpr const char *names[] = {"this prediction", "peak bandwidth with latency", "back of the envelope"};
  for (size_t i = 0; i < std::size(names); ++i)
    table.row({names[i], percent(accuracy.wmape[i]), percent(accuracy.ofPredicted[i])});
  page.table(table);
  page.paragraph("Over " + copies(accuracy.matched) + " that took " + formatTime(accuracy.measured) + "; " +
                     std::to_string(accuracy.unmatched) +
                     " have none of their kind and size in the trace. WMAPE is sum |A - P| / sum A; the "
                     "last column is the mean of |A - P| / P, weighted by A.",
                 2, 2);
}

void writeTraceText(const TraceReport &report, llvm::raw_ostream &os, const TextStyle &style) {
  const Estimate &estimate = report.estimate;
  Page page(os, style.width, style.colour);
  page.title(report.file + " on " + report.to);
  const CopySums &all = estimate.transfers;
  if (all.count == 0) {
    page.paragraph("No copies in " + formatTime(estimate.gpuTime()) +
                   " of GPU time: the bus does not matter to this program.");
    return;
  }
  page.paragraph("Transfers took " + formatTime(all.recorded) + " of " + formatTime(estimate.gpuTime()) +
                 " of GPU time (" + formatPercent(shareOf(all.recorded, estimate.gpuTime())) + "); there they take " +
                 formatTime(all.predicted[PredictedByModel]) + ", " +
                 formatFactor(shareOf(all.recorded, all.predicted[PredictedByModel])) + " as fast.");
  std::string where = estimate.source.devices.empty() ? std::string("a GPU that it does not name")
                                                      : llvm::join(estimate.source.devices, ", ");
  page.paragraph("Traced on " + where + " (" + estimate.source.layout +
                 (estimate.source.version.empty() ? "" : " " + estimate.source.version) + "), " +
                 formatPlural(estimate.source.streams, "stream") + ", " + formatPlural(estimate.kernels, "kernel") +
                 ", " + formatPlural(estimate.fills, "fill") + ".");
  page.line();
  writeKinds(estimate, page);
  writeSizes(estimate, page);
  writeTimeline(estimate, page);
  if (estimate.accuracy) writeAccuracy(*estimate.accuracy, report.measured, page);
  writeAdvice(report, page);
}

//===--- JSON and CSV -----------------------------------------------------===//

static llvm::json::Value orNull(double value) {
  return std::isfinite(value) ? llvm::json::Value(value) : llvm::json::Value(nullptr);
}

static llvm::json::Object jsonOf(const CopySums &sums) {
  return llvm::json::Object{{"count", int64_t(sums.count)},
                            {"bytes", int64_t(sums.bytes)},
                            {"recorded_s", sums.recorded},
                            {"predicted_s", sums.predicted[PredictedByModel]},
                            {"peak_s", orNull(sums.predicted[PredictedByPeak])},
                            {"envelope_s", orNull(sums.predicted[PredictedByEnvelope])},
                            {"unknown", int64_t(sums.unknown)}};
}

static llvm::json::Object jsonOf(const CopyGroup &group) {
  llvm::json::Object object = jsonOf(group.sums);
  object["kind"] = toString(group.kind);
  object["memory"] = toString(group.memory);
  object["symbol"] = group.symbol;
  return object;
}

static llvm::json::Object jsonOf(const Busy &busy) {
  return llvm::json::Object{{"span_s", busy.span},
                            {"transfers_s", busy.transfers},
                            {"kernels_s", busy.kernels},
                            {"both_s", busy.both},
                            {"idle_s", busy.idle}};
}

static llvm::json::Object predictors(const std::array<double, 3> &values) {
  return llvm::json::Object{{"predicted", values[PredictedByModel]},
                            {"peak", orNull(values[PredictedByPeak])},
                            {"envelope", orNull(values[PredictedByEnvelope])}};
}

static llvm::json::Value jsonOf(const std::optional<Accuracy> &accuracy, const std::string &file) {
  if (!accuracy) return nullptr;
  return llvm::json::Object{
      {"file", llvm::json::fixUTF8(file)},         {"matched", int64_t(accuracy->matched)},
      {"unmatched", int64_t(accuracy->unmatched)}, {"measured_s", accuracy->measured},
      {"wmape", predictors(accuracy->wmape)},      {"of_predicted", predictors(accuracy->ofPredicted)}};
}

/// How much of all copies, by their number and their recorded time, some of them are.
static llvm::json::Object sharesOf(const CopySums &some, const CopySums &all) {
  return llvm::json::Object{{"count", int64_t(some.count)},
                            {"count_share", shareOf(double(some.count), double(all.count))},
                            {"time_share", shareOf(some.recorded, all.recorded)}};
}

/// The lists of copies: by kind, by size, and the histogram.
static void addLists(const Estimate &estimate, llvm::json::Object &object) {
  llvm::json::Array kinds, sizes, histogram;
  for (const CopyGroup &group : estimate.byKind) kinds.push_back(jsonOf(group));
  for (const CopyGroup &group : estimate.bySize) {
    llvm::json::Object copies = jsonOf(group);
    copies["each_bytes"] = int64_t(group.bytes);
    sizes.push_back(std::move(copies));
  }
  for (const SizeBin &bin : estimate.histogram) {
    llvm::json::Object copies = jsonOf(bin.sums);
    copies["below_bytes"] = double(bin.below);
    histogram.push_back(std::move(copies));
  }
  object["by_kind"] = std::move(kinds);
  object["by_size"] = std::move(sizes);
  object["sizes_left_out"] = int64_t(estimate.moreSizes);
  object["histogram"] = std::move(histogram);
}

void writeTraceJson(const TraceReport &report, llvm::raw_ostream &os) {
  const Estimate &estimate = report.estimate;
  const CopySums &all = estimate.transfers;
  llvm::json::Array devices;
  for (const std::string &device : estimate.source.devices) devices.push_back(llvm::json::fixUTF8(device));
  llvm::json::Object tiny = sharesOf(estimate.tiny, all);
  tiny["at_most_bytes"] = int64_t(tinyBytes);
  llvm::json::Object object{
      {"schema_version", 1},
      {"output", "trace"},
      {"tool", llvm::json::Object{{"name", "busfare"}, {"version", report.version}}},
      {"file", llvm::json::fixUTF8(report.file)},
      {"layout", estimate.source.layout},
      {"layout_version", llvm::json::fixUTF8(estimate.source.version)},
      {"devices", std::move(devices)},
      {"to", report.to},
      {"from", report.from.empty() ? llvm::json::Value(nullptr) : llvm::json::Value(report.from)},
      {"model", report.model},
      {"latency_from_source", report.latencyFromSource},
      {"source_wmape", estimate.sourceWmape ? llvm::json::Value(*estimate.sourceWmape) : llvm::json::Value(nullptr)},
      {"gpu_time_s", llvm::json::Object{{"transfers", all.recorded},
                                        {"kernels", estimate.kernelTime},
                                        {"fills", estimate.fillTime},
                                        {"total", estimate.gpuTime()}}},
      {"kernels", int64_t(estimate.kernels)},
      {"fills", int64_t(estimate.fills)},
      {"transfers", jsonOf(all)},
      {"transfer_share", shareOf(all.recorded, estimate.gpuTime())},
      {"tiny", std::move(tiny)},
      {"symbols", sharesOf(estimate.symbols, all)},
      {"pageable", llvm::json::Object{{"bytes", int64_t(estimate.pageableBytes)},
                                      {"predicted_s", estimate.pageablePredicted},
                                      {"as_pinned_s", estimate.pageableAsPinned},
                                      {"scaled", estimate.scaledPageable}}},
      {"timeline", llvm::json::Object{{"recorded", jsonOf(estimate.before)}, {"predicted", jsonOf(estimate.after)}}},
      {"without_time", int64_t(estimate.source.withoutTime)},
      {"accuracy", jsonOf(estimate.accuracy, report.measured)}};
  addLists(estimate, object);
  os << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(object)));
}

void writeTraceCsv(const TraceReport &report, llvm::raw_ostream &os) {
  os << "kind,memory,symbol,each_bytes,count,recorded_s,predicted_s,peak_s,envelope_s\n";
  for (const CopyGroup &group : report.estimate.bySize) {
    os << toString(group.kind) << ',' << toString(group.memory) << ',' << (group.symbol ? "yes" : "no") << ','
       << group.bytes << ',' << group.sums.count << llvm::formatv(",{0:E9}", group.sums.recorded);
    for (double predicted : group.sums.predicted)
      os << (std::isfinite(predicted) ? llvm::formatv(",{0:E9}", predicted).str() : std::string(","));
    os << '\n';
  }
}

} // namespace busfare::projection
