//===- clang-plugin/cli/RemarkOutput.cpp - A report in other programs' formats -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RemarkOutput.h"
#include "brs/RulePages.h"
#include "projection/report/RemarkWriters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <map>
#include <memory>

using llvm::StringRef;
using namespace busfare::projection;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace busfare::frontend {

bool isOfRemarks(Format format) {
  return format == Format::Sarif || format == Format::Github || format == Format::Gitlab;
}

static SourceRoot sourceRoot() {
  llvm::SmallString<256> here;
  if (fs::current_path(here)) here = "/"; // it is gone; names that begin nowhere stay as they are
  path::remove_dots(here, true);
  auto withoutSlash = [](StringRef folder) { return folder.rtrim('/').str(); };
  SourceRoot root{withoutSlash(here), withoutSlash(here)};
  for (StringRef folder = here; !folder.empty(); folder = path::parent_path(folder)) {
    llvm::SmallString<256> repository(folder);
    path::append(repository, ".git");
    if (!fs::exists(repository)) continue;
    root.folder = withoutSlash(folder);
    break;
  }
  return root;
}

namespace {

/// Columns as Clang has them, in bytes, to columns in characters.
class Columns {
public:
  explicit Columns(const SourceRoot &root) : root(root) {}

  void countInPlace(RemarkPlace &place) {
    if (place.column < 2 || place.path.empty()) return;
    const std::vector<StringRef> &lines = linesOf((place.isInRoot ? root.folder + "/" : "") + place.path);
    if (place.line == 0 || place.line > lines.size()) return;
    const StringRef before = lines[place.line - 1].take_front(place.column - 1);
    if (llvm::json::isUTF8(before))
      place.column -= llvm::count_if(before, [](unsigned char c) { return (c & 0xC0) == 0x80; });
  }

private:
  const SourceRoot &root;
  struct File {
    std::unique_ptr<llvm::MemoryBuffer> text;
    std::vector<StringRef> lines; ///< None of a file in which bytes are characters.
  };
  std::map<std::string, File> files;

  const std::vector<StringRef> &linesOf(const std::string &name) {
    auto [known, isNew] = files.try_emplace(name);
    File &file = known->second;
    if (!isNew) return file.lines;
    auto buffer = llvm::MemoryBuffer::getFile(name);
    if (!buffer || llvm::all_of((*buffer)->getBuffer(), [](char c) { return llvm::isASCII(c); })) return file.lines;
    file.text = std::move(*buffer);
    for (StringRef rest = file.text->getBuffer(); !rest.empty();) {
      StringRef line;
      std::tie(line, rest) = rest.split('\n');
      file.lines.push_back(line);
    }
    return file.lines;
  }
};

} // namespace

/// An offset as a line and a column in characters; bytes of a text in another encoding count as one each.
static std::pair<unsigned, unsigned> placeIn(StringRef text, size_t offset) {
  const StringRef before = text.take_front(offset);
  const StringRef line = before.substr(before.rfind('\n') == StringRef::npos ? 0 : before.rfind('\n') + 1);
  const bool hasCharacters = llvm::json::isUTF8(line);
  return {unsigned(before.count('\n') + 1),
          unsigned(llvm::count_if(line, [&](unsigned char c) { return !hasCharacters || (c & 0xC0) != 0x80; }) + 1)};
}

static RemarkFix fixOf(const ProposedFix &proposed, const SourceRoot &root) {
  RemarkFix fix{proposed.description, {}};
  for (const ProposedFix::File &file : proposed.files) {
    FileChange change{placeFrom(root, file.name), {}};
    for (const auto &[offset, length, with] : file.changes) {
      auto [line, column] = placeIn(file.text, offset);
      auto [endLine, endColumn] = placeIn(file.text, offset + length);
      change.replacements.push_back({line, column, endLine, endColumn, with});
    }
    fix.files.push_back(std::move(change));
  }
  return fix;
}

/// Each with the first remark on one of its regions.
static void addFixes(Remarks &remarks, llvm::ArrayRef<ProposedFix> fixes, const SourceRoot &root) {
  for (const ProposedFix &fix : fixes)
    for (Remark &remark : remarks.list)
      if (std::optional<StringRef> region = remark.figures.getString("region");
          region && fix.regions.count(region->str())) {
        remark.fixes.push_back(fixOf(fix, root));
        break;
      }
}

void writeRemarks(const Report &report, bool ofLoops, Format format, llvm::raw_ostream &os,
                  llvm::ArrayRef<ProposedFix> fixes) {
  const SourceRoot root = sourceRoot();
  Remarks remarks = ofLoops ? loopRemarksOf(report, root) : remarksOf(report, root);
  addFixes(remarks, fixes, root);
  Columns columns(root);
  for (Remark &remark : remarks.list) {
    columns.countInPlace(remark.place);
    for (auto &[place, what] : remark.related) columns.countInPlace(place);
  }
  if (format == Format::Sarif) writeSarif(remarks, root, brs::rulesUrl(), os);
  else if (format == Format::Github) writeGithub(remarks, os);
  else writeGitlab(remarks, os);
}

} // namespace busfare::frontend
