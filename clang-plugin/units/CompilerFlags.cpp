//===- clang-plugin/units/CompilerFlags.cpp - What Clang is told of a unit -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CompilerFlags.h"
#include "clang-plugin/lower/ResourceFolder.h"
#include "clang/Driver/Options.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"

using llvm::StringRef;

namespace busfare::frontend {

std::vector<std::string> completeArguments(const Inputs &options, llvm::ArrayRef<std::string> own) {
  std::vector<std::string> all = options.extraArgumentsBefore;
  llvm::append_range(all, own);
  if (std::string folder = resourceFolder(); folder != resourceFolderOfBuild())
    all.push_back("-resource-dir=" + folder); // before the user's, who may say otherwise
  llvm::append_range(all, options.extraArguments);
  return all;
}

/// Programs that stand before the compiler: ccache g++ ...
static bool isWrapper(StringRef word) {
  StringRef name = llvm::sys::path::filename(word);
  return name == "ccache" || name == "sccache" || name == "distcc" || name == "icecc" || name == "env" ||
         (name.contains('=') && !name.starts_with("-"));
}

/// Concerns the output, or runs other people's code in the compiler.
static bool isOfOutput(const llvm::opt::Arg &argument) {
  using namespace clang::driver;
  const llvm::opt::Option &option = argument.getOption();
  for (unsigned id : {unsigned(options::OPT_INPUT),
                      unsigned(options::OPT_o),
                      unsigned(options::OPT_c),
                      unsigned(options::OPT_S),
                      unsigned(options::OPT_E),
                      unsigned(options::OPT_M_Group),
                      unsigned(options::OPT_MF),
                      unsigned(options::OPT_MT),
                      unsigned(options::OPT_MQ),
                      unsigned(options::OPT_MD),
                      unsigned(options::OPT_MMD),
                      unsigned(options::OPT_MP),
                      unsigned(options::OPT_MG),
                      unsigned(options::OPT_M),
                      unsigned(options::OPT_MM),
                      unsigned(options::OPT_save_temps),
                      unsigned(options::OPT_save_temps_EQ),
                      unsigned(options::OPT__serialize_diags),
                      unsigned(options::OPT_fplugin_EQ),
                      unsigned(options::OPT_fplugin_arg),
                      unsigned(options::OPT_fpass_plugin_EQ),
                      unsigned(options::OPT_ftime_trace),
                      unsigned(options::OPT_ftime_trace_EQ),
                      unsigned(options::OPT__DASH_DASH)})
    if (option.matches(id)) return true;
  // gcc's way to have dependencies written: -Wp,-MD,a.d.
  if (option.matches(options::OPT_Wp_COMMA)) return StringRef(argument.getValue()).starts_with("-M");
  // What becomes of the code behind the front end; other compilers have values here that Clang refuses (-flto=8).
  static const StringRef later[] = {"-flto",      "-fno-lto",      "-fsanitize",     "-fno-sanitize",
                                    "-fprofile-", "-fcs-profile-", "-fauto-profile", "-fmemory-profile",
                                    "-mfpmath=",  "-gstabs",       "-Wa,",           "-Xassembler",
                                    "-mllvm",     "-fdiagnostics-"};
  return llvm::any_of(later, [&](StringRef beginning) { return argument.getSpelling().starts_with(beginning); });
}

/// For a device, or for a Clang other than this one.
static bool isForOthers(const llvm::opt::Arg &argument) {
  static const StringRef beginnings[] = {"-fopenmp-targets", "-Xopenmp-target",  "-fopenmp-offload", "-fopenmp-cuda",
                                         "-fopenmp-target-", "-fopenmp-assume-", "--offload",        "--no-offload",
                                         "--cuda",           "--no-cuda",        "--rocm",           "--hip",
                                         "-Xarch_",          "-Xcuda",           "-nogpu",           "-fgpu",
                                         "-fsycl",           "-fno-sycl",        "-fopenacc",        "-Xclang"};
  StringRef spelling = argument.getSpelling();
  if (argument.getOption().matches(clang::driver::options::OPT_fcf_protection_EQ))
    return StringRef(argument.getValue()) == "check"; // gcc's alone
  return llvm::any_of(beginnings, [&](StringRef beginning) { return spelling.starts_with(beginning); });
}

/// Clang has the option, and would refuse it here: a processor that only a newer or another compiler knows, gcc's
/// -mabi=ms.
static bool isRefused(const llvm::opt::Arg &argument, StringRef target) {
  using namespace clang::driver;
  const llvm::opt::Option &option = argument.getOption();
  if (option.hasFlag(options::Unsupported)) return true;
  const bool isX86 = llvm::Triple(target.empty() ? llvm::sys::getDefaultTargetTriple() : target.str()).isX86();
  if (isX86 && option.matches(options::OPT_mabi_EQ)) return true;
  if (!isX86 || (!option.matches(options::OPT_march_EQ) && !option.matches(options::OPT_mtune_EQ))) return false;
  StringRef name = argument.getValue();
  return name != "native" && name != "generic" && name != "intel" &&
         llvm::X86::parseArchX86(name) == llvm::X86::CK_None;
}

ClangWords clangWords(llvm::ArrayRef<std::string> commandLine) {
  while (commandLine.size() > 1 && isWrapper(commandLine.front())) commandLine = commandLine.drop_front();
  ClangWords result;
  if (commandLine.empty()) return result;
  const std::string compiler = commandLine.front(), target = targetOf(compiler);
  ClangWords own = withoutVendorWords(compiler, commandLine.drop_front());
  result.leftOut = std::move(own.leftOut);
  result.translated = std::move(own.translated);
  if (!target.empty()) result.words.push_back("--target=" + target);
  llvm::append_range(result.words, toolchainWords(compiler)); // the build's own --sysroot follows, and counts
  if (namesCxx(compiler)) result.words.push_back("--driver-mode=g++");
  std::vector<const char *> words;
  for (const std::string &word : own.words) words.push_back(word.c_str());
  unsigned missingIndex = 0, missingCount = 0;
  llvm::opt::InputArgList arguments = clang::driver::getDriverOptTable().ParseArgs(
      words, missingIndex, missingCount, llvm::opt::Visibility(clang::driver::options::ClangOption));
  for (const llvm::opt::Arg *argument : arguments) {
    // As CMake has it for Apple's Clang.
    if (argument->getSpelling() == "-Xclang" && StringRef(argument->getValue()) == "-fopenmp") {
      result.words.push_back("-fopenmp");
      continue;
    }
    if (isOfOutput(*argument)) continue;
    if (argument->getOption().matches(clang::driver::options::OPT_UNKNOWN) || isForOthers(*argument) ||
        isRefused(*argument, target)) {
      result.leftOut.push_back(argument->getAsString(arguments));
      continue;
    }
    llvm::opt::ArgStringList own;
    argument->renderAsInput(arguments, own);
    result.words.insert(result.words.end(), own.begin(), own.end());
  }
  return result;
}

std::vector<std::string> wordsForClang(llvm::ArrayRef<std::string> commandLine) {
  return clangWords(commandLine).words;
}

} // namespace busfare::frontend
