//===- clang-plugin/port/Port.h - The plan as OpenMP target code ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Writes the plan into the source it was made from: for each root its region's data
// on the device, exactly the planned copies, and each kernel as a target region.
//
//   for (t ...) {                          #pragma omp target enter data map(alloc: u[0:n]) ...
//     for (i ...) v[i] = f(u, i);   =>     #pragma omp target update to(u[0:n])
//     swap(u, v);                          for (t ...) {
//   }                                      #pragma omp target teams distribute parallel for ...
//   print(u);                                for (i ...) v[i] = f(u, i);
//                                            swap(u, v);
//                                          }
//                                          #pragma omp target update from(u[0:n]) ...
//
// A function that is reached by several calls, of which some belong to the region,
// is copied, so that the other calls stay as they are. A loop that cannot be said in
// OpenMP stays on the host, the plan is made again without it, and a finding says why.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_PORT_H
#define BUSFARE_CLANG_PLUGIN_PORT_PORT_H

#include "clang-plugin/port/Edits.h"
#include "clang-plugin/port/Measured.h"
#include "clang-plugin/units/Driver.h"
#include "projection/Guard.h"
#include "projection/Machine.h"
#include "projection/Root.h"
#include "skeleton/Finding.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>
#include <memory>

namespace busfare::frontend::port {

enum class Variant {
  Plain,   ///< What a user wants: gcc 12 and clang compile it.
  Present, ///< `map(present, alloc:` and `defaultmap(none)`: nothing may be mapped by the way.
  Watched, ///< As Present, with calls into the watch library: names, sizes, copies that can be left out.
  Ordered, ///< No device: loops called parallel run in an order asked for at run time.
};

enum class WhichKernels {
  All,     ///< Every kernel that can be said in OpenMP.
  Marked,  ///< Of those the ones that a target construct of the program holds.
  Planned, ///< Less those that the plan keeps on the host, because they cost more on the device, with their copies,
           ///< than they save.
};

/// --kernels; empty: as otherwise.
inline WhichKernels kernelsOf(const std::string &word, WhichKernels otherwise) {
  return word == "all"       ? WhichKernels::All
         : word == "marked"  ? WhichKernels::Marked
         : word == "planned" ? WhichKernels::Planned
                             : otherwise;
}

/// How a region's data and kernel are to meet (projection/Plan.h).
enum class WhichPlan {
  Planned,  ///< As the plan has it, as far as port can write that: explicit copies, or streams.
  Explicit, ///< Copies before and behind the kernels.
  Streams,  ///< Chunks wherever they can be written.
};

/// --plan; empty: explicit copies, on whose price the verdict rests.
inline WhichPlan planOf(const std::string &word) {
  return word == "planned" ? WhichPlan::Planned : word == "streams" ? WhichPlan::Streams : WhichPlan::Explicit;
}

struct PortOptions {
  std::vector<std::string> functions; ///< Roots; empty: main, else the functions nobody calls.
  projection::Machine machine;        ///< Decides how copies are made.
  std::vector<std::pair<std::string, int64_t>> parameters;
  std::optional<uint64_t> iterations;
  Variant variant = Variant::Plain;
  WhichKernels kernels = WhichKernels::All;
  bool oneThread = false; ///< With all or marked kernels: statements for which arrays would cross inside loops run on
                          ///< the device, whatever that costs. (Where kernels are planned, statements are, too.)
  WhichPlan plan = WhichPlan::Explicit;
  unsigned chunks = 0; ///< Of each region with WhichPlan::Streams; 0: as many as are best.
  bool guards = false; ///< A region runs on the device only where it pays (projection/Guard.h),
  std::optional<uint64_t> runs = {}; ///< with --runs N,
  bool manyRuns = false; ///< or many, of it in a process,
  unsigned threads = 0; ///< and --threads on the host.
};

/// One copy statement of the ported source.
struct PlannedCopy {
  unsigned id = 0;
  std::string root, array;
  bool toDevice = false;
  bool exact = false; ///< The section holds precisely what is touched.
  skeleton::Location at;
  std::string section;
  double movedBytes = 0; ///< Each time, on average.
  double count = 0; ///< How often.
  /// Where it comes from, and what it moves in a whole run with given sizes. While the unit is open.
  const brs::Region *region = nullptr;
  const brs::Crossing *crossing = nullptr;
  projection::CopyMethod method; ///< How its boxes are moved: maybe with what lies between.
  std::function<double(const skeleton::RealValues &)> bytesAt, timesAt;
  bool isConditional = false; ///< A branch inside the region is around it, or a loop that may be left early: how often
                              ///< it happens depends on data.
  bool varies = false; ///< It does not move the same each time.
  unsigned pieces = 1; ///< Calls of busfare_copy each time.
  std::string entries; ///< Told to the watch library each time the region begins on the device.
  bool isChunked = false; ///< It goes in pieces, one a chunk.
  bool isCutTight = false; ///< Where it is cut some iteration needs the last level that is in time.
};

struct PortedKernel {
  std::string root;
  skeleton::Location location;
  unsigned collapse = 1;
  bool reordersSums = false; ///< Floating-point numbers are added or multiplied in another order.
  bool oneThread = false; ///< Statements that one thread runs.
};

/// The condition under which one region runs on the device.
struct PortedGuard {
  unsigned region = 1; ///< Its number.
  std::string root;
  skeleton::Location location; ///< Of the region.
  std::string flag, condition; ///< As they stand in the source.
  projection::Guard guard;
  bool isReports = true; ///< It is the report's break-even; otherwise that of what could be ported.
};

/// A construct that a guard's flag is a clause of, by the number that the watched variant gives to busfare_guarded.
struct GuardedConstruct {
  unsigned id = 0;
  std::string root, what; ///< "target enter data".
  skeleton::Location at;
};

/// A region that is written in chunks: tasks with dependences.
struct PortedStreams {
  unsigned region = 1; ///< Its number.
  std::string root;
  skeleton::Location location; ///< Of the region.
  unsigned chunks = 0;
};

/// One of their `depend(in: ...)` clauses, by the number that the watched variant gives to busfare_depends.
struct TaskDependence {
  unsigned id = 0;
  std::string root, what; ///< "the kernel waits for the copies of its chunk"
  skeleton::Location at;
  bool surelyMatters = true; ///< Without it some order gives another result, if the copies matter.
};

/// Bytes of all copies of one array of one root.
struct PortedArray {
  std::string file, root, name; ///< file: where the root is.
  double h2dBytes = 0, d2hBytes = 0;
};

/// One unit's main file.
struct PortedFile {
  std::string file, original, text;
  std::vector<Edit> edits;
};

/// One program: the units that belong together.
struct PortedProgram {
  std::vector<PortedFile> files;
  std::vector<std::string> roots; ///< The functions it was ported from.
  std::vector<std::string> knownParameters; ///< Those of PortOptions::parameters that name a size of some root.
  std::vector<PlannedCopy> copies;
  std::vector<PortedKernel> kernels;
  std::vector<PortedArray> arrays;
  unsigned regions = 0; ///< That were ported.
  std::vector<PortedGuard> guards;
  std::vector<GuardedConstruct> guarded; ///< Variant::Watched only.
  std::vector<PortedStreams> streams;
  std::vector<TaskDependence> dependences; ///< Variant::Watched only.
  bool hasThreads = false; ///< Variant::Ordered only: some of it needs OpenMP to do what it does.
  bool reordersSums =
      false; ///< Variant::Ordered only: floating-point numbers are added or multiplied in another order.
  std::set<skeleton::Expr> holdsWhere; ///< Over settings, each at least 0: what the compiler is to test.
  std::vector<std::string> assumedSizes; ///< Sizes that nothing binds; the bytes above hold for their assumed values.
  std::vector<skeleton::Finding> findings;
};

/// A program whose units are read and analysed once, for several ports of it.
class OpenProgram {
public:
  virtual ~OpenProgram() = default;
  virtual const skeleton::Program &program() const = 0;
  /// As it says with what a build may set as symbols (UnitReadings::overSettings); null: no macro is a number.
  virtual const skeleton::Program *overSettings(size_t which) const = 0;
  /// Its transfers are those of the last port, or of the plan before any. Error: there is no such function.
  virtual llvm::Expected<const projection::Root *> root(const std::string &name) = 0;
  /// Error: a parameter contradicts the program.
  virtual llvm::Expected<PortedProgram> port(const PortOptions &options) = 0;
  /// As it is, with timers and counters, from the given roots or those it has. Error: there is no such function.
  virtual llvm::Expected<MeasuredProgram> measure(const std::vector<std::string> &functions) = 0;
};

struct OpenSources {
  std::vector<std::unique_ptr<OpenProgram>> programs; ///< As they live: what they come from is closed behind `use`.
  std::vector<std::string> failures; ///< Sources that cannot be read, with why.
};

enum class Grouping {
  One, ///< All sources are linked into one program.
  Resolved ///< As their symbols say (skeleton/Resolve.h). Functions of a unit that several programs have stay as they
           ///< are.
};

struct OpenOptions {
  Grouping grouping = Grouping::One;
  unsigned jobs = 1; ///< Sources that are read at a time.
  bool trustsDirectives = false; ///< As analyze --trust-directives.
};

/// Reads the sources and opens them all at once. Error: no process can be started, or what `use` answers.
llvm::Error withPrograms(llvm::ArrayRef<Source> sources, const OpenOptions &options,
                         llvm::function_ref<llvm::Error(OpenSources &)> use);

/// One source by itself. Error: it cannot be read, or what `use` answers.
llvm::Error withUnit(const Source &source, llvm::function_ref<llvm::Error(OpenProgram &)> use);

} // namespace busfare::frontend::port

#endif
