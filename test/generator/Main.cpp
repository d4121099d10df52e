//===- test/generator/Main.cpp - busfare-generate --------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   busfare-generate --seed 1 --programs 400 --check
//   busfare-generate --seed 1 --programs 80 --emit DIR
//
// Each unit of 40 is checked in a process of its own, so that a crash costs no more
// than its program.
//
//===----------------------------------------------------------------------===//

#include "test/generator/Build.h"
#include "test/generator/Check.h"
#include "test/generator/Print.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace busfare::generator;

namespace {

constexpr unsigned programsPerUnit = 40;

struct Options {
  uint64_t seed = 1;
  unsigned first = 0, programs = 40;
  bool check = false, mutants = false, verbose = false;
  std::string emit, work = "/tmp";
};

std::vector<Program> buildUnit(const Options &options, unsigned first, unsigned count) {
  std::vector<Program> programs;
  for (unsigned p = first; p < first + count; ++p)
    programs.push_back(buildProgram(options.seed, p, "p" + std::to_string(p % programsPerUnit)));
  return programs;
}

/// One line for each program: its number, then counts, then `fault: text` lines.
void report(llvm::raw_ostream &out, unsigned number, const Outcome &o) {
  out << "program " << number << " loops " << o.loops << " parallel " << o.parallel << " kernels " << o.kernels << " sections "
      << o.sections << " copies " << o.copies << " unknown " << o.copiesUnknown << " moved " << o.elementsMoved << " needless "
      << o.elementsNeedless << " mutants " << o.mutants << " caught " << o.mutantsCaught << "\n";
  for (const Disagreement &d : o.found)
    out << "found " << number << " " << toString(d.fault) << ": " << d.text << "\n";
}

void checkRange(const Options &options, unsigned first, unsigned count) {
  std::string file = options.work + "/unit" + std::to_string(getpid()) + ".c";
  llvm::outs().flush();
  pid_t child = fork();
  if (child == 0) {
    std::vector<Program> programs = buildUnit(options, first, count);
    CompareOptions compare;
    compare.mutants = options.mutants;
    std::vector<Outcome> outcomes = checkUnit(programs, file, compare);
    for (unsigned p = 0; p < count; ++p)
      report(llvm::outs(), first + p, outcomes[p]);
    llvm::outs().flush();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  unlink(file.c_str());
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return;
  if (count == 1) {
    llvm::outs() << "found " << first << " crash: signal " << (WIFSIGNALED(status) ? WTERMSIG(status) : 0) << "\n";
    return;
  }
  checkRange(options, first, count / 2);
  checkRange(options, first + count / 2, count - count / 2);
}

int usage() {
  llvm::errs() << "usage: busfare-generate [--seed S] [--first N] [--programs N] [--check [--mutants]] [--emit DIR] [--work DIR]\n";
  return 2;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  for (int a = 1; a < argc; ++a) {
    std::string word = argv[a];
    auto value = [&]() -> std::string { return a + 1 < argc ? argv[++a] : ""; };
    if (word == "--seed")
      options.seed = std::stoull(value());
    else if (word == "--first")
      options.first = unsigned(std::stoul(value()));
    else if (word == "--programs")
      options.programs = unsigned(std::stoul(value()));
    else if (word == "--check")
      options.check = true;
    else if (word == "--mutants")
      options.mutants = true;
    else if (word == "--emit")
      options.emit = value();
    else if (word == "--work")
      options.work = value();
    else
      return usage();
  }
  for (unsigned done = 0; done < options.programs; done += programsPerUnit) {
    unsigned first = options.first + done, count = std::min(programsPerUnit, options.programs - done);
    if (!options.emit.empty()) {
      std::vector<Program> programs = buildUnit(options, first, count);
      std::string text = printUnit(programs), stem = options.emit + "/unit" + std::to_string(first / programsPerUnit);
      std::ofstream(stem + ".c") << text;
      std::ofstream expected(stem + ".expected");
      for (const Program &program : programs)
        for (const std::string &line : interpret(program).output)
          expected << line << "\n";
    }
    if (options.check)
      checkRange(options, first, count);
  }
  return 0;
}
