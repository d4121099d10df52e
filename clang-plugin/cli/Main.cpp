//===- clang-plugin/cli/Main.cpp - The command ---------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Parses the command line, runs the command (CommandTable.cpp), writes its output
// to stdout or -o and its messages to stderr, and exits with its code. The only
// file of the command that prints an outcome or exits.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Completion.h"
#include "ManPage.h"
#include "clang-plugin/units/Threads.h"
#include "clang-plugin/units/Worker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <unistd.h>

using namespace busfare::frontend;

static const char ownFaultMessage[] = "busfare: internal error: this is a fault of busfare, not of your code\n";

static void onCrash(int signal) {
  escapeCrash(signal);
  (void)!write(STDERR_FILENO, ownFaultMessage, sizeof ownFaultMessage - 1);
  _exit(OwnFault);
}

/// A crash is exit code 4, a stack that overflowed too: hence a stack of its own for the handler.
static void catchCrashes() {
  static constexpr size_t size = 64 * 1024;
  static std::unique_ptr<char[]> memory = std::make_unique<char[]>(size);
  stack_t stack = {};
  stack.ss_sp = memory.get();
  stack.ss_size = size;
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_handler = onCrash;
  action.sa_flags = SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
}

static void onFatal(void *, const char *reason, bool) {
  escapeCrash(SIGABRT);
  llvm::errs() << "busfare: internal error: " << reason << '\n';
  _exit(OwnFault);
}

/// Standard input and output that are closed would be what is opened next, here and in every process that is started.
/// Was output closed?
static bool openStandardFiles() {
  const bool isClosed = fcntl(STDOUT_FILENO, F_GETFD) < 0;
  for (int next = open("/dev/null", O_RDWR); next >= 0; next = open("/dev/null", O_RDWR))
    if (next > STDERR_FILENO) {
      close(next);
      break;
    }
  return isClosed;
}

/// False if not all of it could be written.
static bool writeOutput(const Options &options, const std::string &text, std::string &message) {
  std::error_code code;
  bool toStdout = options.output.empty() || options.output == "-";
  llvm::raw_fd_ostream os(toStdout ? "-" : options.output, code);
  if (!code) {
    os << text;
    os.flush();
    code = os.error();
    os.clear_error();
  }
  if (code)
    message =
        "busfare: cannot write " + (toStdout ? "standard output" : "'" + options.output + "'") + ": " + code.message();
  return !code;
}

static Outcome runCommand(const Options &options) {
  if (options.version) return {Done, "busfare " BUSFARE_VERSION "\n", {}};
  if (options.command.empty() && !options.help)
    return {BadInput, "", {"busfare: no command given; `busfare help` lists them"}};
  // What the build makes pages and completions of; no help lists them.
  if (options.command == manCommand) return runPrintMan(options);
  if (options.command == completionCommand) return runPrintCompletion(options);
  const Command *command = findCommand(options.command);
  if (!command && !options.command.empty()) {
    std::vector<llvm::StringRef> names;
    for (const Command &each : commandTable()) names.push_back(each.name);
    llvm::StringRef guess = closest(options.command, names);
    return {BadInput,
            "",
            {"busfare: unknown command '" + options.command + "'; " +
             (guess.empty() ? std::string("`busfare help` lists them") : "did you mean '" + guess.str() + "'?")}};
  }
  return options.help ? runHelp(options) : command->run(options);
}

static int run(llvm::ArrayRef<std::string> arguments, bool isClosed) {
  llvm::Expected<Options> options = parseOptions(arguments);
  if (!options) {
    llvm::errs() << "busfare: " << llvm::toString(options.takeError()) << '\n';
    return BadInput;
  }
  Outcome outcome = runCommand(*options);
  for (const std::string &message : outcome.messages) llvm::errs() << message << '\n';
  std::string message;
  const bool isForStdout = options->output.empty() || options->output == "-";
  if (isClosed && isForStdout && !outcome.output.empty()) {
    llvm::errs() << "busfare: cannot write standard output: it is closed\n";
    return BadInput;
  }
  if (outcome.output.empty() || writeOutput(*options, outcome.output, message)) return outcome.exitCode;
  llvm::errs() << message << '\n';
  return BadInput;
}

int main(int argc, char **argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool isClosed = openStandardFiles();
  llvm::install_fatal_error_handler(onFatal);
  int exitCode = OwnFault;
  // Skeletons are walked recursively; deeply nested source needs more stack than a process starts with.
  llvm::thread worker(std::optional<unsigned>(512u << 20), [&] {
    if (!arguments.empty() && arguments.front() == workerCommand) {
      exitCode = runWorker(llvm::ArrayRef(arguments).drop_front()); // its parent sees how it ends
      return;
    }
    catchCrashes();
    exitCode = run(arguments, isClosed);
  });
  worker.join();
  return exitCode;
}
