//===- test/projection/TraceTest.cpp - AHEAD: traces in, transfers elsewhere out ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Databases are made here, row by row, so that every sum can be worked out by hand.
// What the command does with whole files is in test/lit/cli/trace.test.
//
//===----------------------------------------------------------------------===//

#include "Near.h"
#include "projection/CopyModels.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <random>
#include <sqlite3.h>

using namespace busfare::projection;
using busfare::test::absolute;
using busfare::test::relative;

namespace {

/// A database file that is gone at the end.
class Database {
public:
  explicit Database(const std::string &sql) {
    llvm::SmallString<128> name;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("busfare-trace", "sqlite", name));
    path = name.str().str();
    sqlite3 *database = nullptr;
    EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    char *message = nullptr;
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << (message ? message : "");
    sqlite3_free(message);
    sqlite3_close(database);
  }
  ~Database() { llvm::sys::fs::remove(path); }
  std::string path;
};

const char *const nsysCopies =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,"
    " correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER, srcKind INTEGER, dstKind INTEGER);";
const char *const nvprofCopies =
    "CREATE TABLE StringTable (_id_ INTEGER PRIMARY KEY, value TEXT);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (_id_ INTEGER PRIMARY KEY, copyKind INT, srcKind INT, dstKind INT, flags INT,"
    " bytes INT, start INT, end INT, deviceId INT, contextId INT, streamId INT, correlationId INT, runtimeCorrelationId INT);";
const char *const kernels =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER);";

std::vector<TraceOperation> read(const std::string &sql, TraceSource *source = nullptr) {
  Database database(sql);
  std::vector<TraceOperation> operations;
  llvm::Expected<TraceSource> result =
      readTrace(database.path, [&](const TraceOperation &operation) { operations.push_back(operation); });
  if (!result) ADD_FAILURE() << llvm::toString(result.takeError());
  else if (source) *source = *result;
  return operations;
}

/// The message behind the file's name.
std::string errorOf(const std::string &sql) {
  Database database(sql);
  llvm::Expected<TraceSource> result = readTrace(database.path, [](const TraceOperation &) {});
  if (result) return "none";
  std::string message = llvm::toString(result.takeError());
  EXPECT_EQ(message.substr(0, database.path.size() + 2), database.path + ": ");
  return message.substr(database.path.size() + 2);
}

TEST(Trace, MemoryKindsOfBothLayouts) {
  // nsys numbers memory from pageable = 0, CUPTI and with it nvprof from unknown = 0.
  auto ours = read(
      std::string(nsysCopies) +
      "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES"
      " (10, 20, 0, 1, 7, 1, 0, 100, 1, 0, 2), (30, 40, 0, 1, 7, 2, 0, 100, 2, 2, 1), (50, 60, 0, 1, 8, 3, 0, 100, 1, 4, 2),"
      " (70, 80, 0, 1, 8, 4, 0, 100, 8, 2, 2), (90, 95, 0, 1, 8, 5, 0, 8, 1, 0, 5), (96, 99, 0, 1, 8, 6, 0, 8, 11, 7, 2);");
  TraceSource source;
  auto theirs = read(std::string(nvprofCopies) +
                         "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES"
                         " (1, 1, 1, 3, 0, 100, 10, 20, 0, 1, 7, 1, 0), (2, 2, 3, 2, 0, 100, 30, 40, 0, 1, 7, 2, 0),"
                         " (3, 1, 5, 3, 0, 100, 50, 60, 0, 1, 8, 3, 0), (4, 8, 3, 3, 0, 100, 70, 80, 0, 1, 8, 4, 0),"
                         " (5, 1, 1, 6, 0, 8, 90, 95, 0, 1, 8, 5, 0), (6, 1, 5, 3, 0, 8, 96, 99, 0, 1, 8, 6, 0);",
                     &source);
  EXPECT_EQ(source.layout, "nvprof");
  EXPECT_EQ(source.streams, 2u);
  ASSERT_EQ(ours.size(), 6u);
  ASSERT_EQ(theirs.size(), 6u);
  const TraceMemory memory[] = {TraceMemory::Pageable, TraceMemory::Pinned,   TraceMemory::Managed,
                                TraceMemory::Unknown,  TraceMemory::Pageable, TraceMemory::Managed};
  const TraceKind kinds[] = {TraceKind::ToDevice, TraceKind::ToHost,   TraceKind::ToDevice,
                             TraceKind::OnDevice, TraceKind::ToDevice, TraceKind::ToDevice};
  for (size_t i = 0; i < 6; ++i)
    for (const TraceOperation &operation : {ours[i], theirs[i]}) {
      EXPECT_EQ(operation.memory, memory[i]) << i;
      EXPECT_EQ(operation.kind, kinds[i]) << i;
      EXPECT_EQ(operation.symbol, i == 4) << i;
      EXPECT_EQ(operation.stream, i < 2 ? 0u : 1u) << i;
    }
}

TEST(Trace, TheFilesOwnEnumerationsCount) {
  auto operations = read(std::string(nsysCopies) +
                         "CREATE TABLE ENUM_CUDA_MEM_KIND (id INTEGER, name TEXT, label TEXT);"
                         "INSERT INTO ENUM_CUDA_MEM_KIND VALUES (9, 'CUDA_MEMOPR_MEMORY_KIND_PINNED', 'Pinned');"
                         "CREATE TABLE ENUM_CUDA_MEMCPY_OPER (id INTEGER, name TEXT, label TEXT);"
                         "INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES (77, 'CUDA_MEMCPY_KIND_DTOH', 'Device-to-Host');"
                         "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (10, 20, 0, 1, 7, 1, 0, 100, 77, 2, 9);");
  ASSERT_EQ(operations.size(), 1u);
  EXPECT_EQ(operations[0].kind, TraceKind::ToHost);
  EXPECT_EQ(operations[0].memory, TraceMemory::Pinned);
}

/// Two processes count their calls from 1 each: only one of these copies is a symbol's.
TEST(Trace, SymbolCopiesAreThoseOfTheirCalls) {
  auto operations = read(
      std::string(nsysCopies) +
      "CREATE TABLE StringIds (id INTEGER, value TEXT); INSERT INTO StringIds VALUES (3, 'cudaMemcpyToSymbolAsync_v3020');"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2, (11 << 24) + 5, 42, 3), (1, 2, (12 << 24) + 5, 42, 4);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (10, 20, 0, 1, 7, 42, 11 << 24, 8, 1, 0, 2), (30, 40, 0, 1, 7, 42, 12 << 24, 8, 1, 0, 2);");
  ASSERT_EQ(operations.size(), 2u);
  EXPECT_TRUE(operations[0].symbol);
  EXPECT_FALSE(operations[1].symbol);
  EXPECT_NE(operations[0].stream, operations[1].stream) << "their streams are not one either";
}

TEST(Trace, TablesThatAProgramHadNoUseForAreMissing) {
  TraceSource source;
  auto operations =
      read(std::string(kernels) +
               "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 20, 0, 1, 7), (0, 0, 0, 1, 7), (30, 29, 0, 1, 7);",
           &source);
  ASSERT_EQ(operations.size(), 1u);
  EXPECT_EQ(operations[0].kind, TraceKind::Kernel);
  EXPECT_EQ(source.withoutTime, 2u);
  // A narrow table, as tools that write only what they need leave it.
  auto copies =
      read("CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, bytes INTEGER, copyKind INTEGER);"
           "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (10, 20, 64, 1);",
           &source);
  ASSERT_EQ(copies.size(), 1u);
  EXPECT_EQ(copies[0].memory, TraceMemory::Unknown);
  EXPECT_FALSE(source.hasMemoryKinds);
}

TEST(Trace, Errors) {
  std::string insert = "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES ";
  EXPECT_EQ(
      errorOf("CREATE TABLE t (x)"),
      "no GPU activity in it: expected a table CUPTI_ACTIVITY_KIND_MEMCPY, _KERNEL or _MEMSET, found none of them");
  EXPECT_EQ(errorOf("CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, bytes INTEGER, copyKind INTEGER)"),
            "CUPTI_ACTIVITY_KIND_MEMCPY: column end is missing");
  EXPECT_EQ(errorOf(nsysCopies + insert + "(10, 20, 0, 1, 7, 1, 0, 'many', 1, 0, 2)"),
            "CUPTI_ACTIVITY_KIND_MEMCPY: row 1: bytes: expected a whole number, found text 'many'");
  EXPECT_EQ(errorOf(nsysCopies + insert + "(10.5, 20, 0, 1, 7, 1, 0, 8, 1, 0, 2)"),
            "CUPTI_ACTIVITY_KIND_MEMCPY: row 1: start: expected a whole number, found '10.5'");
  EXPECT_EQ(errorOf(nsysCopies + insert + "(10, NULL, 0, 1, 7, 1, 0, 8, 1, 0, 2)"),
            "CUPTI_ACTIVITY_KIND_MEMCPY: row 1: end: expected a whole number, found nothing");
  EXPECT_EQ(errorOf(nsysCopies + insert + "(10, 20, 0, 1, 7, 1, 0, -8, 1, 0, 2)"),
            "CUPTI_ACTIVITY_KIND_MEMCPY: row 1: bytes: expected a number that is not negative, found -8");
  llvm::Expected<TraceSource> missing = readTrace("/nonexistent/t.sqlite", [](const TraceOperation &) {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(llvm::toString(missing.takeError()), "/nonexistent/t.sqlite: No such file or directory");
}

//===--- The timeline -----------------------------------------------------===//

TimelineOperation at(int64_t start, float recorded, float predicted, uint32_t stream, Engine engine) {
  return {start, recorded, predicted, stream, 0, engine};
}

TEST(Timeline, AFasterCopyMovesWhatFollows) {
  // The example of Timeline.h.
  Timeline timeline = {at(0, 10, 4, 0, Engine::CopyIn), at(12, 8, 8, 0, Engine::Compute),
                       at(20, 10, 10, 0, Engine::CopyOut)};
  Busy before = busyOf(timeline);
  EXPECT_NEAR_TO(before.span, 30e-9, relative(1e-9));
  EXPECT_NEAR_TO(before.idle, 2e-9, relative(1e-9));
  rebuildInPlace(timeline);
  EXPECT_EQ(timeline[1].start, 6);
  EXPECT_EQ(timeline[2].start, 14);
  EXPECT_NEAR_TO(busyOf(timeline).span, 24e-9, relative(1e-9));
}

TEST(Timeline, HiddenCopiesBecomeVisible) {
  // A copy of stream 1 hides behind a kernel of stream 0; ten times as slow it does not any more.
  Timeline timeline = {at(0, 100, 100, 0, Engine::Compute), at(10, 50, 500, 1, Engine::CopyIn),
                       at(60, 40, 40, 1, Engine::Compute)};
  EXPECT_NEAR_TO(busyOf(timeline).both, 50e-9, relative(1e-9));
  rebuildInPlace(timeline);
  EXPECT_EQ(timeline[2].start, 510);
  Busy after = busyOf(timeline);
  EXPECT_NEAR_TO(after.span, 550e-9, relative(1e-9));
  EXPECT_NEAR_TO(after.both, 90e-9, relative(1e-9));
}

TEST(Timeline, CopiesOfOneDirectionShareTheirEngine) {
  // They queued in the recording, and slower ones queue as well; the other direction does not wait for them.
  Timeline timeline = {at(0, 10, 30, 0, Engine::CopyIn), at(5, 10, 10, 2, Engine::CopyOut),
                       at(10, 10, 30, 1, Engine::CopyIn)};
  rebuildInPlace(timeline);
  EXPECT_EQ(timeline[1].start, 5);
  EXPECT_EQ(timeline[2].start, 30);
}

/// With its own times a recording comes out as it went in, whatever it is.
TEST(Timeline, UnchangedTimesChangeNothing) {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    Timeline timeline;
    for (int i = 0; i < 200; ++i) {
      float took = float(random() % 1000);
      timeline.push_back(
          {int64_t(random() % 20000), took, took, uint32_t(random() % 4), uint8_t(random() % 2), Engine(random() % 4)});
    }
    sortByStart(timeline);
    Timeline before = timeline;
    rebuildInPlace(timeline);
    for (size_t i = 0; i < before.size(); ++i) ASSERT_EQ(timeline[i].start, before[i].start) << round << " " << i;
  }
}

/// No operation starts later because another became faster, and none earlier because one became slower, in a chain.
TEST(Timeline, SlowerCopiesNeverShortenTheWhole) {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    Timeline timeline;
    int64_t clock[3] = {0, 0, 0};
    for (int i = 0; i < 100; ++i) {
      uint32_t stream = random() % 3;
      float took = float(1 + random() % 1000);
      Engine engine = Engine(random() % 4);
      timeline.push_back({clock[stream], took, engine == Engine::Compute ? took : 2 * took, stream, 0, engine});
      clock[stream] += int64_t(took) + random() % 100;
    }
    sortByStart(timeline);
    double span = busyOf(timeline).span;
    rebuildInPlace(timeline);
    EXPECT_GE(busyOf(timeline).span, span * (1 - 1e-9)) << round;
  }
}

//===--- The estimate -----------------------------------------------------===//

/// 1 us + bytes / GB/s, twice that for pageable memory; nothing is known of what is neither in nor out.
CopyModel linear(double gigabytes) {
  return [gigabytes](TraceKind kind, TraceMemory memory, double bytes) {
    if (kind != TraceKind::ToDevice && kind != TraceKind::ToHost) return -1.0;
    return (1e-6 + bytes / (gigabytes * 1e9)) * (memory == TraceMemory::Pageable ? 2 : 1);
  };
}

const std::string sample = std::string(nsysCopies) + kernels +
                           "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES"
                           " (1000, 3000, 0, 1, 7, 1, 0, 4000, 1, 1, 2), (3000, 5000, 0, 1, 7, 2, 0, 4000, 1, 1, 2),"
                           " (6000, 10000, 0, 1, 7, 3, 0, 8, 2, 2, 0), (10000, 12000, 0, 1, 7, 4, 0, 1000, 8, 2, 2);"
                           "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (20000, 30000, 0, 1, 7);";

Estimate estimateOf(const std::string &sql, const EstimateModels &models, const std::string &measured = "") {
  Database database(sql);
  return llvm::cantFail(estimate(database.path, models, measured));
}

TEST(Estimate, SumsByHand) {
  EstimateModels models{linear(1), linear(2), {}, {}};
  Estimate result = estimateOf(sample, models);
  EXPECT_EQ(result.transfers.count, 4u);
  EXPECT_EQ(result.transfers.bytes, 9008u);
  EXPECT_NEAR_TO(result.transfers.recorded, 10e-6, relative(1e-9));
  // 2 * (1 + 4) us, 2 * 1.008 us pageable, and 2 us kept of the copy within the device.
  EXPECT_NEAR_TO(result.transfers.predicted[PredictedByModel], 14.016e-6, relative(1e-9));
  EXPECT_NEAR_TO(result.transfers.predicted[PredictedByPeak], (2 * 3 + 2 * 1.004 + 2) * 1e-6, relative(1e-9));
  EXPECT_TRUE(std::isnan(result.transfers.predicted[PredictedByEnvelope]));
  EXPECT_EQ(result.transfers.unknown, 1u);
  EXPECT_NEAR_TO(result.gpuTime(), 20e-6, relative(1e-9));
  EXPECT_EQ(result.tiny.count, 2u);
  EXPECT_EQ(result.pageableBytes, 8u);
  EXPECT_NEAR_TO(result.pageableAsPinned, 1.008e-6, relative(1e-9));
  ASSERT_EQ(result.byKind.size(), 3u);
  double sum = 0;
  uint64_t count = 0;
  for (const SizeBin &bin : result.histogram) {
    sum += bin.sums.recorded;
    count += bin.sums.count;
  }
  EXPECT_NEAR_TO(sum, result.transfers.recorded, relative(1e-12));
  EXPECT_EQ(count, 4u);
  EXPECT_EQ(result.histogram.front().below, 16u);
  EXPECT_EQ(result.histogram.back().below, 4096u);
  // The last copy ends at 12 us; the kernel starts 8 us later.
  EXPECT_NEAR_TO(result.after.span - result.before.span, 4.016e-6, absolute(2e-9));
}

TEST(Estimate, PageableCopiesAreScaledFromTheSource) {
  EstimateModels models{linear(2), linear(2), linear(2), linear(1)};
  Estimate result = estimateOf(sample, models);
  EXPECT_TRUE(result.scaledPageable);
  // Recorded 4 us; the models say 1.004 over 1.008.
  EXPECT_NEAR_TO(result.pageablePredicted, 4e-6 * 1.004 / 1.008, relative(1e-9));
  // On the source 5 us are said of 2 and 2 us, and 2.016 of 4.
  ASSERT_TRUE(result.sourceWmape);
  EXPECT_NEAR_TO(*result.sourceWmape, (3 + 3 + 1.984) / 8, relative(1e-9));
}

TEST(Estimate, ErrorsAgainstAMeasuredTrace) {
  EstimateModels models{linear(1), linear(2), linear(2), {}};
  // The same kinds and sizes: 4000 B pinned in 4 and 8 us, where 5 are predicted; another size that has no like.
  Database measured(std::string(nsysCopies) +
                    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES"
                    " (1000, 5000, 0, 1, 7, 1, 0, 4000, 1, 1, 2), (6000, 14000, 0, 1, 7, 2, 0, 4000, 1, 1, 2),"
                    " (15000, 16000, 0, 1, 7, 3, 0, 5000, 1, 1, 2);");
  Estimate result = estimateOf(sample, models, measured.path);
  ASSERT_TRUE(result.accuracy);
  EXPECT_EQ(result.accuracy->matched, 2u);
  EXPECT_EQ(result.accuracy->unmatched, 1u);
  EXPECT_NEAR_TO(result.accuracy->wmape[PredictedByModel], (1.0 + 3) / 12, relative(1e-9));
  EXPECT_NEAR_TO(result.accuracy->ofPredicted[PredictedByModel], (4 * 1.0 / 5 + 8 * 3.0 / 5) / 12, relative(1e-9));
  EXPECT_NEAR_TO(result.accuracy->wmape[PredictedByPeak], (1.0 + 5) / 12, relative(1e-9));
}

TEST(Estimate, MachinesAsModels) {
  Machine machine = llvm::cantFail(loadMachine("a100-pcie4"));
  CopyModels models = llvm::cantFail(copyModelsOf(machine, nullptr));
  double before = 0;
  for (double bytes = 1; bytes < 1e9; bytes *= 3) {
    double now = models.models.target(TraceKind::ToDevice, TraceMemory::Pinned, bytes);
    EXPECT_GT(now, before);
    EXPECT_EQ(now, models.models.target(TraceKind::ToDevice, TraceMemory::Unknown, bytes));
    before = now;
  }
  EXPECT_LT(models.models.target(TraceKind::OnHost, TraceMemory::Unknown, 8), 0) << "not known";
  Machine alone = machine;
  alone.peer.reset();
  EXPECT_LT(copyModelsOf(alone, nullptr)->models.target(TraceKind::Peer, TraceMemory::Unknown, 8), 0) << "not known";
  EXPECT_GE(models.models.target(TraceKind::OnDevice, TraceMemory::Unknown, 1e9), 2e9 / machine.gpu.dramBandwidth)
      << "both read and written";
  // A latency that is only assumed gives way to one that was measured elsewhere.
  Machine source = machine;
  source.link.pinnedH2dLatency = {7e-6, SourceKind::Measured, "a test", false, {}};
  machine.link.pinnedH2dLatency.kind = SourceKind::Assumed;
  CopyModels borrowed = llvm::cantFail(copyModelsOf(machine, &source, TransferModel::Linear));
  EXPECT_TRUE(borrowed.latencyFromSource);
  EXPECT_NEAR_TO(borrowed.models.target(TraceKind::ToDevice, TraceMemory::Pinned, 1e6) -
                     copyModelsOf(machine, nullptr, TransferModel::Linear)
                         ->models.target(TraceKind::ToDevice, TraceMemory::Pinned, 1e6),
                 7e-6 - machine.link.pinnedH2dLatency, relative(1e-6));
}

} // namespace
