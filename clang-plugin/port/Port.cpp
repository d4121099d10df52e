//===- clang-plugin/port/Port.cpp - The plan as OpenMP target code --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Port.h"
#include "clang-plugin/Extract.h"
#include "clang-plugin/port/Order.h"
#include "clang-plugin/port/Region.h"
#include "projection/Judge.h"
#include "projection/Root.h"
#include "projection/Sizes.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::frontend::port {
using namespace skeleton;

namespace {

class UnitPorter {
public:
  UnitPorter(const Program &program, const UnitPoints &points, clang::ASTContext &context, const PortOptions &options, PortedUnit &unit)
      : program(program), options(options), unit(unit), context(context), points(points), instances(points, context) {}

  llvm::Error run();

private:
  const Program &program;
  const PortOptions &options;
  PortedUnit &unit;
  clang::ASTContext &context;
  const UnitPoints &points;
  Instances instances;
  unsigned regions = 0;

  llvm::Error portRoot(const std::string &name);
  bool portRegions(const projection::Root &root, const projection::Sizes &sizes, brs::KernelLoops &onHost);
  void addIncludes();
};

/// True if nothing more is to be tried; else onHost has grown.
bool UnitPorter::portRegions(const projection::Root &root, const projection::Sizes &sizes, brs::KernelLoops &onHost) {
  for (const brs::Region &region : root.transfers.regions) {
    RealValues values = sizes.realValues();
    projection::TripOverrides overrides = projection::iterationsOf(region, options.iterations);
    Instances::Mark mark = instances.mark();
    PortedUnit before = unit;
    RegionQuestion question{program, root, region, options, values, overrides, regions + 1};
    std::optional<Refusal> refusal = portRegion(question, instances, unit);
    if (!refusal) {
      ++regions;
      continue;
    }
    instances.backTo(std::move(mark));
    unit = std::move(before);
    if (refusal->kernels.empty()) {
      unit.findings.push_back({Rule::UnsupportedCode, Level::Warning, refusal->at, "not ported: " + refusal->reason});
      continue;
    }
    for (const Loop *loop : refusal->kernels) {
      onHost.insert(loop);
      unit.findings.push_back({Rule::UnsupportedCode, Level::Warning, loop->location, "this loop stays on the host: " + refusal->reason});
    }
    return false;
  }
  return true;
}

llvm::Error UnitPorter::portRoot(const std::string &name) {
  llvm::Expected<std::unique_ptr<projection::Root>> analysed = projection::analyseRoot(program, name, projection::Depth::Transfers);
  if (!analysed)
    return analysed.takeError();
  projection::Root &root = **analysed;
  llvm::Expected<projection::Sizes> sizes = projection::bindSizes(program, root.function, options.parameters);
  if (!sizes)
    return sizes.takeError();
  std::vector<std::string> unknown = projection::unknownParameters(program, root.function, *sizes, options.parameters);
  for (const auto &[parameter, value] : options.parameters)
    if (!llvm::is_contained(unknown, parameter))
      unit.knownParameters.push_back(parameter);
  for (const auto &[symbol, value] : sizes->bySymbol)
    if (sizes->isAssumed(symbol) && !sizes->conditionsOnly.count(symbol))
      unit.assumedSizes.push_back(projection::scopedName(name, symbol));
  // Every failed attempt leaves at least one more loop on the host, so this ends.
  brs::KernelLoops onHost;
  while (!portRegions(root, *sizes, onHost))
    root.transfers = brs::analyseTransfers(program, root.function, root.dependence, root.context, name == "main", onHost);
  return llvm::Error::success();
}

/// omp.h if a copy needs it, prototypes of the watch library if it is asked; before the first declaration of the file
/// itself is too early for `size_t`, so behind the last #include of its head.
void UnitPorter::addIncludes() {
  bool needsOmp = false, needsWatch = options.variant == Variant::Watched;
  for (const Edit &edit : unit.edits)
    needsOmp |= llvm::StringRef(edit.text).contains("omp_target_memcpy_rect");
  bool hasOmp = llvm::StringRef(unit.original).contains("#include <omp.h>");
  std::string lines;
  if (needsOmp && !hasOmp)
    lines += "#include <omp.h>\n";
  if (needsWatch) {
    bool isCxx = context.getLangOpts().CPlusPlus;
    lines += isCxx ? "extern \"C\" {\n" : "";
    lines += "void busfare_object(const char *, const char *, const void *, unsigned long);\nlong busfare_copy(int, long);\n"
             "void *busfare_pages(unsigned long, const void *);\nvoid busfare_value(const char *, const char *, long);\n";
    lines += isCxx ? "}\n" : "";
  }
  if (lines.empty())
    return;
  llvm::StringRef text = unit.original;
  size_t at = 0;
  int depth = 0;
  // Outside conditions: an include inside one may not be taken.
  for (size_t line = 0; line < text.size();) {
    size_t end = std::min(text.find('\n', line), text.size() - 1) + 1;
    llvm::StringRef words = text.slice(line, end).trim();
    if (words.consume_front("#")) {
      words = words.ltrim();
      depth += words.starts_with("if") ? 1 : words.starts_with("endif") ? -1 : 0;
      if (words.starts_with("include") && depth == 0)
        at = end;
    }
    line = end;
  }
  unit.edits.insert(unit.edits.begin(), {unsigned(at), 0, lines});
}

/// Serial, every parallel loop in an order asked for at run time.
static llvm::Error orderUnit(const Program &program, const UnitPoints &points, clang::ASTContext &context, const PortOptions &options,
                             PortedUnit &unit) {
  std::vector<std::unique_ptr<projection::Root>> analysed;
  std::vector<const projection::Root *> all;
  for (const std::string &name : options.functions.empty() ? roots(program) : options.functions) {
    if (!findFunction(program, name))
      continue;
    llvm::Expected<std::unique_ptr<projection::Root>> root = projection::analyseRoot(program, name, projection::Depth::Dependence);
    if (!root)
      return root.takeError();
    unit.roots.push_back(name);
    all.push_back(root->get());
    analysed.push_back(std::move(*root));
  }
  unit.edits = orderEdits(program, all, points, context, unit.findings);
  unit.text = port::apply(unit.original, unit.edits);
  return llvm::Error::success();
}

llvm::Error UnitPorter::run() {
  if (options.variant == Variant::Ordered)
    return orderUnit(program, points, context, options, unit);
  std::vector<std::string> names = options.functions.empty() ? roots(program) : options.functions;
  for (const std::string &name : names) {
    if (!findFunction(program, name))
      continue;
    unit.roots.push_back(name);
    if (llvm::Error error = portRoot(name))
      return error;
  }
  unit.edits = instances.edits();
  if (!unit.edits.empty())
    addIncludes();
  unit.text = port::apply(unit.original, unit.edits);
  return llvm::Error::success();
}

} // namespace

llvm::Expected<PortedUnit> portUnit(const Source &source, const PortOptions &options) {
  PortedUnit unit;
  unit.file = source.file;
  llvm::Error failure = llvm::Error::success();
  bool wasRead = false;
  ExtractResult extracted = extractUnit(source.file, source.arguments, source.directory,
                                        [&](clang::ASTContext &context, const Program &program, const UnitPoints &points) {
    wasRead = true;
    const clang::SourceManager &sources = context.getSourceManager();
    unit.original = sources.getBufferData(sources.getMainFileID()).str();
    failure = llvm::joinErrors(std::move(failure), UnitPorter(program, points, context, options, unit).run());
  });
  if (failure)
    return std::move(failure);
  if (!wasRead || !extracted.parsed) {
    std::string why = source.file + ": cannot be parsed";
    for (const Diagnostic &diagnostic : extracted.diagnostics)
      if (diagnostic.level == Level::Error) {
        why = toString(diagnostic.location) + ": error: " + diagnostic.message;
        break;
      }
    return llvm::createStringError(llvm::inconvertibleErrorCode(), why);
  }
  return unit;
}

} // namespace busfare::frontend::port
