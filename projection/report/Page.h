//===- projection/report/Page.h - Paragraphs and tables of a given width --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Lays text out for a terminal: no line is wider than the page, long names and
// paths are broken behind a `/`, `]` or `,` rather than cut off.
//
//   Table t({{"array"}, {"bytes", Align::Right}, {"section"}});
//   t.row({"u", "8.0 MiB", "[0:n-1:1]"});
//   t.note("8*n*n = 8,388,608 bytes");        under the row, indented
//   page.table(t);
//
// Columns take what they need; if that is too much the widest left-aligned ones
// are wrapped. Plain ASCII; colour is a matter of whole lines and single words.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_PAGE_H
#define BUSFARE_PROJECTION_REPORT_PAGE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace busfare::projection {

enum class Colour { Plain, Bold, Dim, Good, Bad, Unsure };
enum class Align { Left, Right };

/// Breaks text into lines of at most width characters (at least one line).
std::vector<std::string> wrap(llvm::StringRef text, unsigned width);

class Table {
public:
  struct Column {
    std::string title;
    Align align = Align::Left;
  };
  explicit Table(std::vector<Column> columns) : columns(std::move(columns)) {}
  void row(std::vector<std::string> cells) { rows.push_back({std::move(cells), false}); }
  void note(std::string text) { rows.push_back({{std::move(text)}, true}); }
  bool empty() const { return rows.empty(); }

private:
  friend class Page;
  struct Row {
    std::vector<std::string> cells;
    bool isNote;
  };
  std::vector<Column> columns;
  std::vector<Row> rows;
};

class Page {
public:
  Page(llvm::raw_ostream &os, unsigned width, bool colour) : os(os), width(width), colour(colour) {}

  void line() { os << '\n'; }
  /// A title, underlined to the page's width.
  void title(llvm::StringRef text);
  void heading(llvm::StringRef text);
  /// Wrapped; the first line is indented by `indent`, the others by `hanging`. `label` comes first, coloured.
  void paragraph(llvm::StringRef text, unsigned indent = 0, unsigned hanging = 0, llvm::StringRef label = "",
                 Colour labelColour = Colour::Plain);
  void table(const Table &table, unsigned indent = 2);
  unsigned columns() const { return width; }

private:
  void coloured(llvm::StringRef text, Colour which);
  llvm::raw_ostream &os;
  unsigned width;
  bool colour;
};

} // namespace busfare::projection

#endif
