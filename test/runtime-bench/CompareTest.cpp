//===- test/runtime-bench/CompareTest.cpp - Projected against measured ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Records of runs and reports, by hand, and what their comparison has to be.
//
//===----------------------------------------------------------------------===//

#include "Near.h"
#include "projection/Machine.h"
#include "runtime-bench/compare/Errors.h"
#include "runtime-bench/compare/Writers.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace busfare::bench;
using busfare::projection::HostMemory;
using busfare::projection::Link;
using busfare::test::relative;

namespace {

const char record[] = "busfare-timing 1 virtual\n"
                      "device sm_90\n"
                      "copy h2d 1000 0 2000\n"
                      "kernel 40 __omp_offloading_fd00_5a1_step_l40 2000 12000\n"
                      "kernel 40 __omp_offloading_fd00_5a1_step_l40 12000 32000\n"
                      "kernel 55 __omp_offloading_fd00_5a1_sum_l55 32000 36000\n"
                      "copy d2h 1000 36000 40000\n"
                      "copy h2d 1000 40000 44000\n"
                      "span 50000\n";

const char report[] = R"({"machines": [{"name": "m"}], "regions": [{"id": "a.c:9:main", "runs": 1,
  "time_s": {"cpu": 1e-4, "kernel": 4e-5, "h2d": 6e-6, "d2h": 2e-6, "total": 6e-5},
  "plan": {"strategy": "explicit", "memory": "pageable", "time_s": 5e-5, "explicit_s": 5e-5,
    "alternatives": [{"strategy": "streams", "time_s": 4e-5}, {"strategy": "mapped", "time_s": null, "why_not": "read again"}]},
  "kernels": [{"location": {"file": "a.c", "line": 41}, "launches": 2, "time_s": 3e-5, "planned_on": "device"},
              {"location": {"file": "a.c", "line": 60}, "launches": 1, "time_s": 2e-6, "planned_on": "device"}]}]})";

Link lineOf(double latency, double bandwidth) {
  Link link;
  link.pageableH2dLatency.value = link.pageableD2hLatency.value = latency;
  link.pageableH2dBandwidth.value = link.pageableD2hBandwidth.value = bandwidth;
  return link;
}

TimedRun run() { return llvm::cantFail(readTimedRun(record, "r")); }
ProjectedProgram projected() { return llvm::cantFail(readProjected(report, "r.json")); }

/// projected / measured - 1 of the only such row; NaN if there is none.
double errorIn(const Comparison &comparison, RowKind kind, llvm::StringRef what, llvm::StringRef variant = "explicit") {
  double found = std::nan("");
  for (const ErrorRow &row : comparison.rows)
    if (row.kind == kind && row.what == what && row.variant == variant) found = errorOf(row);
  return found;
}

TEST(Compare, ARecordIsRead) {
  TimedRun times = run();
  EXPECT_TRUE(times.isVirtual);
  EXPECT_EQ(times.device, "sm_90");
  EXPECT_FALSE(isHostDevice(times));
  times.device = "generic-64bit";
  EXPECT_TRUE(isHostDevice(times));
  ASSERT_EQ(times.kernels.size(), 2u);
  EXPECT_EQ(times.kernels[0].file, "fd00_5a1");
  EXPECT_EQ(times.kernels[0].seconds, (std::vector<double>{1e-5, 2e-5}));
  ASSERT_EQ(times.copies.size(), 2u);
  EXPECT_TRUE(times.copies[0].toDevice);
  EXPECT_EQ(times.copies[0].seconds.size(), 2u);
  EXPECT_NEAR_TO(*times.span, 5e-5, relative(1e-12));
}

TEST(Compare, WhatIsNoRecord) {
  auto errorOfText = [](const char *text) { return llvm::toString(readTimedRun(text, "r").takeError()); };
  EXPECT_EQ(errorOfText(""), "r: is empty: the program has no target regions that ran");
  EXPECT_EQ(errorOfText("hello\n"), "r:1: expected busfare-timing 1 real|virtual, found 'hello'");
  EXPECT_EQ(errorOfText("busfare-timing 1 real\ncopy h2d 8 9 3\n"),
            "r:2: expected copy h2d|d2h BYTES BEGIN END, found 'copy h2d 8 9 3'");
  EXPECT_EQ(errorOfText("busfare-timing 1 real\nspan 3\n"),
            "r: nothing ran on a device: is the program a port, and was its device there?");
  EXPECT_EQ(errorOfText("busfare-timing 1 real\ncopy h2d 8 3 9\n"),
            "r: the last line, span, is missing: the program did not end");
  EXPECT_EQ(llvm::toString(readProjected("{}", "r.json").takeError()),
            "r.json: expected what `busfare analyze --format json` writes");
  EXPECT_EQ(llvm::toString(readHostRun("{}", "p.json").takeError()),
            "p.json: expected what `busfare measure --format json` writes");
}

TEST(Compare, SignedErrorsOfEverything) {
  HostRun host = llvm::cantFail(readHostRun(
      R"({"output": "profile", "regions": [{"id": "a.c:9:main", "seconds": 4e-4, "entries": 2}]})", "p.json"));
  EXPECT_NEAR_TO(host.regions.at("a.c:9:main"), 2e-4, relative(1e-12));
  Comparison all = compare("a", projected(), lineOf(1e-6, 1e9), HostMemory::Pageable,
                           {{"explicit", run()}, {"streams", run()}, {"mapped", run()}}, {{"host", host, projected()}});
  // The port keeps the order of the nests: line 40 is the nest in 41, 55 that in 60. Mean launches of 15 and 4 us.
  EXPECT_NEAR_TO(errorIn(all, RowKind::Kernel, "a.c:41"), 3e-5 / 1.5e-5 - 1, relative(1e-9));
  EXPECT_NEAR_TO(errorIn(all, RowKind::Kernel, "a.c:60"), 2e-6 / 4e-6 - 1, relative(1e-9));
  EXPECT_NEAR_TO(errorIn(all, RowKind::Kernels, "all"), 6.2e-5 / 3.4e-5 - 1, relative(1e-9));
  // 1000 B: 1 us + 1 us by the line, 2 and 4 us as it ran.
  EXPECT_NEAR_TO(errorIn(all, RowKind::Transfer, "h2d"), 2.0 / 3 - 1, relative(1e-9));
  EXPECT_NEAR_TO(errorIn(all, RowKind::Transfer, "d2h"), 2.0 / 4 - 1, relative(1e-9));
  EXPECT_NEAR_TO(errorIn(all, RowKind::Copies, "d2h"), 2.0 / 4 - 1, relative(1e-9));
  // 10 us beside the plan, under each strategy.
  EXPECT_NEAR_TO(errorIn(all, RowKind::Plan, "all"), 6e-5 / 5e-5 - 1, relative(1e-9));
  EXPECT_NEAR_TO(errorIn(all, RowKind::Plan, "all", "streams"), 5e-5 / 5e-5 - 1 + 1e-300,
                 busfare::test::absolute(1e-9));
  EXPECT_TRUE(std::isnan(errorIn(all, RowKind::Plan, "all", "mapped")));
  EXPECT_NE(
      std::find(all.notes.begin(), all.notes.end(), "a, mapped: a.c:9:main has no price by this strategy: read again"),
      all.notes.end());
  EXPECT_NEAR_TO(errorIn(all, RowKind::Host, "a.c:9:main", "host"), 1e-4 / 2e-4 - 1, relative(1e-9));
  // Measured 200 over 50 us, projected 100 over 60.
  EXPECT_NEAR_TO(errorIn(all, RowKind::Speedup, "over host"), (100.0 / 60) / 4 - 1, relative(1e-9));
}

TEST(Compare, KernelsThatCannotBeToldApartAreOnlyAddedUp) {
  ProjectedProgram one = projected();
  one.kernels.pop_back();
  Comparison all = compare("a", one, lineOf(1e-6, 1e9), HostMemory::Pageable, {{"explicit", run()}}, {});
  EXPECT_TRUE(std::isnan(errorIn(all, RowKind::Kernel, "a.c:41")));
  EXPECT_NEAR_TO(errorIn(all, RowKind::Kernels, "all"), 6e-5 / 3.4e-5 - 1, relative(1e-9));
  ASSERT_FALSE(all.notes.empty());
  EXPECT_EQ(all.notes[0],
            "a, explicit: 2 kernels ran, 1 are projected: they cannot be told apart, only their sum is compared");
  // A plan that keeps one on the host has a port with the other alone.
  ProjectedProgram kept = projected();
  kept.kernels[1].onDevice = false;
  TimedRun first = run();
  first.kernels.pop_back();
  Comparison some = compare("a", kept, lineOf(1e-6, 1e9), HostMemory::Pageable, {{"explicit", first}}, {});
  EXPECT_NEAR_TO(errorIn(some, RowKind::Kernel, "a.c:41"), 1.0, relative(1e-9));
}

TEST(Compare, SpreadIsOfLogarithms) {
  std::vector<ErrorRow> rows(3);
  for (size_t i = 0; i < 3; ++i) rows[i].kind = RowKind::Kernel, rows[i].measured = 1;
  rows[0].projected = std::exp(0.3), rows[1].projected = std::exp(-0.3), rows[2].projected = 1;
  Spread spread = spreadOf(rows, RowKind::Kernel);
  EXPECT_EQ(spread.samples, 3u);
  EXPECT_NEAR_TO(spread.deviation, 0.3 * std::sqrt(2.0 / 3), relative(1e-12));
  EXPECT_EQ(spreadOf(rows, RowKind::Host).samples, 0u);
  // They go into a machine file, and nothing else of it changes.
  auto base = busfare::projection::toJson(llvm::cantFail(busfare::projection::loadMachine("fx5600-pcie1")));
  Comparison all{rows, {}};
  std::vector<std::string> changed;
  std::string text = llvm::cantFail(withErrors(llvm::formatv("{0}", base).str(), "m.json", all, changed));
  EXPECT_EQ(changed, std::vector<std::string>{"errors.kernel"});
  auto machine = llvm::cantFail(busfare::projection::parseMachine(text, "m.json"));
  EXPECT_NEAR_TO(machine.errors.kernel.value, spread.deviation, relative(1e-12));
  EXPECT_EQ(machine.errors.kernel.kind, busfare::projection::SourceKind::Measured);
  EXPECT_EQ(machine.errors.cpu.kind, busfare::projection::SourceKind::Assumed);
  auto after = busfare::projection::toJson(machine);
  for (const char *part : {"host", "link", "gpu"})
    EXPECT_EQ(*after.getAsObject()->get(part), *base.getAsObject()->get(part)) << part;
}

TEST(Compare, TextsOfARow) {
  Comparison one;
  one.rows.push_back({"a,b", "explicit", RowKind::Transfer, "h2d", 2, 1000, 3e-6, 2e-6});
  one.rows.push_back({"a,b", "explicit", RowKind::Speedup, "over host", 1, 0, 4, 2});
  one.notes.push_back("a note");
  std::string csv, table, plot;
  llvm::raw_string_ostream csvText(csv), tableText(table), plotText(plot);
  writeCsv(one, csvText);
  writeTable(one, tableText);
  writePlot(one, plotText);
  EXPECT_EQ(csv, "program,variant,kind,what,count,bytes,measured,projected,error_percent\n"
                 "\"a,b\",explicit,transfer,h2d,2,1000,3e-06,2e-06,-33.3\n"
                 "\"a,b\",explicit,speedup,over host,1,,4,2,-50.0\n");
  EXPECT_NE(table.find("h2d 1000 B"), std::string::npos) << table;
  EXPECT_NE(table.find("4.00x"), std::string::npos) << table;
  EXPECT_NE(table.find("- a note.\n"), std::string::npos) << table;
  EXPECT_NE(plot.find("<title>a,b explicit h2d: -33.3 %</title>"), std::string::npos) << plot;
  EXPECT_EQ(plot.find("over host"), std::string::npos) << "a speedup has no seconds";
}

} // namespace
