//===- projection/papers/Grophecy.cpp - GROPHECY++'s Tables I and II ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Meng, Morozov, Kumaran, Vishwanath, Uram: GROPHECY++. Its four applications go from
// skeleton text to times on its machine, as `busfare project` does it. "MB" of its
// Table I is MiB.
//
// Table II gives the paper's own predictions back: with S = C / (K + T), a speedup that
// is predicted from kernels alone is off by e = (K + T) / Kp - 1, whatever C is.
//
//===----------------------------------------------------------------------===//

#include "projection/BuiltinPrograms.h"
#include "projection/Papers.h"
#include "skeleton/Parse.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>

namespace busfare::projection {

static const GrophecyRow rows[] = {
    {"CFD 97K", "cfd", 97152, 1.9, 3.2, 97152 * 68, 97152 * 20, 6.3, 1.9, 377, 67, 24},
    {"CFD 193K", "cfd", 193536, 3.2, 6.2, 193536 * 68, 193536 * 20, 12.6, 3.7, 344, 56, 15},
    {"CFD 233K", "cfd", 232704, 3.1, 7.4, 232704 * 68, 232704 * 20, 15.1, 4.4, 316, 46, 8},
    {"HotSpot 64", "hotspot", 64, 0, 0, 2 * 4 * 64 * 64, 4 * 64 * 64, 0, 0, 93, 198, 17},
    {"HotSpot 512", "hotspot", 512, 0.3, 1.2, 2 * 4 * 512 * 512, 4 * 512 * 512, 2.0, 1.0, 406, 35, 7},
    {"HotSpot 1024", "hotspot", 1024, 1.2, 4.6, 2 * 4 * 1024 * 1024, 4 * 1024 * 1024, 8.0, 4.0, 366, 31, 2},
    {"SRAD 1024", "srad", 1024, 2.0, 4.0, 4 * 1024 * 1024, 4 * 1024 * 1024, 4.0, 4.0, 241, 97, 25},
    {"SRAD 2048", "srad", 2048, 7.6, 13.0, 4 * 2048 * 2048, 4 * 2048 * 2048, 16.0, 16.0, 196, 72, 9},
    {"SRAD 4096", "srad", 4096, 28.1, 49.0, 4 * 4096 * 4096, 4 * 4096 * 4096, 64.0, 64.0, 176, 61, 1},
    {"Stassuij", "stassuij", 132, 2.4, 4.9, 8860372, 132 * 2048 * 16, 8.5, 4.1, 182, 51, 2},
};

llvm::ArrayRef<GrophecyRow> grophecyTable() { return rows; }

static void replaceAll(std::string &text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

llvm::Expected<RegionReport> grophecyRegion(const GrophecyRow &row, int iterations) {
  std::string text;
  for (const BuiltinProgram &program : builtinPrograms())
    if (llvm::StringRef(program.name) == row.program) text = program.text;
  replaceAll(text, "@N@", std::to_string(row.size));
  replaceAll(text, "@ITERATIONS@", std::to_string(iterations));
  auto program = skeleton::parse(text, row.program);
  if (!program) return program.takeError();
  llvm::Expected<Machine> machine = loadMachine("fx5600-pcie1");
  if (!machine) return machine.takeError();
  ProjectOptions options;
  options.manyRuns = true; // as they are published, without what is paid once
  options.machines.push_back(std::move(*machine));
  llvm::Expected<Report> report = project(*program, options);
  if (!report) return report.takeError();
  if (report->regions.size() != 1)
    return llvm::createStringError(llvm::Twine(row.name) + ": expected one region, found " +
                                   llvm::Twine(report->regions.size()));
  return report->regions.front();
}

/// What busfare says of a row, ms.
struct Predicted {
  double kernel = 0, transfer = 0, in = 0, out = 0;
};

/// Nothing if the program cannot be projected.
static std::optional<Predicted> predict(const GrophecyRow &row) {
  // Ten iterations, so that what happens only before the first one does not count as a tenth of a kernel.
  llvm::Expected<RegionReport> once = grophecyRegion(row, 1);
  if (!once) {
    llvm::consumeError(once.takeError());
    return std::nullopt;
  }
  llvm::Expected<RegionReport> often = grophecyRegion(row, 10);
  if (!often) {
    llvm::consumeError(often.takeError());
    return std::nullopt;
  }
  const TimeReport &time = once->on.front().second.time;
  const MachineAnswer &answer = often->on.front().second;
  return Predicted{1e3 * answer.time.kernel / double(answer.iterations.count), 1e3 * (time.h2d + time.d2h),
                   double(once->h2dBytes), double(once->d2hBytes)};
}

/// Per cent by which a speedup is off that is predicted with this time, ms.
static double speedupError(const GrophecyRow &row, double predicted) {
  return 100 * std::fabs((row.kernel + row.transfer) / predicted - 1);
}

static void addTableOne(PaperTable &table) {
  double kernels = 0, transfers = 0;
  int timed = 0, kernelsTimed = 0;
  for (const GrophecyRow &row : rows) {
    std::string name = row.name;
    std::optional<Predicted> ours = predict(row);
    auto take = [&](double Predicted::*member, double per = 1) {
      return ours ? std::optional((*ours).*member / per) : std::nullopt;
    };
    table.claim(name + ": input", "B", double(row.in), take(&Predicted::in), {});
    table.claim(name + ": output", "B", double(row.out), take(&Predicted::out), {});
    constexpr double mebi = 1 << 20;
    if (row.inMebi > 0) { // Stassuij's 8.45 MiB is printed as 8.5.
      table.claim(name + ": input as printed", "MiB", row.inMebi, take(&Predicted::in, mebi), {0, 0.0501});
      table.claim(name + ": output as printed", "MiB", row.outMebi, take(&Predicted::out, mebi), {0, 0.0501});
    }
    if (row.transfer == 0 || !ours) continue;
    table.claim(name + ": transfer, measured", "ms", row.transfer, ours->transfer, {0.3, 0});
    transfers += std::fabs(ours->transfer / row.transfer - 1);
    ++timed;
    if (llvm::StringRef(row.program) == "stassuij") {
      table.show(name + ": kernel, measured", "ms", row.kernel, ours->kernel,
                 "how many elements its sparse rows have is not published");
      continue;
    }
    table.claim(name + ": kernel, measured", "ms", row.kernel, ours->kernel, {0.35, 0});
    kernels += std::fabs(ours->kernel / row.kernel - 1);
    ++kernelsTimed;
  }
  table.claim("mean error of the transfers", "%", 7.6, 100 * transfers / std::max(1, timed), {0, 0, true});
  table.claim("mean error of the kernels", "%", 15, 100 * kernels / std::max(1, kernelsTimed), {0, 0, true});
}

/// The mean of a column over all data sets, and over the means of the applications.
static std::pair<double, double> averagesOf(double GrophecyRow::*column) {
  std::map<std::string, std::pair<double, int>> applications;
  double all = 0;
  for (const GrophecyRow &row : rows) {
    all += row.*column;
    applications[row.program].first += row.*column;
    ++applications[row.program].second;
  }
  double means = 0;
  for (const auto &[name, sum] : applications) means += sum.first / sum.second;
  return {all / std::size(rows), means / double(applications.size())};
}

static void addTableTwo(PaperTable &table) {
  for (const GrophecyRow &row : rows) {
    if (row.kernel == 0) continue;
    double sum = row.kernel + row.transfer;
    double kernel = sum / (1 + row.kernelOnly / 100), transfer = sum / (1 + row.transferOnly / 100);
    table.claim(std::string(row.name) + ": error with both, from the other two", "%", row.both,
                speedupError(row, kernel + transfer), {0, 1});
  }
  const std::pair<const char *, double GrophecyRow::*> columns[] = {{"kernel only", &GrophecyRow::kernelOnly},
                                                                    {"transfer only", &GrophecyRow::transferOnly},
                                                                    {"both", &GrophecyRow::both}};
  const double overSets[] = {270, 71, 11}, overApplications[] = {255, 68, 9};
  for (size_t i = 0; i < std::size(columns); ++i) {
    auto [sets, applications] = averagesOf(columns[i].second);
    table.claim(std::string("error with ") + columns[i].first + ", over data sets", "%", overSets[i], sets, {0, 1});
    table.claim(std::string("error with ") + columns[i].first + ", over applications", "%", overApplications[i],
                applications, {0, 1});
  }
}

/// The errors that our own predictions make, in the paper's terms: lower is better.
static void addOwnErrors(PaperTable &table) {
  for (const GrophecyRow &row : rows) {
    std::optional<Predicted> ours = row.kernel > 0 ? predict(row) : std::nullopt;
    if (ours)
      table.show(std::string(row.name) + ": error with both, ours", "%", row.both,
                 speedupError(row, ours->kernel + ours->transfer), "another kernel model: theirs beside ours");
  }
}

/// How the errors change with the iterations of the time loop, the paper's predictions taken from its Table II.
static void addIterations(PaperTable &table) {
  struct Case {
    size_t row;
    double iterations, limit; ///< Twice as accurate up to; error of the limit, per cent.
    bool follows;             ///< The printed digits determine the iterations.
    double limitDigits;       ///< What the printed digits leave open of the limit.
  };
  for (const Case &each : {Case{2, 18, 22.6, true, 0.5}, {5, 70, 1.9, false, 4}, {8, 228, 0.75, false, 0.3}}) {
    const GrophecyRow &row = rows[each.row];
    double sum = row.kernel + row.transfer;
    double kernel = sum / (1 + row.kernelOnly / 100), transfer = sum / (1 + row.transferOnly / 100);
    int last = 0;
    for (int n = 1; n < 2000; ++n) {
      double with = std::fabs((row.kernel * n + row.transfer) / (kernel * n + transfer) - 1);
      double without = std::fabs((row.kernel * n + row.transfer) / (kernel * n) - 1);
      last = without >= 2 * with ? n : last;
    }
    std::string name = row.name;
    if (each.follows)
      table.claim(name + ": iterations up to which transfers halve the error", "", each.iterations, last, {0, 1});
    else
      table.show(name + ": iterations up to which transfers halve the error", "", each.iterations, last,
                 "rests on the second digit of a kernel time that is printed with one");
    table.claim(name + ": error for many iterations", "%", each.limit, 100 * std::fabs(row.kernel / kernel - 1),
                {0, each.limitDigits});
  }
}

PaperTable grophecyRows() {
  PaperTable table("GROPHECY++");
  addTableOne(table);
  addTableTwo(table);
  addOwnErrors(table);
  addIterations(table);
  // Stassuij's host time follows from its kernel-only speedup of 1.10.
  const GrophecyRow &stassuij = rows[9];
  double sum = stassuij.kernel + stassuij.transfer, kernel = sum / 2.82, host = 1.10 * kernel;
  table.claim("Stassuij: real speedup", "x", 0.39, host / sum, printed(2));
  table.claim("Stassuij: predicted speedup", "x", 0.38, host / (kernel + sum / 1.51), printed(2));
  for (auto [item, value] :
       {std::pair("worst error of the linear model, h2d", 6.4), std::pair("worst error of the linear model, d2h", 3.3),
        std::pair("mean error of the linear model, h2d", 2.0), std::pair("mean error of the linear model, d2h", 0.8)})
    table.show(item, "%", value, std::nullopt, "the measured sweep is not published");
  return table;
}

} // namespace busfare::projection
