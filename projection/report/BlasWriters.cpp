//===- projection/report/BlasWriters.cpp - A BLAS call's tiles as text ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/BlasWriters.h"
#include "projection/report/Figures.h"
#include "projection/report/Page.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace busfare::projection {

static std::string shapeOf(const BlasCall &call) {
  std::vector<std::string> sizes;
  for (double dimension : call.dimensions) sizes.push_back(formatExact(uint64_t(dimension)));
  return call.routine + " " + llvm::join(sizes, " x ");
}

/// Which tiles are printed when there are many: up to 12, evenly spread, the first, the last and the selected one among
/// them.
static std::vector<size_t> shown(const BlasAnswer &answer) {
  std::vector<size_t> rows;
  size_t count = answer.tiles.size(), most = 12;
  for (size_t i = 0; i < count; ++i) {
    bool spread = count <= most || i == count - 1 ||
                  i * (most - 1) / (count - 1) != (i ? (i - 1) * (most - 1) / (count - 1) : most);
    if (spread || i == answer.selected) rows.push_back(i);
  }
  return rows;
}

void writeBlasText(const BlasReport &report, llvm::raw_ostream &os, const TextStyle &style) {
  const BlasAnswer &answer = report.answer;
  const BlasCall &call = answer.call;
  Page page(os, style.width, style.colour);
  page.title(shapeOf(call) + " on " + report.machine);
  if (answer.selected) {
    const TileTimes &best = answer.tiles[*answer.selected];
    const TileTimes &paper = answer.tiles[*answer.bestByEquation];
    const char *equation = call.level == 3 ? "equation (5)" : "equation (4)";
    auto byEquation = [&](const TileTimes &times) {
      return formatTime(call.level == 3 ? *times.reuse : times.bidirectional);
    };
    page.paragraph("T = " + formatExact(uint64_t(best.tile)) + ": " +
                   (best.pipeline ? formatTime(*best.pipeline) + " played through copy by copy; " : std::string()) +
                   byEquation(best) +
                   (call.level == 3 ? " with every tile brought in once, " : " with copies both ways at a time, ") +
                   equation + ".");
    if (&paper != &best)
      page.paragraph(std::string("By ") + equation + " alone it would be T = " + formatExact(uint64_t(paper.tile)) +
                     ": " + byEquation(paper) +
                     (paper.pipeline ? ", played through " + formatTime(*paper.pipeline) : std::string()) + ".");
  } else {
    page.paragraph("Does not fit: " + formatBytes(uint64_t(answer.deviceBytes)) +
                   " are more than the device's memory. No tile is selected.");
  }
  std::vector<std::string> in, out;
  for (const BlasOperand &operand : call.operands) {
    if (operand.comesIn) in.push_back(operand.name);
    if (operand.goesBack) out.push_back(operand.name);
  }
  auto list = [](const std::vector<std::string> &names) {
    return names.empty() ? std::string("nothing") : llvm::join(names, ", ");
  };
  page.paragraph("Comes in: " + list(in) + ". Goes back: " + list(out) + ".");
  page.line();
  Table table({{"T", Align::Right},
               {"kernel", Align::Right},
               {"k", Align::Right},
               {"(1)", Align::Right},
               {"(2)", Align::Right},
               {"(4)", Align::Right},
               {"(5)", Align::Right},
               {"queues", Align::Right},
               {"CSO", Align::Right}});
  for (size_t i : shown(answer)) {
    const TileTimes &times = answer.tiles[i];
    table.row({std::string(i == answer.selected ? "* " : "") + formatExact(uint64_t(times.tile)),
               formatTime(times.tileTime),
               llvm::formatv(times.subkernels < 1000 ? "{0:F1}" : "{0:F0}", times.subkernels).str(),
               formatTime(times.baseline), formatTime(times.location), formatTime(times.bidirectional),
               times.reuse ? formatTime(*times.reuse) : "-", times.pipeline ? formatTime(*times.pipeline) : "-",
               formatTime(times.cso)});
  }
  page.table(table, 0);
  page.paragraph(
      "(1) all operands both ways, (2) only what must move, (4) copies both ways at a time, (5) each tile brought in once; "
      "queues: copies and kernels played through, rests of tiles and both directions included; CSO: van "
      "Werkhoven's equation (5), a stream for each of the k subkernels, the kernel's time linear in the work.",
      2, 2);
  if (!answer.measured || !answer.slowdownsKnown || answer.tooLarge) page.line();
  if (!answer.measured)
    page.paragraph(
        "- The kernel's times are a roofline in waves of thread blocks, at the machine's peaks. cuBLAS takes up to twice that on "
        "small tiles: give what you measured with --tile-table.",
        2, 4);
  if (!answer.slowdownsKnown)
    page.paragraph(
        "- The machine file does not say how copies in both directions slow each other down: they are taken not to.", 2,
        4);
  if (answer.tooLarge)
    page.paragraph("- " + formatPlural(answer.tooLarge, "tile") +
                       " given are larger than the smallest dimension over 1.5, " +
                       formatExact(uint64_t(largestTile(call))) + ", and left out.",
                   2, 4);
}

void writeBlasJson(const BlasReport &report, llvm::raw_ostream &os) {
  const BlasAnswer &answer = report.answer;
  llvm::json::Array tiles, operands;
  for (const TileTimes &times : answer.tiles)
    tiles.push_back(llvm::json::Object{
        {"tile", int64_t(times.tile)},
        {"tile_time_s", times.tileTime},
        {"k", times.subkernels},
        {"k_in", times.fetches},
        {"t_over_s", times.over},
        {"baseline_s", times.baseline},
        {"location_s", times.location},
        {"bidirectional_s", times.bidirectional},
        {"reuse_s", times.reuse ? llvm::json::Value(*times.reuse) : llvm::json::Value(nullptr)},
        {"cso_s", times.cso},
        {"pipeline_s", times.pipeline ? llvm::json::Value(*times.pipeline) : llvm::json::Value(nullptr)}});
  for (const BlasOperand &operand : answer.call.operands)
    operands.push_back(llvm::json::Object{{"name", operand.name},
                                          {"bytes", operand.elements() * answer.call.elementBytes},
                                          {"comes_in", operand.comesIn},
                                          {"goes_back", operand.goesBack}});
  llvm::json::Value value =
      llvm::json::Object{{"schema_version", 1},
                         {"output", "blas"},
                         {"tool", llvm::json::Object{{"name", "busfare"}, {"version", report.version}}},
                         {"machine", report.machine},
                         {"routine", answer.call.routine},
                         {"operands", std::move(operands)},
                         {"tiles", std::move(tiles)},
                         {"selected", answer.selected ? llvm::json::Value(int64_t(answer.tiles[*answer.selected].tile))
                                                      : llvm::json::Value(nullptr)},
                         {"equation_selected",
                          answer.bestByEquation ? llvm::json::Value(int64_t(answer.tiles[*answer.bestByEquation].tile))
                                                : llvm::json::Value(nullptr)},
                         {"pipeline_selected",
                          answer.bestInPipeline ? llvm::json::Value(int64_t(answer.tiles[*answer.bestInPipeline].tile))
                                                : llvm::json::Value(nullptr)},
                         {"kernel_times", answer.measured ? "given" : "roofline"},
                         {"device_bytes", answer.deviceBytes},
                         {"fits", answer.fits}};
  os << llvm::formatv("{0:2}\n", value);
}

} // namespace busfare::projection
