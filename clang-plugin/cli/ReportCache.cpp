//===- clang-plugin/cli/ReportCache.cpp - Programs analysed before -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ReportCache.h"
#include "clang-plugin/units/Identity.h"
#include "projection/report/ReportBytes.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;

namespace busfare::frontend {

/// Of a machine or profile that is a file, what is in it; a machine of the program's own has none.
static std::string contentsOf(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  return buffer ? digestOf((*buffer)->getBuffer()) : "none";
}

ReportCache::ReportCache(std::shared_ptr<Cache> cache, const Options &options) : cache(std::move(cache)) {
  if (!this->cache) return;
  llvm::raw_string_ostream os(asked);
  os << (options.command == "loops" ? "loops" : "report") << '\n';
  for (const std::string &machine : options.machines) os << "machine " << machine << ' ' << contentsOf(machine) << '\n';
  if (!options.host.empty()) os << "host " << options.host << ' ' << contentsOf(options.host) << '\n';
  for (const std::string &function : options.functions) os << "function " << function << '\n';
  for (const auto &[name, value] : options.parameters) os << "parameter " << name << ' ' << value << '\n';
  for (const auto &[region, seconds] : options.cpuTimes)
    os << "cpu time " << region << ' ' << llvm::format("%a", seconds) << '\n';
  os << "runs " << options.runs.value_or(0) << ' ' << options.manyRuns << '\n';
  if (options.iterations) os << "iterations " << *options.iterations << '\n';
  if (!options.profile.empty()) os << "profile " << options.profile << ' ' << contentsOf(options.profile) << '\n';
  os << "threads " << options.threads << " processes " << options.processes << " strict " << options.strict
     << " trusts " << options.trustsDirectives;
}

std::string ReportCache::keyOfProgram(const ReadResult &read, size_t program) const {
  std::vector<StringRef> texts = {"report", programIdentity(), asked, read.programs.size() > 1 ? "several" : "one"};
  for (size_t unit : read.programs[program]) {
    texts.push_back(read.units[unit].file);
    texts.push_back(read.units[unit].digest);
  }
  return keyOf(texts);
}

std::optional<projection::Report> ReportCache::load(const ReadResult &read, size_t program) const {
  std::optional<std::string> bytes = cache ? cache->load(keyOfProgram(read, program)) : std::nullopt;
  return bytes ? projection::reportFrom(*bytes) : std::nullopt;
}

void ReportCache::store(const ReadResult &read, size_t program, const projection::Report &report) const {
  if (cache) cache->store(keyOfProgram(read, program), projection::bytesOf(report));
}

} // namespace busfare::frontend
