//===- clang-plugin/units/FilesRead.h - What reading a unit asked of the disk -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What comes of a unit depends on the files that were read, and on those that were not
// there: a header that appears in a folder searched before is found instead. Each question
// to the disk is kept with its answer, and asked again later:
//
//   c/src/heat.c            c6a1f...   the digest of its contents
//   s/src/include/omp.h     -          nothing is there; f: a file is, d: a folder
//   l/usr/lib/gcc           l93be...   the digest of the names in the folder
//   r/src/heat.c            r4410...   the digest of its name without links
//
// If all answers are the same, reading the unit again would give the same.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_UNITS_FILES_READ_H
#define BUSFARE_CLANG_PLUGIN_UNITS_FILES_READ_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace llvm::vfs {
class FileSystem;
} // namespace llvm::vfs

namespace busfare::frontend {

/// BLAKE3, 40 digits. Nobody finds two texts with one.
std::string digestOf(llvm::StringRef text);

/// Answers, by question: one of the letters above, then the absolute path.
using FileAnswers = std::map<std::string, std::string>;

/// The same files, and a note in `answers` of each that is asked for.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> loggedFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                                                            std::shared_ptr<FileAnswers> answers);

/// The disk as it is now. Each question is asked once. For several threads.
class FilesNow {
public:
  /// Would all questions be answered so?
  bool areStill(const FileAnswers &answers);

private:
  std::mutex mutex;
  std::map<std::string, std::string> known;
};

} // namespace busfare::frontend

#endif
