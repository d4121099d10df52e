//===- test/generator/BuildLoops.cpp - Random loops ------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/generator/Builder.h"
#include <algorithm>

namespace busfare::generator {

namespace {
std::string indexName(size_t depth) { return std::string(1, "ijklpr"[depth % 6]); }
} // namespace

/// A loop whose index stays in [0, extent). whole: it takes every value.
Builder::Opened Builder::openLoop(int64_t extent, const std::vector<Index> &indices, bool whole, int64_t about) {
  Opened o;
  int64_t low = 0, high = extent - 1, step = 1;
  Ex lowText = integer(0), endText; // endText: one past the last
  if (!whole) {
    switch (weighted({50, 18, 10, 10, 12})) {
    case 1: // without the rim
      if (extent >= 3) {
        low = 1;
        high = extent - 2;
        lowText = integer(1);
      }
      break;
    case 2: // some part
      low = pick(extent);
      high = between(low, extent - 1);
      lowText = integer(low);
      break;
    case 3: step = between(2, 3); break;
    case 4: // a triangle
      if (!indices.empty()) {
        const Index &other = oneOf(indices);
        if (other.low >= 0 && other.high < extent && chance(0.5)) {
          low = other.low;
          lowText = scalar(other.variable);
        } else if (other.low >= 0 && other.high < extent) {
          high = other.high;
          endText = plus(scalar(other.variable), 1);
        }
      }
      break;
    default: break;
    }
  }
  if (!endText) endText = sizeText(high + 1, about ? about : extent);
  bool isTriangle = lowText->kind == Expression::Kind::Scalar || high != extent - 1;
  bool down = chance(0.12);
  size_t form = weighted({90, 5, 5});
  if (form == 2 && (isTriangle || low > high)) form = 0; // a do loop runs at least once
  Variable v;
  v.name = form == 0 ? indexName(indices.size() + outer.size()) : fresh("k");
  int variable = declare(v);
  o.index = {variable, low, high};
  Ex i = scalar(variable);
  Ex first = down ? plus(endText, -1) : lowText;
  Ex condition;
  if (down)
    condition = chance(0.6) || lowText->kind != Expression::Kind::Integer || lowText->number == 0
                    ? binary(Operator::GreaterEqual, i, lowText)
                    : binary(Operator::Greater, i, plus(lowText, -1));
  else condition = chance(0.8) ? binary(Operator::Less, i, endText) : binary(Operator::LessEqual, i, plus(endText, -1));
  if (!down && step == 1 && !isTriangle && chance(0.04)) condition = binary(Operator::NotEqual, i, endText);
  o.loop.variable = variable;
  o.loop.step = down ? -step : step;
  o.loop.condition = condition;
  if (form == 0) {
    o.loop.kind = Statement::Kind::For;
    o.loop.value = first;
    return o;
  }
  o.loop.kind = form == 1 ? Statement::Kind::While : Statement::Kind::Do;
  o.before.push_back(declareStatement(variable, first));
  if (form == 2 && chance(0.5)) {
    o.loop.kind = Statement::Kind::DoStepping;
    return o;
  }
  o.last.push_back(assign(i, integer(step), down ? AssignOp::Subtract : AssignOp::Add));
  return o;
}

/// The loops around the body, the first outermost.
Statements Builder::close(std::vector<Opened> loops, Statements body) {
  while (!loops.empty()) {
    Opened o = std::move(loops.back());
    loops.pop_back();
    for (Statement &s : o.last) body.push_back(std::move(s));
    o.loop.body = std::move(body);
    body = std::move(o.before);
    body.push_back(std::move(o.loop));
  }
  return body;
}

} // namespace busfare::generator
