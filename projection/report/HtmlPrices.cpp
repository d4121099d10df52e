//===- projection/report/HtmlPrices.cpp - The table of prices in the page -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Thousands of answers: each is a row of numbers, in the order of `columns`, to nine digits;
// words are numbers of `words`.
//
//===----------------------------------------------------------------------===//

#include "projection/report/HtmlParts.h"
#include "projection/report/JsonParts.h"
#include "projection/report/PriceTable.h"
#include "llvm/Support/Format.h"
#include <cmath>

using llvm::StringRef;

namespace busfare::projection {

namespace {

/// Each different word once.
class Words {
public:
  size_t numberOf(const std::string &word) {
    const auto [known, isNew] = numbers.try_emplace(word, words.size());
    if (isNew) words.push_back(word);
    return known->second;
  }
  const std::vector<std::string> &all() const { return words; }

private:
  std::map<std::string, size_t> numbers;
  std::vector<std::string> words;
};

const char *const columns[] = {"verdict",   "speedup", "low",           "high",        "gain",       "gain_low",
                               "gain_high", "cpu",     "cpu_all_cores", "kernel",      "h2d",        "d2h",
                               "host",      "startup", "total",         "kernel_only", "as_written", "strategy",
                               "streams",   "memory",  "pinned",        "pageable",    "why",        "flip"};

void cell(Stream &json, double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", value);
  if (std::isfinite(value)) json.rawValue(text);
  else json.value(nullptr);
}

void row(Stream &json, const PricedAnswer &answer, Words &words) {
  json.array([&] {
    json.value(int64_t(words.numberOf(toString(answer.verdict).str())));
    for (double value : {answer.speedup.value, answer.speedup.low, answer.speedup.high, answer.gain.value,
                         answer.gain.low, answer.gain.high, answer.time.cpu, answer.time.cpuAllCores,
                         answer.time.kernel, answer.time.h2d, answer.time.d2h, answer.time.host, answer.time.startup,
                         answer.time.total, answer.kernelOnly, answer.asWritten})
      cell(json, value);
    json.value(int64_t(words.numberOf(answer.strategy)));
    json.value(int64_t(answer.streams));
    json.value(int64_t(words.numberOf(answer.memory)));
    cell(json, answer.explicitPinned);
    cell(json, answer.explicitPageable);
    json.value(int64_t(words.numberOf(answer.why)));
    json.value(int64_t(words.numberOf(answer.flip)));
  });
}

void writeSteps(Stream &json, StringRef key, const std::vector<PlannedStep> &steps) {
  json.attributeArray(key, [&] {
    for (const PlannedStep &step : steps)
      json.object([&] {
        text(json, "engine", step.engine);
        text(json, "what", step.what);
        number(json, "start_s", step.start);
        number(json, "end_s", step.end);
        number(json, "count", step.count);
        json.attribute("stream", step.stream);
      });
  });
}

void writeStops(const PriceTable &table, Stream &json) {
  json.attributeArray("machines", [&] {
    for (const MachineStop &machine : table.machines)
      json.object([&] {
        text(json, "machine", machine.machine);
        number(json, "link", machine.link);
        number(json, "dram_bandwidth", machine.dramBandwidth);
        number(json, "link_bandwidth", machine.linkBandwidth);
        number(json, "peak_flops", machine.peakFlops);
      });
  });
  json.attributeArray("sizes", [&] {
    for (const SizeStop &size : table.sizes)
      json.object([&] {
        text(json, "varies", size.varies);
        number(json, "factor", size.factor);
        json.attributeArray("parameters", [&] {
          for (const auto &[name, value] : size.parameters)
            json.array([&, &name = name, &value = value] {
              json.value(readable(name));
              json.value(value);
            });
        });
      });
  });
  json.attributeArray("steps", [&] {
    for (const std::optional<uint64_t> &count : table.steps)
      json.value(count ? llvm::json::Value(int64_t(*count)) : llvm::json::Value(nullptr));
  });
  json.attributeArray("runs", [&] {
    for (const RunStop &stop : table.runs)
      if (stop.isMany) json.value("many");
      else json.value(stop.runs ? llvm::json::Value(int64_t(*stop.runs)) : llvm::json::Value(nullptr));
  });
}

void writeTable(const PriceTable &table, Stream &json) {
  Words words;
  json.object([&] {
    text(json, "root", table.root);
    strings(json, "regions", table.regions);
    writeStops(table, json);
    json.attribute("most_changed", table.mostChanged);
    json.attributeArray("columns", [&] {
      for (const char *column : columns) json.value(column);
    });
    json.attributeArray("settings", [&] {
      for (const PricedSetting &setting : table.settings)
        json.object([&] {
          json.attributeArray("at", [&] {
            for (size_t index : {setting.size, setting.steps, setting.runs}) json.value(int64_t(index));
          });
          json.attributeArray("answers", [&] {
            for (const PricedAnswer &answer : setting.answers) row(json, answer, words);
          });
        });
    });
    strings(json, "words", words.all());
    json.attributeArray("timelines", [&] {
      for (const PlanTimeline &timeline : table.timelines)
        json.object([&] {
          text(json, "region", timeline.region);
          text(json, "machine", timeline.machine);
          json.attribute("schedule", timeline.isSchedule);
          writeSteps(json, "before", timeline.before);
          writeSteps(json, "after", timeline.after);
        });
    });
  });
}

} // namespace

void writePrices(const Report &report, llvm::raw_ostream &os) {
  Stream json(os);
  json.array([&] {
    for (const std::shared_ptr<const PriceTable> &table : report.prices) writeTable(*table, json);
  });
}

} // namespace busfare::projection
