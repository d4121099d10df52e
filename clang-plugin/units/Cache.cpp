//===- clang-plugin/units/Cache.cpp - What was computed before -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An entry's file: a line with the digest of the rest, a line with the length of the text, the text compressed.
//
//===----------------------------------------------------------------------===//

#include "Cache.h"
#include "FilesRead.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace busfare::frontend {

std::string keyOf(llvm::ArrayRef<StringRef> texts) {
  std::string all;
  for (StringRef text : texts) all += std::to_string(text.size()) + ":" + text.str();
  return digestOf(all);
}

//===--- Entries ----------------------------------------------------------===//

/// What LLVM's pruning takes for an entry.
static constexpr const char *prefix = "llvmcache-";
static constexpr const char *unfinished = "new-"; ///< Behind it, of what is being written; no key has it.

static std::string encoded(StringRef text) {
  llvm::SmallVector<uint8_t, 0> packed;
  llvm::compression::zstd::compress(llvm::arrayRefFromStringRef(text), packed,
                                    llvm::compression::zstd::BestSpeedCompression);
  std::string body = std::to_string(text.size()) + "\n" + llvm::toStringRef(packed).str();
  return digestOf(body) + "\n" + body;
}

static std::optional<std::string> decoded(StringRef file) {
  auto [digest, body] = file.split('\n');
  if (digestOf(body) != digest) return std::nullopt;
  auto [length, packed] = body.split('\n');
  size_t size = 0;
  llvm::SmallVector<uint8_t, 0> text;
  if (length.getAsInteger(10, size)) return std::nullopt;
  if (llvm::Error error = llvm::compression::zstd::decompress(llvm::arrayRefFromStringRef(packed), text, size)) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  return llvm::toStringRef(text).str();
}

std::string Cache::fileOf(StringRef key) const {
  llvm::SmallString<128> file(folder);
  llvm::sys::path::append(file, prefix + key);
  return file.str().str();
}

std::optional<std::string> Cache::load(StringRef key) {
  if (folder.empty()) return std::nullopt;
  const std::string file = fileOf(key);
  auto buffer =
      llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false, /*IsVolatile=*/true);
  if (!buffer) return std::nullopt;
  std::optional<std::string> text = decoded((*buffer)->getBuffer());
  // Many file systems do not note who reads.
  if (int descriptor; text && !fs::openFileForReadWrite(file, descriptor, fs::CD_OpenExisting, fs::OF_None)) {
    (void)fs::setLastAccessAndModificationTime(descriptor, std::chrono::system_clock::now());
    llvm::sys::Process::SafelyCloseFileDescriptor(descriptor);
  }
  return text;
}

void Cache::store(StringRef key, StringRef text) {
  if (folder.empty() || fs::create_directories(folder)) return;
  llvm::SmallString<128> model(folder), made;
  llvm::sys::path::append(model, std::string(prefix) + unfinished + "%%%%%%%%%%%%");
  int descriptor;
  // Not LLVM's TempFile, which takes the handlers of signals that Main.cpp has set.
  if (fs::createUniqueFile(model, descriptor, made)) return;
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  os << encoded(text);
  os.close();
  bool isWritten = !os.has_error();
  os.clear_error();
  if (isWritten && !fs::rename(made, fileOf(key))) ++stores;
  else (void)fs::remove(made);
}

//===--- All of them ------------------------------------------------------===//

void Cache::prune(uint64_t mostBytes, bool always) const {
  if (folder.empty() || (!always && !hasStored())) return;
  llvm::CachePruningPolicy policy;
  policy.Interval = std::chrono::seconds(0);
  policy.Expiration = std::chrono::hours(30 * 24);
  policy.MaxSizeBytes = mostBytes;
  llvm::pruneCache(folder, policy);
}

template <class Visit> static void forEachEntry(StringRef folder, Visit visit) {
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code))
    if (llvm::sys::path::filename(at->path()).starts_with(prefix)) visit(at->path());
}

Cache::Contents Cache::contents(bool checks) const {
  Contents result;
  forEachEntry(folder, [&](const std::string &file) {
    uint64_t bytes = 0;
    if (fs::file_size(file, bytes)) return; // somebody has just removed it
    if (checks) {
      auto buffer = llvm::MemoryBuffer::getFile(file, false, false, true);
      if (buffer && !decoded((*buffer)->getBuffer()) &&
          !llvm::sys::path::filename(file).starts_with(std::string(prefix) + unfinished)) {
        ++result.damaged;
        (void)fs::remove(file);
        return;
      }
    }
    ++result.entries;
    result.bytes += bytes;
  });
  return result;
}

bool Cache::clear() const {
  bool isClear = true;
  forEachEntry(folder, [&](const std::string &file) { isClear &= !fs::remove(file); });
  return isClear;
}

std::string defaultCacheFolder() {
  if (std::optional<std::string> own = llvm::sys::Process::GetEnv("BUSFARE_CACHE")) return *own;
  llvm::SmallString<128> folder;
  if (!llvm::sys::path::cache_directory(folder)) return "";
  llvm::sys::path::append(folder, "busfare");
  return folder.str().str();
}

} // namespace busfare::frontend
