//===- clang-plugin/verify/Tools.cpp - The programs verify needs ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/verify/Tools.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <vector>

using llvm::StringRef;

namespace busfare::frontend::verify {

static std::string joined(StringRef folder, StringRef name) {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

/// On the PATH, or in one of the folders; empty if nowhere.
static std::string program(StringRef name, llvm::ArrayRef<StringRef> folders = {}) {
  if (auto found = llvm::sys::findProgramByName(name)) return *found;
  StringRef plain = name.substr(0, name.rfind("-19"));
  for (StringRef folder : folders)
    if (std::string path = joined(folder, plain); llvm::sys::fs::can_execute(path)) return path;
  return "";
}

/// The folder of our own libraries, from where the program lies: installed in bin/../lib/busfare, in a build
/// bin/../lib.
static std::string ownLibraries() {
  std::string self = llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&ownLibraries));
  StringRef top = llvm::sys::path::parent_path(llvm::sys::path::parent_path(self));
  std::string installed = joined(top, "lib/busfare");
  return llvm::sys::fs::is_directory(installed) ? installed : joined(top, "lib");
}

llvm::Expected<Tools> findTools(StringRef llvmLibrary, StringRef watch) {
  std::vector<std::string> missing;
  auto need = [&](bool there, const char *what, const char *package) {
    if (!there) missing.push_back(std::string(what) + " (package " + package + ")");
  };
#if !defined(__x86_64__) || !defined(__linux__)
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "verify runs on libomptarget's x86_64 device: it needs Linux on x86_64");
#endif
  std::string beside = joined(llvm::sys::path::parent_path(llvmLibrary), "bin");
  StringRef folders[] = {beside, "/usr/lib/llvm-19/bin"};
  Tools tools;
  tools.clang = program("clang-19", folders);
  tools.clangxx = program("clang++-19", folders);
  need(!tools.clang.empty() && !tools.clangxx.empty(), "clang-19", "clang-19");
  need(!program("clang-offload-packager-19", folders).empty(), "clang-offload-packager", "clang-tools-19");
  for (StringRef folder : {llvmLibrary, StringRef("/usr/lib/llvm-19/lib")})
    if (tools.library.empty() && llvm::sys::fs::exists(joined(folder, "libomptarget.so"))) tools.library = folder.str();
  need(!tools.library.empty(), "libomptarget", "libomp-19-dev");
  tools.gcc = program("gcc");
  tools.gxx = program("g++");
  need(!tools.gcc.empty(), "gcc", "gcc");
  tools.watch = watch.empty() ? joined(ownLibraries(), "libbusfare-watch.a") : watch.str();
  if (!missing.empty())
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "verify needs what is not installed: %s",
                                   llvm::join(missing, ", ").c_str());
  tools.digits = joined(llvm::sys::path::parent_path(tools.watch), "libbusfare-digits.a");
  if (!llvm::sys::fs::exists(tools.digits))
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "'%s' is missing: build it (target busfare-digits)",
                                   tools.digits.c_str());
  if (!llvm::sys::fs::exists(tools.watch))
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "'%s' is missing: build it with libomp-19-dev installed (target busfare-watch)",
                                   tools.watch.c_str());
  return tools;
}

llvm::Expected<Tools> findMeasureTools(StringRef llvmLibrary) {
  std::string beside = joined(llvm::sys::path::parent_path(llvmLibrary), "bin");
  StringRef folders[] = {beside, "/usr/lib/llvm-19/bin"};
  Tools tools;
  tools.clang = program("clang-19", folders);
  tools.clangxx = program("clang++-19", folders);
  if (tools.clang.empty() || tools.clangxx.empty())
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "measure needs what is not installed: clang-19 (package clang-19)");
  tools.measure = joined(ownLibraries(), "libbusfare-measure.a");
  if (!llvm::sys::fs::exists(tools.measure))
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "'%s' is missing: build it (target busfare-measure)",
                                   tools.measure.c_str());
  return tools;
}

} // namespace busfare::frontend::verify
