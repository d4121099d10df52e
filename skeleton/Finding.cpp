//===- skeleton/Finding.cpp - What could not be analysed, and where -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The table of rules: ids and titles, in the order of the enumeration.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Finding.h"
#include <iterator>

using namespace busfare::skeleton;

namespace {

struct RuleText {
  Rule rule;
  const char *id;
  const char *title;
};

constexpr RuleText rules[] = {
    {Rule::IndirectSubscript, "BF001", "a subscript is read from memory (gather, scatter)"},
    {Rule::NonAffineSubscript, "BF002", "a subscript is no affine form of loop indices"},
    {Rule::OpaqueCall, "BF003", "a call whose body is not seen stays on the host"},
    {Rule::InputOutput, "BF004", "input and output stay on the host"},
    {Rule::UnknownTripCount, "BF005", "how often a loop runs is not known"},
    {Rule::EarlyExit, "BF006", "break, return or goto leaves a loop early"},
    {Rule::NotParallel, "BF007", "a dependence is carried by the loop"},
    {Rule::AssumedSize, "BF008", "a size that nothing binds got the stated default"},
    {Rule::AssumedNoAlias, "BF009", "two pointers are assumed not to overlap"},
    {Rule::Recursion, "BF010", "a recursive call stays on the host"},
    {Rule::UnsupportedCode, "BF011", "code that is not read stays on the host"},
    {Rule::UnknownPointer, "BF012", "which object a pointer points to is not known"},
    {Rule::UnknownExtent, "BF013", "the size of an array is not known"},
    {Rule::DirectiveRefuted, "BF014", "an OpenMP directive claims what is refuted or cannot be proved"},
    {Rule::AssumedIterations, "BF015", "how often the time loop runs is assumed"},
    {Rule::EffortExceeded, "BF016", "a question was too hard; the safe answer was taken"},
    {Rule::SharedShape, "BF017", "accesses disagree on the shape of a flattened array"},
    {Rule::DataDependentAccess, "BF018", "whether an access happens depends on data"},
    {Rule::HintMalformed, "BF020", "a hint cannot be read"},
    {Rule::HintUnused, "BF021", "a hint is used by nothing"},
    {Rule::HintRefuted, "BF022", "a hint is contradicted by the program"},
    {Rule::HintTaken, "BF023", "a hint is taken as true"},
    {Rule::Goto, "BF024", "goto stays on the host"},
    {Rule::Exception, "BF025", "exceptions stay on the host"},
    {Rule::VirtualCall, "BF026", "a virtual call stays on the host"},
    {Rule::InlineAssembly, "BF027", "inline assembly stays on the host"},
    {Rule::VolatileAccess, "BF028", "a volatile access stays on the host"},
    {Rule::AtomicOperation, "BF029", "an atomic operation stays on the host"},
    {Rule::LongDouble, "BF030", "long double stays on the host"},
    {Rule::ThreadIdentity, "BF031", "a question about threads stays on the host"},
    {Rule::AllocationInLoop, "BF032", "memory is allocated or freed in every iteration"},
    {Rule::PartOfElement, "BF033", "a union member or a bit field is touched; the whole element is taken"},
    {Rule::FunctionPointer, "BF034", "a call through a function pointer stays on the host"},
    {Rule::UnreadDirective, "BF035", "an OpenMP directive is not followed"},
    {Rule::ExchangedNames, "BF036", "pointers change places in every iteration"},
    {Rule::ClockRead, "BF037", "reading a clock stays on the host"},
    {Rule::NoReturn, "BF038", "a loop may end the program"},
    {Rule::LongJump, "BF039", "setjmp and longjmp stay on the host"},
    {Rule::NotPorted, "BF040", "a kernel is not ported"},
    {Rule::FlattenedRows, "BF041", "the rows of a table of pointers are taken as one array"},
    {Rule::Message, "BF042", "a message to other processes stays on the host"},
    {Rule::LibraryCall, "BF043", "a call of a BLAS routine stays on the host"},
    {Rule::AssumedNonNegative, "BF044", "what is divided is taken not to be negative"},
    {Rule::AssumedSteady, "BF045", "unseen code is assumed to leave a pointer where it leads"},
    {Rule::AssumedUnthrown, "BF046", "nothing is assumed to be thrown to a handler behind which the program goes on"},
};

constexpr bool isInOrder() {
  for (size_t k = 0; k < std::size(rules); ++k)
    if (size_t(rules[k].rule) != k) return false;
  return std::size(rules) == size_t(Rule::AssumedUnthrown) + 1;
}
static_assert(isInOrder(), "the table of rules follows the enumeration");

} // namespace

llvm::StringRef busfare::skeleton::ruleId(Rule rule) { return rules[size_t(rule)].id; }
llvm::StringRef busfare::skeleton::ruleTitle(Rule rule) { return rules[size_t(rule)].title; }

llvm::ArrayRef<Rule> busfare::skeleton::allRules() {
  static constexpr auto all = [] {
    struct {
      Rule list[std::size(rules)];
    } result{};
    for (size_t k = 0; k < std::size(rules); ++k) result.list[k] = rules[k].rule;
    return result;
  }();
  return all.list;
}

const Rule *busfare::skeleton::findRule(llvm::StringRef id) {
  for (const RuleText &text : rules)
    if (id == text.id) return &text.rule;
  return nullptr;
}

llvm::StringRef busfare::skeleton::toString(Level level) {
  switch (level) {
  case Level::Note: return "note";
  case Level::Remark: return "remark";
  case Level::Warning: return "warning";
  case Level::Error: return "error";
  }
  return "error";
}

std::string busfare::skeleton::toString(const Finding &finding) {
  std::string place = toString(finding.location);
  return (place.empty() ? "" : place + ": ") + toString(finding.level).str() + ": " + finding.message + " [" +
         ruleId(finding.rule).str() + "]";
}
