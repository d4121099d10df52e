//===- projection/report/Annotations.cpp - Remarks beside changed lines ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// GitHub's workflow commands, one a line, and GitLab's Code Quality report. Both show
// them beside the lines of a change, by paths from the top of the repository.
//
//===----------------------------------------------------------------------===//

#include "brs/RulePages.h"
#include "projection/report/Figures.h"
#include "projection/report/JsonParts.h"
#include "projection/report/Printable.h"
#include "projection/report/RemarkWriters.h"
#include "llvm/ADT/STLExtras.h"

using busfare::skeleton::Level;
using llvm::StringRef;

namespace busfare::projection {

//===--- GitHub -----------------------------------------------------------===//

/// What would end the line or, of a property, the property.
static std::string escaped(StringRef text, bool isProperty) {
  std::string result;
  for (char c : printable(text)) switch (c) {
    case '%': result += "%25"; break;
    case ':': result += isProperty ? "%3A" : ":"; break;
    case ',': result += isProperty ? "%2C" : ","; break;
    default: result += c; // line breaks are visible already
    }
  return result;
}

static void annotation(StringRef kind, const Remark &remark, llvm::raw_ostream &os) {
  std::string place;
  if (!remark.place.path.empty()) place = "file=" + escaped(remark.place.path, true) + ",";
  if (!place.empty() && remark.place.line)
    place += "line=" + std::to_string(remark.place.line) + "," +
             (remark.place.column ? "col=" + std::to_string(remark.place.column) + "," : "");
  const brs::RulePage *page = brs::findRulePage(remark.rule);
  assert(page && "every rule has a page");
  os << "::" << kind << " " << place << "title=" << escaped(remark.rule + ": " + pageTitle(*page).str(), true)
     << "::" << escaped(remark.message, false) << "\n";
}

void writeGithub(const Remarks &remarks, llvm::raw_ostream &os) {
  std::vector<const Remark *> errors, warnings, notices;
  for (const Remark &remark : remarks.list)
    if (!remark.isSuppressed)
      (remark.level == Level::Error ? errors : remark.level == Level::Warning ? warnings : notices).push_back(&remark);
  size_t leftOut = 0;
  auto write = [&](StringRef kind, llvm::ArrayRef<const Remark *> list, size_t most) {
    for (const Remark *remark : list.take_front(most)) annotation(kind, *remark, os);
    leftOut += list.size() - std::min(list.size(), most);
  };
  write("error", errors, mostAnnotations);
  write("warning", warnings, mostAnnotations);
  // One notice says what is not there.
  const bool isAll = !leftOut && remarks.notAnalysed.empty() && notices.size() <= mostAnnotations;
  write("notice", notices, isAll ? mostAnnotations : mostAnnotations - 1);
  if (isAll) return;
  std::string rest;
  if (leftOut)
    rest = formatPlural(leftOut, "more remark") + ", which GitHub would not show; --format sarif has up to " +
           std::to_string(mostRemarks) + ".";
  if (!remarks.notAnalysed.empty())
    rest +=
        (rest.empty() ? "" : " ") + std::string("Not analysed: ") + remarks.notAnalysed.front() +
        (remarks.notAnalysed.size() > 1 ? ", and " + std::to_string(remarks.notAnalysed.size() - 1) + " more." : ".");
  os << "::notice title=busfare::" << escaped(rest, false) << "\n";
}

//===--- GitLab -----------------------------------------------------------===//

static StringRef severityOf(Level level) {
  return level == Level::Error ? "major" : level == Level::Warning ? "minor" : "info";
}

void writeGitlab(const Remarks &remarks, llvm::raw_ostream &os) {
  Stream json(os, 2);
  size_t shown = 0, leftOut = 0;
  auto entry = [&](StringRef rule, Level level, StringRef description, StringRef fingerprint,
                   const RemarkPlace &place) {
    json.object([&] {
      text(json, "description", description);
      json.attribute("check_name", rule);
      json.attribute("fingerprint", fingerprint);
      json.attribute("severity", severityOf(level));
      json.attributeObject("location", [&] {
        text(json, "path", place.path.empty() ? "." : StringRef(place.path)); // each has to have one
        json.attributeObject("lines", [&] { json.attribute("begin", std::max(place.line, 1u)); });
      });
    });
  };
  json.array([&] {
    for (const Remark &remark : remarks.list)
      if (!remark.isSuppressed && ++shown <= mostRemarks)
        entry(remark.rule, remark.level, remark.message, remark.fingerprint, remark.place);
    leftOut = shown - std::min(shown, mostRemarks);
    if (leftOut)
      entry("busfare", Level::Note, formatPlural(leftOut, "more remark") + " of less importance; --format json has all",
            "left-out", {});
    for (const std::string &what : llvm::ArrayRef(remarks.notAnalysed).take_front(1))
      entry("busfare", Level::Note,
            "Not analysed: " + what +
                (remarks.notAnalysed.size() > 1 ? ", and " + std::to_string(remarks.notAnalysed.size() - 1) + " more"
                                                : std::string()),
            "not-analysed", {});
  });
  os << '\n';
}

} // namespace busfare::projection
