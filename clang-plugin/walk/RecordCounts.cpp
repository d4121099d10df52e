//===- clang-plugin/walk/RecordCounts.cpp - Extents of what fields lead to -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the units of a program keep true of their records (RecordUses.h) holds where a
// function begins, of every record that it is given:
//
//   double sum(const Vector *v)      array v->values[v->n], n as it is on entry
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "clang-plugin/records/RecordSetters.h"
#include "skeleton/Parse.h"

namespace busfare::frontend {

const std::optional<Symbolic> &Unit::countBehind(const clang::FieldDecl *field) {
  auto [known, isNew] = countsBehind.try_emplace(field->getCanonicalDecl());
  if (!isNew || recordCounts.empty() || !isMemoryField(field, context)) return known->second;
  auto count = recordCounts.find({recordKeyOf(field->getParent(), context), field->getNameAsString()});
  if (count == recordCounts.end()) return known->second;
  llvm::Expected<Symbolic> formula = skeleton::parseExpr(count->second);
  if (!formula) llvm::consumeError(formula.takeError());
  else known->second = *formula;
  return known->second;
}

/// The field of that name (`v->values`), and the record that it is one of; the field is null if nothing is known of it.
std::pair<const clang::FieldDecl *, Place> Walker::fieldOfRecord(const std::string &variable) const {
  const Object *parent = nullptr; ///< The record, by the longest name that begins the field's.
  for (const auto &[name, one] : st.objects)
    if (!one.prefix.empty() && !one.element.isNull() && llvm::StringRef(variable).starts_with(one.prefix) &&
        (!parent || one.prefix.size() > parent->prefix.size()))
      parent = &one;
  const clang::RecordDecl *record = parent ? parent->element->getAsRecordDecl() : nullptr;
  if (!record || !record->getDefinition()) return {nullptr, {}};
  Place whole;
  whole.at.object = parent->array.name;
  whole.type = parent->element;
  return {fieldNamed(record->getDefinition(), llvm::StringRef(variable).drop_front(parent->prefix.size())), whole};
}

/// Do other fields of the same record say how much memory the pointer leads to, whichever it is?
bool Walker::isCounted(const std::string &variable) const {
  const clang::FieldDecl *field = unit.recordCounts.empty() ? nullptr : fieldOfRecord(variable).first;
  return field && unit.countBehind(field);
}

/// How many elements a field has behind it that it leads to on entry. Nothing where a value of then is not at hand any
/// more.
std::optional<Symbolic> Walker::countOnEntry(const std::string &variable) {
  if (unit.recordCounts.empty()) return std::nullopt;
  auto [field, whole] = fieldOfRecord(variable);
  const std::optional<Symbolic> count = field ? unit.countBehind(field) : std::nullopt;
  // Of rows * columns elements the rows would be lost: a product is one number to sections, and the accesses show the
  // rows.
  if (!count || !count->isAffine()) return std::nullopt;
  skeleton::Substitution values;
  for (const std::string &symbol : count->symbols()) {
    const clang::FieldDecl *other = nullptr;
    for (const clang::FieldDecl *one : field->getParent()->fields())
      if (one->getNameAsString() == symbol) other = one;
    std::string name = other ? member(whole, other).variable : "";
    if (name.empty()) return std::nullopt;
    auto entry = st.entryIntegers.find(name);
    if (entry == st.entryIntegers.end()) {
      auto origin = st.fieldOrigins.find(name);
      if (origin == st.fieldOrigins.end() || st.env.integers.count(name) || isForgotten(st.env, name) ||
          isChangedAround(name))
        return std::nullopt;
      readInteger(name, origin->second.type, locate(other->getLocation()));
      entry = st.entryIntegers.find(name);
      if (entry == st.entryIntegers.end()) return std::nullopt;
    }
    if (entry->second.expr.isPoisoned()) return std::nullopt;
    values[symbol] = entry->second.expr;
  }
  return count->substitute(values);
}

} // namespace busfare::frontend
