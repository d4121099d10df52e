//===- projection/report/Remarks.cpp - What a report says at places -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/Remarks.h"
#include "projection/report/Figures.h"
#include "projection/report/LoopText.h"
#include "projection/report/PlanText.h"
#include "projection/report/Printable.h"
#include "projection/report/Writers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <map>
#include <tuple>

using busfare::skeleton::Level;
using llvm::StringRef;
namespace path = llvm::sys::path;

namespace busfare::projection {

static constexpr StringRef portRule = "verdict-port", keepRule = "verdict-keep", measureRule = "verdict-measure",
                           notPricedRule = "not-priced", parallelRule = "loop-parallel", serialRule = "loop-serial";

llvm::ArrayRef<StringRef> ownRemarkRules() {
  static constexpr StringRef rules[] = {portRule, keepRule, measureRule, notPricedRule, parallelRule, serialRule};
  return rules;
}

namespace {

/// In which order remarks come; smaller first.
enum Rank { Error, Port, Measure, NotPriced, Warning, Keep, Parallel, PlainRemark, Serial, Note, Suppressed };

class Collector {
public:
  explicit Collector(const SourceRoot &root) : root(root) {}

  void add(const skeleton::Finding &finding, bool isSuppressed);
  void add(const RegionReport &region);
  void add(const UnpricedReport &nest);
  void add(const LoopReport &loop);
  std::vector<Remark> sorted() &&;

private:
  struct Ranked {
    Remark remark;
    Rank rank;
    double weight;   ///< Of two of one rank, the heavier comes first.
    std::string key; ///< What the fingerprint is made of, but for the number among those alike.
  };
  const SourceRoot &root;
  std::vector<Ranked> all;

  RemarkPlace placeOf(const skeleton::Location &location) const;
  std::string withoutLines(StringRef text) const;
  void push(Remark remark, const skeleton::Location &location, StringRef message, Rank rank, double weight,
            llvm::ArrayRef<StringRef> key);
};

} // namespace

RemarkPlace placeFrom(const SourceRoot &root, StringRef name) {
  RemarkPlace place;
  llvm::SmallString<256> file(name);
  llvm::sys::fs::make_absolute(root.workingFolder, file);
  path::remove_dots(file, true, path::Style::posix);
  StringRef below = file;
  place.isInRoot = below.consume_front(root.folder) && below.consume_front("/");
  place.path = place.isInRoot ? below.str() : file.str().str();
  return place;
}

RemarkPlace Collector::placeOf(const skeleton::Location &location) const {
  RemarkPlace place = location.file.empty() ? RemarkPlace() : placeFrom(root, location.file.str());
  place.line = location.line;
  place.column = location.column;
  return place;
}

/// Digits behind `:`, `@` and the words line and lines; and where the sources lie on this machine.
std::string Collector::withoutLines(StringRef text) const {
  std::string shorter, result;
  const std::string folder = root.folder + "/";
  for (size_t at = text.find(folder); at != StringRef::npos; at = text.find(folder)) {
    shorter += text.take_front(at);
    text = text.drop_front(at + folder.size());
  }
  shorter += text;
  bool isInLines = false; // behind "lines", where "12, 14 and 20 to 30" may follow
  for (StringRef rest = shorter; !rest.empty();) {
    const size_t width = llvm::isDigit(rest.front())   ? rest.take_while(llvm::isDigit).size()
                         : llvm::isAlpha(rest.front()) ? rest.take_while(llvm::isAlpha).size()
                                                       : 1;
    const StringRef word = rest.take_front(width);
    rest = rest.drop_front(width);
    if (llvm::isDigit(word.front())) {
      if (!isInLines && !StringRef(result).ends_with(":") && !StringRef(result).ends_with("@")) result += word;
      continue;
    }
    if (llvm::isAlpha(word.front()))
      isInLines = word == "line" || word == "lines" || (isInLines && (word == "and" || word == "to"));
    else isInLines &= word == " " || word == ",";
    result += word;
  }
  return result;
}

void Collector::push(Remark remark, const skeleton::Location &location, StringRef message, Rank rank, double weight,
                     llvm::ArrayRef<StringRef> key) {
  remark.place = placeOf(location);
  remark.message = printable(message);
  remark.function = printable(remark.function);
  std::string text = remark.place.path;
  for (StringRef part : key) text += '\0' + withoutLines(part);
  all.push_back({std::move(remark), rank, std::isfinite(weight) ? weight : 0, std::move(text)});
}

void Collector::add(const skeleton::Finding &finding, bool isSuppressed) {
  Remark remark;
  remark.rule = skeleton::ruleId(finding.rule);
  remark.level = finding.level;
  remark.isSuppressed = isSuppressed;
  const Rank rank = isSuppressed                      ? Suppressed
                    : finding.level == Level::Error   ? Error
                    : finding.level == Level::Warning ? Warning
                    : finding.level == Level::Remark  ? PlainRemark
                                                      : Note;
  const std::string rule = remark.rule;
  push(std::move(remark), finding.location, finding.message, rank, 0, {rule, finding.message});
}

static std::string inWords(const Interval &speedup) {
  return formatFactor(speedup.value) + " (" + formatFactor(speedup.low) + " to " + formatFactor(speedup.high) + ")";
}

static StringRef verdictInWords(Verdict verdict) {
  return verdict == Verdict::Port   ? "Worth moving to a GPU"
         : verdict == Verdict::Keep ? "Better kept on the host"
                                    : "Measure first";
}

static llvm::json::Object figuresOf(const Interval &speedup) {
  auto number = [](double value) {
    return std::isfinite(value) ? llvm::json::Value(value) : llvm::json::Value(nullptr);
  };
  return llvm::json::Object{
      {"value", number(speedup.value)}, {"low", number(speedup.low)}, {"high", number(speedup.high)}};
}

void Collector::add(const RegionReport &region) {
  if (region.on.empty()) return;
  const auto &[machine, answer] = region.on.front();
  Remark remark;
  remark.rule = answer.verdict == Verdict::Port ? portRule : answer.verdict == Verdict::Keep ? keepRule : measureRule;
  remark.level = answer.verdict == Verdict::Port ? Level::Warning : Level::Remark;
  remark.function = region.function;
  std::string text = verdictInWords(answer.verdict).str() + ": " + region.function;
  if (answer.time.total > 0) text += ", " + inWords(answer.speedup.with) + " on " + machine;
  text += ". " + breakEvenStatement(region, answer) + " It moves " + formatBytes(region.h2dBytes) +
          " to the device and " + formatBytes(region.d2hBytes) + " back.";
  if (!answer.why.empty()) text += " " + sentence(answer.why);
  if (!answer.flip.empty())
    text += " What would change this: " + answer.flip +
            (StringRef(answer.flip).ends_with(".") ? "" : "."); // it may begin with a name
  for (const auto &[other, there] : llvm::ArrayRef(region.on).drop_front())
    text += " On " + other + ": " + toString(there.verdict).str() + ", " + inWords(there.speedup.with) + ".";
  for (const KernelReport &kernel : answer.kernels)
    remark.related.emplace_back(placeOf(kernel.location),
                                printable("a kernel" +
                                          std::string(kernel.staysOnHost ? ", which the plan keeps on the host" : "") +
                                          ", launched " + formatMean(kernel.launches) + "x"));
  remark.figures =
      llvm::json::Object{{"region", printable(region.id)},      {"machine", printable(machine)},
                         {"verdict", toString(answer.verdict)}, {"speedup", figuresOf(answer.speedup.with)},
                         {"h2d_bytes", region.h2dBytes},        {"d2h_bytes", region.d2hBytes}};
  const double host = answer.time.total * answer.speedup.with.value;
  const Rank rank = answer.verdict == Verdict::Port ? Port : answer.verdict == Verdict::Keep ? Keep : Measure;
  push(std::move(remark), region.location, text, rank,
       answer.verdict == Verdict::Port ? host - answer.time.total : host,
       {"region", StringRef(region.function).split('@').first, region.fingerprint});
}

void Collector::add(const UnpricedReport &nest) {
  Remark remark;
  remark.rule = notPricedRule;
  remark.function = nest.function;
  if (nest.isCounted)
    remark.figures = llvm::json::Object{
        {"work_share", std::isfinite(nest.share) ? llvm::json::Value(nest.share) : llvm::json::Value(nullptr)}};
  const std::string text =
      "This parallel nest has no price: " + nest.reason + "." + (nest.give.empty() ? "" : " Give: " + nest.give + ".");
  // How often it runs is not known: it may be all of the work.
  push(std::move(remark), nest.location, text, NotPriced, nest.isCounted ? nest.share : 1,
       {notPricedRule, StringRef(nest.function).split('@').first, nest.reason});
}

void Collector::add(const LoopReport &loop) {
  Remark remark;
  remark.rule = loop.parallel ? parallelRule : serialRule;
  remark.level = Level::Note;
  remark.function = loop.function;
  const std::string name = loop.index.empty() ? "This loop" : "The loop over " + spelled(loop.index).str(),
                    how = treatment(loop);
  std::string text = name + (loop.parallel ? " is parallel" : " is serial");
  if (loop.parallel) text += how.empty() ? " as it stands." : ": " + how + ".";
  else text += loop.reason.empty() ? "." : ": " + loop.reason + ".";
  push(std::move(remark), loop.location, text, loop.parallel ? Parallel : Serial, 0,
       {"loop", StringRef(loop.function).split('@').first, loop.index});
}

std::vector<Remark> Collector::sorted() && {
  auto place = [](const Ranked &one) {
    return std::tie(one.remark.place.path, one.remark.place.line, one.remark.place.column);
  };
  llvm::stable_sort(all, [&](const Ranked &a, const Ranked &b) { return place(a) < place(b); });
  std::map<std::string, unsigned> alike;
  for (Ranked &one : all) {
    const unsigned number = alike[one.key]++;
    one.remark.fingerprint = llvm::utohexstr(llvm::xxh3_64bits(one.key + '\0' + std::to_string(number)), true, 16);
  }
  llvm::stable_sort(all, [](const Ranked &a, const Ranked &b) {
    return std::tuple(a.rank, -a.weight) < std::tuple(b.rank, -b.weight);
  });
  std::vector<Remark> remarks;
  for (Ranked &one : all) remarks.push_back(std::move(one.remark));
  return remarks;
}

template <class... Lists>
static Remarks collected(const Report &report, const SourceRoot &root, StringRef command, const Lists &...lists) {
  Collector collector(root);
  auto addAll = [&](const auto &list) {
    for (const auto &one : list) collector.add(one);
  };
  (addAll(lists), ...);
  for (const skeleton::Finding &finding : report.findings) collector.add(finding, false);
  for (const skeleton::Finding &finding : report.suppressed) collector.add(finding, true);
  Remarks remarks;
  remarks.version = report.version;
  remarks.command = command;
  remarks.list = std::move(collector).sorted();
  for (const auto &[what, why] : report.coverage.notAnalysed)
    remarks.notAnalysed.push_back(printable(what + ": " + why));
  remarks.isPartial = report.coverage.failedFiles > 0 || report.coverage.functionsLeftOut > 0;
  return remarks;
}

Remarks remarksOf(const Report &report, const SourceRoot &root) {
  return collected(report, root, "analyze", report.regions, report.unpriced);
}

Remarks loopRemarksOf(const Report &report, const SourceRoot &root) {
  return collected(report, root, "loops", report.loops);
}

} // namespace busfare::projection
