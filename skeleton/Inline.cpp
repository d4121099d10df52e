//===- skeleton/Inline.cpp - One root with all its calls substituted ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "skeleton/Inline.h"
#include "skeleton/Rotation.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>
#include <set>

namespace busfare::skeleton {

namespace {

/// What a name of the function being inlined stands for in the result.
struct Binding {
  std::string array;           ///< In the result.
  std::optional<Expr> offset;  ///< Element 0 of the name is element `offset` of the array, row-major. Nothing = unknown.
  /// The shape its subscripts speak of, in the result's symbols.
  std::vector<std::optional<Expr>> extents;
};

/// One function on the path from the root.
struct Frame {
  const Function *function = nullptr;
  Frame *caller = nullptr;
  std::string prefix; ///< Of local names; empty for the root.
  std::map<std::string, Binding> arrays;
  Substitution symbols;
  std::vector<std::string> context;
  /// Accesses to these names may reach any of the list: their objects were swapped an unknown number of times.
  std::map<std::string, std::vector<std::string>> confused;
};

/// Past this the program is a finding, not a hang.
constexpr size_t maxNodes = 200000;
constexpr unsigned maxDepth = 64;

class Inliner {
public:
  explicit Inliner(const Program &program) : source(program) {}
  Inlined run(const Function &root);

private:
  std::reference_wrapper<const Program> source;
  Inlined result;
  std::set<std::string> prefixes;
  std::set<std::string> flattened; ///< Arrays of the result whose accesses become one-dimensional.
  size_t nodes = 0;
  unsigned loopDepth = 0;
  /// What a call inside a loop confused: so it is for the accesses and calls of the next iteration too.
  std::map<std::string, std::vector<std::string>> confusedInLoops;

  Block inlineBlock(const Block &block, Frame &frame);
  void inlineNode(const Node &node, Frame &frame, Block &out);
  void inlineCall(const Call &call, Frame &frame, Block &out);
  void hostCall(const Call &call, HostReason reason, Frame &frame, Block &out);
  void bindParameters(const Call &call, const Function &callee, Frame &caller, Frame &frame, Block &out);
  void declareLocals(Frame &frame);
  Binding resolve(const ArrayArgument &argument, const Array &formal, Frame &caller, const std::string &aliasName);
  std::string declareAlias(const std::string &name, const ElementType &type, std::vector<std::optional<Expr>> extents,
                           std::vector<std::string> mayBe, const Location &location);
  Access mapAccess(const Access &access, Frame &frame);
  std::vector<Subscript> mapSubscripts(const Access &access, const Binding &binding, const Frame &frame);
  void restoreNames(Block &out, Frame &frame, const Call &call);
  void flatten(Block &block);

  const Array *declared(const std::string &name) const { return findArray(source, result.function, name); }
  Binding bindingOf(const std::string &name, Frame &frame) const;
  std::optional<Expr> mapExpr(const std::optional<Expr> &expr, const Frame &frame) const;
};

std::optional<Expr> Inliner::mapExpr(const std::optional<Expr> &expr, const Frame &frame) const {
  if (!expr)
    return std::nullopt;
  Expr mapped = expr->substitute(frame.symbols);
  return mapped.isPoisoned() ? std::nullopt : std::optional<Expr>(mapped);
}

std::vector<std::optional<Expr>> mapAll(const std::vector<std::optional<Expr>> &exprs, const Substitution &symbols) {
  std::vector<std::optional<Expr>> mapped;
  for (const std::optional<Expr> &expr : exprs) {
    mapped.push_back(expr ? std::optional<Expr>(expr->substitute(symbols)) : std::nullopt);
    if (mapped.back() && mapped.back()->isPoisoned())
      mapped.back().reset();
  }
  return mapped;
}

/// The product of all extents from `first` on; nothing if one is not known.
std::optional<Expr> product(const std::vector<std::optional<Expr>> &extents, size_t first) {
  Expr size = 1;
  for (size_t i = first; i < extents.size(); ++i) {
    if (!extents[i])
      return std::nullopt;
    size = size * *extents[i];
  }
  return size.isPoisoned() ? std::nullopt : std::optional<Expr>(size);
}

/// The row-major position of the subscripts in the shape; nothing if one part is not known.
std::optional<Expr> linearise(const std::vector<Subscript> &subscripts, const std::vector<std::optional<Expr>> &extents) {
  Expr position = 0;
  for (size_t i = 0; i < subscripts.size(); ++i) {
    std::optional<Expr> stride = product(extents, i + 1);
    if (!subscripts[i].value || !stride)
      return std::nullopt;
    position = position + *subscripts[i].value * *stride;
  }
  return position.isPoisoned() ? std::nullopt : std::optional<Expr>(position);
}

/// offset / row if that is an integer form for sure: every term holds all factors of row.
std::optional<Expr> divideExactly(const Expr &offset, const Expr &row) {
  if (offset.isZero())
    return Expr(0);
  if (row == Expr(1))
    return offset;
  if (row.sum().size() != 1)
    return std::nullopt;
  const Term &divisor = row.sum()[0];
  Expr quotient = 0;
  for (const Term &term : offset.sum()) {
    if (term.coefficient % divisor.coefficient != 0)
      return std::nullopt;
    std::vector<Atom> left = term.factors;
    for (const Atom &factor : divisor.factors) {
      auto found = llvm::find(left, factor);
      if (found == left.end() || factor.kind != Atom::Kind::Symbol)
        return std::nullopt;
      left.erase(found);
    }
    Expr part = term.coefficient / divisor.coefficient;
    for (const Atom &factor : left) {
      if (factor.kind != Atom::Kind::Symbol)
        return std::nullopt;
      part = part * Expr::symbol(factor.name);
    }
    quotient = quotient + part;
  }
  return quotient;
}

bool sameTail(const std::vector<std::optional<Expr>> &a, const std::vector<std::optional<Expr>> &b) {
  if (a.size() != b.size())
    return false;
  for (size_t i = 1; i < a.size(); ++i)
    if (!a[i] || !b[i] || !(*a[i] == *b[i]))
      return false;
  return true;
}

Binding Inliner::bindingOf(const std::string &name, Frame &frame) const {
  auto found = frame.arrays.find(name);
  if (found != frame.arrays.end())
    return found->second;
  const Array *global = findArray(source, *frame.function, name);
  return {name, Expr(0), global ? global->extents : std::vector<std::optional<Expr>>()};
}

std::string Inliner::declareAlias(const std::string &name, const ElementType &type, std::vector<std::optional<Expr>> extents,
                                  std::vector<std::string> mayBe, const Location &location) {
  if (!llvm::any_of(result.function.arrays, [&](const Array &a) { return a.name == name; })) {
    Array alias;
    alias.name = name;
    alias.type = type;
    alias.extents = std::move(extents);
    alias.storage = Storage::Alias;
    alias.mayBe = std::move(mayBe);
    alias.location = location;
    result.function.arrays.push_back(std::move(alias));
  }
  return name;
}

std::vector<Subscript> Inliner::mapSubscripts(const Access &access, const Binding &binding, const Frame &frame) {
  std::vector<Subscript> formal;
  for (const Subscript &s : access.subscripts)
    formal.push_back({mapExpr(s.value, frame), mapExpr(s.atLeast, frame), mapExpr(s.atMost, frame)});
  const Array *actual = declared(binding.array);
  size_t rank = actual ? actual->extents.size() : formal.size();
  if (rank == 0)
    return {};
  std::vector<Subscript> unknown(rank);
  if (!binding.offset)
    return unknown;
  if (actual && sameTail(binding.extents, actual->extents) && !formal.empty()) {
    std::optional<Expr> row = product(actual->extents, 1);
    if (std::optional<Expr> rows = row ? divideExactly(*binding.offset, *row) : std::nullopt) {
      for (std::optional<Expr> *part : {&formal[0].value, &formal[0].atLeast, &formal[0].atMost})
        if (*part)
          *part = **part + *rows;
      return formal;
    }
  }
  std::optional<Expr> position = linearise(formal, binding.extents);
  if (position)
    position = *position + *binding.offset;
  if (rank > 1) {
    if (!product(actual->extents, 1))
      return unknown;
    flattened.insert(binding.array);
  }
  return {Subscript{position, std::nullopt, std::nullopt}};
}

Access Inliner::mapAccess(const Access &access, Frame &frame) {
  Binding binding = bindingOf(access.array, frame);
  Access mapped = access;
  auto confused = frame.confused.find(binding.array);
  mapped.subscripts = mapSubscripts(access, binding, frame);
  mapped.array = binding.array;
  if (confused != frame.confused.end()) {
    const Array one = *declared(binding.array); // a copy: declaring the alias may move the arrays
    std::string name = binding.array;
    for (const std::string &other : confused->second)
      if (other != binding.array)
        name += "|" + other;
    mapped.array = declareAlias(name, one.type, one.extents, confused->second, one.location);
    mapped.subscripts.assign(one.extents.size(), Subscript());
    mapped.may = true;
  }
  return mapped;
}

Block Inliner::inlineBlock(const Block &block, Frame &frame) {
  Block out;
  for (const Node &node : block)
    inlineNode(node, frame, out);
  return out;
}

void Inliner::inlineNode(const Node &node, Frame &frame, Block &out) {
  ++nodes;
  auto local = [&](const std::string &name) { return frame.prefix + name; };
  auto arrayName = [&](const std::string &name) { return bindingOf(name, frame).array; };
  if (auto *access = std::get_if<Access>(&node.kind)) {
    out.emplace_back(mapAccess(*access, frame));
  } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
    Loop copy = *loop;
    copy.index = local(loop->index);
    std::optional<Expr> lower = mapExpr(loop->lower, frame), upper = mapExpr(loop->upper, frame);
    auto orUnknown = [&](std::optional<Expr> &bound, const char *which) {
      if (bound)
        return;
      std::string name = copy.index + "." + which;
      out.emplace_back(Define{name, {}, {}, {}, "a loop bound too large to compute with", loop->location});
      bound = Expr::symbol(name);
    };
    orUnknown(lower, "lower");
    orUnknown(upper, "upper");
    copy.lower = *lower;
    copy.upper = *upper;
    copy.context = frame.context;
    if (copy.directive) {
      auto rename = [&](std::vector<std::string> &names) {
        for (std::string &name : names)
          if (frame.arrays.count(name))
            name = arrayName(name);
      };
      rename(copy.directive->privates);
      rename(copy.directive->firstprivates);
      rename(copy.directive->lastprivates);
      for (auto &reduction : copy.directive->reductions)
        if (frame.arrays.count(reduction.second))
          reduction.second = arrayName(reduction.second);
    }
    if (!frame.prefix.empty())
      frame.symbols[loop->index] = Expr::symbol(copy.index);
    ++loopDepth;
    copy.body = inlineBlock(loop->body, frame);
    --loopDepth;
    out.emplace_back(std::move(copy));
  } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
    Branch copy = *branch;
    for (auto &conjunction : copy.condition.anyOf)
      for (Expr &e : conjunction)
        e = e.substitute(frame.symbols);
    for (auto &conjunction : copy.condition.anyOf)
      if (llvm::any_of(conjunction, [](const Expr &e) { return e.isPoisoned(); })) {
        copy.condition.anyOf.clear();
        copy.condition.exact = false;
        break;
      }
    copy.then = inlineBlock(branch->then, frame);
    copy.otherwise = inlineBlock(branch->otherwise, frame);
    out.emplace_back(std::move(copy));
  } else if (auto *define = std::get_if<Define>(&node.kind)) {
    Define copy = *define;
    copy.symbol = local(define->symbol);
    copy.atLeast = mapExpr(define->atLeast, frame);
    copy.atMost = mapExpr(define->atMost, frame);
    copy.value = mapExpr(define->value, frame);
    if (!frame.prefix.empty())
      frame.symbols[define->symbol] = Expr::symbol(copy.symbol);
    out.emplace_back(std::move(copy));
  } else if (auto *call = std::get_if<Call>(&node.kind)) {
    inlineCall(*call, frame, out);
  } else if (auto *allocate = std::get_if<Allocate>(&node.kind)) {
    out.emplace_back(Allocate{arrayName(allocate->array), mapAll(allocate->extents, frame.symbols), allocate->location});
  } else if (auto *freed = std::get_if<Free>(&node.kind)) {
    out.emplace_back(Free{arrayName(freed->array), freed->location});
  } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
    HostStatement copy = *host;
    copy.body = inlineBlock(host->body, frame);
    out.emplace_back(std::move(copy));
  } else if (auto *rotation = std::get_if<Rotate>(&node.kind)) {
    Rotate copy = *rotation;
    for (auto &[first, second] : copy.moves)
      first = arrayName(first), second = arrayName(second);
    out.emplace_back(std::move(copy));
  } else {
    out.push_back(node);
  }
}

Binding Inliner::resolve(const ArrayArgument &argument, const Array &formal, Frame &caller, const std::string &aliasName) {
  std::vector<std::optional<Expr>> extents; // filled by the caller of resolve
  auto alias = [&](std::vector<std::string> mayBe) {
    std::vector<std::optional<Expr>> unknown(formal.extents.size());
    return Binding{declareAlias(aliasName, formal.type, unknown, std::move(mayBe), formal.location), Expr(0), unknown};
  };
  if (argument.array.empty())
    return alias({});
  Binding actual = bindingOf(argument.array, caller);
  if (auto confused = caller.confused.find(actual.array); confused != caller.confused.end())
    return alias(confused->second);
  const Array *array = declared(actual.array);
  if (!array)
    return alias({});
  std::optional<Expr> offset = mapExpr(argument.offset, caller);
  if (array->storage == Storage::Alias)
    return alias(array->mayBe);
  if (!offset || !actual.offset || array->type.bytes != formal.type.bytes)
    return alias({actual.array});
  return {actual.array, *actual.offset + *offset, {}};
}

void Inliner::bindParameters(const Call &call, const Function &callee, Frame &caller, Frame &frame, Block &out) {
  // Values first: the extents of array parameters speak of them.
  for (size_t i = 0; i < callee.parameters.size(); ++i) {
    const Parameter &parameter = callee.parameters[i];
    if (parameter.kind != Parameter::Kind::Value)
      continue;
    std::optional<Expr> value;
    if (i < call.arguments.size())
      if (auto *argument = std::get_if<ValueArgument>(&call.arguments[i]))
        value = mapExpr(argument->value, caller);
    if (!value) {
      std::string symbol = frame.prefix + parameter.name;
      out.emplace_back(Define{symbol, {}, {}, {}, "argument " + parameter.name + " of " + callee.name, call.location});
      value = Expr::symbol(symbol);
    }
    frame.symbols[parameter.name] = *value;
  }
  for (size_t i = 0; i < callee.parameters.size(); ++i) {
    const Parameter &parameter = callee.parameters[i];
    if (parameter.kind != Parameter::Kind::Array)
      continue;
    const Array *formal = findArray(source, callee, parameter.name);
    if (!formal)
      continue;
    ArrayArgument unknown;
    unknown.array.clear();
    const ArrayArgument *argument = i < call.arguments.size() ? std::get_if<ArrayArgument>(&call.arguments[i]) : nullptr;
    Binding binding = resolve(argument ? *argument : unknown, *formal, caller, frame.prefix + parameter.name);
    if (binding.extents.empty())
      binding.extents = mapAll(formal->extents, frame.symbols);
    frame.arrays[parameter.name] = std::move(binding);
  }
}

void Inliner::declareLocals(Frame &frame) {
  for (const Array &array : frame.function->arrays) {
    if (frame.arrays.count(array.name))
      continue;
    Array copy = array;
    copy.extents = mapAll(array.extents, frame.symbols);
    // A static local is one object, whoever calls.
    copy.name = array.storage == Storage::Global ? frame.function->name + ":" + array.name : frame.prefix + array.name;
    if (copy.storage == Storage::Parameter)
      copy.storage = Storage::Local; // a value parameter that is memory: its own copy in each call
    for (std::string &target : copy.mayBe)
      target = bindingOf(target, frame).array;
    frame.arrays[array.name] = {copy.name, Expr(0), copy.extents};
    if (!llvm::any_of(result.function.arrays, [&](const Array &a) { return a.name == copy.name; }))
      result.function.arrays.push_back(std::move(copy));
  }
}

void Inliner::hostCall(const Call &call, HostReason reason, Frame &frame, Block &out) {
  HostStatement host;
  host.reason = reason;
  host.what = call.callee;
  host.location = call.location;
  auto mayTouch = [&](const std::string &name) {
    const Array *array = declared(name);
    if (!array)
      return;
    Access access;
    access.array = name;
    access.subscripts.assign(array->extents.size(), Subscript());
    access.may = true;
    access.location = call.location;
    host.body.emplace_back(access);
    access.kind = AccessKind::Write;
    if (!array->isConst)
      host.body.emplace_back(access);
  };
  for (const auto &argument : call.arguments)
    if (auto *array = std::get_if<ArrayArgument>(&argument)) {
      if (!array->array.empty())
        mayTouch(bindingOf(array->array, frame).array);
      else
        mayTouch(declareAlias(frame.prefix + "?", ElementType(), {}, {}, call.location));
    }
  for (const Array &global : source.get().globals)
    mayTouch(global.name);
  out.emplace_back(std::move(host));
}

/// Pointers are passed by value: undoes what the body inlined into `out` did to the caller's names.
void Inliner::restoreNames(Block &out, Frame &frame, const Call &call) {
  std::optional<Permutation> total = permutationOf(out);
  if (total) {
    if (!total->empty())
      out.emplace_back(Rotate{inverse(*total), call.location});
    return;
  }
  for (const std::vector<std::string> &cycle : rotatedTogether(out))
    for (const std::string &name : cycle) {
      for (Frame *f = &frame; f; f = f->caller)
        f->confused[name] = cycle;
      if (loopDepth)
        confusedInLoops[name] = cycle;
    }
}

void Inliner::inlineCall(const Call &call, Frame &frame, Block &out) {
  const Function *callee = findFunction(source, call.callee);
  if (!callee) {
    result.findings.push_back({Rule::OpaqueCall, Level::Remark, call.location,
                               "the body of '" + call.callee +
                                   "' is not seen; the call stays on the host and may read and write what it can reach"});
    return hostCall(call, HostReason::OpaqueCall, frame, out);
  }
  unsigned depth = 0;
  for (const Frame *f = &frame; f; f = f->caller, ++depth)
    if (f->function == callee) {
      result.findings.push_back({Rule::Recursion, Level::Remark, call.location,
                                 "'" + call.callee + "' calls itself; the call stays on the host"});
      return hostCall(call, HostReason::Recursion, frame, out);
    }
  if (depth > maxDepth || nodes > maxNodes) {
    result.findings.push_back({Rule::EffortExceeded, Level::Warning, call.location,
                               "the program is too large with all calls substituted; '" + call.callee + "' is taken as opaque"});
    return hostCall(call, HostReason::OpaqueCall, frame, out);
  }
  Frame inner;
  inner.function = callee;
  inner.caller = &frame;
  inner.context = frame.context;
  std::string place = call.location.file.empty() ? std::to_string(call.location.line)
                                                 : call.location.file + ":" + std::to_string(call.location.line);
  inner.context.push_back(callee->name + " (" + place + ")");
  std::string base = frame.prefix + callee->name + "@" + std::to_string(call.location.line);
  std::string prefix = base + ":";
  for (unsigned n = 2; !prefixes.insert(prefix).second; ++n)
    prefix = base + "#" + std::to_string(n) + ":";
  inner.prefix = prefix;
  Block body;
  bindParameters(call, *callee, frame, inner, body);
  declareLocals(inner);
  // A value parameter that is memory starts with the argument's value.
  for (const Parameter &parameter : callee->parameters)
    if (parameter.kind == Parameter::Kind::Other)
      if (const Array *array = findArray(source, *callee, parameter.name); array && array->isScalar()) {
        Access write;
        write.kind = AccessKind::Write;
        write.array = inner.arrays.at(parameter.name).array;
        write.location = call.location;
        body.emplace_back(std::move(write));
      }
  for (Node &node : inlineBlock(callee->body, inner))
    body.push_back(std::move(node));
  restoreNames(body, frame, call);
  for (Node &node : body)
    out.push_back(std::move(node));
}

void Inliner::flatten(Block &block) {
  for (Node &node : block) {
    if (auto *access = std::get_if<Access>(&node.kind)) {
      const Array *array = flattened.count(access->array) ? declared(access->array) : nullptr;
      if (!array || access->subscripts.size() != array->extents.size())
        continue;
      access->subscripts = {Subscript{linearise(access->subscripts, array->extents), std::nullopt, std::nullopt}};
    } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
      flatten(loop->body);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      flatten(branch->then);
      flatten(branch->otherwise);
    } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
      flatten(host->body);
    } else if (auto *allocate = std::get_if<Allocate>(&node.kind)) {
      if (flattened.count(allocate->array) && allocate->extents.size() > 1)
        allocate->extents = {product(allocate->extents, 0)};
    }
  }
}

Inlined Inliner::run(const Function &root) {
  result.function = root;
  result.function.body.clear();
  Frame frame;
  frame.function = &root;
  for (const Array &array : root.arrays)
    frame.arrays[array.name] = {array.name, Expr(0), array.extents};
  Block body = inlineBlock(root.body, frame);
  // Twice at most: the second time everything that a loop confuses is confused from the start.
  if (!confusedInLoops.empty()) {
    auto confused = confusedInLoops;
    *this = Inliner(source);
    result.function = root;
    result.function.body.clear();
    frame.confused = std::move(confused);
    body = inlineBlock(root.body, frame);
  }
  flatten(body);
  for (const std::string &name : flattened) {
    // A global of another shape in this root is declared again, flat.
    if (!llvm::any_of(result.function.arrays, [&](const Array &a) { return a.name == name; }))
      if (const Array *global = declared(name))
        result.function.arrays.push_back(*global);
    for (Array &array : result.function.arrays)
      if (array.name == name)
        array.extents = {product(array.extents, 0)};
  }
  result.function.body = std::move(body);
  return std::move(result);
}

void collectCallees(const Block &block, const std::string &caller, std::set<std::string> &called) {
  for (const Node &node : block) {
    if (auto *call = std::get_if<Call>(&node.kind)) {
      if (call->callee != caller)
        called.insert(call->callee);
    } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
      collectCallees(loop->body, caller, called);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      collectCallees(branch->then, caller, called);
      collectCallees(branch->otherwise, caller, called);
    }
  }
}

} // namespace

llvm::Expected<Inlined> substituteCalls(const Program &program, llvm::StringRef root) {
  const Function *function = findFunction(program, root);
  if (!function)
    return llvm::createStringError("no function '" + root + "' in the program");
  return Inliner(program).run(*function);
}

std::vector<std::string> roots(const Program &program) {
  if (findFunction(program, "main"))
    return {"main"};
  std::set<std::string> called;
  for (const Function &function : program.functions)
    collectCallees(function.body, function.name, called);
  std::vector<std::string> result;
  for (const Function &function : program.functions)
    if (!called.count(function.name))
      result.push_back(function.name);
  if (result.empty())
    for (const Function &function : program.functions)
      result.push_back(function.name);
  return result;
}

} // namespace busfare::skeleton
