//===- projection/report/LongLists.cpp - Lists that nobody would read -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/LongLists.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

namespace busfare::projection {

using skeleton::toString;

static constexpr size_t manyStatements = 12, manyNames = 16;

/// `(line 12)`, `(lines 12, 14, 20)`, `(lines 12 to 90, 31 places)`
static std::string spokenLines(std::vector<unsigned> lines) {
  const size_t places = lines.size();
  llvm::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  if (lines.size() > 3)
    return "(lines " + std::to_string(lines.front()) + " to " + std::to_string(lines.back()) + ", " +
           std::to_string(places) + " places)";
  std::vector<std::string> numbers;
  for (unsigned line : lines) numbers.push_back(std::to_string(line));
  return (lines.size() == 1 ? "(line " : "(lines ") + llvm::join(numbers, ", ") + ")";
}

std::vector<std::string> spokenStatements(llvm::ArrayRef<HostStatementReport> statements) {
  std::vector<std::string> result;
  if (statements.size() <= manyStatements) {
    for (const HostStatementReport &one : statements) result.push_back(spoken(one));
    return result;
  }
  // Files and names in the order in which they come first.
  using Name = std::pair<std::string, std::vector<unsigned>>;
  std::vector<std::pair<std::string, std::vector<Name>>> files;
  auto entryOf = [](auto &list, const std::string &key) -> auto & {
    auto found = llvm::find_if(list, [&](const auto &entry) { return entry.first == key; });
    if (found == list.end()) {
      list.push_back({key, {}});
      found = std::prev(list.end());
    }
    return found->second;
  };
  for (const HostStatementReport &one : statements)
    entryOf(entryOf(files, one.location.file.str()), one.what).push_back(one.location.line);
  for (const auto &[file, names] : files) {
    std::vector<std::string> texts;
    for (const auto &[name, lines] : names) texts.push_back(name + " " + spokenLines(lines));
    result.push_back((file.empty() ? "" : file + ": ") + llvm::join(texts, ", "));
  }
  return result;
}

/// `value` of `value.12`, a name that another one of the same function bears already.
static llvm::StringRef withoutNumber(llvm::StringRef name) {
  const auto [base, number] = name.rsplit('.');
  return !number.empty() && llvm::all_of(number, llvm::isDigit) ? base : name;
}

std::string spokenNames(llvm::ArrayRef<std::string> names, llvm::StringRef more) {
  if (names.size() <= manyNames) return llvm::join(names, ", ");
  std::map<std::string, std::vector<std::string>> alike;
  for (const std::string &name : names) alike[withoutNumber(name).str()].push_back(name);
  std::vector<std::string> texts;
  size_t said = 0;
  for (const auto &[base, all] : alike) {
    if (texts.size() == manyNames) break;
    texts.push_back(all.size() == 1 ? all.front() : base + " (" + std::to_string(all.size()) + " of that name)");
    said += all.size();
  }
  const std::string rest =
      said < names.size() ? ", and " + std::to_string(names.size() - said) + " more, which " + more.str() + " lists"
                          : "";
  return llvm::join(texts, ", ") + rest;
}

} // namespace busfare::projection
