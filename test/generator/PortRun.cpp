//===- test/generator/PortRun.cpp - Programs ported, run and compared ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/generator/PortRun.h"
#include "clang-plugin/cli/PlannedBytes.h"
#include "clang-plugin/verify/Process.h"
#include "clang-plugin/verify/Tools.h"
#include "test/generator/Print.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <fstream>

namespace busfare::generator {
using namespace frontend;
using llvm::StringRef;
using Words = std::vector<std::string>;
using Environment = std::vector<std::pair<std::string, std::string>>;

namespace {

constexpr double compileLimit = 300, unitLimit = 30, programLimit = 10; // s
constexpr double floatTolerance = 4e-5;
enum { FaultCode = 112 };                                               ///< Of the watch library.

/// One way to run the unit.
struct Setting {
  std::string program, name; ///< The name stands before what is found.
  Environment environment;
  Fault wrong = Fault::WrongResult;
};

class UnitRun {
public:
  UnitRun(std::vector<Program> &programs, const PortSettings &settings, const verify::Tools &tools,
          port::OpenProgram &unit, const projection::Machine &machine, std::vector<Outcome> &outcomes)
      : programs(programs), settings(settings), tools(tools), unit(unit), machine(machine), outcomes(outcomes) {}

  llvm::Error run();

private:
  std::vector<Program> &programs;
  const PortSettings &settings;
  const verify::Tools &tools;
  port::OpenProgram &unit;
  const projection::Machine &machine;
  std::vector<Outcome> &outcomes;
  std::vector<Run> runs;             ///< By the interpreter.
  std::vector<size_t> active;        ///< Programs that are ported.
  port::PortedProgram watched;
  std::map<std::string, std::string> texts; ///< By the name of the file.

  std::string at(const std::string &name) const { return settings.folder + "/" + name; }
  std::string sourceAt(const std::string &name) const { return at(name) + suffixOf(programs); }
  void complain(size_t program, Fault fault, const std::string &text);
  llvm::Error analyse();
  llvm::Error port();
  llvm::Error build();
  std::vector<verify::Invocation> compilations() const;
  std::optional<size_t> programAt(const std::string &text, unsigned line) const;
  std::set<size_t> blame(const std::string &messages) const;
  verify::Invocation invocation(const Setting &setting, const std::string &only, double limit) const;
  double toleranceOf(size_t program) const;
  std::string differenceOf(size_t program, const std::string &out) const;
  bool isSameOutput(size_t program, const std::vector<std::string> &output) const;
  void judge(size_t program, const Setting &setting, const verify::Finished &outcome);
  void runAll(const Setting &setting);
  void comparePlans();
  llvm::Error compareBytes();
  bool isNoticed(size_t program, int copy, const std::string &kind) const;
  void runMutants(size_t program, const verify::Record &record);
};

Setting watchedSetting(unsigned perturb, unsigned teams) {
  return {"watched",
          "watched, " + std::to_string(teams) + (teams == 1 ? " team" : " teams"),
          {{"LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD", "0"},
           {"MALLOC_PERTURB_", std::to_string(perturb)},
           {"BUSFARE_TASK_ORDERS", "40"},
           {"OMP_NUM_TEAMS", std::to_string(teams)}}};
}

Setting orderedSetting(const std::string &order, const std::string &poison) {
  return {"ordered", "order " + order, {{"BUSFARE_ORDER", order}, {"BUSFARE_POISON", poison}}, Fault::OrderDependent};
}

std::string firstLine(StringRef text) { return text.ltrim().split('\n').first.str(); }

void UnitRun::complain(size_t program, Fault fault, const std::string &text) {
  outcomes[program].found.push_back({fault, text});
}

llvm::Error UnitRun::analyse() {
  for (size_t p = 0; p < programs.size(); ++p) {
    runs.push_back(interpret(programs[p]));
    llvm::Expected<const projection::Root *> root = unit.root(programs[p].name);
    if (!root) {
      complain(p, Fault::NotRead, llvm::toString(root.takeError()));
      continue;
    }
    active.push_back(p);
    if (settings.analysisToo) outcomes[p] = compare(programs[p], runs[p], unit.program(), **root, settings.compare);
  }
  return llvm::Error::success();
}

//===--- Ported and compiled --------------------------------------------------===//

llvm::Error UnitRun::port() {
  port::PortOptions options;
  options.machine = machine;
  if (settings.chunks > 0) {
    options.plan = port::WhichPlan::Streams;
    options.chunks = settings.chunks;
  }
  for (size_t p : active) options.functions.push_back(programs[p].name);
  for (auto [variant, name] : {std::pair(port::Variant::Plain, "plain"), std::pair(port::Variant::Watched, "watched"),
                               std::pair(port::Variant::Ordered, "ordered")}) {
    options.variant = variant;
    llvm::Expected<port::PortedProgram> ported = unit.port(options);
    if (!ported) return ported.takeError();
    texts[name + std::string(suffixOf(programs))] = ported->files.front().text;
    std::ofstream(sourceAt(name)) << ported->files.front().text;
    if (variant == port::Variant::Watched) watched = std::move(*ported);
  }
  return llvm::Error::success();
}

std::vector<verify::Invocation> UnitRun::compilations() const {
  const bool isCxx = programs.front().isCxx;
  const std::string &gcc = isCxx ? tools.gxx : tools.gcc, &clang = isCxx ? tools.clangxx : tools.clang;
  const Words strict = {"-Wall", "-Wextra", "-Werror"}, watch = {"-Wl,-u,ompt_start_tool", tools.watch};
  std::vector<Words> all = {{gcc, "-fopenmp", "-foffload=disable", "-fsyntax-only", sourceAt("plain")},
                            {clang, "-fopenmp", "-fsyntax-only", "-Wno-tautological-compare",
                             sourceAt("plain")}, // such conditions are the programs' own
                            {clang, "-O1", "-fopenmp", "-fopenmp-targets=x86_64-pc-linux-gnu", "-Wno-everything",
                             sourceAt("watched"), "-lm", "-o", at("watched")},
                            {clang, "-O0", "-fno-openmp", "-idirafter", tools.library + "/clang/19/include",
                             "-Wno-everything", sourceAt("ordered"), "-L" + tools.library, "-lomp", "-lm", "-o",
                             at("ordered")}};
  for (size_t k : {0, 1}) all[k].insert(all[k].begin() + 1, strict.begin(), strict.end());
  for (size_t k : {2, 3}) all[k].insert(all[k].end(), watch.begin(), watch.end());
  const Words own = argumentsFor(programs);
  for (Words &words : all) words.insert(words.begin() + 1, own.begin(), own.end());
  std::vector<verify::Invocation> result;
  for (Words &words : all) result.push_back({std::move(words), "", {}, compileLimit});
  return result;
}

/// The program whose function the line is in: the last one before it that begins at the margin.
std::optional<size_t> UnitRun::programAt(const std::string &text, unsigned line) const {
  llvm::SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n');
  for (size_t k = std::min<size_t>(line, lines.size()); k-- > 0;) {
    if (lines[k].empty() || !lines[k].contains('(') || !llvm::isAlpha(lines[k][0])) continue;
    for (size_t p = 0; p < programs.size(); ++p)
      for (StringRef behind : {"(", "_f", "_w"})
        if (lines[k].contains(" " + programs[p].name + behind.str())) return p;
  }
  return std::nullopt;
}

/// Whom a compiler or linker speaks of: `watched.c:123:4: error: ...`, "in function `p7_f3'".
std::set<size_t> UnitRun::blame(const std::string &messages) const {
  std::set<size_t> found;
  llvm::SmallVector<StringRef> lines;
  StringRef(messages).split(lines, '\n');
  for (StringRef message : lines) {
    for (const auto &[name, text] : texts)
      if (size_t place = message.find(name + ":"); place != StringRef::npos && message.contains("error")) {
        unsigned line = 0;
        if (!message.substr(place + name.size() + 1).consumeInteger(10, line))
          if (auto program = programAt(text, line)) found.insert(*program);
      }
    for (StringRef words : {"in function `", "undefined reference to `", "symbol 'busfare_"})
      if (size_t place = message.find(words); place != StringRef::npos)
        for (size_t p = 0; p < programs.size(); ++p) {
          StringRef name = message.substr(place + words.size());
          if (name.starts_with(programs[p].name + "'") || name.starts_with(programs[p].name + "_")) found.insert(p);
        }
  }
  return found;
}

/// Programs that do not compile are taken out, until the rest does.
llvm::Error UnitRun::build() {
  while (!active.empty()) {
    if (llvm::Error error = port()) return error;
    bool failed = false;
    const size_t before = active.size();
    for (const verify::Finished &outcome : verify::runAll(compilations(), settings.folder, 1)) {
      if (outcome.succeeded()) continue;
      failed = true;
      std::set<size_t> guilty = active.size() == 1 ? std::set<size_t>{active.front()} : blame(outcome.err);
      if (guilty.empty()) // nobody is named: all of them share it
        guilty = std::set<size_t>(active.begin(), active.end());
      std::string says = firstLine(outcome.err);
      for (StringRef kind : {"undefined reference", "error:"})
        if (size_t where = outcome.err.find(kind.str()); where != std::string::npos) {
          says = firstLine(StringRef(outcome.err).substr(outcome.err.rfind('\n', where) + 1));
          break;
        }
      for (size_t p : guilty)
        if (llvm::is_contained(active, p)) {
          complain(p, Fault::NotCompiled, outcome.timedOut ? verify::failureOf(outcome) : says);
          llvm::erase(active, p);
        }
    }
    if (!failed) return llvm::Error::success();
    if (active.size() < before) continue;
    // What does not compile is of a program that is not ported: none of the others can be run.
    for (size_t p : active) complain(p, Fault::NotCompiled, "another program of the unit does not compile as it is");
    active.clear();
  }
  return llvm::Error::success();
}

//===--- Runs -----------------------------------------------------------------===//

verify::Invocation UnitRun::invocation(const Setting &setting, const std::string &only, double limit) const {
  verify::Invocation result;
  result.words.push_back(at(setting.program));
  if (!only.empty()) result.words.push_back(only);
  result.environment = {{"KMP_BLOCKTIME", "0"},
                        {"KMP_WARNINGS", "0"},
                        {"OMP_TARGET_OFFLOAD", "MANDATORY"},
                        {"LD_LIBRARY_PATH", tools.library}};
  llvm::append_range(result.environment, setting.environment);
  result.limit = limit;
  return result;
}

/// The lines that begin with the program's name.
std::string linesOf(const std::string &name, StringRef out) {
  std::string own;
  for (; !out.empty();) {
    auto [line, rest] = out.split('\n');
    if (line.starts_with(name + ":")) own += line.str() + "\n";
    out = rest;
  }
  return own;
}

/// Sums in another order: of float, 2^-24 of each operand may be lost.
double UnitRun::toleranceOf(size_t program) const {
  bool hasFloat = llvm::any_of(programs[program].variables, [](const Variable &v) { return v.type == Type::Float; });
  return hasFloat ? floatTolerance : verify::defaultTolerance;
}

static std::string textOf(const std::vector<std::string> &output) { return llvm::join(output, "\n") + "\n"; }

std::string UnitRun::differenceOf(size_t program, const std::string &out) const {
  verify::Comparison comparison =
      verify::compare({textOf(runs[program].output), {}}, linesOf(programs[program].name, out), toleranceOf(program));
  return comparison.same ? "" : comparison.difference;
}

bool UnitRun::isSameOutput(size_t program, const std::vector<std::string> &output) const {
  return verify::compare({textOf(runs[program].output), {}}, textOf(output), toleranceOf(program)).same;
}

/// One program that ran alone.
void UnitRun::judge(size_t program, const Setting &setting, const verify::Finished &outcome) {
  std::string says = outcome.err;
  if (size_t place = says.find("busfare: "); place != std::string::npos) says = says.substr(place + 9);
  says = setting.name + ": " + firstLine(says);
  if (outcome.timedOut) return complain(program, Fault::NoEnd, setting.name + ": " + verify::failureOf(outcome));
  if (outcome.exitCode == FaultCode && setting.wrong != Fault::OrderDependent)
    return complain(program, Fault::Unreadable, says);
  if (!outcome.succeeded()) return complain(program, setting.wrong, says + " (" + verify::failureOf(outcome) + ")");
  if (std::string difference = differenceOf(program, outcome.out); !difference.empty())
    complain(program, setting.wrong, setting.name + ": " + difference);
}

/// All at once; if that does not come to its end, one by one.
void UnitRun::runAll(const Setting &setting) {
  verify::Finished all = verify::run(invocation(setting, "", unitLimit), settings.folder);
  if (all.succeeded()) {
    for (size_t p : active)
      if (std::string difference = differenceOf(p, all.out); !difference.empty())
        complain(p, setting.wrong, setting.name + ": " + difference);
    return;
  }
  std::vector<verify::Invocation> single;
  for (size_t p : active) single.push_back(invocation(setting, programs[p].name, programLimit));
  std::vector<verify::Finished> ended = verify::runAll(single, settings.folder, 1);
  for (size_t k = 0; k < active.size(); ++k) judge(active[k], setting, ended[k]);
  if (llvm::none_of(active, [&](size_t p) { return !outcomes[p].found.empty(); }))
    complain(active.front(), setting.wrong,
             setting.name + ": the unit fails, no program of it alone: " + verify::failureOf(all) + " " +
                 firstLine(all.err));
}

/// Each program alone, so that each has a record; the bytes of all together would need one that ran to its end.
llvm::Error UnitRun::compareBytes() {
  Setting setting = watchedSetting(0x81, 1);
  std::string file = at("record");
  setting.environment.emplace_back("BUSFARE_WATCH_REPORT", file);
  std::remove(file.c_str());
  runAll(setting);
  llvm::Expected<verify::Record> record = verify::readRecord(file);
  if (!record) return record.takeError();
  bool isWhole = llvm::none_of(active, [&](size_t p) {
    return llvm::any_of(outcomes[p].found,
                        [](const Disagreement &d) { return d.fault == Fault::Unreadable || d.fault == Fault::NoEnd; });
  });
  if (!isWhole || !record->complete)
    return llvm::Error::success(); // said already: some program does not come to its end
  for (const port::PortedStreams &one : watched.streams)
    for (size_t p : active)
      if (programs[p].name == one.root) {
        ++outcomes[p].chunked;
        outcomes[p].orders += record->tasks[int(one.region)].orders;
      }
  auto planned = plannedBytes(unit, watched, {}, *record);
  if (!planned) return planned.takeError();
  std::vector<verify::PlannedCopy> copies;
  addCopies(watched, copies);
  for (const verify::BytesLine &line : verify::bytesOf(copies, *record, std::move(*planned))) {
    auto program = llvm::find_if(active, [&](size_t p) { return programs[p].name == line.planned.root; });
    if (program == active.end()) continue;
    if (!line.planned.bytes) { // of a size that changes, as often as a condition on data holds
      ++outcomes[*program].rowsOpen;
      continue;
    }
    ++outcomes[*program].rows;
    std::string what = line.planned.array + (line.planned.toDevice ? ", to the device: " : ", to the host: ");
    if (!line.equal())
      complain(*program, Fault::BytesDiffer,
               what + std::to_string(*line.planned.bytes) + " planned, " + std::to_string(line.measured) + " measured");
  }
  for (size_t p : active)
    if (p < settings.mutants && outcomes[p].found.empty()) runMutants(p, *record);
  return llvm::Error::success();
}

/// Does the program alone print something else, or fail, with this mutant, whatever fresh memory holds?
bool UnitRun::isNoticed(size_t program, int copy, const std::string &kind) const {
  // What survives one garbage by chance seldom survives another. Two of each pair differ in all low bits (busfareFill).
  for (auto [perturb, teams] :
       {std::pair(0x81u, 1u), std::pair(0x80u, 1u), std::pair(0x02u, 2u), std::pair(0x03u, 2u)}) {
    Setting setting = watchedSetting(perturb, teams);
    setting.environment.emplace_back("BUSFARE_MUTANT", std::to_string(copy) + ":" + kind);
    verify::Finished ended = verify::run(invocation(setting, programs[program].name, programLimit), settings.folder);
    if (!ended.succeeded() || !differenceOf(program, ended.out).empty()) return true;
  }
  return false;
}

/// Each copy of one program left out, then one element short.
void UnitRun::runMutants(size_t program, const verify::Record &record) {
  llvm::Expected<const projection::Root *> root = unit.root(programs[program].name);
  if (!root) return llvm::consumeError(root.takeError());
  Relation relation(programs[program], runs[program], unit.program(), **root);
  Outcome &outcome = outcomes[program];
  Methods methods;
  for (const port::PlannedCopy &copy : watched.copies) methods[copy.crossing] = copy.method;
  for (const port::PlannedCopy &copy : watched.copies)
    for (bool isShort : {false, true}) {
      auto ran = record.copies.find(int(copy.id));
      if (copy.root != programs[program].name || ran == record.copies.end() || ran->second.calls == 0 ||
          ran->second.bytes == 0)
        continue;
      if (isShort && ran->second.elements == ran->second.calls) // element by element: that was left out already
        continue;
      ++outcome.runMutants;
      bool isCaught = isNoticed(program, int(copy.id), isShort ? "short" : "drop");
      if (isCaught) ++outcome.runMutantsCaught;
      else if (isShort ? !ran->second.lastChanged : !ran->second.changed) ++outcome.sameBytes;
      else if (WithoutCopy without = runWithout(relation, *copy.region, *copy.crossing, isShort, methods);
               !without.isNeeded)
        ++outcome.unread;
      else if (without.output && isSameOutput(program, *without.output)) ++outcome.older;
      else if (!isNoticed(program, int(copy.id), isShort ? "spoil-last" : "spoil")) ++outcome.dead;
      else
        complain(program, Fault::MutantSurvived,
                 std::string(isShort ? "one element short, " : "left out, ") + (copy.toDevice ? "h2d " : "d2h ") +
                     copy.array + copy.section + " at line " + std::to_string(copy.at.line));
    }
}

/// Loops that cannot be ported change the plan: what is carried out is compared as well.
void UnitRun::comparePlans() {
  for (size_t p : active) {
    llvm::Expected<const projection::Root *> root = unit.root(programs[p].name);
    if (!root) {
      llvm::consumeError(root.takeError());
      continue;
    }
    Outcome ported;
    Relation relation(programs[p], runs[p], unit.program(), **root);
    if (!relation.holdsInPlace) compareTransfers(relation, ported, {});
    for (Disagreement &d : ported.found)
      if (llvm::none_of(outcomes[p].found, [&](const Disagreement &known) { return known.text == d.text; }))
        outcomes[p].found.push_back(std::move(d));
    outcomes[p].isPorted = llvm::any_of(
        watched.kernels, [&](const port::PortedKernel &kernel) { return kernel.root == programs[p].name; });
  }
}

llvm::Error UnitRun::run() {
  if (llvm::Error error = analyse()) return error;
  if (llvm::Error error = build()) return error;
  comparePlans();
  if (active.empty()) return llvm::Error::success();
  if (llvm::Error error = compareBytes()) return error;
  runAll(watchedSetting(0x01, 2));
  runAll(orderedSetting("reverse", "0xfe"));
  runAll(orderedSetting("random:1", "0x7e"));
  return llvm::Error::success();
}

} // namespace

llvm::Expected<std::vector<Outcome>> portUnit(std::vector<Program> &programs, const PortSettings &settings) {
  llvm::Expected<verify::Tools> tools = verify::findTools(BUSFARE_LLVM_LIBRARY, "");
  if (!tools) return tools.takeError();
  llvm::Expected<projection::Machine> machine = projection::loadMachine(projection::defaultMachine.str());
  if (!machine) return machine.takeError();
  if (programs.front().isCxx && tools->gxx.empty())
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "ported C++ needs what is not installed: g++ (package g++)");
  std::string file = settings.folder + "/unit" + suffixOf(programs);
  std::ofstream(file) << printUnit(programs);
  std::vector<Outcome> outcomes(programs.size());
  Source source;
  source.file = file;
  source.arguments = argumentsFor(programs);
  llvm::Error error = port::withUnit(source, [&](port::OpenProgram &unit) {
    return UnitRun(programs, settings, *tools, unit, *machine, outcomes).run();
  });
  if (error) return error;
  return outcomes;
}

} // namespace busfare::generator
