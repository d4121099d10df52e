//===- runtime-bench/compare/Projected.cpp - What a report says of times ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/compare/Projected.h"
#include "llvm/Support/JSON.h"

using llvm::StringRef;

namespace busfare::bench {

static ProjectedRegion regionOf(const llvm::json::Object &region) {
  ProjectedRegion found;
  found.id = region.getString("id").value_or("").str();
  found.runs = region.getNumber("runs").value_or(1);
  const llvm::json::Object *times = region.getObject("time_s"), *plan = region.getObject("plan");
  if (!times || !plan) return found;
  auto seconds = [&](StringRef key) { return times->getNumber(key).value_or(0); };
  found.host = seconds("cpu");
  found.h2d = seconds("h2d");
  found.d2h = seconds("d2h");
  // What is not part of any strategy, host statements above all, stays the same under each.
  const double beside = seconds("total") - plan->getNumber("time_s").value_or(seconds("total"));
  if (std::optional<double> time = plan->getNumber("explicit_s")) found.strategies["explicit"] = *time + beside;
  if (std::optional<StringRef> chosen = plan->getString("strategy")) found.strategies[chosen->str()] = seconds("total");
  if (const llvm::json::Array *others = plan->getArray("alternatives"))
    for (const llvm::json::Value &other : *others) {
      const llvm::json::Object *one = other.getAsObject();
      const std::string name = one ? one->getString("strategy").value_or("").str() : "";
      if (name.empty() || found.strategies.count(name)) continue;
      if (std::optional<double> time = one->getNumber("time_s")) found.strategies[name] = *time + beside;
      else found.whyNot[name] = one->getString("why_not").value_or("it has no price").str();
    }
  return found;
}

llvm::Expected<ProjectedProgram> readProjected(StringRef text, StringRef file) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) return llvm::createStringError(file + ": not JSON: " + llvm::toString(value.takeError()));
  const llvm::json::Object *object = value->getAsObject();
  const llvm::json::Array *regions = object ? object->getArray("regions") : nullptr;
  const llvm::json::Array *machines = object ? object->getArray("machines") : nullptr;
  if (!regions || !machines || machines->empty())
    return llvm::createStringError(file + ": expected what `busfare analyze --format json` writes");
  if (regions->empty()) return llvm::createStringError(file + ": the report has no region to hold a run against");
  ProjectedProgram program;
  if (const llvm::json::Object *machine = machines->front().getAsObject())
    program.machine = machine->getString("name").value_or("").str();
  std::map<std::pair<std::string, long>, ProjectedKernel> kernels;
  for (const llvm::json::Value &each : *regions) {
    const llvm::json::Object *region = each.getAsObject();
    if (!region) continue;
    if (const llvm::json::Object *plan = region->getObject("plan"); plan && program.regions.empty())
      program.isPinned = plan->getString("memory") != "pageable";
    program.regions.push_back(regionOf(*region));
    const llvm::json::Array *listed = region->getArray("kernels");
    if (!listed) continue;
    for (const llvm::json::Value &one : *listed) {
      const llvm::json::Object *kernel = one.getAsObject();
      const llvm::json::Object *place = kernel ? kernel->getObject("location") : nullptr;
      if (!place) continue;
      const std::string source = place->getString("file").value_or("").str();
      const long line = long(place->getInteger("line").value_or(0));
      ProjectedKernel &same = kernels[{source, line}];
      same.file = source;
      same.line = line;
      same.onDevice = kernel->getString("planned_on").value_or("device") != "host";
      const double launches = kernel->getNumber("launches").value_or(1) * program.regions.back().runs;
      same.launches += launches;
      same.seconds += launches * kernel->getNumber("time_s").value_or(0);
    }
  }
  for (auto &[key, kernel] : kernels) program.kernels.push_back(std::move(kernel));
  return program;
}

} // namespace busfare::bench
