//===- clang-plugin/cli/ManPage.cpp - Manual pages from the tables -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ManPage.h"
#include "Help.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;

namespace busfare::frontend {

/// What stands for one ASCII character; empty: itself.
static StringRef escapeOf(char c) {
  switch (c) {
  case '\\': return "\\e";
  case '-': return "\\-";
  case '`': return "\\(ga";
  case '\'': return "\\(aq";
  case '"': return "\\(dq";
  case '^': return "\\(ha";
  case '~': return "\\(ti";
  case '|': return "|\\:"; // a long line may be broken there
  default: return "";
  }
}

std::string escapedForRoff(StringRef text) {
  std::string escaped;
  for (size_t i = 0; i < text.size();) {
    const bool atStart = i == 0 || text[i - 1] == '\n';
    const unsigned char c = text[i];
    if (c < 0x80) {
      StringRef instead = escapeOf(text[i]);
      if (atStart && c == '.') escaped += "\\&";
      if (!instead.empty()) escaped += instead;
      else if (llvm::isPrint(text[i]) || c == '\n' || c == '\t') escaped += text[i];
      ++i;
      continue;
    }
    const unsigned length = llvm::getNumBytesForUTF8(c);
    const llvm::UTF8 *at = reinterpret_cast<const llvm::UTF8 *>(text.data() + i);
    llvm::UTF32 point = 0;
    if (i + length <= text.size() &&
        llvm::convertUTF8Sequence(&at, at + length, &point, llvm::strictConversion) == llvm::conversionOK) {
      escaped += llvm::formatv("\\[u{0:X-4}]", uint32_t(point)).str();
      i += length;
    } else {
      escaped += '?';
      ++i;
    }
  }
  return escaped;
}

std::string paragraphsForRoff(StringRef text) {
  std::string page;
  bool isLiteral = false, isNew = false;
  llvm::SmallVector<StringRef> lines;
  text.trim('\n').split(lines, '\n');
  for (StringRef line : lines) {
    if (line.trim().empty()) {
      isNew = true; // between paragraphs, or inside of lines that stand as they are
      continue;
    }
    const bool asIs = line.starts_with(" ");
    if (isLiteral && !asIs) page += ".EE\n.RE\n";
    if (!isLiteral && asIs) page += ".PP\n.RS 4\n.EX\n";
    else if (isLiteral && asIs && isNew) page += "\n";
    else if (!asIs && (isNew || isLiteral)) page += ".PP\n";
    isLiteral = asIs;
    isNew = false;
    page += escapedForRoff(asIs ? (line.starts_with("  ") ? line.drop_front(2) : line) : line) + "\n";
  }
  return isLiteral ? page + ".EE\n.RE\n" : page;
}

static void writeOption(const OptionEntry &option, llvm::raw_ostream &os) {
  os << ".TP\n\\fB" << escapedForRoff(option.name) << "\\fR";
  if (!option.value.empty()) os << " \\fI" << escapedForRoff(option.value) << "\\fR";
  os << '\n' << escapedForRoff(option.meaning) << '\n';
}

/// .nh, .ad l: no option's name is broken at the end of a line, and no command line stretched.
static void writeHead(StringRef name, StringRef summary, llvm::raw_ostream &os) {
  os << ".\\\" Written by busfare itself, from its tables of commands and options.\n"
     << ".TH " << escapedForRoff(name.upper()) << " 1 \"\" \"busfare " BUSFARE_VERSION "\" \"busfare\"\n"
     << ".nh\n.ad l\n.SH NAME\n"
     << escapedForRoff(name) << " \\- " << escapedForRoff(summary) << "\n.SH SYNOPSIS\n";
}

static std::string overviewPage() {
  std::string page;
  llvm::raw_string_ostream os(page);
  writeHead("busfare", "which loop nests are worth moving to a GPU, transfers included?", os);
  os << ".B busfare\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] \\fISRC\\fR... [\\-\\- \\fICOMPILER FLAGS\\fR...]\n.SH COMMANDS\n";
  for (const Command &command : commandTable())
    os << ".TP\n\\fB" << escapedForRoff(command.name) << "\\fR " << escapedForRoff(command.arguments) << '\n'
       << escapedForRoff(command.summary) << '\n';
  os << ".SH OPTIONS\nThey may stand anywhere before \\-\\-.\n";
  for (const OptionEntry &option : optionTable())
    if (!option.isFigure) writeOption(option, os);
  os << ".SH HINTS IN THE SOURCE\n"
     << paragraphsForRoff(hintsHelp()) << ".SH EXIT STATUS\n"
     << paragraphsForRoff(exitCodesHelp()) << ".SH SEE ALSO\n";
  std::vector<std::string> pages;
  for (const Command &command : commandTable())
    if (!command.help.empty()) pages.push_back("\\fB" + escapedForRoff("busfare-" + command.name.str()) + "\\fR(1)");
  os << llvm::join(pages, ",\n") << '\n';
  return page;
}

static std::string commandPage(const Command &command) {
  std::string page;
  llvm::raw_string_ostream os(page);
  writeHead("busfare-" + command.name.str(), command.summary, os);
  os << ".B busfare " << escapedForRoff(command.name) << '\n';
  if (!command.arguments.empty()) os << escapedForRoff(command.arguments) << '\n';
  os << ".SH DESCRIPTION\n" << paragraphsForRoff(command.help) << ".SH OPTIONS\n";
  for (const OptionEntry *option : optionsOf(command)) writeOption(*option, os);
  os << ".SH SEE ALSO\n\\fBbusfare\\fR(1)\n";
  return page;
}

Outcome runPrintMan(const Options &options) {
  Outcome outcome;
  const std::string wanted = options.inputs.empty() ? "" : options.inputs.front();
  if (wanted == "busfare") return {Done, overviewPage(), {}};
  if (wanted.empty()) outcome.output = "busfare\n";
  for (const Command &command : commandTable()) {
    if (command.help.empty()) // help: its page is busfare(1)
      continue;
    std::string name = "busfare-" + command.name.str();
    if (wanted.empty()) outcome.output += name + "\n";
    else if (wanted == name) return {Done, commandPage(command), {}};
  }
  if (!wanted.empty()) return {BadInput, "", {"busfare: no manual page '" + wanted + "'"}};
  return outcome;
}

} // namespace busfare::frontend
