//===- projection/report/Html.cpp - A report as a page of its own ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/Html.h"
#include "projection/report/HtmlParts.h"
#include "projection/report/JsonParts.h"
#include "projection/report/Writers.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA256.h"

using llvm::StringRef;

namespace busfare::projection {

std::string compactJson(StringRef json) {
  // No string of JSON holds a line break, so blanks behind one are layout.
  std::string compact;
  while (!json.empty()) {
    StringRef line;
    std::tie(line, json) = json.split('\n');
    compact += line.ltrim(' ');
  }
  return compact;
}

std::string insideElement(StringRef json) {
  std::string text;
  for (char c : json)
    if (c == '<') text += "\\u003c";
    else if (c == '>') text += "\\u003e";
    else if (c == '&') text += "\\u0026";
    else text += c;
  return text;
}

static std::string digestOf(StringRef text) {
  const auto digest = llvm::SHA256::hash(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  return "'sha256-" + llvm::encodeBase64(digest) + "'";
}

template <class Write> static std::string jsonOf(Write write) {
  std::string json;
  llvm::raw_string_ostream os(json);
  write(os);
  return json;
}

template <class Write> static void embed(StringRef id, llvm::raw_ostream &os, Write write) {
  const std::string compact = compactJson(jsonOf(write));
  // Reports repeat themselves: a tenth is left of a large one.
  constexpr size_t large = 200000;
  if (compact.size() < large || !llvm::compression::zlib::isAvailable()) {
    os << "<script type=\"application/json\" id=\"" << id << "\">" << insideElement(compact) << "</script>\n";
    return;
  }
  llvm::SmallVector<uint8_t> packed;
  llvm::compression::zlib::compress(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(compact.data()), compact.size()),
                                    packed);
  os << "<script type=\"application/octet-stream\" data-packed id=\"" << id << "\">" << llvm::encodeBase64(packed)
     << "</script>\n";
}

static void writeSources(const std::vector<SourceText> &sources, llvm::raw_ostream &os) {
  Stream json(os);
  json.array([&] {
    for (const SourceText &source : sources)
      json.object([&] {
        text(json, "file", source.file);
        json.attributeArray("lines", [&] {
          for (const auto &[number, line] : source.lines)
            json.array([&, &number = number, &line = line] {
              json.value(int64_t(number));
              json.value(readable(line));
            });
        });
      });
  });
}

static void writeRules(const std::vector<RuleText> &rules, llvm::raw_ostream &os) {
  Stream json(os);
  json.object([&] {
    for (const RuleText &rule : rules) text(json, rule.id, rule.markdown);
  });
}

void writeHtml(const Report &report, const HtmlContext &context, llvm::raw_ostream &os) {
  const PageParts &parts = context.parts;
  os << "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; form-action 'none'; script-src "
     << digestOf(parts.script) << "; style-src " << digestOf(parts.style)
     << "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<title>busfare report</title>\n<style>"
     << parts.style
     << "</style>\n</head>\n<body>\n<noscript>This page draws itself by a script, which is in it; --format text and markdown need none.</noscript>\n";
  embed("report", os, [&](llvm::raw_ostream &json) { writeJson(report, json); });
  embed("said", os, [&](llvm::raw_ostream &json) { writeSaid(report, context, json); });
  embed("prices", os, [&](llvm::raw_ostream &json) { writePrices(report, json); });
  embed("sources", os, [&](llvm::raw_ostream &json) { writeSources(context.sources, json); });
  embed("rules", os, [&](llvm::raw_ostream &json) { writeRules(context.rules, json); });
  os << "<script>" << parts.script << "</script>\n</body>\n</html>\n";
}

void writePlotQuestion(const Report &report, const HtmlContext &context, llvm::ArrayRef<std::string> kinds,
                       llvm::ArrayRef<size_t> regions, llvm::raw_ostream &os) {
  llvm::json::OStream json(os);
  json.object([&] {
    json.attributeArray("draw", [&] {
      for (const std::string &kind : kinds) json.value(kind);
    });
    json.attributeArray("regions", [&] {
      for (size_t region : regions) json.value(int64_t(region));
    });
    json.attributeObject("parts", [&] {
      auto part = [&](StringRef name, const std::string &text) {
        json.attributeBegin(name), json.rawValue(text), json.attributeEnd();
      };
      part("report", jsonOf([&](llvm::raw_ostream &text) { writeJson(report, text); }));
      part("said", jsonOf([&](llvm::raw_ostream &text) { writeSaid(report, context, text); }));
      part("prices", jsonOf([&](llvm::raw_ostream &text) { writePrices(report, text); }));
      json.attributeArray("sources", [] {});
      json.attributeObject("rules", [] {});
    });
  });
}

std::map<std::string, std::set<unsigned>> linesOf(const Report &report) {
  std::map<std::string, std::set<unsigned>> lines;
  auto add = [&](const skeleton::Location &location) {
    if (location.isKnown() && location.line > 0) lines[location.file.str()].insert(location.line);
  };
  for (const RegionReport &region : report.regions) {
    add(region.location);
    for (const ArrayReport &array : region.arrays)
      for (const std::optional<DirectionReport> *direction : {&array.h2d, &array.d2h})
        if (*direction)
          for (const CrossingReport &crossing : (*direction)->crossings) add(crossing.at), add(crossing.because);
    for (const HostStatementReport &statement : region.hostStatements) add(statement.location);
    if (!region.on.empty())
      for (const KernelReport &kernel : region.on.front().second.kernels) add(kernel.location);
  }
  for (const LoopReport &loop : report.loops) add(loop.location);
  for (const skeleton::Finding &finding : report.findings) add(finding.location);
  for (const NestAnswer &nest : report.nests) add(nest.location);
  return lines;
}

} // namespace busfare::projection
