//===- clang-plugin/walk/Gotos.cpp - Jumps to labels ---------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A goto that leads ahead, to a label further on in a list of statements around it, is a
// branch around what lies between; out of a loop it leaves it, to the end of a loop's
// body it continues it:
//
//   for (...) {
//     if (a[i] <= 0) goto next;        if not (a[i] <= 0)
//     b[i] = sqrt(a[i]);                 b[i] = sqrt(a[i]);
//   next: c[i] = 0;                    c[i] = 0;
//   }
//
// Any other goto (backwards, into a block) makes the statements from the first to the
// last that it can lead to one host statement, which may touch whatever they name.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

namespace {

void forEachStmt(const clang::Stmt *stmt, llvm::function_ref<void(const clang::Stmt *)> f) {
  if (!stmt) return;
  f(stmt);
  for (const clang::Stmt *child : partsOf(stmt)) forEachStmt(child, f);
}

unsigned countGotos(llvm::ArrayRef<const clang::Stmt *> stmts, const clang::LabelDecl *label) {
  unsigned count = 0;
  for (const clang::Stmt *stmt : stmts)
    forEachStmt(stmt, [&](const clang::Stmt *one) {
      const auto *jump = llvm::dyn_cast<clang::GotoStmt>(one);
      count += jump && jump->getLabel() == label;
    });
  return count;
}

/// Has some list of statements in it the label and all that jumps there? (Not if one side of an `if` leads into the
/// other.)
bool hasListWithAll(const clang::Stmt *stmt, const clang::LabelDecl *label, unsigned count) {
  bool found = false;
  forEachStmt(stmt, [&](const clang::Stmt *one) {
    if (!llvm::isa<clang::CompoundStmt>(one) || countGotos({one}, label) != count) return;
    forEachStmt(one, [&](const clang::Stmt *inner) {
      const auto *target = llvm::dyn_cast<clang::LabelStmt>(inner);
      found |= target && target->getDecl() == label;
    });
  });
  return found;
}

bool alwaysJumps(const clang::Stmt *stmt) {
  if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(stmt))
    return !block->body_empty() && alwaysJumps(block->body_back());
  return llvm::isa<clang::GotoStmt, clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt>(stmt);
}

/// Of a label that nothing falls into and one `if (c) goto label;` of the list leads to: that statement.
std::optional<size_t> choiceOf(llvm::ArrayRef<const clang::Stmt *> stmts, size_t label) {
  const auto *target = llvm::cast<clang::LabelStmt>(stmts[label]);
  if (llvm::isa<clang::LabelStmt>(target->getSubStmt()) || !alwaysJumps(stmts[label - 1]) ||
      countGotos(stmts, target->getDecl()) != 1)
    return std::nullopt;
  for (size_t k = 0; k + 1 < label; ++k) {
    bool isClosed = true; // whoever jumps to a label in between comes from in between
    for (size_t inner = k + 1; inner < label; ++inner)
      forEachStmt(stmts[inner], [&](const clang::Stmt *one) {
        if (const auto *other = llvm::dyn_cast<clang::LabelStmt>(one))
          isClosed &=
              countGotos(stmts, other->getDecl()) == countGotos(stmts.slice(k + 1, label - k - 1), other->getDecl());
      });
    if (!isClosed) continue;
    const auto *choice = llvm::dyn_cast_or_null<clang::IfStmt>(stmts[k]);
    if (!choice || choice->isConsteval() || choice->getElse() || choice->getInit() || choice->getConditionVariable())
      continue;
    const clang::Stmt *then = choice->getThen();
    if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(then); block && block->size() == 1)
      then = block->body_front();
    if (const auto *jump = llvm::dyn_cast<clang::GotoStmt>(then); jump && jump->getLabel() == target->getDecl())
      return k;
  }
  return std::nullopt;
}

} // namespace

/// Of a function's body, before it is walked; the same one may be walked more than once.
void Walker::noteGotos(const clang::Stmt *body) {
  std::map<const clang::LabelDecl *, unsigned> counts;
  bool isComputed = false;
  forEachStmt(body, [&](const clang::Stmt *stmt) {
    if (const auto *label = llvm::dyn_cast<clang::LabelStmt>(stmt)) counts[label->getDecl()] += 0;
    if (const auto *jump = llvm::dyn_cast<clang::GotoStmt>(stmt)) ++counts[jump->getLabel()];
    isComputed |= llvm::isa<clang::AddrLabelExpr, clang::IndirectGotoStmt>(stmt);
  });
  for (const auto &[label, count] : counts) {
    gotoCounts[label] = count + isComputed; // one more from who knows where
    hasLabels |= gotoCounts[label] > 0;
  }
}

/// The last statement of the list with a label to which all gotos come from before it in the list.
size_t Walker::labelAhead(llvm::ArrayRef<const clang::Stmt *> stmts) {
  for (size_t k = stmts.size(); k-- > 1;) {
    bool isTarget = false, isAhead = true;
    for (const auto *label = llvm::dyn_cast_or_null<clang::LabelStmt>(stmts[k]); label;
         label = llvm::dyn_cast<clang::LabelStmt>(label->getSubStmt())) {
      unsigned count = gotoCounts[label->getDecl()];
      isTarget |= count > 0;
      isAhead &= count == countGotos(stmts.take_front(k), label->getDecl());
    }
    if (isTarget && isAhead) return k;
  }
  return stmts.size();
}

/// The statements of the list, from the first up to the one returned second, between which gotos jump that lead back or
/// into a block; none where they stay inside one of them. A label ahead that lies between them is part of the knot.
std::pair<size_t, size_t> Walker::tangle(llvm::ArrayRef<const clang::Stmt *> stmts) {
  struct Span {
    size_t first, last;
    bool isAhead; ///< last is where the label stands, and all gotos come from before it.
  };
  std::vector<Span> spans;
  for (const auto &[label, count] : gotoCounts) {
    if (count == 0 || st.labels.count(label) || st.passed.count(label)) continue;
    std::vector<size_t> touched;
    unsigned jumps = 0, labels = 0;
    for (size_t k = 0; k < stmts.size(); ++k) {
      unsigned here = countGotos(stmts.slice(k, 1), label);
      bool isHere = false;
      forEachStmt(stmts[k], [&, wanted = label](const clang::Stmt *one) {
        const auto *target = llvm::dyn_cast<clang::LabelStmt>(one);
        isHere |= target && target->getDecl() == wanted;
      });
      jumps += here, labels += isHere;
      if (here > 0 || isHere) touched.push_back(k);
    }
    if (touched.empty()) continue;
    const clang::Stmt *only = stmts[touched.front()];
    bool isInOne = touched.size() == 1 && jumps == count && labels == 1 &&
                   !llvm::isa<clang::LabelStmt, clang::SwitchStmt>(only) && hasListWithAll(only, label, count);
    if (isInOne) continue; // a list further in has it all
    bool isTop = false;
    for (const auto *one = llvm::dyn_cast<clang::LabelStmt>(stmts[touched.back()]); one;
         one = llvm::dyn_cast<clang::LabelStmt>(one->getSubStmt()))
      isTop |= one->getDecl() == label;
    bool isAhead = isTop && countGotos(stmts.take_front(touched.back()), label) == count;
    spans.push_back({touched.front(), touched.back(), isAhead});
  }
  size_t first = stmts.size(), end = 0;
  for (bool again = true; again;) {
    again = false;
    for (const Span &one : spans) {
      if (one.isAhead && (one.last <= first || one.last >= end)) continue;
      if (one.first >= first && one.last < end) continue;
      first = std::min(first, one.first), end = std::max(end, one.last + 1);
      again = true;
    }
  }
  return end == 0 ? std::pair(stmts.size(), stmts.size()) : std::pair(first, end);
}

Flow Walker::executeTangled(llvm::ArrayRef<const clang::Stmt *> stmts, llvm::StringRef what, Rule rule) {
  Flow flow;
  flush();
  const size_t mark = out->size();
  for (const clang::Stmt *stmt : stmts) unsupported(stmt, what, rule);
  // As one: what stands between two of them may be jumped past.
  skeleton::HostStatement *first = nullptr;
  for (size_t k = mark; k < out->size(); ++k) {
    auto *host = std::get_if<skeleton::HostStatement>(&(*out)[k].kind);
    if (!host || host->what != what) continue;
    if (!first) {
      first = host;
      continue;
    }
    for (Node &node : host->body.edit()) first->body.edit().push_back(std::move(node));
    out->erase(out->begin() + k--);
  }
  // What they change is unknown now. If control also comes from elsewhere, or goes there, so is all else.
  bool isClosed = llvm::all_of(gotoCounts, [&](const auto &one) {
    unsigned here = countGotos(stmts, one.first);
    bool isHere = false;
    for (const clang::Stmt *stmt : stmts)
      forEachStmt(stmt, [&](const clang::Stmt *inner) {
        const auto *label = llvm::dyn_cast<clang::LabelStmt>(inner);
        isHere |= label && label->getDecl() == one.first;
      });
    return isHere ? here == one.second : here == 0 || st.labels.count(one.first);
  });
  std::vector<std::string> names;
  if (!isClosed) {
    for (auto &[name, value] : st.env.integers) names.push_back(name);
    for (auto &[name, value] : st.env.pointers) names.push_back(name);
  }
  for (const std::string &name : names) clobber(name, locate(stmts.front()));
  flush();
  std::function<void(const clang::Stmt *, bool, bool)> leave = [&](const clang::Stmt *stmt, bool inLoop,
                                                                   bool inSwitch) {
    if (!stmt) return;
    if (llvm::isa<clang::ReturnStmt>(stmt)) flow.may |= Returns;
    if (llvm::isa<clang::BreakStmt>(stmt) && !inLoop && !inSwitch) flow.may |= Breaks;
    if (llvm::isa<clang::ContinueStmt>(stmt) && !inLoop) flow.may |= Continues;
    if (const auto *jump = llvm::dyn_cast<clang::GotoStmt>(stmt))
      if (auto ahead = st.labels.find(jump->getLabel()); ahead != st.labels.end()) {
        flow.may |= Skips;
        st.gotos[ahead->first].push_back(st.env);
        for (size_t k = ahead->second; k < st.frames.size(); ++k) st.frames[k].exitsEarly = true;
      }
    bool isLoop = llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(stmt);
    for (const clang::Stmt *child : partsOf(stmt))
      leave(child, inLoop || isLoop, inSwitch || llvm::isa<clang::SwitchStmt>(stmt));
  };
  for (const clang::Stmt *stmt : stmts) leave(stmt, false, false);
  if (flow.may & Returns) {
    returns.push_back(st.env);
    for (Frame &frame : st.frames) frame.exitsEarly |= !frame.isSwitch;
  }
  if (st.frames.empty()) return flow;
  if (flow.may & Breaks) {
    st.frames.back().breaks.push_back(st.env);
    st.frames.back().exitsEarly |= !st.frames.back().isSwitch;
  }
  if (flow.may & Continues) st.frames.back().continues.push_back(st.env);
  return flow;
}

/// A list with labels: first what stands before one, then, from wherever it was left, what follows. Nothing if it has
/// none.
std::optional<Flow> Walker::executeAroundLabels(llvm::ArrayRef<const clang::Stmt *> stmts) {
  auto goOn = [&](Flow flow, llvm::ArrayRef<const clang::Stmt *> rest) {
    if (rest.empty()) return flow;
    Flow after = flow.may == NoJump ? executeList(rest) : executeRest(rest);
    after.may |= flow.may;
    return after;
  };
  auto [first, end] = tangle(stmts);
  size_t label = stmts.size();
  bool isKnot = first < stmts.size();
  if (!isKnot) label = labelAhead(stmts);
  else if (size_t after = labelAhead(stmts); after < stmts.size() && after >= end) label = after;
  if (label == stmts.size()) {
    if (!isKnot) return std::nullopt;
    Flow before = first > 0 ? executeList(stmts.take_front(first)) : Flow();
    if (before.always) return before;
    llvm::ArrayRef<const clang::Stmt *> knot = stmts.slice(first, end - first), rest = stmts.drop_front(end);
    auto untie = [&] { return goOn(executeTangled(knot), rest); };
    if (before.may == NoJump) return untie();
    Flow after = branch(
        Condition(), locate(knot.front()), untie,
        [] {
          Flow gone;
          gone.always = true;
          return gone;
        },
        true);
    after.may |= before.may;
    return after;
  }
  if (std::optional<size_t> choice = choiceOf(stmts, label)) {
    // `if (c) goto a; b...; goto z; a: d...` is `if (c) d... else b...`
    const auto *test = llvm::cast<clang::IfStmt>(stmts[*choice]);
    Flow before = *choice > 0 ? executeList(stmts.take_front(*choice)) : Flow();
    if (before.always) return before;
    st.passed.insert(llvm::cast<clang::LabelStmt>(stmts[label])->getDecl());
    auto choose = [&] {
      return branch(
          condition(test->getCond()), locate(test), [&] { return executeList(stmts.drop_front(label)); },
          [&] { return executeList(stmts.slice(*choice + 1, label - *choice - 1)); });
    };
    if (before.may == NoJump) return choose();
    Flow after = branch(
        Condition(), locate(test), choose,
        [] {
          Flow gone;
          gone.always = true;
          return gone;
        },
        true);
    after.may |= before.may;
    return after;
  }
  std::vector<const clang::LabelDecl *> names;
  for (const auto *one = llvm::dyn_cast<clang::LabelStmt>(stmts[label]); one;
       one = llvm::dyn_cast<clang::LabelStmt>(one->getSubStmt()))
    names.push_back(one->getDecl());
  flush();
  unsigned mark = st.counter;
  for (const clang::LabelDecl *name : names) st.labels[name] = st.frames.size();
  Flow flow = executeList(stmts.take_front(label));
  flush();
  std::vector<Environment> ends;
  if (!flow.always) ends.push_back(st.env);
  for (const clang::LabelDecl *name : names) {
    std::vector<Environment> &arrived = st.gotos[name];
    ends.insert(ends.end(), arrived.begin(), arrived.end());
    st.gotos.erase(name);
    st.labels.erase(name);
    st.passed.insert(name);
  }
  bool isOther = llvm::any_of(st.gotos, [](const auto &one) { return !one.second.empty(); });
  if (!isOther) flow.may &= ~unsigned(Skips);
  if (ends.empty()) return flow;
  exportEnds(ends, mark, locate(stmts[label]));
  mergeAll(std::move(ends), locate(stmts[label]));
  flow.always = false;
  return goOn(flow, stmts.drop_front(label));
}

Flow Walker::executeGoto(const clang::Stmt *stmt) {
  flush();
  Flow flow;
  flow.always = true;
  const auto *jump = llvm::dyn_cast<clang::GotoStmt>(stmt);
  auto ahead = jump ? st.labels.find(jump->getLabel()) : st.labels.end();
  if (ahead == st.labels.end()) {
    unsupported(stmt, "goto", Rule::Goto);
    for (Frame &frame : st.frames) frame.exitsEarly = true;
    flow.may = Leaves;
    return flow;
  }
  // It may leave some of these blocks, and not others.
  std::vector<Reach> leaving;
  for (const std::vector<Living> &scope : st.scopes)
    for (const Living &one : scope) leaving.push_back({one.place.at});
  if (!leaving.empty()) touchReachable(leaving, HostReason::OpaqueCall, "destructors", locate(stmt), true);
  st.gotos[ahead->first].push_back(st.env);
  for (size_t k = ahead->second; k < st.frames.size(); ++k)
    if (!st.frames[k].isSwitch) st.frames[k].exitsEarly = true;
  flow.may = Skips;
  return flow;
}

} // namespace busfare::frontend
