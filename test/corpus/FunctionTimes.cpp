//===- test/corpus/FunctionTimes.cpp - What each function costs -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   function_times [--slow=SECONDS] [--function=NAME] PROGRAM.skel...
//
// Projects every function as a root of its own, its callees substituted, as
// `busfare analyze --function F` does after the source is parsed, and prints one line
// of JSON for each:
//
//   {"function":"kernel_3mm","given_up":0,"seconds":0.021,"unit":"3mm.skel"}
//
// seconds is processor time. A function that took longer than --slow is run again,
// phase by phase: `phases` says what each took then. --function takes that one alone. given_up counts the findings that
// say a bound on effort was reached (BF016). A function that cannot be projected has
// an `error` instead of its time.
//
//===----------------------------------------------------------------------===//

#include "brs/Domain.h"
#include "brs/Presburger.h"
#include "brs/Shape.h"
#include "projection/Project.h"
#include "projection/Root.h"
#include "skeleton/Inline.h"
#include "skeleton/Parse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <ctime>

using namespace busfare;
using namespace busfare::skeleton;

namespace {

double processorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

template <class Work> double secondsOf(Work work) {
  double begin = processorSeconds();
  work();
  return processorSeconds() - begin;
}

/// The phases of projection::analyseRoot one by one, and all that it does; the rest of a projection is what is left.
llvm::json::Object phasesOf(const Program &program, const std::string &name, double all) {
  llvm::json::Object phases;
  auto note = [&](const char *phase, double seconds) { phases[phase] = seconds; };
  // Before there is a budget, at whose end what was found is forgotten.
  double root = secondsOf([&] { llvm::cantFail(projection::analyseRoot(program, name, projection::Depth::Transfers, brs::ShapeProof::Assumed)); });
  note("whole root", root);
  note("report", all - root);
  std::optional<Inlined> flat;
  note("substitution", secondsOf([&] { flat = llvm::cantFail(substituteCalls(program, name)); }));
  brs::EffortBudget budget(projection::effortFor(flat->function, projection::Depth::Transfers));
  brs::Shaped shaped;
  brs::Context context;
  note("shapes", secondsOf([&] {
         shaped = brs::recoverShapes(program, flat->function, brs::factsOf(program, flat->function), brs::ShapeProof::Assumed);
         context = brs::factsOf(program, shaped.function);
         llvm::for_each(shaped.assumed, [&](const Expr &condition) { context.assume(condition); });
       }));
  brs::DependenceAnalysis dependence;
  brs::EffectsMemo effects;
  note("dependence", secondsOf([&] { dependence = brs::analyseDependence(program, shaped.function, context, &effects); }));
  brs::TransferAnalysis transfers;
  note("transfers", secondsOf([&] {
         transfers = brs::analyseTransfers(program, shaped.function, dependence, context, name == "main", {}, &effects);
       }));
  return phases;
}

llvm::json::Object measure(const Program &program, const std::string &name, const projection::Machine &machine, double slow) {
  projection::ProjectOptions options;
  options.functions = {name};
  options.machines = {machine};
  llvm::json::Object line{{"function", name}};
  int64_t givenUp = 0;
  std::string error;
  uint64_t steps = brs::stepsSoFar();
  double seconds = secondsOf([&] {
    llvm::Expected<projection::Report> report = projection::project(program, options);
    if (!report)
      error = llvm::toString(report.takeError());
    else
      givenUp = llvm::count_if(report->findings, [](const Finding &f) { return f.rule == Rule::EffortExceeded; });
  });
  if (!error.empty()) {
    line["error"] = error;
    return line;
  }
  line["seconds"] = seconds;
  line["steps"] = brs::stepsSoFar() - steps;
  line["given_up"] = givenUp;
  if (seconds > slow)
    line["phases"] = phasesOf(program, name, seconds);
  return line;
}

} // namespace

int main(int argc, char **argv) {
  double slow = 0.1;
  llvm::StringRef only;
  std::vector<llvm::StringRef> files;
  for (llvm::StringRef word : llvm::ArrayRef(argv, size_t(argc)).drop_front()) {
    llvm::StringRef value = word;
    if (value.consume_front("--function="))
      only = value;
    else if (!value.consume_front("--slow="))
      files.push_back(word);
    else if (value.getAsDouble(slow))
      files.clear(), files.push_back("--help");
  }
  if (files.empty() || files.front().starts_with("--")) {
    llvm::errs() << "usage: function_times [--slow=SECONDS] [--function=NAME] PROGRAM.skel...\n";
    return 2;
  }
  llvm::Expected<projection::Machine> machine = projection::loadMachine(projection::defaultMachine);
  if (!machine) {
    llvm::errs() << llvm::toString(machine.takeError()) << "\n";
    return 2;
  }
  for (llvm::StringRef file : files) {
    auto text = llvm::MemoryBuffer::getFile(file);
    if (!text) {
      llvm::errs() << file << ": " << text.getError().message() << "\n";
      return 2;
    }
    llvm::Expected<Program> program = parse((*text)->getBuffer(), file);
    if (!program) {
      llvm::errs() << llvm::toString(program.takeError()) << "\n";
      return 2;
    }
    for (const Function &function : program->functions) {
      if (!only.empty() && function.name != only)
        continue;
      llvm::json::Object line = measure(*program, function.name, *machine, slow);
      line["unit"] = file;
      llvm::outs() << llvm::json::Value(std::move(line)) << "\n";
      llvm::outs().flush();
    }
  }
  return 0;
}
