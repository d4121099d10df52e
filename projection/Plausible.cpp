//===- projection/Plausible.cpp - Machine files that cannot be meant ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Plausible.h"
#include "projection/MachineTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <set>

using llvm::StringRef;

namespace busfare::projection {

namespace {

/// By the end of a key, the first that fits.
struct Limits {
  StringRef ending;
  double least, most;
  const char *unit;
  bool isWhole = false;
};

constexpr Limits limits[] = {
    {"bytes_per_s", 1e7, 1e15, "bytes per second"},
    {"bits_per_s", 1e8, 1e13, "bits per second"},
    {"s_per_byte", 0, 1e-5, "seconds per byte"},
    {"_hz", 1e6, 1e11, "hertz"},
    {"context_start_s", 0, 600, "seconds"},
    {"allocation_s", 0, 10, "seconds"},
    {"_s", 0, 1, "seconds"},
    {"dram_bytes", 1e6, 1e15, "bytes"},
    {"_bytes", 0, 1e12, "bytes", true},
    {"cores", 1, 1e6, "cores", true},
    {"threads", 1, 1e6, "threads", true},
    {"threads_per_multiprocessor", 1, 1e6, "threads", true},
    {"multiprocessors", 1, 1e6, "multiprocessors", true},
    {"blocks_per_multiprocessor", 1, 1e6, "blocks", true},
    {"registers_per_multiprocessor", 1, 1e9, "registers", true},
    {"warp_size", 1, 1024, "threads", true},
    {"lanes", 1, 1024, "lanes", true},
    {"links", 1, 1024, "links", true},
    {"pcie_generation", 1, 20, "the generation", true},
    {"copy_engines", 0, 64, "engines", true},
    {"caches_global", 0, 1, "no or yes", true},
    {"fused_multiply_add", 0, 1, "no or yes", true},
    {"implicit_synchronisation", 0, 1, "no or yes", true},
    {"per_cycle", 0, 1e5, "instructions a cycle"},
};

void check(const std::string &key, double value, std::vector<std::string> &problems) {
  const Limits *limit = llvm::find_if(limits, [&](const Limits &one) { return StringRef(key).ends_with(one.ending); });
  if (limit == std::end(limits)) return;
  if (value < limit->least || value > limit->most)
    problems.push_back(llvm::formatv("{0}: {1} is implausible; it is in {2}, from {3} to {4}", key,
                                     llvm::format("%.6g", value), limit->unit, llvm::format("%.3g", limit->least),
                                     llvm::format("%.3g", limit->most)));
  else if (limit->isWhole && value != std::floor(value))
    problems.push_back(llvm::formatv("{0}: {1} is no whole number", key, llvm::format("%.6g", value)));
}

template <class Fields, class Maybes, class Part>
void checkPart(const char *name, const Fields &fields, const Maybes &maybes, const Part &part,
               std::vector<std::string> &problems) {
  for (const Field<Part> &field : fields)
    if (const Quantity &quantity = part.*field.member; quantity.kind != SourceKind::Assumed || !field.because)
      check(std::string(name) + "." + field.key, quantity.value, problems);
  for (const MaybeField<Part> &field : maybes)
    if (const MaybeQuantity &quantity = part.*field.member)
      check(std::string(name) + "." + field.key, quantity.known->value, problems);
}

} // namespace

std::vector<std::string> implausibleNumbers(const Machine &machine) {
  std::vector<std::string> problems;
  checkPart("host", hostFields, hostMaybe, machine.host, problems);
  checkPart("link", linkFields, linkMaybe, machine.link, problems);
  checkPart("gpu", gpuFields, gpuMaybe, machine.gpu, problems);
  if (machine.peer) checkPart("peer", peerFields, peerMaybe, *machine.peer, problems);
  if (machine.network) checkPart("network", networkFields, networkMaybe, *machine.network, problems);
  return problems;
}

std::vector<std::string> doubledKeys(StringRef json) {
  // Of well-formed JSON: the keys of each object that is open, and which of its keys it is the value of.
  struct Open {
    std::set<std::string> keys;
    std::string key;
    bool isObject;
  };
  std::vector<Open> open;
  std::vector<std::string> doubled;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '{' || c == '[') {
      open.push_back({{}, "", c == '{'});
    } else if ((c == '}' || c == ']') && !open.empty()) {
      open.pop_back();
    } else if (c == '"') {
      const size_t from = ++i;
      while (i < json.size() && json[i] != '"') i += json[i] == '\\' ? 2 : 1;
      const StringRef behind = json.drop_front(std::min(i + 1, json.size())).ltrim();
      if (open.empty() || !open.back().isObject || !behind.starts_with(":")) continue;
      Open &object = open.back();
      object.key = json.slice(from, i).str();
      if (object.keys.insert(object.key).second) continue;
      std::vector<std::string> path;
      for (const Open &one : open)
        if (!one.key.empty()) path.push_back(one.key);
      doubled.push_back(llvm::join(path, "."));
    }
  }
  return doubled;
}

} // namespace busfare::projection
