//===- brs/CallVerdicts.cpp - Loops of calls, judged by their functions alone ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A call is made again, of a root that does nothing else: its arrays are the function's formals, one for all
// that are given the same, and its sizes are open unless the call gives a number. That root
// is analysed once for all calls alike. A verdict is taken over only if the loop
// is node by node the one that was judged, with the names that the call binds.
//
//===----------------------------------------------------------------------===//
#include "brs/CallVerdicts.h"
#include "brs/Alias.h"
#include "brs/Domain.h"
#include "brs/Handlers.h"
#include "brs/Presburger.h"
#include "brs/RowAssumptions.h"
#include "brs/Shape.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <memory>

using namespace busfare::brs;
using namespace busfare::skeleton;

namespace {

/// A share of the root's effort for one function's own verdicts.
constexpr double shareOfFunction = 0.25;

/// One call of the function alone, analysed.
struct Alone {
  Function function;
  std::vector<CallPath> paths;
  DependenceAnalysis verdicts;
  std::vector<const LoopVerdict *> loops; ///< Of the loops that stand in the called function itself.
  std::vector<Expr> assumed;              ///< As of Shaped.
  std::set<std::string> assumedShapes;
};

/// What a call gives: formals of one class are the same memory, from the same element on, in the same shape.
struct Pattern {
  std::string callee;
  std::map<std::string, std::string> classOf; ///< Array formal -> the first formal that is given the same.
  std::map<std::string, int64_t> numbers;     ///< Integer formals that are given a number.
  auto operator<=>(const Pattern &) const = default;
};

bool isSame(const Binding &a, const Binding &b) {
  return a.array == b.array && a.offset && b.offset && *a.offset == *b.offset && a.row.empty() && b.row.empty() &&
         a.extents == b.extents;
}

bool isNoAlias(const std::string &assumption) { return llvm::StringRef(assumption).starts_with("noalias("); }

/// Does the block itself give the name other memory, or take it away?
bool setsName(const Block &block, const std::string &name) {
  bool found = false;
  forEachNode(block, [&](const Node &node) {
    if (auto *allocate = std::get_if<Allocate>(&node.kind)) found |= allocate->array == name;
    else if (auto *freed = std::get_if<Free>(&node.kind)) found |= freed->array == name;
    else if (auto *rotate = std::get_if<Rotate>(&node.kind))
      found |= llvm::any_of(rotate->moves, [&](const auto &move) { return move.first == name; });
    else found |= std::holds_alternative<Call>(node.kind);
  });
  return found;
}

class FunctionJudge {
public:
  FunctionJudge(const Program &program, const Function &root, llvm::ArrayRef<CallPath> paths, const Context &facts,
                ShapeProof proof, DependenceAnalysis &verdicts)
      : program(program), root(root), paths(paths), facts(facts), proof(proof), verdicts(verdicts),
        aliases(program, root), arrays(program, root) {
    forEachNode(root.body, [&](const Node &node) {
      if (auto *define = std::get_if<Define>(&node.kind)) defines[define->symbol] = define;
      if (auto *loop = std::get_if<Loop>(&node.kind)) indices.insert(loop->index);
    });
  }

  void run();

private:
  const Program &program;
  const Function &root;
  llvm::ArrayRef<CallPath> paths;
  const Context &facts;
  const ShapeProof proof;
  DependenceAnalysis &verdicts;
  Aliases aliases;
  ArrayTable arrays;
  std::map<std::string, const Define *> defines;
  std::set<std::string> indices; ///< Of all loops.
  std::map<Pattern, std::unique_ptr<Alone>> known; ///< Null: cannot be asked.
  std::vector<Finding> assumed;

  bool mayHelp(const CallPath &path) const;
  bool isOpen(const LoopVerdict &verdict, const CallPath &path) const;
  std::optional<Pattern> patternOf(const CallPath &path) const;
  std::unique_ptr<Alone> analyse(const Pattern &pattern) const;
  void take(unsigned path, const LoopVerdict &alone, const Alone &from, LoopVerdict &verdict);
  bool isAssumable(const Binding &a, const Binding &b) const;
  std::optional<std::vector<std::string>> conditionsHere(const Alone &from, const std::set<std::string> &touched,
                                                         const CallPath &path) const;
  std::vector<const Define *> unknownIn(const Expr &expr) const;

  /// From names of the function alone to those of the root, for one call.
  struct Names {
    const CallPath &alone, &here;
    std::string operator()(const std::string &name) const;
    const Binding *bindingOf(const std::string &name) const;
  };
  bool areAlike(llvm::ArrayRef<Node> alone, llvm::ArrayRef<Node> here, const Names &names) const;
};

/// The formal's binding; null if it is none.
const Binding *FunctionJudge::Names::bindingOf(const std::string &name) const {
  // A class goes by its first formal's name, in the function alone and so in its bindings.
  auto given = alone.arrays.find(name);
  bool isFormal = given != alone.arrays.end() && given->second.array == name;
  auto found = here.arrays.find(name);
  return isFormal && found != here.arrays.end() ? &found->second : nullptr;
}

std::string FunctionJudge::Names::operator()(const std::string &name) const {
  if (const Binding *binding = bindingOf(name)) return binding->array;
  llvm::StringRef own(name);
  return own.consume_front(alone.prefix) ? here.prefix + own.str() : name;
}

/// Only where parts of arrays are given, or arrays in another shape than they have.
bool FunctionJudge::mayHelp(const CallPath &path) const {
  return llvm::any_of(path.arrays, [&](const auto &one) {
    const Binding &given = one.second;
    const Array *array = arrays.find(given.array);
    if (!array || array->storage == Storage::Alias || !given.offset) return false;
    if (!given.row.empty()) // of unknown length: what it is divided into only the callee says
      return array->extents.size() > given.row.size() && !array->extents[given.row.size()];
    return !given.offset->constant() || given.extents.size() > array->extents.size();
  });
}

std::optional<Pattern> FunctionJudge::patternOf(const CallPath &path) const {
  const Function *callee = findFunction(program, path.function);
  if (!callee) return std::nullopt;
  Pattern pattern;
  pattern.callee = path.function;
  std::vector<std::string> firsts;
  for (const Parameter &parameter : callee->parameters) {
    if (parameter.kind == Parameter::Kind::Value) {
      auto given = path.symbols.find(parameter.name);
      if (std::optional<int64_t> number = given == path.symbols.end() ? std::nullopt : given->second.constant())
        pattern.numbers[parameter.name] = *number;
    }
    auto given = path.arrays.find(parameter.name);
    if (parameter.kind != Parameter::Kind::Array || given == path.arrays.end()) continue;
    if (parameter.byReference && setsName(callee->body, parameter.name))
      return std::nullopt; // its variable is the caller's
    auto first =
        llvm::find_if(firsts, [&](const std::string &other) { return isSame(path.arrays.at(other), given->second); });
    if (first == firsts.end()) first = firsts.insert(firsts.end(), parameter.name);
    pattern.classOf[parameter.name] = *first;
  }
  return pattern;
}

std::unique_ptr<Alone> FunctionJudge::analyse(const Pattern &pattern) const {
  const Function &callee = *findFunction(program, pattern.callee);
  std::set<std::string> sizes;
  for (const Constant &constant : program.constants) sizes.insert(constant.symbol);
  Function function;
  function.name = callee.name + " alone";
  function.location = callee.location;
  Call call;
  call.callee = callee.name;
  for (const Parameter &parameter : callee.parameters)
    if (parameter.kind == Parameter::Kind::Value && !pattern.numbers.count(parameter.name)) {
      function.parameters.push_back(parameter);
      sizes.insert(parameter.name);
    }
  Substitution numbers;
  for (const auto &[name, number] : pattern.numbers) numbers[name] = number;
  for (const Parameter &parameter : callee.parameters) {
    if (parameter.kind == Parameter::Kind::Value) {
      auto number = pattern.numbers.find(parameter.name);
      call.arguments.push_back(
          ValueArgument{number == pattern.numbers.end() ? Expr::symbol(parameter.name) : Expr(number->second)});
      continue;
    }
    auto first = pattern.classOf.find(parameter.name);
    if (first == pattern.classOf.end()) {
      call.arguments.push_back(ValueArgument());
      continue;
    }
    call.arguments.push_back(ArrayArgument{first->second});
    if (first->second != parameter.name) continue;
    auto formal = llvm::find_if(callee.arrays, [&](const Array &array) { return array.name == parameter.name; });
    if (formal == callee.arrays.end()) return nullptr;
    Array array = *formal;
    for (std::optional<Expr> &extent : array.extents)
      if (extent) {
        extent = extent->substitute(numbers);
        if (extent->isPoisoned() ||
            llvm::any_of(extent->symbols(), [&](const std::string &name) { return !sizes.count(name); }))
          return nullptr;
      }
    function.arrays.push_back(std::move(array));
    function.parameters.push_back(parameter);
  }
  function.body.emplace_back(std::move(call));
  Inlined inlined = substituteCalls(program, function);
  if (inlined.paths.size() < 2) return nullptr;
  EffortBudget budget(shareOfFunction * effortLeft());
  auto result = std::make_unique<Alone>();
  Shaped shaped = recoverShapes(program, inlined.function, factsOf(program, inlined.function), proof);
  result->function = std::move(shaped.function);
  result->assumed = std::move(shaped.assumed);
  result->assumedShapes = std::move(shaped.assumedShapes);
  result->paths = std::move(inlined.paths);
  result->verdicts = analyseDependence(program, result->function, factsOf(program, result->function));
  size_t k = 0;
  forEachNode(result->function.body, [&](const Node &node) {
    if (!std::holds_alternative<Loop>(node.kind)) return;
    if (node.path == 1) result->loops.push_back(&result->verdicts.loops[k]);
    ++k;
  });
  return result;
}

/// Is one loop the other, under other names?
bool FunctionJudge::areAlike(llvm::ArrayRef<Node> alone, llvm::ArrayRef<Node> here, const Names &names) const {
  if (alone.size() != here.size()) return false;
  for (size_t k = 0; k < alone.size(); ++k) {
    const Node &a = alone[k], &b = here[k];
    if (a.kind.index() != b.kind.index() || !(locationOf(a) == locationOf(b))) return false;
    if (auto *loop = std::get_if<Loop>(&a.kind)) {
      const Loop &other = std::get<Loop>(b.kind);
      if (loop->step != other.step || loop->mayExitEarly != other.mayExitEarly || names(loop->index) != other.index ||
          !areAlike(loop->body, other.body, names))
        return false;
    } else if (auto *branch = std::get_if<Branch>(&a.kind)) {
      const Branch &other = std::get<Branch>(b.kind);
      if (branch->condition.exact != other.condition.exact || !areAlike(branch->then, other.then, names) ||
          !areAlike(branch->otherwise, other.otherwise, names))
        return false;
    } else if (auto *access = std::get_if<Access>(&a.kind)) {
      const Access &other = std::get<Access>(b.kind);
      const Array *array = arrays.find(other.array);
      if (access->kind != other.kind || access->may != other.may || access->op != other.op ||
          names(access->array) != other.array || !array || array->storage == Storage::Alias)
        return false;
    } else if (auto *define = std::get_if<Define>(&a.kind)) {
      if (names(define->symbol) != std::get<Define>(b.kind).symbol) return false;
    } else if (!std::holds_alternative<Operations>(a.kind) && !std::holds_alternative<End>(a.kind)) {
      return false;
    }
  }
  return true;
}

/// The definitions of the values in the sum that nothing is known of.
std::vector<const Define *> FunctionJudge::unknownIn(const Expr &expr) const {
  std::vector<const Define *> result;
  for (const std::string &symbol : expr.symbols())
    if (auto found = defines.find(symbol); found != defines.end() && !found->second->value)
      result.push_back(found->second);
  return result;
}

/// Two places in one array: does one begin where a table says, and the other surely at no equal entry of it?
bool FunctionJudge::isAssumable(const Binding &a, const Binding &b) const {
  if (!a.offset || !b.offset || !a.row.empty() || !b.row.empty()) return false;
  std::vector<const Define *> left = unknownIn(*a.offset), right = unknownIn(*b.offset);
  if (left.size() > 1 || right.size() > 1 || left.size() + right.size() == 0) return false;
  for (const Define *each : {left.empty() ? nullptr : left.front(), right.empty() ? nullptr : right.front()})
    if (each && (!each->from || each->from->element.empty())) return false;
  // The array's beginning, or a place at a fixed distance from it.
  if (left.empty() || right.empty()) return (left.empty() ? a : b).offset->constant().has_value();
  const std::vector<Expr> &one = left.front()->from->element, &other = right.front()->from->element;
  if (left.front()->from->array != right.front()->from->array) return true;
  if (one.size() != other.size()) return false;
  for (size_t d = 0; d < one.size(); ++d)
    if (std::optional<int64_t> apart = (one[d] - other[d]).constant(); apart && *apart != 0) return true;
  return false;
}

/// What the shapes in the function alone rest on, said of what this call gives; without what is known of that. Nothing
/// if it does not hold here, or is another condition in each iteration of some loop.
std::optional<std::vector<std::string>>
FunctionJudge::conditionsHere(const Alone &from, const std::set<std::string> &touched, const CallPath &path) const {
  std::vector<std::string> result;
  if (llvm::none_of(touched, [&](const std::string &name) { return from.assumedShapes.count(name) != 0; }))
    return result;
  for (const Expr &condition : from.assumed) {
    const Expr here = condition.substitute(path.symbols);
    if (here.isPoisoned() ||
        llvm::any_of(here.symbols(), [&](const std::string &symbol) { return indices.count(symbol) != 0; }) ||
        isNonNegative(-here - 1, facts) == Answer::Yes)
      return std::nullopt;
    if (isNonNegative(here, facts) != Answer::Yes) result.push_back(conditionText(here));
  }
  return result;
}

void FunctionJudge::take(unsigned path, const LoopVerdict &alone, const Alone &from, LoopVerdict &verdict) {
  const Names names{from.paths[1], paths[path]};
  const Loop &judged = *alone.loop, &here = *verdict.loop;
  if (!alone.parallel || !(judged.location == here.location) || judged.step != here.step ||
      judged.mayExitEarly != here.mayExitEarly || !areAlike(judged.body, here.body, names))
    return;
  LoopVerdict taken;
  taken.loop = verdict.loop;
  taken.parallel = true;
  taken.reason = "no two iterations touch the same element in " + paths[path].function + " alone";
  std::set<std::string> touched;
  forEachNode(judged.body, [&](const Node &node) {
    if (auto *access = std::get_if<Access>(&node.kind)) touched.insert(access->array);
  });
  size_t explained = 0;
  std::vector<Finding> findings;
  const std::set<std::string> assumptions(alone.assuming.begin(), alone.assuming.end());
  const bool any = llvm::any_of(assumptions, isNoAlias);
  for (auto a = touched.begin(); any && a != touched.end(); ++a)
    for (auto b = std::next(a); b != touched.end(); ++b) {
      if (!assumptions.count(noalias(*a, *b))) continue;
      ++explained;
      const std::string x = names(*a), y = names(*b);
      if (x != y) {
        Overlap overlap = aliases.between(x, y);
        if (overlap == Overlap::Maybe) return;
        if (overlap == Overlap::IfCalled) taken.assuming.push_back(noalias(x, y));
        continue;
      }
      const Binding *one = names.bindingOf(*a), *other = names.bindingOf(*b);
      if (!one || !other || !isAssumable(*one, *other)) return;
      const std::string &prefix = paths[path].prefix;
      taken.assuming.push_back(noalias(prefix + *a, prefix + *b));
      findings.push_back({Rule::AssumedNoAlias, Level::Note, paths[path].call,
                          "`" + *a + "` and `" + *b + "` of " + paths[path].function +
                              " are assumed not to overlap: both lead into `" + x +
                              "`, and where they begin is read from memory; if they do, its iterations may depend"});
    }
  for (const std::string &assumption : alone.assuming) {
    if (isUnthrown(assumption)) taken.assuming.push_back(assumption);
    else if (!isNoAlias(assumption) || explained == 0) return;
  }
  if (size_t(llvm::count_if(alone.assuming, isNoAlias)) != explained) return;
  const std::optional<std::vector<std::string>> conditions = conditionsHere(from, touched, paths[path]);
  if (!conditions) return;
  llvm::append_range(taken.assuming, *conditions);
  for (const std::string &name : touched) {
    const Array *array = arrays.find(names(name));
    if (array && array->rows == Rows::Assumed) taken.assuming.push_back("rows(" + array->name + ")");
    if (array && array->isSteady) taken.assuming.push_back("steady(" + array->name + ")");
  }
  for (Need need : alone.needs) {
    if (const Binding *binding = names.bindingOf(need.name); binding && binding->offset != Expr(0)) return;
    need.name = need.name == endFlag ? need.name : names(need.name);
    const Array *array = arrays.find(need.name);
    if (need.name != endFlag && (!array || array->storage == Storage::Alias)) return;
    taken.needs.push_back(std::move(need));
  }
  llvm::sort(taken.needs);
  llvm::sort(taken.assuming);
  taken.assuming.erase(llvm::unique(taken.assuming), taken.assuming.end());
  verdict = std::move(taken);
  assumed.insert(assumed.end(), findings.begin(), findings.end());
}

/// Does anything that was found surely keep the loop serial, in memory that others than the call see?
static bool isRefuted(const LoopVerdict &verdict, const CallPath &path) {
  return verdict.dependences.empty() || llvm::any_of(verdict.dependences, [&](const CarriedDependence &found) {
           return found.kind != CarriedDependence::Kind::Unknown &&
                  !llvm::StringRef(found.array).starts_with(path.prefix);
         });
}

/// Not parallel, as far as is known, or only if each thread has an array of its own to add to.
bool FunctionJudge::isOpen(const LoopVerdict &verdict, const CallPath &path) const {
  if (!verdict.parallel) return verdict.isAnalysed && !isRefuted(verdict, path);
  return llvm::any_of(verdict.needs, [&](const Need &need) {
    const Array *array = arrays.find(need.name);
    return need.kind == Need::Kind::Reduction && array && !array->isScalar();
  });
}

void FunctionJudge::run() {
  std::map<unsigned, std::vector<LoopVerdict *>> loopsOf;
  size_t k = 0;
  forEachNode(root.body, [&](const Node &node) {
    if (!std::holds_alternative<Loop>(node.kind)) return;
    if (node.path != 0) loopsOf[node.path].push_back(&verdicts.loops[k]);
    ++k;
  });
  if (k != verdicts.loops.size()) return;
  for (auto &[path, loops] : loopsOf) {
    if (llvm::none_of(loops, [&, &call = paths[path]](const LoopVerdict *verdict) { return isOpen(*verdict, call); }) ||
        !mayHelp(paths[path]) || effortIsSpent())
      continue;
    std::optional<Pattern> pattern = patternOf(paths[path]);
    if (!pattern) continue;
    auto [alone, isNew] = known.try_emplace(*pattern);
    if (isNew) alone->second = analyse(*pattern);
    if (!alone->second || alone->second->loops.size() != loops.size()) continue;
    for (size_t i = 0; i < loops.size(); ++i)
      if (isOpen(*loops[i], paths[path])) take(path, *alone->second->loops[i], *alone->second, *loops[i]);
  }
  // What was said of a loop stands as long as it is serial for some call.
  std::set<Location> serial;
  for (const LoopVerdict &verdict : verdicts.loops)
    if (!verdict.parallel) serial.insert(verdict.loop->location);
  std::set<Location> all;
  for (const LoopVerdict &verdict : verdicts.loops) all.insert(verdict.loop->location);
  llvm::erase_if(verdicts.findings, [&](const Finding &finding) {
    return finding.rule == Rule::NotParallel && all.count(finding.location) && !serial.count(finding.location);
  });
  verdicts.findings.insert(verdicts.findings.end(), assumed.begin(), assumed.end());
  llvm::sort(verdicts.findings);
  verdicts.findings.erase(llvm::unique(verdicts.findings), verdicts.findings.end());
}

} // namespace

void busfare::brs::judgeByFunction(const Program &program, const Function &root, llvm::ArrayRef<CallPath> paths,
                                   const Context &facts, ShapeProof proof, DependenceAnalysis &verdicts) {
  FunctionJudge(program, root, paths, facts, proof, verdicts).run();
}
