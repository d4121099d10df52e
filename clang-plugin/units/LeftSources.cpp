//===- clang-plugin/units/LeftSources.cpp - Units as a build has left them -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LeftSources.h"
#include "CompilerFlags.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace busfare::frontend {

static std::string absolute(StringRef file, StringRef folder) {
  llvm::SmallString<256> path(file);
  llvm::sys::fs::make_absolute(folder, path);
  return path.str().str();
}

std::string objectOf(llvm::ArrayRef<std::string> words, StringRef output, const Source &source) {
  if (!output.empty()) return output.str();
  for (size_t k = 0; k + 1 < words.size(); ++k)
    if (words[k] == "-o") return words[k + 1];
  for (StringRef word : words)
    if (word.consume_front("-o") && !word.empty()) return word.str();
  return llvm::sys::path::stem(source.file).str() + ".o"; // as compilers have it
}

/// Where the plugin was told to leave it; empty: beside the object.
static std::string folderOf(llvm::ArrayRef<std::string> words, StringRef directory) {
  for (StringRef word : words)
    if (word.consume_front("-fplugin-arg-busfare-out=")) return absolute(word, directory);
  return "";
}

std::shared_ptr<const LeftUnit> leftBy(llvm::ArrayRef<std::string> words, StringRef output, const Source &source,
                                       const Inputs &options) {
  LeftUnit wanted;
  wanted.directory = source.directory;
  wanted.output = objectOf(words, output, source);
  const std::string object = absolute(wanted.output, wanted.directory);
  for (const std::string &file : {leftFileOf(wanted, folderOf(words, source.directory)), object}) {
    if (!llvm::sys::fs::exists(file)) continue;
    llvm::Expected<std::vector<LeftUnit>> units = leftUnitsOf(file);
    if (!units) {
      llvm::consumeError(units.takeError()); // an object of another kind: its source is read
      continue;
    }
    for (LeftUnit &unit : *units)
      if (llvm::sys::path::filename(unit.file) == llvm::sys::path::filename(source.file)) {
        auto left = std::make_shared<LeftUnit>(std::move(unit));
        // Compiled otherwise than the database has it, or elsewhere: nobody's reading of this entry, as long as there
        // is a source.
        if (llvm::sys::fs::exists(absolute(source.file, source.directory)) &&
            (left->isPreprocessed || completeArguments(options, wordsForClang(left->words)) != source.arguments)) {
          left->plugin.clear();
          left->isPreprocessed = false;
        }
        return left;
      }
  }
  return nullptr;
}

bool hasSource(const Source &source) {
  return !(source.left && source.left->isPreprocessed) &&
         llvm::sys::fs::exists(absolute(source.file, source.directory));
}

llvm::Expected<std::vector<Source>> leftSources(StringRef input, const Inputs &options) {
  llvm::Expected<std::vector<LeftUnit>> units = leftUnitsOf(input);
  if (!units) return units.takeError();
  std::vector<Source> sources;
  for (LeftUnit &unit : *units) {
    auto left = std::make_shared<const LeftUnit>(std::move(unit));
    sources.push_back({left->file,
                       completeArguments(options, wordsForClang(left->words)),
                       left->directory,
                       false,
                       "",
                       "",
                       {},
                       {},
                       left});
  }
  if (sources.empty())
    return llvm::createStringError(input +
                                   ": holds no unit that busfare's plugin has left (clang -fplugin=libbusfare.so; with "
                                   "-fplugin-arg-busfare-embed in objects)");
  return sources;
}

} // namespace busfare::frontend
