//===- clang-plugin/hints/HintFile.cpp - .busfare: hints beside the sources -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "HintFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;
namespace path = llvm::sys::path;

namespace busfare::frontend {

/// Where the part that begins here ends: at a colon that is not one of a pair.
static size_t endOfPart(StringRef line, size_t from) {
  for (size_t k = from; k < line.size(); ++k)
    if (line[k] == ':') {
      if (line.substr(k).starts_with("::")) ++k;
      else return k;
    }
  return line.size();
}

/// `NAME`, `NAME loop i`, `NAME loop i#2`, `NAME loop 3`. Empty: fine; else what is wrong.
static std::string readFunction(StringRef part, HintPlace &place) {
  auto [name, rest] = part.trim().split(' ');
  place.function = name.str();
  rest = rest.trim();
  if (name.empty()) return "expected the name of a function";
  if (rest.empty()) return "";
  if (!rest.consume_front("loop ") || rest.trim().empty())
    return "expected ':' or 'loop' and an index or a number after the function's name";
  rest = rest.trim();
  if (!rest.getAsInteger(10, place.ordinal)) return place.ordinal ? "" : "loops are counted from 1";
  auto [index, number] = rest.split('#');
  place.index = index.str();
  place.ordinal = 1;
  if (!number.empty() && (number.getAsInteger(10, place.ordinal) || place.ordinal == 0))
    return "expected a number from 1 after '#'";
  if (index.find_first_of(" \t") != StringRef::npos) return "expected ':' after the loop's index";
  return "";
}

/// Where the words begin, or what is wrong with the place before them.
static size_t readPlace(StringRef line, HintPlace &place, std::string &why) {
  size_t end = endOfPart(line, 0);
  StringRef first = line.take_front(end).trim();
  if (first.consume_front("function ")) {
    why = readFunction(first, place);
  } else if (end < line.size()) {
    place.file = first.str();
    size_t begin = end + 1;
    end = endOfPart(line, begin);
    StringRef second = line.slice(begin, end).trim();
    if (second.getAsInteger(10, place.line)) why = readFunction(second, place);
    else if (place.line == 0) why = "lines are counted from 1";
  } else {
    why = "expected 'function NAME:', 'FILE:NAME:' or 'FILE:LINE:' before the words";
  }
  if (why.empty() && end >= line.size()) why = "expected ':' and the words of a hint after the place";
  return end + 1;
}

std::vector<HintLine> parseHintFile(StringRef text, StringRef fileName) {
  std::vector<HintLine> result;
  unsigned number = 0;
  for (size_t begin = 0; begin < text.size();) {
    ++number;
    size_t end = std::min(text.find('\n', begin), text.size());
    StringRef line = text.slice(begin, end);
    line = line.take_front(line.find('#') == 0 ? 0 : line.size());
    if (StringRef plain = line.trim(); !plain.empty() && plain.front() != '#') {
      HintLine made;
      std::string why;
      size_t words = readPlace(line, made.place, why);
      skeleton::Location start{fileName.str(), number, unsigned(line.find_first_not_of(" \t") + 1)};
      if (why.empty()) {
        made.read = skeleton::parseHints(text, fileName, begin + words, end);
      } else {
        made.read.complaint = start;
        made.read.why = why;
      }
      made.read.hints.location = start;
      result.push_back(std::move(made));
    }
    begin = end + 1;
  }
  return result;
}

std::pair<std::string, std::string> findHintFile(StringRef source, llvm::vfs::FileSystem &files) {
  llvm::SmallString<256> folder(path::parent_path(source));
  for (bool isFirst = true;; isFirst = false) {
    llvm::SmallString<256> name(folder);
    path::append(name, ".busfare");
    if (auto buffer = files.getBufferForFile(name)) return {name.str().str(), (*buffer)->getBuffer().str()};
    if (isFirst && files.makeAbsolute(folder)) return {};
    path::remove_dots(folder, true);
    llvm::SmallString<256> repository(folder);
    path::append(repository, ".git");
    if (files.exists(repository)) return {};
    StringRef above = path::parent_path(folder);
    if (above.empty() || above == folder) return {};
    folder = llvm::SmallString<256>(above);
  }
}

bool isEndOfPath(StringRef wanted, StringRef path) {
  wanted.consume_front("./");
  return path.consume_back(wanted) && (path.empty() || path.back() == '/');
}

} // namespace busfare::frontend
