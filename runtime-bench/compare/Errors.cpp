//===- runtime-bench/compare/Errors.cpp - Projected against measured ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/compare/Errors.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using busfare::projection::Direction;
using busfare::projection::HostMemory;

namespace busfare::bench {

llvm::StringRef toString(RowKind kind) {
  switch (kind) {
  case RowKind::Kernel: return "kernel";
  case RowKind::Kernels: return "kernels";
  case RowKind::Transfer: return "transfer";
  case RowKind::Copies: return "copies";
  case RowKind::Plan: return "plan";
  case RowKind::Host: return "host";
  case RowKind::Speedup: return "speedup";
  }
  return "";
}

double errorOf(const ErrorRow &row) { return row.projected / row.measured - 1; }

static double sumOf(const std::vector<double> &values) { return std::accumulate(values.begin(), values.end(), 0.0); }

namespace {

/// The rows of one program, as they come.
class Joiner {
public:
  Joiner(const std::string &program, const ProjectedProgram &projected) : program(program), projected(projected) {}
  void addKernels(const Variant &variant);
  void addCopies(const Variant &variant, const projection::Link &link, HostMemory memory);
  void addPlan(const Variant &variant);
  void addHost(const HostVariant &host);
  void addSpeedups(const Variant &variant, const HostVariant &host);
  Comparison result;

private:
  void row(const std::string &variant, RowKind kind, std::string what, double count, double bytes, double measured,
           double projectedTime);
  void note(const std::string &variant, const std::string &text) {
    result.notes.push_back(program + ", " + variant + ": " + text);
  }
  std::optional<double> planOf(const std::string &variant, std::string &why) const;

  const std::string &program;
  const ProjectedProgram &projected;
};

} // namespace

void Joiner::row(const std::string &variant, RowKind kind, std::string what, double count, double bytes,
                 double measured, double projectedTime) {
  if (measured <= 0 || projectedTime <= 0)
    return note(variant,
                std::string(toString(kind)) + " " + what + (measured <= 0 ? " took no time" : " has no price"));
  result.rows.push_back({program, variant, kind, std::move(what), count, bytes, measured, projectedTime});
}

void Joiner::addKernels(const Variant &variant) {
  const std::vector<TimedKernel> &ran = variant.run.kernels;
  // A port of a plan leaves out what stays on the host; a port of every kernel has all.
  std::vector<const ProjectedKernel *> all, planned;
  for (const ProjectedKernel &kernel : projected.kernels) {
    all.push_back(&kernel);
    if (kernel.onDevice) planned.push_back(&kernel);
  }
  const std::vector<const ProjectedKernel *> &wanted = all.size() == ran.size() ? all : planned;
  bool oneFile = true;
  for (const TimedKernel &kernel : ran) oneFile &= kernel.line > 0 && kernel.file == ran.front().file;
  for (const ProjectedKernel *kernel : wanted) oneFile &= kernel->file == wanted.front()->file;
  double measured = 0, price = 0, launches = 0;
  for (const TimedKernel &kernel : ran) measured += sumOf(kernel.seconds), launches += double(kernel.seconds.size());
  for (const ProjectedKernel *kernel : wanted) price += kernel->seconds;
  if (!oneFile || wanted.size() != ran.size()) {
    note(variant.name, std::to_string(ran.size()) + " kernels ran, " + std::to_string(wanted.size()) +
                           " are projected" + (oneFile ? "" : ", of several files") +
                           ": they cannot be told apart, only their sum is compared");
  } else {
    for (size_t i = 0; i < ran.size(); ++i) {
      const std::string what = wanted[i]->file + ":" + std::to_string(wanted[i]->line);
      const double count = double(ran[i].seconds.size());
      if (std::fabs(count - wanted[i]->launches) > 0.5)
        note(variant.name, what + " ran " + std::to_string(size_t(count)) + " times, projected are " +
                               std::to_string(std::llround(wanted[i]->launches)) + " launches");
      row(variant.name, RowKind::Kernel, what, count, 0, sumOf(ran[i].seconds) / count,
          wanted[i]->seconds / wanted[i]->launches);
    }
  }
  if (!ran.empty()) row(variant.name, RowKind::Kernels, "all", launches, 0, measured, price);
}

void Joiner::addCopies(const Variant &variant, const projection::Link &link, HostMemory memory) {
  for (bool toDevice : {true, false}) {
    const char *way = toDevice ? "h2d" : "d2h";
    double measured = 0, count = 0, bytes = 0, price = 0;
    for (const TimedCopies &copies : variant.run.copies) {
      if (copies.toDevice != toDevice) continue;
      const double number = double(copies.seconds.size());
      row(variant.name, RowKind::Transfer, way, number, double(copies.bytes), sumOf(copies.seconds) / number,
          projection::transferTime(link, toDevice ? Direction::ToDevice : Direction::ToHost, memory,
                                   double(copies.bytes)));
      measured += sumOf(copies.seconds), count += number, bytes += number * double(copies.bytes);
    }
    for (const ProjectedRegion &region : projected.regions) price += region.runs * (toDevice ? region.h2d : region.d2h);
    if (count > 0) row(variant.name, RowKind::Copies, way, count, bytes, measured, price);
    else if (price > 0) note(variant.name, std::string("no copy ") + way + " ran, though some are projected");
  }
}

/// s of all regions by that strategy.
std::optional<double> Joiner::planOf(const std::string &variant, std::string &why) const {
  double sum = 0;
  for (const ProjectedRegion &region : projected.regions) {
    auto found = region.strategies.find(variant);
    if (found == region.strategies.end()) {
      auto reason = region.whyNot.find(variant);
      why = region.id + " has no price by this strategy" + (reason == region.whyNot.end() ? "" : ": " + reason->second);
      return std::nullopt;
    }
    sum += region.runs * found->second;
  }
  return sum;
}

void Joiner::addPlan(const Variant &variant) {
  std::string why;
  if (std::optional<double> price = planOf(variant.name, why))
    row(variant.name, RowKind::Plan, "all", 1, 0, *variant.run.span, *price);
  else note(variant.name, why);
}

void Joiner::addHost(const HostVariant &host) {
  for (const ProjectedRegion &region : host.projected.regions) {
    auto found = host.run.regions.find(region.id);
    if (found == host.run.regions.end()) note(host.name, region.id + " is not in the profile");
    else row(host.name, RowKind::Host, region.id, 1, 0, found->second, region.host);
  }
}

void Joiner::addSpeedups(const Variant &variant, const HostVariant &host) {
  std::string why;
  std::optional<double> price = planOf(variant.name, why);
  double measured = 0, projectedHost = 0;
  for (const ProjectedRegion &region : host.projected.regions) {
    auto found = host.run.regions.find(region.id);
    if (found == host.run.regions.end()) return;
    measured += region.runs * found->second;
    projectedHost += region.runs * region.host;
  }
  if (price && *price > 0 && *variant.run.span > 0)
    row(variant.name, RowKind::Speedup, "over " + host.name, 1, 0, measured / *variant.run.span,
        projectedHost / *price);
}

Comparison compare(const std::string &program, const ProjectedProgram &projected, const projection::Link &link,
                   HostMemory memory, const std::vector<Variant> &variants, const std::vector<HostVariant> &hosts) {
  Joiner joiner(program, projected);
  for (const Variant &variant : variants) {
    joiner.addKernels(variant);
    joiner.addCopies(variant, link, memory);
    joiner.addPlan(variant);
  }
  for (const HostVariant &host : hosts) joiner.addHost(host);
  for (const Variant &variant : variants)
    for (const HostVariant &host : hosts) joiner.addSpeedups(variant, host);
  return std::move(joiner.result);
}

Spread spreadOf(const std::vector<ErrorRow> &rows, RowKind kind) {
  Spread spread;
  double squares = 0;
  for (const ErrorRow &row : rows)
    if (row.kind == kind) {
      const double logarithm = std::log(row.projected / row.measured);
      squares += logarithm * logarithm;
      ++spread.samples;
    }
  if (spread.samples) spread.deviation = std::sqrt(squares / double(spread.samples));
  return spread;
}

} // namespace busfare::bench
