//===- clang-plugin/library/PlainContainers.h - Containers of numbers ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A std::map<int, double> and its kin (sets, lists, deques, strings; no vector, which is a
// handle) keep numbers in memory of their own. Their functions run no code of the program's,
// touch nothing but the container and what they are given, and keep no pointer to that. So each
// is one object, whatever it is made from, and a call of its functions touches that object.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_LIBRARY_PLAIN_CONTAINERS_H
#define BUSFARE_CLANG_PLUGIN_LIBRARY_PLAIN_CONTAINERS_H

#include "clang/AST/DeclCXX.h"

namespace busfare::frontend {

/// A container of numbers, or of containers of numbers, ordered and allocated as the library does it.
bool isPlainContainer(clang::QualType type);

/// A number, such a container, or what else of the library holds what it is made from, and no pointer of the program's.
bool isPlainValue(clang::QualType type);

/// A function of such a container, or of an iterator into one, that is given numbers, containers of them, or places in
/// either; and what makes and ends its parts (its allocator, the order of its keys).
bool isOfPlainContainer(const clang::FunctionDecl *callee);

/// std::sort and its like, of ranges of such, and comparisons: without a function of the program's to compare by.
bool worksOnPlainRange(const clang::FunctionDecl *callee);

/// std::all_of, any_of, none_of and count_if of such a range, by a lambda that computes from the element alone: they
/// only read.
bool asksPlainRange(const clang::FunctionDecl *callee);

/// std::to_string, std::stod, `+` of strings and their like: functions of strings and numbers.
bool worksOnTexts(const clang::FunctionDecl *callee);

} // namespace busfare::frontend

#endif
