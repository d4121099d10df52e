//===- clang-plugin/cli/CacheCommand.cpp - `busfare cache` ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Shows what is kept from one run to the next (Cache.h), makes it smaller, looks for damage, or throws it away.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Programs.h"
#include "clang-plugin/units/Cache.h"
#include "projection/report/Figures.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using llvm::StringRef;

namespace busfare::frontend {

static std::string spoken(const Cache &cache, const Cache::Contents &now, uint64_t most) {
  return cache.path() + ": " + std::to_string(now.entries) + (now.entries == 1 ? " entry, " : " entries, ") +
         projection::formatBytes(now.bytes) + " of at most " + projection::formatBytes(most) + "\n";
}

Outcome runCache(const Options &options) {
  StringRef what = options.inputs.empty() ? StringRef("show") : StringRef(options.inputs.front());
  if (options.inputs.size() > 1 || (what != "show" && what != "prune" && what != "check" && what != "clear"))
    return badInput(options, llvm::createStringError("cache takes show, prune, check or clear, not '" +
                                                     options.inputs.back() + "'"));
  Cache cache(cacheFolderOf(options));
  const uint64_t most = options.cacheBytes.value_or(defaultCacheBytes);
  if (cache.path().empty())
    return {Done,
            options.format == Format::Json ? "{\"folder\": null}\n"
                                           : "Nothing is kept: $BUSFARE_CACHE is empty, or there is no home folder\n",
            {}};
  const Cache::Contents before = cache.contents(what == "check");
  if (what == "prune") cache.prune(most, true);
  if (what == "clear" && !cache.clear())
    return badInput(options, llvm::createStringError(cache.path() + ": some entries cannot be removed"));
  const Cache::Contents now = what == "prune" || what == "clear" ? cache.contents(false) : before;
  const uint64_t removed = before.entries - std::min(now.entries, before.entries) + now.damaged;
  if (options.format == Format::Json)
    return {Done,
            llvm::formatv("{0:2}\n", llvm::json::Value(llvm::json::Object{{"folder", cache.path()},
                                                                          {"entries", int64_t(now.entries)},
                                                                          {"bytes", int64_t(now.bytes)},
                                                                          {"most_bytes", int64_t(most)},
                                                                          {"removed", int64_t(removed)}}))
                .str(),
            {}};
  std::string text = spoken(cache, now, most);
  if (what == "check")
    text += before.damaged ? std::to_string(before.damaged) + " were damaged, and are removed\n" : "None is damaged\n";
  else if (what != "show") text += std::to_string(removed) + " removed\n";
  return {Done, text, {}};
}

} // namespace busfare::frontend
