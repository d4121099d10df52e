//===- projection/Reference.cpp - References of a kernel, grouped and strided ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Reference.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace busfare::projection {
using namespace skeleton;

namespace {

/// The row-major position of the access; nothing if a part is not known.
std::optional<double> positionOf(const Access &access, const Array &array, const RealValues &values) {
  double position = 0;
  for (size_t d = 0; d < access.subscripts.size(); ++d) {
    std::optional<double> extent = d == 0 || !array.extents[d] ? std::optional<double>(1024) : array.extents[d]->evaluateReal(values);
    if (!access.subscripts[d].value)
      return std::nullopt;
    std::optional<double> index = access.subscripts[d].value->evaluateReal(values);
    if (!index || !extent)
      return std::nullopt;
    position = position * (d == 0 ? 1 : *extent) + *index;
  }
  return position;
}

/// The subscripts without their constant parts: equal for accesses that walk together.
std::string patternOf(const Access &access) {
  std::string pattern = access.array;
  for (const Subscript &subscript : access.subscripts) {
    pattern += '[';
    if (subscript.value) {
      Expr constantPart = 0;
      for (const Term &term : subscript.value->sum())
        if (term.factors.empty())
          constantPart = term.coefficient;
      pattern += toString(*subscript.value - constantPart);
    } else {
      pattern += '?';
    }
    pattern += ']';
  }
  return pattern;
}

} // namespace

double Reference::strideOf(const Loop &loop) const {
  auto found = strides.find(&loop);
  return found == strides.end() ? 0 : found->second;
}

std::vector<Reference> referencesOf(const Program &program, const Function &function, const Work &work,
                                    const RealValues &values) {
  std::vector<Reference> references;
  std::map<std::string, size_t> groups;
  for (const AccessCount &counted : work.accesses) {
    const Access &access = *counted.access;
    const Array *array = findArray(program, function, access.array);
    if (!array || array->isScalar() || array->perIteration || access.subscripts.size() != array->extents.size())
      continue;
    auto [entry, isNew] = groups.try_emplace(patternOf(access), references.size());
    if (isNew) {
      Reference reference;
      reference.array = access.array;
      reference.elementBytes = array->type.bytes;
      reference.loops = counted.loops;
      RealValues point = values;
      for (const Loop *loop : counted.loops)
        point[loop->index] = std::round(loop->lower.evaluateReal(point).value_or(0) +
                                        loop->step * std::floor(tripsOf(*loop, point) / 2));
      std::optional<double> here = positionOf(access, *array, point);
      reference.indirect = !here;
      for (const Loop *loop : counted.loops) {
        RealValues next = point;
        next[loop->index] += loop->step;
        if (std::optional<double> there = positionOf(access, *array, next); here && there)
          reference.strides[loop] = *there - *here;
      }
      references.push_back(std::move(reference));
    }
    Reference &group = references[entry->second];
    group.count = std::max(group.count, counted.count);
    group.accesses += counted.count * (access.kind == AccessKind::Update ? 2 : 1);
    ++group.members;
    group.reads |= access.kind != AccessKind::Write;
    group.writes |= access.kind != AccessKind::Read;
  }
  return references;
}

} // namespace busfare::projection
