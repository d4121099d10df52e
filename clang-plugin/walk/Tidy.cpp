//===- clang-plugin/walk/Tidy.cpp - The skeleton of a walked function, made ready -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Drops what nothing uses, numbers symbols in their order, declares the arrays,
// and adds the formals that the source passes implicitly.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "skeleton/SharedBodies.h"
#include "skeleton/Visit.h"

namespace busfare::frontend {

/// Calls f(expr) for every Expr of a block.
static void forEachExpr(const Block &block, llvm::function_ref<void(const Symbolic &)> f) {
  auto one = [&](const std::optional<Symbolic> &expr) {
    if (expr) f(*expr);
  };
  for (const Node &node : block) {
    if (const auto *x = std::get_if<skeleton::Loop>(&node.kind)) {
      f(x->lower), f(x->upper);
      if (x->hints)
        for (const auto &[array, low, high] : x->hints->ranges) f(low), f(high);
      if (x->steady)
        for (const skeleton::SteadyElement &element : *x->steady) llvm::for_each(element.subscripts, one);
      forEachExpr(x->body, f);
    } else if (const auto *x = std::get_if<skeleton::Branch>(&node.kind)) {
      for (const auto &facts : x->condition.anyOf)
        for (const Symbolic &fact : facts) f(fact);
      forEachExpr(x->then, f), forEachExpr(x->otherwise, f);
    } else if (const auto *x = std::get_if<Access>(&node.kind)) {
      for (const Subscript &subscript : x->subscripts) {
        one(subscript.value), one(subscript.atLeast), one(subscript.atMost);
        if (subscript.from) f(subscript.from->offset);
      }
      if (x->value) f(*x->value);
    } else if (const auto *x = std::get_if<skeleton::HostStatement>(&node.kind)) {
      forEachExpr(x->body, f);
      if (x->message) one(x->message->bytes);
      if (x->library)
        for (const auto &[dimension, value] : x->library->dimensions) one(value);
    } else if (const auto *x = std::get_if<skeleton::Allocate>(&node.kind)) {
      for (const auto &extent : x->extents) one(extent);
    } else if (const auto *x = std::get_if<skeleton::Call>(&node.kind))
      for (const auto &argument : x->arguments) {
        if (const auto *array = std::get_if<skeleton::ArrayArgument>(&argument)) {
          one(array->offset);
          llvm::for_each(array->row, f);
          llvm::for_each(array->counts, f);
        } else one(std::get<skeleton::ValueArgument>(argument).value);
      }
  }
}

/// Drops Defines of symbols that nothing mentions, and branches left empty. True if something went.
static bool prune(Block &block, const std::set<std::string> &mentioned) {
  bool changed = false;
  Block kept;
  for (Node &node : block) {
    if (auto *define = std::get_if<skeleton::Define>(&node.kind); define && !mentioned.count(define->symbol)) {
      changed = true;
      continue;
    }
    if (auto *loop = std::get_if<skeleton::Loop>(&node.kind)) changed |= prune(loop->body, mentioned);
    if (auto *branch = std::get_if<skeleton::Branch>(&node.kind)) {
      changed |= prune(branch->then, mentioned);
      changed |= prune(branch->otherwise, mentioned);
      if (branch->then.empty() && branch->otherwise.empty()) {
        changed = true;
        continue;
      }
    }
    kept.push_back(std::move(node));
  }
  block = std::move(kept);
  return changed;
}

static void collectDefined(const Block &block, std::map<std::string, const skeleton::Define *> &defined) {
  for (const Node &node : block) {
    if (const auto *define = std::get_if<skeleton::Define>(&node.kind)) defined[define->symbol] = define;
    if (const auto *loop = std::get_if<skeleton::Loop>(&node.kind)) collectDefined(loop->body, defined);
    if (const auto *branch = std::get_if<skeleton::Branch>(&node.kind))
      collectDefined(branch->then, defined), collectDefined(branch->otherwise, defined);
  }
}

static void substitute(skeleton::Hints &hints, const skeleton::Substitution &to) {
  for (auto &[array, low, high] : hints.ranges) low = low.substitute(to), high = high.substitute(to);
  for (auto &[name, value] : hints.sizes)
    if (auto found = to.find(name); found != to.end()) name = found->second.asSymbol().value_or(name);
}

/// Replaces symbols everywhere in a block, those that loops and Defines introduce included.
static void substitute(Block &block, const skeleton::Substitution &to) {
  auto one = [&](std::optional<Symbolic> &expr) {
    if (expr) expr = expr->substitute(to);
  };
  auto name = [&](std::string &symbol) {
    if (auto found = to.find(symbol); found != to.end()) symbol = *found->second.asSymbol();
  };
  for (Node &node : block) {
    if (auto *x = std::get_if<skeleton::Loop>(&node.kind)) {
      name(x->index);
      x->lower = x->lower.substitute(to), x->upper = x->upper.substitute(to);
      if (x->hints) substitute(*x->hints, to);
      if (x->steady)
        for (skeleton::SteadyElement &element : *x->steady) llvm::for_each(element.subscripts, one);
      substitute(x->body, to);
    } else if (auto *x = std::get_if<skeleton::Branch>(&node.kind)) {
      for (auto &facts : x->condition.anyOf)
        for (Symbolic &fact : facts) fact = fact.substitute(to);
      substitute(x->then, to), substitute(x->otherwise, to);
    } else if (auto *x = std::get_if<Access>(&node.kind)) {
      for (Subscript &subscript : x->subscripts) {
        one(subscript.value), one(subscript.atLeast), one(subscript.atMost);
        if (subscript.from) subscript.from->offset = subscript.from->offset.substitute(to);
      }
      if (x->value) x->value = x->value->substitute(to);
    } else if (auto *x = std::get_if<skeleton::HostStatement>(&node.kind)) {
      substitute(x->body.edit(), to);
      if (x->message) one(x->message->bytes);
      if (x->library)
        for (auto &[dimension, value] : x->library->dimensions) one(value);
    } else if (auto *x = std::get_if<skeleton::Allocate>(&node.kind)) {
      for (auto &extent : x->extents) one(extent);
    } else if (auto *x = std::get_if<skeleton::Define>(&node.kind)) {
      name(x->symbol);
      one(x->atLeast), one(x->atMost), one(x->value), one(x->usually);
      if (x->quotient)
        x->quotient = skeleton::Quotient{x->quotient->dividend.substitute(to), x->quotient->divisor.substitute(to)};
      if (x->from)
        for (Symbolic &subscript : x->from->element) subscript = subscript.substitute(to);
    } else if (auto *x = std::get_if<skeleton::Call>(&node.kind))
      for (auto &argument : x->arguments) {
        if (auto *array = std::get_if<skeleton::ArrayArgument>(&argument)) {
          one(array->offset);
          for (Symbolic &subscript : array->row) subscript = subscript.substitute(to);
          for (Symbolic &count : array->counts) count = count.substitute(to);
        } else one(std::get<skeleton::ValueArgument>(argument).value);
      }
  }
}

static void listSymbols(const Block &block, std::vector<std::string> &order) {
  for (const Node &node : block) {
    if (const auto *x = std::get_if<skeleton::Define>(&node.kind)) order.push_back(x->symbol);
    if (const auto *x = std::get_if<skeleton::Loop>(&node.kind)) order.push_back(x->index), listSymbols(x->body, order);
    if (const auto *x = std::get_if<skeleton::Branch>(&node.kind))
      listSymbols(x->then, order), listSymbols(x->otherwise, order);
  }
}

/// Symbols that were dropped left gaps: i, i.7 become i, i.2.
void Walker::renumber(skeleton::Function &made) {
  std::set<std::string> taken;
  for (const skeleton::Parameter &parameter : made.parameters)
    if (parameter.kind == skeleton::Parameter::Kind::Value) taken.insert(parameter.name);
  std::vector<std::string> order;
  listSymbols(made.body, order);
  skeleton::Substitution to;
  for (const std::string &old : order) {
    std::string base = st.taken.count(old) ? st.taken.at(old) : old;
    size_t dot = base.rfind('.'); // a shadowing variable has a number of its own
    if (dot != std::string::npos && dot > 0 && base.find_first_not_of("0123456789", dot + 1) == std::string::npos)
      base.resize(dot);
    std::string name = base;
    for (unsigned k = 2; !taken.insert(name).second; ++k) name = base + "." + std::to_string(k);
    if (name != old) to.insert({old, Symbolic::symbol(name)});
  }
  if (unit.points) {
    std::set<std::string> known(order.begin(), order.end());
    for (const skeleton::Parameter &parameter : made.parameters)
      if (parameter.kind == skeleton::Parameter::Kind::Value) known.insert(parameter.name);
    for (const skeleton::Constant &constant : unit.result.program.constants) known.insert(constant.symbol);
    renamePoints(to, known);
  }
  if (to.empty()) return;
  substitute(made.body, to);
  substitute(made.hints, to);
  for (Symbolic &value : made.nonNegative) value = value.substitute(to);
  for (skeleton::SteadyElement &element : made.steady)
    for (auto &subscript : element.subscripts)
      if (subscript) subscript = subscript->substitute(to);
  for (Array &array : made.arrays)
    for (auto &extent : array.extents)
      if (extent) extent = extent->substitute(to);
  for (Array &array : made.arrays)
    if (array.remade)
      array.remade = skeleton::Remade{array.remade->then.substitute(to), array.remade->entry.substitute(to)};
  if (summary.freshBytes) summary.freshBytes = summary.freshBytes->substitute(to);
  if (summary.freshRows && summary.freshRows->length)
    summary.freshRows->length = summary.freshRows->length->substitute(to);
}

void Walker::fitRanks(std::vector<skeleton::SteadyElement> &elements) {
  for (skeleton::SteadyElement &one : elements)
    if (size_t rank = object(one.array).array.extents.size(); rank != one.subscripts.size())
      one.subscripts.assign(rank, std::nullopt);
}

/// Memory may have been used before its type, and so its rank, was known: which of its elements that was is not known.
void Walker::fitRanks(Block &block) {
  Block fitted;
  for (Node &node : block) {
    if (auto *loop = std::get_if<skeleton::Loop>(&node.kind)) {
      fitRanks(loop->body);
      if (loop->steady) fitRanks(*loop->steady);
    }
    if (auto *branch = std::get_if<skeleton::Branch>(&node.kind)) fitRanks(branch->then), fitRanks(branch->otherwise);
    if (auto *host = std::get_if<skeleton::HostStatement>(&node.kind)) fitRanks(host->body.edit());
    if (auto *define = std::get_if<skeleton::Define>(&node.kind);
        define && define->from && !define->from->element.empty())
      if (object(define->from->array).array.extents.size() != define->from->element.size())
        define->from->element.clear();
    if (auto *allocate = std::get_if<skeleton::Allocate>(&node.kind)) {
      const Object &one = st.objects[allocate->array];
      bool wasBytes =
          one.bytes && allocate->extents.size() == 1 && allocate->extents[0] == *one.bytes && one.array.type.bytes > 1;
      if (wasBytes || allocate->extents.size() != one.array.extents.size()) {
        std::set<std::string> known;
        if (one.bytes) known = one.bytes->symbols();
        allocate->extents = one.array.extents;
        for (auto &extent : allocate->extents)
          if (extent &&
              !llvm::all_of(extent->symbols(), [&](const std::string &name) { return known.count(name) != 0; }))
            extent = std::nullopt;
      }
    }
    auto *access = std::get_if<Access>(&node.kind);
    auto found = access ? st.objects.find(access->array) : st.objects.end();
    if (found != st.objects.end() && access->subscripts.size() != found->second.array.extents.size()) {
      access->subscripts.assign(found->second.array.extents.size(), Subscript());
      access->value = {};
      if (access->kind == AccessKind::Update) {
        access->kind = AccessKind::Read;
        access->op = ReductionOp::None;
        fitted.push_back(*access);
        access->kind = AccessKind::Write;
      }
      access->may |= access->kind == AccessKind::Write;
    }
    fitted.push_back(std::move(node));
  }
  block = std::move(fitted);
}

/// A global pointer that some unit defines which nobody has shown: it may be initialised to anything.
bool Walker::isDefinedUnseen(const Object &object) const {
  if (!object.isGlobal) return false;
  auto known = unit.globalNames.find(object.originPath.substr(0, object.originPath.find_first_of(".-[")));
  return known != unit.globalNames.end() && !unit.isDefinedHere(known->second) &&
         !unit.foreignPointers.count(known->first);
}

/// A static pointer of this name is only ever set to memory of a size that stands there.
bool Walker::isSizedBehind(const std::string &name) const {
  auto known = unit.globalNames.find(name);
  if (known == unit.globalNames.end() || !known->second->getType()->isPointerType() ||
      known->second->isExternallyVisible())
    return false;
  return !unit.looseGlobals.count(known->second->getCanonicalDecl()) && !unit.mayPointElsewhere(name);
}

/// Values of global integers come in as parameters, but the function reads them: from memory that a loop around its
/// call may change.
void Walker::readGlobalsAtStart(skeleton::Function &made) {
  for (const ExtraFormal &extra : summary.extras) {
    llvm::StringRef name = extra.suffix;
    if (extra.parameter.kind != skeleton::Parameter::Kind::Value || extra.position != -2 || extra.type.isNull() ||
        isMain)
      continue;
    if (name.contains("->") || name.contains("[]") || name.contains("size()")) continue;
    auto global = unit.globalNames.find(name.split('.').first.str());
    if (global == unit.globalNames.end() || global->second->getType().isConstQualified()) continue;
    if (!global->second->isExternallyVisible() && !unit.writtenGlobals.count(global->second->getCanonicalDecl()))
      continue;
    if (!st.isDeclared(extra.suffix)) {
      Object &object = declareObject(extra.suffix, extra.type, Storage::Global, locate(global->second->getLocation()));
      object.isGlobal = true;
      object.origin = -2;
      object.originPath = extra.suffix;
    }
    st.objects[extra.suffix].isUsed = true;
    Access read;
    read.kind = AccessKind::Read;
    read.array = extra.suffix;
    read.location = made.location;
    made.body.insert(made.body.begin(), skeleton::Node{read});
  }
}

/// The largest value of a subscript in these loops, or the smallest; poisoned where that is not plain.
static Symbolic extreme(Symbolic value, llvm::ArrayRef<const skeleton::Loop *> nest, bool isLargest) {
  for (const skeleton::Loop *loop : llvm::reverse(nest)) {
    std::optional<Symbolic> factor = value.coefficientOf(loop->index);
    std::optional<int64_t> by = factor ? factor->constant() : std::nullopt;
    if (!by) return Symbolic::poisoned();
    if (*by == 0) continue;
    bool isLast = ((*by > 0) == isLargest) == (loop->step > 0);
    Symbolic end = isLast ? loop->upper : loop->lower;
    if (isLast && std::abs(loop->step) != 1) { // it stops short of its bound
      std::optional<int64_t> way = (loop->upper - loop->lower).constant();
      if (!way) return Symbolic::poisoned();
      end = loop->lower + Symbolic(*way / loop->step * loop->step);
    }
    value = value.substitute({{loop->index, end}});
  }
  return value;
}

/// Subscripts that surely leave their row (`a[i][35]` of 30 columns, `a[0][j]` for all of the array): the elements are
/// those of other rows. What a condition may keep from it is taken to stay.
static void leaveRows(Block &block, std::vector<const skeleton::Loop *> &nest,
                      llvm::function_ref<const Array *(const std::string &)> arrayOf,
                      llvm::function_ref<void(const Access &)> report) {
  auto leaves = [&](const Access &access, size_t d, const std::optional<Symbolic> &extent) {
    if (!access.subscripts[d].value || !extent) return false;
    Symbolic behind = extreme(*access.subscripts[d].value, nest, true) - *extent,
             before = extreme(*access.subscripts[d].value, nest, false);
    return behind.constant().value_or(-1) >= 0 || before.constant().value_or(0) < 0;
  };
  for (size_t k = 0; k < block.size(); ++k) {
    Node &node = block[k];
    if (auto *loop = std::get_if<skeleton::Loop>(&node.kind)) {
      nest.push_back(loop);
      leaveRows(loop->body, nest, arrayOf, report);
      nest.pop_back();
    }
    auto *access = std::get_if<Access>(&node.kind);
    const Array *array = access && access->subscripts.size() > 1 ? arrayOf(access->array) : nullptr;
    if (!array || array->extents.size() != access->subscripts.size()) continue;
    size_t d = access->subscripts.size() - 1;
    while (d > 0 && !leaves(*access, d, array->extents[d])) --d;
    if (d == 0) continue;
    std::fill_n(access->subscripts.begin(), d + 1, Subscript());
    access->value = {};
    report(*access);
    Access written = *access;
    if (access->kind == AccessKind::Write) access->may = true;
    if (access->kind != AccessKind::Update) continue;
    access->kind = AccessKind::Read;
    written.kind = AccessKind::Write;
    access->op = written.op = ReductionOp::None;
    written.may = true;
    block.insert(block.begin() + ++k, Node(std::move(written)));
  }
}

/// By array, of those that get memory at one place only: how many elements it has.
static std::map<std::string, Symbolic> elementsGivenOnce(const Block &body) {
  std::map<std::string, std::vector<std::optional<Symbolic>>> given;
  skeleton::forEachNode(body, [&](const Node &node) {
    if (auto *made = std::get_if<skeleton::Allocate>(&node.kind))
      given[made->array].push_back(made->extents.size() == 1 ? made->extents.front() : std::optional<Symbolic>());
  });
  std::map<std::string, Symbolic> once;
  for (const auto &[name, counts] : given)
    if (counts.size() == 1 && counts.front()) once.insert({name, *counts.front()});
  return once;
}

/// A size of a symbol that no block defines any more is not known.
static void dropUnknownExtents(skeleton::Function &made, const skeleton::Program &program) {
  std::set<std::string> known;
  std::vector<std::string> defined;
  listSymbols(made.body, defined);
  known.insert(defined.begin(), defined.end());
  for (const skeleton::Parameter &parameter : made.parameters)
    if (parameter.kind == skeleton::Parameter::Kind::Value) known.insert(parameter.name);
  for (const skeleton::Constant &constant : program.constants) known.insert(constant.symbol);
  auto isKnown = [&](const Symbolic &value) {
    return llvm::all_of(value.symbols(), [&](const std::string &symbol) { return known.count(symbol) != 0; });
  };
  for (Array &array : made.arrays) {
    for (auto &extent : array.extents)
      if (extent && !isKnown(*extent)) extent = std::nullopt;
    if (array.remade && (!isKnown(array.remade->then) || !isKnown(array.remade->entry))) array.remade = {};
  }
}

void Walker::finish() {
  skeleton::Function &made = summary.function;
  Block body = std::move(prologue);
  for (Node &node : made.body) body.push_back(std::move(node));
  made.body = std::move(body);
  expandReach(made.body);
  fitRanks(made.body);
  std::vector<const skeleton::Loop *> nest;
  leaveRows(
      made.body, nest,
      [&](const std::string &name) {
        auto found = st.objects.find(name);
        return found == st.objects.end() || !found->second.rowsOf.empty() ? nullptr : &found->second.array;
      },
      [&](const Access &access) {
        find(Rule::NonAffineSubscript, access.location,
             "a subscript of " + access.array + " leaves its row; the whole array is taken");
      });
  noteRemade();
  noteSteady();
  noteExposed();
  reportRows();
  // What an Alias may be has to be declared too.
  for (const std::string &name : st.objectOrder)
    if (Object &one = st.objects[name]; one.isUsed) {
      one.array.likely = one.likely.all();
      for (const std::vector<std::string> *targets : {&one.array.mayBe, &one.array.likely})
        for (const std::string &target : *targets)
          if (auto found = st.objects.find(target); found != st.objects.end()) found->second.isUsed = true;
    }
  for (unsigned k = 0; k < function->getNumParams(); ++k) {
    auto found = st.objects.find(nameOf(function->getParamDecl(k)));
    if (found == st.objects.end()) continue;
    summary.writesFormal[k] = found->second.isWritten;
    for (const skeleton::Parameter &parameter : made.parameters)
      if (parameter.kind == skeleton::Parameter::Kind::Array && parameter.name == found->first)
        found->second.isUsed = true;
  }
  // Arrays behind fields and globals' pointers come in as extra formals.
  summary.extras = std::move(st.extras);
  const std::map<std::string, Symbolic> givenOnce = elementsGivenOnce(made.body);
  for (const std::string &name : st.objectOrder) {
    const Object &one = st.objects[name];
    if (one.isUsed && one.isWritten && one.origin >= -2 && !one.originPath.empty())
      summary.writtenMemory.insert({one.origin, one.originPath});
    if (!one.isUsed || (one.origin < -1 && one.rowsOf.empty()) || one.origin == -3 || !one.prefix.empty()) continue;
    if (one.originPath.empty()) continue; // a formal of the source
    ExtraFormal extra;
    // The caller's own field or pointer, unless the struct was passed by value.
    extra.parameter = {skeleton::Parameter::Kind::Array, name, !isCopyAt(function, one.origin)};
    extra.position = one.origin;
    extra.suffix = one.originPath;
    extra.type = one.element;
    if (one.bytes) summary.freshExtents[name] = one.array.extents;
    if (auto count = givenOnce.find(name);
        count != givenOnce.end() && one.array.extents.size() == 1 && !one.array.extents[0])
      if (auto size = summary.exitValues.find({one.origin, one.originPath + sizeSuffix.str()});
          size != summary.exitValues.end() && size->second == count->second)
        summary.elementsIfEmpty.insert(*count);
    summary.extras.push_back(extra);
  }
  // A field that is read as a value and also written is two formals of one name: its memory, and its value on entry.
  for (const ExtraFormal &extra : summary.extras) made.parameters.push_back(extra.parameter);
  readGlobalsAtStart(made);
  unsigned loaded = 0;
  for (const std::string &name : st.objectOrder) loaded += st.objects[name].isUsed && st.objects[name].isLoaded;
  for (const std::string &name : st.objectOrder) {
    Object &one = st.objects[name];
    if (!one.isUsed) continue;
    if (one.isLoaded && (loaded > 1 || isDefinedUnseen(one)))
      find(Rule::AssumedNoAlias, one.array.location, "the array behind " + name + " is assumed to overlap no other");
    one.array.isConst = !one.isWritten && (one.isConstPointee || one.array.isConst);
    if (one.isGlobal) {
      if ((one.isLoaded || !one.rowsOf.empty()) && !isFile(one.element, context))
        summary.namedPointers.insert(rootOf(name));
      auto declared = llvm::find_if(unit.result.program.globals,
                                    [&, wanted = name](const Array &array) { return array.name == wanted; });
      const bool known = declared != unit.result.program.globals.end();
      if (known) declared->isSteady |= one.array.isSteady;
      Array global = one.array;
      global.isPointee = one.isLoaded || !one.rowsOf.empty();
      global.isSized = isSizedBehind(name);
      if (!known) {
        auto isStated = [&](const std::string &symbol) {
          return llvm::any_of(unit.result.program.constants, [&](const auto &one) { return one.symbol == symbol; });
        };
        for (auto &extent : global.extents)
          if (extent && (extent->isPoisoned() || !llvm::all_of(extent->symbols(), isStated))) extent = std::nullopt;
        global.isConst = false;
        const std::string root = rootOf(name);
        auto variable = unit.globalNames.find(root.substr(0, root.find_first_of(".-")));
        if (variable == unit.globalNames.end()) variable = unit.globalNames.find(root);
        auto local = unit.staticsByName.find(root);
        const clang::VarDecl *owner = variable != unit.globalNames.end()  ? variable->second
                                      : local != unit.staticsByName.end() ? local->second
                                                                          : nullptr;
        global.isStatic = owner && !owner->isExternallyVisible();
        unit.result.program.globals.push_back(global);
      }
      continue;
    }
    if (!one.prefix.empty() && one.array.extents.empty() && one.array.storage != Storage::Alias)
      continue; // its fields are declared
    made.arrays.push_back(one.array);
  }
  for (bool again = true; again;) {
    std::set<std::string> mentioned;
    auto mention = [&](const Symbolic &expr) {
      for (const std::string &symbol : expr.symbols()) mentioned.insert(symbol);
    };
    forEachExpr(made.body, mention);
    for (const Array &array : made.arrays)
      for (const auto &extent : array.extents)
        if (extent) mention(*extent);
    for (const Array &array : made.arrays)
      if (array.remade) mention(array.remade->then), mention(array.remade->entry);
    for (const Symbolic &value : made.nonNegative) mention(value);
    std::map<std::string, const skeleton::Define *> defined;
    collectDefined(made.body, defined);
    for (bool grows = true; grows;) { // bounds of a symbol that stays keep theirs
      size_t before = mentioned.size();
      for (const std::string &symbol : std::set<std::string>(mentioned))
        if (auto define = defined.find(symbol); define != defined.end()) {
          if (define->second->atLeast) mention(*define->second->atLeast);
          if (define->second->atMost) mention(*define->second->atMost);
          if (define->second->usually) mention(*define->second->usually);
          if (define->second->quotient)
            mention(define->second->quotient->dividend), mention(define->second->quotient->divisor);
          if (define->second->from) llvm::for_each(define->second->from->element, mention);
        }
      grows = mentioned.size() != before;
    }
    again = prune(made.body, mentioned);
  }
  dropUnknownExtents(made, unit.result.program);
  renumber(made);
  skeleton::shareBodies(made);
  summarizeLeftBehind(made.body);
  summary.neverReturns = returns.empty() && skeleton::surelyEnds(made.body);
  for (skeleton::Finding &finding : st.findings) unit.result.program.findings.push_back(std::move(finding));
}

} // namespace busfare::frontend
