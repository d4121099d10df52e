//===- projection/papers/Werkhoven.cpp - Van Werkhoven's overlap ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Van Werkhoven et al., "Performance Models for CPU-GPU Data Transfers": its equations
// with the parameters of its Tables I and II (the machine file of the GTX Titan), on
// state() and buoydiff(), of which a variable is 1024 * 1024 * 42 doubles. The classes of
// both on three GPUs follow twice: from the published counts, and from the sections,
// chunks and kernel times of our programs, as `busfare project` finds them.
//
//===----------------------------------------------------------------------===//

#include "projection/BuiltinPrograms.h"
#include "projection/Overlap.h"
#include "projection/Papers.h"
#include "skeleton/Parse.h"

namespace busfare::projection {

namespace {
struct Kernel {
  const char *name;
  double in, out, time;                 ///< Variables, variables, s.
  double explicitCopies, equations[6];  ///< ms
  double hybrid;
};
} // namespace

static const Kernel kernels[] = {
    {"state()", 2, 3, 20e-3, 162.3950, {105.2853, 143.0835, 23.4084, 142.6073, 85.7615, 83.7801}, 159.0791},
    {"buoydiff()", 2, 2, 60e-3, 174.4745, {117.3648, 116.1153, 62.7436, 114.6868, 62.7436, 60.0184}, 107.8739}};

static OverlapQuestion questionOf(const Kernel &kernel, double reads = 1) {
  constexpr double variable = 1024.0 * 1024 * 42 * 8;
  return {kernel.in * variable, kernel.out * variable, kernel.time, reads * kernel.in * variable,
          kernel.out * variable};
}

static void addEquations(const Machine &titan, PaperTable &table) {
  constexpr double ms = 1e-3, streams = 42;
  const Closeness fourDigits = {0, 1e-4};
  OverlapDevice device = overlapDeviceOf(titan);
  for (const Kernel &kernel : kernels) {
    std::string name = std::string("GTX Titan, ") + kernel.name + ", 42 streams: ";
    OverlapQuestion question = questionOf(kernel);
    table.claim(name + "explicit", "ms", kernel.explicitCopies, explicitTime(device, question) / ms, fourDigits);
    for (unsigned number = 1; number <= 6; ++number)
      table.claim(name + "equation (" + std::to_string(number) + ")", "ms", kernel.equations[number - 1],
                  equationTime(number, device, question, streams) / ms, fourDigits);
    table.claim(name + "hybrid", "ms", kernel.hybrid, hybridTime(device, question, streams) / ms, fourDigits);
  }
  for (auto [reads, time] : {std::pair(2.0, 117.2484), std::pair(3.0, 175.8634)})
    table.claim("GTX Titan, buoydiff() mapped, inputs read " + std::to_string(int(reads)) + " times", "ms", time,
                equationTime(6, device, questionOf(kernels[1], reads), 1) / ms, fourDigits);
  for (auto [number, most] : {std::pair(1u, 148.0), std::pair(2u, 62.0), std::pair(5u, 171.0), std::pair(4u, 2.0)}) {
    std::optional<double> best = streamsByFormula(number, device, questionOf(kernels[0]));
    table.claim("GTX Titan, state(): streams that still help, equation (" + std::to_string(number) + ")", "", most,
                best, {0, 0.51});
  }
}

llvm::Expected<RegionReport> werkhovenRegion(llvm::StringRef name, llvm::StringRef machine) {
  std::string text;
  for (const BuiltinProgram &program : builtinPrograms())
    if (name == program.name) text = program.text;
  auto program = skeleton::parse(text, name);
  if (!program) return program.takeError();
  llvm::Expected<Machine> loaded = loadMachine(machine);
  if (!loaded) return loaded.takeError();
  ProjectOptions options;
  options.manyRuns = true; // as they are published, without what is paid once
  options.machines.push_back(std::move(*loaded));
  llvm::Expected<Report> report = project(*program, options);
  if (!report) return report.takeError();
  if (report->regions.size() != 1)
    return llvm::createStringError(name + ": expected one region, found " + llvm::Twine(report->regions.size()));
  return report->regions.front();
}

/// Table VII once more, from the programs themselves.
static void addOwnSections(llvm::StringRef machine, llvm::StringRef ofBuoydiff, PaperTable &table) {
  constexpr double variable = 1024.0 * 1024 * 42 * 8;
  for (const Kernel &kernel : kernels) {
    bool isState = llvm::StringRef(kernel.name) == "state()";
    llvm::StringRef best = isState ? "mapped" : ofBuoydiff;
    std::string item = machine.str() + ", " + kernel.name + " from its own sections: ";
    llvm::Expected<RegionReport> region = werkhovenRegion(isState ? "state" : "buoydiff", machine);
    if (!region) {
      llvm::consumeError(region.takeError());
      table.claim(item + best.str() + " is best (1 = yes)", "", 1, std::nullopt, {});
      continue;
    }
    table.claim(item + "input", "B", kernel.in * variable, double(region->h2dBytes), {});
    table.claim(item + "output", "B", kernel.out * variable, double(region->d2hBytes), {});
    table.claim(item + best.str() + " is best (1 = yes)", "", 1, region->on.front().second.plan.strategy == best, {});
  }
}

PaperTable werkhovenRows() {
  PaperTable table("van Werkhoven");
  Machine titan = llvm::cantFail(loadMachine("gtx-titan-pcie3"), "built-in machine files are right");
  addEquations(titan, table);
  // Table VII. The three inputs of level k are those of levels 1, k - 1 and k: mapped memory reads them again.
  struct Classified {
    const char *machine, *ofBuoydiff;
  };
  for (const Classified &each :
       {Classified{"gtx680-pcie2", "hybrid"}, {"gtx-titan-pcie3", "hybrid"}, {"k20-pcie2", "streams"}}) {
    Machine machine = llvm::cantFail(loadMachine(each.machine), "built-in machine files are right");
    auto best = [&](const OverlapQuestion &question) {
      return answerOverlap(machine, question, std::nullopt, 42, 42).strategy;
    };
    table.claim(std::string(each.machine) + ", state(): mapped memory is best (1 = yes)", "", 1,
                best(questionOf(kernels[0])) == "mapped", {});
    table.claim(std::string(each.machine) + ", buoydiff(): " + each.ofBuoydiff + " is best (1 = yes)", "", 1,
                best(questionOf(kernels[1], 3)) == each.ofBuoydiff, {});
    addOwnSections(each.machine, each.ofBuoydiff, table);
  }
  const char *why = "the measured times are not published";
  for (auto [item, value] :
       {std::pair("worst error, explicit", 9.73), std::pair("worst error, implicit", 3.85),
        std::pair("worst error, streams", 6.46), std::pair("worst error, hybrid", 10.75),
        std::pair("error of the transfers, h2d", 1.18), std::pair("error of the transfers, d2h", 2.47)})
    table.show(item, "%", value, std::nullopt, why);
  return table;
}

} // namespace busfare::projection
