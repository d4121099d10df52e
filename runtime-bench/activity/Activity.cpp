//===- runtime-bench/activity/Activity.cpp - What a GPU does, as a trace --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A library that CUDA loads into a program that it knows nothing of, ported ones above
// all. It leaves every copy, fill, kernel and driver call with its times in the SQLite
// layout that `nsys export` has, so that `busfare trace` and test/corpus/gpu read it:
//
//   CUDA_INJECTION64_PATH=build/lib/libbusfare-activity.so BUSFARE_ACTIVITY=run.sqlite ./hotspot
//
//   CUPTI_ACTIVITY_KIND_KERNEL   start, end (ns), grid, block, registers, name
//   CUPTI_ACTIVITY_KIND_MEMCPY   start, end, bytes, direction, which side is pinned
//   CUPTI_ACTIVITY_KIND_RUNTIME  start, end of each driver call, by name
//
// The program must end by exit or return: what a signal or _exit ends leaves an empty
// file. Does not record: unified-memory pages, the insides of CUDA graphs.
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cstdlib>
#include <cupti.h>
#include <map>
#include <mutex>
#include <sqlite3.h>
#include <string>

namespace {

constexpr size_t bufferBytes = size_t(4) << 20;

[[noreturn]] void fail(const std::string &what) {
  std::fprintf(stderr, "busfare-activity: %s\n", what.c_str());
  std::_Exit(4); // exit would come back here
}

void check(CUptiResult result, const char *call) {
  if (result == CUPTI_SUCCESS) return;
  const char *text = "unknown error";
  cuptiGetResultString(result, &text);
  fail(std::string(call) + ": " + text);
}
#define CHECK_CUPTI(call) check((call), #call)

/// The trace under way. CUPTI hands buffers over from a thread of its own.
class Trace {
public:
  void open(const char *file) {
    std::remove(file);
    if (sqlite3_open(file, &database) != SQLITE_OK)
      fail(std::string(file) + " cannot be written: " + sqlite3_errmsg(database));
    run("PRAGMA synchronous = OFF; BEGIN;"
        "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"
        "CREATE TABLE TARGET_INFO_GPU(id INTEGER, name TEXT);"
        "CREATE TABLE ENUM_CUDA_MEM_KIND(id INTEGER, name TEXT);"
        "INSERT INTO ENUM_CUDA_MEM_KIND VALUES (0, 'UNKNOWN'), (1, 'PAGEABLE'), (2, 'PINNED'), (3, 'DEVICE'), (4, 'ARRAY'),"
        " (5, 'MANAGED'), (6, 'DEVICE_STATIC'), (7, 'MANAGED_STATIC');"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,"
        " correlationId INTEGER, demangledName INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER,"
        " blockZ INTEGER, registersPerThread INTEGER, staticSharedMemory INTEGER, dynamicSharedMemory INTEGER, localMemoryPerThread INTEGER);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,"
        " correlationId INTEGER, bytes INTEGER, copyKind INTEGER, srcKind INTEGER, dstKind INTEGER);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,"
        " correlationId INTEGER, bytes INTEGER);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER);");
    kernel = prepare("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    copy = prepare("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (?,?,?,?,?,?,?,?,?,?)");
    fill = prepare("INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (?,?,?,?,?,?,?)");
    call = prepare("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?,?,?,?,?)");
  }

  void take(uint8_t *buffer, size_t bytes) {
    const std::lock_guard<std::mutex> guard(mutex);
    CUpti_Activity *record = nullptr;
    while (database && cuptiActivityGetNextRecord(buffer, bytes, &record) == CUPTI_SUCCESS) take(*record);
  }

  void close() {
    CHECK_CUPTI(cuptiActivityFlushAll(1));
    const std::lock_guard<std::mutex> guard(mutex);
    size_t dropped = 0;
    cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped);
    if (dropped) std::fprintf(stderr, "busfare-activity: %zu records were lost\n", dropped);
    for (sqlite3_stmt *statement : {kernel, copy, fill, call}) sqlite3_finalize(statement);
    run("COMMIT;");
    sqlite3_close(database);
    database = nullptr;
  }

private:
  void run(const char *text) {
    if (sqlite3_exec(database, text, nullptr, nullptr, nullptr) != SQLITE_OK) fail(sqlite3_errmsg(database));
  }
  sqlite3_stmt *prepare(const char *text) {
    sqlite3_stmt *statement = nullptr;
    if (sqlite3_prepare_v2(database, text, -1, &statement, nullptr) != SQLITE_OK) fail(sqlite3_errmsg(database));
    return statement;
  }
  template <class... Values> void insert(sqlite3_stmt *statement, Values... values) {
    int column = 0;
    (sqlite3_bind_int64(statement, ++column, sqlite3_int64(values)), ...);
    if (sqlite3_step(statement) != SQLITE_DONE) fail(sqlite3_errmsg(database));
    sqlite3_reset(statement);
  }
  sqlite3_int64 idOf(const char *text) {
    auto [place, isNew] = strings.try_emplace(text ? text : "", sqlite3_int64(strings.size()));
    if (isNew) {
      sqlite3_stmt *statement = prepare("INSERT INTO StringIds VALUES (?,?)");
      sqlite3_bind_int64(statement, 1, place->second);
      sqlite3_bind_text(statement, 2, place->first.c_str(), -1, SQLITE_STATIC);
      sqlite3_step(statement);
      sqlite3_finalize(statement);
    }
    return place->second;
  }

  void take(const CUpti_Activity &record) {
    switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    case CUPTI_ACTIVITY_KIND_KERNEL: {
      auto &k = reinterpret_cast<const CUpti_ActivityKernel10 &>(record);
      insert(kernel, k.start, k.end, k.deviceId, k.contextId, k.streamId, k.correlationId, idOf(k.name), k.gridX,
             k.gridY, k.gridZ, k.blockX, k.blockY, k.blockZ, k.registersPerThread, k.staticSharedMemory,
             k.dynamicSharedMemory, k.localMemoryPerThread);
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      auto &c = reinterpret_cast<const CUpti_ActivityMemcpy6 &>(record);
      insert(copy, c.start, c.end, c.deviceId, c.contextId, c.streamId, c.correlationId, c.bytes, c.copyKind, c.srcKind,
             c.dstKind);
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
      auto &m = reinterpret_cast<const CUpti_ActivityMemset4 &>(record);
      insert(fill, m.start, m.end, m.deviceId, m.contextId, m.streamId, m.correlationId, m.bytes);
      break;
    }
    case CUPTI_ACTIVITY_KIND_DRIVER: {
      auto &a = reinterpret_cast<const CUpti_ActivityAPI &>(record);
      const char *name = nullptr;
      cuptiGetCallbackName(CUPTI_CB_DOMAIN_DRIVER_API, a.cbid, &name);
      insert(call, a.start, a.end, a.threadId, a.correlationId, idOf(name));
      break;
    }
    case CUPTI_ACTIVITY_KIND_DEVICE: {
      auto &d = reinterpret_cast<const CUpti_ActivityDevice5 &>(record);
      sqlite3_stmt *statement = prepare("INSERT INTO TARGET_INFO_GPU VALUES (?,?)");
      sqlite3_bind_int64(statement, 1, d.id);
      sqlite3_bind_text(statement, 2, d.name, -1, SQLITE_TRANSIENT);
      sqlite3_step(statement);
      sqlite3_finalize(statement);
      break;
    }
    default: break;
    }
  }

  std::mutex mutex;
  sqlite3 *database = nullptr;
  sqlite3_stmt *kernel = nullptr, *copy = nullptr, *fill = nullptr, *call = nullptr;
  std::map<std::string, sqlite3_int64> strings;
};

/// Never destroyed: buffers may come while the program's other statics go.
Trace &trace() {
  static Trace *const one = new Trace;
  return *one;
}

void CUPTIAPI buffersWanted(uint8_t **buffer, size_t *bytes, size_t *records) {
  *buffer = static_cast<uint8_t *>(std::aligned_alloc(8, bufferBytes));
  *bytes = *buffer ? bufferBytes : 0;
  *records = 0;
}

void CUPTIAPI bufferFull(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t valid) {
  trace().take(buffer, valid);
  std::free(buffer);
}

} // namespace

/// What CUDA calls when it is initialised. 0 would say that the library is not wanted.
extern "C" __attribute__((visibility("default"))) int InitializeInjection(void) {
  const char *file = std::getenv("BUSFARE_ACTIVITY");
  if (!file || !*file) fail("BUSFARE_ACTIVITY names no file for the trace");
  trace().open(file);
  CHECK_CUPTI(cuptiActivityRegisterCallbacks(buffersWanted, bufferFull));
  for (CUpti_ActivityKind kind : {CUPTI_ACTIVITY_KIND_DEVICE, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                  CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_DRIVER})
    CHECK_CUPTI(cuptiActivityEnable(kind));
  std::atexit([] { trace().close(); });
  return 1;
}
