//===- projection/SectionLines.cpp - Reports that stop early -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Domain.h"
#include "brs/Presburger.h"
#include "projection/BoundSizes.h"
#include "projection/Coverage.h"
#include "projection/Describe.h"
#include "projection/Project.h"
#include "projection/ProjectParts.h"
#include "projection/SizeUses.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::projection {
using namespace skeleton;

namespace {

/// What a block touches, a name a time.
class SectionLister {
public:
  SectionLister(const Program &program, const Root &root, std::vector<SectionLine> &lines)
      : program(program), root(root), lines(lines) {
    if (hasFixed(root)) followFixed(program, root, followed.emplace());
  }

  void add(llvm::ArrayRef<Node> block, const Location &location, const std::string &function, const char *scope);
  void addNests(const Block &block);

private:
  const Program &program;
  const Root &root;
  std::vector<SectionLine> &lines;
  std::optional<Root> followed; ///< With an object behind each pointer that is fixed.

  void add(const Root &of, const brs::Effects &effects, bool isFixed, const Location &location,
           const std::string &function, const char *scope);
};

void SectionLister::add(llvm::ArrayRef<Node> block, const Location &location, const std::string &function,
                        const char *scope) {
  add(root, brs::effectsOf(program, root.function, block, brs::Nest(root.context), &root.effects), false, location,
      function, scope);
  if (followed)
    add(*followed, brs::effectsOf(program, followed->function, block, brs::Nest(root.context), &followed->effects),
        true, location, function, scope);
}

void SectionLister::add(const Root &of, const brs::Effects &effects, bool isFixed, const Location &location,
                        const std::string &function, const char *scope) {
  for (const auto &[name, sets] : effects.arrays) {
    const Array *array = findArray(program, of.function, name), *own = findArray(program, root.function, name);
    if (!array || (isFixed && !own->isFixed)) continue;
    auto add = [&](const char *access, const brs::SectionSet &section) {
      if (section.isSurelyEmpty()) return;
      lines.push_back(
          {function, location, name, access, compact(brs::toString(section)), section.exact, boxesOf(section), scope});
    };
    auto may = [&](const brs::ElementSet &set) {
      return set.isProvablyEmpty() ? brs::SectionSet() : set.toSections(array->extents, root.context);
    };
    add("read", may(sets.mayRead));
    add("write", may(sets.mayWrite));
    if (!sets.mustWrite.isProvablyEmpty()) add("must-write", sets.mustWrite.toSectionsInside(root.context));
    add("live-in", may(sets.exposedRead));
  }
}

void SectionLister::addNests(const Block &block) {
  for (const Node &node : block) {
    if (auto *loop = std::get_if<Loop>(&node.kind)) {
      std::string function =
          loop->context.empty() ? root.name : llvm::StringRef(loop->context.back()).split(" (").first.str();
      add(llvm::ArrayRef<Node>(node), loop->location, function, "nest");
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      addNests(branch->then);
      addNests(branch->otherwise);
    }
  }
}

} // namespace

llvm::Expected<std::vector<SectionLine>> projectSections(const Program &program, const ProjectOptions &options) {
  brs::EffortBudget budget(secondsPerProgram);
  llvm::Expected<std::vector<std::string>> names = rootsOf(program, options);
  if (!names) return names.takeError();
  std::vector<SectionLine> lines;
  const Program bound = options.parameters.empty() ? Program() : withBoundSizes(program, *names, options.parameters);
  const Program &known = options.parameters.empty() ? program : bound;
  for (const std::string &name : *names) {
    llvm::Expected<std::unique_ptr<Root>> root = analyseFor(known, name, Depth::Shapes, options);
    if (!root) return root.takeError();
    SectionLister lister(known, **root, lines);
    lister.add((*root)->function.body, (*root)->function.location, name, "function");
    lister.addNests((*root)->function.body);
  }
  return lines;
}

llvm::Expected<std::vector<SizeLine>> projectSizes(const Program &program, const ProjectOptions &options) {
  brs::EffortBudget budget(secondsPerProgram);
  llvm::Expected<std::vector<std::string>> names = rootsOf(program, options);
  if (!names) return names.takeError();
  std::vector<SizeLine> lines;
  for (const std::string &name : *names) {
    llvm::Expected<std::unique_ptr<Root>> root = analyseFor(program, name, Depth::Shapes, options);
    if (!root) return root.takeError();
    std::optional<MatchedProfile> profile;
    if (options.profile) profile.emplace(*options.profile, program);
    llvm::Expected<Sizes> sizes = sizesFor(program, **root, options, profile ? &*profile : nullptr);
    if (!sizes) return sizes.takeError();
    llvm::append_range(lines, sizesOf(program, **root, *sizes));
  }
  return lines;
}

} // namespace busfare::projection
