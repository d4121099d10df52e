//===- projection/Sizes.h - What every size is bound to ------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Gives each open symbol of a root a value and says from where:
//
//   command line > a constant of the program > a hint size(n=4096) > a profile: the value in a run
//     > declared: what the code takes it to be unless input says otherwise (Define::usually)
//     > assumed (1024 for an extent or the bound of a loop over elements, 100 for any other value;
//       less, or more, where that would leave an array: FitSizes.h; rows of sparse matrices: RowLengths.h)
//
//   simulate(n, steps) with --param n=4096:   simulate::n = 4096 (command line),
//                                             simulate::steps = 100 (assumed)
//
// A symbol of a substituted callee is named after the callee. The time loop's count is
// not a size: --iterations sets it, and without anything it is 1.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_SIZES_H
#define BUSFARE_PROJECTION_SIZES_H

#include "projection/report/Report.h"
#include "skeleton/Skeleton.h"
#include "llvm/Support/Error.h"
#include <map>
#include <set>

namespace busfare::projection {

struct Root;

struct Sizes {
  std::map<std::string, ParameterValue> bySymbol; ///< As it stands in the function's Exprs.
  std::set<std::string> given() const;            ///< Those that are not assumed.
  /// Symbols that only conditions mention (argc, a flag), or only subscripts in the loop that finds them (`donor = u >
  /// 0 ? j - 1 : j`): they change which way control goes or which element an iteration takes, not how much moves.
  std::set<std::string> choicesOnly;
  std::map<std::string, skeleton::Location> places; ///< Where an open symbol is used first, if known.
  std::map<std::string, std::string> reasons; ///< Where a value comes from, if its Define does not say.

  bool isAssumed(const std::string &symbol) const;
  skeleton::Values values() const;
  skeleton::RealValues realValues() const;
};

/// `simulate::n`, for the symbol `n` of the root simulate or `simulate@40:n` of a substituted call.
std::string scopedName(llvm::StringRef root, llvm::StringRef symbol);

/// Does the name, with or without its function, stand in the source for a value that is numbered here, because the
/// variable has several: `rows` for `main::rows.2`?
bool isSpelled(llvm::StringRef given, llvm::StringRef scoped);

/// Binds the symbols of a flat root. Names given that no root knows are the caller's affair: see unknownParameters.
/// Error: a value that the program itself determines otherwise.
llvm::Expected<Sizes> bindSizes(const skeleton::Program &program, const skeleton::Function &root,
                                const std::vector<std::pair<std::string, int64_t>> &given);
/// Values that take the place of assumed ones, and whose they are.
struct KnownValues {
  skeleton::Values values;
  ParameterSource source = ParameterSource::Profile;
};
/// The same of all that an analysed root mentions (Root::elements, too).
llvm::Expected<Sizes> bindSizes(const skeleton::Program &program, const Root &root,
                                const std::vector<std::pair<std::string, int64_t>> &given,
                                const KnownValues &known = {});

/// The symbols that these statements and the extents of these arrays are made of, indices left out.
std::set<std::string> sizesIn(llvm::ArrayRef<skeleton::Node> nodes,
                              llvm::ArrayRef<std::vector<std::optional<skeleton::Expr>>> extents);

/// Those of `given` that name no symbol and no constant of the root.
std::vector<std::string> unknownParameters(const skeleton::Program &program, const skeleton::Function &root,
                                           const Sizes &sizes,
                                           const std::vector<std::pair<std::string, int64_t>> &given);

} // namespace busfare::projection

#endif
