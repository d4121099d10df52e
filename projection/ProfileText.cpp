//===- projection/ProfileText.cpp - Profiles as JSON -----------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Profile.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

using llvm::StringRef;
namespace json = llvm::json;

namespace busfare::projection {

namespace {

template <class Row> bool readRow(const json::Value &value, Row &row, json::Path path);

template <class Row> bool readRows(const json::Object &object, StringRef key, std::vector<Row> &rows, json::Path path) {
  const json::Value *value = object.get(key);
  const json::Array *array = value ? value->getAsArray() : nullptr;
  if (!array) {
    path.field(key).report("expected an array");
    return false;
  }
  for (size_t i = 0; i < array->size(); ++i)
    if (Row row; readRow((*array)[i], row, path.field(key).index(i))) rows.push_back(std::move(row));
    else return false;
  return true;
}

bool isTime(double seconds, json::Path path) {
  if (std::isfinite(seconds) && seconds >= 0) return true;
  path.report("expected a time of 0 s or more");
  return false;
}

template <> bool readRow(const json::Value &value, ProfiledLoop &row, json::Path path) {
  json::ObjectMapper o(value, path);
  return o && o.map("number", row.number) && o.map("line", row.line) && o.map("executions", row.executions) &&
         o.map("iterations", row.iterations);
}

template <> bool readRow(const json::Value &value, ProfiledNest &row, json::Path path) {
  json::ObjectMapper o(value, path);
  return o && o.map("number", row.number) && o.map("line", row.line) && o.map("executions", row.executions) &&
         o.map("seconds", row.seconds) && isTime(row.seconds, path.field("seconds"));
}

template <> bool readRow(const json::Value &value, ProfiledBranch &row, json::Path path) {
  json::ObjectMapper o(value, path);
  if (!o || !o.map("number", row.number) || !o.map("line", row.line) || !o.map("executions", row.executions) ||
      !o.map("taken", row.taken))
    return false;
  if (row.taken <= row.executions) return true;
  path.field("taken").report("expected no more than executions");
  return false;
}

template <> bool readRow(const json::Value &value, ProfiledSize &row, json::Path path) {
  json::ObjectMapper o(value, path);
  return o && o.map("name", row.name) && o.map("value", row.value) && o.map("least", row.least) &&
         o.map("most", row.most) && o.map("times", row.times);
}

template <> bool readRow(const json::Value &value, ProfiledFunction &row, json::Path path) {
  json::ObjectMapper o(value, path);
  return o && o.map("name", row.name) && o.map("file", row.file) && o.map("fingerprint", row.fingerprint) &&
         readRows(*value.getAsObject(), "loops", row.loops, path) &&
         readRows(*value.getAsObject(), "nests", row.nests, path) &&
         readRows(*value.getAsObject(), "branches", row.branches, path) &&
         readRows(*value.getAsObject(), "sizes", row.sizes, path);
}

template <> bool readRow(const json::Value &value, ProfiledRegion &row, json::Path path) {
  json::ObjectMapper o(value, path);
  return o && o.map("id", row.id) && o.map("root", row.root) && o.map("fingerprint", row.fingerprint) &&
         o.map("entries", row.entries) && o.map("seconds", row.seconds) && isTime(row.seconds, path.field("seconds"));
}

bool read(const json::Value &value, Profile &profile, json::Path path) {
  json::ObjectMapper o(value, path);
  std::string output;
  if (!o || !o.map("output", output)) return false;
  if (output != "profile") {
    path.field("output").report("expected \"profile\": this is no profile that measure wrote");
    return false;
  }
  return o.map("sources", profile.sources) && o.map("arguments", profile.arguments) &&
         o.map("run_s", profile.seconds) && o.map("original_s", profile.originalSeconds) &&
         o.map("exit_code", profile.exitCode) && o.map("notes", profile.notes) &&
         readRows(*value.getAsObject(), "functions", profile.functions, path) &&
         readRows(*value.getAsObject(), "regions", profile.regions, path);
}

json::Value rowsOf(const std::vector<ProfiledLoop> &loops) {
  json::Array rows;
  for (const ProfiledLoop &row : loops)
    rows.push_back(json::Object{
        {"number", row.number}, {"line", row.line}, {"executions", row.executions}, {"iterations", row.iterations}});
  return rows;
}

json::Value toJson(const ProfiledFunction &function) {
  json::Array nests, branches, sizes;
  for (const ProfiledNest &row : function.nests)
    nests.push_back(json::Object{
        {"number", row.number}, {"line", row.line}, {"executions", row.executions}, {"seconds", row.seconds}});
  for (const ProfiledBranch &row : function.branches)
    branches.push_back(
        json::Object{{"number", row.number}, {"line", row.line}, {"executions", row.executions}, {"taken", row.taken}});
  for (const ProfiledSize &row : function.sizes)
    sizes.push_back(json::Object{
        {"name", row.name}, {"value", row.value}, {"least", row.least}, {"most", row.most}, {"times", row.times}});
  return json::Object{
      {"name", function.name},           {"file", function.file},     {"fingerprint", function.fingerprint},
      {"loops", rowsOf(function.loops)}, {"nests", std::move(nests)}, {"branches", std::move(branches)},
      {"sizes", std::move(sizes)}};
}

} // namespace

json::Value toJson(const Profile &profile) {
  json::Array functions, regions;
  for (const ProfiledFunction &function : profile.functions) functions.push_back(toJson(function));
  for (const ProfiledRegion &row : profile.regions)
    regions.push_back(json::Object{{"id", row.id},
                                   {"root", row.root},
                                   {"fingerprint", row.fingerprint},
                                   {"entries", row.entries},
                                   {"seconds", row.seconds}});
  double overhead = profile.originalSeconds > 0 ? profile.seconds / profile.originalSeconds - 1 : 0;
  return json::Object{{"schema_version", 1},
                      {"output", "profile"},
                      {"tool", json::Object{{"name", "busfare"}, {"version", BUSFARE_VERSION}}},
                      {"sources", profile.sources},
                      {"arguments", profile.arguments},
                      {"exit_code", profile.exitCode},
                      {"run_s", profile.seconds},
                      {"original_s", profile.originalSeconds},
                      {"overhead", overhead},
                      {"functions", std::move(functions)},
                      {"regions", std::move(regions)},
                      {"notes", profile.notes}};
}

llvm::Expected<Profile> parseProfile(StringRef text, StringRef file) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value) return llvm::createStringError((file + ": " + llvm::toString(value.takeError())).str());
  Profile profile;
  json::Path::Root root("the profile");
  if (!read(*value, profile, json::Path(root))) {
    std::string wrong = llvm::toString(root.getError());
    return llvm::createStringError((file + ": " + wrong).str());
  }
  profile.file = file.str();
  return profile;
}

llvm::Expected<Profile> loadProfile(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer) return llvm::createStringError((file + ": cannot be read: " + buffer.getError().message()).str());
  return parseProfile((*buffer)->getBuffer(), file);
}

} // namespace busfare::projection
