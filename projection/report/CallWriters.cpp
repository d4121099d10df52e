//===- projection/report/CallWriters.cpp - Messages and library calls as text and JSON ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/CallWriters.h"
#include "projection/report/Figures.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <cmath>

using llvm::StringRef;

namespace busfare::projection {

static uint64_t whole(double value) { return value <= 0 ? 0 : uint64_t(std::llround(value)); }

static std::string placeOf(const CallReport &call) {
  return llvm::sys::path::filename(call.location.file).str() + ":" + std::to_string(call.location.line);
}

static std::string timesOf(const CallReport &call) {
  return call.count > 0 && call.count < 1 ? "< 1" : formatSize(whole(call.count));
}

static bool isNumber(StringRef formula) { return formula.find_first_not_of("0123456789") == StringRef::npos; }

/// "8*n = 8,192 bytes", "an unknown number of bytes".
static std::string sizeOf(const std::string &formula, const std::optional<double> &value, const char *unit) {
  std::string text = formula.empty() || isNumber(formula) ? "" : formula;
  if (value) return text + (text.empty() ? "" : " = ") + formatExact(whole(*value)) + " " + unit;
  return text.empty() ? std::string("an unknown number of ") + unit : text + " " + unit;
}

static std::string arraysOf(const std::vector<CallArrayReport> &arrays, StringRef use) {
  std::vector<std::string> names;
  for (const CallArrayReport &array : arrays)
    if (array.use == use) names.push_back(array.name + (array.onDevice ? " (on the device)" : ""));
  return llvm::join(names, ", ");
}

static const MessagePriceReport *priceOf(const MessageReport &message, StringRef initiator) {
  const MessagePriceReport *first = message.prices.empty() ? nullptr : &message.prices.front();
  for (const MessagePriceReport &price : message.prices)
    if (price.machine == first->machine && price.initiator == initiator) return &price;
  return nullptr;
}

/// ", among 16 processes (assumed): binomial tree, 4 messages one after the other".
static std::string roundsOf(const MessageReport &message) {
  if (!message.collective) return "";
  std::string text =
      ", among " + formatSize(message.processes) + " processes" + (message.processesAssumed ? " (assumed)" : "");
  const MessagePriceReport *price = priceOf(message, "host");
  if (!price || price->algorithm.empty()) return text;
  return text + ": " + price->algorithm + ", " + formatPlural(whole(price->messages), "message") +
         " one after the other";
}

static std::string noteOf(const MessageReport &message) {
  std::string note = message.kind + " of " + sizeOf(message.formula, message.bytes, "bytes") +
                     (message.type.empty() ? "" : " (" + message.type + ")");
  if (message.nonblocking) note += ", nonblocking";
  note += roundsOf(message);
  if (message.kind == "receive") note += ", the other end of a send";
  for (auto [use, word] : {std::pair("read", "reads "), {"write", "writes "}, {"both", "reads and writes "}})
    if (std::string names = arraysOf(message.arrays, use); !names.empty()) note += "; " + (word + names);
  if (message.inTimeLoop) note += "; in the time loop";
  if (!message.isReached) note += "; for each call of " + message.function + ", which no root is seen to call";
  return note;
}

void writeMessages(const std::vector<MessageReport> &messages, Page &page) {
  if (messages.empty()) return;
  page.heading("Messages between processes");
  Table table({{"at"},
               {"call"},
               {"times", Align::Right},
               {"bytes", Align::Right},
               {"host", Align::Right},
               {"device", Align::Right},
               {"pipelined", Align::Right}});
  bool isPriced = false, isUnknown = false;
  for (const MessageReport &message : messages) {
    const MessagePriceReport *host = priceOf(message, "host"), *device = priceOf(message, "device");
    isPriced |= host != nullptr;
    isUnknown |= !message.bytes;
    table.row({placeOf(message), message.call, timesOf(message),
               message.bytes ? formatBytes(whole(*message.bytes)) : "unknown", host ? formatTime(host->single) : "-",
               device ? formatTime(device->single) : "-",
               host && host->pipelined ? formatTime(*host->pipelined) : "-"});
    table.note(noteOf(message));
  }
  page.table(table);
  if (isPriced)
    page.paragraph(
        "Times of one message between devices of different nodes, started by the host (without the launch it waits for) or the device, "
        "and pipelined by the host (Groves et al.); of a collective, of its rounds one after the other.",
        2, 2);
  else
    page.paragraph(
        isUnknown && llvm::none_of(messages, [](const MessageReport &one) { return one.bytes.has_value(); })
            ? "No size is known, so no price."
            : "The machine file has no part network: what messages take is not known. `busfare comm SRC` takes a machine that has one.",
        2, 2);
  size_t moved = llvm::count_if(messages, [](const MessageReport &message) {
    return message.inTimeLoop &&
           llvm::any_of(message.arrays, [](const CallArrayReport &array) { return array.onDevice; });
  });
  if (moved > 0)
    page.paragraph(
        formatPlural(moved, "message") + " in the time loop " + (moved == 1 ? "has" : "have") +
            " a buffer that lives on the device: as planned, what it sends comes back first and what it receives goes there, each time. "
            "A library that takes device pointers, or messages that the device starts, spare those copies.",
        2, 2);
  page.line();
}

void writeLibraryCalls(const std::vector<LibraryCallReport> &calls, Page &page) {
  if (calls.empty()) return;
  page.heading("Library calls");
  Table table({{"at"},
               {"call"},
               {"times", Align::Right},
               {"flops", Align::Right},
               {"host", Align::Right},
               {"offloaded", Align::Right},
               {"tile", Align::Right}});
  bool isMeasured = false, isModelled = false;
  for (const LibraryCallReport &call : calls) {
    const LibraryPriceReport *price = call.prices.empty() ? nullptr : &call.prices.front();
    isMeasured |= price && price->offload && price->measuredTiles;
    isModelled |= price && price->offload && !price->measuredTiles;
    table.row({placeOf(call), call.call, timesOf(call), call.flops ? formatSize(whole(*call.flops)) : "unknown",
               price ? formatTime(price->host) : "-", price && price->offload ? formatTime(*price->offload) : "-",
               price && price->tile ? formatSize(whole(*price->tile)) : "-"});
    std::vector<std::string> sizes, operands;
    for (const LibraryCallReport::Dimension &one : call.dimensions)
      sizes.push_back(one.name + " = " + (one.formula.empty() ? "?" : one.formula) +
                      (one.value && !isNumber(one.formula) ? " = " + formatExact(whole(*one.value)) : ""));
    for (const CallArrayReport &array : call.arrays)
      operands.push_back(array.operand + " = " + array.name + (array.onDevice ? " (on the device)" : ""));
    table.note(call.routine + ", " + llvm::join(sizes, ", ") +
               (operands.empty() ? "" : "; " + llvm::join(operands, ", ")) +
               (call.isReached ? "" : "; for each call of " + call.function + ", which no root is seen to call"));
  }
  page.table(table);
  page.paragraph(
      "The plan leaves them on the host, where their time is part of the speedups of region and program on both sides; the device's BLAS "
      "could run them. `host`: all cores at their peak. `offloaded`: operands that kernels "
      "do not touch come over the bus in tiles while others are computed (CoCoPeLia)" +
          std::string(isMeasured ? ", kernel times of tiles measured" : "") +
          (isMeasured && isModelled ? " or"
           : isModelled             ? ","
                                    : "") +
          (isModelled ? " kernel times of tiles at the machine's peaks" : "") +
          "; `-` where that model has no such routine or the sizes are not known.",
      2, 2);
  page.line();
}

//===--- JSON -------------------------------------------------------------===//

static void figure(Stream &json, StringRef key, const std::optional<double> &value) {
  if (value) number(json, key, *value);
  else json.attribute(key, nullptr);
}

static void textOrNull(Stream &json, StringRef key, const std::string &value) {
  if (value.empty()) json.attribute(key, nullptr);
  else text(json, key, value);
}

static void place(Stream &json, const CallReport &call) {
  json.attributeObject("location", [&] {
    text(json, "file", call.location.file);
    json.attribute("line", call.location.line);
    json.attribute("column", call.location.column);
    text(json, "function", call.function);
  });
}

static void standing(Stream &json, const CallReport &call) {
  place(json, call);
  text(json, "call", call.call);
  number(json, "count", call.count);
  textOrNull(json, "region", call.region);
  json.attribute("in_time_loop", call.inTimeLoop);
  json.attribute("reached", call.isReached);
}

void writeMessageKeys(const MessageReport &message, Stream &json) {
  standing(json, message);
  text(json, "kind", message.kind);
  text(json, "type", message.type);
  textOrNull(json, "formula", message.formula);
  json.attribute("nonblocking", message.nonblocking);
  json.attribute("counted", message.counted);
  if (message.collective) json.attribute("processes", int64_t(message.processes));
  else json.attribute("processes", nullptr);
  json.attribute("processes_assumed", message.processesAssumed);
  json.attributeArray("arrays", [&] {
    for (const CallArrayReport &array : message.arrays)
      json.object([&] {
        text(json, "name", array.name);
        text(json, "use", array.use);
        json.attribute("on_device", array.onDevice);
      });
  });
}

void writeMessages(const std::vector<MessageReport> &messages, Stream &json) {
  json.attributeArray("messages", [&] {
    for (const MessageReport &message : messages)
      json.object([&] {
        writeMessageKeys(message, json);
        text(json, "operation", message.operation);
        figure(json, "bytes", message.bytes);
        json.attributeArray("prices", [&] {
          for (const MessagePriceReport &price : message.prices)
            json.object([&] {
              text(json, "machine", price.machine);
              text(json, "initiator", price.initiator);
              number(json, "single_s", price.single);
              figure(json, "pipelined_s", price.pipelined);
              textOrNull(json, "algorithm", price.algorithm);
              number(json, "messages", price.messages);
              number(json, "launches", price.launches);
            });
        });
      });
  });
}

void writeLibraryCalls(const std::vector<LibraryCallReport> &calls, Stream &json) {
  json.attributeArray("library_calls", [&] {
    for (const LibraryCallReport &call : calls)
      json.object([&] {
        standing(json, call);
        text(json, "routine", call.routine);
        json.attributeArray("dimensions", [&] {
          for (const LibraryCallReport::Dimension &one : call.dimensions)
            json.object([&] {
              text(json, "name", one.name);
              textOrNull(json, "formula", one.formula);
              figure(json, "value", one.value);
            });
        });
        json.attributeArray("operands", [&] {
          for (const CallArrayReport &array : call.arrays)
            json.object([&] {
              text(json, "operand", array.operand);
              text(json, "array", array.name);
              json.attribute("on_device", array.onDevice);
            });
        });
        figure(json, "flops", call.flops);
        figure(json, "bytes", call.bytes);
        json.attributeArray("prices", [&] {
          for (const LibraryPriceReport &price : call.prices)
            json.object([&] {
              text(json, "machine", price.machine);
              number(json, "host_s", price.host);
              figure(json, "offload_s", price.offload);
              figure(json, "tile", price.tile);
              textOrNull(json, "equation", price.equation);
              json.attribute("kernel_times", price.measuredTiles ? "measured" : "roofline");
            });
        });
      });
  });
}

} // namespace busfare::projection
