//===- clang-plugin/port/Edits.cpp - Changes of a file's text ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Edits.h"
#include "clang/Tooling/Core/Replacement.h"
#include "clang/Tooling/ReplacementsYaml.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;

namespace busfare::frontend::port {

//===--- Edits ------------------------------------------------------------===//

std::vector<Edit> inOrder(std::vector<Edit> edits) {
  // At one place: insertions first, then the longest removal, which swallows those inside it.
  llvm::stable_sort(edits, [](const Edit &a, const Edit &b) {
    if (a.offset != b.offset) return a.offset < b.offset;
    bool isInsertion = a.length == 0, isOtherInsertion = b.length == 0;
    return isInsertion != isOtherInsertion ? isInsertion : !isInsertion && a.length > b.length;
  });
  std::vector<Edit> result;
  unsigned removedTo = 0;
  size_t remover = 0;
  for (Edit &edit : edits) {
    if (edit.length > 0 && edit.offset + edit.length <= removedTo) {
      Edit &other = result[remover];
      if (other.text.empty() && other.offset == edit.offset && other.length == edit.length)
        other.text = std::move(edit.text); // one removes what the other replaces
      continue;
    }
    if (edit.length > 0) {
      removedTo = edit.offset + edit.length;
      remover = result.size();
    }
    result.push_back(std::move(edit));
  }
  return result;
}

void endLinesAs(StringRef text, std::vector<Edit> &edits) {
  if (!text.take_until([](char c) { return c == '\n'; }).ends_with("\r")) return;
  for (Edit &edit : edits) {
    std::string lines;
    for (char c : edit.text) {
      if (c == '\n' && !StringRef(lines).ends_with("\r")) lines += '\r';
      lines += c;
    }
    edit.text = std::move(lines);
  }
}

std::string apply(StringRef text, const std::vector<Edit> &edits, unsigned begin, unsigned end) {
  std::string result;
  unsigned at = begin;
  for (const Edit &edit : inOrder(edits)) {
    bool isInside = edit.offset >= begin && (edit.offset < end || (edit.offset == end && end == text.size()));
    if (!isInside) continue;
    if (edit.offset > at) result += text.slice(at, edit.offset);
    result += edit.text;
    at = std::max(at, std::min(edit.offset + edit.length, end));
  }
  return result += text.slice(at, end);
}

std::string apply(StringRef text, const std::vector<Edit> &edits) { return apply(text, edits, 0, text.size()); }

//===--- Diff -------------------------------------------------------------===//

/// Lines with their newline; the last may lack it.
static std::vector<StringRef> linesOf(StringRef text) {
  std::vector<StringRef> lines;
  while (!text.empty()) {
    size_t newline = text.find('\n');
    size_t length = newline == StringRef::npos ? text.size() : newline + 1;
    lines.push_back(text.take_front(length));
    text = text.drop_front(length);
  }
  return lines;
}

namespace {
/// A line of both texts (' '), of the old one ('-') or of the new one ('+').
struct DiffLine {
  char mark;
  StringRef line;
};
} // namespace

/// Steps past which the two are taken as wholly different: the table below grows with their square.
static constexpr int maxSteps = 4000;

/// The shortest edit script (Myers 1986, "An O(ND) difference algorithm"), backwards from its table.
static std::vector<DiffLine> shortestScript(llvm::ArrayRef<StringRef> before, llvm::ArrayRef<StringRef> after) {
  const int n = before.size(), m = after.size();
  std::vector<std::vector<int>> table; // table[d][k + d]: the furthest line of `before` on diagonal k with d changes
  auto reached = [&](int d, int k) { return d < 0 || k < -d || k > d ? -1 : table[d][k + d]; };
  // Down from diagonal k + 1 (a line of `after` more) or right from k - 1 (one of `before` less)?
  auto isDown = [&](int d, int k) { return k == -d || (k != d && reached(d - 1, k - 1) < reached(d - 1, k + 1)); };
  bool isFound = false;
  for (int d = 0; d <= n + m && d <= maxSteps && !isFound; ++d) {
    table.emplace_back(2 * d + 1, -1);
    for (int k = -d; k <= d; k += 2) {
      int x = d == 0 ? 0 : isDown(d, k) ? reached(d - 1, k + 1) : reached(d - 1, k - 1) + 1;
      while (x < n && x - k >= 0 && x - k < m && before[x] == after[x - k]) ++x;
      table[d][k + d] = x;
      isFound |= x >= n && x - k >= m;
    }
  }
  std::vector<DiffLine> script;
  if (!isFound) {
    for (StringRef line : before) script.push_back({'-', line});
    for (StringRef line : after) script.push_back({'+', line});
    return script;
  }
  int x = n, y = m;
  for (int d = table.size() - 1; d > 0; --d) {
    int k = x - y;
    bool down = isDown(d, k);
    int fromX = reached(d - 1, down ? k + 1 : k - 1), fromY = fromX - (down ? k + 1 : k - 1);
    int sameX = down ? fromX : fromX + 1;
    for (; x > sameX; --x, --y) script.push_back({' ', before[x - 1]});
    script.push_back(down ? DiffLine{'+', after[fromY]} : DiffLine{'-', before[fromX]});
    x = fromX;
    y = fromY;
  }
  for (; x > 0; --x) script.push_back({' ', before[x - 1]});
  std::reverse(script.begin(), script.end());
  return script;
}

static std::vector<DiffLine> scriptOf(llvm::ArrayRef<StringRef> before, llvm::ArrayRef<StringRef> after) {
  size_t head = 0, tail = 0, shorter = std::min(before.size(), after.size());
  while (head < shorter && before[head] == after[head]) ++head;
  while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  std::vector<DiffLine> script;
  for (StringRef line : before.take_front(head)) script.push_back({' ', line});
  llvm::append_range(script,
                     shortestScript(before.drop_front(head).drop_back(tail), after.drop_front(head).drop_back(tail)));
  for (StringRef line : before.take_back(tail)) script.push_back({' ', line});
  return script;
}

/// `@@ -3,7 +3,8 @@` and its lines: [first, last) of the script, at these lines (from 0) of the two texts.
static void writeHunk(llvm::ArrayRef<DiffLine> lines, unsigned oldLine, unsigned newLine, llvm::raw_ostream &os) {
  unsigned oldCount = llvm::count_if(lines, [](const DiffLine &line) { return line.mark != '+'; });
  unsigned newCount = llvm::count_if(lines, [](const DiffLine &line) { return line.mark != '-'; });
  // Of an empty range diff gives the line before it.
  os << "@@ -" << oldLine + (oldCount > 0) << ',' << oldCount << " +" << newLine + (newCount > 0) << ',' << newCount
     << " @@\n";
  for (const DiffLine &line : lines) {
    os << line.mark << line.line;
    if (!line.line.ends_with("\n")) os << "\n\\ No newline at end of file\n";
  }
}

std::string unifiedDiff(StringRef file, StringRef before, StringRef after) {
  constexpr size_t context = 3;
  if (before == after) return "";
  std::vector<StringRef> oldLines = linesOf(before), newLines = linesOf(after);
  std::vector<DiffLine> script = scriptOf(oldLines, newLines);
  while (file.consume_front("./") || file.consume_front("/"));
  // A tab ends a name that has blanks.
  const char *end = file.contains(' ') ? "\t\n" : "\n";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "--- a/" << file << end << "+++ b/" << file << end;
  unsigned oldLine = 0, newLine = 0;
  for (size_t at = 0; at < script.size();) {
    size_t change = at;
    while (change < script.size() && script[change].mark == ' ') ++change;
    if (change == script.size()) break;
    size_t first = change - std::min(context, change - at);
    // The hunk goes on while the next change is so near that their contexts meet.
    size_t last = change, same = 0;
    while (last + same < script.size() && same <= 2 * context)
      if (script[last + same].mark == ' ') {
        ++same;
      } else {
        last += same + 1;
        same = 0;
      }
    size_t stop = std::min({last + context, last + same, script.size()});
    oldLine += first - at;
    newLine += first - at;
    llvm::ArrayRef<DiffLine> hunk = llvm::ArrayRef(script).slice(first, stop - first);
    writeHunk(hunk, oldLine, newLine, os);
    for (const DiffLine &line : hunk) {
      oldLine += line.mark != '+';
      newLine += line.mark != '-';
    }
    at = stop;
  }
  return text;
}

std::vector<Edit> joined(const std::vector<Edit> &edits) {
  std::vector<Edit> result;
  for (const Edit &edit : inOrder(edits)) {
    if (result.empty() || result.back().offset + result.back().length < edit.offset) {
      result.push_back(edit);
      continue;
    }
    Edit &last = result.back();
    last.text += edit.text;
    last.length = std::max(last.offset + last.length, edit.offset + edit.length) - last.offset;
  }
  return result;
}

//===--- YAML -------------------------------------------------------------===//

std::string replacementsYaml(llvm::ArrayRef<FileEdits> files) {
  clang::tooling::TranslationUnitReplacements all;
  if (!files.empty()) all.MainSourceFile = files.front().file;
  for (const FileEdits &file : files)
    for (const Edit &edit : joined(file.edits))
      if (edit.length > 0 || !edit.text.empty())
        all.Replacements.emplace_back(file.file, edit.offset, edit.length, edit.text);
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::yaml::Output yaml(os);
  yaml << all;
  return text;
}

} // namespace busfare::frontend::port
