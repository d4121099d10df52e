//===- brs/Alias.h - Which names may be the same memory -------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Two different array names, one question: can they overlap?
//
//   double x[8], y[8]                       never: distinct objects
//   f(double *a, double *b)                 only if the caller passes it so: assumed, and said
//   p = c ? a : b;  p and a                 yes
//
// A restrict parameter overlaps no other name; a local or heap object overlaps no
// parameter, and a restrict local not even what pointers lead to of which nothing is
// known. Types are not used here (what a load through an unknown pointer may reach
// is asked with them: Effects, Touch).
// Names that a `rotate` moves may each denote any object of their rotation.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_ALIAS_H
#define BUSFARE_BRS_ALIAS_H

#include "skeleton/Skeleton.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace busfare::brs {

enum class Overlap {
  Never,     ///< Different objects, whoever calls.
  IfCalled,  ///< Only if a pointer was passed or stored so; may be assumed away, listed as noalias(a,b).
  Maybe,     ///< Different names for what may well be one object.
};

/// How the assumption that the two do not overlap is listed, in whichever order they are given.
std::string noalias(const std::string &a, const std::string &b);

class Aliases {
public:
  /// All `rotate`s of the function are found by a walk.
  Aliases(const skeleton::Program &program, const skeleton::Function &function);

  Overlap between(const std::string &a, const std::string &b) const;
  /// Is the answer Never for every other name? Most variables of a function are so: whoever compares all with all can
  /// leave them out.
  bool isApartFromAll(const std::string &name) const;
  /// Does the name keep to one object, at one offset, while no rotate runs?
  /// False for an Alias: it may stand for another part of memory at each access.
  bool isOneObject(const std::string &name) const;
  /// Are elements of equal subscripts one element, whatever the name stands for? So they are of an Alias whose pointer
  /// is fixed.
  bool isOneAddress(const std::string &name) const;
  /// The names that a rotate may exchange with this one, itself included.
  std::set<std::string> rotatesWith(const std::string &name) const;

private:
  const skeleton::Program &program;
  const skeleton::Function &function;
  std::map<std::string, std::set<std::string>> rotations;
  std::set<std::pair<std::string, std::string>> apart; ///< Said not to overlap by the function's hints; either order.
  skeleton::ArrayTable arrays;
  /// A large program asks millions of times: answers by the numbers of two names, the lower one first.
  mutable llvm::StringMap<unsigned> numbers;
  mutable llvm::DenseMap<std::pair<unsigned, unsigned>, Overlap> cache;

  /// What a name may denote.
  struct Denoted {
    std::set<std::string> objects;
    bool anything = false; ///< It may be any object at all, and those are the likelier.
    bool onlyByName = false; ///< No pointer leads there, whatever else is not known of it.
  };
  mutable std::deque<std::optional<Denoted>> denoted; ///< By number. Each stays where it is as names come.
  /// Objects that an Alias may denote, besides their own name.
  std::set<std::string> shared;

  unsigned numberOf(const std::string &name) const;
  const Denoted &denotedBy(const std::string &name) const;
  Denoted findDenoted(const std::string &name) const;
  Overlap answer(const std::string &a, const std::string &b) const;

  bool isPointerAndNumbers(llvm::StringRef variable, const std::string &name) const;
  Overlap betweenObjects(const std::string &a, const std::string &b) const;
};

} // namespace busfare::brs

#endif
