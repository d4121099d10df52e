//===- clang-plugin/units/LibraryDoor.cpp - What the compiler loads first -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// libbusfare.so, which `-fplugin=` names. It needs nothing of Clang's, so that any Clang can
// load it: one of the version that libbusfare-reader.so beside it (Plugin.cpp) was built
// for gets that, another is told so in a sentence, and compiles without it.
//
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <string>

static const char version[] = BUSFARE_CLANG_VERSION; // "19.1.7"

/// Up to its last point: patch levels are of one interface.
static size_t lengthOfRelease() { return std::strrchr(version, '.') - version; }

__attribute__((constructor)) static void open() {
  using VersionOf = std::string (*)();
  auto *versionOf = reinterpret_cast<VersionOf>(dlsym(RTLD_DEFAULT, "_ZN5clang19getClangFullVersionB5cxx11Ev"));
  const std::string loader = versionOf ? versionOf() : "a program that does not say which Clang it is";
  const std::string release = " version " + std::string(version, lengthOfRelease()) + ".";
  if (loader.find(release) == std::string::npos) {
    std::fprintf(stderr, "busfare: this plugin is for Clang %s, and is loaded by %s: nothing is left of this unit\n",
                 version, loader.c_str());
    return;
  }
  Dl_info own;
  if (!dladdr(reinterpret_cast<const void *>(&open), &own) || !own.dli_fname) return;
  std::string folder = own.dli_fname;
  folder.erase(folder.find_last_of('/') == std::string::npos ? 0 : folder.find_last_of('/') + 1);
  const std::string reader = folder + "libbusfare-reader.so";
  if (!dlopen(reader.c_str(), RTLD_NOW | RTLD_LOCAL))
    std::fprintf(stderr, "busfare: the plugin's second part cannot be loaded: %s\n", dlerror());
}
