//===- projection/report/SizesText.cpp - Sizes for a terminal -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   Sizes of main
//   Bound
//     main::m = 500, declared: argc > 1 ? atoi(argv[1]) : 500 (main.c:17)
//         extent of a; 3 loops
//
//===----------------------------------------------------------------------===//

#include "projection/report/Page.h"
#include "projection/report/Writers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace busfare::projection {

static std::string counted(unsigned count, llvm::StringRef what) {
  return std::to_string(count) + " " + what.str() + (count == 1 ? "" : "s");
}

static std::string shortPlace(const skeleton::Location &location) {
  return location.isKnown() ? (llvm::sys::path::filename(location.file) + ":" + llvm::Twine(location.line)).str() : "";
}

/// "extent of u, v and 3 more arrays; 2 loops, 1 condition"
static std::string usesOf(const SizeLine &size) {
  constexpr size_t shown = 3;
  std::vector<std::string> names(size.arrays.begin(), size.arrays.begin() + std::min(shown, size.arrays.size()));
  std::string text = names.empty() ? "" : "extent of " + llvm::join(names, ", ");
  if (size.arrays.size() > shown) text += " and " + counted(unsigned(size.arrays.size() - shown), "more array");
  std::string others = size.loops ? counted(size.loops, "loop") : "";
  if (size.conditions) others += (others.empty() ? "" : ", ") + counted(size.conditions, "condition");
  return text + (text.empty() || others.empty() ? "" : "; ") + others;
}

static void writeGroup(llvm::StringRef heading, const std::vector<const SizeLine *> &group, Page &page) {
  if (group.empty()) return;
  page.heading(heading);
  for (const SizeLine *size : group) {
    bool isPassed = size->source == ParameterSource::Caller;
    std::string value = size->value ? std::to_string(*size->value) : isPassed ? size->text : "?", why;
    if (isPassed) why = !size->value ? "computed while it runs" : size->text == value ? "" : size->text;
    else why = llvm::StringRef(size->name).ends_with("::" + size->text) ? "" : size->text;
    std::string text = toString(size->source).str() + (why.empty() ? "" : ": " + why);
    if (size->location.isKnown()) text += " (" + shortPlace(size->location) + ")";
    page.paragraph(text, 2, 6, size->name + " = " + value + ",",
                   size->source == ParameterSource::Assumed ? Colour::Unsure : Colour::Bold);
    if (std::string uses = usesOf(*size); !uses.empty() && !isPassed) page.paragraph(uses, 6, 6);
  }
  page.line();
}

void writeSizesText(const SizesReport &report, llvm::raw_ostream &os, const TextStyle &style) {
  Page page(os, style.width, style.colour);
  if (report.sizes.empty()) page.paragraph("No size is open: every extent and every bound is a number.");
  std::vector<std::string> roots;
  for (const SizeLine &size : report.sizes)
    if (!llvm::is_contained(roots, size.root)) roots.push_back(size.root);
  for (const std::string &root : roots) {
    std::vector<const SizeLine *> bound, open, conditions, passed;
    for (const SizeLine &size : report.sizes) {
      if (size.root != root) continue;
      bool sizesNothing = size.arrays.empty() && !size.loops;
      (size.source == ParameterSource::Caller    ? passed
       : sizesNothing                            ? conditions
       : size.source == ParameterSource::Assumed ? open
                                                 : bound)
          .push_back(&size);
    }
    page.title("Sizes of " + root);
    writeGroup("Bound", bound, page);
    writeGroup("Open: nothing binds them; --param NAME=VALUE does", open, page);
    writeGroup("Of conditions and subscripts only", conditions, page);
    writeGroup("Passed by callers", passed, page);
  }
}

} // namespace busfare::projection
