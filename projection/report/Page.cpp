//===- projection/report/Page.cpp - Paragraphs and tables of a given width ===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/Page.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using llvm::StringRef;

namespace busfare::projection {

/// Where to cut a word that is too long: behind the last separator that fits, otherwise at the width. Never inside
/// a UTF-8 sequence.
static size_t cutOf(StringRef word, size_t width) {
  for (size_t cut = width; cut > width / 3; --cut)
    if (StringRef("/],;*&|").contains(word[cut - 1])) return cut;
  size_t cut = width;
  while (cut > 1 && (static_cast<unsigned char>(word[cut]) & 0xC0) == 0x80) --cut;
  return cut;
}

/// Is the blank between the two words one that reads badly at the end of a line: `8.0 MiB`, `n = 4096`?
static bool belongTogether(StringRef left, StringRef right) {
  if (left == "=" || right == "=" || left == "<=" || left == ">" || right == ">" || right == "<=") return true;
  static const StringRef units[] = {"%", "B", "KiB", "MiB", "GiB", "TiB", "ns", "us", "ms", "s", "h", "bytes"};
  return !left.empty() && left.back() >= '0' && left.back() <= '9' && llvm::is_contained(units, right.rtrim(".,;:)"));
}

/// The words of a text, those that belong together as one.
static std::vector<StringRef> wordsOf(StringRef text, size_t width) {
  std::vector<StringRef> words;
  StringRef before;
  while (!text.empty()) {
    StringRef word;
    std::tie(word, text) = text.split(' ');
    if (word.empty()) continue;
    size_t joined = words.empty() ? 0 : word.end() - words.back().begin();
    if (!words.empty() && before.end() + 1 == word.begin() && belongTogether(before, word) && joined <= width)
      words.back() = StringRef(words.back().begin(), joined);
    else words.push_back(word);
    before = word;
  }
  return words;
}

std::vector<std::string> wrap(StringRef text, unsigned width) {
  width = std::max(width, 4u);
  std::vector<std::string> lines(1);
  for (StringRef word : wordsOf(text, width)) {
    while (!word.empty()) {
      std::string &current = lines.back();
      size_t blank = current.empty() ? 0 : 1;
      if (current.size() + blank + word.size() <= width) {
        current += (blank ? " " : "") + word.str();
        break;
      }
      // A long word starts on the current line if a good part of it fits there.
      size_t room = current.size() + blank < width ? width - current.size() - blank : 0;
      if (word.size() > width && (current.empty() || room >= 24)) {
        size_t cut = cutOf(word, std::min<size_t>(room, word.size() - 1));
        current += (blank ? " " : "") + word.take_front(cut).str();
        word = word.drop_front(cut);
      }
      lines.emplace_back();
    }
  }
  while (lines.size() > 1 && lines.back().empty()) lines.pop_back();
  return lines;
}

void Page::coloured(StringRef text, Colour which) {
  static const char *const codes[] = {"", "\033[1m", "\033[2m", "\033[1;32m", "\033[1;31m", "\033[1;33m"};
  if (!colour || which == Colour::Plain || text.empty()) {
    os << text;
    return;
  }
  os << codes[int(which)] << text << "\033[0m";
}

void Page::title(StringRef text) {
  for (const std::string &part : wrap(text, width)) {
    coloured(part, Colour::Bold);
    os << '\n';
  }
  os << std::string(std::min<size_t>(width, 79), '=') << '\n';
}

void Page::heading(StringRef text) {
  for (const std::string &part : wrap(text, width)) {
    coloured(part, Colour::Bold);
    os << '\n';
  }
}

void Page::paragraph(StringRef text, unsigned indent, unsigned hanging, StringRef label, Colour labelColour) {
  // The label takes part in the wrapping as a word of its length, and is coloured afterwards.
  std::string marked = label.str();
  std::replace(marked.begin(), marked.end(), ' ', '\x01');
  if (!label.empty() && !text.empty()) marked += ' ';
  marked += text;
  unsigned room = width - std::min(width - 8, std::max(indent, hanging));
  std::vector<std::string> lines = wrap(marked, room);
  for (size_t i = 0; i < lines.size(); ++i) {
    std::string &part = lines[i];
    std::replace(part.begin(), part.end(), '\x01', ' ');
    os.indent(i ? hanging : indent);
    size_t inColour = i == 0 ? std::min(label.size(), part.size()) : 0;
    coloured(StringRef(part).take_front(inColour), labelColour);
    os << StringRef(part).drop_front(inColour) << '\n';
  }
}

/// Natural widths, then the widest left-aligned column gives way until the row fits.
static std::vector<size_t> fit(std::vector<size_t> widths, const std::vector<bool> &mayShrink, size_t room) {
  auto total = [&] {
    size_t sum = 2 * (widths.size() - 1);
    for (size_t w : widths) sum += w;
    return sum;
  };
  while (total() > room) {
    size_t widest = widths.size();
    for (size_t c = 0; c < widths.size(); ++c)
      if (mayShrink[c] && widths[c] > 8 && (widest == widths.size() || widths[c] > widths[widest])) widest = c;
    if (widest == widths.size()) break;
    --widths[widest];
  }
  return widths;
}

void Page::table(const Table &table, unsigned indent) {
  std::vector<size_t> widths;
  std::vector<bool> mayShrink;
  for (size_t c = 0; c < table.columns.size(); ++c) {
    size_t natural = table.columns[c].title.size();
    for (const Table::Row &row : table.rows)
      if (!row.isNote && c < row.cells.size()) natural = std::max(natural, row.cells[c].size());
    widths.push_back(natural);
    mayShrink.push_back(table.columns[c].align == Align::Left);
  }
  widths = fit(std::move(widths), mayShrink, width - indent);

  auto printRow = [&](const std::vector<std::string> &cells, Colour which) {
    std::vector<std::vector<std::string>> wrapped;
    size_t height = 1;
    for (size_t c = 0; c < widths.size(); ++c) {
      wrapped.push_back(wrap(c < cells.size() ? cells[c] : "", widths[c]));
      height = std::max(height, wrapped.back().size());
    }
    for (size_t l = 0; l < height; ++l) {
      std::string text(indent, ' ');
      for (size_t c = 0; c < widths.size(); ++c) {
        std::string cell = l < wrapped[c].size() ? wrapped[c][l] : "";
        std::string pad(widths[c] - std::min(widths[c], cell.size()), ' ');
        text += (c ? "  " : "") + (table.columns[c].align == Align::Right ? pad + cell : cell + pad);
      }
      coloured(StringRef(text).rtrim(' '), which);
      os << '\n';
    }
  };
  std::vector<std::string> titles;
  for (const Table::Column &column : table.columns) titles.push_back(column.title);
  if (std::any_of(titles.begin(), titles.end(), [](const std::string &t) { return !t.empty(); }))
    printRow(titles, Colour::Dim);
  for (const Table::Row &row : table.rows) {
    if (!row.isNote) {
      printRow(row.cells, Colour::Plain);
      continue;
    }
    for (const std::string &part : wrap(row.cells.front(), width - indent - 4)) os.indent(indent + 4) << part << '\n';
  }
}

} // namespace busfare::projection
