//===- clang-plugin/Worker.cpp - One unit read in a process of its own ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/Worker.h"
#include "clang-plugin/SourceLoops.h"
#include "clang-plugin/verify/Process.h"
#include "skeleton/Print.h"
#include "skeleton/Verify.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

using llvm::StringRef;

namespace busfare::frontend {

//===--- In the worker ----------------------------------------------------===//

/// What a worker exits with when there is no memory left.
static constexpr int outOfMemory = 75;

static std::string readable(StringRef text) { return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text); }

/// A skeleton that breaks a rule is our mistake; without it the rest still stands, as calls of it are opaque.
static llvm::json::Array dropMalformed(skeleton::Program &program) {
  llvm::json::Array leftOut;
  std::vector<skeleton::Function> kept;
  for (skeleton::Function &function : program.functions)
    if (llvm::Error error = skeleton::verify(program, function))
      leftOut.push_back(llvm::json::Array{readable(function.name), readable("its skeleton is not well formed, which is busfare's "
                                                                            "mistake: " + llvm::toString(std::move(error)))});
    else
      kept.push_back(function);
  if (!leftOut.empty())
    program.functions = std::move(kept);
  return leftOut;
}

static llvm::json::Array errorsOf(const ExtractResult &extracted) {
  constexpr size_t most = 50; // More than anybody reads.
  llvm::json::Array errors;
  for (const Diagnostic &diagnostic : extracted.diagnostics)
    if (diagnostic.level == skeleton::Level::Error && errors.size() < most)
      errors.push_back(llvm::json::Object{{"file", readable(diagnostic.location.file.str())},
                                          {"line", diagnostic.location.line},
                                          {"column", diagnostic.location.column},
                                          {"message", readable(diagnostic.message)}});
  return errors;
}

/// An allocator that finds no memory aborts, or what it returns is not looked at: then even a little more is not there.
static void onCrash(int signal) {
  constexpr size_t little = 64u << 20; // What allocators take at a time.
  void *more = mmap(nullptr, little, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (more == MAP_FAILED)
    _exit(outOfMemory);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

static llvm::json::Object toJson(const skeleton::UnitSymbols &symbols) {
  llvm::json::Array functions;
  for (const skeleton::UnitSymbols::Function &function : symbols.functions)
    functions.push_back(llvm::json::Array{function.symbol, int(function.linkage), llvm::json::Array(function.calls)});
  return llvm::json::Object{{"main", symbols.hasMain},
                            {"functions", std::move(functions)},
                            {"variables", llvm::json::Array(symbols.variables)},
                            {"undefined", llvm::json::Array(symbols.undefinedVariables)}};
}

int runWorker(llvm::ArrayRef<std::string> words) {
  if (words.size() < 4)
    return 2;
  // A crash is the parent's to tell; memory that is used up is told apart from it.
  std::set_new_handler([] { _exit(outOfMemory); });
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { _exit(outOfMemory); });
  std::signal(SIGABRT, onCrash);
  std::signal(SIGSEGV, onCrash);
  OtherUnits others;
  others.tag = words[2];
  if (!words[3].empty()) {
    auto buffer = llvm::MemoryBuffer::getFile(words[3]);
    llvm::Expected<llvm::json::Value> known = buffer ? llvm::json::parse((*buffer)->getBuffer()) : llvm::json::Value(nullptr);
    if (!known) llvm::consumeError(known.takeError());
    else if (const llvm::json::Array *list = known->getAsArray()) others.interfaces = *list;
  }
  llvm::json::Array loops;
  ExtractResult extracted = extractUnit(words[1], words.drop_front(4), words[0],
                                        [&](clang::ASTContext &context, const skeleton::Program &, const UnitPoints &) {
    for (const skeleton::Location &loop : sourceLoops(context))
      loops.push_back(llvm::json::Array{readable(loop.file.str()), loop.line, loop.column});
  }, others);
  llvm::json::Array leftOut = dropMalformed(extracted.program);
  llvm::json::Array interfaces; // of those that are still there
  for (llvm::json::Value &one : extracted.interfaces)
    if (skeleton::findFunction(extracted.program, one.getAsObject()->getString("name").value_or("")))
      interfaces.push_back(std::move(one));
  llvm::json::Value head = llvm::json::Object{{"busfare_unit", 1},
                                              {"parsed", extracted.parsed},
                                              {"left_out", std::move(leftOut)},
                                              {"errors", errorsOf(extracted)},
                                              {"symbols", toJson(extracted.symbols)},
                                              {"interfaces", std::move(interfaces)},
                                              {"variables", std::move(extracted.variables)},
                                              {"loops", std::move(loops)}};
  std::string text = llvm::formatv("{0}\n", head).str();
  if (extracted.parsed)
    text += skeleton::print(extracted.program);
  llvm::outs() << text;
  llvm::outs().flush();
  return 0;
}

//===--- In the parent ----------------------------------------------------===//

static std::set<std::string> namesIn(const llvm::json::Array *list) {
  std::set<std::string> names;
  if (list)
    for (const llvm::json::Value &one : *list)
      names.insert(one.getAsString().value_or("").str());
  return names;
}

static skeleton::UnitSymbols symbolsFrom(const llvm::json::Object &object) {
  skeleton::UnitSymbols symbols;
  symbols.hasMain = object.getBoolean("main").value_or(false);
  if (const llvm::json::Array *functions = object.getArray("functions"))
    for (const llvm::json::Value &each : *functions) {
      const llvm::json::Array &parts = *each.getAsArray();
      symbols.functions.push_back({parts[0].getAsString()->str(), skeleton::Linkage(*parts[1].getAsInteger()), namesIn(parts[2].getAsArray())});
    }
  symbols.variables = namesIn(object.getArray("variables"));
  symbols.undefinedVariables = namesIn(object.getArray("undefined"));
  return symbols;
}

static UnitText decoded(StringRef text) {
  UnitText unit;
  auto [head, body] = text.split('\n');
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(head);
  const llvm::json::Object *object = value ? value->getAsObject() : nullptr;
  const llvm::json::Array *leftOut = object ? object->getArray("left_out") : nullptr;
  const llvm::json::Array *errors = object ? object->getArray("errors") : nullptr;
  if (!value)
    llvm::consumeError(value.takeError());
  const llvm::json::Array *loops = object ? object->getArray("loops") : nullptr;
  if (!leftOut || !errors || !loops) {
    unit.lost = "nothing that can be read came back";
    return unit;
  }
  unit.parsed = object->getBoolean("parsed").value_or(false);
  unit.skeleton = body.str();
  if (const llvm::json::Object *symbols = object->getObject("symbols"))
    unit.symbols = symbolsFrom(*symbols);
  auto bySymbol = [&](const char *key, std::map<std::string, std::string> &all) {
    if (const llvm::json::Array *interfaces = object->getArray(key))
      for (const llvm::json::Value &each : *interfaces)
        if (auto symbol = each.getAsObject()->getString("symbol"))
          all[symbol->str()] = llvm::formatv("{0}", each).str();
  };
  bySymbol("interfaces", unit.interfaces);
  bySymbol("variables", unit.variables);
  for (const llvm::json::Value &each : *leftOut) {
    const llvm::json::Array &pair = *each.getAsArray();
    unit.leftOut.emplace_back(pair[0].getAsString()->str(), pair[1].getAsString()->str());
  }
  for (const llvm::json::Value &each : *errors) {
    const llvm::json::Object &one = *each.getAsObject();
    skeleton::Location location;
    location.file = one.getString("file")->str();
    location.line = unsigned(one.getInteger("line").value_or(0));
    location.column = unsigned(one.getInteger("column").value_or(0));
    unit.errors.push_back({skeleton::Level::Error, location, one.getString("message")->str()});
  }
  for (const llvm::json::Value &each : *loops) {
    const llvm::json::Array &place = *each.getAsArray();
    unit.loops.push_back({place[0].getAsString()->str(), unsigned(*place[1].getAsInteger()), unsigned(*place[2].getAsInteger())});
  }
  return unit;
}

static std::string lostBy(const verify::Finished &outcome, const WorkerLimits &limits) {
  if (outcome.timedOut && limits.deadline && limits.deadline->isUp())
    return readingTimeIsUp;
  if (outcome.timedOut)
    return llvm::formatv("reading it took more than the limit of {0} s", limits.seconds).str();
  if (outcome.exitCode == outOfMemory)
    return llvm::formatv("reading it took more than the limit of {0:f1} GiB of memory", double(limits.memoryBytes) / (1 << 30)).str();
  std::string failure = verify::failureOf(outcome);
  if (failure.empty())
    return "";
  // What it said last: an assertion, a fatal error.
  StringRef said = StringRef(outcome.err).trim();
  if (size_t at = said.rfind('\n'); at != StringRef::npos)
    said = said.drop_front(at + 1);
  return "reading it " + failure + ", which is busfare's mistake" + (said.empty() ? "" : ": " + readable(said));
}

llvm::Expected<std::vector<UnitText>> readInWorkers(llvm::ArrayRef<UnitTask> tasks, unsigned jobs, const WorkerLimits &limits,
                                                    llvm::function_ref<void(size_t)> before) {
  llvm::SmallString<128> folder;
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("busfare", folder))
    return llvm::createStringError(code, "no folder for temporary files can be made: %s", code.message().c_str());
  std::string self = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  std::vector<verify::Invocation> invocations;
  for (const UnitTask &task : tasks) {
    std::string interfaces;
    if (!task.interfaces.empty()) {
      interfaces = (folder + "/" + task.tag + ".interfaces").str();
      std::error_code code;
      llvm::raw_fd_ostream os(interfaces, code);
      os << task.interfaces;
      os.close();
      if (code || os.has_error()) {
        os.clear_error();
        return llvm::createStringError("no room for temporary files in %s", folder.c_str());
      }
    }
    verify::Invocation invocation;
    invocation.words = {self, workerCommand, task.source->directory, task.source->file, task.tag, interfaces};
    llvm::append_range(invocation.words, task.source->arguments);
    invocation.limit = limits.seconds;
    invocation.deadline = limits.deadline;
    invocation.memoryLimit = limits.memoryBytes;
    invocations.push_back(std::move(invocation));
  }
  std::vector<verify::Finished> outcomes = verify::runAll(invocations, folder, jobs, before);
  llvm::sys::fs::remove_directories(folder);
  std::vector<UnitText> units;
  for (verify::Finished &outcome : outcomes) {
    UnitText unit;
    unit.lost = lostBy(outcome, limits);
    units.push_back(unit.lost.empty() ? decoded(outcome.out) : std::move(unit));
    outcome = {};
  }
  return units;
}

} // namespace busfare::frontend
