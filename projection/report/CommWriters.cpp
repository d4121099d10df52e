//===- projection/report/CommWriters.cpp - Messages as text ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/CommWriters.h"
#include "projection/report/Figures.h"
#include "projection/report/Page.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace busfare::projection {

static void writeMessages(const CommAnswer &answer, Page &page) {
  Table table(
      {{"bytes", Align::Right}, {"operation"}, {"started by"}, {"single", Align::Right}, {"pipelined", Align::Right}});
  for (const Message &message : answer.messages)
    table.row({formatExact(uint64_t(message.bytes)), toString(message.operation).str(),
               toString(message.initiator).str(), formatTime(message.single),
               message.pipelined ? formatTime(*message.pipelined) : "unknown"});
  page.table(table);
}

static void writeCollectives(const CommAnswer &answer, Page &page) {
  if (answer.collectives.empty()) return;
  page.heading("Collectives among " + formatSize(answer.collectives.front().processes) + " processes" +
               (answer.processesAssumed ? " (assumed; --ranks N)" : ""));
  Table table({{"collective"},
               {"bytes", Align::Right},
               {"algorithm"},
               {"messages", Align::Right},
               {"between hosts", Align::Right},
               {"host", Align::Right},
               {"device", Align::Right}});
  for (const CollectiveRow &row : answer.collectives)
    table.row({row.kind, formatBytes(uint64_t(row.bytes)), row.algorithm, formatSize(uint64_t(row.messages)),
               formatTime(row.betweenHosts), formatTime(row.host), formatTime(row.device)});
  page.table(table);
  page.paragraph(
      "Messages one after the other on the longest path, by the single-message model; host and device: between devices, started there, with "
      "a launch of the host's for each round that combines. Bytes: what one process gives to, or gets from, each other one.",
      2, 2);
  page.line();
}

static void writePorts(const CommReport &report, Page &page) {
  const CommAnswer &answer = report.answer;
  const WholePort &port = answer.port;
  std::string share = formatPercent(effectiveShare(port));
  page.heading("A whole port");
  page.paragraph(share + " of the CPU's time is communication" +
                     (port.overlapped > 0 ? ", once a part of it is hidden" : "") + "; computing becomes " +
                     formatFactor(port.computeSpeedup) + " as fast (" +
                     (report.ratioGiven ? "as given" : "the machine's peaks") + "): " + formatFactor(answer.ceiling) +
                     " if messages take what they took. Speedups of the whole:",
                 2, 2);
  Table table({{"bytes", Align::Right},
               {"operation"},
               {"host", Align::Right},
               {"device", Align::Right},
               {"launch " + formatTime(answer.otherLaunch), Align::Right},
               {"pipelined", Align::Right},
               {"larger problem", Align::Right}});
  for (const PortRow &row : answer.rows)
    table.row({formatExact(uint64_t(row.bytes)), toString(row.operation).str(), formatFactor(row.host),
               formatFactor(row.device), formatFactor(row.fastLaunch),
               row.pipelined ? formatFactor(*row.pipelined) : "unknown", formatFactor(row.scaled)});
  page.table(table);
  if (answer.nearCeiling)
    page.paragraph("Host-initiated puts come within 5 % of the ceiling from " +
                       formatBytes(uint64_t(*answer.nearCeiling)) + " on.",
                   2, 2);
}

void writeCommText(const CommReport &report, llvm::raw_ostream &os, const TextStyle &style) {
  const CommAnswer &answer = report.answer;
  Page page(os, style.width, style.colour);
  page.title("Messages on " + report.machine + " (" + report.network + ")");
  writeMessages(answer, page);
  page.line();
  writeCollectives(answer, page);
  writePorts(report, page);
  page.line();
  if (!answer.priorities.empty()) {
    page.heading("What helps at " + formatExact(uint64_t(answer.messages.front().bytes)) + " B, the paper's order");
    for (const Priority &priority : answer.priorities)
      page.paragraph(std::to_string(priority.number) + ". " + priority.text + ": " + formatFactor(priority.before) +
                         " becomes " + formatFactor(priority.after) + ".",
                     2, 5);
    page.line();
  }
  page.paragraph("- Host-initiated messages wait for a kernel launch of " + formatTime(answer.port.launch) +
                     ", in a batch of " + formatExact(uint64_t(answer.batch)) + " once; those of the device do not.",
                 2, 4);
  page.paragraph(
      "- Above 8 KiB overhead and gap of a host-initiated message overlap; it takes at least what one of 8 KiB does, so that more bytes "
      "are never faster.",
      2, 4);
  page.paragraph(
      answer.port.unit == PipelinedUnit::PerByte
          ? "- Pipelined times are power laws of the overhead per byte (Table II of Groves et al. as its text and Figure 5 have "
            "it; --pipelining per-message is the other reading). The host's law falls up to about 4 KB: that is the fit, no gain."
          : "- Pipelined times are power laws of the overhead per message (Table II of Groves et al. as its landmark of 100 B "
            "needs it; --pipelining per-byte is the other reading, which its text and Figure 5 have).",
      2, 4);
}

void writeCommJson(const CommReport &report, llvm::raw_ostream &os) {
  const CommAnswer &answer = report.answer;
  auto orNull = [](const std::optional<double> &value) {
    return value ? llvm::json::Value(*value) : llvm::json::Value(nullptr);
  };
  llvm::json::Array messages, rows, priorities, collectives;
  for (const CollectiveRow &row : answer.collectives)
    collectives.push_back(llvm::json::Object{{"collective", row.kind},
                                             {"processes", int64_t(row.processes)},
                                             {"processes_assumed", answer.processesAssumed},
                                             {"bytes", row.bytes},
                                             {"algorithm", row.algorithm},
                                             {"messages", row.messages},
                                             {"launches", row.launches},
                                             {"between_hosts_s", row.betweenHosts},
                                             {"host_s", row.host},
                                             {"device_s", row.device}});
  for (const Message &message : answer.messages)
    messages.push_back(llvm::json::Object{{"operation", toString(message.operation)},
                                          {"initiator", toString(message.initiator)},
                                          {"bytes", message.bytes},
                                          {"single_s", message.single},
                                          {"pipelined_s", orNull(message.pipelined)},
                                          {"equation_s", message.added}});
  for (const PortRow &row : answer.rows)
    rows.push_back(llvm::json::Object{{"operation", toString(row.operation)},
                                      {"bytes", row.bytes},
                                      {"host", row.host},
                                      {"device", row.device},
                                      {"other_launch", row.fastLaunch},
                                      {"pipelined", orNull(row.pipelined)},
                                      {"scaled", row.scaled}});
  for (const Priority &priority : answer.priorities)
    priorities.push_back(llvm::json::Object{{"number", int64_t(priority.number)},
                                            {"text", priority.text},
                                            {"before", priority.before},
                                            {"after", priority.after}});
  llvm::json::Value value =
      llvm::json::Object{{"schema_version", 1},
                         {"output", "comm"},
                         {"tool", llvm::json::Object{{"name", "busfare"}, {"version", report.version}}},
                         {"machine", report.machine},
                         {"pipelining", toString(answer.port.unit)},
                         {"messages", std::move(messages)},
                         {"collectives", std::move(collectives)},
                         {"port", llvm::json::Object{{"communication_share", effectiveShare(answer.port)},
                                                     {"compute_speedup", answer.port.computeSpeedup},
                                                     {"launch_s", answer.port.launch},
                                                     {"other_launch_s", answer.otherLaunch},
                                                     {"batch", answer.batch},
                                                     {"ceiling", answer.ceiling},
                                                     {"near_ceiling_bytes", orNull(answer.nearCeiling)},
                                                     {"speedups", std::move(rows)}}},
                         {"priorities", std::move(priorities)}};
  os << llvm::formatv("{0:2}\n", value);
}

} // namespace busfare::projection
