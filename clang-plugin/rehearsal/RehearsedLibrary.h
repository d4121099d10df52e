//===- clang-plugin/rehearsal/RehearsedLibrary.h - Library functions on known texts -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Values of the rehearsal (Rehearsal.h), and what the C library makes of them:
//
//   atoi("12x") = 12      strcmp("-n", "-n") = 0      sscanf("8x4", "%dx%d") = 8, 4
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_REHEARSAL_REHEARSED_LIBRARY_H
#define BUSFARE_CLANG_PLUGIN_REHEARSAL_REHEARSED_LIBRARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace busfare::frontend {

struct Rehearsed {
  enum class Kind {
    Unknown,
    Integer,
    Real,
    Text,      ///< A pointer into a text, `at` characters on.
    Arguments, ///< A pointer into argv, `at` entries on.
    Place,     ///< A pointer to a variable or field: its key is `text`.
    Record,    ///< A struct: its fields.
  };
  Kind kind = Kind::Unknown;
  int64_t integer = 0; ///< Also `at`.
  double real = 0;
  std::shared_ptr<const std::string> text;
  std::map<std::string, Rehearsed> fields; ///< By the rest of their key, ".nx".

  bool isKnown() const { return kind != Kind::Unknown; }
  bool isNumber() const { return kind == Kind::Integer || kind == Kind::Real; }
  double number() const { return kind == Kind::Real ? real : double(integer); }
  /// Does it hold as a condition?
  std::optional<bool> truth() const;
  /// The characters from here on.
  std::optional<llvm::StringRef> characters() const;
};
Rehearsed rehearsedInteger(int64_t value);
Rehearsed rehearsedReal(double value);
Rehearsed rehearsedText(std::string text);

/// A library function of texts and numbers that changes nothing: atoi, strtol, strcmp, strlen, ... Unknown: another
/// one, or not decided.
Rehearsed callOfLibrary(llvm::StringRef name, llvm::ArrayRef<Rehearsed> arguments);

/// What sscanf finds, in order; nothing: not decided.
std::optional<std::vector<Rehearsed>> scanned(llvm::StringRef text, llvm::StringRef format);

/// getopt and getopt_long: where they are in the arguments, and what they find there.
struct OptionScan {
  size_t index = 1, inside = 0; ///< optind; characters of a word `-abc` that are done.
  std::optional<std::string> argument; ///< optarg.
  /// The next option's character; -1 at the end, '?' for one that is not known, 0 with `longName` for a long one.
  int next(llvm::ArrayRef<std::string> arguments, llvm::StringRef shortOptions,
           llvm::ArrayRef<std::pair<std::string, bool>> longOptions, std::string &longName);
};

} // namespace busfare::frontend

#endif
