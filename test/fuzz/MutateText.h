//===- test/fuzz/MutateText.h - Changes to skeleton text -------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Changes after which text is likely to be a program still: a number or a name becomes
// another one of the text, a subscript, bound or statement is copied to another place,
// a statement with its block is taken out or put around another.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_FUZZ_MUTATETEXT_H
#define BUSFARE_TEST_FUZZ_MUTATETEXT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace busfare::fuzz {

/// One to four changes, all decided by the seed.
std::string mutateText(llvm::StringRef text, unsigned seed);

} // namespace busfare::fuzz

#endif
