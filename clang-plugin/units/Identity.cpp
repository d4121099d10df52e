//===- clang-plugin/units/Identity.cpp - Which build of what is running --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Identity.h"
#include "FilesRead.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <elf.h>
#include <link.h>

using llvm::StringRef;

namespace busfare::frontend {

/// `object` has been loaded from `header.dlpi_addr` on: its build id, if it has one.
static std::string buildIdOf(const dl_phdr_info &object) {
  for (unsigned k = 0; k < object.dlpi_phnum; ++k) {
    const ElfW(Phdr) &part = object.dlpi_phdr[k];
    if (part.p_type != PT_NOTE) continue;
    const char *at = reinterpret_cast<const char *>(object.dlpi_addr + part.p_vaddr), *end = at + part.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      const auto &note = *reinterpret_cast<const ElfW(Nhdr) *>(at);
      const char *name = at + sizeof note, *text = name + llvm::alignTo(note.n_namesz, 4);
      at = text + llvm::alignTo(note.n_descsz, 4);
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && at <= end && !std::memcmp(name, ELF_NOTE_GNU, 4))
        return std::string(text, note.n_descsz);
    }
  }
  return "";
}

/// Of a program or library that does not say: its size and when it was written.
static std::string looksOf(StringRef file) {
  std::string name = file.empty() ? llvm::sys::fs::getMainExecutable(nullptr, nullptr) : file.str();
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(name, status)) return name;
  return name + " " + std::to_string(status.getSize()) + " " +
         std::to_string(status.getLastModificationTime().time_since_epoch().count());
}

const std::string &programIdentity() {
  static const std::string identity = [] {
    std::string all = BUSFARE_VERSION;
    dl_iterate_phdr(
        [](dl_phdr_info *object, size_t, void *to) {
          std::string id = buildIdOf(*object);
          *static_cast<std::string *>(to) += "\n" + (id.empty() ? looksOf(object->dlpi_name) : id);
          return 0;
        },
        &all);
    return digestOf(all);
  }();
  return identity;
}

std::string buildIdAt(const void *address) {
  struct Search {
    ElfW(Addr) address;
    std::string id;
  } search{reinterpret_cast<ElfW(Addr)>(address), ""};
  dl_iterate_phdr(
      [](dl_phdr_info *object, size_t, void *to) {
        auto &search = *static_cast<Search *>(to);
        for (unsigned k = 0; k < object->dlpi_phnum; ++k) {
          const ElfW(Phdr) &part = object->dlpi_phdr[k];
          const ElfW(Addr) begin = object->dlpi_addr + part.p_vaddr;
          if (part.p_type != PT_LOAD || search.address < begin || search.address >= begin + part.p_memsz) continue;
          search.id = llvm::toHex(buildIdOf(*object), /*LowerCase=*/true);
          return 1;
        }
        return 0;
      },
      &search);
  return search.id;
}

} // namespace busfare::frontend
