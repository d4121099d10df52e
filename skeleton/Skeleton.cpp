//===- skeleton/Skeleton.cpp - Lookups and short names --------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Finding functions and arrays by name, and the words of the text form for
// element types and operations.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Skeleton.h"

using namespace busfare::skeleton;

std::string busfare::skeleton::toString(const ElementType &type) {
  using Kind = ElementType::Kind;
  auto bits = std::to_string(type.bytes * 8), bytes = "<" + std::to_string(type.bytes) + ">";
  bool isPowerOf2 = type.bytes == 1 || type.bytes == 2 || type.bytes == 4 || type.bytes == 8 || type.bytes == 16;
  switch (type.kind) {
  case Kind::Float:
    if (type.bytes == 16)
      return "f80"; // long double takes 16 bytes.
    return isPowerOf2 && type.bytes > 1 ? "f" + bits : "float" + bytes;
  case Kind::Signed:
    return isPowerOf2 ? "i" + bits : "int" + bytes;
  case Kind::Unsigned:
    return isPowerOf2 ? "u" + bits : "uint" + bytes;
  case Kind::Bool:
    return type.bytes == 1 ? "bool" : "bool" + bytes;
  case Kind::Complex:
    return type.bytes == 8 || type.bytes == 16 ? "c" + bits : "complex" + bytes;
  case Kind::Pointer:
    return type.bytes == 8 ? "ptr" : "ptr" + bytes;
  case Kind::Struct:
    return "struct" + bytes;
  }
  return "struct" + bytes;
}

std::string busfare::skeleton::toString(Operation operation) {
  switch (operation) {
  case Operation::Fp32Add:
    return "fp32.add";
  case Operation::Fp32Multiply:
    return "fp32.mul";
  case Operation::Fp32Fma:
    return "fp32.fma";
  case Operation::Fp32Divide:
    return "fp32.div";
  case Operation::Fp32Special:
    return "fp32.special";
  case Operation::Fp64Add:
    return "fp64.add";
  case Operation::Fp64Multiply:
    return "fp64.mul";
  case Operation::Fp64Fma:
    return "fp64.fma";
  case Operation::Fp64Divide:
    return "fp64.div";
  case Operation::Fp64Special:
    return "fp64.special";
  case Operation::Integer:
    return "int";
  case Operation::Compare:
    return "compare";
  case Operation::Conversion:
    return "convert";
  }
  return "int";
}

const Function *busfare::skeleton::findFunction(const Program &program, llvm::StringRef name) {
  for (const Function &function : program.functions)
    if (function.name == name)
      return &function;
  return nullptr;
}

const Array *busfare::skeleton::findArray(const Program &program, const Function &function, llvm::StringRef name) {
  for (const Array &array : function.arrays)
    if (array.name == name)
      return &array;
  for (const Array &array : program.globals)
    if (array.name == name)
      return &array;
  return nullptr;
}
