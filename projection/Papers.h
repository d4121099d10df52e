//===- projection/Papers.h - Published figures beside ours ----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Recomputes the tables of the five papers whose models busfare uses, with the code
// and the machine files that its commands use:
//
//   GROPHECY++  SRAD 4096: measured transfers   published 49 ms   ours 48.0 ms   -2 %
//
// A figure is claimed if it follows from what the paper publishes; then it must hold,
// within the tolerance beside it. One that does not (a parameter is not published, or
// the paper contradicts itself) is shown all the same, with claimed false.
//
// To add a paper, touch: papers/, this header, Papers.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_PAPERS_H
#define BUSFARE_PROJECTION_PAPERS_H

#include "projection/Machine.h"
#include "projection/Project.h"
#include <optional>
#include <string>
#include <vector>

namespace busfare::projection {

/// How far ours may be from the published figure: the larger of the two.
struct Closeness {
  double ofPublished = 0; ///< A share of it.
  double amount = 0;      ///< In the figure's unit.
  bool orLess = false;    ///< The published figure is an error: less is better.
};
/// The published figure is printed with so many digits after the point.
Closeness printed(int digits);

struct PaperRow {
  std::string paper; ///< "GROPHECY++", "van Werkhoven", "AHEAD", "Groves", "CoCoPeLia".
  std::string item, unit;
  double published = 0;
  std::optional<double> ours; ///< Nothing: cannot be computed from what is published.
  double allowed = 0;         ///< In the unit.
  bool orLess = false;        ///< Less than published holds, too.
  bool claimed = true;
  std::string why; ///< Of one that is not claimed.
  /// (ours - published) / published, or the difference if 0 is published.
  std::optional<double> error() const;
  bool holds() const;
};

class PaperTable {
public:
  explicit PaperTable(std::string paper) : paper(std::move(paper)) {}
  void claim(std::string item, std::string unit, double published, std::optional<double> ours, Closeness allowed);
  /// ours may be nothing.
  void show(std::string item, std::string unit, double published, std::optional<double> ours, std::string why);
  std::vector<PaperRow> rows;

private:
  std::string paper;
};

/// A row of GROPHECY++'s Tables I and II. 0 ms is printed as "<0.1".
struct GrophecyRow {
  const char *name, *program; ///< The program is a skeleton of papers/.
  int64_t size;               ///< Elements (padded to 192), or the side of the grid.
  double kernel, transfer;    ///< Measured, ms.
  uint64_t in, out;           ///< Bytes; they follow from the codes.
  double inMebi, outMebi;     ///< As printed; 0: "<0.1".
  double kernelOnly, transferOnly, both; ///< Errors of the predicted speedup, per cent.
};
llvm::ArrayRef<GrophecyRow> grophecyTable();
/// Its program on the paper's machine. Errors are faults of ours.
llvm::Expected<RegionReport> grophecyRegion(const GrophecyRow &row, int iterations);
/// Van Werkhoven's state() or buoydiff() ("state", "buoydiff") on its grid, projected for a machine.
llvm::Expected<RegionReport> werkhovenRegion(llvm::StringRef name, llvm::StringRef machine);

PaperTable grophecyRows();
PaperTable werkhovenRows();
PaperTable aheadRows();
PaperTable grovesRows();
PaperTable cocopeliaRows();

/// All of them.
std::vector<PaperRow> paperRows();

} // namespace busfare::projection

#endif
