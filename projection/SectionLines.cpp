//===- projection/SectionLines.cpp - Reports that stop early -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Project.h"
#include "brs/Domain.h"
#include "brs/Presburger.h"
#include "projection/Describe.h"
#include "projection/ProjectParts.h"
#include "projection/SizeUses.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::projection {
using namespace skeleton;

namespace {

void addSections(const Program &program, const Root &root, llvm::ArrayRef<Node> block, const Location &location,
                 const std::string &function, const char *scope, std::vector<SectionLine> &lines) {
  brs::Effects effects = brs::effectsOf(program, root.function, block, brs::Nest(root.context), &root.effects);
  for (const auto &[name, sets] : effects.arrays) {
    const Array *array = findArray(program, root.function, name);
    if (!array)
      continue;
    auto add = [&](const char *access, const brs::SectionSet &section) {
      if (section.isSurelyEmpty())
        return;
      lines.push_back({function, location, name, access, compact(brs::toString(section)), section.exact, boxesOf(section), scope});
    };
    auto may = [&](const brs::ElementSet &set) {
      return set.isProvablyEmpty() ? brs::SectionSet() : set.toSections(array->extents, root.context);
    };
    add("read", may(sets.mayRead));
    add("write", may(sets.mayWrite));
    if (!sets.mustWrite.isProvablyEmpty())
      add("must-write", sets.mustWrite.toSectionsInside(root.context));
    add("live-in", may(sets.exposedRead));
  }
}

void addNestSections(const Program &program, const Root &root, const Block &block, std::vector<SectionLine> &lines) {
  for (const Node &node : block) {
    if (auto *loop = std::get_if<Loop>(&node.kind)) {
      std::string function = loop->context.empty() ? root.name : llvm::StringRef(loop->context.back()).split(" (").first.str();
      addSections(program, root, llvm::ArrayRef<Node>(node), loop->location, function, "nest", lines);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      addNestSections(program, root, branch->then, lines);
      addNestSections(program, root, branch->otherwise, lines);
    }
  }
}

} // namespace

llvm::Expected<std::vector<SectionLine>> projectSections(const Program &program, const ProjectOptions &options) {
  brs::EffortBudget budget(secondsPerProgram);
  llvm::Expected<std::vector<std::string>> names = rootsOf(program, options);
  if (!names)
    return names.takeError();
  std::vector<SectionLine> lines;
  for (const std::string &name : *names) {
    llvm::Expected<std::unique_ptr<Root>> root = analyseFor(program, name, Depth::Shapes, options);
    if (!root)
      return root.takeError();
    addSections(program, **root, (*root)->function.body, (*root)->function.location, name, "function", lines);
    addNestSections(program, **root, (*root)->function.body, lines);
  }
  return lines;
}

llvm::Expected<std::vector<SizeLine>> projectSizes(const Program &program, const ProjectOptions &options) {
  brs::EffortBudget budget(secondsPerProgram);
  llvm::Expected<std::vector<std::string>> names = rootsOf(program, options);
  if (!names)
    return names.takeError();
  std::vector<SizeLine> lines;
  for (const std::string &name : *names) {
    llvm::Expected<std::unique_ptr<Root>> root = analyseFor(program, name, Depth::Shapes, options);
    if (!root)
      return root.takeError();
    std::optional<MatchedProfile> profile;
    if (options.profile)
      profile.emplace(*options.profile, program);
    llvm::Expected<Sizes> sizes = sizesFor(program, **root, options, profile ? &*profile : nullptr);
    if (!sizes)
      return sizes.takeError();
    llvm::append_range(lines, sizesOf(program, **root, *sizes));
  }
  return lines;
}

} // namespace busfare::projection
