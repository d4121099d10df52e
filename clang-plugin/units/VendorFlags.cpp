//===- clang-plugin/units/VendorFlags.cpp - Other compilers' words for Clang -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "VendorFlags.h"
#include "clang/Driver/ToolChain.h"
#include "clang/Driver/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Triple.h"

using llvm::StringRef;

namespace busfare::frontend {

namespace {
/// Whose word it is: -mp is OpenMP to NVIDIA's compilers alone.
enum class Vendor { Any, Intel, Nvidia };

enum class Match { Whole, Beginning };

struct VendorWord {
  Vendor vendor;
  Match match;
  StringRef spelling;
  StringRef becomes; ///< Empty: it is left out.
  bool takesNext = false; ///< The word behind it is its value, unless it begins with a dash.
};
} // namespace

/// The first that fits counts.
static const VendorWord table[] = {
    {Vendor::Any, Match::Whole, "-qopenmp", "-fopenmp"},
    {Vendor::Any, Match::Whole, "-fiopenmp", "-fopenmp"},
    {Vendor::Any, Match::Whole, "-openmp", "-fopenmp"},
    {Vendor::Any, Match::Whole, "-qopenmp-simd", "-fopenmp-simd"},
    {Vendor::Any, Match::Whole, "-qno-openmp", "-fno-openmp"},
    {Vendor::Any, Match::Beginning, "-qsmp", "-fopenmp"},    // IBM
    {Vendor::Any, Match::Whole, "-Kopenmp", "-fopenmp"},     // Fujitsu
    {Vendor::Any, Match::Beginning, "-openmp", ""},          // -openmp-report2; else an output file
    {Vendor::Any, Match::Beginning, "-opt-", "", true},      // -opt-report 5; likewise
    {Vendor::Any, Match::Beginning, "-foffload", "", false}, // gcc
    {Vendor::Intel, Match::Whole, "-fast", "-O3"},
    {Vendor::Intel, Match::Beginning, "-fp-model", "", true},
    {Vendor::Intel, Match::Beginning, "-diag-", "", true},
    {Vendor::Intel, Match::Beginning, "-unroll", ""}, // else the symbol nroll
    {Vendor::Intel, Match::Whole, "-debug", "", true},
    {Vendor::Any, Match::Beginning, "-mkl", ""}, // else a feature of the processor
    {Vendor::Nvidia, Match::Whole, "-mp", "-fopenmp"},
    {Vendor::Nvidia, Match::Beginning, "-mp=", "-fopenmp"},
    {Vendor::Nvidia, Match::Whole, "-nomp", "-fno-openmp"},
    {Vendor::Nvidia, Match::Whole, "-fast", "-O2"},
    {Vendor::Nvidia, Match::Whole, "-fastsse", "-O2"},
    {Vendor::Nvidia, Match::Whole, "-tp", "", true},
    {Vendor::Nvidia, Match::Whole, "-ta", "", true},
    {Vendor::Nvidia, Match::Whole, "-target", "", true}, // gpu or multicore, no triple
    {Vendor::Nvidia, Match::Beginning, "-target=", ""},
    {Vendor::Nvidia, Match::Whole, "-cuda", ""},
};

static Vendor vendorOf(StringRef name) {
  static const StringRef intel[] = {"icc", "icpc", "icx", "icpx", "dpcpp", "mpiicc", "mpiicpc", "mpiicx", "mpiicpx"};
  static const StringRef nvidia[] = {"nvc", "nvc++", "pgcc", "pgc++", "pgCC", "pgcpp"};
  return llvm::is_contained(intel, name)    ? Vendor::Intel
         : llvm::is_contained(nvidia, name) ? Vendor::Nvidia
                                            : Vendor::Any;
}

/// The name without .exe and a version: g++ of g++-12, nvc of nvc-23.7.
static StringRef plainName(StringRef compiler) {
  StringRef name = llvm::sys::path::filename(compiler);
  name.consume_back(".exe");
  StringRef plain = name.rtrim("0123456789.");
  return plain.size() != name.size() && plain.consume_back("-") ? plain : name;
}

bool namesCxx(StringRef compiler) {
  static const StringRef names[] = {"icpc",  "icpx", "dpcpp", "mpicxx", "mpigxx", "mpiicpc", "mpiicpx",
                                    "mpiCC", "CC",   "pgCC",  "pgcpp",  "xlC",    "FCC"};
  StringRef name = plainName(compiler);
  return name.contains("++") || llvm::is_contained(names, name);
}

std::string targetOf(StringRef compiler) {
  StringRef name = llvm::sys::path::filename(compiler);
  name.consume_back(".exe");
  if (!name.consume_back("-posix")) // which threads MinGW's library has
    name.consume_back("-win32");
  std::string prefix = clang::driver::ToolChain::getTargetAndModeFromProgramName(name).TargetPrefix;
  return llvm::Triple(prefix).getArch() == llvm::Triple::UnknownArch ? "" : prefix;
}

std::vector<std::string> toolchainWords(StringRef compiler) {
  namespace path = llvm::sys::path;
  const std::string target = targetOf(compiler);
  StringRef top = path::parent_path(path::parent_path(compiler));
  if (target.empty() || top.empty() || top == "/" || top == "/usr") // whose headers Clang knows
    return {};
  std::vector<std::string> words;
  if (llvm::sys::fs::is_directory(top + "/lib/gcc/" + target)) words.push_back("--gcc-toolchain=" + top.str());
  for (const char *root : {"sysroot", "libc"})
    if (std::string name = (top + "/" + target + "/" + root).str(); llvm::sys::fs::is_directory(name)) {
      words.push_back("--sysroot=" + name);
      break;
    }
  return words;
}

/// -c99, --c++17: a standard, as NVIDIA's compilers say it.
static std::string standardOf(StringRef word) {
  for (StringRef dash : {"--c++", "-c"}) {
    StringRef year = word;
    if (year.consume_front(dash) && year.size() == 2 && llvm::all_of(year, llvm::isDigit))
      return ("-std=" + dash.ltrim('-') + year).str();
  }
  return "";
}

/// -xHost, -xCORE-AVX512: for a processor, where Clang would look for a language.
static bool isProcessor(StringRef word) {
  return word.consume_front("-x") && !word.empty() && word != "none" &&
         clang::driver::types::lookupTypeForTypeSpecifier(word.str().c_str()) == clang::driver::types::TY_INVALID;
}

ClangWords withoutVendorWords(StringRef compiler, llvm::ArrayRef<std::string> words) {
  ClangWords result;
  const Vendor vendor = vendorOf(plainName(compiler));
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i];
    std::string standard = vendor == Vendor::Nvidia ? standardOf(word) : "";
    const VendorWord *rule = llvm::find_if(table, [&](const VendorWord &each) {
      return (each.vendor == Vendor::Any || each.vendor == vendor) &&
             (each.match == Match::Whole ? word == each.spelling : word.starts_with(each.spelling));
    });
    const bool isKnown = rule != std::end(table);
    if (!isKnown && standard.empty() && !isProcessor(word)) {
      result.words.push_back(words[i]);
      continue;
    }
    std::string becomes = isKnown ? rule->becomes.str() : standard;
    if (becomes.empty()) {
      result.leftOut.push_back(words[i]);
    } else {
      result.words.push_back(becomes);
      result.translated.emplace_back(words[i], becomes);
    }
    const bool hasValue = word.find_first_of(":=") != StringRef::npos;
    if (isKnown && rule->takesNext && !hasValue && i + 1 < words.size() && !StringRef(words[i + 1]).starts_with("-"))
      ++i;
  }
  return result;
}

} // namespace busfare::frontend
