//===- clang-plugin/units/Cache.h - What was computed before -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A folder of entries, each a text under a key that says all it depends on:
//
//   Cache cache("/home/me/.cache/busfare");
//   std::string key = keyOf({"unit", programIdentity(), ...});
//   cache.store(key, text);
//   cache.load(key)   ->  text, or nothing
//
// Several runs may use one folder at a time, and be killed: an entry is written aside and
// then given its name, so that it is there whole or not at all. It bears a digest of
// itself; one that is damaged is nothing, and is replaced.
//
// Entries are named and pruned as LLVM's own caches are (llvm/Support/CachePruning.h):
// those that nobody has read for the longest time go first.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_UNITS_CACHE_H
#define BUSFARE_CLANG_PLUGIN_UNITS_CACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

namespace busfare::frontend {

/// One key for several texts: no two lists of texts have one.
std::string keyOf(llvm::ArrayRef<llvm::StringRef> texts);

class Cache {
public:
  /// The folder is made when something is stored. No folder: nothing is ever found or kept.
  explicit Cache(std::string folder = {}) : folder(std::move(folder)) {}

  std::optional<std::string> load(llvm::StringRef key);
  /// Failing is no error: what is not kept is computed again.
  void store(llvm::StringRef key, llvm::StringRef text);

  const std::string &path() const { return folder; }
  bool hasStored() const { return stores != 0; }
  /// Down to so many bytes, where something was stored by this object or `always`.
  void prune(uint64_t mostBytes, bool always = false) const;

  struct Contents {
    uint64_t entries = 0, bytes = 0, damaged = 0; ///< damaged: 0 if they were not read.
  };
  /// checks: entries are read, and those that are damaged removed.
  Contents contents(bool checks) const;
  /// All entries. False if some cannot be removed.
  bool clear() const;

private:
  std::string folder;
  std::atomic<uint64_t> stores = 0;
  std::string fileOf(llvm::StringRef key) const;
};

/// $BUSFARE_CACHE, else busfare below $XDG_CACHE_HOME or ~/.cache; empty if there is none of these.
std::string defaultCacheFolder();
inline constexpr uint64_t defaultCacheBytes = uint64_t(1) << 30;

} // namespace busfare::frontend

#endif
