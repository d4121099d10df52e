//===- projection/report/Sarif.cpp - Remarks as SARIF 2.1.0 ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The Static Analysis Results Interchange Format (OASIS, 2.1.0 with errata 1). Numbers of
// sections below are those of its text.
//
// Pages of rules are Markdown and stay as they are, braces included: no rule has
// placeholders, and those who show `help` take it as it is.
//
//===----------------------------------------------------------------------===//

#include "brs/RulePages.h"
#include "projection/report/JsonParts.h"
#include "projection/report/RemarkWriters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using busfare::skeleton::Level;
using llvm::StringRef;

namespace busfare::projection {

static constexpr StringRef rootName = "SRCROOT";

/// Every byte of a path but letters, digits, `-._~` and `/`: also a colon, before which a reader would see a scheme.
static std::string percentEncoded(StringRef path) {
  std::string uri;
  for (char c : path)
    if (llvm::isAlnum(c) || StringRef("-._~/").contains(c)) uri += c;
    else uri += "%" + llvm::utohexstr(static_cast<unsigned char>(c), false, 2);
  return uri;
}

static std::string fileUri(StringRef path) { return "file://" + percentEncoded(path); }

/// A plain text in which nothing is a placeholder `{0}` (3.11.5) or a link `[text](place)` (3.11.6).
static std::string plain(StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '(' && StringRef(result).ends_with("]")) result += ' '; // `table[i](x)` is a call
    result += c;
    if (c == '{' || c == '}') result += c;
  }
  return result;
}

static void message(Stream &json, StringRef key, StringRef text) {
  json.attributeObject(key, [&] { json.attribute("text", plain(text)); });
}

static StringRef levelOf(Level level) {
  return level == Level::Error ? "error" : level == Level::Warning ? "warning" : "note";
}

/// "A size got the stated default" as a name in one word: ASizeGotTheStatedDefault.
static std::string nameOf(StringRef title) {
  std::string name;
  bool begins = true;
  for (char c : title) {
    if (llvm::isAlnum(c)) name += begins ? llvm::toUpper(c) : c;
    begins = !llvm::isAlnum(c);
  }
  return name;
}

static void rules(Stream &json, StringRef rulesUrl) {
  json.attributeArray("rules", [&] {
    for (const brs::RulePage &page : brs::rulePages())
      json.object([&] {
        text(json, "id", page.id);
        text(json, "name", nameOf(pageTitle(page)));
        json.attributeObject("shortDescription", [&] { text(json, "text", pageTitle(page).str() + "."); });
        json.attributeObject("fullDescription", [&] { text(json, "text", pageSummary(page)); });
        if (!rulesUrl.empty()) json.attribute("helpUri", rulesUrl.str() + percentEncoded(page.id) + ".md");
        json.attributeObject("help", [&] {
          text(json, "text", page.text);
          text(json, "markdown", page.text);
        });
        json.attributeObject(
            "properties", [&] { json.attributeArray("tags", [&] { json.value("performance"), json.value("gpu"); }); });
      });
  });
}

static void artifact(Stream &json, const RemarkPlace &place) {
  json.attributeObject("artifactLocation", [&] {
    json.attribute("uri", place.isInRoot ? percentEncoded(place.path) : fileUri(place.path));
    if (place.isInRoot) json.attribute("uriBaseId", rootName);
  });
}

static void physical(Stream &json, const RemarkPlace &place) {
  json.attributeObject("physicalLocation", [&] {
    artifact(json, place);
    if (place.line)
      json.attributeObject("region", [&] {
        json.attribute("startLine", place.line);
        if (place.column) json.attribute("startColumn", place.column);
      });
  });
}

static void places(Stream &json, const Remark &remark) {
  // No file, and no function either: then a result has no location.
  if (!remark.place.path.empty() || !remark.function.empty())
    json.attributeArray("locations", [&] {
      json.object([&] {
        if (!remark.place.path.empty()) physical(json, remark.place);
        if (!remark.function.empty())
          json.attributeArray("logicalLocations", [&] {
            json.object([&] {
              json.attribute("name", remark.function);
              json.attribute("kind", "function");
            });
          });
      });
    });
  if (remark.related.empty()) return;
  json.attributeArray("relatedLocations", [&] {
    for (size_t i = 0; i < remark.related.size(); ++i)
      json.object([&] {
        json.attribute("id", int64_t(i));
        if (!remark.related[i].first.path.empty()) physical(json, remark.related[i].first);
        message(json, "message", remark.related[i].second);
      });
  });
}

/// 3.55: all changes of one fix belong together. An insertion deletes a region of length 0 (3.57.3).
static void fixes(Stream &json, const Remark &remark) {
  if (remark.fixes.empty()) return;
  json.attributeArray("fixes", [&] {
    for (const RemarkFix &fix : remark.fixes)
      json.object([&] {
        message(json, "description", fix.description);
        json.attributeArray("artifactChanges", [&] {
          for (const FileChange &change : fix.files)
            json.object([&] {
              artifact(json, change.file);
              json.attributeArray("replacements", [&] {
                for (const Replacement &one : change.replacements)
                  json.object([&] {
                    json.attributeObject("deletedRegion", [&] {
                      json.attribute("startLine", one.line);
                      json.attribute("startColumn", one.column);
                      json.attribute("endLine", one.endLine);
                      json.attribute("endColumn", one.endColumn);
                    });
                    if (!one.text.empty())
                      json.attributeObject("insertedContent", [&] { text(json, "text", one.text); });
                  });
              });
            });
        });
      });
  });
}

static void result(Stream &json, const Remark &remark) {
  json.object([&] {
    json.attribute("ruleId", remark.rule);
    const brs::RulePage *page = brs::findRulePage(remark.rule);
    assert(page && "every rule has a page");
    json.attribute("ruleIndex", page - brs::rulePages().begin());
    json.attribute("level", levelOf(remark.level));
    message(json, "message", remark.message);
    places(json, remark);
    json.attributeObject("partialFingerprints", [&] { json.attribute("busfare/v1", remark.fingerprint); });
    if (remark.isSuppressed)
      json.attributeArray("suppressions", [&] {
        json.object([&] {
          // It stands in the source, or in a file .busfare beside it: both are kept with the source.
          json.attribute("kind", "inSource");
          json.attribute("justification", "a hint ignore(" + remark.rule + ")");
        });
      });
    fixes(json, remark);
    if (!remark.figures.empty()) json.attribute("properties", llvm::json::Object(remark.figures));
  });
}

static void invocation(Stream &json, const Remarks &remarks, const SourceRoot &root) {
  const size_t leftOut = remarks.list.size() - std::min(remarks.list.size(), mostRemarks);
  auto notification = [&](StringRef id, StringRef level, const std::string &text) {
    json.object([&] {
      json.attributeObject("descriptor", [&] { json.attribute("id", id); });
      json.attribute("level", level);
      message(json, "message", text);
    });
  };
  json.object([&] {
    json.attribute("executionSuccessful", !remarks.isPartial);
    json.attributeObject("workingDirectory", [&] { json.attribute("uri", fileUri(root.workingFolder) + "/"); });
    json.attributeArray("toolExecutionNotifications", [&] {
      if (leftOut)
        notification("left-out", "warning",
                     std::to_string(leftOut) + " results are left out: these are the " + std::to_string(mostRemarks) +
                         " most important; --format json has all");
      for (const std::string &what : llvm::ArrayRef(remarks.notAnalysed).take_front(mostRemarks))
        notification("not-analysed", "warning", "Not analysed: " + what);
    });
  });
}

void writeSarif(const Remarks &remarks, const SourceRoot &root, StringRef rulesUrl, llvm::raw_ostream &os) {
  Stream json(os, 1);
  json.object([&] {
    json.attribute("$schema",
                   "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json");
    json.attribute("version", "2.1.0");
    json.attributeArray("runs", [&] {
      json.object([&] {
        json.attributeObject("tool", [&] {
          json.attributeObject("driver", [&] {
            json.attribute("name", "busfare");
            text(json, "version", remarks.version);
            text(json, "semanticVersion", remarks.version);
            rules(json, rulesUrl);
          });
        });
        // Runs of two commands are two sets of results, not an old and a new one of the same.
        json.attributeObject("automationDetails", [&] { json.attribute("id", "busfare/" + remarks.command + "/"); });
        json.attributeArray("invocations", [&] { invocation(json, remarks, root); });
        json.attributeObject("originalUriBaseIds", [&] {
          json.attributeObject(rootName, [&] { json.attribute("uri", fileUri(root.folder) + "/"); });
        });
        json.attribute("columnKind", "unicodeCodePoints");
        json.attributeArray("results", [&] {
          for (const Remark &remark : llvm::ArrayRef(remarks.list).take_front(mostRemarks)) result(json, remark);
        });
      });
    });
  });
  os << '\n';
}

} // namespace busfare::projection
