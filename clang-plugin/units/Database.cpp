//===- clang-plugin/units/Database.cpp - Units of a compile_commands.json -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Database.h"
#include "CompilerFlags.h"
#include "LeftSources.h"
#include "LinkLines.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <set>

using llvm::StringRef;

namespace busfare::frontend {

static llvm::Error wrong(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message.str());
}

namespace {
/// A unit, and its file's one name.
struct Entry {
  Source source;
  std::string real;
};
} // namespace

static llvm::Expected<std::vector<Entry>> entriesOf(StringRef path, const Inputs &options) {
  std::string message;
  std::unique_ptr<clang::tooling::CompilationDatabase> database = clang::tooling::JSONCompilationDatabase::loadFromFile(
      path, message, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!database) return wrong(path + ": " + StringRef(message).rtrim());
  database = clang::tooling::expandResponseFiles(std::move(database), llvm::vfs::createPhysicalFileSystem());
  std::vector<Entry> entries;
  std::map<std::string, size_t> known;
  std::vector<std::string> objects;
  for (const clang::tooling::CompileCommand &command : database->getAllCompileCommands()) {
    Language language = languageOf(command.Filename);
    if (language != Language::C && language != Language::Cxx) continue; // assembly, CUDA: not ours
    ClangWords words = clangWords(command.CommandLine);
    Source source{
        command.Filename, completeArguments(options, words.words), command.Directory, false, "", "", words.leftOut,
        words.translated};
    if (options.command == "project") source.left = leftBy(command.CommandLine, command.Output, source, options);
    std::string object = fileKey(objectOf(command.CommandLine, command.Output, source), source.directory);
    objects.push_back(object);
    std::string real = realName(source.file, source.directory);
    auto [first, isNew] = known.try_emplace(real, entries.size());
    if (isNew) entries.push_back({std::move(source), std::move(real)});
    Source &one = entries[first->second].source;
    one.objects.push_back(std::move(object));
    if (!isNew && one.arguments != source.arguments)
      one.note = "stands in the database more than once; the flags of its first entry are taken";
  }
  if (entries.empty()) return entries;
  const std::string file = realName(path); // a link in the tree leads to the build
  const StringRef realFolder = llvm::sys::path::parent_path(file), folder = llvm::sys::path::parent_path(path);
  std::shared_ptr<const LinkLines> links =
      linkLinesOf(realName(folder.empty() ? "." : folder) == realFolder ? folder : realFolder,
                  entries.front().source.directory, objects);
  for (Entry &entry : entries) entry.source.links = links;
  return entries;
}

/// As the user spelled it, if that is the same file from there.
static Source spelledAs(const Source &entry, StringRef input) {
  Source source = entry;
  if (source.directory.empty() || realName(input, source.directory) == realName(input)) source.file = input.str();
  return source;
}

static bool isBelow(StringRef file, StringRef folder) {
  return file.consume_front(folder) && (folder.ends_with("/") || file.starts_with("/"));
}

/// The units that one input chooses; the error says why there is none.
static llvm::Expected<std::vector<Entry>> chosenBy(StringRef input, llvm::ArrayRef<Entry> all, StringRef path) {
  std::vector<Entry> chosen;
  if (llvm::sys::fs::is_directory(input)) {
    std::string folder = realName(input);
    llvm::copy_if(all, std::back_inserter(chosen), [&](const Entry &entry) { return isBelow(entry.real, folder); });
    return chosen.empty()
               ? llvm::Expected<std::vector<Entry>>(wrong("no unit of " + path + " is below '" + input + "'"))
               : chosen;
  }
  if (llvm::sys::fs::exists(input)) {
    if (llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> text = openText(input); !text) return text.takeError();
    auto found = llvm::find_if(all, [&](const Entry &entry) { return entry.real == realName(input); });
    if (found != all.end()) return std::vector<Entry>{{spelledAs(found->source, input), found->real}};
    if (languageOf(input) == Language::Header)
      return wrong("'" + input + "' is a header: name a unit of " + path + " that includes it");
    return wrong("'" + input + "' is not in " + path + "; give its flags behind `--`");
  }
  bool isGlob = input.find_first_of("*?[") != StringRef::npos;
  llvm::Expected<llvm::GlobPattern> glob = llvm::GlobPattern::create(isGlob ? ("*" + input).str() : "*");
  if (!glob) return wrong("'" + input + "' is no glob: " + llvm::toString(glob.takeError()));
  llvm::copy_if(all, std::back_inserter(chosen), [&](const Entry &entry) {
    return isGlob ? glob->match(entry.real) : StringRef(entry.real).contains(input);
  });
  if (chosen.empty())
    return wrong("cannot open '" + input + "', and the path of no unit of " + path +
                 (isGlob ? " matches it" : " holds it"));
  return chosen;
}

llvm::Expected<std::vector<Source>> sourcesOfDatabase(const Inputs &options) {
  llvm::SmallString<256> path(options.buildPath);
  if (llvm::sys::fs::is_directory(path)) llvm::sys::path::append(path, "compile_commands.json");
  if (!llvm::sys::fs::exists(path))
    return wrong("no '" + path + "'; CMake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON");
  llvm::Expected<std::vector<Entry>> entries = entriesOf(path, options);
  if (!entries) return entries.takeError();
  if (entries->empty()) return wrong(path + ": no C or C++ unit in it");
  std::vector<Source> sources;
  if (options.inputs.empty()) {
    for (Entry &entry : *entries) sources.push_back(std::move(entry.source));
    return sources;
  }
  std::set<std::string> known;
  for (const std::string &input : options.inputs) {
    llvm::Expected<std::vector<Entry>> chosen = chosenBy(input, *entries, path);
    if (!chosen) return chosen.takeError();
    for (Entry &entry : *chosen)
      if (known.insert(entry.real).second) sources.push_back(std::move(entry.source));
  }
  return sources;
}

} // namespace busfare::frontend
