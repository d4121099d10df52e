//===- clang-plugin/units/LeftFiles.cpp - Where a build's units are found -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LeftUnits.h"
#include "Sources.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace busfare::frontend {

static llvm::Error addOf(const llvm::object::Binary &binary, std::vector<LeftUnit> &units) {
  if (const auto *archive = llvm::dyn_cast<llvm::object::Archive>(&binary)) {
    llvm::Error error = llvm::Error::success();
    for (const llvm::object::Archive::Child &child : archive->children(error)) {
      llvm::Expected<std::unique_ptr<llvm::object::Binary>> member = child.getAsBinary();
      if (!member) llvm::consumeError(member.takeError()); // a text among objects
      else if (llvm::Error wrong = addOf(**member, units)) return llvm::joinErrors(std::move(error), std::move(wrong));
    }
    return error;
  }
  if (const auto *object = llvm::dyn_cast<llvm::object::ObjectFile>(&binary))
    for (const llvm::object::SectionRef &section : object->sections()) {
      llvm::Expected<StringRef> name = section.getName();
      if (!name) return name.takeError();
      if (*name != leftSection) continue;
      llvm::Expected<StringRef> contents = section.getContents();
      if (!contents) return contents.takeError();
      llvm::append_range(units, unpacked(*contents));
    }
  return llvm::Error::success();
}

llvm::Expected<std::vector<LeftUnit>> leftUnitsOf(StringRef path) {
  std::vector<LeftUnit> units;
  if (llvm::sys::fs::is_directory(path)) {
    // Objects' folders are those that a search for sources leaves out.
    std::error_code code;
    std::vector<std::string> files;
    for (llvm::sys::fs::recursive_directory_iterator at(path, code, false), end; !code && at != end; at.increment(code))
      if (StringRef(at->path()).ends_with(".skel")) files.push_back(at->path());
    llvm::sort(files);
    for (const std::string &file : files) {
      llvm::Expected<std::vector<LeftUnit>> more = leftUnitsOf(file);
      if (!more) return more.takeError();
      std::move(more->begin(), more->end(), std::back_inserter(units));
    }
    return units;
  }
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) return llvm::createStringError(path + ": " + buffer.getError().message());
  if (std::optional<LeftUnit> unit = leftUnitIn((*buffer)->getBuffer())) units.push_back(std::move(*unit));
  if (!units.empty() || path.ends_with(".skel")) return units;
  llvm::Expected<std::unique_ptr<llvm::object::Binary>> binary =
      llvm::object::createBinary((*buffer)->getMemBufferRef());
  if (!binary) return llvm::createStringError(path + ": " + llvm::toString(binary.takeError()));
  if (llvm::Error error = addOf(**binary, units))
    return llvm::createStringError(path + ": " + llvm::toString(std::move(error)));
  return units;
}

const std::string &ownPluginId() {
  static const std::string id = [] {
    llvm::SmallString<128> folder(llvm::sys::fs::getMainExecutable(nullptr, nullptr));
    llvm::sys::path::remove_filename(folder);
    for (const char *place : {"../lib/busfare/libbusfare-reader.so", "../lib/libbusfare-reader.so"}) {
      llvm::SmallString<128> file(folder);
      llvm::sys::path::append(file, place);
      llvm::Expected<llvm::object::OwningBinary<llvm::object::ObjectFile>> library =
          llvm::object::ObjectFile::createObjectFile(file);
      if (library) return llvm::toHex(llvm::object::getBuildID(library->getBinary()), true);
      llvm::consumeError(library.takeError());
    }
    return std::string();
  }();
  return id;
}

} // namespace busfare::frontend
