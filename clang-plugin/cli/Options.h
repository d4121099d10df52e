//===- clang-plugin/cli/Options.h - What the command line asks for -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   busfare analyze --iterations 100 jacobi.c --param n=4096 -- -O2 -Iinclude
//     command "analyze", inputs {jacobi.c}, iterations 100,
//     parameters {n = 4096}, compilerArguments {-O2, -Iinclude}
//
// Hand-written: clang-tidy's calling convention lets options stand anywhere, also
// behind the sources, and gives everything behind `--` to the compiler untouched.
// llvm::cl keeps its options in globals, of which Clang brings a hundred of its
// own; llvm::opt wants a generated table, and its unknown options are clang's.
// One table (Options.cpp) feeds the parser, the suggestions and the help.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_CLI_OPTIONS_H
#define BUSFARE_CLANG_PLUGIN_CLI_OPTIONS_H

#include "clang-plugin/units/Inputs.h"
#include "skeleton/Deadline.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace busfare::frontend {

enum class Format {
  Text, ///< Of port: the source.
  Json,
  Csv,   ///< Of trace and sweep; of analyze and project regions, kernels and transfers.
  Patch, ///< Of port only, as Yaml.
  Yaml,
  Markdown, ///< Of diff, analyze and project.
  Html,     ///< Of analyze and project.
  Svg,      ///< Of sweep.
  JUnit,    ///< Of analyze, project and diff: the conditions of --fail-on as tests.
  Sarif, ///< Of analyze, project and loops, as the next two.
  Github,
  Gitlab,
};

/// When exit code 1 is wanted; FailOn.cpp reads and tests it.
struct FailCondition {
  enum class Kind {
    Verdict,
    Speedup,
    Low,
    High,
    Rule,
    NewPort,
    Flip,
    Worse,
    Bytes,
    LostParallel,
    NewFinding,
    NewUnknown
  };
  Kind kind = Kind::Verdict;
  std::string text;    ///< As written.
  std::string word;    ///< The verdict or the rule.
  std::string compare; ///< < <= > >=
  double bound = 0;    ///< Of Bytes: per cent.
  /// Does it speak of what changed?
  bool needsBaseline() const { return kind >= Kind::NewPort; }
};

struct Options : Inputs {
  /// The first word behind `--` was a compiler, as CMake's <LANG>_CLANG_TIDY has it: exit codes 0, 1, 2 (usage) and 4
  /// only.
  bool runsBesideCompiler = false;
  std::vector<std::string> machines, functions;
  std::vector<std::pair<std::string, int64_t>> parameters;
  std::vector<std::pair<std::string, double>> cpuTimes;
  std::optional<uint64_t> iterations, runs;
  bool manyRuns = false; ///< --runs many.
  unsigned threads = 0; ///< 0 = as the code says.
  unsigned processes = 0; ///< --ranks; 0 = not given.
  unsigned jobs = 0; ///< -j: processes and threads at a time; 0 = one a core.
  std::optional<double> unitSeconds, unitGigabytes; ///< What reading one unit may take.
  Format format = Format::Text;
  std::string formatName; ///< As given; empty: it was not.
  std::string variant; ///< --variant of port; empty: plain.
  std::string kernels; ///< --kernels: all, planned or marked; empty: the command's default.
  bool oneThread = false; ///< --one-thread.
  std::string plan; ///< --plan: explicit, planned or streams; empty: explicit.
  unsigned chunks = 0; ///< --plan streams:N; 0: as many as are best.
  bool guards = false; ///< --guard.
  std::string output; ///< Empty or "-": stdout.
  std::vector<FailCondition> failOn;
  std::vector<std::string> programArguments; ///< --args, split into words: the program's own.
  bool hasProgramArguments = false; ///< --args was given, perhaps as "".
  std::optional<double> tolerance, timeLimit; ///< Relative; s.
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  /// Behind which so much of the run's time is used, where it reads and analyses sources.
  skeleton::Deadline deadline(double share, std::chrono::seconds grace = {}) const;
  bool mutants = false;
  /// What only the calculators take, as written: {"--bytes", "1 MiB"}. Figures.h reads it.
  std::vector<std::pair<std::string, std::string>> figures;
  std::vector<std::string>
      rebuildWords; ///< verify: what its programs are compiled with besides, and the plan does not know.
  std::string keepFolder; ///< verify, measure: where their sources and programs stay.
  std::string profile; ///< --profile; empty: none.
  bool trustsDirectives = false;
  bool strict = false, quiet = false, noProgress = false;
  bool details = false; ///< --details: all of a text report.
  std::optional<uint64_t> top; ///< --top: how many regions its first screen lists.
  std::string host; ///< --host: the machine whose host the others are compared with; empty: the first one's.
  bool quick = false; ///< calibrate: fewer sizes and repeats.
  std::string cacheFolder; ///< --cache; empty: the default.
  std::optional<uint64_t> cacheBytes; ///< --cache-size.
  bool noCache = false;
  bool help = false, version = false;
  /// All options before `--`, as words, in their order: {"--param", "n=4096"}; a switch has no value.
  std::vector<std::pair<std::string, std::string>> given;
};

/// arguments: without the program's own name. Errors are for the user, one line each.
llvm::Expected<Options> parseOptions(llvm::ArrayRef<std::string> arguments);

/// One option as the help shows it.
struct OptionEntry {
  llvm::StringRef name; ///< "--machine"
  llvm::StringRef value; ///< "NAME|FILE"; empty for a switch.
  llvm::StringRef meaning;
  llvm::StringRef commands = {}; ///< The only ones that take it, `trace blas`; empty: all.
  bool isFigure = false; ///< Options::figures has it, as written.
};
llvm::ArrayRef<OptionEntry> optionTable();

/// Is the option for this command?
bool takes(const OptionEntry &option, llvm::StringRef command);

/// The word of `known` that is closest to `word`, if it is close; empty otherwise.
llvm::StringRef closest(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> known);

/// `keep`, `speedup<2`, `BF014`.
llvm::Expected<FailCondition> parseFailCondition(llvm::StringRef text);

} // namespace busfare::frontend

#endif
