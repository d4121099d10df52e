//===- clang-plugin/Driver.cpp - From file names to programs --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/Driver.h"
#include "skeleton/Parse.h"
#include "skeleton/Verify.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace busfare::frontend {

static llvm::Error wrong(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message.str());
}

//===--- Is it a file we can read? ----------------------------------------===//

/// The contents, if file names a text file.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> openText(StringRef file) {
  llvm::sys::fs::file_status status;
  if (std::error_code code = llvm::sys::fs::status(file, status))
    return wrong("cannot open '" + file + "': " + code.message());
  if (llvm::sys::fs::is_directory(status))
    return wrong("'" + file + "' is a folder; name its sources, or a folder with compile_commands.json behind -p");
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return wrong("cannot open '" + file + "': " + buffer.getError().message());
  if ((*buffer)->getBuffer().contains('\0'))
    return wrong("'" + file + "' is no source text: it holds NUL bytes");
  return std::move(*buffer);
}

enum class Language { C, Cxx, Header, Skeleton, Cuda, Fortran, Unknown };

static Language languageOf(StringRef file) {
  StringRef suffix = llvm::sys::path::extension(file);
  if (suffix == ".c" || suffix == ".i")
    return Language::C;
  for (StringRef cxx : {".cc", ".cpp", ".cxx", ".c++", ".C", ".CPP", ".cp", ".ii"})
    if (suffix == cxx)
      return Language::Cxx;
  for (StringRef header : {".h", ".hh", ".hpp", ".hxx", ".H", ".h++", ".inl", ".ipp"})
    if (suffix == header)
      return Language::Header;
  if (suffix == ".skel")
    return Language::Skeleton;
  if (suffix == ".cu" || suffix == ".cuh" || suffix == ".hip")
    return Language::Cuda;
  for (StringRef fortran : {".f", ".F", ".for", ".f77", ".f90", ".F90", ".f95", ".F95", ".f03", ".f08"})
    if (suffix == fortran)
      return Language::Fortran;
  return Language::Unknown;
}

/// -x LANGUAGE among the compiler's words decides before the suffix does.
static bool saysLanguage(llvm::ArrayRef<std::string> arguments) {
  return llvm::any_of(arguments, [](const std::string &a) { return StringRef(a).starts_with("-x"); });
}

static llvm::Error checkLanguage(StringRef file, llvm::ArrayRef<std::string> arguments) {
  if (saysLanguage(arguments))
    return llvm::Error::success();
  switch (languageOf(file)) {
  case Language::Cuda:
    return wrong("'" + file + "' is GPU code already: busfare reads the CPU version");
  case Language::Fortran:
    return wrong("'" + file + "' is Fortran: busfare reads C and C++");
  case Language::Unknown:
    return wrong("'" + file + "' is neither C nor C++ by its suffix; if it is, put `-- -x c` or `-- -x c++` at the end");
  default:
    return llvm::Error::success();
  }
}

//===--- How is it compiled? ----------------------------------------------===//

/// Clang's own headers are where they were when busfare was built, or beside another clang 19.
static std::vector<std::string> resourceArguments() {
  if (llvm::sys::fs::is_directory(BUSFARE_RESOURCE_DIR))
    return {};
  for (const char *folder : {"/usr/lib/llvm-19/lib/clang/19", "/usr/lib/clang/19", "/usr/lib64/clang/19", "/usr/local/lib/clang/19"})
    if (llvm::sys::fs::is_directory(folder))
      return {std::string("-resource-dir=") + folder};
  return {};
}

static std::vector<std::string> completeArguments(const Options &options, llvm::ArrayRef<std::string> own) {
  std::vector<std::string> all = options.extraArgumentsBefore;
  llvm::append_range(all, own);
  llvm::append_range(all, resourceArguments());
  llvm::append_range(all, options.extraArguments);
  return all;
}

/// The compiler's words of an entry: without its name, the file and what concerns the output.
static std::vector<std::string> wordsOf(const clang::tooling::CompileCommand &command) {
  std::vector<std::string> line = {command.Filename, "--"};
  llvm::append_range(line, command.CommandLine);
  // The database's words are what stands behind `--` beside a compiler; its sources are left out by name.
  line.insert(line.begin(), "analyze");
  llvm::Expected<Options> parsed = parseOptions(line);
  return parsed ? parsed->compilerArguments : (llvm::consumeError(parsed.takeError()), std::vector<std::string>());
}

static std::string realName(StringRef file, StringRef directory) {
  llvm::SmallString<256> path(file), real;
  if (!directory.empty())
    llvm::sys::fs::make_absolute(directory, path);
  return llvm::sys::fs::real_path(path, real) ? path.str().str() : real.str().str();
}

/// Every unit of a database, or those that are asked for.
static llvm::Expected<std::vector<Source>> fromDatabase(const Options &options) {
  llvm::SmallString<256> path(options.buildPath);
  if (llvm::sys::fs::is_directory(path))
    llvm::sys::path::append(path, "compile_commands.json");
  if (!llvm::sys::fs::exists(path))
    return wrong("no '" + path + "'; CMake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON");
  std::string message;
  auto database = clang::tooling::JSONCompilationDatabase::loadFromFile(path, message, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!database)
    return wrong(path + ": " + StringRef(message).rtrim());
  std::vector<Source> sources;
  for (const clang::tooling::CompileCommand &command : database->getAllCompileCommands()) {
    Language language = languageOf(command.Filename);
    if (language != Language::C && language != Language::Cxx)
      continue; // assembly, CUDA: not ours
    sources.push_back({command.Filename, completeArguments(options, wordsOf(command)), command.Directory});
  }
  if (options.inputs.empty()) {
    if (sources.empty())
      return wrong(path + ": no C or C++ unit in it");
    return sources;
  }
  std::vector<Source> chosen;
  for (const std::string &input : options.inputs) {
    auto found = llvm::find_if(sources, [&](const Source &s) { return realName(s.file, s.directory) == realName(input, ""); });
    if (found == sources.end())
      return wrong("'" + input + "' is not in " + path + "; give its flags behind `--`");
    Source source = *found;
    // As the user spelled it, if that is the same file from there.
    source.file = source.directory.empty() || realName(input, source.directory) == realName(input, "") ? input : source.file;
    chosen.push_back(std::move(source));
  }
  return chosen;
}

llvm::Expected<std::vector<Source>> sourcesOf(const Options &options) {
  for (const std::string &input : options.inputs)
    if (llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> text = openText(input); !text)
      return text.takeError();
  if (!options.buildPath.empty() && !options.hasCompilerArguments)
    return fromDatabase(options);
  std::vector<Source> sources;
  for (const std::string &input : options.inputs) {
    if (options.command == "project" || languageOf(input) == Language::Skeleton) {
      sources.push_back({input, {}, "", true});
      continue;
    }
    Source source{input, completeArguments(options, options.compilerArguments), ""};
    if (llvm::Error error = checkLanguage(input, source.arguments))
      return error;
    sources.push_back(std::move(source));
  }
  return sources;
}

//===--- Reading ----------------------------------------------------------===//

/// Several skeletons may stand in one file, one behind the other, as `extract a.c b.c` leaves them. Each part keeps
/// its line numbers by the empty lines before it.
static std::vector<std::string> partsOf(StringRef text) {
  std::vector<std::string> parts;
  std::string blank, current;
  bool begun = false;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    StringRef word = line.trim();
    if (word.consume_front("skeleton") && word.trim() == "1" && begun) {
      parts.push_back(std::move(current));
      current = blank;
      begun = false;
    }
    begun |= line.trim().starts_with("skeleton");
    current += line.str() + "\n";
    blank += "\n";
    text = rest;
  }
  parts.push_back(std::move(current));
  return parts;
}

static llvm::Error readSkeletons(StringRef file, std::vector<ReadUnit> &units) {
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = openText(file);
  if (!buffer)
    return buffer.takeError();
  for (const std::string &part : partsOf((*buffer)->getBuffer())) {
    llvm::Expected<skeleton::Program> program = skeleton::parse(part, file);
    if (!program)
      return program.takeError();
    if (llvm::Error error = skeleton::verify(*program))
      return error;
    units.push_back({file.str(), std::move(*program), {}});
  }
  return llvm::Error::success();
}

/// A skeleton that breaks a rule is our mistake; without it the rest still stands, as calls of it are opaque.
static void dropMalformed(ReadUnit &unit) {
  std::vector<skeleton::Function> kept;
  for (skeleton::Function &function : unit.program.functions) {
    llvm::Error error = skeleton::verify(unit.program, function);
    if (!error) {
      kept.push_back(function);
      continue;
    }
    std::string why = llvm::toString(std::move(error));
    unit.leftOut.emplace_back(function.name, "its skeleton is not well formed, which is busfare's mistake: " + why);
  }
  if (unit.leftOut.empty())
    return;
  unit.program.functions = std::move(kept);
}

llvm::Expected<ReadResult> readUnits(llvm::ArrayRef<Source> sources, llvm::function_ref<void(size_t, StringRef)> before) {
  ReadResult result;
  for (size_t i = 0; i < sources.size(); ++i) {
    const Source &source = sources[i];
    before(i, source.file);
    if (source.isSkeleton) {
      if (llvm::Error error = readSkeletons(source.file, result.units))
        return error;
      continue;
    }
    ExtractResult extracted = extractUnit(source.file, source.arguments, source.directory);
    llvm::append_range(result.diagnostics, extracted.diagnostics);
    if (!extracted.parsed) {
      result.failed.push_back(source.file);
      continue;
    }
    ReadUnit unit{source.file, std::move(extracted.program), {}};
    dropMalformed(unit);
    result.units.push_back(std::move(unit));
  }
  return result;
}

} // namespace busfare::frontend
