//===- clang-plugin/verify/Verify.h - A port held against its original ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Builds a program as it is and in its ported variants, runs all of them, and says
// where they differ. What each build proves:
//
//   original         what must come out; run twice, so that what varies by itself (times)
//                    is left out of the comparison
//   gcc, clang       the plain port compiles without warnings, and runs: gcc's on the
//                    host, clang's on libomptarget's x86_64 device
//   watched          every kernel works on device memory alone (a touch of host memory
//                    ends the run), everything it needs was brought in (fresh device
//                    memory holds garbage, another one in the second run), and the bytes
//                    that crossed are the plan's
//   ordered          loops called parallel give the same in reverse and random order,
//                    with private variables overwritten at the start of each iteration
//   tasks            of regions in chunks, in the watched build: in every order that their
//                    dependences allow, up to a bound, the host's memory is the same behind
//                    them, byte by byte; without one of the dependences it is not
//   guards           the watched build once more with no guard holding: nothing happens on
//                    the device, and each construct left without its guard is noticed
//   mutants          the watched build once more for each planned copy, which is left
//                    out or cut by one element: the program must notice
//
// Where kernels add in another order and what is printed differs, the original is run
// three times more, rounding up, down and towards zero: numbers that come out otherwise
// then are not determined by the program, and are not compared.
//
// Not proven: what the program does not print; another size than the one that ran;
// races that show in no order tried.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_VERIFY_VERIFY_H
#define BUSFARE_CLANG_PLUGIN_VERIFY_VERIFY_H

#include "clang-plugin/verify/Compare.h"
#include "clang-plugin/verify/Record.h"
#include "skeleton/Finding.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>
#include <optional>

namespace busfare::frontend::verify {

/// One translation unit. The three texts are empty if there is no kernel in it: then it is compiled as it is.
struct Unit {
  std::string file, directory;        ///< directory: where relative names start; empty: here.
  std::vector<std::string> arguments; ///< What its compiler is told.
  std::string plain, watched, ordered;
  std::string measured = {}; ///< With timers and counters; of measure alone.
};

/// One copy of the plan, by the number that the watched variant gives to busfare_copy.
struct PlannedCopy {
  int id = 0;
  std::string root, array;
  bool toDevice = true;
  bool exact = true; ///< The section is precisely what is touched: every element matters.
  skeleton::Location at;
  bool isChunked = false;  ///< It goes in pieces, one a chunk,
  bool isCutTight = false; ///< cut where some iteration needs the last level that is in time.
};

/// A region that is written in chunks, by the number that the watched variant gives to busfare_tasks.
struct Streams {
  int region = 0;
  std::string root;
  skeleton::Location at;
  unsigned chunks = 0; ///< At most.
};

/// A dependence of its tasks, by the number that the watched variant gives to busfare_depends.
struct TaskDependence {
  int id = 0;
  std::string root, what; ///< "the kernel waits for the copies of its chunk"
  skeleton::Location at;
  bool surelyMatters = true; ///< Without it some order gives another result, if the copies matter.
};

/// What the plan moves of one array in one direction, in a whole run.
struct PlannedBytes {
  std::string root, array;
  bool toDevice = true;
  std::optional<uint64_t> bytes; ///< Nothing: the plan cannot say; `note` says why.
  std::string note;
};

/// The condition under which one region runs on the device, by the number that the watched variant gives to
/// busfare_guard.
struct Guard {
  int region = 0;
  std::string root, condition;
  skeleton::Location at;
};

/// A construct of such a region, by the number that the watched variant gives to busfare_guarded.
struct GuardedConstruct {
  int id = 0;
  std::string root, what; ///< "target enter data".
  skeleton::Location at;
};

struct Subject {
  std::vector<Unit> units;
  std::vector<PlannedCopy> copies;
  std::vector<Guard> guards;
  std::vector<GuardedConstruct> guarded;
  bool guardsAll = false; ///< Every region has a guard.
  std::vector<Streams> streams;
  std::vector<TaskDependence> dependences;
  /// The plan with its open sizes bound to what the run had.
  std::function<llvm::Expected<std::vector<PlannedBytes>>(const Record &)> plan;
  std::vector<skeleton::Finding> findings; ///< What could not be ported.
  bool orderedHasThreads = false;          ///< The ordered variant needs OpenMP to do what it does.
  bool reordersSums = false;               ///< Some build adds or multiplies floating-point numbers in another order.
};

struct Settings {
  std::vector<std::string> arguments; ///< The program's own.
  bool mutants = false;
  double tolerance = defaultTolerance;
  std::optional<double> timeLimit; ///< s, of each run; otherwise by how long the original takes.
  std::string llvmLibrary, watch;  ///< As findTools takes them.
  std::string keepFolder;             ///< Sources and programs stay there; empty: they are removed.
  std::function<void(llvm::StringRef)> progress = [](llvm::StringRef) {};
};

struct RunLine {
  std::string build, run; ///< "watched", "fresh memory 0x7e"
  bool passed = false;
  std::string detail; ///< "same output", or what differs.
  double seconds = 0;
};

struct BytesLine {
  PlannedBytes planned;
  uint64_t measured = 0;
  std::string protection; ///< Of the host array: "pages", "inner pages", "none", or empty if it was never mapped.
  bool equal() const { return !planned.bytes || *planned.bytes == measured; }
};

/// The plan's rows against what crossed, and rows for what crossed though no plan speaks of it. Bytes go by what copies
/// are for: two buffers that swap their pointers keep their names in the plan, not in memory.
std::vector<BytesLine> bytesOf(const std::vector<PlannedCopy> &copies, const Record &record,
                               std::vector<PlannedBytes> planned);

enum class Fate {
  Caught,
  Excused, ///< Nobody could have noticed: the copy did not run, the values were there already, the section is not
           ///< exact, nothing that is printed depends on them.
  Survived,
};

enum class Mutant {
  Drop, ///< The copy is left out,
  Short, ///< or one element short, each piece of it,
  Shift, ///< or cut elsewhere: to the device each piece ends a level too early, from it a level too late.
};

struct MutantLine {
  PlannedCopy copy;
  Mutant mutant = Mutant::Drop;
  Fate fate = Fate::Survived;
  std::string detail;
};

struct GuardLine {
  Guard guard;
  uint64_t asked = 0, held = 0; ///< In this run, whatever it was told to do.
};

/// A construct without its guard.
struct GuardMutantLine {
  GuardedConstruct construct;
  Fate fate = Fate::Survived;
  std::string detail;
};

struct StreamsLine {
  Streams streams;
  uint64_t tasks = 0, orders = 0; ///< Of the run; 0: it did not come there.
  bool isComplete = false; ///< These are all the orders that the dependences allow.
};

/// Tasks without one of their dependences.
struct TaskMutantLine {
  TaskDependence dependence;
  Fate fate = Fate::Survived;
  std::string detail;
};

struct VerifyReport {
  double tolerance = defaultTolerance;
  std::vector<RunLine> runs;
  std::vector<BytesLine> bytes;
  bool mutantsAsked = false;
  std::vector<MutantLine> mutants;
  std::vector<GuardLine> guards;
  std::vector<GuardMutantLine> guardMutants;
  std::vector<StreamsLine> streams;
  std::vector<TaskMutantLine> taskMutants;
  uint64_t kernels = 0, otherBytes[2] = {0, 0};
  std::vector<std::string> notes; ///< What weakens the proof: arrays that share pages, tokens that vary, no kernel run.
  std::vector<skeleton::Finding> findings;

  bool passed() const;
};

/// Errors: a tool that is missing; an original that does not compile or does not run to its end.
llvm::Expected<VerifyReport> verify(const Subject &subject, const Settings &settings);

void writeText(const VerifyReport &report, llvm::raw_ostream &os, bool colour);
void writeJson(const VerifyReport &report, llvm::raw_ostream &os);

} // namespace busfare::frontend::verify

#endif
