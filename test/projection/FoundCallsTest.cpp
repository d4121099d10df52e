//===- test/projection/FoundCallsTest.cpp - Messages and library calls of programs ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Skeleton text in, the report's messages and library calls out: sizes, counts, which
// arrays live on the device, prices of the models. Prices are the models' own
// (MessagesTest, BlasTest); here is whether the right ones are asked.
//
//===----------------------------------------------------------------------===//

#include "projection/FoundCalls.h"
#include "Near.h"
#include "projection/LibraryWork.h"
#include "projection/Project.h"
#include "projection/report/Writers.h"
#include "skeleton/Parse.h"
#include "skeleton/Verify.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace busfare;
using namespace busfare::projection;
using busfare::test::relative;

namespace {

const char *halo = R"(skeleton 1
unit "halo.c"
function exchange(param m, array w) at 1:1 {
  array w : f64[m] parameter
  host message "MPI_Send" send bytes 8*m type "MPI_DOUBLE" at 2:3 { may read w[? in 0 .. m - 1] }
  host message "MPI_Recv" receive bytes 8*m type "MPI_DOUBLE" at 3:3 { may write w[? in 0 .. m - 1] }
}
function main(param n, param steps) at 5:1 {
  array u : f64[n] local
  array s : f64 local
  for i = 0 .. n - 1 at 6:3 { ops fp64.add 10 write u[i] }
  for t = 0 .. steps - 1 at 7:3 {
    call exchange(16, &u) at 8:5
    for j = 0 .. n - 1 at 9:5 { read u[j] ops fp64.fma 40 write u[j] }
    host message "MPI_Bcast" broadcast bytes ? type "column" at 10:5 { may read s may write s }
  }
  host message "MPI_Wait" wait at 11:3
  host io "printf" at 12:3 { may read u[?] }
}
)";

Report reportOf(llvm::StringRef text, std::vector<Machine> machines,
                std::vector<std::pair<std::string, int64_t>> parameters) {
  skeleton::Program program = llvm::cantFail(skeleton::parse(text, "t.skel"));
  llvm::cantFail(skeleton::verify(program));
  ProjectOptions options;
  options.machines = std::move(machines);
  options.parameters = std::move(parameters);
  return llvm::cantFail(project(program, options));
}

Machine machine(llvm::StringRef name) { return llvm::cantFail(loadMachine(name)); }

TEST(FoundCalls, MessagesWithSizesCountsAndPlaces) {
  Machine summit = machine("summit-v100-nvlink2");
  Report report = reportOf(halo, {summit}, {{"n", 1 << 20}, {"steps", 50}});
  ASSERT_EQ(report.messages.size(), 3u) << "a wait is none";
  const MessageReport &send = report.messages[0], &receive = report.messages[1], &broadcast = report.messages[2];
  EXPECT_EQ(send.call, "MPI_Send");
  EXPECT_EQ(send.kind, "send");
  EXPECT_EQ(send.function, "exchange");
  EXPECT_EQ(send.formula, "128");
  EXPECT_EQ(send.bytes, 128);
  EXPECT_EQ(send.count, 50);
  EXPECT_TRUE(send.counted);
  EXPECT_TRUE(send.inTimeLoop);
  ASSERT_EQ(send.arrays.size(), 1u);
  EXPECT_EQ(send.arrays[0].name, "u");
  EXPECT_EQ(send.arrays[0].use, "read");
  EXPECT_TRUE(send.arrays[0].onDevice);
  ASSERT_EQ(report.regions.size(), 1u);
  EXPECT_EQ(send.region, report.regions[0].id);
  ASSERT_EQ(send.prices.size(), 2u);
  EXPECT_EQ(send.prices[0].single, singleTime(*summit.network, PutOrGet::Put, Initiator::Host, 128));
  EXPECT_EQ(send.prices[1].initiator, "device");
  EXPECT_EQ(send.prices[1].single, singleTime(*summit.network, PutOrGet::Put, Initiator::Device, 128));
  EXPECT_FALSE(receive.counted) << "its send is";
  EXPECT_EQ(broadcast.formula, "");
  EXPECT_FALSE(broadcast.bytes);
  EXPECT_TRUE(broadcast.prices.empty());
  std::vector<CountedMessage> counted = countedMessages(report.messages);
  ASSERT_EQ(counted.size(), 1u) << "no receive, nothing of unknown size";
  EXPECT_EQ(counted[0].count, 50);
}

TEST(FoundCalls, WithoutANetworkThereAreNoPrices) {
  Report report = reportOf(halo, {machine("a100-pcie4")}, {{"n", 1 << 20}, {"steps", 50}});
  ASSERT_EQ(report.messages.size(), 3u);
  EXPECT_TRUE(report.messages[0].prices.empty());
  std::string text;
  llvm::raw_string_ostream os(text);
  writeText(report, os);
  EXPECT_NE(text.find("Messages between processes"), std::string::npos);
  EXPECT_NE(text.find("part network"), std::string::npos);
  for (llvm::StringRef rest = text; !rest.empty(); rest = rest.split('\n').second)
    EXPECT_LE(rest.split('\n').first.size(), 80u) << rest.split('\n').first.str();
}

TEST(FoundCalls, AdviceIsAboutBuffersOnTheDevice) {
  Machine summit = machine("summit-v100-nvlink2");
  Report report = reportOf(halo, {summit}, {{"n", 1 << 20}, {"steps", 50}});
  WholePort port;
  std::vector<std::string> advice = adviceOn(*summit.network, port, report.messages);
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_NE(advice[0].find("halo.c:2"), std::string::npos);
  EXPECT_NE(advice[0].find("let the device start it"), std::string::npos) << "2.0 + 5 us against 6.3 us";
  port.launch = 2e-6;
  advice = adviceOn(*summit.network, port, report.messages);
  EXPECT_EQ(advice[0].find("let the device start it"), std::string::npos);
  for (CallArrayReport &array : report.messages[0].arrays) array.onDevice = false;
  EXPECT_TRUE(adviceOn(*summit.network, port, report.messages).empty());
}

const char *gemm = R"(skeleton 1
unit "gemm.c"
function main(param n) at 1:1 {
  array a : f64[n*n] local
  array b : f64[n*n] local
  array c : f64[n*n] local
  for i = 0 .. n*n - 1 at 2:3 { ops fp64.special 20 write a[i] }
  for j = 0 .. n*n - 1 at 3:3 { ops fp64.special 20 write b[j] }
  host library "cblas_dgemm" blas dgemm(m = n, n = n, k = n) on (A = a, B = b, C = c) overwrites at 4:3 {
    may read a[? in 0 .. n*n - 1] may read b[? in 0 .. n*n - 1] may write c[? in 0 .. n*n - 1]
  }
  host library "cblas_drotg" at 5:3
  host library "cblas_dtrsm" blas dtrsm(m = n, n = ?) on (B = c) at 6:3 { may write c[?] }
}
)";

TEST(FoundCalls, LibraryCallsWithTilesAndOperands) {
  Machine v100 = machine("v100-pcie3");
  Report report = reportOf(gemm, {v100}, {{"n", 8192}});
  ASSERT_EQ(report.libraryCalls.size(), 2u) << "one without a routine is only a host statement";
  const LibraryCallReport &call = report.libraryCalls[0];
  EXPECT_EQ(call.routine, "dgemm");
  EXPECT_EQ(call.count, 1);
  EXPECT_EQ(call.flops, 2.0 * 8192 * 8192 * 8192);
  EXPECT_EQ(call.bytes, 4.0 * 8192 * 8192 * 8);
  ASSERT_EQ(call.dimensions.size(), 3u);
  EXPECT_EQ(call.dimensions[0].formula, "n");
  EXPECT_EQ(call.dimensions[0].value, 8192);
  ASSERT_EQ(call.prices.size(), 1u);
  const LibraryPriceReport &price = call.prices[0];
  ASSERT_TRUE(price.offload);
  EXPECT_EQ(price.equation, "queues");
  EXPECT_FALSE(price.measuredTiles);
  EXPECT_GT(price.host, *call.flops / 1e14);
  // The same question to the calculator.
  std::vector<std::string> resident;
  for (const CallArrayReport &array : call.arrays)
    if (array.onDevice) resident.push_back(array.operand);
  BlasAnswer answer =
      llvm::cantFail(selectTile(llvm::cantFail(blasCall("dgemm", 8192, 8192, 8192, resident, 0)), v100));
  EXPECT_EQ(*price.offload, *answer.tiles[*answer.selected].pipeline);
  EXPECT_EQ(*price.tile, answer.tiles[*answer.selected].tile);
  EXPECT_TRUE(report.libraryCalls[1].prices.empty()) << "n is not known";
}

TEST(FoundCalls, MeasuredTilesOfTheMachineAreTaken) {
  Machine v100 = machine("v100-pcie3");
  v100.tiles.push_back({"dgemm", SourceKind::Measured, "a run", {{1024, 5e-4}, {2048, 2.5e-3}}});
  Report report = reportOf(gemm, {v100}, {{"n", 8192}});
  const LibraryPriceReport &price = report.libraryCalls[0].prices[0];
  EXPECT_TRUE(price.measuredTiles);
  EXPECT_TRUE(*price.tile == 1024 || *price.tile == 2048);
  // Too large for this problem: as if there were none.
  Report small = reportOf(gemm, {v100}, {{"n", 512}});
  EXPECT_FALSE(small.libraryCalls[0].prices[0].measuredTiles);
}

TEST(FoundCalls, FlopsOfRoutines) {
  auto flops = [](const char *routine, LibrarySizes sizes) { return libraryWork(routine, sizes).flops; };
  EXPECT_EQ(flops("dgemm", {2, 3, 5}), 60);
  EXPECT_EQ(flops("zgemm", {2, 3, 5}), 240) << "four real products and sums each";
  EXPECT_EQ(flops("saxpy", {{}, 7, {}}), 14);
  EXPECT_EQ(flops("dgemv", {2, 3, {}}), 12);
  EXPECT_EQ(flops("dsyrk", {{}, 3, 5}), 60) << "one triangle";
  EXPECT_EQ(flops("dtrsm", {2, 3, {}}), 12);
  EXPECT_EQ(flops("dgemm", {2, 3, {}}), std::nullopt);
  EXPECT_EQ(flops("drot", {2, 7, {}}), std::nullopt);
  EXPECT_EQ(libraryWork("daxpy", {{}, 7, {}}).bytes, 3 * 7 * 8);
  EXPECT_EQ(libraryWork("cgemv", {2, 3, {}}).bytes, (6 + 3 + 4) * 8);
}

/// A product between two kernels stays on the host: its time is on both sides of the region's speedup.
TEST(FoundCalls, LibraryCallsAreInTheSpeedups) {
  Machine v100 = machine("v100-pcie3");
  auto textWith = [](llvm::StringRef call) {
    return R"(skeleton 1
unit "gemm.c"
function main(param n) at 1:1 {
  array a : f64[n*n] local
  array c : f64[n*n] local
  for i = 0 .. n*n - 1 at 2:3 { ops fp64.special 20 write a[i] }
  )" + call.str() +
           R"(
  for j = 0 .. n*n - 1 at 9:3 { read c[j] ops fp64.special 20 write c[j] }
}
)";
  };
  const char *product =
      "host library \"cblas_dgemm\" blas dgemm(m = n, n = n, k = n) on (A = a, B = a, C = c) overwrites at 4:3 "
      "{ may read a[? in 0 .. n*n - 1] may write c[? in 0 .. n*n - 1] }";
  const char *unknown =
      "host library \"cblas_dgemm\" blas dgemm(m = n, n = n, k = ?) on (A = a, B = a, C = c) overwrites at 4:3 "
      "{ may read a[? in 0 .. n*n - 1] may write c[? in 0 .. n*n - 1] }";
  Report with = reportOf(textWith(product), {v100}, {{"n", 2048}}),
         without = reportOf(textWith(unknown), {v100}, {{"n", 2048}});
  double time = libraryTime("dgemm", libraryWork("dgemm", {2048, 2048, 2048}), v100.host);
  EXPECT_NEAR_TO(time, 2.0 * 2048 * 2048 * 2048 / (10 * 2.2e9 * 2 * 4 * 2), relative(1e-12))
      << "ten cores of two pipes of four fused operations";
  EXPECT_NEAR_TO(with.program.libraries, time, relative(1e-12));
  EXPECT_EQ(without.program.libraries, 0) << "a size that is not known costs nothing that is known";
  const TimeReport &here = with.regions.at(0).on.at(0).second.time, &there = without.regions.at(0).on.at(0).second.time;
  EXPECT_GT(here.cpu, there.cpu + 0.9 * time);
  EXPECT_GT(here.host, 0.9 * time);
  EXPECT_GT(here.total, there.total + 0.9 * time - there.host);
  EXPECT_LT(with.regions[0].on[0].second.speedup.with.value, without.regions[0].on[0].second.speedup.with.value);
}

/// Its rounds, among as many processes as are said.
TEST(FoundCalls, CollectivesTakeTheirRounds) {
  const char *text = R"(skeleton 1
unit "sum.c"
function main(param n) at 1:1 {
  array u : f64[n] local
  for i = 0 .. n - 1 at 2:3 { ops fp64.special 20 write u[i] }
  host message "MPI_Allreduce" allreduce bytes 8 type "MPI_DOUBLE" at 3:3 { may read u[? in 0 .. 0] may write u[? in 0 .. 0] }
}
)";
  Machine summit = machine("summit-v100-nvlink2");
  Report assumed = reportOf(text, {summit}, {{"n", 1 << 20}});
  ASSERT_EQ(assumed.messages.size(), 1u);
  EXPECT_EQ(assumed.messages[0].processes, assumedProcesses);
  EXPECT_TRUE(assumed.messages[0].processesAssumed);
  skeleton::Program program = llvm::cantFail(skeleton::parse(text, "t.skel"));
  ProjectOptions options;
  options.machines = {summit};
  options.parameters = {{"n", 1 << 20}};
  options.processes = 1024;
  Report said = llvm::cantFail(project(program, options));
  const MessageReport &sum = said.messages[0];
  EXPECT_FALSE(sum.processesAssumed);
  EXPECT_EQ(sum.processes, 1024u);
  ASSERT_EQ(sum.prices.size(), 2u);
  EXPECT_EQ(sum.prices[0].algorithm, "recursive doubling");
  EXPECT_EQ(sum.prices[0].messages, 10);
  EXPECT_NEAR_TO(sum.prices[0].single, 10 * singleTime(*summit.network, PutOrGet::Put, Initiator::Host, 8),
                 relative(1e-12));
  EXPECT_FALSE(sum.prices[0].pipelined) << "rounds wait for each other";
  std::vector<CountedMessage> counted = countedMessages(said.messages);
  ASSERT_EQ(counted.size(), 1u);
  EXPECT_EQ(counted[0].collective, skeleton::MessageKind::AllReduce);
  EXPECT_EQ(counted[0].processes, 1024u);
}

/// How often a function runs that main only reaches through code that is not followed, nobody knows.
TEST(FoundCalls, FunctionsThatNoRootCalls) {
  Report report = reportOf(R"(skeleton 1
unit "a.c"
function left(param n, array w) at 1:1 {
  array w : f64[n] parameter
  for i = 0 .. 9 at 2:3 { host message "MPI_Send" send bytes 8*n at 3:3 { may read w[? in 0 .. n - 1] } }
}
function main() at 5:1 { host opaque "run" at 6:3 }
)",
                           {machine("summit-v100-nvlink2")}, {});
  ASSERT_EQ(report.messages.size(), 1u);
  EXPECT_FALSE(report.messages[0].isReached);
  EXPECT_EQ(report.messages[0].count, 10) << "for each call";
  EXPECT_TRUE(countedMessages(report.messages).empty());
}

TEST(FoundCalls, JsonHasThem) {
  Report report = reportOf(halo, {machine("summit-v100-nvlink2")}, {{"n", 1 << 20}, {"steps", 50}});
  std::string text;
  llvm::raw_string_ostream os(text);
  writeJson(report, os);
  llvm::json::Value value = llvm::cantFail(llvm::json::parse(text));
  const llvm::json::Array &messages = *value.getAsObject()->getArray("messages");
  ASSERT_EQ(messages.size(), 3u);
  const llvm::json::Object &send = *messages[0].getAsObject();
  EXPECT_EQ(send.getNumber("bytes"), 128.0);
  EXPECT_EQ(send.getNumber("count"), 50.0);
  EXPECT_EQ(send.getArray("prices")->size(), 2u);
  EXPECT_NE(messages[2].getAsObject()->get("bytes")->getAsNull(), std::nullopt);
  EXPECT_TRUE(value.getAsObject()->getArray("library_calls")->empty());
}

} // namespace
