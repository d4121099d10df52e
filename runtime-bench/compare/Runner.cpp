//===- runtime-bench/compare/Runner.cpp - Programs run, and built from sources ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/compare/Runner.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <algorithm>

extern char **environ;

using llvm::StringRef;

namespace busfare::bench {

static constexpr unsigned limitSeconds = 3600;

static std::string textOf(const std::string &file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// The environment with these variables in the place of those of the same names.
static std::vector<std::string> environmentWith(llvm::ArrayRef<std::string> variables) {
  std::vector<std::string> all(variables.begin(), variables.end());
  for (char **each = environ; *each; ++each) {
    const StringRef name = StringRef(*each).split('=').first;
    if (std::none_of(variables.begin(), variables.end(),
                     [&](const std::string &own) { return StringRef(own).split('=').first == name; }))
      all.push_back(*each);
  }
  return all;
}

llvm::Error runCommand(llvm::ArrayRef<std::string> words, llvm::ArrayRef<std::string> variables,
                       const std::string &folder) {
  llvm::ErrorOr<std::string> program = StringRef(words.front()).contains('/')
                                           ? llvm::ErrorOr<std::string>(words.front())
                                           : llvm::sys::findProgramByName(words.front());
  if (!program) return llvm::createStringError(words.front() + ": " + program.getError().message());
  std::vector<StringRef> arguments(words.begin(), words.end());
  std::vector<std::string> environment = environmentWith(variables);
  std::vector<StringRef> variablesOfIt(environment.begin(), environment.end());
  const std::string said = folder + "/said";
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(""), StringRef(said)};
  std::string why;
  const int code =
      llvm::sys::ExecuteAndWait(*program, arguments, llvm::ArrayRef(variablesOfIt), redirects, limitSeconds, 0, &why);
  if (code == 0) return llvm::Error::success();
  const std::string message = StringRef(textOf(said)).trim().take_back(600).str();
  return llvm::createStringError(words.front() + ": " + (!why.empty() ? why : "exit code " + std::to_string(code)) +
                                 (message.empty() ? "" : ": " + message));
}

static llvm::Expected<TimedRun> runOnce(const std::string &program, const RunOptions &options, bool waiting) {
  const std::string record = options.folder + "/times";
  llvm::sys::fs::remove(record);
  std::vector<std::string> variables{"LD_PRELOAD=" + options.timing, "BUSFARE_TIMING=" + record,
                                     "OMP_TARGET_OFFLOAD=MANDATORY"};
  if (waiting) variables.push_back("CUDA_LAUNCH_BLOCKING=1");
  if (!options.virtualClock.empty()) variables.push_back("BUSFARE_VIRTUAL_CLOCK=" + options.virtualClock);
  std::vector<std::string> words{program};
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  if (llvm::Error error = runCommand(words, variables, options.folder)) return error;
  if (!llvm::sys::fs::exists(record))
    return llvm::createStringError(program + ": left no times: it uses no libomp, or not that of LLVM");
  return readTimedRun(textOf(record), program);
}

/// The one with the median span.
static TimedRun middleOf(std::vector<TimedRun> runs) {
  std::sort(runs.begin(), runs.end(), [](const TimedRun &a, const TimedRun &b) { return *a.span < *b.span; });
  return std::move(runs[runs.size() / 2]);
}

llvm::Expected<TimedRun> runPort(const std::string &program, const RunOptions &options) {
  std::vector<TimedRun> waited, free;
  for (unsigned i = 0; i < options.runs; ++i)
    for (bool waiting : {true, false}) {
      llvm::Expected<TimedRun> run = runOnce(program, options, waiting);
      if (!run) return run;
      (waiting ? waited : free).push_back(std::move(*run));
    }
  TimedRun result = middleOf(std::move(waited));
  result.span = middleOf(std::move(free)).span;
  return result;
}

//===--- From a source ----------------------------------------------------===//

static std::string compilerFor(StringRef source) { return source.ends_with(".c") ? "clang-19" : "clang++-19"; }

/// The folder of libomptarget that belongs to a compiler.
static llvm::Expected<std::string> librariesOf(const std::string &compiler) {
  llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName(compiler);
  if (!found) return llvm::createStringError(compiler + ": " + found.getError().message());
  llvm::SmallString<256> real;
  if (std::error_code error = llvm::sys::fs::real_path(*found, real))
    return llvm::createStringError(compiler + ": " + error.message());
  llvm::StringRef top = llvm::sys::path::parent_path(llvm::sys::path::parent_path(real));
  return (top + "/lib").str();
}

llvm::Expected<BuiltSource> buildSource(const SourceOptions &options) {
  const std::string &folder = options.folder;
  BuiltSource built{folder + "/report.json", folder + "/port", folder + "/host.json", folder + "/one-thread.json",
                    folder + "/one-thread-report.json"};
  const std::string compiler = compilerFor(options.source);
  llvm::Expected<std::string> libraries = librariesOf(compiler);
  if (!libraries) return libraries.takeError();
  const std::string ported = folder + "/port" + llvm::sys::path::extension(options.source).str();
  const std::string words = llvm::join(options.arguments, " ");
  auto behind = [&](std::vector<std::string> command, bool dashes) {
    if (dashes) command.push_back("--");
    command.insert(command.end(), options.flags.begin(), options.flags.end());
    return command;
  };
  auto withArguments = [&](std::vector<std::string> command) {
    if (!words.empty()) command.insert(command.end(), {"--args", words});
    return command;
  };
  // Libraries come behind what needs them: the flags are last.
  const std::pair<std::vector<std::string>, std::vector<std::string>> steps[] = {
      {behind(withArguments({options.busfare, "analyze", options.source, "--machine", options.machine, "--format",
                             "json", "--quiet", "-o", built.report}),
              true),
       {}},
      {behind(withArguments({options.busfare, "analyze", options.source, "--machine", options.machine, "--threads", "1",
                             "--format", "json", "--quiet", "-o", built.oneThreadReport}),
              true),
       {}},
      {behind({options.busfare, "port", "--kernels", "all", options.source, "-o", ported}, true), {}},
      {behind({compiler, "-O2", "-fopenmp", "-fopenmp-targets=" + options.target, ported, "-o", built.port,
               "-L" + *libraries, "-Wl,-rpath," + *libraries},
              false),
       {"LIBRARY_PATH=" + *libraries}},
      {behind(withArguments({options.busfare, "measure", options.source, "--format", "json", "-o", built.host}), true),
       {}},
      {behind(withArguments({options.busfare, "measure", options.source, "--format", "json", "-o", built.oneThread}),
              true),
       {"OMP_NUM_THREADS=1"}}};
  for (const auto &[command, variables] : steps)
    if (llvm::Error error = runCommand(command, variables, folder)) return error;
  return built;
}

} // namespace busfare::bench
