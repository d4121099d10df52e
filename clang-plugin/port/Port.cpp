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

/// A root, and the transfers of its plans: by the loops that stay on the host.
struct Analysed {
  std::unique_ptr<projection::Root> root;
  brs::KernelLoops onHost;                                     ///< Of root->transfers.
  std::map<brs::KernelLoops, brs::TransferAnalysis> otherPlans;
};

class UnitPorter : public OpenUnit {
public:
  UnitPorter(std::string file, const Program &skeletons, const UnitPoints &points, clang::ASTContext &context)
      : file(std::move(file)), skeletons(skeletons), context(context), points(points) {}

  const Program &program() const override { return skeletons; }
  llvm::Expected<const projection::Root *> root(const std::string &name) override;
  llvm::Expected<PortedUnit> port(const PortOptions &options) override;

private:
  std::string file;
  const Program &skeletons;
  clang::ASTContext &context;
  const UnitPoints &points;
  std::map<std::string, Analysed> roots;

  llvm::Expected<Analysed *> analysed(const std::string &name);
  void setOnHost(Analysed &one, const brs::KernelLoops &onHost);
  llvm::Error orderUnit(const PortOptions &options, PortedUnit &unit);
};

/// One port of it.
class Porting {
public:
  Porting(const Program &program, const UnitPoints &points, clang::ASTContext &context, const PortOptions &options, PortedUnit &unit)
      : program(program), options(options), unit(unit), context(context), instances(points, context) {}

  llvm::Error portRoot(const projection::Root &root, llvm::function_ref<void(const brs::KernelLoops &)> setOnHost);
  void finish();

private:
  const Program &program;
  const PortOptions &options;
  PortedUnit &unit;
  clang::ASTContext &context;
  Instances instances;
  unsigned regions = 0;

  bool portRegions(const projection::Root &root, const projection::Sizes &sizes, brs::KernelLoops &onHost);
  void addIncludes();
};

/// True if nothing more is to be tried; else onHost has grown.
bool Porting::portRegions(const projection::Root &root, const projection::Sizes &sizes, brs::KernelLoops &onHost) {
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
      unit.findings.push_back({Rule::NotPorted, Level::Warning, refusal->at, "not ported: " + refusal->reason});
      continue;
    }
    for (const Loop *loop : refusal->kernels) {
      onHost.insert(loop);
      auto own = refusal->reasons.find(loop);
      unit.findings.push_back({Rule::NotPorted, Level::Warning, loop->location,
                               "this loop stays on the host: " + (own == refusal->reasons.end() ? refusal->reason : own->second)});
    }
    return false;
  }
  return true;
}

llvm::Error Porting::portRoot(const projection::Root &root, llvm::function_ref<void(const brs::KernelLoops &)> setOnHost) {
  llvm::Expected<projection::Sizes> sizes = projection::bindSizes(program, root.function, options.parameters);
  if (!sizes)
    return sizes.takeError();
  std::vector<std::string> unknown = projection::unknownParameters(program, root.function, *sizes, options.parameters);
  for (const auto &[parameter, value] : options.parameters)
    if (!llvm::is_contained(unknown, parameter))
      unit.knownParameters.push_back(parameter);
  for (const auto &[symbol, value] : sizes->bySymbol)
    if (sizes->isAssumed(symbol) && !sizes->conditionsOnly.count(symbol))
      unit.assumedSizes.push_back(projection::scopedName(root.name, symbol));
  // Every failed attempt leaves at least one more loop on the host, so this ends.
  brs::KernelLoops onHost;
  setOnHost(onHost);
  while (!portRegions(root, *sizes, onHost))
    setOnHost(onHost);
  return llvm::Error::success();
}

/// omp.h if a copy needs it, prototypes of the watch library if it is asked; before the first declaration of the file
/// itself is too early for `size_t`, so behind the last #include of its head.
void Porting::addIncludes() {
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

void Porting::finish() {
  unit.edits = instances.edits();
  if (!unit.edits.empty())
    addIncludes();
  unit.text = port::apply(unit.original, unit.edits);
}

llvm::Expected<Analysed *> UnitPorter::analysed(const std::string &name) {
  Analysed &one = roots[name];
  if (!one.root) {
    llvm::Expected<std::unique_ptr<projection::Root>> made = projection::analyseRoot(skeletons, name, projection::Depth::Transfers);
    if (!made)
      return made.takeError();
    one.root = std::move(*made);
  }
  return &one;
}

llvm::Expected<const projection::Root *> UnitPorter::root(const std::string &name) {
  llvm::Expected<Analysed *> one = analysed(name);
  if (!one)
    return one.takeError();
  return (*one)->root.get();
}

/// Plans are moved in and out as a whole, so that what points to their regions and copies goes on doing so.
void UnitPorter::setOnHost(Analysed &one, const brs::KernelLoops &onHost) {
  if (one.onHost == onHost)
    return;
  projection::Root &root = *one.root;
  one.otherPlans[one.onHost] = std::move(root.transfers);
  if (auto known = one.otherPlans.find(onHost); known != one.otherPlans.end())
    root.transfers = std::move(known->second);
  else
    root.transfers = brs::analyseTransfers(skeletons, root.function, root.dependence, root.context, root.name == "main", onHost, &root.effects);
  one.onHost = onHost;
}

/// Serial, every parallel loop in an order asked for at run time.
llvm::Error UnitPorter::orderUnit(const PortOptions &options, PortedUnit &unit) {
  std::vector<const projection::Root *> all;
  for (const std::string &name : unit.roots) {
    llvm::Expected<Analysed *> one = analysed(name);
    if (!one)
      return one.takeError();
    all.push_back((*one)->root.get());
  }
  unit.edits = orderEdits(skeletons, all, points, context, unit.findings);
  unit.text = port::apply(unit.original, unit.edits);
  return llvm::Error::success();
}

llvm::Expected<PortedUnit> UnitPorter::port(const PortOptions &options) {
  PortedUnit unit;
  unit.file = file;
  const clang::SourceManager &sources = context.getSourceManager();
  unit.original = sources.getBufferData(sources.getMainFileID()).str();
  for (const std::string &name : options.functions.empty() ? skeleton::roots(skeletons) : options.functions)
    if (findFunction(skeletons, name))
      unit.roots.push_back(name);
  if (options.variant == Variant::Ordered) {
    if (llvm::Error error = orderUnit(options, unit))
      return error;
    return unit;
  }
  Porting porting(skeletons, points, context, options, unit);
  const std::vector<std::string> names = unit.roots; // a failed attempt sets the unit back
  for (const std::string &name : names) {
    llvm::Expected<Analysed *> one = analysed(name);
    if (!one)
      return one.takeError();
    if (llvm::Error error = porting.portRoot(*(*one)->root, [&](const brs::KernelLoops &onHost) { setOnHost(**one, onHost); }))
      return error;
  }
  porting.finish();
  return unit;
}

} // namespace

llvm::Error withUnit(const Source &source, llvm::function_ref<llvm::Error(OpenUnit &)> use) {
  llvm::Error failure = llvm::Error::success();
  bool wasRead = false;
  ExtractResult extracted = extractUnit(source.file, source.arguments, source.directory,
                                        [&](clang::ASTContext &context, const Program &program, const UnitPoints &points) {
    wasRead = true;
    UnitPorter unit(source.file, program, points, context);
    failure = llvm::joinErrors(std::move(failure), use(unit));
  });
  if (failure || (wasRead && extracted.parsed))
    return failure;
  std::string why = source.file + ": cannot be parsed";
  for (const Diagnostic &diagnostic : extracted.diagnostics)
    if (diagnostic.level == Level::Error) {
      why = toString(diagnostic.location) + ": error: " + diagnostic.message;
      break;
    }
  return llvm::createStringError(llvm::inconvertibleErrorCode(), why);
}

llvm::Expected<PortedUnit> portUnit(const Source &source, const PortOptions &options) {
  std::optional<PortedUnit> unit;
  llvm::Error error = withUnit(source, [&](OpenUnit &open) -> llvm::Error {
    llvm::Expected<PortedUnit> ported = open.port(options);
    if (!ported)
      return ported.takeError();
    unit = std::move(*ported);
    return llvm::Error::success();
  });
  if (error)
    return error;
  return std::move(*unit);
}

} // namespace busfare::frontend::port
