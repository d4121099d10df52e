//===- clang-plugin/port/RegionNames.cpp - What a region calls sizes and arrays -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/RegionWriter.h"
#include "skeleton/Rotation.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::frontend::port {
using namespace skeleton;

/// What is set at the end of the way (the calls that lead there, the root's first) is set at the place: it comes behind
/// it. (Where the region's callers stand before it calls, it is not set yet.)
bool RegionWriter::holdsBehind(llvm::ArrayRef<Place> way, const Place &place, KeptSize &size) {
  Place at = place;
  for (unsigned below = 0;;) {
    for (const Place &one : way) {
      if (one.path != at.path) continue;
      const unsigned from = &one == &way.back() ? one.spot->begin : one.spot->end;
      if ((at.after ? at.spot->end : at.spot->begin) < from) return false;
      if (at.path == place.path) size.from[at.path] = from;
      else size.paths.insert(below);
      return true;
    }
    if (at.path == 0) return false;
    below = at.path;
    llvm::Expected<Place> call = instances.place(q.root, q.root.paths[below].caller, q.root.paths[below].call, false);
    if (!call) {
      llvm::consumeError(call.takeError());
      return false;
    }
    at = *call;
  }
}

/// The size's variable is set before the source's statement.
bool RegionWriter::setAt(const Place &source, const std::string &symbol, const std::string &value, KeptSize size) {
  if (size.name.empty()) {
    size.name = portName(symbol) + (q.number > 1 ? "_" + std::to_string(q.number) : "");
    instances.declareBefore(q.root, "static long " + size.name + ";");
  }
  SpotText *text = textAt(source);
  if (!text) return false;
  const std::string line = size.name + " = " + value + ";";
  if (value != size.name && !llvm::is_contained(text->setUp, line)) text->setUp.insert(text->setUp.begin(), line);
  names.kept[symbol] = std::move(size);
  return true;
}

bool RegionWriter::setWhereKnown(const Place &source, const std::string &symbol, const KeptSize &size) {
  std::optional<SymbolTexts> texts = names.sizes(Expr::symbol(symbol), source);
  return texts && setAt(source, symbol, texts->at(symbol), size);
}

/// A size that no variable holds at the place is kept in a static variable from where one does.
bool RegionWriter::keep(const std::string &symbol, const Place &place) {
  KeptSize known;
  if (auto found = names.kept.find(symbol); found != names.kept.end()) known = found->second;
  KeptSize size = known;
  for (unsigned path = place.path; path != 0; path = q.root.paths[path].caller) {
    llvm::Expected<Place> call = instances.place(q.root, q.root.paths[path].caller, q.root.paths[path].call, false);
    if (!call) {
      llvm::consumeError(call.takeError());
      return false;
    }
    size = known;
    size.paths.insert(path);
    if (setWhereKnown(*call, symbol, size)) return true;
  }
  for (size_t entry = 0; entry < entries.size(); ++entry) {
    size = known;
    if (holdsBehind(llvm::ArrayRef(entries).take_front(entry + 1), place, size) &&
        setWhereKnown(entries[entry], symbol, size))
      return true;
  }
  return keepLoaded(symbol, place, known);
}

bool RegionWriter::haveSizes(const Expr &expr, const Place &place) {
  if (expr.isPoisoned()) return false;
  for (const std::string &symbol : expr.symbols())
    if (!names.sizes(Expr::symbol(symbol), place) && !keep(symbol, place)) return false;
  return true;
}

/// A pointer to the array's first element that holds for the whole region: for places where no name reaches it.
std::optional<ArrayName> RegionWriter::keepPointer(const std::string &array) {
  for (const std::vector<std::string> &group : rotatedTogether(*q.region.block))
    if (llvm::is_contained(group, array)) return std::nullopt;
  auto life = lives.find(array);
  if (life == lives.end() || life->second.from.after) return std::nullopt;
  const Place &from = life->second.from;
  std::vector<ArrayName> known = names.namesOf(array, from);
  if (known.empty() || !known.front().variable) return std::nullopt;
  const ArrayName &name = known.front();
  clang::QualType element = name.type;
  std::string first = name.text;
  while (element->isPointerType() || element->isArrayType()) {
    bool isLast = element->isPointerType() ? !element->getPointeeType()->isArrayType()
                                           : !element->getAsArrayTypeUnsafe()->getElementType()->isArrayType();
    element = element->isPointerType() ? element->getPointeeType() : element->getAsArrayTypeUnsafe()->getElementType();
    if (isLast) break;
    first += "[0]";
  }
  ArrayName kept;
  kept.text = portName(array) + (q.number > 1 ? "_" + std::to_string(q.number) : "");
  kept.offset = name.offset;
  if (staticNames.insert(kept.text).second) {
    SpotText *text = textAt(from);
    if (!text) return std::nullopt;
    const std::string spelledType =
        element.getUnqualifiedType().getAsString(name.decl->getASTContext().getPrintingPolicy());
    instances.declareBefore(q.root, "static " + spelledType + " *" + kept.text + ";");
    std::string cast = element.isConstQualified() ? "(" + spelledType + " *)" : "";
    text->setUp.insert(text->setUp.begin(), kept.text + " = " + cast + first + ";");
  }
  return kept;
}

std::optional<ArrayName> RegionWriter::arrayAt(const std::string &array, const Place &place) {
  std::vector<ArrayName> known = names.namesOf(array, place);
  for (const ArrayName &name : known) {
    if (!haveSizes(name.offset, place)) continue;
    // gcc has no instances of templates in its clauses.
    std::optional<ArrayName> kept = llvm::StringRef(name.text).contains('<') ? keepPointer(array) : std::nullopt;
    return kept ? *kept : name;
  }
  return keepPointer(array);
}

std::string RegionWriter::inBlock(llvm::StringRef statements) {
  std::string block = "{\n";
  for (llvm::StringRef rest = statements; !rest.empty();) {
    auto [line, behind] = rest.split('\n');
    block += (line.starts_with("#") ? "" : "  ") + line.str() + "\n";
    rest = behind;
  }
  return block + "}";
}

/// Of a field that is a pointer, `map(alloc: s->u[0:n])` would map the field as well, and keep it when the array is let
/// go: later variables that lie where s was would be taken for what the device has already. So clauses name variables.
/// And before a parameter that is declared as an array (`double p[8]`) clang allows nothing.
RegionWriter::ClauseName RegionWriter::inClause(const ArrayName &name, bool flat, unsigned number) {
  bool isField = (llvm::isa_and_nonnull<clang::FieldDecl>(name.decl) && name.type->isPointerType()) || name.isComputed,
       isFlattened = flat && !name.row.empty();
  const auto *formal = llvm::dyn_cast_or_null<clang::ParmVarDecl>(name.variable);
  const bool isPart = formal && formal->getOriginalType()->isArrayType() && !name.offset.isZero();
  if (!isField && !isFlattened && !isPart) return {name.text, ""};
  std::string first = name.text + "[0]",
              pointer = portName(name.text) + (number > 1 ? "_" + std::to_string(number) : "");
  for (size_t k = 0; isFlattened && k < name.row.size(); ++k) first += "[0]";
  const bool isDirect = isField && !name.isComputed && !isFlattened;
  const std::string type =
      isDirect ? typeText(name.type->getPointeeType(), name.decl->getASTContext(), first) : "__typeof__(" + first + ")";
  return {pointer,
          type + " *const " + pointer + " = " + (isFlattened ? "&" + first : name.text) + ";\n(void)" + pointer + ";"};
}

/// An update maps nothing, so it may name a field as the source does: `g->u`. Not `this->u`, which gcc does not take,
/// nor a field of a field, of which clang would look for the one on the device that holds the other. Watched, copies
/// are of what the map clauses name.
RegionWriter::ClauseName RegionWriter::inUpdate(const ArrayName &name) const {
  const bool isField = llvm::isa_and_nonnull<clang::FieldDecl>(name.decl) && name.type->isPointerType() &&
                       !name.isComputed && name.row.empty();
  auto [base, field] = llvm::StringRef(name.text).split(llvm::StringRef(name.text).contains("->") ? "->" : ".");
  const bool isPlain = base != "this" && !field.empty() && identifier(base) == base && identifier(field) == field;
  if (isField && isPlain && q.options.variant == Variant::Plain) return {name.text, ""};
  return inClause(name, true);
}

} // namespace busfare::frontend::port
