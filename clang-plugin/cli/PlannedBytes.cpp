//===- clang-plugin/cli/PlannedBytes.cpp - What a port moves at a run's sizes -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PlannedBytes.h"
#include "projection/Sizes.h"
#include <cmath>

namespace busfare::frontend {

using Parameters = std::vector<std::pair<std::string, int64_t>>;

/// The root's sizes: those that the plan had to assume, as they were. One that changed in the run takes its least
/// value, or its greatest.
static llvm::Expected<skeleton::RealValues> sizesOf(const Parameters &parameters, const projection::Root &root,
                                                    const skeleton::Program &program, const verify::Record &record,
                                                    bool greatest, bool isGuarded) {
  skeleton::Values measured;
  for (const verify::ValueRecord &value : record.values)
    if (value.root == root.name) measured[value.symbol] = greatest ? value.most : value.least;
  llvm::Expected<projection::Sizes> sizes = projection::bindSizes(program, root, parameters, {measured});
  if (!sizes) return sizes.takeError();
  skeleton::RealValues values = sizes->realValues();
  // Of a guarded port they say where it pays, not what the run is to have; and a build may have set others.
  for (const auto &[symbol, value] : measured) {
    const bool isSetting = llvm::any_of(program.constants, [symbol = symbol](const skeleton::Constant &constant) {
      return constant.symbol == symbol && constant.isSetting;
    });
    if (isGuarded || isSetting) values[symbol] = double(value);
  }
  return values;
}

/// How often the run began the copy's region on the device.
static double entriesOf(const port::PlannedCopy &copy, const verify::Record &record) {
  for (const verify::ValueRecord &value : record.values)
    if (value.root == copy.root && value.symbol == copy.entries) return double(value.times);
  return 0;
}

/// A kernel ended the program: what stands behind it did not happen.
static bool endedEarly(const port::PlannedCopy &copy, const verify::Record &record) {
  return llvm::any_of(record.values, [&](const verify::ValueRecord &value) {
    return value.root == copy.root && value.symbol == brs::endFlag;
  });
}

/// In the whole run. Of a copy that data decide about only what it moves each time is the plan's; how often is the
/// run's.
static std::optional<double> bytesOf(const port::PlannedCopy &copy, int number, const skeleton::RealValues &sizes,
                                     const verify::Record &record) {
  double bytes = copy.bytesAt(sizes);
  if (!copy.isConditional && !endedEarly(copy, record)) return bytes * entriesOf(copy, record);
  auto ran = record.copies.find(number);
  uint64_t calls = ran == record.copies.end() ? 0 : ran->second.calls;
  double times = copy.timesAt(sizes);
  if (calls == 0 || times == 0) return 0;
  if (copy.varies) return std::nullopt;
  return bytes / times * double(calls) / copy.pieces;
}

static llvm::Error addRoot(port::OpenProgram &program, const port::PortedProgram &ported, const std::string &name,
                           const Parameters &parameters, const verify::Record &record,
                           std::vector<verify::PlannedBytes> &rows) {
  llvm::Expected<const projection::Root *> root = program.root(name);
  if (!root) return root.takeError();
  const bool isGuarded = !ported.guards.empty();
  llvm::Expected<skeleton::RealValues> least = sizesOf(parameters, **root, program.program(), record, false, isGuarded);
  if (!least) return least.takeError();
  llvm::Expected<skeleton::RealValues> greatest =
      sizesOf(parameters, **root, program.program(), record, true, isGuarded);
  if (!greatest) return greatest.takeError();
  struct Sum {
    double least = 0, greatest = 0;
    bool isKnown = true;
  };
  std::map<std::pair<std::string, bool>, Sum> sums; // by array, and whether to the host
  for (const port::PlannedCopy &copy : ported.copies) {
    if (copy.root != name) continue;
    Sum &sum = sums[{copy.array, !copy.toDevice}];
    std::optional<double> low = bytesOf(copy, int(copy.id), *least, record);
    std::optional<double> high = bytesOf(copy, int(copy.id), *greatest, record);
    sum.isKnown &= low && high;
    sum.least += low.value_or(0);
    sum.greatest += high.value_or(0);
  }
  for (const auto &[key, sum] : sums) {
    verify::PlannedBytes row{name, key.first, !key.second, uint64_t(std::llround(sum.least)), ""};
    if (!sum.isKnown || sum.least != sum.greatest) {
      row.bytes = std::nullopt;
      row.note =
          "what is copied of " + key.first + " depends on " +
          (sum.isKnown ? "a size that changed while the program ran" : "when a condition held while the program ran");
    }
    rows.push_back(std::move(row));
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<verify::PlannedBytes>> plannedBytes(port::OpenProgram &program,
                                                               const port::PortedProgram &ported,
                                                               const Parameters &parameters,
                                                               const verify::Record &record) {
  std::vector<verify::PlannedBytes> rows;
  for (const std::string &name : ported.roots)
    if (llvm::Error error = addRoot(program, ported, name, parameters, record, rows)) return error;
  return rows;
}

void addCopies(const port::PortedProgram &ported, std::vector<verify::PlannedCopy> &copies) {
  for (const port::PlannedCopy &copy : ported.copies)
    copies.push_back(
        {int(copy.id), copy.root, copy.array, copy.toDevice, copy.exact, copy.at, copy.isChunked, copy.isCutTight});
}

} // namespace busfare::frontend
