//===- projection/report/JsonParts.h - Numbers and names in JSON ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What every JSON writer needs: the shortest digits that read back as the same double,
// null for what is no number, and names that may hold any byte.
//
//   number(json, "time_s", 1e-05);   "time_s":1e-05
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_JSONPARTS_H
#define BUSFARE_PROJECTION_REPORT_JSONPARTS_H

#include "skeleton/Location.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

namespace busfare::projection {

using Stream = llvm::json::OStream;

inline void number(Stream &json, llvm::StringRef key, double value) {
  json.attributeBegin(key);
  if (std::isfinite(value)) {
    char text[64];
    auto [end, error] = std::to_chars(text, text + sizeof text, value);
    json.rawValue(llvm::StringRef(text, error == std::errc() ? end - text : 0));
  } else {
    json.value(nullptr);
  }
  json.attributeEnd();
}

/// Names come from source text, which may hold any byte; JSON may not.
inline std::string readable(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

inline void text(Stream &json, llvm::StringRef key, llvm::StringRef value) { json.attribute(key, readable(value)); }

inline void strings(Stream &json, llvm::StringRef key, const std::vector<std::string> &values) {
  json.attributeArray(key, [&] {
    for (const std::string &value : values) json.value(readable(value));
  });
}

/// Of an Interval of the report: the keys of an object.
template <class Interval> void interval(Stream &json, const Interval &value) {
  number(json, "value", value.value);
  number(json, "low", value.low);
  number(json, "high", value.high);
}

inline void place(Stream &json, llvm::StringRef key, const skeleton::Location &location,
                  llvm::StringRef function = "") {
  json.attributeObject(key, [&] {
    text(json, "file", location.file);
    json.attribute("line", location.line);
    json.attribute("column", location.column);
    if (!function.empty()) text(json, "function", function);
  });
}

inline void boxes(Stream &json, const std::vector<std::vector<std::array<std::string, 3>>> &boxes) {
  json.attributeArray("boxes", [&] {
    for (const auto &box : boxes)
      json.array([&] {
        for (const auto &range : box)
          json.array([&] {
            for (const std::string &bound : range) json.value(readable(bound));
          });
      });
  });
}

} // namespace busfare::projection

#endif
