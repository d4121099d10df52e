//===- clang-plugin/units/FilesRead.cpp - What reading a unit asked of the disk -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FilesRead.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <set>

using llvm::StringRef;

namespace busfare::frontend {

std::string digestOf(StringRef text) {
  return llvm::toHex(llvm::BLAKE3::hash<20>(llvm::arrayRefFromStringRef(text)), /*LowerCase=*/true);
}

static constexpr const char *nothing = "-", *isFile = "f", *isFolder = "d";

/// By their names alone: what is in them is asked for by itself.
static std::string listingOf(llvm::vfs::FileSystem &files, const llvm::Twine &folder) {
  std::error_code code;
  std::set<std::string> names;
  for (llvm::vfs::directory_iterator at = files.dir_begin(folder, code), end; !code && at != end; at.increment(code))
    names.insert(at->path().str());
  return code ? nothing : "l" + digestOf(llvm::join(names, "\n"));
}

static std::string kindOf(const llvm::ErrorOr<llvm::vfs::Status> &status) {
  return !status ? nothing : status->isDirectory() ? isFolder : isFile;
}

namespace {

/// A file that is digested when it is read.
class LoggedFile : public llvm::vfs::File {
public:
  LoggedFile(std::unique_ptr<llvm::vfs::File> file, std::string &answer) : file(std::move(file)), answer(answer) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return file->status(); }
  llvm::ErrorOr<std::string> getName() override { return file->getName(); }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine &name, int64_t size,
                                                               bool wantsTerminator, bool isVolatile) override {
    auto buffer = file->getBuffer(name, size, wantsTerminator, isVolatile);
    answer = buffer ? "c" + digestOf((*buffer)->getBuffer()) : nothing;
    return buffer;
  }
  std::error_code close() override { return file->close(); }

private:
  std::unique_ptr<llvm::vfs::File> file;
  std::string &answer; ///< A map's entry stays where it is.
};

class LoggedFiles : public llvm::vfs::ProxyFileSystem {
public:
  LoggedFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, std::shared_ptr<FileAnswers> answers)
      : ProxyFileSystem(std::move(files)), answers(std::move(answers)) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override {
    auto status = getUnderlyingFS().status(path);
    answer('s', path) = kindOf(status);
    return status;
  }
  bool exists(const llvm::Twine &path) override { return bool(status(path)); }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &path) override {
    auto file = getUnderlyingFS().openFileForRead(path);
    std::string &what = answer('s', path);
    if (!file) {
      what = nothing;
      return file;
    }
    what = kindOf((*file)->status());
    if (what != isFile) return file;
    return std::make_unique<LoggedFile>(std::move(*file), answer('c', path));
  }
  llvm::vfs::directory_iterator dir_begin(const llvm::Twine &folder, std::error_code &code) override {
    answer('l', folder) = listingOf(getUnderlyingFS(), folder);
    return getUnderlyingFS().dir_begin(folder, code);
  }
  std::error_code getRealPath(const llvm::Twine &path, llvm::SmallVectorImpl<char> &real) override {
    std::error_code code = getUnderlyingFS().getRealPath(path, real);
    answer('r', path) = code ? nothing : "r" + digestOf(StringRef(real.data(), real.size()));
    return code;
  }

private:
  std::shared_ptr<FileAnswers> answers;

  std::string &answer(char question, const llvm::Twine &path) {
    llvm::SmallString<256> absolute;
    path.toVector(absolute);
    (void)makeAbsolute(absolute);
    return (*answers)[std::string(1, question) + absolute.str().str()];
  }
};

std::string answerNow(llvm::vfs::FileSystem &files, StringRef question) {
  StringRef path = question.drop_front();
  switch (question.front()) {
  case 's': return kindOf(files.status(path));
  case 'l': return listingOf(files, path);
  case 'r': {
    llvm::SmallString<256> real;
    return files.getRealPath(path, real) ? nothing : "r" + digestOf(real);
  }
  default: {
    auto buffer = files.getBufferForFile(path);
    return buffer ? "c" + digestOf((*buffer)->getBuffer()) : nothing;
  }
  }
}

} // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> loggedFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                                                            std::shared_ptr<FileAnswers> answers) {
  return llvm::makeIntrusiveRefCnt<LoggedFiles>(std::move(files), std::move(answers));
}

bool FilesNow::areStill(const FileAnswers &answers) {
  std::lock_guard lock(mutex);
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = llvm::vfs::getRealFileSystem();
  for (const auto &[question, answer] : answers) {
    if (question.empty()) return false;
    auto [entry, isNew] = known.try_emplace(question);
    if (isNew) entry->second = answerNow(*files, question);
    if (entry->second != answer) return false;
  }
  return true;
}

} // namespace busfare::frontend
