//===- test/projection/ProfileTest.cpp - Profiles, and terms of times --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Profile.h"
#include "projection/Describe.h"
#include "projection/Explain.h"
#include "projection/report/FormulaText.h"
#include "skeleton/Parse.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace busfare;
using namespace busfare::projection;
using namespace busfare::skeleton;

namespace {

const char *solver = R"(skeleton 1
unit "solve.c"
function solve(param n, array u, array v) at 1:6 {
  array u : f64[n] parameter
  array v : f64[n] parameter
  define turns because "r > eps" in 0 .. ? at 3:3
  for t = 0 .. turns - 1 at 3:3 {
    for i = 0 .. n - 1 at 4:5 {
      read u[i] at 5:9
      if ? at 6:7 {
        ops fp64.add 4
      }
      write v[i] at 7:9
    }
  }
}
)";

Program programOf(llvm::StringRef text) {
  auto program = parse(text, "solve.skel");
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return {};
  }
  return *program;
}

Profile profileOf(const Program &program) {
  Profile profile;
  profile.sources = {"solve.c"};
  profile.seconds = 1.1;
  profile.originalSeconds = 1;
  ProfiledFunction function;
  function.name = "solve";
  function.file = "solve.c";
  function.fingerprint = fingerprintOf(findFunction(program, "solve")->body);
  function.loops = {{0, 3, 2, 834}};
  function.branches = {{0, 6, 1000, 250}};
  function.nests = {{1, 4, 834, 0.5}};
  function.sizes = {{"n", 5000, 5000, 5000, 1}};
  profile.functions = {function};
  profile.notes = {"a note"};
  return profile;
}

ProjectOptions optionsFor(std::shared_ptr<const Profile> profile) {
  ProjectOptions options;
  options.machines = {llvm::cantFail(loadMachine(defaultMachine))};
  options.functions = {"solve"};
  options.profile = std::move(profile);
  return options;
}

TEST(Profile, ReadsWhatItWrites) {
  Profile profile = profileOf(programOf(solver));
  std::string text = llvm::formatv("{0:2}", toJson(profile)).str();
  llvm::Expected<Profile> again = parseProfile(text, "run.json");
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(llvm::formatv("{0:2}", toJson(*again)).str(), text);
  EXPECT_EQ(again->file, "run.json");
}

TEST(Profile, SaysWhatIsWrongInIt) {
  auto wrong = [](llvm::StringRef text) {
    llvm::Expected<Profile> profile = parseProfile(text, "run.json");
    return profile ? "nothing" : llvm::toString(profile.takeError());
  };
  EXPECT_NE(wrong("{").find("run.json: "), std::string::npos);
  EXPECT_NE(wrong(R"({"output": "report"})").find("this is no profile that measure wrote"), std::string::npos);
  std::string text = llvm::formatv("{0}", toJson(profileOf(programOf(solver)))).str();
  auto with = [&](llvm::StringRef from, llvm::StringRef to) {
    std::string changed = text;
    size_t at = changed.find(from.str());
    EXPECT_NE(at, std::string::npos) << from.str();
    changed.replace(at, from.size(), to.str());
    return wrong(changed);
  };
  EXPECT_NE(with("\"taken\":250", "\"taken\":1001").find("expected no more than executions"), std::string::npos);
  EXPECT_NE(with("\"seconds\":0.5", "\"seconds\":-0.5").find("expected a time of 0 s or more"), std::string::npos);
  EXPECT_NE(with("\"iterations\":834", "\"iterations\":\"many\"").find("iterations"), std::string::npos);
}

TEST(Profile, BindsSizesAndTripsButGivenOnesGoBefore) {
  Program program = programOf(solver);
  auto profile = std::make_shared<const Profile>(profileOf(program));
  llvm::Expected<Report> report = project(program, optionsFor(profile));
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  ASSERT_EQ(report->regions.size(), 1u);
  const auto &parameters = report->regions[0].parameters;
  EXPECT_EQ(parameters.at("solve::n").value, 5000);
  EXPECT_EQ(parameters.at("solve::n").source, ParameterSource::Profile);
  EXPECT_EQ(parameters.at("solve::turns").value, 417); // 834 iterations in two executions
  EXPECT_EQ(report->profileRows.at("function solve"), int(ProfileMatch::Used));

  ProjectOptions given = optionsFor(profile);
  given.parameters = {{"n", 64}};
  llvm::Expected<Report> other = project(program, given);
  ASSERT_TRUE(bool(other)) << llvm::toString(other.takeError());
  EXPECT_EQ(other->regions[0].parameters.at("solve::n").value, 64);
  EXPECT_EQ(other->regions[0].parameters.at("solve::n").source, ParameterSource::CommandLine);
}

TEST(Profile, ProvesNothing) {
  Program program = programOf(solver);
  llvm::Expected<Report> with = project(program, optionsFor(std::make_shared<const Profile>(profileOf(program))));
  llvm::Expected<Report> without = project(program, optionsFor(nullptr));
  ASSERT_TRUE(with && without);
  ASSERT_EQ(with->regions.size(), without->regions.size());
  for (size_t a = 0; a < with->regions[0].arrays.size(); ++a) {
    const ArrayReport &one = with->regions[0].arrays[a], &other = without->regions[0].arrays[a];
    ASSERT_EQ(one.h2d.has_value(), other.h2d.has_value());
    if (one.h2d) {
      EXPECT_EQ(one.h2d->section, other.h2d->section);
      EXPECT_EQ(one.h2d->exact, other.h2d->exact);
    }
  }
  ASSERT_EQ(with->loops.size(), without->loops.size());
  for (size_t l = 0; l < with->loops.size(); ++l) EXPECT_EQ(with->loops[l].parallel, without->loops[l].parallel);
}

TEST(Profile, OfAChangedFunctionIsSkipped) {
  Profile profile = profileOf(programOf(solver));
  std::string changed = solver;
  changed.replace(changed.find("write v[i]"), 10, "write u[i]");
  Program program = programOf(changed);
  llvm::Expected<Report> report = project(program, optionsFor(std::make_shared<const Profile>(profile)));
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(report->profileRows.at("function solve"), int(ProfileMatch::Changed));
  EXPECT_EQ(report->regions[0].parameters.at("solve::n").source, ParameterSource::Assumed);
  // Moved lines and other names change nothing.
  std::string moved = solver;
  for (size_t at = 0; (at = moved.find(" at 4:5", at)) != std::string::npos; ++at) moved.replace(at, 7, " at 9:5");
  EXPECT_EQ(MatchedProfile(profile, programOf(moved)).functions.at("solve"), ProfileMatch::Used);
}

TEST(Profile, SharesOfBranches) {
  Program program = programOf(solver);
  Profile profile = profileOf(program);
  Program shared = MatchedProfile(profile, program).withShares(program);
  RealValues values = {{"n", 100}, {"turns", 1}};
  Work before = workOf(findFunction(program, "solve")->body, values),
       after = workOf(findFunction(shared, "solve")->body, values);
  EXPECT_DOUBLE_EQ(before.of(Operation::Fp64Add), 200); // half of the time
  EXPECT_DOUBLE_EQ(after.of(Operation::Fp64Add), 100);
}

TEST(Profile, MeasuredTimesGrowAsTheModelDoes) {
  Program program = programOf(solver);
  ProjectOptions options = optionsFor(nullptr);
  options.parameters = {{"n", 1 << 20}, {"turns", 50}};
  options.cpuTimes = {{"3", 2.0}};
  llvm::Expected<Report> report = project(program, options);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  const MachineAnswer &answer = report->regions[0].on[0].second;
  EXPECT_TRUE(answer.time.cpuMeasured);
  EXPECT_DOUBLE_EQ(answer.time.cpu, 2.0);
  // A step costs 40 ms on the host: more of them pay, so the limit is no less than today's speedup.
  EXPECT_GE(answer.iterations.limitSpeedup, answer.speedup.with.value);
}

TEST(Terms, MakeTheTimesTheyExplain) {
  Program program = programOf(solver);
  ProjectOptions options = optionsFor(nullptr);
  llvm::Expected<Explanation> explanation = explain(program, options, {"solve.c", 5});
  ASSERT_TRUE(bool(explanation)) << llvm::toString(explanation.takeError());
  ASSERT_EQ(explanation->nests.size(), 1u);
  const ExplainedNest &nest = explanation->nests[0];
  EXPECT_TRUE(nest.isKernel);
  EXPECT_EQ(nest.location.line, 4u);
  const ExplainedOnMachine &on = nest.on.at(0);
  auto timeOf = [](const std::vector<TimeTerm> &terms) {
    double longest = 0, added = 0;
    for (const TimeTerm &term : terms) {
      EXPECT_GT(term.time, 0) << term.name;
      (term.isAdded ? added += term.time : longest = std::max(longest, term.time));
    }
    return longest + added;
  };
  EXPECT_DOUBLE_EQ(timeOf(on.terms.kernel), on.launch.time);
  EXPECT_NEAR(timeOf(on.terms.cpu) * double(on.launch.launches), on.terms.cpuTime, 1e-9 * on.terms.cpuTime);
  for (const TimeTerm &term : on.terms.kernel)
    for (const TermInput &input : term.inputs) EXPECT_FALSE(input.name.empty() || input.kind.empty()) << term.name;
}

TEST(Terms, NearestLoopsOfALineWithoutOne) {
  llvm::Expected<Explanation> explanation = explain(programOf(solver), optionsFor(nullptr), {"solve.c", 90});
  ASSERT_TRUE(bool(explanation)) << llvm::toString(explanation.takeError());
  EXPECT_TRUE(explanation->nests.empty());
  ASSERT_EQ(explanation->nearest.size(), 2u);
  EXPECT_EQ(explanation->nearest[0].first.line, 4u);
}

TEST(Terms, FormulasInNumbers) {
  TimeTerm term{"dram", "{0} / {1}", 2, {counted("bytes", 3e9, "B", ""), {"gpu.dram", 1.5e9, "B/s", "measured", "x"}}};
  EXPECT_EQ(spelledFormula(term), "bytes / gpu.dram");
  EXPECT_EQ(formulaInNumbers(term), "3e9 B / 1.5e9 B/s");
  EXPECT_EQ(formatCount(1024), "1,024");
  EXPECT_EQ(formatCount(0.25), "0.25");
  EXPECT_EQ(formatCount(3e-6), "3e-6");
}

TEST(FormulaText, PowersAndPaths) {
  EXPECT_EQ(spokenFormula("8*opts.nx*opts.nx*opts.nx"), "8*opts.nx^3");
  EXPECT_EQ(spokenFormula("8*step@40:n*step@40:n+16*m"), "8*n^2+16*m");
  EXPECT_EQ(spokenFormula("[0:n*n-1:1][0:n-1:1]"), "[0:n^2-1:1][0:n-1:1]");
  EXPECT_EQ(spokenFormula("8*floor((n+1) / 2)-16"), "8*floor((n+1) / 2)-16");
  EXPECT_EQ(spokenFormula("4*rows*cols"), "4*rows*cols");
  EXPECT_EQ(spokenFormula("8*`*xmax`*`*ymax`-8*`*xmin`*`*xmin`+8*`n - 1`"), "8*`*xmax`*`*ymax`-8*`*xmin`^2+8*`n - 1`");
  EXPECT_EQ(spokenFormula("2*`open"), "2*`open");

  CrossingReport crossing;
  crossing.boxes = {{{"1", "n-m", "1"}, {"`*x`+2", "`*y`+2", "1"}, {"0", "3", "1"}}};
  crossing.formula = "32*n*`*y`-32*n*`*x`+32*n-32*m*`*y`+32*m*`*x`-32*m";
  EXPECT_EQ(spokenSize(crossing, 8), "32*(n-m)*(`*y`-`*x`+1)");
  crossing.formula = "32*n*`*y`"; // not the box's
  EXPECT_EQ(spokenSize(crossing, 8), "32*n*`*y`");
}

TEST(FormulaText, ManyPairsAreOneLine) {
  std::vector<std::string> few = {"noalias(a,b)", "n = 3 assumed"};
  EXPECT_EQ(spokenAssumptions(few), few);
  std::vector<std::string> many = {"noalias(a,b)", "noalias(a,c)", "noalias(b,c)", "noalias(c,d)", "n = 3 assumed"};
  std::vector<std::string> spoken = spokenAssumptions(many);
  ASSERT_EQ(spoken.size(), 2u);
  EXPECT_EQ(spoken[1], "4 pairs of pointers do not overlap: a, b, c, d (--format json lists the pairs)");
  EXPECT_EQ(
      spokenAssumptions({"noalias(a,b)", "steady(u)", "n = 3 assumed", "steady(v)"}),
      (std::vector<std::string>{"noalias(a,b)", "n = 3 assumed",
                                "steady: calls of code that is not seen leave these pointers where they lead: u, v"}));
}

} // namespace
