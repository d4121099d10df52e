//===- skeleton/Skeleton.cpp - Lookups and short names --------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Finding functions and arrays by name, what a loop spans, and the words of the text form
// for element types and operations.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Words.h"

using namespace busfare::skeleton;

Expr busfare::skeleton::spanOf(const LoopHead &loop) {
  return loop.step > 0 ? loop.upper - loop.lower : loop.lower - loop.upper;
}

std::string busfare::skeleton::toString(const ElementType &type) {
  using Kind = ElementType::Kind;
  auto bits = std::to_string(type.bytes * 8), bytes = "<" + std::to_string(type.bytes) + ">";
  bool isPowerOf2 = type.bytes == 1 || type.bytes == 2 || type.bytes == 4 || type.bytes == 8 || type.bytes == 16;
  switch (type.kind) {
  case Kind::Float:
    if (type.bytes == 16) return "f80"; // long double takes 16 bytes.
    return isPowerOf2 && type.bytes > 1 ? "f" + bits : "float" + bytes;
  case Kind::Signed: return isPowerOf2 ? "i" + bits : "int" + bytes;
  case Kind::Unsigned: return isPowerOf2 ? "u" + bits : "uint" + bytes;
  case Kind::Bool: return type.bytes == 1 ? "bool" : "bool" + bytes;
  case Kind::Complex: return type.bytes == 8 || type.bytes == 16 ? "c" + bits : "complex" + bytes;
  case Kind::Pointer: return type.bytes == 8 ? "ptr" : "ptr" + bytes;
  case Kind::Struct: return "struct" + bytes;
  }
  return "struct" + bytes;
}

bool busfare::skeleton::mayBeOfType(const ElementType &value, const ElementType &element) {
  using Kind = ElementType::Kind;
  auto isWord = [](const ElementType &type) {
    return type.kind == Kind::Signed || type.kind == Kind::Unsigned || type.kind == Kind::Bool ||
           type.kind == Kind::Pointer;
  };
  auto isFloating = [](const ElementType &type) { return type.kind == Kind::Float || type.kind == Kind::Complex; };
  // How long one number is: an array of complex numbers may be read as one of their parts.
  auto lengthOf = [](const ElementType &type) { return type.kind == Kind::Complex ? type.bytes / 2 : type.bytes; };
  if (value.bytes == 1 || element.bytes == 1 || value.kind == Kind::Struct || element.kind == Kind::Struct) return true;
  return (isWord(value) && isWord(element) && value.bytes == element.bytes) ||
         (isFloating(value) && isFloating(element) && lengthOf(value) == lengthOf(element));
}

SharedBlock::SharedBlock(Block nodes) : held(nodes.empty() ? nullptr : std::make_shared<Block>(std::move(nodes))) {}
Block &SharedBlock::edit() {
  if (!held) held = std::make_shared<Block>();
  else if (isShared()) held = std::make_shared<Block>(*held);
  return *held;
}
bool SharedBlock::operator==(const SharedBlock &o) const {
  return held == o.held || static_cast<const Block &>(*this) == static_cast<const Block &>(o);
}

bool busfare::skeleton::touchesExposed(const HostStatement &host) {
  bool isOpaque = host.reason == HostReason::OpaqueCall || host.reason == HostReason::Recursion ||
                  host.reason == HostReason::Unsupported;
  return isOpaque || (host.message && host.message->kind == MessageKind::Wait);
}

bool busfare::skeleton::surelyEnds(const Block &block) {
  return llvm::any_of(block, [](const Node &node) {
    auto *host = std::get_if<HostStatement>(&node.kind);
    auto *branch = std::get_if<Branch>(&node.kind);
    return std::holds_alternative<End>(node.kind) || (host && host->reason == HostReason::NoReturn) ||
           (branch && surelyEnds(branch->then) && surelyEnds(branch->otherwise));
  });
}

std::string busfare::skeleton::toString(MessageKind kind) { return wordOf(messageWords, kind).str(); }

std::string busfare::skeleton::toString(Operation operation) { return wordOf(operationWords, operation).str(); }

const Function *busfare::skeleton::findFunction(const Program &program, llvm::StringRef name) {
  for (const Function &function : program.functions)
    if (function.name == name) return &function;
  return nullptr;
}

const Array *busfare::skeleton::findArray(const Program &program, const Function &function, llvm::StringRef name) {
  for (const Array &array : function.arrays)
    if (array.name == name) return &array;
  for (const Array &array : program.globals)
    if (array.name == name) return &array;
  return nullptr;
}

busfare::skeleton::ArrayTable::ArrayTable(const Program &program, const Function &function) {
  for (const std::vector<Array> *declared : {&function.arrays, &program.globals})
    for (const Array &array : *declared) byName.try_emplace(array.name, &array);
}
