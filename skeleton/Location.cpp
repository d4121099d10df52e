//===- skeleton/Location.cpp - A place in the user's source ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `stencil.c:12:3`, `stencil.c:12`, `12:3` or `stencil.c`, by what is known.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Location.h"
#include <mutex>
#include <set>

namespace busfare::skeleton {

FileName::FileName(llvm::StringRef name) {
  static const std::string nothing;
  if (name.empty()) {
    kept = &nothing;
    return;
  }
  // Never destroyed: places may be looked at until the very end.
  static auto &names = *new std::set<std::string, std::less<>>;
  static std::mutex lock;
  std::lock_guard<std::mutex> guard(lock);
  auto found = names.find(std::string_view(name));
  kept = &*(found != names.end() ? found : names.emplace(name).first);
}

std::string toString(const Location &location) {
  std::string text = location.file;
  if (!location.isKnown()) return text;
  text += (text.empty() ? "" : ":") + std::to_string(location.line);
  if (location.column != 0) text += ":" + std::to_string(location.column);
  return text;
}

} // namespace busfare::skeleton
