//===- test/projection/ReportSample.h - One report with everything in it --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A hand-made Report that uses every field, for the writers' tests. The figures
// fit together (parts sum to totals) but come from no model.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_PROJECTION_REPORTSAMPLE_H
#define BUSFARE_TEST_PROJECTION_REPORTSAMPLE_H

#include "projection/report/Report.h"

namespace busfare::projection::test {

inline DirectionReport crossing(std::string section, std::string formula, uint64_t bytes, skeleton::Location because,
                                std::vector<std::array<std::string, 3>> box, bool exact = true) {
  CrossingReport one;
  one.section = section;
  one.boxes = {box};
  one.formula = formula;
  one.bytes = bytes;
  one.movedBytes = bytes;
  one.exact = exact;
  one.at = {because.file, because.line - 2, 3};
  one.because = because;
  DirectionReport all;
  all.bytes = bytes;
  all.movedBytes = bytes;
  all.exact = exact;
  all.section = section;
  all.formula = formula;
  all.because = because;
  all.crossings = {one};
  return all;
}

inline MachineAnswer answerOn(double scale) {
  MachineAnswer answer;
  answer.time.cpu = 0.0613;
  answer.time.cpuAllCores = 0.0049;
  answer.time.cpuLimitedBy = "memory bandwidth";
  answer.time.threads = 1;
  answer.time.cores = 64;
  answer.time.kernel = 0.00123 * scale;
  answer.time.h2d = 0.00034 * scale;
  answer.time.d2h = 0.00035 * scale;
  answer.time.host = 0.00002;
  answer.time.startup = 0.12;
  PlanReport &plan = answer.plan;
  plan.strategy = "streams";
  plan.streams = 8;
  plan.because = "equation (5): 2 copy engines";
  plan.equation = "5";
  plan.explicitTime = plan.zeroOverlap = answer.time.kernel + answer.time.h2d + answer.time.d2h;
  plan.fullOverlap = answer.time.kernel;
  plan.time = answer.time.kernel + 0.0001 * scale;
  plan.alternatives = {{"explicit", 1, plan.explicitTime, ""},
                       {"mapped", 1, 0.002 * scale, ""},
                       {"hybrid", 1, 0, "an array is read and written"}};
  plan.pinning = 0.0042;
  plan.savedByPinning = 0.0004 * scale;
  answer.time.total = plan.time + answer.time.host;
  answer.speedup.withExplicit = 0.0049 / (plan.explicitTime + answer.time.host);
  answer.speedup.with = {0.0049 / answer.time.total, 0.0049 / answer.time.total * 0.7,
                         0.0049 / answer.time.total * 1.5};
  answer.speedup.kernelOnly = 0.0049 / answer.time.kernel;
  answer.speedup.asWritten = 0.0613 / answer.time.total;
  answer.iterations.count = 100;
  answer.iterations.breakEven = scale > 1 ? std::optional<uint64_t>() : 38;
  answer.iterations.limitSpeedup = answer.speedup.kernelOnly;
  answer.iterations.loop = "t at line 14";
  answer.sizeBreakEven = {{"n", 0.31, 318}};
  answer.runs = 40;
  answer.startupAdded = answer.time.startup;
  answer.gain = {40 * (0.0049 - answer.time.total) - 0.12, 40 * (0.0049 * 0.7 - answer.time.total) - 0.12,
                 40 * (0.0049 * 1.5 - answer.time.total) - 0.12};
  answer.paysOff = {{"n", {{318, 4096}, {5000, std::nullopt}}}, {"iterations", {}}};
  if (answer.iterations.breakEven) answer.paysOff.back().intervals = {{38, std::nullopt}};
  answer.asDescribed = answer.time.total * 1.25;
  MixReport kept;
  kept.kind = "kernels-on-host";
  kept.places = {{"jacobi.c", 22, 5}};
  kept.because = {"next"};
  kept.time = answer.time.total;
  kept.arrays = {{"u", 8388608, 8380416}};
  kept.isPlan = kept.emitted = true;
  kept.flipsAt = SizeBreakEven{"n", 3.5, 3584};
  MixReport moved = kept;
  moved.kind = "statements-on-device";
  moved.places = {{"jacobi.c", 18, 7}, {"border.h", 4, 3}};
  moved.calls = {{"border.h", 4, 3}};
  moved.time = answer.time.total * 2;
  moved.isPlan = moved.emitted = false;
  moved.flipsAt.reset();
  answer.mixes = {kept, moved};
  answer.fits = true;
  answer.verdict = scale > 1 ? Verdict::Measure : Verdict::Port;
  answer.why = scale > 1 ? "The interval holds both sides of 1." : "The whole interval is above 1.";
  answer.flip = "n = 1024 is assumed: at n = 64 it is 0.31x (keep), at n = 16384 it is 5.2x (port).";

  KernelReport sweep;
  sweep.id = "jacobi.c:15";
  sweep.location = {"jacobi.c", 15, 5};
  sweep.function = "step";
  sweep.context = {"simulate (jacobi.c:40)", "step (jacobi.c:31)"};
  sweep.launches = 100;
  sweep.parallelLoops = {{15, "i"}, {16, "j"}};
  sweep.time = 0.0000083 * scale;
  sweep.timeLow = sweep.time * 0.8;
  sweep.timeHigh = sweep.time * 1.3;
  sweep.limitedBy = "dram";
  sweep.flops = 4178944;
  sweep.dramBytes = 16777216;
  sweep.blockThreads = 256;
  sweep.occupancy = 0.75;
  sweep.threadIndex = "j";
  KernelReport norm = sweep;
  norm.id = "jacobi.c:22";
  norm.location.line = 22;
  norm.parallelLoops = {{22, "k"}};
  norm.context.clear();
  norm.launches = 100;
  norm.time = 0.000004 * scale;
  norm.limitedBy = "launch";
  norm.threadIndex = "k";
  norm.coalesced = false;
  answer.kernels = {sweep, norm};
  return answer;
}

inline Report reportSample() {
  Report report;
  report.version = "0.1.0";
  report.machines = {{"a100-pcie4", "EPYC 7742, PCIe 4.0 x16, A100 40 GB", ""}, {"lab", "", "machines/lab.json"}};

  RegionReport region;
  region.id = "jacobi.c:14:simulate";
  region.fingerprint = "6f1d0c2a";
  region.location = {"jacobi.c", 14, 3};
  region.function = "simulate";

  ArrayReport u{
      "u",
      8,
      false,
      crossing("[0:n-1:1][0:n-1:1]", "8*n*n", 8388608, {"jacobi.c", 17, 20}, {{"0", "n-1", "1"}, {"0", "n-1", "1"}}),
      crossing("[1:n-2:1][1:n-2:1]", "8*(n-2)*(n-2)", 8355872, {"jacobi.c", 17, 9},
               {{"1", "n-2", "1"}, {"1", "n-2", "1"}}),
      8388608};
  u.d2h->movedBytes = u.d2h->crossings[0].movedBytes = 8372224;
  u.d2h->copies = u.d2h->crossings[0].copies = 1022;
  ArrayReport v{"v", 8, true, {}, {}, 8388608};
  ArrayReport edge{"this->boundary.values",
                   4,
                   false,
                   crossing("[0:n-1:1]", "4*n", 4096, {"boundary.h", 81, 7}, {{"0", "n-1", "1"}}, false),
                   {},
                   4096};
  edge.h2d->count = edge.h2d->crossings[0].count = 100;
  region.arrays = {edge, u, v};
  region.chunks = {
      "i",
      {"jacobi.c", 15, 5},
      "[i-2:i:1]",
      "[i:i:1]",
      "",
      {{"u", "chunks", "chunks", "[i.first-1:i.last+1:1][0:n-1:1]", "", "[i.first-1:i.first:1][0:n-1:1]",
        "[i.first+1:i.last+1:1][0:n-1:1]", "[i.first:i.last:1][1:n-2:1]", ""},
       {"this->boundary.values", "whole", "none", "", "", "", "", "", "every chunk needs the same of it"}}};
  region.scalars = {{"h", "h2d", 8}, {"residual", "both", 8}};
  region.h2dBytes = 8388608 + 4096 * 100;
  region.d2hBytes = 8355872;
  region.deviceBytes = 2 * 8388608 + 4096;
  region.parameters = {{"simulate::n", {1024, ParameterSource::Assumed}},
                       {"simulate::steps", {100, ParameterSource::CommandLine}}};
  region.assumptions = {"n = 1024 (nothing binds it): bytes grow as 8*n*n",
                        "noalias(u,v): two pointer parameters of simulate"};
  region.hostStatements = {{{"jacobi.c", 24, 5}, "printf"}};
  region.on = {{"a100-pcie4", answerOn(1)}, {"lab", answerOn(2.4)}};
  region.commonBaseline = 0.0049;
  report.regions = {region};

  report.program = {"jacobi.c", {1.9, 1.3, 2.4}, 0.71, 0.0863};
  report.programs = {report.program};
  report.commonHost = "a100-pcie4";
  LoopReport time;
  time.location = {"jacobi.c", 14, 3};
  time.function = "simulate";
  time.index = "t";
  time.holdsParallel = true;
  time.reason = "u[i][j] -> u[i-1][j]: u[1][1] written at t = 0, read at t = 1";
  time.dependences = {{"flow", "u", "u[1][1] at t = 0, then t = 1", {"jacobi.c", 17, 9}, {"jacobi.c", 17, 20}}};
  LoopReport rows = time;
  rows.location.line = 15;
  rows.index = "i";
  rows.depth = 1;
  rows.holdsParallel = false;
  rows.parallel = true;
  rows.needs = {{"private", "t", ""}, {"reduction", "residual", "+"}};
  rows.assuming = {"noalias(u,v)"};
  rows.reason = "no element is touched by two iterations";
  rows.dependences.clear();
  LoopReport prefix = time;
  prefix.location.line = 51;
  prefix.function = "prefix";
  prefix.holdsParallel = false;
  prefix.index = "i";
  prefix.reason = "a[i] -> a[i-1], a[1] written at i = 1, read at i = 2";
  prefix.dependences = {{"flow", "a", "a[1] at i = 1, then i = 2", {"jacobi.c", 52, 5}, {"jacobi.c", 52, 12}}};
  report.loops = {time, rows, prefix};

  MessageReport send;
  send.location = {"jacobi.c", 26, 7};
  send.function = "exchange_boundary_rows";
  send.call = "MPI_Isend";
  send.count = 200;
  send.arrays = {{"u", "", "read", true}, {"counts", "", "both", false}};
  send.region = region.id;
  send.inTimeLoop = true;
  send.kind = "send";
  send.operation = "put";
  send.type = "MPI_DOUBLE";
  send.formula = "8*n";
  send.bytes = 8192;
  send.nonblocking = true;
  send.prices = {{"lab", "host", 3.913e-6, 8.19e-6}, {"lab", "device", 7.66e-6, std::nullopt}};
  MessageReport reduce = send;
  reduce.location.line = 60;
  reduce.call = "MPI_Allreduce";
  reduce.kind = "allreduce";
  reduce.collective = skeleton::MessageKind::AllReduce;
  reduce.processes = 16;
  reduce.processesAssumed = true;
  reduce.count = 0.5;
  reduce.region.clear();
  reduce.inTimeLoop = reduce.nonblocking = false;
  reduce.type = "pair_t";
  reduce.formula.clear();
  reduce.bytes.reset();
  reduce.prices.clear();
  reduce.arrays.clear();
  report.messages = {send, reduce};
  LibraryCallReport gemm;
  gemm.location = {"jacobi.c", 62, 3};
  gemm.function = "project";
  gemm.call = "cblas_dgemm";
  gemm.count = 3;
  gemm.arrays = {{"u", "A", "", true}, {"basis", "B", "", false}};
  gemm.routine = "dgemm";
  gemm.dimensions = {{"m", "n", 1024}, {"n", "n - 1", 1023}, {"k", "", std::nullopt}};
  gemm.flops = 2.145e9;
  gemm.bytes = 2.5e7;
  gemm.prices = {{"a100-pcie4", 0.0021, 0.0017, 512, "reuse", false},
                 {"lab", 0.0042, std::nullopt, std::nullopt, "", false}};
  report.libraryCalls = {gemm};

  report.findings = {{skeleton::Rule::AssumedSize,
                      skeleton::Level::Warning,
                      {"jacobi.c", 12, 19},
                      "nothing binds n: 1024 is assumed; give it with --param n=VALUE"},
                     {skeleton::Rule::NotParallel,
                      skeleton::Level::Remark,
                      {"jacobi.c", 51, 3},
                      "the loop over i is serial: a[i] -> a[i-1]"}};
  NestAnswer kernel{{"jacobi.c", 42, 3}, "sweep", "i", "kernel", 0.08, true, 0.8, Verdict::Port, {1.9, 1.3, 2.4},
                    "jacobi.c:40:main",  ""};
  NestAnswer alone{{"force.c", 9, 3},
                   "lj",
                   "k",
                   "alone",
                   0.5,
                   false,
                   0,
                   Verdict::Measure,
                   {1.1, 0.7, 1.6},
                   "force.c:9:lj",
                   "whether the call of s->force at jacobi.c:60:5 is one of lj is not known"};
  NestAnswer kept{{"jacobi.c", 50, 3},
                  "fill",
                  "i",
                  "kept",
                  0.02,
                  true,
                  0.2,
                  std::nullopt,
                  {1, 1, 1},
                  "",
                  "it fills memory where it is made"};
  report.nests = {alone, kernel, kept};
  report.unpriced = {{alone.location, "lj", alone.reason, "--function lj", 0.5, 0, false}};
  report.distinct = {{"main", {"p.a", "p.b"}, {}}};
  report.coverage = {1, 0, 3, 5, 5, 2, 1, {{"jacobi.c:70 solve", "recursive"}}};
  report.coverage.functionsLeftOut = 1;
  report.coverage.nestsTight = 1;
  report.coverage.nestsBounded = 2;
  report.coverage.nestsWithHostCode = 1;
  report.coverage.nestsWithVerdict = 2;
  NestReport exact, gather;
  exact.location = {"jacobi.c", 30, 3};
  exact.function = "solve";
  exact.hasVerdict = true;
  exact.verdict = "inner";
  gather = exact;
  gather.location.line = 51;
  gather.exact = gather.tight = false;
  gather.holdsHostCode = true;
  gather.verdict = "serial";
  gather.reasons = {{skeleton::Rule::IndirectSubscript, {"jacobi.c", 52, 5}}};
  report.coverage.nests = {exact, gather};
  NestReport inner = exact;
  inner.location.line = 53;
  report.coverage.innerNests = {inner};
  report.coverage.spoiledBy = {{skeleton::Rule::IndirectSubscript, 1, 1}};
  report.coverage.suggestions = {"BF001 keeps 1 of 2 nests from being exact; `busfare help BF001` says what helps"};
  report.nextCommands = {"busfare analyze jacobi.c --param n=VALUE",
                         "busfare analyze jacobi.c --iterations 1000 --machine lab"};
  return report;
}

/// Two programs with regions of every verdict: what a first screen is about.
inline Report treeSample() {
  Report report = reportSample();
  const RegionReport port = report.regions.front();
  RegionReport measure = port, keep = port;
  measure.id = "src/flux.c:12:main";
  measure.location = {"src/flux.c", 12, 3};
  measure.function = "main";
  for (auto &[machine, answer] : measure.on) {
    answer.verdict = Verdict::Measure;
    answer.gain = {0.012, -0.003, 0.031};
    answer.kernels.front().location = {"src/flux.c", 88, 5};
    answer.kernels.front().function = "riemann";
  }
  report.regions.push_back(measure);
  for (unsigned line : {5u, 6u, 7u, 8u}) {
    keep.id = "src/flux.c:" + std::to_string(line) + ":setup";
    keep.location = {"src/flux.c", line, 3};
    for (auto &[machine, answer] : keep.on) {
      answer.verdict = Verdict::Keep;
      answer.gain = {-0.25, -0.26, -0.24};
      answer.why = "the start-up decides; transfers take 91 % of the time on the device's side";
      answer.kernels.resize(1);
      answer.kernels.front().location = keep.location;
      answer.kernels.front().function = "setup";
    }
    report.regions.push_back(keep);
  }
  report.programs.push_back({"src/flux.c", {1, 1, 1}, 0, 0.31});
  return report;
}

} // namespace busfare::projection::test

#endif
