//===- skeleton/InlineCalls.cpp - A call replaced by its body ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "skeleton/Inliner.h"
#include "skeleton/Rotation.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"

using namespace busfare::skeleton;

/// Past these the program is a finding, not a hang.
static constexpr size_t maxNodes = 50000;
static constexpr unsigned maxCallDepth = 64;

/// The function does nothing with what the pointer leads to but give it to others, from its first byte on: `void *`,
/// whose elements are bytes there, and whatever they are for those others.
static bool onlyHandsOn(const Function &function, const std::string &name) {
  bool isOther = false;
  forEachNode(function.body, [&](const Node &node) {
    if (const auto *access = std::get_if<Access>(&node.kind)) {
      isOther |= access->array == name;
      for (const Subscript &subscript : access->subscripts) isOther |= subscript.from && subscript.from->array == name;
    } else if (const auto *define = std::get_if<Define>(&node.kind)) {
      isOther |= define->from && define->from->array == name;
    } else if (const auto *allocate = std::get_if<Allocate>(&node.kind)) {
      isOther |= allocate->array == name;
    } else if (const auto *freed = std::get_if<Free>(&node.kind)) {
      isOther |= freed->array == name;
    } else if (const auto *rotate = std::get_if<Rotate>(&node.kind)) {
      for (const auto &[to, from] : rotate->moves) isOther |= to == name || from == name;
    } else if (const auto *made = std::get_if<Call>(&node.kind)) {
      for (const auto &argument : made->arguments)
        if (const auto *given = std::get_if<ArrayArgument>(&argument); given && given->array == name)
          isOther |= given->offset != Expr(0) || !given->row.empty();
    }
  });
  return !isOther;
}

void Inliner::bindParameters(const Call &call, const Function &callee, Frame &caller, Frame &frame, Block &out) {
  auto argument = [&]<class Kind>(size_t k, Kind *) {
    return k < call.arguments.size() ? std::get_if<Kind>(&call.arguments[k]) : nullptr;
  };
  // Values first: the extents of array parameters speak of them.
  for (size_t k = 0; k < callee.parameters.size(); ++k) {
    const Parameter &parameter = callee.parameters[k];
    if (parameter.kind != Parameter::Kind::Value) continue;
    const ValueArgument *given = argument(k, static_cast<ValueArgument *>(nullptr));
    std::optional<Expr> value = given ? mapExpr(given->value, caller) : std::nullopt;
    if (!value) {
      std::string symbol = frame.prefix + parameter.name;
      out.emplace_back(Define{symbol, {}, {}, {}, "argument " + parameter.name + " of " + callee.name, call.location});
      value = Expr::symbol(symbol);
    }
    frame.symbols[parameter.name] = *value;
  }
  for (size_t k = 0; k < callee.parameters.size(); ++k) {
    const Parameter &parameter = callee.parameters[k];
    const Array *formal =
        parameter.kind == Parameter::Kind::Array ? findArray(program, callee, parameter.name) : nullptr;
    if (!formal) continue;
    const ArrayArgument *given = argument(k, static_cast<ArrayArgument *>(nullptr));
    ArrayArgument actual = given ? *given : ArrayArgument{};
    // Bytes from the first one on are whatever the caller has there.
    Array meant = *formal;
    const bool isBytes = formal->type == ElementType{ElementType::Kind::Unsigned, 1} && formal->extents.size() == 1 &&
                         !formal->extents.front();
    if (isBytes && actual.offset == Expr(0) && actual.row.empty() && !parameter.byReference &&
        onlyHandsOn(callee, parameter.name))
      if (const Array *array = declared(bindingOf(actual.array, caller).array); array && !actual.array.empty())
        meant.type = array->type;
    Binding binding = resolve(actual, meant, caller, frame.prefix + parameter.name);
    if (binding.extents.empty()) binding.extents = mapAll(formal->extents, frame.symbols);
    if (std::optional<size_t> place = formal->isSteady ? placeOf(binding.array) : std::nullopt)
      result.function.arrays[*place].isSteady = true;
    frame.arrays[parameter.name] = std::move(binding);
    if (parameter.byReference && !actual.array.empty() && actual.row.empty() && actual.offset == Expr(0))
      frame.references[parameter.name] = actual.array;
  }
}

/// May what unseen code gives the callee be memory of a caller that such code was given before?
bool Inliner::mayBeExposed(const Array &given, const Frame &frame) const {
  return llvm::any_of(frame.exposed, [&](const auto &one) {
    const Array *array = declared(one.first);
    return !array || (array->storage != Storage::Given && mayBeOfType(given.type, array->type));
  });
}

/// What unseen code gave the callee is others' memory, and its name ends here: the host has to have it. (The next call
/// may be given other memory.)
void Inliner::leaveGiven(const Frame &frame, const Location &location, Block &out) {
  HostStatement reads;
  reads.location = location;
  Touched touched;
  for (const Array &array : frame.function->arrays)
    if (array.storage == Storage::Given && !array.isScalar())
      mayTouch(reads, touched, frame.arrays.at(array.name).array, true, frame);
  for (Node &read : reads.body.edit()) out.push_back(std::move(read));
}

void Inliner::declareLocals(Frame &frame) {
  for (const Array &array : frame.function->arrays) {
    if (frame.arrays.count(array.name)) continue;
    Array copy = array;
    copy.extents = mapAll(array.extents, frame.symbols);
    // A static local is one object, whoever calls.
    copy.name = (array.storage == Storage::Global ? frame.function->name + ":" : frame.prefix) + array.name;
    if (copy.storage == Storage::Parameter)
      copy.storage = Storage::Local; // a value parameter that is memory: its own copy in each call
    if (copy.storage == Storage::Given && mayBeExposed(array, frame)) {
      copy.storage = Storage::Alias;
      copy.extents.assign(copy.extents.size(), std::nullopt);
    }
    // Every call has its own: in a loop, every iteration.
    copy.perIteration |= copy.storage == Storage::Local && loopDepth > 0;
    copy.isFixed &= loopDepth == 0;
    frame.arrays[array.name] = {copy.name, Expr(0), copy.extents};
    if (std::optional<size_t> place = placeOf(copy.name))
      result.function.arrays[*place].isFixed = false; // another call of it may have another pointer
    else result.function.arrays.push_back(std::move(copy));
  }
  for (const Array &array : frame.function->arrays)
    if (array.storage == Storage::Alias && frame.arrays.at(array.name).array == frame.prefix + array.name) {
      Names mayBe, likely;
      for (const std::string &target : array.mayBe) mayBe.push_back(bindingOf(target, frame).array);
      for (const std::string &target : array.likely) likely.push_back(bindingOf(target, frame).array);
      mayBe = objectsOf(mayBe);
      if (std::optional<size_t> place = placeOf(frame.prefix + array.name)) {
        Array &made = result.function.arrays[*place];
        made.mayBe = mayBe;
        made.likely = mayBe.empty() ? likely : Names();
      }
    }
}

/// The host may read and write the array, or all that a confused name may be.
void Inliner::mayTouch(HostStatement &host, Touched &touched, const std::string &name, bool isConst,
                       const Frame &frame) {
  auto touch = [&](const std::string &one) {
    const Array *array = declared(one);
    if (!array) return;
    for (AccessKind kind : {AccessKind::Read, AccessKind::Write}) {
      if (kind == AccessKind::Write && (isConst || array->isConst)) continue;
      if (!touched.insert({one, kind}).second) continue;
      Access access;
      access.kind = kind;
      access.array = one;
      access.subscripts.assign(array->extents.size(), Subscript());
      access.may = true;
      access.location = host.location;
      host.body.edit().emplace_back(access);
    }
  };
  touch(name);
  auto group = confused.find(name);
  if (group == confused.end()) return;
  llvm::for_each(group->second, touch);
  if (group->second.empty()) touch(aliasFor(frame.prefix + "?", Array(), {}).array);
}

void Inliner::mayTouchExposed(HostStatement &host, const Frame &frame) {
  Touched touched;
  for (const Node &node : host.body)
    if (const auto *access = std::get_if<Access>(&node.kind); access && isOfAnyElement(*access))
      touched.insert({access->array, access->kind});
  for (const auto &[name, isConst] : frame.exposed) mayTouch(host, touched, name, isConst, frame);
}

/// What unseen code called by the callee may touch: as for the caller, and what is exposed by now.
void Inliner::expose(const Call &call, Frame &caller, Frame &frame) {
  frame.exposed = caller.exposed;
  for (const Exposure &one : call.exposed) {
    auto [known, isNew] = frame.exposed.try_emplace(bindingOf(one.array, caller).array, one.isConst);
    known->second &= one.isConst;
  }
  if (!rotatesAnything(*frame.function)) return;
  // Names change places in the callee: an alias stands for the object whatever it is called.
  std::map<std::string, bool> aliases;
  for (const auto &[name, isConst] : frame.exposed)
    if (const Array *array = declared(name))
      aliases[aliasFor(frame.prefix + name + ".exposed", Array(*array), {name}).array] = isConst;
  frame.exposed = std::move(aliases);
}

void Inliner::hostCall(const Call &call, HostReason reason, Frame &frame, Block &out) {
  HostStatement host;
  host.reason = reason;
  host.what = call.callee;
  host.location = call.location;
  Touched touched;
  for (const auto &argument : call.arguments)
    if (const auto *array = std::get_if<ArrayArgument>(&argument))
      mayTouch(host, touched,
               array->array.empty() ? aliasFor(frame.prefix + "?", Array(), {}).array
                                    : bindingOf(array->array, frame).array,
               false, frame);
  for (const Array &global : program.globals) mayTouch(host, touched, globalName(global.name), false, frame);
  for (const Exposure &one : call.exposed)
    mayTouch(host, touched, bindingOf(one.array, frame).array, one.isConst, frame);
  mayTouchExposed(host, frame);
  out.emplace_back(std::move(host));
}

/// The block with nothing but the rotations of these names and what decides whether and how often they run.
static Block onlyRotations(const Block &block, const Names &names) {
  Block result;
  for (const Node &node : block) {
    if (const auto *rotate = std::get_if<Rotate>(&node.kind)) {
      if (llvm::is_contained(names, rotate->moves.front().first)) result.push_back(node);
    } else if (const auto *loop = std::get_if<Loop>(&node.kind)) {
      Loop copy;
      copy.index = loop->index;
      copy.lower = loop->lower;
      copy.upper = loop->upper;
      copy.step = loop->step;
      copy.mayExitEarly = loop->mayExitEarly;
      copy.body = onlyRotations(loop->body, names);
      if (!copy.body.empty()) result.emplace_back(std::move(copy));
    } else if (const auto *branch = std::get_if<Branch>(&node.kind)) {
      Branch copy;
      copy.condition = branch->condition;
      copy.then = onlyRotations(branch->then, names);
      copy.otherwise = onlyRotations(branch->otherwise, names);
      if (!copy.then.empty() || !copy.otherwise.empty()) result.emplace_back(std::move(copy));
    }
  }
  if (result.empty()) return result;
  for (const Node &node : block) // what is not known outside of it
    if (std::holds_alternative<Define>(node.kind)) result.push_back(node);
  return result;
}

/// Pointers are passed by value: undoes what the body of the call, which ran at this depth, did to names that are not
/// its own. Rotations of globals and of what was passed by reference stay. nonNegative: values of the call's.
void Inliner::restoreNames(Block &out, unsigned depth, const Call &call, llvm::ArrayRef<Expr> nonNegative) {
  for (const Names &group : rotatedTogether(out)) {
    auto isMovedUntil = [&](unsigned end) {
      return llvm::any_of(group, [&](const std::string &name) { return moved[end].count(name) != 0; });
    };
    if (!isMovedUntil(depth)) continue;
    bool isMixed = false;
    for (unsigned end = 0; end < depth; ++end) isMixed |= isMovedUntil(end);
    const Block rotations = onlyRotations(out, group);
    std::optional<Permutation> total = permutationOf(rotations);
    const Rotate exchange{{{group.front(), group.back()}, {group.back(), group.front()}}, call.location};
    std::optional<Expr> isOdd;
    if (!isMixed && !total && group.size() == 2)
      isOdd = parityOf(llvm::ArrayRef<Node>(rotations), Exchanges(group.front(), group.back(), rotations, nonNegative));
    if (isOdd && !isOdd->isZero()) out.push_back(exchangedIf(*isOdd, exchange));
    else if (isMixed || (!total && !isOdd)) confuse(group);
    else if (total && !total->empty()) out.emplace_back(Rotate{inverse(*total), call.location});
  }
}

void Inliner::inlineCall(const Call &call, Frame &frame, Block &out) {
  auto stayOnHost = [&](Rule rule, Level level, HostReason reason, const std::string &message) {
    result.findings.push_back({rule, level, call.location, message});
    hostCall(call, reason, frame, out);
  };
  const Function *callee = findFunction(program, call.callee);
  if (!callee)
    return stayOnHost(Rule::OpaqueCall, Level::Remark, HostReason::OpaqueCall,
                      "the body of '" + call.callee +
                          "' is not seen; the call stays on the host and may read and write what it can reach");
  for (const Frame *f = &frame; f; f = f->caller)
    if (f->function == callee) {
      stayOnHost(Rule::Recursion, Level::Remark, HostReason::Recursion,
                 "'" + call.callee + "' calls itself; the call stays on the host");
      return confuseGlobals(*callee);
    }
  if (frame.depth > maxCallDepth || nodes > maxNodes)
    return stayOnHost(Rule::EffortExceeded, Level::Warning, HostReason::OpaqueCall,
                      "the program is too large with all calls substituted; '" + call.callee + "' is taken as opaque");
  enterCallee(call, *callee, frame, out);
}

/// What the body defines, its loops' indices included, goes by names of the call's own: extents mention it already.
static void renameDefined(const Block &block, Frame &frame) {
  auto rename = [&](const std::string &name) { frame.symbols[name] = Expr::symbol(frame.prefix + name); };
  for (const Node &node : block) {
    if (const auto *loop = std::get_if<Loop>(&node.kind)) {
      rename(loop->index);
      renameDefined(loop->body, frame);
    } else if (const auto *branch = std::get_if<Branch>(&node.kind)) {
      renameDefined(branch->then, frame);
      renameDefined(branch->otherwise, frame);
    } else if (const auto *define = std::get_if<Define>(&node.kind)) {
      rename(define->symbol);
    }
  }
}

void busfare::skeleton::defineValues(const Block &block, Substitution &symbols) {
  forEachNode(block, [&](const Node &node) {
    const auto *define = std::get_if<Define>(&node.kind);
    if (!define || !define->value) return;
    Expr value = define->value->substitute(symbols);
    if (!value.isPoisoned()) symbols[define->symbol] = std::move(value);
  });
}

void Inliner::enterCallee(const Call &call, const Function &callee, Frame &frame, Block &out) {
  Frame inner;
  inner.function = &callee;
  inner.caller = &frame;
  inner.depth = frame.depth + 1;
  inner.path = result.paths.size();
  result.paths.push_back({callee.name, frame.path, call.location, {}, {}});
  inner.symbols = hidden;
  inner.context = frame.context;
  Location line = call.location;
  line.column = 0;
  inner.context.push_back(callee.name + (toString(line).empty() ? "" : " (" + toString(line) + ")"));
  std::string base = frame.prefix + callee.name + "@" + std::to_string(call.location.line);
  inner.prefix = base + ":";
  for (unsigned n = 2; !prefixes.insert(inner.prefix).second; ++n) inner.prefix = base + "#" + std::to_string(n) + ":";

  std::map<unsigned, std::set<std::string>> movedBefore;
  std::swap(moved, movedBefore);
  Block body;
  renameDefined(callee.body, inner);
  bindParameters(call, callee, frame, inner, body);
  defineValues(callee.body, inner.symbols);
  findDoubtful(call, callee, frame, inner);
  expose(call, frame, inner);
  declareLocals(inner);
  findRemade(call, inner);
  uniteRotated(inner);
  refuteAliases(callee.hints, inner, call.location);
  takeOverHints(inner);
  // A value parameter that is memory starts with the argument's value.
  for (const Parameter &parameter : callee.parameters)
    if (parameter.kind == Parameter::Kind::Other)
      if (const Array *array = findArray(program, callee, parameter.name); array && array->isScalar()) {
        Access write;
        write.kind = AccessKind::Write;
        write.array = bindingOf(parameter.name, inner).array;
        write.location = call.location;
        body.emplace_back(std::move(write));
      }
  body.reserve(body.size() + callee.body.size());
  size_t mark = writtenBehind.size();
  for (size_t k = 0; k < callee.body.size(); ++k) {
    takeOverRemade(k, inner, body);
    inlineNode(callee.body[k], inner, body);
  }
  if (inner.isUnsteady || isWrittenBehind(mapSteady(callee.steady, inner), mark))
    distrust(body, call,
             "an integer that '" + call.callee +
                 "' takes to be fixed may be written by it through another pointer that this call passes",
             false);
  else if (const Expr *less = negativeHere(callee, inner))
    distrust(body, call, "'" + call.callee + "' divides `" + toString(*less) + "`, which is negative in this call",
             true);
  leaveGiven(inner, call.location, body);
  result.paths[inner.path].symbols = inner.symbols;
  result.paths[inner.path].arrays = inner.arrays;
  result.paths[inner.path].prefix = inner.prefix;
  std::vector<Expr> nonNegative;
  for (const Expr &value : callee.nonNegative)
    if (std::optional<Expr> mapped = mapExpr(value, inner)) nonNegative.push_back(*mapped);
  restoreNames(body, inner.depth, call, nonNegative);
  foldOutput(call, inner, body);
  for (auto &[end, names] : moved)
    if (end < inner.depth) movedBefore[end].insert(names.begin(), names.end());
  moved = std::move(movedBefore);
  for (Node &node : body) out.push_back(std::move(node));
}

// The root.
