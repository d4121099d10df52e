//===- clang-plugin/cli/Commands.h - What each command does --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A command is a function from Options to an Outcome: the text for stdout (or -o),
// messages for stderr, and the exit code. It prints nothing but progress; Main.cpp
// writes the rest.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_CLI_COMMANDS_H
#define BUSFARE_CLANG_PLUGIN_CLI_COMMANDS_H

#include "Options.h"

namespace busfare::frontend {

/// Exit codes, a contract (`busfare help`).
enum ExitCode {
  Done = 0,
  ConditionHeld = 1, ///< A --fail-on condition, or verify found a difference, or a published figure does not hold.
  BadInput = 2,      ///< Usage, or input that cannot be used.
  PartlyParsed = 3,  ///< Some units could not be parsed, or functions had to be left out; the rest is reported.
  OwnFault = 4,
};

struct Outcome {
  int exitCode = Done;
  std::string output;                ///< The requested format and nothing else.
  std::vector<std::string> messages; ///< For stderr, one line or more each, without the newline.
};

Outcome runAnalyze(const Options &options); ///< Also `project`.
Outcome runLoops(const Options &options);
Outcome runSections(const Options &options);
Outcome runSizes(const Options &options);
Outcome runDiff(const Options &options);
Outcome runCompare(const Options &options);
Outcome runExtract(const Options &options);
Outcome runExplain(const Options &options);
Outcome runMeasure(const Options &options);
Outcome runPort(const Options &options);
Outcome runVerify(const Options &options);
Outcome runBlas(const Options &options);
Outcome runCache(const Options &options);
Outcome runCalibrate(const Options &options);
Outcome runComm(const Options &options);
Outcome runPlot(const Options &options);
Outcome runPapers(const Options &options);
Outcome runSweep(const Options &options);
Outcome runTrace(const Options &options);
Outcome runTransfer(const Options &options);
Outcome runOverlap(const Options &options);
Outcome runMachines(const Options &options);
Outcome runSchema(const Options &options);
Outcome runHelp(const Options &options);

struct Command {
  llvm::StringRef name, arguments, summary;
  Outcome (*run)(const Options &);
  /// What is said of it, with a worked example.
  llvm::StringRef help;
};
llvm::ArrayRef<Command> commandTable();
const Command *findCommand(llvm::StringRef name);

/// Of optionTable, those that a page or a shell offers with the command, in the table's order: its own, and, if it
/// takes OPTIONS, those that are for all.
std::vector<const OptionEntry *> optionsOf(const Command &command);

/// One error as an outcome: `busfare: MESSAGE`.
Outcome badInput(const Options &options, llvm::Error error);

} // namespace busfare::frontend

#endif
