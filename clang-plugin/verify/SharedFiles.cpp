//===- clang-plugin/verify/SharedFiles.cpp - Files that two runs would share -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/verify/SharedFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ELFObjectFile.h"

namespace busfare::frontend::verify {

/// Of the C library and POSIX; what opens for reading as well as for writing is among them.
static const llvm::StringSet<> makers = {
    "fopen",      "fopen64",  "freopen",  "freopen64",  "fdopen",       "open",        "open64",       "__open_2",
    "__open64_2", "openat",   "openat64", "__openat_2", "__openat64_2", "creat",       "creat64",      "rename",
    "renameat",   "remove",   "unlink",   "unlinkat",   "link",         "linkat",      "symlink",      "mkdir",
    "mkdirat",    "rmdir",    "mkstemp",  "mkstemp64",  "mkdtemp",      "mknod",       "mkfifo",       "truncate",
    "truncate64", "shm_open", "shmget",   "sem_open",   "mq_open",      "msgget",      "semget",       "socket",
    "system",     "popen",    "fork",     "vfork",      "clone",        "posix_spawn", "posix_spawnp", "execl",
    "execlp",     "execv",    "execvp",   "execve",     "syscall",      "dlopen"};

static bool isMaker(llvm::StringRef symbol) {
  if (symbol.starts_with("_Z")) // std::ofstream, std::fstream, their buffer, std::filesystem
    return symbol.contains("basic_ofstream") || symbol.contains("basic_fstream") || symbol.contains("basic_filebuf") ||
           symbol.contains("10filesystem");
  return makers.contains(symbol);
}

bool mayLeaveFiles(llvm::StringRef program) {
  auto file = llvm::object::ObjectFile::createObjectFile(program);
  if (!file) {
    llvm::consumeError(file.takeError());
    return true;
  }
  const auto *elf = llvm::dyn_cast<llvm::object::ELFObjectFileBase>(file->getBinary());
  return !elf || llvm::any_of(elf->getDynamicSymbolIterators(), [](const llvm::object::ELFSymbolRef &symbol) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    const bool isRead = bool(flags) && bool(name);
    if (!flags) llvm::consumeError(flags.takeError());
    if (!name) llvm::consumeError(name.takeError());
    return !isRead || ((*flags & llvm::object::BasicSymbolRef::SF_Undefined) && isMaker(*name));
  });
}

} // namespace busfare::frontend::verify
