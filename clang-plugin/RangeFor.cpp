//===- clang-plugin/RangeFor.cpp - Range-for loops ----------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `for (double &x : a)` counts the elements of an array; what else the body carries
// is unknown in each iteration.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

Flow Walker::executeRangeFor(const clang::CXXForRangeStmt *stmt) {
  if (stmt->getInit()) execute(stmt->getInit());
  const clang::Expr *range = stmt->getRangeInit();
  const clang::VarDecl *item = stmt->getLoopVariable();
  clang::QualType type = range->getType().getNonReferenceType();
  if (classOf(type) != TypeClass::Array || !item || !range->isGLValue()) {
    unsupported(stmt, "range-for over this type");
    return Flow();
  }
  Place array = lvalue(range->IgnoreImplicit());
  std::vector<std::optional<Symbolic>> dimensions = dimensionsOf(type);
  skeleton::Loop loop;
  loop.form = skeleton::LoopForm::RangeFor;
  loop.location = locate(stmt);
  loop.index = freshName("it");
  loop.lower = Symbolic(0);
  loop.upper = dimensions.empty() || !dimensions[0] ? Symbolic(0) : *dimensions[0] - 1;
  Symbolic symbol = Symbolic::symbol(loop.index);
  LoopParts parts;
  parts.stmt = stmt, parts.body = stmt->getBody();
  std::set<std::string> changed = changedBy(parts);
  // What the body carries is not followed here: unknown in each iteration and after.
  flush();
  Block *outer = out;
  Environment before = st.env;
  Frame frame;
  frame.id = ++st.loops;
  frame.changed = changed;
  st.frames.push_back(frame);
  out = &loop.body;
  unsigned mark = st.counter;
  st.symbols[loop.index] = {loop.index, false, false, 0, ++st.counter, {}, {}};
  size_t facts = st.ranges.mark();
  st.ranges.assume(symbol);
  st.ranges.assume(loop.upper - symbol);
  for (const std::string &name : changed) clobber(name, loop.location);
  if (mayExchange(stmt->getBody())) {
    Steps steps = tryOnce(parts, changed, {}, {});
    st.frames.back().rotated = steps.rotated;
    loseTrack(steps.rotated, {}, loop.location);
  }
  noteCarriedPointers(parts, changed, {}, false);
  clang::QualType element = context.getAsArrayType(type)->getElementType();
  Pointer at = step(decay(array), symbol, element);
  Place place = dereference(at, element, range);
  if (item->getType()->isReferenceType())
    st.references[llvm::cast<clang::ValueDecl>(item->getCanonicalDecl())] = place;
  else {
    Place copy = placeOfVariable(item, item->getLocation());
    if (!copy.at.object.empty() && llvm::is_contained(st.objectOrder, copy.at.object)) object(copy.at.object).array.perIteration = true;
    read(place, loop.location);
    if (!copy.variable.empty() && classOf(copy.type) == TypeClass::Integer)
      assignInteger(copy, Value{freshSymbol(copy.variable, textOf(range), loop.location, true)}, loop.location);
    else
      write(copy, loop.location);
  }
  Flow flow = execute(stmt->getBody());
  noteCarriedPointers(parts, changed, {}, true);
  flush();
  loop.mayExitEarly = st.frames.back().exitsEarly || (flow.may & (Returns | Leaves));
  std::set<std::string> rotated = st.frames.back().rotated;
  st.frames.pop_back();
  st.ranges.forget(facts);
  out = outer;
  if (loop.mayExitEarly) find(Rule::EarlyExit, loop.location, "this loop may be left early (break, return or goto)");
  bool opaque = st.env.opaque;
  out->push_back(std::move(loop));
  st.env = before;
  st.env.opaque |= opaque;
  for (const std::string &name : changed) clobber(name, locate(stmt));
  loseTrack(rotated, {}, locate(stmt));
  exportValues(mark, locate(stmt));
  Flow result;
  result.may = flow.may & ~unsigned(Breaks | Continues);
  return result;
}

} // namespace busfare::frontend
