//===- clang-plugin/cli/Drawings.cpp - Drawings as files of their own ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Drawings.h"
#include "TextFiles.h"
#include "projection/report/Html.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <optional>

using llvm::StringRef;
using namespace busfare::projection;

namespace busfare::frontend {

constexpr unsigned limitSeconds = 120;

static std::string nodeProgram() {
  for (StringRef name : {"node", "nodejs"})
    if (auto found = llvm::sys::findProgramByName(name)) return *found;
  return "";
}

llvm::Error checkDrawing() {
  if (builtinPageParts().plots.empty())
    return llvm::createStringError("drawings are not in this build: there was no npm, or it failed");
  if (nodeProgram().empty())
    return llvm::createStringError(
        "Node draws, and there is no `node` on the PATH (package nodejs); --format html draws in a browser");
  return llvm::Error::success();
}

/// All of it or nothing.
static llvm::Error writeFile(StringRef path, StringRef text) {
  return llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    os << text;
    return llvm::Error::success();
  });
}

static llvm::Expected<std::vector<Drawing>> drawingsIn(StringRef text) {
  llvm::Expected<llvm::json::Value> answer = llvm::json::parse(text);
  if (!answer) return answer.takeError();
  std::vector<Drawing> drawings;
  if (const llvm::json::Array *all = answer->getAsArray())
    for (const llvm::json::Value &value : *all) {
      const llvm::json::Object *one = value.getAsObject();
      auto string = [&](StringRef key) { return one ? one->getString(key).value_or("").str() : ""; };
      drawings.push_back({string("name"), string("kind"), string("region"), string("title"), string("svg")});
    }
  return drawings;
}

llvm::Expected<std::vector<Drawing>> draw(StringRef question) {
  if (llvm::Error error = checkDrawing()) return error;
  llvm::SmallString<128> folder;
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("busfare-plot", folder))
    return llvm::createStringError(code, "no temporary folder can be made");
  auto remove = llvm::make_scope_exit([&] { llvm::sys::fs::remove_directories(folder); });
  auto in = [&](StringRef name) { return (folder + "/" + name).str(); };
  const std::string script = in("plots.cjs"), asked = in("question.json"), drawn = in("drawn"), said = in("said");
  for (const auto &[path, text] : {std::pair(script, builtinPageParts().plots), std::pair(asked, question)})
    if (llvm::Error error = writeFile(path, text)) return error;
  const std::string node = nodeProgram();
  const StringRef words[] = {node, script, asked};
  const std::optional<StringRef> redirects[] = {StringRef(""), StringRef(drawn), StringRef(said)};
  std::string why;
  const int code = llvm::sys::ExecuteAndWait(node, words, std::nullopt, redirects, limitSeconds, 0, &why);
  if (code == 0) return drawingsIn(textOfFile(drawn));
  // Node says where in the script, and then what: "TypeError: ...".
  const std::string text = textOfFile(said);
  llvm::SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n', -1, false);
  const auto *what = llvm::find_if(
      lines, [](StringRef line) { return line.take_until([](char c) { return c == ':'; }).ends_with("Error"); });
  return llvm::createStringError(node + " could not draw: " +
                                 (!why.empty()          ? why
                                  : what != lines.end() ? what->str()
                                                        : "exit code " + std::to_string(code)));
}

std::string fileNameOf(const Drawing &drawing) {
  std::string name;
  for (char c : drawing.name)
    if (llvm::isAlnum(c) || c == '.') name += c;
    else if (!name.empty() && name.back() != '-') name += '-';
  // Paths of a hundred parts are too long for a name; what is drawn stands at the end.
  constexpr size_t longest = 120;
  return name.size() > longest ? name.substr(name.size() - longest) : name;
}

llvm::Expected<std::vector<std::string>> writeInto(StringRef folder, const std::vector<Drawing> &drawings) {
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return llvm::createStringError(code, "cannot make the folder '" + folder + "': " + code.message());
  std::vector<std::string> names;
  std::map<std::string, unsigned> times;
  for (const Drawing &drawing : drawings) {
    std::string name = fileNameOf(drawing);
    if (const unsigned before = times[name]++) name += "-" + std::to_string(before + 1);
    names.push_back(name + ".svg");
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, names.back());
    if (llvm::Error error = writeFile(path.str().str(), drawing.svg)) return error;
  }
  return names;
}

} // namespace busfare::frontend
