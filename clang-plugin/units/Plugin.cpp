//===- clang-plugin/units/Plugin.cpp - Skeletons left by a build ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   clang++-19 -fplugin=libbusfare.so -c heat.cpp -o heat.o     leaves heat.o.skel
//     -fplugin-arg-busfare-out=DIR     leaves it in DIR
//     -fplugin-arg-busfare-embed       leaves it in a section of heat.o
//
// The unit is read by a process of its own (Leaving.h), which may crash or take too long: the
// object is the same in any case, and the build goes on. LibraryDoor.cpp loads this library.
//
//===----------------------------------------------------------------------===//

#include "Leaving.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/Support/raw_ostream.h"

namespace busfare::frontend {
namespace {

class Plugin : public clang::PluginASTAction {
public:
  ActionType getActionType() override {
    return AddBeforeMainAction;
  } // what is embedded has to be there before code is made
  bool ParseArgs(const clang::CompilerInstance &compiler, const std::vector<std::string> &arguments) override {
    for (llvm::StringRef argument : arguments)
      if (argument.consume_front("out=") && !argument.empty()) {
        options.folder = argument.str();
      } else if (argument == "embed") {
        options.embeds = true;
      } else {
        clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
        diagnostics.Report(diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                                       "busfare's plugin takes out=FOLDER and embed, not '%0'"))
            << argument;
        return false;
      }
    return true;
  }
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    if (!isForLeaving(compiler)) {
      // No diagnostic: with -Werror one would stop the build.
      if (const std::string why = whyNotLeft(compiler); !why.empty()) llvm::errs() << "busfare: " << why << '\n';
      return std::make_unique<clang::ASTConsumer>();
    }
    return leavingConsumer(compiler, options);
  }

private:
  LeaveOptions options;
};

const clang::FrontendPluginRegistry::Add<Plugin> registered("busfare", "leave what busfare reads of each unit");

} // namespace
} // namespace busfare::frontend
