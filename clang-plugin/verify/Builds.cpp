//===- clang-plugin/verify/Builds.cpp - Original and ports, compiled -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/verify/Builds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

using llvm::StringRef;
using Words = std::vector<std::string>;

namespace busfare::frontend::verify {

static constexpr double compileLimit = 300; // s

llvm::StringRef nameOf(Build build) {
  switch (build) {
  case Build::Original: return "original";
  case Build::GccHost: return "port, gcc";
  case Build::ClangDevice: return "port, clang";
  case Build::Watched: return "watched";
  case Build::Ordered: return "ordered";
  case Build::Regrouped: return "regrouped";
  case Build::Plain: return "plain";
  case Build::Measured: return "measured";
  }
  return "";
}

//===--- Flags --------------------------------------------------------------===//

static bool isCxx(const Unit &unit) {
  StringRef suffix = llvm::sys::path::extension(unit.file);
  bool result = suffix != ".c" && suffix != ".i";
  for (const std::string &word : unit.arguments) {
    if (StringRef(word).starts_with("--driver-mode=g++") || StringRef(word).starts_with("-xc++") || word == "c++")
      result = true;
    if (word == "-xc") result = false;
  }
  return result;
}

/// Words that begin with `option`, and the word behind one that is only the option.
static Words without(llvm::ArrayRef<std::string> words, StringRef option, bool takesValue) {
  Words kept;
  for (size_t i = 0; i < words.size(); ++i) {
    if (!StringRef(words[i]).starts_with(option)) kept.push_back(words[i]);
    else if (takesValue && words[i] == option) ++i;
  }
  return kept;
}

/// What clang is told that gcc has no word for.
static Words forGcc(Words words) {
  for (StringRef option : {"-Xclang", "-mllvm"}) words = without(words, option, true);
  for (StringRef option : {"-resource-dir", "--driver-mode", "-fopenmp-targets", "-fplugin", "-ferror-limit",
                           "-stdlib=", "-Weverything", "-Qunused-arguments", "-fcolor-diagnostics", "-fsanitize"})
    words = without(words, option, false);
  return words;
}

static bool saysOptimisation(llvm::ArrayRef<std::string> words) {
  return llvm::any_of(words, [](const std::string &word) { return StringRef(word).starts_with("-O"); });
}

static std::string contentsOf(const Unit &unit) {
  llvm::SmallString<256> path(unit.file);
  if (!unit.directory.empty()) llvm::sys::fs::make_absolute(unit.directory, path);
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

static std::string absolute(StringRef file, StringRef directory) {
  llvm::SmallString<256> path(file);
  if (!directory.empty()) llvm::sys::fs::make_absolute(directory, path);
  llvm::sys::fs::make_absolute(path);
  llvm::sys::path::remove_dots(path, true);
  return path.str().str();
}

/// As for the analysis: OpenMP is on if the flags say so or the source speaks of it.
static bool usesOpenMp(const Subject &subject) {
  return llvm::any_of(subject.units, [](const Unit &unit) {
    if (llvm::any_of(unit.arguments, [](const std::string &word) { return StringRef(word).starts_with("-fopenmp"); }))
      return true;
    std::string text = contentsOf(unit);
    return StringRef(text).contains("pragma omp") || StringRef(text).contains("omp.h");
  });
}

//===--- One build ------------------------------------------------------------===//

namespace {
struct Builder {
  const Subject &subject;
  const Tools &tools;
  std::string folder;
  bool openMp;

  Words compileWords(Build build, const Unit &unit) const;
  Words linkWords(Build build) const;
  std::string messageOf(const Finished &outcome) const;
  std::string compiler(Build build, bool cxx) const;
  std::string sourceOf(Build build, size_t index) const;
  std::vector<Invocation> compilations(Build build, const Words &extra, StringRef suffix) const;
  void finish(Program &program, llvm::ArrayRef<Finished> compiled) const;
  bool settleWarnings(Program &program, std::vector<Finished> &compiled) const;
  bool warns(Build build) const { return build == Build::GccHost || build == Build::ClangDevice; }
};
} // namespace

std::string Builder::compiler(Build build, bool cxx) const {
  if (build == Build::GccHost) return cxx ? tools.gxx : tools.gcc;
  return cxx ? tools.clangxx : tools.clang;
}

/// Its time is what it is for.
static bool isTimed(Build build) { return build == Build::Plain || build == Build::Measured; }

static Words openMpWords(Build build, bool originalUses, bool orderedHasThreads) {
  switch (build) {
  case Build::Original:
  case Build::Regrouped:
  case Build::Plain:
  case Build::Measured: return originalUses ? Words{"-fopenmp"} : Words{};
  case Build::GccHost: return {"-fopenmp"};
  case Build::ClangDevice:
  case Build::Watched: return {"-fopenmp", "-fopenmp-targets=x86_64-pc-linux-gnu"};
  case Build::Ordered:
    return {orderedHasThreads ? "-fopenmp" : "-fno-openmp"}; // its loops run one iteration after the other
  }
  return {};
}

Words Builder::compileWords(Build build, const Unit &unit) const {
  Words words = {compiler(build, isCxx(unit))};
  Words own = without(unit.arguments, "-fopenmp", false);
  llvm::append_range(words, build == Build::GccHost ? forGcc(own) : own);
  if (!saysOptimisation(own)) words.push_back(isTimed(build) ? "-O2" : "-O1");
  llvm::append_range(words, openMpWords(build, openMp, subject.orderedHasThreads));
  if (build == Build::GccHost) words.push_back("-foffload=disable");
  else words.push_back("-Wno-unused-command-line-argument");
  if (build == Build::Regrouped) {
    llvm::append_range(
        words, Words{"-O3", "-ffp-contract=fast", "-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math"});
    if (__builtin_cpu_supports("fma")) words.push_back("-mfma");
  }
  // Headers beside the original: the text is compiled from elsewhere.
  words.push_back("-iquote");
  words.push_back(llvm::sys::path::parent_path(absolute(unit.file, unit.directory)).str());
  if (build == Build::Ordered) { // omp.h without OpenMP, and the code that asks for it
    if (openMp && !subject.orderedHasThreads)
      words.push_back("-D_OPENMP=201511"); // later ones make omp.h use directives
    words.push_back("-idirafter");
    words.push_back(tools.library + "/clang/19/include");
  }
  return words;
}

Words Builder::linkWords(Build build) const {
  bool cxx = llvm::any_of(subject.units, isCxx);
  Words words = {compiler(build, cxx)};
  for (const Unit &unit : subject.units) {
    Words own = without(without(unit.arguments, "-fopenmp", false), "-x", true);
    for (StringRef compiling : {"-I", "-D", "-U", "-include", "-isystem", "-iquote"})
      own = without(own, compiling, true);
    for (const std::string &word : build == Build::GccHost ? forGcc(own) : own)
      if (StringRef(word).starts_with("-l") || !llvm::is_contained(words, word)) words.push_back(word);
  }
  llvm::append_range(words, openMpWords(build, openMp, subject.orderedHasThreads));
  if (build == Build::GccHost) words.push_back("-foffload=disable");
  if (build == Build::Ordered)
    for (const std::string &word : Words{"-L" + tools.library, "-lomp"}) words.push_back(word);
  if (!isTimed(build)) {
    words.push_back("-Wl,-u,busfare_rounding"); // of the digits; nothing names it
    words.push_back(tools.digits);
  }
  if (build == Build::Measured)
    for (const std::string &word : Words{tools.measure, "-lpthread"}) words.push_back(word);
  words.push_back("-lm"); // the digits need it, and gcc calls what clang computes in place
  if (build == Build::Watched || build == Build::Ordered) {
    words.push_back("-Wl,-u,ompt_start_tool"); // named by nothing in the program, only by libomp
    words.push_back(tools.watch);
  }
  return words;
}

static StringRef textOf(Build build, const Unit &unit) {
  switch (build) {
  case Build::Original:
  case Build::Regrouped: return "";
  case Build::GccHost:
  case Build::ClangDevice: return unit.plain;
  case Build::Watched: return unit.watched;
  case Build::Ordered: return unit.ordered;
  case Build::Plain: return "";
  case Build::Measured: return unit.measured;
  }
  return "";
}

/// The file to compile: the original, or the port's text in a folder of its own under the original's name.
std::string Builder::sourceOf(Build build, size_t index) const {
  const Unit &unit = subject.units[index];
  StringRef text = textOf(build, unit);
  if (text.empty()) return absolute(unit.file, unit.directory);
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, "source" + llvm::Twine(int(build)) + "-" + llvm::Twine(index));
  llvm::sys::fs::create_directories(path);
  llvm::sys::path::append(path, llvm::sys::path::filename(unit.file));
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  os << text;
  return path.str().str();
}

static std::string objectOf(StringRef folder, Build build, size_t index) {
  return (folder + "/unit" + llvm::Twine(int(build)) + "-" + llvm::Twine(index) + ".o").str();
}

std::vector<Invocation> Builder::compilations(Build build, const Words &extra, StringRef suffix) const {
  std::vector<Invocation> all;
  for (size_t i = 0; i < subject.units.size(); ++i) {
    Words words = compileWords(build, subject.units[i]);
    llvm::append_range(words, extra);
    llvm::append_range(words, Words{"-c", sourceOf(build, i), "-o", objectOf(folder, build, i) + suffix.str()});
    all.push_back({std::move(words), subject.units[i].directory, {}, compileLimit});
  }
  return all;
}

/// What a compiler said first: an error if there is one.
static std::string firstMessage(const Finished &outcome) {
  llvm::SmallVector<StringRef> lines;
  StringRef(outcome.err).split(lines, '\n', -1, false);
  for (StringRef kind : {"undefined reference", "error:", "warning:"})
    for (StringRef line : lines)
      if (line.contains(kind)) return line.str();
  return lines.empty() ? failureOf(outcome) : lines.front().str();
}

/// The same without our folders: files go by their own names.
std::string Builder::messageOf(const Finished &outcome) const {
  std::string text = firstMessage(outcome);
  for (size_t at = text.find(folder); at != std::string::npos; at = text.find(folder)) {
    size_t end = text.find('/', text.find_first_not_of('/', at + folder.size()));
    text.erase(at, end == std::string::npos ? folder.size() : end + 1 - at);
  }
  return text;
}

/// What they say, without where.
static std::multiset<std::string> warningsOf(StringRef messages) {
  std::multiset<std::string> said;
  llvm::SmallVector<StringRef> lines;
  messages.split(lines, '\n', -1, false);
  for (StringRef line : lines)
    if (size_t at = line.find("warning: "); at != StringRef::npos) said.insert(line.drop_front(at).str());
  return said;
}

/// `[-Wsign-compare]`; all of it if it is of no kind.
static std::string kindOf(StringRef warning) {
  return warning.drop_front(std::min(warning.rfind("[-W"), warning.size())).str();
}

/// Does the port say nothing new? What the original says as well it may say for each instance of a function; other
/// names may stand in a warning, but not more of a kind than the original has.
static bool areTheSame(const std::multiset<std::string> &before, const std::multiset<std::string> &after) {
  std::map<std::string, unsigned> kindsBefore, others;
  for (const std::string &warning : before) ++kindsBefore[kindOf(warning)];
  for (const std::string &warning : after)
    if (!before.count(warning)) ++others[kindOf(warning)];
  return llvm::all_of(others, [&](const auto &one) { return one.second <= kindsBefore[one.first]; });
}

/// The port has warnings. If the original gives the same ones, they are not the port's: it is built without -Werror.
bool Builder::settleWarnings(Program &program, std::vector<Finished> &compiled) const {
  Words warn = {"-Wall", "-Wextra"};
  std::vector<Finished> again = runAll(compilations(program.build, warn, ""), folder);
  for (size_t i = 0; i < subject.units.size(); ++i) {
    if (!again[i].succeeded()) return false;
    Invocation original;
    original.words = compileWords(program.build, subject.units[i]);
    original.directory = subject.units[i].directory;
    original.limit = compileLimit;
    llvm::append_range(original.words, warn);
    llvm::append_range(original.words, Words{"-c", absolute(subject.units[i].file, subject.units[i].directory), "-o",
                                             objectOf(folder, program.build, i) + ".original"});
    const std::multiset<std::string> after = warningsOf(again[i].err);
    if (!areTheSame(warningsOf(run(original, folder).err), after)) return false;
    if (!after.empty()) program.note = "with warnings that the original has too";
  }
  compiled = std::move(again);
  return true;
}

void Builder::finish(Program &program, llvm::ArrayRef<Finished> compiled) const {
  for (const Finished &outcome : compiled)
    if (!outcome.succeeded()) {
      program.failure = messageOf(outcome);
      return;
    }
  program.path = folder + "/program" + std::to_string(int(program.build));
  Invocation link{linkWords(program.build), "", {}, compileLimit};
  // Objects come before the libraries they need.
  Words objects;
  for (size_t i = 0; i < subject.units.size(); ++i) objects.push_back(objectOf(folder, program.build, i));
  link.words.insert(link.words.begin() + 1, objects.begin(), objects.end());
  link.words.push_back("-o");
  link.words.push_back(program.path);
  if (subject.units.size() && !subject.units.front().directory.empty())
    link.directory = subject.units.front().directory;
  Finished linked = run(link, folder);
  if (!linked.succeeded()) program.failure = messageOf(linked);
}

std::vector<Program> buildAll(const Subject &subject, const Tools &tools, StringRef folder,
                              llvm::ArrayRef<Build> builds) {
  Builder builder{subject, tools, folder.str(), usesOpenMp(subject)};
  std::vector<Invocation> all;
  for (Build build : builds) {
    Words extra = builder.warns(build) ? Words{"-Wall", "-Wextra", "-Werror"} : Words{};
    llvm::append_range(all, builder.compilations(build, extra, ""));
  }
  std::vector<Finished> outcomes = runAll(all, folder);
  std::vector<Program> programs;
  size_t units = subject.units.size();
  for (size_t b = 0; b < builds.size(); ++b) {
    Program program{builds[b], "", "", ""};
    std::vector<Finished> own(outcomes.begin() + b * units, outcomes.begin() + (b + 1) * units);
    bool failed = llvm::any_of(own, [](const Finished &outcome) { return !outcome.succeeded(); });
    if (failed && builder.warns(program.build)) builder.settleWarnings(program, own);
    builder.finish(program, own);
    programs.push_back(std::move(program));
  }
  return programs;
}

} // namespace busfare::frontend::verify
