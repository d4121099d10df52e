//===- clang-plugin/cli/Help.cpp - help, schema, machines ----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The commands that read no program: they show what is built in.
//
//===----------------------------------------------------------------------===//

#include "Help.h"
#include "Commands.h"
#include "brs/RulePages.h"
#include "projection/Machine.h"
#include "projection/report/Page.h"
#include "projection/report/Writers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <map>

using llvm::StringRef;
using namespace busfare::projection;

namespace busfare::frontend {

static const char *const overview = R"(busfare: which loop nests are worth moving to a GPU, transfers included?

usage: busfare COMMAND [OPTIONS] SRC... [-- COMPILER FLAGS...]

)";

static const char *const exitCodes = R"(
Exit codes: 0 done; 1 a --fail-on condition held, or verify found a difference;
2 bad usage, bad input, or a hint that is contradicted; 3 some units could not be parsed, the rest is
reported; 4 a fault of busfare.
Behind `--` a compiler's name (as CMake's <LANG>_CLANG_TIDY has it) leaves what
is wrong with the source to that compiler: then only 1, 2 for usage, and 4.

`busfare help COMMAND` shows a worked example, `busfare help hints` what
comments in the source can say, `busfare help rules` what findings and verdicts
there are, and `busfare help BF008` what one means, costs and asks for.
)";

static const char *const hints = R"(Hints: a comment before a loop or function, or at the end of its first line; a
pragma of the same words; or a line of a file .busfare beside the sources.

  // busfare: independent size(n=4096)
  #pragma busfare noalias(a, b) range(col: 0, m-1)
  function solve loop i: temporary(t) ignore(BF012)      in .busfare; also
  src/solve.c:solve loop j#2: independent                the second loop over j
  src/solve.c:42: independent                            a line, which goes stale

  independent           no two iterations of the loop touch one element
  noalias(a, b)         the arrays do not overlap
  size(n=4096)          an open size has this value; --param overrides it
  range(col: 0, m-1)    the values held by an integer array lie between these
  temporary(a)          what the array holds outside does not matter
  ignore(BF012)         findings of this rule are counted, not shown

What is taken is listed. What the program contradicts, or cannot be read, is an
error and not taken: exit code 2.
)";

static std::string rulesHelp() {
  std::string text;
  llvm::raw_string_ostream os(text);
  Page page(os, 80, false);
  Table table({{"rule"}, {"what it is about"}});
  for (const brs::RulePage &rule : brs::rulePages()) table.row({rule.id.str(), pageTitle(rule).str()});
  page.table(table, 0);
  page.line();
  page.paragraph("`busfare help BF008` says what a rule means, what it costs and what to do.");
  return text;
}

/// Of a word that is neither a command nor a rule.
static Outcome noHelp(const std::string &name) {
  std::vector<StringRef> known{"hints", "rules"};
  for (const Command &command : commandTable()) known.push_back(command.name);
  for (const brs::RulePage &rule : brs::rulePages()) known.push_back(rule.id);
  StringRef guess = closest(name, known);
  return {BadInput,
          "",
          {"busfare: no command '" + name + "', and no rule; " +
           (guess.empty() ? std::string("`busfare help` and `busfare help rules` list them")
                          : "did you mean '" + guess.str() + "'?")}};
}
StringRef exitCodesHelp() { return StringRef(exitCodes).ltrim(); }
StringRef hintsHelp() { return hints; }

Outcome runHelp(const Options &options) {
  Outcome outcome;
  llvm::raw_string_ostream os(outcome.output);
  std::string name =
      options.command == "help" ? (options.inputs.empty() ? "" : options.inputs.front()) : options.command;
  if (!name.empty() && name != "help") {
    if (name == "hints" && options.command == "help") return {Done, hints, {}};
    if (name == "rules" && options.command == "help") return {Done, rulesHelp(), {}};
    if (const brs::RulePage *page = brs::findRulePage(name); page && options.command == "help")
      return {Done, page->text.str(), {}};
    const Command *command = findCommand(name);
    if (!command) return noHelp(name);
    os << "usage: busfare " << command->name << ' ' << command->arguments << "\n\n" << command->help;
    Table own({{"its options"}, {""}});
    for (const OptionEntry &entry : optionTable())
      if (!entry.commands.empty() && takes(entry, command->name))
        own.row({entry.name.str() + (entry.value.empty() ? "" : " " + entry.value.str()), entry.meaning.str()});
    if (!own.empty()) {
      os << '\n';
      Page(os, 80, false).table(own, 2);
    }
    return outcome;
  }
  os << overview;
  Page page(os, 80, false);
  Table commands({{"commands"}, {""}});
  for (const Command &command : commandTable()) commands.row({command.name.str(), command.summary.str()});
  page.table(commands, 2);
  os << '\n';
  Table table({{"options, anywhere before --"}, {""}});
  for (const OptionEntry &entry : optionTable())
    if (!entry.isFigure)
      table.row({entry.name.str() + (entry.value.empty() ? "" : " " + entry.value.str()), entry.meaning.str()});
  page.table(table, 2);
  os << exitCodes;
  return outcome;
}

Outcome runSchema(const Options &options) {
  if (options.inputs.size() > 1) return {BadInput, "", {"busfare: schema takes one output's name at most"}};
  std::string name = options.inputs.empty() ? "" : options.inputs.front();
  std::string schema = jsonSchema(name);
  if (schema.empty())
    return {BadInput,
            "",
            {"busfare: no output '" + name + "'; there are " +
             llvm::join(schemaNames().begin(), schemaNames().end(), ", ")}};
  return {Done, schema, {}};
}

//===--- machines ---------------------------------------------------------===//

static std::string figure(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

/// [i], after adding it if it is new.
static std::string citation(std::vector<std::string> &sources, const std::string &source) {
  if (!llvm::is_contained(sources, source)) sources.push_back(source);
  return "[" + std::to_string(llvm::find(sources, source) - sources.begin() + 1) + "]";
}

static void showCurves(const Machine &machine, Page &page, std::vector<std::string> &sources) {
  std::vector<TransferCurve> curves = machine.link.measured;
  if (machine.peer) curves.insert(curves.end(), machine.peer->measured.begin(), machine.peer->measured.end());
  if (curves.empty()) return;
  page.line();
  page.heading("measured transfers");
  Table table({{"direction"},
               {"memory"},
               {"sizes", Align::Right},
               {"from, bytes", Align::Right},
               {"to, bytes", Align::Right},
               {"kind"},
               {"source"}});
  for (const TransferCurve &curve : curves)
    table.row({(toString(curve.direction) + (curve.whileReverseBusy ? ", other way busy" : "")).str(),
               touchesHost(curve.direction) ? toString(curve.memory).str() : "device",
               std::to_string(curve.rising.size()), figure(curve.rising.front().bytes),
               figure(curve.rising.back().bytes), toString(curve.kind).str(), citation(sources, curve.source)});
  page.table(table);
}

/// What the file does not say, and what follows from that.
static void showGaps(const Machine &machine, Page &page) {
  std::vector<Gap> gaps = gapsOf(machine);
  if (gaps.empty()) return;
  page.line();
  page.heading("not given, and what follows");
  for (const Gap &gap : gaps)
    page.paragraph(
        gap.key + ": " + gap.consequence + (gap.searched.empty() ? "" : " (looked for: " + gap.searched + ")"), 2, 4);
}

/// Every number, its kind, and where it comes from: the sources follow as a list, as many numbers share one.
static void showMachine(const Machine &machine, llvm::raw_ostream &os) {
  Page page(os, 80, false);
  page.title(machine.name + (machine.description.empty() ? "" : ": " + machine.description));
  std::vector<std::string> sources;
  llvm::json::Value json = toJson(machine);
  for (StringRef part : {"host", "link", "gpu", "peer", "network", "errors"}) {
    const llvm::json::Object *numbers = json.getAsObject()->getObject(part);
    if (!numbers) continue;
    page.line();
    std::string name = numbers->getString("name").value_or("").str();
    std::string kind = numbers->getString("kind").value_or("").str();
    page.heading(part.str() + (name.empty() ? "" : ": " + name) + (kind.empty() ? "" : " (" + kind + ")"));
    Table table({{"number"}, {"value", Align::Right}, {"kind"}, {"source"}});
    std::vector<StringRef> keys;
    for (const auto &[key, quantity] : *numbers)
      if (quantity.getAsObject()) keys.push_back(key);
    llvm::sort(keys);
    for (StringRef key : keys) {
      const llvm::json::Object &quantity = *numbers->getObject(key);
      if (!quantity.get("value")) // unknown: among the gaps
        continue;
      std::string source = quantity.getString("source").value_or("").str();
      table.row({key.str(), figure(quantity.getNumber("value").value_or(0)),
                 quantity.getString("kind").value_or("").str(), citation(sources, source)});
    }
    page.table(table);
  }
  showCurves(machine, page, sources);
  showGaps(machine, page);
  page.line();
  page.heading("Sources");
  for (size_t i = 0; i < sources.size(); ++i) page.paragraph("[" + std::to_string(i + 1) + "] " + sources[i], 2, 6);
}

static Outcome listMachines(const Options &options) {
  Outcome outcome;
  llvm::json::Array list;
  Table table({{"machine"}, {"what it is"}});
  for (const std::string &name : builtinMachineNames()) {
    llvm::Expected<Machine> machine = loadMachine(name);
    if (!machine) return {OwnFault, "", {"busfare: " + llvm::toString(machine.takeError())}};
    bool isDefault = name == defaultMachine;
    table.row({name, machine->description + (isDefault ? " (the default)" : "")});
    list.push_back(llvm::json::Object{{"name", name}, {"description", machine->description}, {"default", isDefault}});
  }
  llvm::raw_string_ostream os(outcome.output);
  if (options.format == Format::Json) {
    llvm::json::Value all =
        llvm::json::Object{{"schema_version", 1},
                           {"output", "machines"},
                           {"tool", llvm::json::Object{{"name", "busfare"}, {"version", BUSFARE_VERSION}}},
                           {"machines", std::move(list)}};
    os << llvm::formatv("{0:2}\n", all);
    return outcome;
  }
  Page page(os, 80, false);
  page.table(table, 0);
  page.line();
  page.paragraph(
      "`busfare machines NAME` shows every number and where it comes from; with --format json, as a machine file to "
      "start from. `busfare machines FILE` checks a file.");
  return outcome;
}

/// How many numbers are of which kind, and what is missing.
static void showCheck(const Machine &machine, StringRef name, llvm::raw_ostream &os) {
  llvm::json::Value json = toJson(machine);
  std::map<std::string, unsigned> kinds;
  unsigned all = 0;
  for (StringRef part : {"host", "link", "gpu", "peer", "network", "errors"})
    if (const llvm::json::Object *numbers = json.getAsObject()->getObject(part))
      for (const auto &entry : *numbers)
        if (const llvm::json::Object *quantity = entry.second.getAsObject(); quantity && quantity->get("value"))
          ++all, ++kinds[quantity->getString("kind").value_or("").str()];
  std::vector<std::string> parts;
  for (const auto &[kind, count] : kinds) parts.push_back(std::to_string(count) + " " + kind);
  const size_t sweeps = machine.link.measured.size() + (machine.peer ? machine.peer->measured.size() : 0);
  Page page(os, 80, false);
  page.paragraph(name.str() + ":");
  page.paragraph("a machine file, called " + machine.name + "; " + std::to_string(all) + " numbers (" +
                     llvm::join(parts, ", ") + ")" +
                     (sweeps == 0 ? "" : "; " + std::to_string(sweeps) + " sweeps of measured transfers"),
                 2, 2);
  showGaps(machine, page);
}

/// Of all files, so that one run says everything.
static Outcome checkMachines(llvm::ArrayRef<std::string> names) {
  Outcome outcome;
  llvm::raw_string_ostream os(outcome.output);
  if (names.empty()) return {BadInput, "", {"busfare: machines check wants a machine file"}};
  for (const std::string &name : names) {
    llvm::Expected<Machine> machine = loadMachine(name);
    if (machine) {
      showCheck(*machine, name, os);
      continue;
    }
    outcome.messages.push_back("busfare: " + llvm::toString(machine.takeError()));
    outcome.exitCode = BadInput;
  }
  return outcome;
}

Outcome runMachines(const Options &options) {
  if (options.inputs.empty()) return listMachines(options);
  if (options.inputs.front() == "check") {
    if (options.format == Format::Json)
      return {BadInput, "", {"busfare: machines check has no JSON; its exit code says whether the file is one"}};
    return checkMachines(llvm::ArrayRef(options.inputs).drop_front());
  }
  Outcome outcome;
  llvm::raw_string_ostream os(outcome.output);
  if (options.format == Format::Json && options.inputs.size() > 1)
    return {BadInput, "", {"busfare: machines --format json shows one machine at a time"}};
  for (const std::string &name : options.inputs) {
    llvm::Expected<Machine> machine = loadMachine(name);
    if (!machine) return badInput(options, machine.takeError());
    if (options.format == Format::Json) os << llvm::formatv("{0:2}\n", toJson(*machine));
    else showMachine(*machine, os);
  }
  return outcome;
}

} // namespace busfare::frontend
