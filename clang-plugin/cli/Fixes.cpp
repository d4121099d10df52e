//===- clang-plugin/cli/Fixes.cpp - Ports as fixes of a report -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Fixes.h"
#include "Programs.h"
#include "clang-plugin/port/Port.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::frontend {
using namespace port;
using projection::RegionReport;

static bool isToPort(const RegionReport &region) {
  return !region.on.empty() && region.on.front().second.verdict == projection::Verdict::Port;
}

/// The regions to port whose kernels are among those that were ported.
static std::set<std::string> regionsOf(const PortedProgram &program, const projection::Report &report) {
  std::set<std::string> ids;
  for (const RegionReport &region : report.regions)
    if (isToPort(region))
      for (const projection::KernelReport &kernel : region.on.front().second.kernels)
        if (llvm::any_of(program.kernels, [&](const PortedKernel &one) {
              return one.root == region.function && one.location == kernel.location;
            }))
          ids.insert(region.id);
  return ids;
}

static std::vector<ProposedFix::File> filesOf(const PortedProgram &program, llvm::ArrayRef<Source> sources) {
  std::vector<ProposedFix::File> files;
  for (const PortedFile &ported : program.files) {
    auto source = llvm::find_if(sources, [&](const Source &one) { return one.file == ported.file; });
    if (ported.edits.empty() || source == sources.end()) continue;
    ProposedFix::File file{realName(source->file, source->directory), ported.original, {}};
    for (const Edit &edit : inOrder(ported.edits)) file.changes.push_back({edit.offset, edit.length, edit.text});
    files.push_back(std::move(file));
  }
  return files;
}

llvm::Expected<std::vector<ProposedFix>> fixesOf(const Options &options, const projection::Report &report,
                                                 std::vector<std::string> &notes) {
  std::vector<ProposedFix> fixes;
  const bool areWanted = llvm::any_of(options.given, [](const auto &one) { return one.first == "--fixes"; });
  if (!areWanted || llvm::none_of(report.regions, isToPort)) return fixes;
  PortOptions portOptions;
  llvm::Expected<projection::Machine> machine =
      projection::loadMachine(options.machines.empty() ? projection::defaultMachine.str() : options.machines.front());
  if (!machine) return machine.takeError();
  portOptions.machine = std::move(*machine);
  portOptions.functions = options.functions;
  portOptions.parameters = options.parameters;
  portOptions.iterations = options.iterations;
  portOptions.kernels = WhichKernels::Planned;
  llvm::Expected<std::vector<Source>> all = sourcesOf(options);
  if (!all) return all.takeError();
  std::vector<Source> sources; // a file is changed in one way
  for (Source &source : *all)
    if (!source.isSkeleton && llvm::none_of(sources, [&](const Source &one) {
          return one.file == source.file && one.directory == source.directory;
        }))
      sources.push_back(std::move(source));
  llvm::Error error = withPrograms(
      sources, {Grouping::Resolved, jobsOf(options), options.trustsDirectives}, [&](OpenSources &open) -> llvm::Error {
        for (const std::unique_ptr<OpenProgram> &program : open.programs) {
          llvm::Expected<PortedProgram> ported = program->port(portOptions);
          if (!ported) return ported.takeError();
          ProposedFix fix{regionsOf(*ported, report), "", filesOf(*ported, sources)};
          if (fix.regions.empty() || fix.files.empty()) continue;
          fix.description = "OpenMP target code for " + std::to_string(ported->kernels.size()) +
                            (ported->kernels.size() == 1 ? " kernel" : " kernels") + ", as `busfare port` writes it.";
          fixes.push_back(std::move(fix));
        }
        return llvm::Error::success();
      });
  if (error) // the report stands without
    notes.push_back("busfare: --fixes: " + llvm::toString(std::move(error)));
  return fixes;
}

} // namespace busfare::frontend
