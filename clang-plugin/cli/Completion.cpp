//===- clang-plugin/cli/Completion.cpp - What a shell offers for a half word -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Completion.h"
#include "projection/Machine.h"
#include "projection/report/Writers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using llvm::StringRef;

namespace busfare::frontend {

namespace {
/// What may stand for an option's value, or behind a command.
struct Offer {
  std::vector<std::string> words;
  bool files = false;
};
} // namespace

/// Where the table's own list does not hold; empty elsewhere.
static std::vector<std::string> formatsOf(StringRef command) {
  if (command == "port") return {"source", "patch", "yaml", "json"};
  return {};
}

static Offer offerFor(const OptionEntry &option, StringRef command) {
  // Values that the table names by one word.
  static const std::map<StringRef, std::vector<std::string>> known = {
      {"--kernels", {"all", "planned", "marked"}},
      {"--plan", {"explicit", "planned", "streams"}},
      {"--variant", {"plain", "present", "watched", "ordered"}},
      {"--fail-on", {"port", "keep", "measure"}},
      {"--model", {"linear", "loggp", "packets", "peak", "envelope"}},
  };
  if (auto found = known.find(option.name); found != known.end()) return {found->second, false};
  if (option.name == "--format" && !formatsOf(command).empty()) return {formatsOf(command), false};
  if (option.value == "NAME|FILE") return {projection::builtinMachineNames(), true};
  llvm::SmallVector<StringRef> parts;
  option.value.split(parts, '|');
  const bool areWords = llvm::all_of(parts, [](StringRef part) {
    return !part.empty() &&
           llvm::all_of(part, [](char c) { return llvm::isDigit(c) || (c >= 'a' && c <= 'z') || c == '-'; });
  });
  if (areWords && parts.size() > 1) return {std::vector<std::string>(parts.begin(), parts.end()), false};
  return {{},
          option.value == "FILE" || option.value == "FOLDER" || option.value == "BUILD" || option.value.contains('.')};
}

/// What may stand behind a command, besides options.
static Offer offerBehind(StringRef command) {
  Offer offer{{}, true};
  if (command == "help") {
    offer.files = false;
    for (const Command &each : commandTable()) offer.words.push_back(each.name.str());
    offer.words.push_back("hints");
  } else if (command == "schema") {
    offer.files = false;
    for (StringRef name : projection::schemaNames()) offer.words.push_back(name.str());
  } else if (command == "machines") {
    offer.words = projection::builtinMachineNames();
    offer.words.push_back("check");
  }
  return offer;
}

/// The first clause: one line has room for no more.
static std::string brief(StringRef meaning) {
  StringRef clause = meaning.take_front(meaning.find_first_of(";("));
  auto [before, behind] = clause.split(": ");
  llvm::SmallVector<StringRef> names;
  before.split(names, ", ");
  if (!behind.empty() && llvm::all_of(names, [](StringRef name) { return findCommand(name); }))
    clause = behind; // `verify, measure: `, which the shell knows already
  else if (meaning.drop_front(clause.size()).starts_with("(default)"))
    clause = before; // `what goes to stdout: text (default), json`, which it offers
  return clause.trim().str();
}

//===--- bash -------------------------------------------------------------===//

static std::string namesOf(const Command &command) {
  std::vector<std::string> names;
  for (const OptionEntry *option : optionsOf(command)) names.push_back(option->name.str());
  return llvm::join(names, " ");
}

/// Sets `values` and `files`, in bash and zsh alike.
static void writeOffer(const Offer &offer, llvm::raw_ostream &os) {
  os << "values='" << llvm::join(offer.words, " ") << "' files=" << (offer.files ? "yes" : "") << " ;;\n";
}

/// A case for each option with a value: `--machine) values=... ;;`, by the command where that decides.
static void writeValues(llvm::raw_ostream &os) {
  os << "  case \"$command:$option\" in\n";
  for (const OptionEntry &option : optionTable()) {
    if (option.value.empty()) continue;
    if (option.name == "--format")
      for (const Command &command : commandTable())
        if (!formatsOf(command.name).empty()) {
          os << "  " << command.name << ":--format) ";
          writeOffer(offerFor(option, command.name), os);
        }
    os << "  *:" << option.name << ") ";
    writeOffer(offerFor(option, ""), os);
  }
  os << "  *) wants= ;;\n  esac\n";
}

static void writeCommands(llvm::raw_ostream &os) {
  os << "  case $command in\n";
  for (const Command &command : commandTable()) {
    os << "  " << command.name << ") options='" << namesOf(command) << "' ";
    writeOffer(offerBehind(command.name), os);
  }
  os << "  *) options='--help --version' values='";
  std::vector<std::string> names;
  for (const Command &command : commandTable()) names.push_back(command.name.str());
  os << llvm::join(names, " ") << "' files= ;;\n  esac\n";
}

static std::string patternOfCommands() {
  std::vector<std::string> names;
  for (const Command &command : commandTable()) names.push_back(command.name.str());
  return llvm::join(names, "|");
}

static std::string bashScript() {
  std::string script;
  llvm::raw_string_ostream os(script);
  os << R"(# bash completion for busfare, written by `busfare print-completion bash`.
_busfare() {
  local current=${COMP_WORDS[COMP_CWORD]} option= command= options= values= files= wants=yes i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
    --) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;; # the compiler's
    )"
     << patternOfCommands() << R"() [ -n "$command" ] || command=${COMP_WORDS[i]} ;;
    esac
  done
  # bash takes --machine=a100 for three words.
  option=${COMP_WORDS[COMP_CWORD - 1]}
  if [ "$current" = = ]; then
    current=
  elif [ "$option" = = ] && ((COMP_CWORD > 1)); then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  fi
)";
  writeValues(os);
  os << R"(  if [ -z "$wants" ]; then
)";
  writeCommands(os);
  os << R"(    case $current in
    -*) values=$options files= ;;
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current"; [ -z "$files" ] || compgen -f -- "$current")
}
complete -o filenames -F _busfare busfare
)";
  return script;
}

//===--- zsh --------------------------------------------------------------===//

/// In single quotes of a POSIX shell.
static std::string inQuotes(StringRef text) {
  std::string quoted = "'";
  for (char c : text)
    if (c == '\'') quoted += "'\\''";
    else quoted += c;
  return quoted + "'";
}

/// `name:meaning`, as _describe wants it.
static std::string described(StringRef name, StringRef meaning) {
  return inQuotes(llvm::join(llvm::split(name, ':'), "\\:") + ":" + brief(meaning));
}

static std::string zshScript() {
  std::string script;
  llvm::raw_string_ostream os(script);
  os << R"(#compdef busfare
# zsh completion for busfare, written by `busfare print-completion zsh`.
_busfare() {
  local option=${words[CURRENT-1]} command= files= wants=yes i word
  local -a subcommands described
  local -a line; line=("${words[@]}")
  for ((i = 2; i < CURRENT; i++)); do
    word=${line[i]}
    case $word in
    --) _files; return ;; # the compiler's
    )"
     << patternOfCommands() << R"() [[ -n $command ]] || command=$word ;;
    esac
  done
  if [[ $PREFIX == --*=* ]]; then
    option=${PREFIX%%=*}
    compset -P '*='
  fi
  local values=
)";
  writeValues(os);
  os << R"(  if [[ -n $wants ]]; then
    [[ -z $values ]] || compadd -- ${=values}
    [[ -z $files ]] || _files
    return
  fi
  case $command in
)";
  for (const Command &command : commandTable()) {
    os << "  " << command.name << ")\n    described=(";
    for (const OptionEntry *option : optionsOf(command)) os << "\n      " << described(option->name, option->meaning);
    os << ")\n    ";
    writeOffer(offerBehind(command.name), os);
  }
  os << "  *)\n    subcommands=(";
  for (const Command &command : commandTable()) os << "\n      " << described(command.name, command.summary);
  os << R"()
    [[ $PREFIX == -* ]] && compadd -- --help --version || _describe -t commands command subcommands
    return ;;
  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o -t options option described
  else
    [[ -z $values ]] || compadd -- ${=values}
    [[ -z $files ]] || _files
  fi
}
if [[ $funcstack[1] == _busfare ]]; then _busfare "$@"; else compdef _busfare busfare; fi
)";
  return script;
}

//===--- fish -------------------------------------------------------------===//

static std::string inFishQuotes(StringRef text) {
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

static std::string fishScript() {
  std::string script;
  llvm::raw_string_ostream os(script);
  std::vector<std::string> names;
  for (const Command &command : commandTable()) names.push_back(command.name.str());
  os << "# fish completion for busfare, written by `busfare print-completion fish`.\n"
     << "set -l commands " << llvm::join(names, " ") << '\n'
     << "complete -c busfare -n \"not __fish_seen_subcommand_from $commands\" -f\n"
     << "complete -c busfare -n \"not __fish_seen_subcommand_from $commands\" -l version -d 'the version'\n";
  for (const Command &command : commandTable())
    os << "complete -c busfare -n \"not __fish_seen_subcommand_from $commands\" -a " << command.name << " -d "
       << inFishQuotes(command.summary) << '\n';
  for (const Command &command : commandTable()) {
    const std::string seen = "complete -c busfare -n '__fish_seen_subcommand_from " + command.name.str() + "'";
    Offer behind = offerBehind(command.name);
    if (!behind.words.empty())
      os << seen << (behind.files ? "" : " -f") << " -a " << inFishQuotes(llvm::join(behind.words, " ")) << '\n';
    for (const OptionEntry *option : optionsOf(command)) {
      StringRef name = option->name;
      os << seen << (name.consume_front("--") ? " -l " : " -s ") << name.ltrim('-');
      if (!option->value.empty()) {
        Offer offer = offerFor(*option, command.name);
        os << (offer.files ? " -r -F" : " -x");
        if (!offer.words.empty()) os << " -a " << inFishQuotes(llvm::join(offer.words, " "));
      }
      os << " -d " << inFishQuotes(brief(option->meaning)) << '\n';
    }
  }
  return script;
}

Outcome runPrintCompletion(const Options &options) {
  StringRef shell = options.inputs.empty() ? StringRef() : StringRef(options.inputs.front());
  if (shell == "bash") return {Done, bashScript(), {}};
  if (shell == "zsh") return {Done, zshScript(), {}};
  if (shell == "fish") return {Done, fishScript(), {}};
  return {BadInput, "", {"busfare: print-completion wants bash, zsh or fish"}};
}

} // namespace busfare::frontend
