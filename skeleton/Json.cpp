//===- skeleton/Json.cpp - A skeleton as JSON -----------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One function per node kind. Words are those of the text form.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Json.h"
#include "skeleton/Words.h"
#include <cmath>

using namespace busfare::skeleton;
namespace json = llvm::json;

namespace {

std::string valid(llvm::StringRef text) { return json::isUTF8(text) ? text.str() : json::fixUTF8(text); }

json::Value formula(const Expr &expr) { return valid(toString(expr)); }
json::Value formula(const std::optional<Expr> &expr) { return expr ? formula(*expr) : json::Value(nullptr); }

json::Array strings(const std::vector<std::string> &list) {
  json::Array result;
  for (const std::string &text : list) result.push_back(valid(text));
  return result;
}

json::Array formulas(const std::vector<std::optional<Expr>> &list) {
  json::Array result;
  for (const std::optional<Expr> &expr : list) result.push_back(formula(expr));
  return result;
}

void setFlag(json::Object &object, llvm::StringRef key, bool value) {
  if (value) object[key] = true;
}

void setList(json::Object &object, llvm::StringRef key, json::Array list) {
  if (!list.empty()) object[key] = std::move(list);
}

void setPlace(json::Object &object, const Location &location) {
  if (location != Location()) object["location"] = toJson(location);
}

void setRange(json::Object &object, const std::optional<Expr> &low, const std::optional<Expr> &high) {
  if (low) object["at_least"] = formula(low);
  if (high) object["at_most"] = formula(high);
}

void setLoaded(json::Object &object, const Rare<Loaded> &from) {
  if (!from) return;
  json::Object made{{"array", valid(from->array)}, {"scale", from->scale}, {"offset", formula(from->offset)}};
  if (!from->element.empty()) {
    json::Array element;
    for (const Expr &subscript : from->element) element.push_back(formula(subscript));
    made["element"] = std::move(element);
  }
  object["from"] = std::move(made);
}

/// JSON has no infinities.
json::Value number(double value) { return std::isfinite(value) ? json::Value(value) : json::Value(nullptr); }

json::Object toObject(const Array &array) {
  json::Object result{{"name", valid(array.name)},
                      {"type", toString(array.type)},
                      {"element_bytes", int64_t(array.type.bytes)},
                      {"extents", formulas(array.extents)},
                      {"storage", wordOf(storageWords, array.storage)}};
  setFlag(result, "const", array.isConst);
  setFlag(result, "restrict", array.isRestrict);
  setFlag(result, "static", array.isStatic);
  setFlag(result, "pointee", array.isPointee);
  setFlag(result, "steady", array.isSteady);
  setFlag(result, "sized", array.isSized);
  setFlag(result, "fixed", array.isFixed);
  setFlag(result, "per_iteration", array.perIteration);
  setFlag(result, "rows", array.rows != Rows::None);
  setFlag(result, "distinct_rows", array.rows == Rows::Distinct);
  setList(result, "may_be", strings(array.mayBe));
  setList(result, "likely", strings(array.likely));
  if (array.remade)
    result["remade"] = json::Object{{"then", formula(array.remade->then)}, {"entry", formula(array.remade->entry)}};
  setPlace(result, array.location);
  return result;
}

json::Object toObject(const Directive &directive) {
  json::Object result{{"text", valid(directive.text)}, {"collapse", int64_t(directive.collapse)}};
  setFlag(result, "parallel", directive.isParallel);
  setFlag(result, "takes_turns", directive.takesTurns);
  setList(result, "private", strings(directive.privates));
  setList(result, "firstprivate", strings(directive.firstprivates));
  setList(result, "lastprivate", strings(directive.lastprivates));
  json::Array reductions;
  for (const auto &[op, name] : directive.reductions)
    reductions.push_back(
        json::Object{{"op", op == ReductionOp::None ? json::Value(nullptr) : json::Value(wordOf(reductionWords, op))},
                     {"name", valid(name)}});
  setList(result, "reductions", std::move(reductions));
  return result;
}

json::Object toObject(const Hints &hints) {
  json::Object result;
  setFlag(result, "independent", hints.independent);
  setList(result, "temporaries", strings(hints.temporaries));
  json::Array groups, sizes, ranges;
  for (const std::vector<std::string> &group : hints.noalias) groups.push_back(strings(group));
  for (const auto &[name, size] : hints.sizes) sizes.push_back(json::Object{{"name", valid(name)}, {"value", size}});
  for (const auto &[name, low, high] : hints.ranges)
    ranges.push_back(json::Object{{"array", valid(name)}, {"at_least", formula(low)}, {"at_most", formula(high)}});
  setList(result, "noalias", std::move(groups));
  setList(result, "sizes", std::move(sizes));
  setList(result, "ranges", std::move(ranges));
  setList(result, "ignored_rules", strings(hints.ignoredRules));
  setPlace(result, hints.location);
  if (hints.lastLine) result["last_line"] = int64_t(hints.lastLine);
  return result;
}

json::Array toArray(const Block &block);

json::Array toArray(llvm::ArrayRef<SteadyElement> elements) {
  json::Array result;
  for (const SteadyElement &one : elements)
    result.push_back(json::Object{{"array", valid(one.array)}, {"subscripts", formulas(one.subscripts)}});
  return result;
}

json::Object toObject(const Loop &loop) {
  json::Object result{{"kind", "loop"},
                      {"index", valid(loop.index)},
                      {"lower", formula(loop.lower)},
                      {"upper", formula(loop.upper)},
                      {"step", loop.step},
                      {"form", wordOf(formWords, loop.form)}};
  setFlag(result, "early_exit", loop.mayExitEarly);
  setFlag(result, "ends_inside", loop.endsInside);
  setFlag(result, "time_loop", loop.isTimeLoop);
  setFlag(result, "trusted", loop.isTrusted);
  if (loop.directive) result["omp"] = toObject(*loop.directive);
  if (loop.hints && !loop.hints->empty()) result["hints"] = toObject(*loop.hints);
  if (loop.steady) result["steady"] = toArray(*loop.steady);
  if (loop.believing) result["believing"] = strings(*loop.believing);
  setList(result, "context", strings(loop.context));
  setPlace(result, loop.location);
  result["body"] = toArray(loop.body);
  return result;
}

json::Object toObject(const Branch &branch) {
  json::Array alternatives;
  for (const std::vector<Expr> &conjunction : branch.condition.anyOf) {
    json::Array all;
    for (const Expr &expr : conjunction) all.push_back(formula(expr));
    alternatives.push_back(std::move(all));
  }
  json::Object result{{"kind", "branch"},
                      {"any_of_all_at_least_0", std::move(alternatives)},
                      {"exact", branch.condition.exact},
                      {"probability", number(branch.condition.probability)}};
  setFlag(result, "measured", branch.condition.isMeasured);
  setFlag(result, "rest", branch.isRest);
  setPlace(result, branch.location);
  result["then"] = toArray(branch.then);
  result["else"] = toArray(branch.otherwise);
  return result;
}

json::Object toObject(const Access &access) {
  json::Array subscripts;
  for (const Subscript &subscript : access.subscripts) {
    json::Object one{{"value", formula(subscript.value)}};
    setRange(one, subscript.atLeast, subscript.atMost);
    setLoaded(one, subscript.from);
    subscripts.push_back(std::move(one));
  }
  json::Object result{{"kind", wordOf(accessWords, access.kind)},
                      {"array", valid(access.array)},
                      {"subscripts", std::move(subscripts)}};
  if (access.part.bytes)
    result["part"] =
        json::Object{{"offset", access.part.offset}, {"bytes", access.part.bytes}, {"exact", access.part.isExact}};
  if (access.op != ReductionOp::None) result["op"] = wordOf(reductionWords, access.op);
  if (access.value) result["value"] = formula(*access.value);
  setFlag(result, "may", access.may);
  setFlag(result, "bytewise", access.bytewise);
  setFlag(result, "induction", access.induction);
  setPlace(result, access.location);
  return result;
}

json::Object toObject(const Operations &operations) {
  json::Object counts;
  for (const auto &[operation, count] : operations.counts) counts[toString(operation)] = number(count);
  return json::Object{{"kind", "ops"}, {"counts", std::move(counts)}};
}

json::Object toObject(const Define &define) {
  json::Object result{{"kind", "define"}, {"symbol", valid(define.symbol)}, {"because", valid(define.reason)}};
  if (define.value) result["value"] = formula(*define.value);
  if (define.usually) result["usually"] = formula(*define.usually);
  setRange(result, define.atLeast, define.atMost);
  if (define.quotient)
    result["quotient"] =
        json::Object{{"dividend", formula(define.quotient->dividend)}, {"divisor", formula(define.quotient->divisor)}};
  setLoaded(result, define.from);
  setPlace(result, define.location);
  return result;
}

json::Object toObject(const ArrayArgument &argument) {
  json::Object result{{"array", argument.array.empty() ? json::Value(nullptr) : json::Value(valid(argument.array))},
                      {"offset", formula(argument.offset)}};
  if (!argument.row.empty()) {
    json::Array row;
    for (const Expr &subscript : argument.row) row.push_back(formula(subscript));
    result["row"] = std::move(row);
  }
  if (!argument.counts.empty()) {
    json::Array counts;
    for (const Expr &count : argument.counts) counts.push_back(formula(count));
    result["counts"] = std::move(counts);
  }
  return result;
}
json::Object toObject(const ValueArgument &argument) { return json::Object{{"value", formula(argument.value)}}; }

json::Object toObject(const Call &call) {
  json::Array arguments;
  for (const auto &either : call.arguments)
    arguments.push_back(std::visit([](const auto &argument) { return toObject(argument); }, either));
  json::Object result{{"kind", "call"}, {"callee", valid(call.callee)}, {"arguments", std::move(arguments)}};
  if (!call.exposed.empty()) {
    json::Array exposed;
    for (const Exposure &one : call.exposed)
      exposed.push_back(json::Object{{"array", valid(one.array)}, {"const", one.isConst}});
    result["exposed"] = std::move(exposed);
  }
  setPlace(result, call.location);
  return result;
}

json::Object toObject(const Allocate &allocate) {
  json::Object result{{"kind", "alloc"}, {"array", valid(allocate.array)}, {"extents", formulas(allocate.extents)}};
  setPlace(result, allocate.location);
  return result;
}

json::Object toObject(const Free &free) {
  json::Object result{{"kind", "free"}, {"array", valid(free.array)}};
  setPlace(result, free.location);
  return result;
}

json::Object toObject(const Message &message) {
  json::Object result{
      {"kind", wordOf(messageWords, message.kind)}, {"bytes", formula(message.bytes)}, {"type", valid(message.type)}};
  setFlag(result, "nonblocking", message.isNonblocking);
  return result;
}

json::Object toObject(const LibraryCall &call) {
  json::Object dimensions, operands;
  for (const auto &[name, value] : call.dimensions) dimensions[valid(name)] = formula(value);
  for (const auto &[name, array] : call.operands) operands[valid(name)] = valid(array);
  json::Object result{
      {"routine", valid(call.routine)}, {"dimensions", std::move(dimensions)}, {"operands", std::move(operands)}};
  setFlag(result, "overwrites", call.overwrites);
  return result;
}

json::Object toObject(const HostStatement &host) {
  json::Object result{{"kind", "host"}, {"reason", wordOf(reasonWords, host.reason)}, {"what", valid(host.what)}};
  if (host.message) result["message"] = toObject(*host.message);
  if (host.library) result["library"] = toObject(*host.library);
  setPlace(result, host.location);
  result["body"] = toArray(host.body);
  return result;
}

json::Object toObject(const Rotate &rotate) {
  json::Array moves;
  for (const auto &[to, from] : rotate.moves) moves.push_back(json::Object{{"to", valid(to)}, {"from", valid(from)}});
  json::Object result{{"kind", "rotate"}, {"moves", std::move(moves)}};
  setPlace(result, rotate.location);
  return result;
}

json::Object toObject(const End &end) {
  json::Object result{{"kind", "end"}, {"what", valid(end.what)}};
  setFlag(result, "says_where", end.saysWhere);
  setPlace(result, end.location);
  return result;
}

json::Array toArray(const Block &block) {
  json::Array result;
  for (const Node &node : block)
    result.push_back(std::visit([](const auto &kind) { return toObject(kind); }, node.kind));
  return result;
}

} // namespace

json::Value busfare::skeleton::toJson(const Location &location) {
  return json::Object{
      {"file", valid(location.file)}, {"line", int64_t(location.line)}, {"column", int64_t(location.column)}};
}

json::Value busfare::skeleton::toJson(const Finding &finding) {
  json::Object result{
      {"rule", ruleId(finding.rule)}, {"level", toString(finding.level)}, {"message", valid(finding.message)}};
  setPlace(result, finding.location);
  return result;
}

json::Value busfare::skeleton::toJson(const Function &function) {
  json::Array parameters, arrays;
  for (const Parameter &parameter : function.parameters) {
    json::Object one{{"kind", wordOf(parameterWords, parameter.kind)}, {"name", valid(parameter.name)}};
    setFlag(one, "by_reference", parameter.byReference);
    parameters.push_back(std::move(one));
  }
  for (const Array &array : function.arrays) arrays.push_back(toObject(array));
  json::Object result{{"name", valid(function.name)},
                      {"parameters", std::move(parameters)},
                      {"arrays", std::move(arrays)},
                      {"body", toArray(function.body)}};
  if (function.linkage != Linkage::External) result["linkage"] = wordOf(linkageWords, function.linkage);
  if (!function.symbol.empty()) result["symbol"] = valid(function.symbol);
  if (!function.hints.empty()) result["hints"] = toObject(function.hints);
  if (!function.nonNegative.empty()) {
    json::Array values;
    for (const Expr &expr : function.nonNegative) values.push_back(formula(expr));
    result["nonnegative"] = std::move(values);
  }
  if (!function.steady.empty()) result["steady"] = toArray(function.steady);
  setPlace(result, function.location);
  return result;
}

json::Value busfare::skeleton::toJson(const Program &program) {
  json::Array constants, globals, functions, findings;
  for (const Constant &constant : program.constants) {
    json::Object one{{"symbol", valid(constant.symbol)}, {"value", constant.value}};
    setFlag(one, "setting", constant.isSetting);
    setPlace(one, constant.location);
    constants.push_back(std::move(one));
  }
  json::Array imports;
  for (const Import &import : program.imports)
    imports.push_back(json::Object{{"name", valid(import.name)}, {"symbol", valid(import.symbol)}});
  for (const Array &global : program.globals) globals.push_back(toObject(global));
  for (const Function &function : program.functions) functions.push_back(toJson(function));
  for (const Finding &finding : program.findings) findings.push_back(toJson(finding));
  json::Object result{
      {"skeleton_version", 1},          {"units", strings(program.units)}, {"constants", std::move(constants)},
      {"imports", std::move(imports)},  {"globals", std::move(globals)},   {"functions", std::move(functions)},
      {"findings", std::move(findings)}};
  setFlag(result, "types_mix", program.typesMix);
  return result;
}
