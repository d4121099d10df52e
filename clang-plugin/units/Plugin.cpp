//===- clang-plugin/units/Plugin.cpp - Skeletons left by a build ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   clang++-19 -fplugin=libbusfare.so -c heat.cpp -o heat.o     leaves heat.o.skel
//     -fplugin-arg-busfare-out=DIR     leaves it in DIR
//     -fplugin-arg-busfare-embed       leaves it in a section of heat.o
//
// The unit is read when its object is made, or, if the object is to hold what was read, by a
// copy of the process before (Leaving.h). Reading may crash or take too long: the object is the
// same in any case, and the build goes on. LibraryDoor.cpp loads this library.
//
//===----------------------------------------------------------------------===//

#include "Leaving.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include <iterator>

namespace busfare::frontend {
namespace {

constexpr const char *name = "busfare";
constexpr const char *nameOfSecond = "busfare-after";

/// Of the arguments, the first that is none goes to `unknown`.
LeaveOptions optionsOf(const std::vector<std::string> &arguments, std::string &unknown) {
  LeaveOptions options;
  for (llvm::StringRef argument : arguments)
    if (argument.consume_front("out=") && !argument.empty()) options.folder = argument.str();
    else if (argument == "embed") options.embeds = true;
    else if (unknown.empty()) unknown = argument.str();
  return options;
}

LeaveOptions optionsFor(const clang::CompilerInstance &compiler) {
  const auto &all = compiler.getFrontendOpts().PluginArgs;
  auto own = all.find(name);
  std::string unknown;
  return own == all.end() ? LeaveOptions() : optionsOf(own->second, unknown);
}

/// Reading writes into the syntax tree. Behind the compiler that is nobody's loss, if no other plugin looks at it.
bool readsAfterwards(const clang::CompilerInstance &compiler) {
  const auto entries = clang::FrontendPluginRegistry::entries();
  return !optionsFor(compiler).embeds && std::distance(entries.begin(), entries.end()) == 2;
}

/// Before the object is made: what is embedded has to be there.
class Plugin : public clang::PluginASTAction {
public:
  ActionType getActionType() override { return AddBeforeMainAction; }
  bool ParseArgs(const clang::CompilerInstance &compiler, const std::vector<std::string> &arguments) override {
    std::string unknown;
    optionsOf(arguments, unknown);
    if (unknown.empty()) return true;
    clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
    diagnostics.Report(diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                                   "busfare's plugin takes out=FOLDER and embed, not '%0'"))
        << unknown;
    return false;
  }
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    if (!isForLeaving(compiler)) {
      // No diagnostic: with -Werror one would stop the build.
      if (const std::string why = whyNotLeft(compiler); !why.empty()) llvm::errs() << "busfare: " << why << '\n';
    } else if (!readsAfterwards(compiler)) {
      return leavingConsumer(compiler, optionsFor(compiler), Reading::ByCopy);
    }
    return std::make_unique<clang::ASTConsumer>();
  }
};

class After : public clang::PluginASTAction {
public:
  ActionType getActionType() override { return AddAfterMainAction; }
  bool ParseArgs(const clang::CompilerInstance &, const std::vector<std::string> &) override { return true; }
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    if (!isForLeaving(compiler) || !readsAfterwards(compiler)) return std::make_unique<clang::ASTConsumer>();
    return leavingConsumer(compiler, optionsFor(compiler), Reading::InPlace);
  }
};

const clang::FrontendPluginRegistry::Add<Plugin> registered(name, "leave what busfare reads of each unit");
const clang::FrontendPluginRegistry::Add<After> registeredToo(nameOfSecond, "the same, once the object is made");

} // namespace
} // namespace busfare::frontend
