//===- projection/Project.h - From a program to a report ------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The whole pipeline below the front end: for each root, substitute calls,
// recover shapes, decide which loops are parallel, find what crosses the bus,
// bind sizes, price kernels, transfers and the host, and judge.
//
//   Program + Options{machines = {a100-pcie4}}  ->  Report
//
// A region's speedup (GROPHECY++, equation of section III):
//   S = T_cpu / (T_kernel * launches + sum of transfers)
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_PROJECT_H
#define BUSFARE_PROJECTION_PROJECT_H

#include "projection/Machine.h"
#include "projection/Root.h"
#include "projection/Sizes.h"
#include "projection/report/Report.h"
#include "skeleton/Deadline.h"
#include "skeleton/Skeleton.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <memory>

namespace busfare::projection {

struct Profile;

struct ProjectOptions {
  std::vector<Machine> machines;         ///< At least one; the first is the report's own.
  std::optional<Machine> commonHost =
      std::nullopt; ///< --host: whose host all machines are compared with, beside their own.
  std::vector<std::string> functions;    ///< Roots; empty = main, else the functions nobody calls.
  std::vector<std::pair<std::string, int64_t>> parameters; ///< --param NAME=VALUE: "n" or "simulate::n".
  skeleton::Values callersSizes = {};    ///< By symbol, of a single root: what a program that calls it gives it.
  std::optional<uint64_t> iterations;    ///< --iterations.
  unsigned processes = 0;                ///< --ranks: that take part in a collective; 0 = assumedProcesses, said.
  unsigned threads = 0;                  ///< --threads; 0 = what the code says (1 without OpenMP, else all cores).
  std::vector<std::pair<std::string, double>> cpuTimes; ///< --cpu-time REGION=SECONDS, by region id or line.
  std::optional<uint64_t> runs; ///< --runs N: of each region in a process; nothing: from `main` once, else any number.
  bool manyRuns = false; ///< --runs many: any number.
  bool strict = false; ///< --strict: an assumed size or alias is an error.
  /// The program is one of several: a parameter that it does not know is no error but goes to
  /// Report::unknownParameters.
  bool allowUnknownParameters = false;
  std::shared_ptr<const Profile> profile = nullptr; ///< --profile; prices alone depend on it.
  bool wantsTerms = false; ///< MachineAnswer::kernelTerms.
  bool wantsThresholds = true; ///< Judgement::wantsThresholds.
  size_t pricesFor = 0; ///< Report::prices, whose limits so many programs share; 0: they are not asked for.
  std::optional<skeleton::Deadline> deadline = std::nullopt; ///< --time-limit: what is not analysed by then is said.
  /// Called behind each root, and each function that no root leads to (regions: none of it), with what it has in the
  /// report.
  std::function<void(const Root &, const Sizes &, llvm::ArrayRef<RegionReport> regions)> afterRoot = nullptr;
};

/// Errors: a root or a parameter that does not exist, a value the program contradicts, --strict.
llvm::Expected<Report> project(const skeleton::Program &program, const ProjectOptions &options);

/// Stops after the dependence analysis: only Report::loops, findings and coverage are filled.
llvm::Expected<Report> projectLoops(const skeleton::Program &program, const ProjectOptions &options);

/// Stops after the shapes: what every size of every root is bound to.
llvm::Expected<std::vector<SizeLine>> projectSizes(const skeleton::Program &program, const ProjectOptions &options);

/// Stops after the section analysis: for each root and each outermost nest, what it reads and writes.
llvm::Expected<std::vector<SectionLine>> projectSections(const skeleton::Program &program,
                                                         const ProjectOptions &options);

/// The functions that are projected: those asked for, else main, else those nobody calls. Error: one that is not there.
llvm::Expected<std::vector<std::string>> rootsOf(const skeleton::Program &program, const ProjectOptions &options);

/// Is a region of this id meant by `heat.c:12:main`, `heat.c:12` or `12`?
bool isRegion(llvm::StringRef wanted, llvm::StringRef id);

/// A root, with the shapes of its arrays assumed where only its caller can know, unless the options' sizes speak
/// against it.
llvm::Expected<std::unique_ptr<Root>> analyseFor(const skeleton::Program &program, const std::string &name, Depth depth,
                                                 const ProjectOptions &options,
                                                 const std::set<std::string> &judged = {});

} // namespace busfare::projection

#endif
