//===- clang-plugin/units/Sources.cpp - Which units, and how they are compiled -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Sources.h"
#include "CompilerFlags.h"
#include "Database.h"
#include "LeftSources.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <set>

using llvm::StringRef;

namespace busfare::frontend {

static llvm::Error wrong(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message.str());
}

//===--- Is it a file we can read? ----------------------------------------===//

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> openText(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer) return wrong("cannot open '" + file + "': " + buffer.getError().message());
  if ((*buffer)->getBuffer().contains('\0')) return wrong("'" + file + "' is no source text: it holds NUL bytes");
  return std::move(*buffer);
}

Language languageOf(StringRef file) {
  StringRef suffix = llvm::sys::path::extension(file);
  if (suffix == ".c" || suffix == ".i") return Language::C;
  for (StringRef cxx : {".cc", ".cpp", ".cxx", ".c++", ".C", ".CPP", ".cp", ".ii"})
    if (suffix == cxx) return Language::Cxx;
  for (StringRef header : {".h", ".hh", ".hpp", ".hxx", ".H", ".h++", ".inl", ".ipp"})
    if (suffix == header) return Language::Header;
  if (suffix == ".skel") return Language::Skeleton;
  if (suffix == ".cu" || suffix == ".cuh" || suffix == ".hip") return Language::Cuda;
  for (StringRef fortran : {".f", ".F", ".for", ".f77", ".f90", ".F90", ".f95", ".F95", ".f03", ".f08"})
    if (suffix == fortran) return Language::Fortran;
  return Language::Unknown;
}

/// -x LANGUAGE among the compiler's words decides before the suffix does.
static bool saysLanguage(llvm::ArrayRef<std::string> arguments) {
  return llvm::any_of(arguments, [](const std::string &a) { return StringRef(a).starts_with("-x"); });
}

static llvm::Error checkLanguage(StringRef file, llvm::ArrayRef<std::string> arguments) {
  if (saysLanguage(arguments)) return llvm::Error::success();
  switch (languageOf(file)) {
  case Language::Cuda: return wrong("'" + file + "' is GPU code already: busfare reads the CPU version");
  case Language::Fortran: return wrong("'" + file + "' is Fortran: busfare reads C and C++");
  case Language::Unknown:
    return wrong("'" + file +
                 "' is neither C nor C++ by its suffix; if it is, put `-- -x c` or `-- -x c++` at the end");
  default: return llvm::Error::success();
  }
}

std::string realName(StringRef file, StringRef directory) {
  llvm::SmallString<256> path(file), real;
  if (!directory.empty()) llvm::sys::fs::make_absolute(directory, path);
  if (!llvm::sys::fs::real_path(path, real)) return real.str().str();
  llvm::sys::fs::make_absolute(path);
  llvm::sys::path::remove_dots(path, true);
  return path.str().str();
}

//===--- Folders ----------------------------------------------------------===//

static bool isOfABuild(StringRef folder) {
  if (llvm::sys::path::filename(folder) == "CMakeFiles") return true;
  for (const char *mark : {"CMakeCache.txt", "build.ninja"}) {
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, mark);
    if (llvm::sys::fs::exists(path)) return true;
  }
  return false;
}

void forEachFileBelow(StringRef folder, llvm::function_ref<void(StringRef)> visit) {
  std::vector<std::pair<std::string, bool>> entries; // and is it a folder?
  std::error_code code;
  for (llvm::sys::fs::directory_iterator at(folder, code, false), end; at != end && !code; at.increment(code)) {
    if (llvm::sys::path::filename(at->path()).starts_with(".")) continue;
    auto kind = at->type();
    bool isLink = kind == llvm::sys::fs::file_type::symlink_file;
    if (isLink && llvm::sys::fs::is_directory(at->path())) continue; // it may lead back up
    entries.emplace_back(at->path(), !isLink && llvm::sys::fs::is_directory(at->path()));
  }
  llvm::sort(entries);
  for (const auto &[path, isFolder] : entries)
    if (!isFolder) visit(path);
    else if (!isOfABuild(path)) forEachFileBelow(path, visit);
}

static bool isUnit(StringRef file) {
  Language language = languageOf(file);
  StringRef suffix = llvm::sys::path::extension(file);
  // What a preprocessor left behind is a copy of another source.
  return (language == Language::C || language == Language::Cxx) && suffix != ".i" && suffix != ".ii";
}

static llvm::Expected<std::vector<Source>> sourcesBelow(StringRef folder, const Inputs &options) {
  std::vector<Source> sources;
  StringRef trimmed = folder.rtrim('/');
  forEachFileBelow(trimmed.empty() ? folder : trimmed, [&](StringRef file) {
    if (!isUnit(file)) return;
    // A folder may hold anything; what is no text is left out, as what is no C.
    llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> text = openText(file);
    if (!text) return llvm::consumeError(text.takeError());
    sources.push_back({file.str(), completeArguments(options, options.compilerArguments), "", false, folder.str(), ""});
  });
  if (sources.empty())
    return wrong("folder '" + folder +
                 "' holds no C or C++ source (hidden folders and folders of a build are left out)");
  return sources;
}

//===--- The command line's inputs ----------------------------------------===//

/// A skeleton, or what the compiler's plugin has left.
static llvm::Expected<std::vector<Source>> sourcesOfProjectInput(StringRef input, const Inputs &options) {
  if (llvm::sys::fs::is_directory(input)) return leftSources(input, options);
  auto buffer = llvm::MemoryBuffer::getFile(input);
  if (!buffer) return wrong("cannot open '" + input + "': " + buffer.getError().message());
  const llvm::file_magic kind = llvm::identify_magic((*buffer)->getBuffer());
  if (kind != llvm::file_magic::unknown || leftUnitIn((*buffer)->getBuffer())) return leftSources(input, options);
  if (llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> text = openText(input); !text) return text.takeError();
  return std::vector<Source>{{input.str(), {}, "", true, "", ""}};
}

static llvm::Expected<std::vector<Source>> sourcesOfInput(StringRef input, const Inputs &options) {
  if (options.command == "project") return sourcesOfProjectInput(input, options);
  if (llvm::sys::fs::is_directory(input)) return sourcesBelow(input, options);
  if (llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> text = openText(input); !text) return text.takeError();
  if (languageOf(input) == Language::Skeleton) return std::vector<Source>{{input.str(), {}, "", true, "", ""}};
  Source source{input.str(), completeArguments(options, options.compilerArguments), "", false, "", ""};
  if (llvm::Error error = checkLanguage(input, source.arguments)) return error;
  return std::vector<Source>{std::move(source)};
}

std::string flagsNote(llvm::ArrayRef<Source> sources) {
  constexpr size_t most = 12;
  llvm::SetVector<StringRef> leftOut;
  llvm::MapVector<StringRef, StringRef> translated;
  for (const Source &source : sources) {
    leftOut.insert(source.leftOut.begin(), source.leftOut.end());
    for (const auto &[from, to] : source.translated) translated.insert({from, to});
  }
  std::string note;
  if (!leftOut.empty())
    note = "flags of the build that are not for Clang are left out: " +
           llvm::join(leftOut.getArrayRef().take_front(most), ", ") +
           (leftOut.size() > most ? " and " + std::to_string(leftOut.size() - most) + " more" : "");
  for (const auto &[from, to] : translated)
    note += (note.empty()                                   ? "of the build's flags, "
             : note.find("is read as") == std::string::npos ? "; "
                                                            : ", ") +
            (from + " is read as " + to).str();
  // Flags are another's text: no control character of theirs reaches a terminal.
  std::replace_if(
      note.begin(), note.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; }, '?');
  return note;
}

llvm::Expected<std::vector<Source>> sourcesOf(const Inputs &options) {
  if (!options.buildPath.empty() && !options.hasCompilerArguments) return sourcesOfDatabase(options);
  std::vector<Source> sources;
  std::set<std::string> below; // Files that a folder brought in come once.
  for (const std::string &input : options.inputs) {
    llvm::Expected<std::vector<Source>> more = sourcesOfInput(input, options);
    if (!more) return more.takeError();
    for (Source &source : *more) {
      std::string real = realName(source.file);
      if (source.root.empty() ? !below.count(real) : below.insert(real).second) sources.push_back(std::move(source));
    }
  }
  return sources;
}

} // namespace busfare::frontend
