//===- test/generator/Main.cpp - busfare-generate --------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   busfare-generate --seed 1 --programs 400 --check
//   busfare-generate --seed 1 --programs 400 --port --mutants 40
//   busfare-generate --seed 1 --programs 400 --check --units 3
//   busfare-generate --seed 1 --programs 400 --check --cxx
//   busfare-generate --seed 1 --programs 80 --emit DIR
//   busfare-generate --replay test/generator/kept
//   busfare-generate --seed 1 --first 57 --programs 1 --check --keep test/generator/kept
//
// Each unit of 40 is checked in a process of its own, so that a crash costs no more
// than its program. --mutants alone leaves copies out in process; with a number, ported
// programs are run once more for each copy of so many programs.
//
//===----------------------------------------------------------------------===//

#include "test/generator/Build.h"
#include "test/generator/Check.h"
#include "test/generator/PortRun.h"
#include "test/generator/Print.h"
#include "test/generator/Shrink.h"
#include "test/generator/Tree.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace busfare::generator;

namespace {

constexpr unsigned programsPerUnit = 40;

struct Options {
  uint64_t seed = 1;
  unsigned first = 0, programs = 40;
  bool check = false, port = false, mutants = false, explain = false, update = false;
  unsigned portMutants = 0; ///< Mutants of the first programs, if they are ported.
  unsigned chunks = 0; ///< Ported programs' kernels run in so many, where they can; 0: in one.
  unsigned units = 1; ///< Over so many files each program's functions are spread.
  bool isCxx = false; ///< Programs are C++17.
  unsigned effort = 1500, portEffort = 150;
  std::string emit, keep, work = "/tmp";
};

std::vector<Program> buildUnit(const Options &options, unsigned first, unsigned count) {
  std::vector<Program> programs;
  for (unsigned p = first; p < first + count; ++p)
    programs.push_back(buildProgram(options.seed, p, "p" + std::to_string(p % programsPerUnit), options.isCxx));
  return programs;
}

void keep(const Options &options, unsigned number, Fault fault);

/// One line for each program: its number, then counts, then `fault: text` lines.
void report(llvm::raw_ostream &out, unsigned number, const Outcome &o) {
  out << "program " << number << " loops " << o.loops << " parallel " << o.parallel << " kernels " << o.kernels
      << " sections " << o.sections << " copies " << o.copies << " unknown " << o.copiesUnknown << " moved "
      << o.elementsMoved << " needless " << o.elementsNeedless << " mutants " << o.mutants << " caught "
      << o.mutantsCaught << " ported " << o.isPorted << " rows " << o.rows << " rows-open " << o.rowsOpen
      << " run-mutants " << o.runMutants << " run-caught " << o.runMutantsCaught << " same-bytes " << o.sameBytes
      << " unread " << o.unread << " older " << o.older << " dead " << o.dead << " chunked " << o.chunked << " orders "
      << o.orders << "\n";
  for (const Disagreement &d : o.found) out << "found " << number << " " << toString(d.fault) << ": " << d.text << "\n";
}

/// A folder for the sources and programs of one port.
struct PortFolder {
  std::string path;
  PortFolder(const Options &options) {
    llvm::SmallString<128> work(options.work), made;
    std::error_code failed = llvm::sys::fs::make_absolute(work);
    if (!failed) failed = llvm::sys::fs::createUniqueDirectory(work + "/port", made);
    if (failed) {
      llvm::errs() << options.work << ": " << failed.message() << "\n";
      std::exit(2);
    }
    path = made.str();
  }
  ~PortFolder() { llvm::sys::fs::remove_directories(path); }
};

std::vector<Outcome> outcomesOf(const Options &options, std::vector<Program> &programs, unsigned first,
                                const std::string &file) {
  CompareOptions compare;
  compare.mutants = options.mutants;
  if (!options.port) return checkUnit(programs, file, compare, options.units);
  PortFolder folder(options);
  PortSettings settings;
  settings.folder = folder.path;
  settings.compare = compare;
  settings.mutants = options.portMutants > first ? options.portMutants - first : 0;
  settings.chunks = options.chunks;
  llvm::Expected<std::vector<Outcome>> outcomes = portUnit(programs, settings);
  if (outcomes) return std::move(*outcomes);
  llvm::errs() << llvm::toString(outcomes.takeError()) << "\n";
  std::exit(2);
}

void checkRange(const Options &options, unsigned first, unsigned count) {
  std::string file = options.work + "/unit" + std::to_string(getpid()) + (options.isCxx ? ".cpp" : ".c");
  llvm::outs().flush();
  pid_t child = fork();
  if (child == 0) {
    std::vector<Program> programs = buildUnit(options, first, count);
    std::vector<Outcome> outcomes = outcomesOf(options, programs, first - options.first, file);
    for (unsigned p = 0; p < count; ++p) report(llvm::outs(), first + p, outcomes[p]);
    if (!options.keep.empty())
      for (unsigned p = 0; p < count; ++p)
        if (!outcomes[p].found.empty()) keep(options, first + p, outcomes[p].found.front().fault);
    llvm::outs().flush();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  unlink(file.c_str());
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  if (options.port && WIFEXITED(status) && WEXITSTATUS(status) == 2) std::exit(2); // a tool is missing
  if (count == 1) {
    llvm::outs() << "found " << first << " crash: signal " << (WIFSIGNALED(status) ? WTERMSIG(status) : 0) << "\n";
    if (!options.keep.empty()) keep(options, first, Fault::Crash);
    return;
  }
  checkRange(options, first, count / 2);
  checkRange(options, first + count / 2, count - count / 2);
}

/// Does the program fail with this fault? Asked in a process of its own.
bool failsWith(const Options &options, const Program &program, Fault fault) {
  std::string file = options.work + "/shrinking" + std::to_string(getpid()) + suffixOf({program});
  pid_t child = fork();
  if (child == 0) {
    std::vector<Program> unit = {program};
    printUnit(unit);
    InterpretOptions limits;
    limits.maxRecords = 120000;
    if (!interpret(unit[0], limits).problem.empty()) _exit(0);
    alarm(60);
    Options asked = options;
    asked.port = fault >= Fault::NotCompiled;
    asked.portMutants = fault == Fault::MutantSurvived ? 1 : 0;
    for (const Outcome &outcome : outcomesOf(asked, unit, 0, file))
      for (const Disagreement &d : outcome.found)
        if (d.fault == fault) _exit(1);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) == 1 : fault == Fault::Crash && WIFSIGNALED(status);
}

/// Shrinks the program and writes it as DIR/NAME.c (or .cpp) and DIR/NAME.tree.
void keep(const Options &options, unsigned number, Fault fault) {
  Program program = buildProgram(options.seed, number, "p" + std::to_string(number % programsPerUnit), options.isCxx);
  auto fails = [&](const Program &candidate) { return failsWith(options, candidate, fault); };
  if (!fails(program)) {
    llvm::errs() << "program " << number << " does not fail alone\n";
    return;
  }
  program = shrink(program, fails, fault >= Fault::NotCompiled ? options.portEffort : options.effort);
  std::string name = toString(fault);
  std::replace(name.begin(), name.end(), ' ', '-');
  std::string stem = options.keep + "/" + name + "-" + std::to_string(options.seed) + "-" + std::to_string(number);
  std::vector<Program> unit = {program};
  const std::string beside = stem + suffixOf(unit);
  std::ofstream tree(stem + ".tree"), source(beside);
  tree << treeOf(program);
  source << printUnit(unit);
  tree.close(), source.close();
  if (tree.fail() || source.fail()) llvm::errs() << beside << " cannot be written\n";
  else llvm::outs() << "kept " << beside << "\n";
}

/// Every program of the folder again: none may disagree with its run, and the C beside it is what is printed.
int replay(const Options &options, const std::string &folder) {
  std::error_code error;
  std::vector<std::string> trees;
  for (llvm::sys::fs::directory_iterator file(folder, error), end; file != end && !error; file.increment(error))
    if (llvm::StringRef(file->path()).ends_with(".tree")) trees.push_back(file->path());
  std::sort(trees.begin(), trees.end());
  int failures = error ? 1 : 0;
  for (const std::string &tree : trees) {
    auto contents = [](const std::string &name) {
      std::ifstream file(name);
      return std::string(std::istreambuf_iterator<char>(file), {});
    };
    std::optional<Program> program = readTree(contents(tree));
    if (!program) {
      llvm::outs() << tree << ": no program\n";
      ++failures;
      continue;
    }
    std::vector<Program> unit = {*program};
    std::string beside = tree.substr(0, tree.size() - 5) + suffixOf(unit);
    if (options.update) std::ofstream(beside) << printUnit(unit);
    if (printUnit(unit) != contents(beside)) {
      llvm::outs() << beside << ": not what the tree prints\n";
      ++failures;
    }
    if (std::string problem = interpret(unit[0]).problem; !problem.empty()) {
      llvm::outs() << tree << ": " << problem << "\n";
      ++failures;
    }
    const std::string file = options.work + "/replayed" + std::to_string(getpid()) + suffixOf(unit);
    if (options.explain) llvm::outs() << beside << "\n" << explain(unit, 0, file);
    for (const Outcome &outcome : checkUnit(unit, file))
      for (const Disagreement &d : outcome.found) {
        llvm::outs() << beside << ": " << toString(d.fault) << ": " << d.text << "\n";
        ++failures;
      }
    unlink(file.c_str());
  }
  llvm::outs() << trees.size() << " programs replayed, " << failures << " failures\n";
  return failures ? 1 : 0;
}

/// The unit's files and what it prints.
void emit(const Options &options, std::vector<Program> &programs, const std::string &stem) {
  unsigned file = 0;
  for (const std::string &text : printUnits(programs, options.units)) {
    std::ofstream(stem + (file ? "." + std::to_string(file) : "") + suffixOf(programs)) << text;
    ++file;
  }
  std::ofstream expected(stem + ".expected");
  for (const Program &program : programs)
    for (const std::string &line : interpret(program).output) expected << line << "\n";
}

int usage() {
  llvm::errs()
      << "usage: busfare-generate [[--update] [--explain] --replay DIR] [--seed S] [--first N] [--programs N] [--check | --port [--chunks N]] [--mutants [N]] [--keep DIR [--effort N]] [--explain]\n"
         "                        [--units N] [--cxx] [--emit DIR] [--work DIR]\n";
  return 2;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  for (int a = 1; a < argc; ++a) {
    std::string word = argv[a];
    auto value = [&]() -> std::string { return a + 1 < argc ? argv[++a] : ""; };
    if (word == "--seed") options.seed = std::stoull(value());
    else if (word == "--first") options.first = unsigned(std::stoul(value()));
    else if (word == "--programs") options.programs = unsigned(std::stoul(value()));
    else if (word == "--check") options.check = true;
    else if (word == "--update") options.update = true;
    else if (word == "--port") options.port = true;
    else if (word == "--mutants" && a + 1 < argc && llvm::isDigit(argv[a + 1][0]))
      options.portMutants = unsigned(std::stoul(value()));
    else if (word == "--mutants") options.mutants = true;
    else if (word == "--emit") options.emit = value();
    else if (word == "--replay") return replay(options, value());
    else if (word == "--keep") options.keep = value();
    else if (word == "--effort") options.effort = options.portEffort = unsigned(std::stoul(value()));
    else if (word == "--explain") options.explain = true;
    else if (word == "--chunks") options.chunks = unsigned(std::stoul(value()));
    else if (word == "--units") options.units = unsigned(std::stoul(value()));
    else if (word == "--cxx") options.isCxx = true;
    else if (word == "--work") options.work = value();
    else return usage();
  }
  for (unsigned done = 0; done < options.programs; done += programsPerUnit) {
    unsigned first = options.first + done, count = std::min(programsPerUnit, options.programs - done);
    if (!options.emit.empty()) {
      std::vector<Program> programs = buildUnit(options, first, count);
      emit(options, programs, options.emit + "/unit" + std::to_string(first / programsPerUnit));
    }
    if (options.explain) {
      std::vector<Program> programs = buildUnit(options, first, count);
      for (size_t p = 0; p < programs.size(); ++p)
        llvm::outs() << programs[p].name << "\n"
                     << explain(programs, p, options.work + "/explained" + suffixOf(programs), options.units);
    }
    if (options.check || options.port) checkRange(options, first, count);
  }
  return 0;
}
