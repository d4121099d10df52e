//===- skeleton/Print.cpp - Writing skeleton text -------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One function per node kind. A statement is one line; blocks are indented by two.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Print.h"
#include "skeleton/Directive.h"
#include "skeleton/Hints.h"
#include "skeleton/SharedBodies.h"
#include "skeleton/Visit.h"
#include "skeleton/Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <charconv>
#include <map>
#include <optional>

using namespace busfare::skeleton;

namespace {

template <class List, class ToText> std::string join(const List &list, llvm::StringRef separator, ToText toText) {
  std::string text;
  for (const auto &element : list) {
    if (&element != &*list.begin()) text += separator;
    text += toText(element);
  }
  return text;
}

std::string names(const std::vector<std::string> &list) {
  return join(list, ", ", [](const std::string &name) { return quoteName(name); });
}

std::string orUnknown(const std::optional<Expr> &expr) { return expr ? toString(*expr) : "?"; }

std::string extents(const std::vector<std::optional<Expr>> &list) {
  return join(list, "", [](const std::optional<Expr> &extent) { return "[" + orUnknown(extent) + "]"; });
}

std::string range(const std::optional<Expr> &low, const std::optional<Expr> &high) {
  return low || high ? " in " + orUnknown(low) + " .. " + orUnknown(high) : "";
}

/// The shortest text that reads back as the same number.
std::string number(double value) {
  char buffer[64];
  std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end.ptr);
}

std::string reductionOp(ReductionOp op) { return op == ReductionOp::None ? "?" : wordOf(reductionWords, op).str(); }

std::string directive(const Directive &d) {
  // As the user wrote it, if that says everything.
  bool isPlain = !d.text.empty() && d.text.front() != '"' && directiveFromText(d.text) == d;
  int depth = 0;
  for (char c : d.text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    isPlain &= depth >= 0 && (llvm::isPrint(c) || static_cast<unsigned char>(c) >= 0x80);
  }
  if (isPlain && depth == 0) return " omp(" + d.text + ")";
  std::string text = " omp(" + quoteText(d.text);
  if (d.isParallel) text += " parallel";
  if (d.takesTurns) text += " turns";
  if (d.collapse != 1) text += " collapse " + std::to_string(d.collapse);
  if (!d.privates.empty()) text += " private(" + names(d.privates) + ")";
  if (!d.firstprivates.empty()) text += " firstprivate(" + names(d.firstprivates) + ")";
  if (!d.lastprivates.empty()) text += " lastprivate(" + names(d.lastprivates) + ")";
  for (const auto &[op, name] : d.reductions) text += " reduction(" + reductionOp(op) + ": " + quoteName(name) + ")";
  return text + ")";
}

std::vector<std::string> words(const Hints &h) {
  std::vector<std::string> parts;
  if (h.independent) parts.push_back("independent");
  if (!h.temporaries.empty()) parts.push_back("temporary(" + names(h.temporaries) + ")");
  for (const std::vector<std::string> &group : h.noalias) parts.push_back("noalias(" + names(group) + ")");
  for (const auto &[name, size] : h.sizes)
    parts.push_back("size(" + quoteName(name) + " = " + std::to_string(size) + ")");
  for (const auto &[name, low, high] : h.ranges)
    parts.push_back("range(" + quoteName(name) + ": " + toString(low) + ", " + toString(high) + ")");
  if (!h.ignoredRules.empty()) parts.push_back("ignore(" + names(h.ignoredRules) + ")");
  return parts;
}

/// place: where they are written, as ` at 3:4`, if that is known.
std::string hints(const Hints &h, const std::string &place) {
  return h.empty() ? ""
                   : " hints(" + llvm::join(words(h), " ") + place +
                         (h.lastLine ? " to " + std::to_string(h.lastLine) : "") + ")";
}

std::string loadedFrom(const Rare<Loaded> &from) {
  if (!from) return "";
  std::string element;
  for (const Expr &subscript : from->element) element += "[" + toString(subscript) + "]";
  return " from " + quoteName(from->array) + element +
         (from->scale != 1 ? " times " + std::to_string(from->scale) : "") +
         (from->offset.isZero() ? "" : " plus " + toString(from->offset));
}

class Printer {
public:
  std::string text;

  void program(const Program &p) {
    text = "skeleton 1\n";
    for (const std::string &unit : p.units) text += "unit " + quoteText(unit) + "\n";
    if (p.typesMix) text += "types mix\n";
    const std::string programFile = p.units.empty() ? "" : p.units.front();
    file = programFile;
    for (const Constant &c : p.constants)
      text += "constant " + quoteName(c.symbol) + " = " + std::to_string(c.value) + (c.isSetting ? " or set" : "") +
              at(c.location) + "\n";
    for (const Import &import : p.imports)
      text += "import " + quoteName(import.name) + " symbol " + quoteText(import.symbol) + "\n";
    for (const Array &global : p.globals) text += "global " + array(global, Storage::Global) + "\n";
    for (const Function &f : p.functions) {
      file = programFile;
      function(f);
    }
    file = programFile;
    for (const Finding &finding : p.findings)
      text += "finding " + ruleId(finding.rule).str() + " " + toString(finding.level).str() + at(finding.location) +
              " " + quoteText(finding.message) + "\n";
  }

private:
  std::string file;   ///< Of places that name none.
  std::string indent;
  std::map<const Block *, size_t> reaches; ///< Numbers of the function's shared bodies.
  bool isInReach = false;

  std::string at(const Location &location) const {
    if (location == Location()) return " at ?";
    bool isElsewhere = location.file != file;
    if (isElsewhere && location.line == 0 && location.column == 0) return " at " + quoteText(location.file);
    return " at " + (isElsewhere ? quoteText(location.file) + ":" : std::string()) + std::to_string(location.line) +
           (location.column ? ":" + std::to_string(location.column) : "");
  }

  std::string placeOf(const Hints &hints) const { return hints.location == Location() ? "" : at(hints.location); }

  /// Of a global the storage word is printed only if it is another one.
  std::string array(const Array &a, std::optional<Storage> assumed) const {
    std::string line = "array " + quoteName(a.name) + " : " + toString(a.type) + extents(a.extents);
    if (a.storage != assumed) line += " " + wordOf(storageWords, a.storage).str();
    line += a.isConst ? " const" : "";
    line += a.isRestrict ? " restrict" : "";
    line += a.isStatic ? " static" : "";
    line += a.isPointee ? " pointee" : "";
    line += a.isSteady ? " steady" : "";
    line += a.isSized ? " sized" : "";
    line += a.isFixed ? " fixed" : "";
    line += a.perIteration ? " per-iteration" : "";
    line += a.rows == Rows::Assumed ? " rows" : a.rows == Rows::Distinct ? " distinct-rows" : "";
    if (!a.mayBe.empty()) line += " may-be(" + names(a.mayBe) + ")";
    if (!a.likely.empty()) line += " likely(" + names(a.likely) + ")";
    if (a.remade) line += " remade(" + toString(a.remade->then) + " if " + toString(a.remade->entry) + ")";
    if (!a.insteadOf.empty()) line += " instead-of(" + quoteName(a.insteadOf) + ")";
    return line + at(a.location);
  }

  void function(const Function &f) {
    text += "function " + quoteName(f.name) + "(" +
            join(f.parameters, ", ",
                 [](const Parameter &p) {
                   return wordOf(parameterWords, p.kind).str() + " " + quoteName(p.name) +
                          (p.byReference ? " by-reference" : "");
                 }) +
            ")";
    if (f.linkage != Linkage::External) text += " " + wordOf(linkageWords, f.linkage).str();
    if (!f.symbol.empty()) text += " symbol " + quoteText(f.symbol);
    text += at(f.location);
    if (!f.location.file.empty()) file = f.location.file;
    text += hints(f.hints, placeOf(f.hints)) + (f.steady.empty() ? "" : steady(f.steady));
    if (!f.nonNegative.empty())
      text += " nonnegative(" + join(f.nonNegative, ", ", [](const Expr &expr) { return toString(expr); }) + ")";
    text += " {\n";
    indent = "  ";
    for (const Array &a : f.arrays) text += indent + array(a, std::nullopt) + "\n";
    printReaches(f.body);
    statements(f.body);
    indent.clear();
    text += "}\n";
  }

  /// What several host statements have in common, or a body that stands nowhere by itself: before the statements.
  void printReaches(const Block &body) {
    reaches.clear();
    std::map<const Block *, unsigned> uses;
    std::vector<const Block *> found;
    forEachNode(body, [&](const Node &node) {
      const auto *host = std::get_if<HostStatement>(&node.kind);
      if (!host || host->body.empty()) return;
      const bool isPlaceless = host->location.isKnown() && llvm::any_of(host->body, [](const Node &inner) {
                                 return locationOf(inner) == Location();
                               });
      unsigned &count = uses[host->body.identity()];
      const bool wasFound = count > 1 || (count == 1 && isPlaceless);
      if (!wasFound && (++count > 1 || isPlaceless)) found.push_back(host->body.identity());
    });
    isInReach = true;
    for (size_t k = 0; k < found.size(); ++k) printReach(found, k);
    isInReach = false;
  }

  /// As what it has beyond one of the last before it, where that is little.
  void printReach(llvm::ArrayRef<const Block *> all, size_t place) {
    constexpr size_t lookedAt = 16;
    const Block &body = *all[place];
    std::optional<Block> least;
    std::optional<size_t> base;
    if (isOfAnyElements(body))
      for (size_t k = place - std::min(place, lookedAt); k < place; ++k) {
        std::optional<Block> rest = isOfAnyElements(*all[k]) ? lacking(*all[k], body) : std::nullopt;
        if (!rest || rest->size() * 2 > body.size() || (least && least->size() <= rest->size())) continue;
        least = std::move(rest);
        base = k;
      }
    reaches[&body] = place + 1;
    text += indent + "reach " + std::to_string(place + 1);
    if (base) text += " from " + std::to_string(*base + 1);
    block(least ? *least : body);
    text += "\n";
  }

  void statements(const Block &body) {
    for (const Node &node : body) {
      text += indent;
      std::visit([&](const auto &kind) { statement(kind); }, node.kind);
      text += "\n";
    }
  }

  void block(const Block &body) {
    text += " {\n";
    indent += "  ";
    statements(body);
    indent.resize(indent.size() - 2);
    text += indent + "}";
  }

  static std::string steady(llvm::ArrayRef<SteadyElement> elements) {
    return " steady(" +
           join(elements, ", ",
                [](const SteadyElement &one) {
                  std::string name = quoteName(one.array);
                  for (const std::optional<Expr> &subscript : one.subscripts) name += "[" + orUnknown(subscript) + "]";
                  return name;
                }) +
           ")";
  }

  void statement(const Loop &loop) {
    text += "for " + quoteName(loop.index) + " = " + toString(loop.lower) + " .. " + toString(loop.upper);
    if (loop.step != 1) text += " step " + std::to_string(loop.step);
    if (loop.form != LoopForm::For) text += " " + wordOf(formWords, loop.form).str();
    text += loop.mayExitEarly ? " early-exit" : "";
    text += loop.endsInside ? " inside" : "";
    text += loop.isTimeLoop ? " time" : "";
    text += loop.isTrusted ? " trusted" : "";
    text += at(loop.location);
    if (loop.directive) text += directive(*loop.directive);
    if (loop.hints) text += hints(*loop.hints, placeOf(*loop.hints));
    if (loop.steady) text += steady(*loop.steady);
    if (loop.believing)
      text +=
          " believing(" + join(*loop.believing, ", ", [](const std::string &name) { return quoteName(name); }) + ")";
    if (!loop.context.empty())
      text += " via(" + join(loop.context, ", ", [](const std::string &call) { return quoteText(call); }) + ")";
    block(loop.body);
  }

  void statement(const Branch &branch) {
    text += "if " + toString(branch.condition);
    if (branch.condition.probability != 0.5 || branch.condition.isMeasured)
      text += " probability " + number(branch.condition.probability) + (branch.condition.isMeasured ? " measured" : "");
    text += branch.isRest ? " rest" : "";
    text += at(branch.location);
    block(branch.then);
    if (branch.otherwise.empty()) return;
    text += " else";
    block(branch.otherwise);
  }

  void statement(const Access &access) {
    text += toString(access);
    if (!isInReach || !(access.location == Location())) text += at(access.location);
  }

  void statement(const Operations &operations) {
    text += "ops";
    for (const auto &[operation, count] : operations.counts) text += " " + toString(operation) + " " + number(count);
  }

  void statement(const Define &define) {
    text += "define " + quoteName(define.symbol);
    if (define.value) text += " = " + toString(*define.value);
    if (define.usually) text += " usually " + toString(*define.usually);
    if (!define.reason.empty()) text += " because " + quoteText(define.reason);
    text += range(define.atLeast, define.atMost) + loadedFrom(define.from);
    if (define.quotient)
      text += " quotient " + toString(define.quotient->dividend) + " by " + toString(define.quotient->divisor);
    text += at(define.location);
  }

  static std::string argument(const ArrayArgument &a) {
    std::string name = a.array.empty() ? "&?" : "&" + quoteName(a.array);
    for (const Expr &subscript : a.row) name += "[" + toString(subscript) + "]";
    if (!a.offset || !a.offset->isZero()) name += " + " + orUnknown(a.offset);
    return a.counts.empty()
               ? name
               : name + " counts(" + join(a.counts, ", ", [](const Expr &count) { return toString(count); }) + ")";
  }
  static std::string argument(const ValueArgument &a) { return orUnknown(a.value); }

  void statement(const Call &call) {
    text +=
        "call " + quoteName(call.callee) + "(" +
        join(call.arguments, ", ",
             [](const auto &either) { return std::visit([](const auto &kind) { return argument(kind); }, either); }) +
        ")";
    if (!call.exposed.empty())
      text += " exposing (" +
              join(call.exposed, ", ",
                   [](const Exposure &one) { return (one.isConst ? "const " : "") + quoteName(one.array); }) +
              ")";
    text += at(call.location);
  }

  void statement(const Allocate &a) { text += "alloc " + quoteName(a.array) + extents(a.extents) + at(a.location); }
  void statement(const Free &f) { text += "free " + quoteName(f.array) + at(f.location); }

  void statement(const HostStatement &host) {
    text += "host " + wordOf(reasonWords, host.reason).str();
    if (!host.what.empty()) text += " " + quoteText(host.what);
    if (host.message) text += " " + toString(*host.message);
    if (host.library) text += " " + toString(*host.library);
    auto reach = reaches.find(host.body.identity());
    if (reach != reaches.end()) text += " reaching " + std::to_string(reach->second);
    text += at(host.location);
    if (!host.body.empty() && reach == reaches.end()) block(host.body);
  }

  void statement(const End &end) {
    text += "end " + quoteText(end.what) + (end.saysWhere ? " where" : "") + at(end.location);
  }

  void statement(const Rotate &rotate) {
    text += "rotate " +
            join(rotate.moves, ", ",
                 [](const auto &move) { return quoteName(move.first) + " <- " + quoteName(move.second); }) +
            at(rotate.location);
  }
};

} // namespace

std::string busfare::skeleton::print(const Program &program) {
  Printer printer;
  printer.program(program);
  return printer.text;
}

std::string busfare::skeleton::toString(const Message &message) {
  std::string text = toString(message.kind);
  if (message.bytes || message.kind != MessageKind::Wait) text += " bytes " + orUnknown(message.bytes);
  if (!message.type.empty()) text += " type " + quoteText(message.type);
  return text + (message.isNonblocking ? " nonblocking" : "");
}

std::string busfare::skeleton::toString(const LibraryCall &call) {
  std::string text = "blas " + quoteName(call.routine) + "(" +
                     join(call.dimensions, ", ",
                          [](const auto &one) { return quoteName(one.first) + " = " + orUnknown(one.second); }) +
                     ")";
  if (!call.operands.empty())
    text += " on (" +
            join(call.operands, ", ",
                 [](const auto &one) { return quoteName(one.first) + " = " + quoteName(one.second); }) +
            ")";
  return text + (call.overwrites ? " overwrites" : "");
}

std::string busfare::skeleton::toString(const Hints &hints) { return llvm::join(words(hints), " "); }

std::string busfare::skeleton::toString(const Access &access) {
  std::string text =
      (access.may ? "may " : "") + wordOf(accessWords, access.kind).str() + " " + quoteName(access.array);
  for (const Subscript &subscript : access.subscripts)
    text += "[" + orUnknown(subscript.value) + range(subscript.atLeast, subscript.atMost) + loadedFrom(subscript.from) +
            "]";
  if (access.part.bytes)
    text += (access.part.isExact ? " part " : " inside ") + std::to_string(access.part.offset) + " + " +
            std::to_string(access.part.bytes);
  if (access.op != ReductionOp::None) text += " " + wordOf(reductionWords, access.op).str();
  if (access.value) text += " value " + toString(*access.value);
  text += access.bytewise ? " bytewise" : "";
  return text + (access.induction ? " induction" : "");
}

std::string busfare::skeleton::toString(const Condition &condition) {
  if (condition.anyOf.empty()) return "?";
  return join(condition.anyOf, " or ", [&](const std::vector<Expr> &conjunction) {
    std::string text = join(conjunction, " and ", [](const Expr &expr) { return toString(expr) + " >= 0"; });
    if (text.empty()) text = "true";
    return condition.exact ? text : text + " and ?";
  });
}
