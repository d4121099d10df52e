//===- clang-plugin/CompilerFlags.cpp - What Clang is told of a unit ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/CompilerFlags.h"
#include "clang/Driver/Options.h"
#include "clang/Driver/ToolChain.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace busfare::frontend {

/// Clang's own headers are where they were when busfare was built, or beside another clang 19.
static std::vector<std::string> resourceArguments() {
  if (llvm::sys::fs::is_directory(BUSFARE_RESOURCE_DIR))
    return {};
  for (const char *folder : {"/usr/lib/llvm-19/lib/clang/19", "/usr/lib/clang/19", "/usr/lib64/clang/19", "/usr/local/lib/clang/19"})
    if (llvm::sys::fs::is_directory(folder))
      return {std::string("-resource-dir=") + folder};
  return {};
}

std::vector<std::string> completeArguments(const Options &options, llvm::ArrayRef<std::string> own) {
  std::vector<std::string> all = options.extraArgumentsBefore;
  llvm::append_range(all, own);
  llvm::append_range(all, resourceArguments());
  llvm::append_range(all, options.extraArguments);
  return all;
}

/// Programs that stand before the compiler: ccache g++ ...
static bool isWrapper(StringRef word) {
  StringRef name = llvm::sys::path::filename(word);
  return name == "ccache" || name == "sccache" || name == "distcc" || name == "icecc" || name == "env" ||
         (name.contains('=') && !name.starts_with("-"));
}

/// Concerns the output, runs other people's code in the compiler, or is no word of Clang's.
static bool isLeftOut(const llvm::opt::Arg &argument) {
  using namespace clang::driver;
  const llvm::opt::Option &option = argument.getOption();
  for (unsigned id : {unsigned(options::OPT_UNKNOWN), unsigned(options::OPT_INPUT), unsigned(options::OPT_o), unsigned(options::OPT_c),
                      unsigned(options::OPT_S), unsigned(options::OPT_E), unsigned(options::OPT_M_Group),
                      unsigned(options::OPT_MF), unsigned(options::OPT_MT), unsigned(options::OPT_MQ), unsigned(options::OPT_MD),
                      unsigned(options::OPT_MMD), unsigned(options::OPT_MP), unsigned(options::OPT_MG), unsigned(options::OPT_M),
                      unsigned(options::OPT_MM), unsigned(options::OPT_save_temps), unsigned(options::OPT_save_temps_EQ),
                      unsigned(options::OPT__serialize_diags), unsigned(options::OPT_fplugin_EQ),
                      unsigned(options::OPT_fplugin_arg), unsigned(options::OPT_fpass_plugin_EQ), unsigned(options::OPT_ftime_trace), unsigned(options::OPT_ftime_trace_EQ),
                      unsigned(options::OPT__DASH_DASH)})
    if (option.matches(id))
      return true;
  // gcc's way to have dependencies written: -Wp,-MD,a.d.
  return option.matches(options::OPT_Wp_COMMA) && StringRef(argument.getValue()).starts_with("-M");
}

std::vector<std::string> wordsForClang(llvm::ArrayRef<std::string> commandLine) {
  while (commandLine.size() > 1 && isWrapper(commandLine.front()))
    commandLine = commandLine.drop_front();
  std::vector<std::string> kept;
  if (commandLine.empty())
    return kept;
  // The compiler's name says its target (aarch64-linux-gnu-gcc), and a name with ++ that .c files are C++, too.
  std::string compiler = commandLine.front();
  clang::driver::ParsedClangName parsed = clang::driver::ToolChain::getTargetAndModeFromProgramName(compiler);
  if (!parsed.TargetPrefix.empty() && parsed.TargetIsValid)
    kept.push_back("--target=" + parsed.TargetPrefix);
  if (llvm::sys::path::filename(compiler).contains("++"))
    kept.push_back("--driver-mode=g++");
  std::vector<const char *> words;
  for (const std::string &word : commandLine.drop_front())
    words.push_back(word.c_str());
  unsigned missingIndex = 0, missingCount = 0;
  llvm::opt::InputArgList arguments = clang::driver::getDriverOptTable().ParseArgs(
      words, missingIndex, missingCount, llvm::opt::Visibility(clang::driver::options::ClangOption));
  for (const llvm::opt::Arg *argument : arguments)
    if (!isLeftOut(*argument)) {
      llvm::opt::ArgStringList own;
      argument->renderAsInput(arguments, own);
      kept.insert(kept.end(), own.begin(), own.end());
    }
  return kept;
}

} // namespace busfare::frontend
