//===- clang-plugin/cli/HtmlOutput.cpp - A report as a page, with its sources -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "HtmlOutput.h"
#include "NextCommands.h"
#include "brs/RulePages.h"
#include "projection/report/Html.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using llvm::StringRef;
using namespace busfare::projection;

namespace busfare::frontend {

/// Files with more lines are shown in part.
constexpr unsigned wholeFile = 1500;
/// Lines before and behind what is reported.
constexpr unsigned around = 6;
/// Of all files together; those that the report speaks of first come first.
constexpr size_t mostBytes = 800000;

llvm::Error checkHtml() {
  if (builtinPageParts().script.empty())
    return llvm::createStringError(
        "--format html is not in this build: there was no npm, or it failed; the other formats are");
  return llvm::Error::success();
}

static SourceText sourceOf(const std::string &file, const std::set<unsigned> &named, size_t &left) {
  SourceText source{file, {}};
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer) return source;
  std::vector<StringRef> lines;
  for (StringRef rest = (*buffer)->getBuffer(); !rest.empty();) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    lines.push_back(line.rtrim('\r'));
  }
  std::set<unsigned> shown;
  for (unsigned line : named)
    for (unsigned near = line > around ? line - around : 1; near <= line + around; ++near) shown.insert(near);
  constexpr size_t longest = 400;
  for (unsigned number = 1; number <= lines.size(); ++number) {
    const StringRef line = lines[number - 1].take_front(longest);
    if ((lines.size() > wholeFile && !shown.count(number)) || line.size() > left) continue;
    source.lines.emplace_back(number, line.str());
    left -= line.size();
  }
  return source;
}

static std::vector<SourceText> sourcesOf(const Report &report) {
  std::vector<SourceText> sources;
  size_t left = mostBytes;
  std::map<std::string, std::set<unsigned>> named = linesOf(report);
  // Files of regions before files of findings alone.
  for (const RegionReport &region : report.regions)
    if (auto file = named.find(region.location.file.str()); file != named.end()) {
      sources.push_back(sourceOf(file->first, file->second, left));
      named.erase(file);
    }
  for (const auto &[file, lines] : named) sources.push_back(sourceOf(file, lines, left));
  std::erase_if(sources, [](const SourceText &source) { return source.lines.empty(); });
  return sources;
}

static std::vector<RuleText> rulesOf(const Report &report) {
  std::set<std::string> ids;
  for (const skeleton::Finding &finding : report.findings) ids.insert(skeleton::ruleId(finding.rule).str());
  std::vector<RuleText> rules;
  for (const std::string &id : ids)
    if (const brs::RulePage *page = brs::findRulePage(id)) rules.push_back({id, page->text.str()});
  return rules;
}

/// Of the report, its command; not yet its sources and rules.
static HtmlContext contextOf(const Options &options) {
  // The page's controls put other values of these between the command and the compiler's flags.
  Options plain = options;
  plain.compilerArguments.clear();
  llvm::erase_if(plain.given, [](const auto &option) {
    return option.first == "--param" || option.first == "--iterations" || option.first == "--runs";
  });
  HtmlContext context{builtinPageParts(), {}, {}, completed("busfare analyze it", plain)};
  if (options.iterations) context.iterations = std::to_string(*options.iterations);
  if (options.runs || options.manyRuns) context.runs = options.runs ? std::to_string(*options.runs) : "many";
  context.parameters = options.parameters;
  for (const std::string &argument : options.compilerArguments) context.flags += " " + quoted(argument);
  return context;
}

void writePage(const Report &report, const Options &options, llvm::raw_ostream &os) {
  HtmlContext context = contextOf(options);
  context.sources = sourcesOf(report);
  context.rules = rulesOf(report);
  writeHtml(report, context, os);
}

std::string plotQuestion(const Report &report, const Options &options, llvm::ArrayRef<std::string> kinds,
                         llvm::ArrayRef<size_t> regions) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writePlotQuestion(report, contextOf(options), kinds, regions, os);
  return text;
}

} // namespace busfare::frontend
