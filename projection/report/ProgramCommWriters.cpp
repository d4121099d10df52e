//===- projection/report/ProgramCommWriters.cpp - A program's messages as text ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/CallWriters.h"
#include "projection/report/CommWriters.h"
#include "projection/report/Figures.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace busfare::projection {

static std::string shareOf(const ProgramCommReport &report) {
  const WholePort &port = report.port->port;
  std::string share = formatPercent(effectiveShare(port)) + " of the CPU's time is communication";
  if (report.shareGiven) return share + (port.overlapped > 0 ? ", as given and partly hidden" : ", as given");
  return share + " (" + formatTime(report.port->betweenHosts) + " of messages between hosts beside " +
         formatTime(report.cpu) + " of modelled computing" + (port.overlapped > 0 ? ", partly hidden" : "") + ")";
}

static void writePort(const ProgramCommReport &report, Page &page) {
  const ProgramPort &port = *report.port;
  page.heading("The whole port");
  page.paragraph(formatSize(uint64_t(std::llround(port.messages))) + " messages of " +
                     formatBytes(uint64_t(std::llround(port.bytes))) + " in all take " + formatTime(port.betweenHosts) +
                     " between hosts, " + formatTime(port.fromHost) +
                     " between devices if the hosts start them, launches included, and " + formatTime(port.fromDevice) +
                     " if the devices do.",
                 2, 2);
  page.paragraph(shareOf(report) + "; computing becomes " + formatFactor(port.port.computeSpeedup) + " as fast (" +
                     (report.ratioGiven ? "as given" : "the machine's peaks") + "). Speedups of the whole:",
                 2, 2);
  Table table({{""}, {"", Align::Right}});
  table.row({"messages take what they took (ceiling)", formatFactor(port.ceiling)});
  table.row({"started by the host", formatFactor(port.host)});
  table.row({"with a launch of " + formatTime(port.otherLaunch), formatFactor(port.fastLaunch)});
  table.row({"pipelined, " + formatExact(uint64_t(port.batch)) + " a launch" +
                 (report.unit == PipelinedUnit::PerByte ? "" : ", Table II per message"),
             port.pipelined ? formatFactor(*port.pipelined) : "unknown"});
  table.row({"started by the device", formatFactor(port.device)});
  table.row({"on a problem that grows with the computing", formatFactor(port.scaled)});
  page.table(table);
  page.line();
}

void writeProgramCommText(const ProgramCommReport &report, llvm::raw_ostream &os, const TextStyle &style) {
  Page page(os, style.width, style.colour);
  page.title("Messages on " + report.machine + " (" + report.network + ")");
  if (report.messages.empty()) {
    page.paragraph("No message is found: no call of MPI or SHMEM that moves data.");
    return;
  }
  writeMessages(report.messages, page);
  if (report.port) writePort(report, page);
  else page.paragraph("No message has a known size, so there is no port to price.");
  if (report.port && !report.port->priorities.empty()) {
    page.heading("What helps, the paper's order");
    for (const Priority &priority : report.port->priorities)
      page.paragraph(std::to_string(priority.number) + ". " + priority.text + ": " + formatFactor(priority.before) +
                         " becomes " + formatFactor(priority.after) + ".",
                     2, 5);
    page.line();
  }
  if (!report.advice.empty()) {
    page.heading("Where the data are");
    for (const std::string &advice : report.advice) page.paragraph("- " + advice + ".", 2, 4);
    page.line();
  }
  for (const std::string &assumption : report.assumptions) page.paragraph("- " + assumption, 2, 4);
  if (llvm::any_of(report.messages, [](const MessageReport &message) { return message.collective.has_value(); }))
    page.paragraph(
        "- A collective takes the rounds of its fastest standard algorithm (Thakur, Rabenseifner, Gropp 2005) one after the other; where "
        "it combines data, the host launches a kernel each time. The arithmetic is left out.",
        2, 4);
  if (llvm::any_of(report.messages, [](const MessageReport &message) { return message.processesAssumed; }))
    page.paragraph("- Nothing says how many processes take part: " + std::to_string(assumedProcesses) +
                       " are assumed (--ranks N).",
                   2, 4);
  page.paragraph(
      "- Receives are the other ends of sends and add nothing; messages of unknown size are left out, and so are those of functions "
      "that no root is seen to call.",
      2, 4);
}

static void figure(Stream &json, llvm::StringRef key, const std::optional<double> &value) {
  if (value) number(json, key, *value);
  else json.attribute(key, nullptr);
}

static void writePort(const ProgramCommReport &report, Stream &json) {
  if (!report.port) return json.attribute("port", nullptr);
  const ProgramPort &port = *report.port;
  json.attributeObject("port", [&] {
    number(json, "communication_share", effectiveShare(port.port));
    number(json, "compute_speedup", port.port.computeSpeedup);
    number(json, "launch_s", port.port.launch);
    number(json, "other_launch_s", port.otherLaunch);
    number(json, "batch", port.batch);
    number(json, "ceiling", port.ceiling);
    json.attribute("near_ceiling_bytes", nullptr);
    number(json, "messages", port.messages);
    number(json, "bytes", port.bytes);
    number(json, "cpu_s", report.cpu);
    number(json, "between_hosts_s", port.betweenHosts);
    number(json, "host_initiated_s", port.fromHost);
    number(json, "device_initiated_s", port.fromDevice);
    json.attributeArray("speedups", [&] {
      json.object([&] {
        json.attribute("operation", "all");
        number(json, "bytes", port.bytes);
        number(json, "host", port.host);
        number(json, "device", port.device);
        number(json, "other_launch", port.fastLaunch);
        figure(json, "pipelined", port.pipelined);
        number(json, "scaled", port.scaled);
      });
    });
  });
}

void writeProgramCommJson(const ProgramCommReport &report, llvm::raw_ostream &os) {
  Stream json(os, 2);
  json.object([&] {
    json.attribute("schema_version", 1);
    json.attribute("output", "comm");
    json.attributeObject("tool", [&] {
      json.attribute("name", "busfare");
      text(json, "version", report.version);
    });
    text(json, "machine", report.machine);
    json.attribute("pipelining", toString(report.unit));
    json.attributeArray("messages", [&] {
      for (const MessageReport &message : report.messages)
        for (llvm::StringRef initiator : {"host", "device"})
          json.object([&] {
            const MessagePriceReport *price = nullptr;
            for (const MessagePriceReport &one : message.prices)
              if (one.initiator == initiator) price = &one;
            text(json, "operation", message.operation);
            text(json, "initiator", initiator);
            figure(json, "bytes", message.bytes);
            figure(json, "single_s", price ? std::optional(price->single) : std::nullopt);
            figure(json, "pipelined_s", price ? price->pipelined : std::nullopt);
            if (price && !price->algorithm.empty()) text(json, "algorithm", price->algorithm);
            writeMessageKeys(message, json);
          });
    });
    json.attributeArray("collectives", [] {}); // by each algorithm: of --collective; those of a program are messages
    writePort(report, json);
    json.attributeArray("priorities", [&] {
      if (report.port)
        for (const Priority &priority : report.port->priorities)
          json.object([&] {
            json.attribute("number", int64_t(priority.number));
            text(json, "text", priority.text);
            number(json, "before", priority.before);
            number(json, "after", priority.after);
          });
    });
    for (auto [key, list] : {std::pair("advice", &report.advice), {"assumptions", &report.assumptions}})
      json.attributeArray(key, [&, list = list] {
        for (const std::string &one : *list) json.value(readable(one));
      });
  });
  os << '\n';
}

} // namespace busfare::projection
