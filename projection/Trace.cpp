//===- projection/Trace.cpp - What a profiler saw a GPU do ----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Trace.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include <map>
#include <memory>
#include <optional>
#include <sqlite3.h>

using llvm::StringRef;

namespace busfare::projection {

StringRef toString(TraceKind kind) {
  static constexpr StringRef names[] = {"h2d", "d2h", "d2d", "peer", "h2h", "unknown", "fill", "kernel"};
  return names[size_t(kind)];
}

StringRef toString(TraceMemory memory) {
  static constexpr StringRef names[] = {"pinned", "pageable", "managed", "unknown"};
  return names[size_t(memory)];
}

namespace {

struct Close {
  void operator()(sqlite3 *database) const { sqlite3_close_v2(database); }
  void operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Close>;

/// One column of a table as the query asks for it.
struct Wanted {
  const char *name;
  const char *instead; ///< SQL that stands in where it is missing; null: it must be there.
};

/// The kind of memory on one side of a copy, as both layouts have it.
enum class Side { Pageable, Pinned, Managed, Static, Other };

class Reader {
public:
  Reader(std::string file, llvm::function_ref<void(const TraceOperation &)> visit)
      : file(std::move(file)), visit(visit) {}
  llvm::Expected<TraceSource> read();

private:
  template <class... Parts> llvm::Error wrong(const Parts &...parts) const {
    std::string text = file + ": ";
    ((text += parts), ...);
    return llvm::createStringError(text);
  }
  llvm::Error open();
  llvm::Expected<Statement> prepare(const std::string &sql) const;
  llvm::Expected<bool> step(sqlite3_stmt *statement) const;
  llvm::Error forEachRow(const std::string &sql, llvm::function_ref<llvm::Error(sqlite3_stmt *)> take) const;
  llvm::Error readColumns(const std::string &table);
  bool has(const std::string &table) const { return tables.count(table); }
  bool has(const std::string &table, const std::string &column) const {
    auto found = tables.find(table);
    return found != tables.end() && llvm::is_contained(found->second, column);
  }
  llvm::Error readTables();
  llvm::Error readEnumeration(const char *table, std::map<int64_t, std::string> &names) const;
  llvm::Error describe();
  llvm::Error readSymbolCalls();
  llvm::Error forEachOperation(const std::string &query, const std::string &table,
                               llvm::function_ref<llvm::Error(sqlite3_stmt *, uint64_t, TraceOperation &)> take);
  llvm::Error readCopies();
  llvm::Error readPlain(const std::string &table, TraceKind kind);
  llvm::Expected<std::string> queryOf(const std::string &table, llvm::ArrayRef<Wanted> columns) const;
  llvm::Expected<int64_t> whole(sqlite3_stmt *statement, int column, const std::string &table, uint64_t row) const;
  llvm::Error takeTimes(sqlite3_stmt *statement, const std::string &table, uint64_t row, TraceOperation &operation);
  void emit(TraceOperation operation);
  TraceKind kindOf(int64_t copyKind) const;
  Side sideOf(int64_t memoryKind) const;

  std::string file;
  llvm::function_ref<void(const TraceOperation &)> visit;
  std::unique_ptr<sqlite3, Close> database;
  std::map<std::string, std::vector<std::string>> tables; ///< Their columns.
  std::map<int64_t, std::string> copyKinds, memoryKinds;  ///< From the file's own enumerations.
  llvm::DenseSet<uint64_t> symbolCalls; ///< Process and correlation of cudaMemcpyToSymbol and its like.
  using StreamKey = std::tuple<int64_t, int64_t, int64_t, int64_t>; ///< Process, device, context, stream.
  std::map<StreamKey, uint32_t> streams;
  StreamKey lastStream{-1, -1, -1, -1};
  uint32_t lastNumber = 0;
  TraceSource source;
};

/// What tells the calls of two processes with one correlation number apart.
uint64_t callKey(int64_t global, int64_t correlation) {
  // nsys packs the process into bits 24 to 47 of its global numbers of processes and threads alike.
  uint64_t process = (uint64_t(global) >> 24) & 0xffffff;
  return (process << 38) | (uint64_t(correlation) & 0x3fffffffff);
}

llvm::Error Reader::open() {
  bool isFolder = false;
  if (std::error_code code = llvm::sys::fs::is_directory(file, isFolder)) return wrong(code.message());
  if (isFolder) return wrong("is a folder; `nsys export --type sqlite` writes a file");
  uint64_t size = 0;
  if (!llvm::sys::fs::file_size(file, size) && size == 0)
    return wrong("is empty; `nsys export --type sqlite` did not finish");
  sqlite3 *opened = nullptr;
  int code = sqlite3_open_v2(file.c_str(), &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
  database.reset(opened);
  if (code != SQLITE_OK) return wrong("cannot be opened: ", sqlite3_errstr(code));
  // What a file's views and triggers call is not to be trusted.
  sqlite3_db_config(database.get(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  return llvm::Error::success();
}

llvm::Expected<Statement> Reader::prepare(const std::string &sql) const {
  sqlite3_stmt *statement = nullptr;
  int code = sqlite3_prepare_v2(database.get(), sql.c_str(), -1, &statement, nullptr);
  Statement owned(statement);
  if (code == SQLITE_NOTADB)
    return wrong("expected an SQLite database, as `nsys export --type sqlite` writes, found something else");
  if (code != SQLITE_OK) return wrong("cannot be read as an SQLite database: ", sqlite3_errmsg(database.get()));
  return owned;
}

/// Is there another row?
llvm::Expected<bool> Reader::step(sqlite3_stmt *statement) const {
  int code = sqlite3_step(statement);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return wrong("is damaged or cut off: ", sqlite3_errmsg(database.get()));
}

/// Until `take` gives an error.
llvm::Error Reader::forEachRow(const std::string &sql, llvm::function_ref<llvm::Error(sqlite3_stmt *)> take) const {
  llvm::Expected<Statement> statement = prepare(sql);
  if (!statement) return statement.takeError();
  while (true) {
    llvm::Expected<bool> more = step(statement->get());
    if (!more) return more.takeError();
    if (!*more) return llvm::Error::success();
    if (llvm::Error error = take(statement->get())) return error;
  }
}

llvm::Error Reader::readColumns(const std::string &table) {
  return forEachRow("SELECT name FROM pragma_table_info('" + table + "')", [&](sqlite3_stmt *row) {
    const unsigned char *name = sqlite3_column_text(row, 0);
    tables[table].push_back(name ? reinterpret_cast<const char *>(name) : "");
    return llvm::Error::success();
  });
}

llvm::Error Reader::readTables() {
  static const char *const known[] = {"CUPTI_ACTIVITY_KIND_MEMCPY",
                                      "CUPTI_ACTIVITY_KIND_MEMCPY2",
                                      "CUPTI_ACTIVITY_KIND_MEMSET",
                                      "CUPTI_ACTIVITY_KIND_KERNEL",
                                      "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL",
                                      "CUPTI_ACTIVITY_KIND_RUNTIME",
                                      "CUPTI_ACTIVITY_KIND_DEVICE",
                                      "StringIds",
                                      "StringTable",
                                      "TARGET_INFO_GPU",
                                      "ENUM_CUDA_MEM_KIND",
                                      "ENUM_CUDA_MEMCPY_OPER",
                                      "META_DATA_EXPORT",
                                      "Version"};
  std::vector<std::string> there;
  if (llvm::Error error = forEachRow("SELECT name FROM sqlite_master WHERE type = 'table'", [&](sqlite3_stmt *row) {
        const unsigned char *name = sqlite3_column_text(row, 0);
        for (const char *each : known)
          if (name && StringRef(reinterpret_cast<const char *>(name)) == each) there.push_back(each);
        return llvm::Error::success();
      }))
    return error;
  for (const std::string &table : there)
    if (llvm::Error error = readColumns(table)) return error;
  return llvm::Error::success();
}

/// id -> name of a table ENUM_*, if it is there.
llvm::Error Reader::readEnumeration(const char *table, std::map<int64_t, std::string> &names) const {
  if (!has(table, "id") || !has(table, "name")) return llvm::Error::success();
  return forEachRow(std::string("SELECT id, name FROM ") + table, [&](sqlite3_stmt *row) {
    if (const unsigned char *name = sqlite3_column_text(row, 1))
      names[sqlite3_column_int64(row, 0)] = reinterpret_cast<const char *>(name);
    return llvm::Error::success();
  });
}

/// The layout, its version, the GPUs.
llvm::Error Reader::describe() {
  bool nvprof = has("StringTable") || has("CUPTI_ACTIVITY_KIND_DEVICE") || has("CUPTI_ACTIVITY_KIND_MEMCPY", "_id_") ||
                has("CUPTI_ACTIVITY_KIND_KERNEL", "_id_") || has("CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL", "_id_");
  source.layout = nvprof && !has("StringIds") ? "nvprof" : "nsys";
  std::string versions, devices;
  if (source.layout == "nvprof") {
    versions =
        has("Version", "version") ? "SELECT version FROM Version" : "SELECT user_version FROM pragma_user_version";
    if (has("CUPTI_ACTIVITY_KIND_DEVICE", "name"))
      devices =
          has("StringTable", "_id_") && has("StringTable", "value")
              ? "SELECT COALESCE(s.value, d.name) FROM CUPTI_ACTIVITY_KIND_DEVICE d LEFT JOIN StringTable s ON s._id_ = d.name"
              : "SELECT name FROM CUPTI_ACTIVITY_KIND_DEVICE";
  } else {
    if (has("META_DATA_EXPORT", "name") && has("META_DATA_EXPORT", "value"))
      versions = "SELECT value FROM META_DATA_EXPORT WHERE name = 'EXPORT_SCHEMA_VERSION'";
    if (has("TARGET_INFO_GPU", "name")) devices = "SELECT name FROM TARGET_INFO_GPU";
  }
  for (const std::string *query : {&versions, &devices}) {
    if (query->empty()) continue;
    if (llvm::Error error = forEachRow(*query, [&](sqlite3_stmt *row) {
          const unsigned char *text = sqlite3_column_text(row, 0);
          if (text && query == &versions) source.version = reinterpret_cast<const char *>(text);
          else if (text) source.devices.push_back(reinterpret_cast<const char *>(text));
          return llvm::Error::success();
        }))
      return error;
  }
  if (llvm::Error error = readEnumeration("ENUM_CUDA_MEM_KIND", memoryKinds)) return error;
  return readEnumeration("ENUM_CUDA_MEMCPY_OPER", copyKinds);
}

/// Which calls copied to or from a symbol: by the call's name in nsys, by its number in nvprof.
llvm::Error Reader::readSymbolCalls() {
  const std::string runtime = "CUPTI_ACTIVITY_KIND_RUNTIME";
  if (!has(runtime, "correlationId")) return llvm::Error::success();
  std::string query = "SELECT correlationId, " + std::string(has(runtime, "globalTid") ? "globalTid" : "0") + " FROM " +
                      runtime + " WHERE ";
  if (has(runtime, "nameId") && has("StringIds", "value"))
    query += "nameId IN (SELECT id FROM StringIds WHERE value GLOB 'cudaMemcpy*Symbol*')";
  else if (has(runtime,
               "cbid")) // cupti_runtime_cbid.h: To and FromSymbol, their Async, and those of per-thread streams
    query += "cbid IN (39, 40, 47, 48, 223, 224, 231, 232)";
  else return llvm::Error::success();
  return forEachRow(query, [&](sqlite3_stmt *row) {
    symbolCalls.insert(callKey(sqlite3_column_int64(row, 1), sqlite3_column_int64(row, 0)));
    return llvm::Error::success();
  });
}

llvm::Expected<std::string> Reader::queryOf(const std::string &table, llvm::ArrayRef<Wanted> columns) const {
  std::string query = "SELECT ";
  for (const Wanted &column : columns) {
    bool there = has(table, column.name);
    if (!there && !column.instead) return wrong(table, ": column ", column.name, " is missing");
    query += (&column == columns.begin() ? "" : ", ") +
             (there ? "\"" + std::string(column.name) + "\"" : std::string(column.instead));
  }
  return query + " FROM " + table;
}

llvm::Expected<int64_t> Reader::whole(sqlite3_stmt *statement, int column, const std::string &table,
                                      uint64_t row) const {
  int type = sqlite3_column_type(statement, column);
  if (type == SQLITE_INTEGER) return sqlite3_column_int64(statement, column);
  const unsigned char *text = sqlite3_column_text(statement, column);
  std::string found = type == SQLITE_NULL    ? "nothing"
                      : type == SQLITE_BLOB  ? "a blob"
                      : type == SQLITE_FLOAT ? ""
                                             : "text ";
  if (type == SQLITE_TEXT || type == SQLITE_FLOAT)
    found += "'" + StringRef(reinterpret_cast<const char *>(text)).take_front(40).str() + "'";
  return wrong(table, ": row ", std::to_string(row), ": ", sqlite3_column_name(statement, column),
               ": expected a whole number, found ", found);
}

/// Columns 0 to 5 of every query: start, end, deviceId, contextId, streamId, globalPid.
llvm::Error Reader::takeTimes(sqlite3_stmt *statement, const std::string &table, uint64_t row,
                              TraceOperation &operation) {
  int64_t values[5];
  for (int i = 0; i < 5; ++i) {
    llvm::Expected<int64_t> value = whole(statement, i, table, row);
    if (!value) return value.takeError();
    values[i] = *value;
  }
  operation.start = values[0];
  operation.end = values[1];
  operation.device = uint32_t(values[2]);
  // Processes number their contexts and streams alike.
  StreamKey stream{sqlite3_column_int64(statement, 5), values[2], values[3], values[4]};
  if (stream != lastStream) {
    lastNumber = streams.try_emplace(stream, uint32_t(streams.size())).first->second;
    lastStream = stream;
  }
  operation.stream = lastNumber;
  return llvm::Error::success();
}

void Reader::emit(TraceOperation operation) {
  if (operation.end < operation.start || operation.end <= 0) ++source.withoutTime;
  else visit(operation);
}

TraceKind Reader::kindOf(int64_t copyKind) const {
  auto named = copyKinds.find(copyKind);
  if (named != copyKinds.end()) {
    StringRef name = named->second;
    name.consume_front("CUDA_MEMCPY_KIND_");
    name.consume_front("UVM_");
    auto kind = llvm::StringSwitch<std::optional<TraceKind>>(name)
                    .Cases("HTOD", "HTOA", TraceKind::ToDevice)
                    .Cases("DTOH", "ATOH", TraceKind::ToHost)
                    .Cases("DTOD", "ATOA", "ATOD", "DTOA", TraceKind::OnDevice)
                    .Case("HTOH", TraceKind::OnHost)
                    .Case("PTOP", TraceKind::Peer)
                    .Default(std::nullopt);
    if (kind) return *kind;
  }
  // CUpti_ActivityMemcpyKind, which nsys continues: 11 to 13 are pages of unified memory.
  static constexpr TraceKind kinds[] = {
      TraceKind::Unknown,  TraceKind::ToDevice, TraceKind::ToHost,   TraceKind::ToDevice, TraceKind::ToHost,
      TraceKind::OnDevice, TraceKind::OnDevice, TraceKind::OnDevice, TraceKind::OnDevice, TraceKind::OnHost,
      TraceKind::Peer,     TraceKind::ToDevice, TraceKind::ToHost,   TraceKind::OnDevice};
  return copyKind >= 0 && copyKind < int64_t(std::size(kinds)) ? kinds[copyKind] : TraceKind::Unknown;
}

Side Reader::sideOf(int64_t memoryKind) const {
  auto named = memoryKinds.find(memoryKind);
  if (named != memoryKinds.end()) {
    StringRef name = named->second;
    name.consume_front("CUDA_MEMOPR_MEMORY_KIND_");
    return llvm::StringSwitch<Side>(name)
        .Case("PAGEABLE", Side::Pageable)
        .Case("PINNED", Side::Pinned)
        .Cases("MANAGED", "MANAGED_STATIC", Side::Managed)
        .Case("DEVICE_STATIC", Side::Static)
        .Default(Side::Other);
  }
  // CUpti_ActivityMemoryKind begins with "unknown"; nsys's own begins with "pageable".
  if (source.layout == "nsys" && memoryKind >= 0) ++memoryKind;
  static constexpr Side sides[] = {Side::Other, Side::Pageable, Side::Pinned, Side::Other,
                                   Side::Other, Side::Managed,  Side::Static, Side::Managed};
  return memoryKind >= 0 && memoryKind < int64_t(std::size(sides)) ? sides[memoryKind] : Side::Other;
}

/// Emits what each row says: its times are taken here, the rest by `take`, which gets the row's number for messages.
llvm::Error Reader::forEachOperation(const std::string &query, const std::string &table,
                                     llvm::function_ref<llvm::Error(sqlite3_stmt *, uint64_t, TraceOperation &)> take) {
  uint64_t row = 0;
  return forEachRow(query, [&](sqlite3_stmt *now) -> llvm::Error {
    TraceOperation operation;
    if (llvm::Error error = takeTimes(now, table, ++row, operation)) return error;
    if (llvm::Error error = take(now, row, operation)) return error;
    emit(operation);
    return llvm::Error::success();
  });
}

llvm::Error Reader::readCopies() {
  const std::string table = "CUPTI_ACTIVITY_KIND_MEMCPY";
  static const Wanted columns[] = {{"start", nullptr}, {"end", nullptr},       {"deviceId", "0"},
                                   {"contextId", "0"}, {"streamId", "0"},      {"globalPid", "0"},
                                   {"bytes", nullptr}, {"copyKind", nullptr},  {"srcKind", "-1"},
                                   {"dstKind", "-1"},  {"correlationId", "-1"}};
  source.hasMemoryKinds = has(table, "srcKind") && has(table, "dstKind");
  llvm::Expected<std::string> query = queryOf(table, columns);
  if (!query) return query.takeError();
  if (has(table, "runtimeCorrelationId")) // nvprof's; 0 if the driver's number is the runtime's, too
    query->replace(query->find("\"correlationId\""), 15, "COALESCE(NULLIF(runtimeCorrelationId, 0), correlationId)");
  return forEachOperation(
      *query, table, [&](sqlite3_stmt *now, uint64_t row, TraceOperation &operation) -> llvm::Error {
        int64_t values[4]; // bytes, copyKind, srcKind, dstKind
        for (int i = 0; i < 4; ++i) {
          llvm::Expected<int64_t> value = whole(now, 6 + i, table, row);
          if (!value) return value.takeError();
          values[i] = *value;
        }
        if (values[0] < 0)
          return wrong(table, ": row ", std::to_string(row), ": bytes: expected a number that is not negative, found ",
                       std::to_string(values[0]));
        operation.bytes = uint64_t(values[0]);
        operation.kind = kindOf(values[1]);
        Side from = sideOf(values[2]), to = sideOf(values[3]);
        Side host = operation.kind == TraceKind::ToHost ? to : from;
        bool pages = values[1] >= 11 && values[1] <= 13; // of unified memory
        operation.memory = pages || host == Side::Managed ? TraceMemory::Managed
                           : host == Side::Pinned         ? TraceMemory::Pinned
                           : host == Side::Pageable       ? TraceMemory::Pageable
                                                          : TraceMemory::Unknown;
        operation.symbol = from == Side::Static || to == Side::Static ||
                           (!symbolCalls.empty() &&
                            symbolCalls.contains(callKey(sqlite3_column_int64(now, 5), sqlite3_column_int64(now, 10))));
        return llvm::Error::success();
      });
}

llvm::Error Reader::readPlain(const std::string &table, TraceKind kind) {
  static const Wanted columns[] = {{"start", nullptr}, {"end", nullptr},   {"deviceId", "0"}, {"contextId", "0"},
                                   {"streamId", "0"},  {"globalPid", "0"}, {"bytes", "0"}};
  llvm::Expected<std::string> query = queryOf(table, columns);
  if (!query) return query.takeError();
  return forEachOperation(*query, table, [&](sqlite3_stmt *now, uint64_t, TraceOperation &operation) {
    operation.kind = kind;
    operation.bytes = uint64_t(std::max<int64_t>(0, sqlite3_column_int64(now, 6)));
    return llvm::Error::success();
  });
}

llvm::Expected<TraceSource> Reader::read() {
  if (llvm::Error error = open()) return error;
  if (llvm::Error error = readTables()) return error;
  static const std::pair<const char *, TraceKind> plain[] = {
      {"CUPTI_ACTIVITY_KIND_MEMSET", TraceKind::Fill},
      {"CUPTI_ACTIVITY_KIND_KERNEL", TraceKind::Kernel},
      {"CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL", TraceKind::Kernel}};
  bool copies = has("CUPTI_ACTIVITY_KIND_MEMCPY");
  if (!copies && llvm::none_of(plain, [&](const auto &each) { return has(each.first); }))
    return wrong(
        "no GPU activity in it: expected a table CUPTI_ACTIVITY_KIND_MEMCPY, _KERNEL or _MEMSET, found none of them");
  if (llvm::Error error = describe()) return error;
  if (copies) {
    if (llvm::Error error = readSymbolCalls()) return error;
    if (llvm::Error error = readCopies()) return error;
  }
  for (const auto &[table, kind] : plain)
    if (has(table))
      if (llvm::Error error = readPlain(table, kind)) return error;
  source.streams = uint32_t(streams.size());
  return source;
}

} // namespace

llvm::Expected<TraceSource> readTrace(const std::string &file, llvm::function_ref<void(const TraceOperation &)> visit) {
  return Reader(file, visit).read();
}

} // namespace busfare::projection
