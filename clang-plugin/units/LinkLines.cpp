//===- clang-plugin/units/LinkLines.cpp - What a build links -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LinkLines.h"
#include "Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/Archive.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>

using llvm::StringRef;

namespace busfare::frontend {

std::string fileKey(StringRef file, StringRef directory) {
  llvm::SmallString<256> path(file), folder;
  llvm::sys::fs::make_absolute(directory, path);
  llvm::sys::path::remove_dots(path, true);
  if (llvm::sys::fs::real_path(llvm::sys::path::parent_path(path), folder)) return path.str().str();
  llvm::sys::path::append(folder, llvm::sys::path::filename(path));
  return folder.str().str();
}

//===--- What a file is, by its name --------------------------------------===//

static bool isArchive(StringRef file) { return file.ends_with(".a"); }

/// libheat.so, libheat.so.1.2, heat.dylib
static bool isSharedLibrary(StringRef file) {
  const StringRef name = llvm::sys::path::filename(file);
  return name.ends_with(".so") || name.ends_with(".dylib") || name.contains(".so.");
}

static bool isObject(StringRef file) { return file.ends_with(".o") || file.ends_with(".obj") || file.ends_with(".lo"); }

static bool isLinked(StringRef file) { return isObject(file) || isArchive(file) || isSharedLibrary(file); }

//===--- Command lines ----------------------------------------------------===//

namespace {
/// The words of a command, and what they name.
class LinkWords {
public:
  LinkWords(StringRef text, StringRef directory) : directory(directory) {
    for (const std::string &one : wordsIn(text)) add(one);
  }

  std::vector<std::string> words;

  /// Objects and libraries, those of -l by where -L says they may be.
  std::vector<std::string> inputs() const {
    std::vector<std::string> result, folders;
    for (size_t k = 0; k < words.size(); ++k)
      if (StringRef word = words[k]; word.consume_front("-L"))
        folders.push_back(word.empty() && k + 1 < words.size() ? words[k + 1] : word.str());
    for (size_t k = 0; k < words.size(); ++k) {
      StringRef word = words[k];
      if (word == "-o" || word == "-L" || word == "-Xlinker" || word == "-h" || word == "-soname" || word == "-rpath" ||
          word == "-rpath-link")
        ++k;
      else if (word.consume_front("-l")) addLibrary(word, folders, result);
      else if (!word.starts_with("-") && isLinked(word)) result.push_back(fileKey(word, directory));
    }
    return result;
  }

private:
  std::string directory;

  /// None of a text that no shell takes.
  static std::vector<std::string> wordsIn(StringRef text) {
    llvm::Expected<std::vector<std::string>> words = splitWords(text);
    if (words) return std::move(*words);
    llvm::consumeError(words.takeError());
    return {};
  }

  void add(StringRef word) {
    if (StringRef file = word; file.consume_front("@")) { // more words, in a file
      if (auto buffer = llvm::MemoryBuffer::getFile(fileKey(file, directory))) {
        llvm::append_range(words, wordsIn((*buffer)->getBuffer()));
        return;
      }
    }
    if (StringRef list = word; list.consume_front("-Wl,")) {
      llvm::SmallVector<StringRef> parts;
      list.split(parts, ',');
      words.insert(words.end(), parts.begin(), parts.end());
    } else {
      words.push_back(word.str());
    }
  }

  void addLibrary(StringRef name, llvm::ArrayRef<std::string> folders, std::vector<std::string> &result) const {
    for (const std::string &folder : folders)
      for (StringRef suffix : {".so", ".a"}) {
        llvm::SmallString<256> path(folder);
        llvm::sys::path::append(path, "lib" + name + suffix);
        std::string file = fileKey(path, directory);
        if (llvm::sys::fs::exists(file)) {
          result.push_back(realName(file)); // libheat.so stands for libheat.so.1.2
          return;
        }
      }
  }
};
} // namespace

/// `ar qc libheat.a heat.o`: what is made stands in front, behind letters that say what to do.
static std::optional<LinkLine> archiverLine(const LinkWords &line) {
  std::vector<std::string> files = line.inputs();
  if (files.empty() || !isArchive(files.front())) return std::nullopt;
  return LinkLine{files.front(), {files.begin() + 1, files.end()}};
}

std::vector<LinkLine> commandLinkLines(StringRef text, StringRef directory) {
  std::vector<LinkLine> lines;
  while (!text.empty()) {
    auto [command, rest] = text.split('\n');
    text = rest;
    LinkWords line(command, directory);
    if (line.words.empty()) continue;
    auto output = llvm::find(line.words, "-o");
    if (output != line.words.end() && output + 1 != line.words.end())
      lines.push_back({fileKey(output[1], directory), line.inputs()});
    else if (std::optional<LinkLine> archive = archiverLine(line);
             archive && !archive->inputs.empty()) // ranlib's has none
      lines.push_back(std::move(*archive));
  }
  return lines;
}

//===--- Ninja ------------------------------------------------------------===//

namespace {
class NinjaReader {
public:
  NinjaReader(StringRef directory, llvm::function_ref<std::optional<std::string>(StringRef)> readFile)
      : directory(directory), readFile(readFile) {}

  std::vector<LinkLine> lines;

  void read(StringRef text, unsigned depth = 0) {
    constexpr unsigned deepest = 16; // a file that includes itself is none of Ninja's
    while (!text.empty() && depth < deepest) {
      const std::string line = logicalLine(text);
      StringRef rest = line;
      if (rest.starts_with(" ")) continue; // a variable of a rule
      if (rest.consume_front("build ")) {
        readStep(rest, text);
      } else if (rest.consume_front("include ") || rest.consume_front("subninja ")) {
        std::vector<std::string> names = pathsOf(rest);
        if (!names.empty())
          if (std::optional<std::string> file = readFile(fileKey(names.front(), directory))) read(*file, depth + 1);
      } else if (auto [name, value] = rest.split('='); rest.contains('=')) {
        variables[name.trim().str()] = expanded(value.trim());
      }
    }
  }

private:
  std::string directory;
  llvm::function_ref<std::optional<std::string>(StringRef)> readFile;
  std::map<std::string, std::string> variables;

  /// The next line of text, and those that go on with it.
  static std::string logicalLine(StringRef &text) {
    std::string line;
    while (true) {
      auto [first, rest] = text.split('\n');
      text = rest;
      first.consume_back("\r");
      line += first;
      // An odd number of $ at the end: the last one stands before the line's end.
      const size_t dollars = line.size() - StringRef(line).rtrim('$').size();
      if (dollars % 2 == 0 || text.empty()) return line;
      line.pop_back();
      text = text.ltrim(' ');
    }
  }

  std::string expanded(StringRef value) const {
    std::string result;
    for (size_t k = 0; k < value.size(); ++k) {
      if (value[k] != '$' || k + 1 == value.size()) {
        result += value[k];
        continue;
      }
      StringRef name = value.substr(k + 1);
      if (name.consume_front("{")) {
        name = name.take_until([](char c) { return c == '}'; });
        k += name.size() + 2;
      } else if (llvm::isAlnum(name.front()) || name.front() == '_' || name.front() == '-') {
        name = name.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '-'; });
        k += name.size();
      } else { // $ before a space, a colon or another $
        result += name.front();
        ++k;
        continue;
      }
      if (auto known = variables.find(name.str()); known != variables.end()) result += known->second;
    }
    return result;
  }

  /// Words apart at spaces that no $ stands before.
  std::vector<std::string> pathsOf(StringRef text) const {
    std::vector<std::string> paths;
    for (text = text.ltrim(' '); !text.empty(); text = text.ltrim(' ')) {
      size_t end = 0;
      while (end < text.size() && text[end] != ' ') end += text[end] == '$' ? 2 : 1;
      paths.push_back(expanded(text.take_front(end)));
      text = text.drop_front(std::min(end, text.size()));
    }
    return paths;
  }

  /// "app: LINK main.o | libheat.a || order" and the indented lines below it.
  void readStep(StringRef step, StringRef &text) {
    size_t colon = 0;
    while (colon < step.size() && step[colon] != ':') colon += step[colon] == '$' ? 2 : 1;
    std::vector<std::string> outputs = pathsOf(step.take_front(colon));
    std::vector<std::string> rest = pathsOf(step.drop_front(std::min(colon + 1, step.size())));
    std::string libraries;
    while (text.starts_with(" ")) {
      const std::string line = logicalLine(text);
      auto [name, value] = StringRef(line).split('=');
      if (name.trim() == "LINK_LIBRARIES" ||
          name.trim() == "LINK_ARGS") // CMake's and Meson's: the libraries in their order
        libraries += " " + expanded(value.trim());
    }
    if (outputs.empty() || rest.empty() || rest.front() == "phony") return;
    LinkLine line{fileKey(outputs.front(), directory), {}};
    auto bar = std::find_if(rest.begin() + 1, rest.end(), [](StringRef word) { return word.starts_with("|"); });
    for (auto word = rest.begin() + 1; word != bar; ++word)
      if (isLinked(*word)) line.inputs.push_back(fileKey(*word, directory));
    if (line.inputs.empty() ||
        (rest.front() == "CUSTOM_COMMAND" && !isLinked(line.output))) // its objects are looked at, not linked
      return;
    for (std::string &file : LinkWords(libraries, directory).inputs()) line.inputs.push_back(std::move(file));
    for (auto word = bar; word != rest.end() && *word != "||" && *word != "|@"; ++word)
      if (std::string file = fileKey(*word, directory);
          isLinked(*word) && !isObject(*word) && !llvm::is_contained(line.inputs, file))
        line.inputs.push_back(std::move(file));
    for (const std::string &name : llvm::drop_begin(outputs)) // a library has several: libheat.so.1 and libheat.so
      if (std::string file = fileKey(name, directory); isLinked(file) && isLinked(line.output) && file != line.output)
        lines.push_back({std::move(file), line.inputs});
    lines.push_back(std::move(line));
  }
};
} // namespace

std::vector<LinkLine> ninjaLinkLines(StringRef text, StringRef directory,
                                     llvm::function_ref<std::optional<std::string>(StringRef)> readFile) {
  NinjaReader reader(directory, readFile);
  reader.read(text);
  return std::move(reader.lines);
}

//===--- Archives ---------------------------------------------------------===//

static std::optional<std::string> textOf(const llvm::Twine &file) {
  auto buffer = llvm::MemoryBuffer::getFile(file, false, false);
  if (!buffer) return std::nullopt;
  return (*buffer)->getBuffer().str();
}

static LinkLine archiveOnDisk(StringRef file, const std::multimap<std::string, std::string> &objects) {
  LinkLine line{fileKey(file, ""), {}};
  auto buffer = llvm::MemoryBuffer::getFile(file, false, false);
  if (!buffer) return line;
  llvm::Expected<std::unique_ptr<llvm::object::Archive>> archive = llvm::object::Archive::create(**buffer);
  if (!archive) {
    llvm::consumeError(archive.takeError()); // something else under that name
    return line;
  }
  llvm::Error error = llvm::Error::success();
  for (const llvm::object::Archive::Child &child : (*archive)->children(error)) {
    llvm::Expected<StringRef> name = child.getName(), bytes = child.getBuffer();
    if (name && bytes) {
      auto [first, end] = objects.equal_range(llvm::sys::path::filename(*name).str());
      const bool isOnly = first != end && std::next(first) == end;
      for (; first != end; ++first)
        if (isOnly || textOf(first->second) == bytes->str()) line.inputs.push_back(first->second);
    }
    if (!name) llvm::consumeError(name.takeError());
    if (!bytes) llvm::consumeError(bytes.takeError());
  }
  llvm::consumeError(std::move(error));
  return line;
}

static std::vector<LinkLine> archivesBelow(StringRef folder, llvm::ArrayRef<std::string> objects) {
  std::multimap<std::string, std::string> byName;
  for (const std::string &object : std::set<std::string>(objects.begin(), objects.end()))
    byName.emplace(llvm::sys::path::filename(object).str(), object);
  std::vector<LinkLine> lines;
  forEachFileBelow(folder, [&](StringRef file) {
    if (isArchive(file))
      if (LinkLine line = archiveOnDisk(file, byName); !line.inputs.empty()) lines.push_back(std::move(line));
  });
  return lines;
}

//===--- Where they are ---------------------------------------------------===//

static std::string in(StringRef folder, StringRef name) {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

/// One of its objects is of the database: else it is another build's.
static bool knowsOne(llvm::ArrayRef<LinkLine> lines, const std::set<std::string> &objects) {
  return llvm::any_of(lines, [&](const LinkLine &line) {
    return llvm::any_of(line.inputs, [&](const std::string &input) { return objects.count(input) > 0; });
  });
}

/// Of CMake's targets for make.
static std::vector<LinkLine> makeLinkLines(StringRef folder) {
  std::vector<LinkLine> lines;
  std::optional<std::string> targets = textOf(in(folder, "CMakeFiles/TargetDirectories.txt"));
  StringRef text = targets ? StringRef(*targets) : StringRef();
  while (!text.empty()) {
    auto [target, rest] = text.split('\n');
    text = rest;
    if (std::optional<std::string> file = textOf(in(target.trim(), "link.txt")))
      // .../solver/CMakeFiles/heat.dir: its words are seen from .../solver
      llvm::append_range(
          lines, commandLinkLines(*file, llvm::sys::path::parent_path(llvm::sys::path::parent_path(target.trim()))));
  }
  return lines;
}

std::shared_ptr<const LinkLines> linkLinesOf(StringRef folder, StringRef compiledIn,
                                             llvm::ArrayRef<std::string> objects) {
  const std::set<std::string> known(objects.begin(), objects.end());
  auto result = std::make_shared<LinkLines>();
  std::vector<StringRef> folders{folder};
  if (!compiledIn.empty() && realName(compiledIn) != realName(folder)) folders.push_back(compiledIn);
  for (StringRef one : folders) {
    const std::string directory = realName(one);
    if (std::optional<std::string> ninja = textOf(in(one, "build.ninja"))) {
      result->lines = ninjaLinkLines(*ninja, directory, [](StringRef file) { return textOf(file); });
      result->place = in(one, "build.ninja");
    }
    if (knowsOne(result->lines, known)) return result;
    result->lines = makeLinkLines(one);
    result->place = in(one, "CMakeFiles");
    if (knowsOne(result->lines, known)) return result;
  }
  result->place.clear();
  result->lines = archivesBelow(folder, objects);
  return result->lines.empty() ? nullptr : result;
}

//===--- What they say of the sources -------------------------------------===//

namespace {
class Linker {
public:
  Linker(llvm::ArrayRef<Source> sources, const LinkLines &links) : links(links) {
    for (size_t k = 0; k < sources.size(); ++k)
      for (const std::string &object : sources[k].objects) units.emplace(object, k);
    for (const LinkLine &line : links.lines) made.emplace(line.output, &line);
  }

  skeleton::LinkedBuild run() {
    for (const LinkLine &line : links.lines)
      if (isArchive(line.output) || isSharedLibrary(line.output)) {
        std::vector<size_t> members = objectsOf(line);
        if (!members.empty()) result.libraries.push_back(std::move(members));
      } else if (!isObject(line.output)) {
        skeleton::LinkedProgram program;
        std::set<const LinkLine *> seen;
        addInputs(line, program, false, seen);
        if (!program.objects.empty()) result.programs.push_back(std::move(program));
      }
    return std::move(result);
  }

private:
  const LinkLines &links;
  std::map<std::string, size_t> units;
  std::map<std::string, const LinkLine *> made;
  skeleton::LinkedBuild result;

  /// Units among the inputs, and in objects made of several.
  std::vector<size_t> objectsOf(const LinkLine &line) const {
    std::vector<size_t> members;
    std::vector<const LinkLine *> all{&line};
    for (size_t k = 0; k < all.size(); ++k)
      for (const std::string &input : all[k]->inputs)
        if (auto unit = units.find(input); unit != units.end()) {
          if (!llvm::is_contained(members, unit->second)) members.push_back(unit->second);
        } else if (auto one = made.find(input);
                   one != made.end() && isObject(input) && !llvm::is_contained(all, one->second)) {
          all.push_back(one->second);
        }
    return members;
  }

  void addInputs(const LinkLine &line, skeleton::LinkedProgram &program, bool isShared,
                 std::set<const LinkLine *> &seen) const {
    if (!seen.insert(&line).second) return;
    for (size_t unit : objectsOf(line)) (isShared ? program.shared : program.objects).push_back(unit);
    for (const std::string &input : line.inputs) {
      auto one = made.find(input);
      if (one == made.end()) continue;
      if (isArchive(input) && isShared) {
        llvm::append_range(program.shared, objectsOf(*one->second)); // which of them it took is not asked
      } else if (isArchive(input)) {
        if (seen.insert(one->second).second) program.archives.push_back(objectsOf(*one->second));
      } else if (isSharedLibrary(input)) {
        addInputs(*one->second, program, true, seen);
      }
    }
  }
};
} // namespace

static const LinkLines *linksOf(llvm::ArrayRef<Source> sources) {
  for (const Source &source : sources)
    if (source.links) return source.links.get();
  return nullptr;
}

skeleton::LinkedBuild linkedBuildOf(llvm::ArrayRef<Source> sources) {
  const LinkLines *links = linksOf(sources);
  return links ? Linker(sources, *links).run() : skeleton::LinkedBuild();
}

std::string programsNote(llvm::ArrayRef<Source> sources, const skeleton::LinkedBuild &build) {
  const LinkLines *links = linksOf(sources);
  if (!build.programs.empty())
    return "from the link lines of " + links->place + " (" + std::to_string(build.programs.size()) + ")";
  if (!build.libraries.empty())
    return "from the units' symbols, the nearest definition in the same archive (" +
           std::to_string(build.libraries.size()) + " read)";
  return "from the units' symbols";
}

} // namespace busfare::frontend
