//===- skeleton/InlineRemade.cpp - Memory that a callee puts in its caller's place ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A function that is given a struct by value may put new memory behind its pointers, of which its caller's names know
// nothing:
//
//   void run(struct grid g) {                         array g.u : f64[?] parameter remade(g.n.2 if g.n)
//     if (g.n == 0) { g.n = 1; g.u = malloc(8); }     if g.n >= 0 and -g.n >= 0 { alloc g.u[1] }
//     for (...) out[i] = g.u[at[i]];
//   }
//
// Behind the branch the pointer leads to either. If the function only reads what is there, and by no other name, that
// is as good as an array of the call's own, into which the host copies the caller's there:
//
//   array `run@8:g.u` : f64[`run@8:g.n.2`] local instead-of(g.u)
//   may read g.u[?]  may write `run@8:g.u`[?]
//
// How large it is the function says, if its caller's array is as large as the function takes it to be.
//
//===----------------------------------------------------------------------===//

#include "skeleton/Inliner.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::skeleton {

namespace {

/// What nodes do with the memory of a name.
enum Use : unsigned { Nothing = 0, Allocates = 1, Frees = 2, Reads = 4, Other = 8 };

class Uses {
public:
  explicit Uses(const Program &program) : program(program) {}

  /// What stands here speaks of the memory only where that was allocated in front of it.
  bool isOnlyOfNew(llvm::ArrayRef<Node> nodes, const std::string &name) {
    for (const Node &node : nodes) {
      if (std::holds_alternative<Allocate>(node.kind) && of(node, name)) return true;
      const auto *branch = std::get_if<Branch>(&node.kind);
      if (branch ? !isOnlyOfNew(branch->then, name) || !isOnlyOfNew(branch->otherwise, name)
                 : of(node, name) != Nothing)
        return false;
    }
    return true;
  }

  unsigned of(llvm::ArrayRef<Node> nodes, const std::string &name) {
    unsigned uses = Nothing;
    forEachNode(nodes, [&](const Node &node) { uses |= ofNode(node, name); });
    return uses;
  }

private:
  const Program &program;
  std::set<std::pair<const Function *, std::string>> open;

  static bool isPrivate(const Loop &loop, const std::string &name) {
    if (!loop.directive) return false;
    const Directive &said = *loop.directive;
    return llvm::is_contained(said.privates, name) || llvm::is_contained(said.firstprivates, name) ||
           llvm::is_contained(said.lastprivates, name) ||
           llvm::any_of(said.reductions, [&](const auto &one) { return one.second == name; });
  }

  unsigned ofNode(const Node &node, const std::string &name) {
    if (const auto *access = std::get_if<Access>(&node.kind)) {
      const bool isIndex =
          llvm::any_of(access->subscripts, [&](const Subscript &one) { return one.from && one.from->array == name; });
      return (isIndex ? Reads : Nothing) | (access->array != name              ? Nothing
                                            : access->kind == AccessKind::Read ? Reads
                                                                               : Other);
    }
    if (const auto *define = std::get_if<Define>(&node.kind))
      return define->from && define->from->array == name ? Reads : Nothing;
    if (const auto *allocate = std::get_if<Allocate>(&node.kind)) return allocate->array == name ? Allocates : Nothing;
    if (const auto *freed = std::get_if<Free>(&node.kind)) return freed->array == name ? Frees : Nothing;
    if (const auto *rotate = std::get_if<Rotate>(&node.kind))
      return llvm::any_of(rotate->moves, [&](const auto &move) { return move.first == name; }) ? Other : Nothing;
    if (const auto *loop = std::get_if<Loop>(&node.kind)) return isPrivate(*loop, name) ? Other : Nothing;
    const auto *call = std::get_if<Call>(&node.kind);
    return call ? ofCall(*call, name) : Nothing;
  }

  unsigned ofCall(const Call &call, const std::string &name) {
    unsigned uses =
        llvm::any_of(call.exposed, [&](const Exposure &one) { return one.array == name; }) ? Other : Nothing;
    const Function *callee = findFunction(program, call.callee);
    for (size_t k = 0; k < call.arguments.size(); ++k) {
      const auto *given = std::get_if<ArrayArgument>(&call.arguments[k]);
      if (!given || given->array != name) continue;
      if (!callee || k >= callee->parameters.size() || !open.insert({callee, callee->parameters[k].name}).second)
        return Other;
      const unsigned inside = of(callee->body, callee->parameters[k].name);
      open.erase({callee, callee->parameters[k].name});
      uses |= inside & ~unsigned(Reads) ? Other : inside;
    }
    return uses;
  }
};

bool isLed(const Array &alias, const std::string &array) {
  return llvm::is_contained(alias.mayBe, array) || llvm::is_contained(alias.likely, array);
}

} // namespace

/// The call can come to the array by no other name, and unseen code that it calls cannot at all.
bool Inliner::isOnlyThrough(const std::string &name, const std::string &array, Frame &frame) const {
  for (const auto &[other, binding] : frame.arrays) {
    const Array *bound = declared(binding.array);
    if ((other != name && binding.array == array) ||
        (bound && bound->storage == Storage::Alias && isLed(*bound, array)))
      return false;
  }
  for (const Array &own : frame.function->arrays)
    if (isLed(own, name)) return false;
  return llvm::none_of(frame.exposed, [&](const auto &one) { return one.first == array || isAlias(one.first); });
}

std::optional<Remaking> Inliner::remakingOf(const Array &formal, const Call &call, size_t position, Frame &frame) {
  const Binding binding = bindingOf(formal.name, frame);
  const Array *actual = declared(binding.array);
  const auto *given =
      position < call.arguments.size() ? std::get_if<ArrayArgument>(&call.arguments[position]) : nullptr;
  const bool isPlain = given && actual && actual->storage != Storage::Alias && actual->storage != Storage::Global &&
                       !confused.count(binding.array) && binding.offset == Expr(0) && binding.row.empty() &&
                       actual->type == formal.type && actual->extents.size() == 1;
  if (!isPlain || !isOnlyThrough(formal.name, binding.array, frame)) return std::nullopt;
  const Expr entry = formal.remade->entry.substitute(frame.symbols);
  auto isEntry = [&](const Expr &count) { return count.substitute(frame.caller->symbols) == entry; };
  if (actual->extents[0] != entry && llvm::none_of(given->counts, isEntry)) return std::nullopt;

  const Block &body = frame.function->body;
  Uses uses(program);
  std::optional<size_t> last, freed;
  for (size_t k = 0; k < body.size(); ++k)
    if (uses.of(body[k], formal.name) & Allocates) last = k;
  if (!last) return std::nullopt;
  for (size_t k = 0; k < body.size(); ++k) {
    const unsigned here = uses.of(body[k], formal.name);
    const bool isReadBehindEnd = (here & Reads) && (freed || (here & Frees));
    if (k <= *last ? !uses.isOnlyOfNew(body[k], formal.name) || (here & Frees) : (here & Other) || isReadBehindEnd)
      return std::nullopt;
    if ((here & Frees) && !freed) freed = k;
  }
  size_t begins = *last + 1;
  while (begins < body.size() && std::holds_alternative<Define>(body[begins].kind)) ++begins;

  Array own = formal;
  own.name = frame.prefix + formal.name;
  own.extents = {formal.remade->then.substitute(frame.symbols)};
  own.storage = Storage::Local;
  own.perIteration = loopDepth > 0;
  own.isRestrict = own.isConst = own.isSteady = false;
  own.remade = {};
  own.insteadOf = binding.array;
  own.location = locationOf(body[*last]);
  if (declared(own.name) || own.extents[0]->isPoisoned()) return std::nullopt;
  return Remaking{begins, freed, std::move(own)};
}

void Inliner::findRemade(const Call &call, Frame &frame) {
  const std::vector<Parameter> &parameters = frame.function->parameters;
  for (size_t k = 0; k < parameters.size(); ++k) {
    const Array *formal = parameters[k].kind == Parameter::Kind::Array && !parameters[k].byReference
                              ? findArray(program, *frame.function, parameters[k].name)
                              : nullptr;
    if (!formal || !formal->remade) continue;
    auto remaking = remakingOf(*formal, call, k, frame);
    if (!remaking) continue;
    result.function.arrays.push_back(remaking->own);
    frame.arrays[formal->name] = {remaking->own.name, Expr(0), remaking->own.extents};
    frame.remade.emplace(formal->name, std::move(*remaking));
  }
}

/// What begins or ends in front of this node of the function.
void Inliner::takeOverRemade(size_t at, Frame &frame, Block &out) {
  for (const auto &[name, remaking] : frame.remade) {
    if (remaking.begins == at) {
      Access copied;
      copied.array = remaking.own.insteadOf;
      copied.subscripts.assign(1, Subscript());
      copied.may = true;
      copied.location = remaking.own.location;
      out.emplace_back(copied);
      out.back().path = frame.path;
      copied.kind = AccessKind::Write;
      copied.array = remaking.own.name;
      out.emplace_back(copied);
      out.back().path = frame.path;
    }
    if (remaking.ends == at) {
      out.emplace_back(Free{remaking.own.name, locationOf(frame.function->body[at])});
      out.back().path = frame.path;
    }
  }
}

} // namespace busfare::skeleton
