//===- clang-plugin/cli/CalibrateCommand.cpp - busfare calibrate ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs busfare-bench, which lies beside busfare, or reads the tables that it left on
// another machine; projection/Calibrate.h makes a machine file of them.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "TextFiles.h"
#include "Values.h"
#include "projection/Calibrate.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace busfare::projection;
using llvm::StringRef;

namespace busfare::frontend {

static std::string benchBeside() {
  std::string self = llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&benchBeside));
  llvm::SmallString<256> path(llvm::sys::path::parent_path(self));
  llvm::sys::path::append(path, "busfare-bench");
  return path.str().str();
}

/// What a probe writes. Error: it cannot run here, with its own words.
static llvm::Expected<std::string> runProbe(StringRef bench, StringRef probe, bool quick) {
  constexpr unsigned limitSeconds = 900;
  llvm::SmallString<128> folder;
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("busfare-calibrate", folder))
    return llvm::createStringError(code, "no temporary folder can be made");
  std::string table = (folder + "/table").str(), said = (folder + "/said").str();
  std::vector<StringRef> words = {bench, probe, "--csv", table};
  if (quick) words.push_back("--quick");
  std::string why;
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(""), StringRef(said)};
  int code = llvm::sys::ExecuteAndWait(bench, words, std::nullopt, redirects, limitSeconds, 0, &why);
  std::string text = textOfFile(table), message = StringRef(textOfFile(said)).trim().str();
  llvm::sys::fs::remove_directories(folder);
  if (code == 0) return text;
  StringRef plain = message;
  plain.consume_front("busfare-bench: ");
  return llvm::createStringError(!plain.empty() ? plain.str()
                                 : !why.empty() ? why
                                                : ("exit code " + llvm::Twine(code)).str());
}

/// Of the tables that are named, or of this machine. said: what went without.
static llvm::Expected<std::vector<ProbeTable>> tablesOf(const Options &options, std::vector<std::string> &said) {
  std::vector<ProbeTable> tables;
  auto add = [&](StringRef text, StringRef file) -> llvm::Error {
    llvm::Expected<ProbeTable> table = readProbe(text, file);
    if (!table) return table.takeError();
    tables.push_back(std::move(*table));
    return llvm::Error::success();
  };
  for (const std::string &input : options.inputs) {
    auto buffer = llvm::MemoryBuffer::getFile(input);
    if (!buffer) return llvm::createStringError(input + ": " + buffer.getError().message());
    if (llvm::Error error = add((*buffer)->getBuffer(), input)) return error;
  }
  if (!options.inputs.empty()) return tables;
  std::string bench = benchBeside();
  if (!llvm::sys::fs::can_execute(bench))
    return llvm::createStringError("'" + bench + "' is missing: build it (target busfare-bench), or name its tables");
  llvm::Expected<std::string> host = runProbe(bench, "host", options.quick);
  if (!host) return llvm::createStringError("busfare-bench host: " + llvm::toString(host.takeError()));
  if (llvm::Error error = add(*host, "busfare-bench host")) return error;
  static constexpr std::pair<const char *, const char *> probes[] = {
      {"link", "link and GPU are"}, {"start", "the start of driver and context is"}, {"tiles", "the GPU's BLAS is"}};
  for (auto [probe, what] : probes) {
    llvm::Expected<std::string> table = runProbe(bench, probe, options.quick);
    if (!table) {
      said.push_back(std::string("busfare: ") + what + " not measured: " + llvm::toString(table.takeError()));
      if (probe == StringRef("link")) break; // no GPU: the others would say the same
      continue;
    }
    if (llvm::Error error = add(*table, std::string("busfare-bench ") + probe)) return error;
  }
  return tables;
}

Outcome runCalibrate(const Options &options) {
  llvm::Expected<Machine> like = machineOf(options);
  if (!like) return badInput(options, like.takeError());
  std::vector<std::string> said;
  llvm::Expected<std::vector<ProbeTable>> tables = tablesOf(options, said);
  if (!tables) return badInput(options, tables.takeError());
  StringRef name = options.output.empty() || options.output == "-" ? StringRef("this-machine")
                                                                   : llvm::sys::path::stem(options.output);
  std::string command = options.inputs.empty() ? "busfare calibrate, busfare-bench"
                                               : "busfare-bench, " + llvm::join(options.inputs, ", ");
  llvm::Expected<Calibration> calibration = calibrate(*like, *tables, name, command);
  if (!calibration) return badInput(options, calibration.takeError());
  Outcome outcome;
  llvm::raw_string_ostream os(outcome.output);
  os << llvm::formatv("{0:2}\n", toJson(calibration->machine));
  outcome.messages = std::move(said);
  outcome.messages.push_back("busfare: " + std::to_string(calibration->measured.size()) +
                             " numbers are measured; the others are those of " + like->name +
                             (options.machines.empty() ? " (--machine NAME takes another)" : ""));
  outcome.messages.push_back(
      llvm::formatv("busfare: runs differ by {0:f1} % (standard deviation, median of the rows), at most {1:f1} % ({2})",
                    100 * calibration->noise, 100 * calibration->worstNoise, calibration->noisiest)
          .str());
  constexpr double busy = 0.1;
  if (calibration->noise > busy)
    outcome.messages.push_back("busfare: that is too much to rely on: measure again while nothing else runs here");
  return outcome;
}

} // namespace busfare::frontend
