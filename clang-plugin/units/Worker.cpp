//===- clang-plugin/units/Worker.cpp - One unit read in a process of its own -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Worker.h"
#include "Words.h"
#include "clang-plugin/lower/SourceLoops.h"
#include "clang-plugin/rehearsal/Rehearsal.h"
#include "clang-plugin/verify/Process.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

using llvm::StringRef;

namespace busfare::frontend {

//===--- In the worker ----------------------------------------------------===//

static constexpr const char *surveyDepth = "survey";

/// What a worker exits with when there is no memory left.
static constexpr int outOfMemory = 75;

/// An allocator that finds no memory aborts, or what it returns is not looked at: then even a little more is not there.
static void onCrash(int signal) {
  constexpr size_t little = 64u << 20; // What allocators take at a time.
  void *more = mmap(nullptr, little, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (more == MAP_FAILED) _exit(outOfMemory);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

int runWorker(llvm::ArrayRef<std::string> words) {
  if (words.size() < 5) return 2;
  // A crash is the parent's to tell; memory that is used up is told apart from it.
  std::set_new_handler([] { _exit(outOfMemory); });
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { _exit(outOfMemory); });
  std::signal(SIGABRT, onCrash);
  std::signal(SIGSEGV, onCrash);
  OtherUnits others;
  others.tag = words[2];
  others.surveys = words[3] == surveyDepth;
  if (!words[4].empty()) {
    auto buffer = llvm::MemoryBuffer::getFile(words[4]);
    llvm::Expected<llvm::json::Value> known =
        buffer ? llvm::json::parse((*buffer)->getBuffer()) : llvm::json::Value(nullptr);
    if (!known) llvm::consumeError(known.takeError());
    else if (const llvm::json::Array *list = known->getAsArray()) others.interfaces = *list;
  }
  // The program's own arguments are no flag of the compiler's.
  std::vector<std::string> flags(words.begin() + 5, words.end());
  std::optional<std::vector<std::string>> arguments;
  llvm::erase_if(flags, [&](StringRef flag) {
    if (!flag.consume_front(programArgumentsFlag)) return false;
    llvm::Expected<std::vector<std::string>> split = splitWords(flag);
    if (split) arguments = std::move(*split);
    else llvm::consumeError(split.takeError());
    return true;
  });
  RehearsedValues rehearsed;
  std::vector<skeleton::Location> loops;
  auto asked = std::make_shared<FileAnswers>();
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk = loggedFiles(llvm::vfs::createPhysicalFileSystem(), asked);
  ExtractResult extracted = extractUnit(
      words[1], flags, words[0],
      [&](clang::ASTContext &context, const skeleton::Program &, const UnitReadings &) {
        loops = sourceLoops(context);
        if (arguments) rehearsed = rehearse(context, *arguments);
      },
      others, disk.get());
  takeRehearsed(rehearsed, true, extracted.program);
  std::string text = textOf(std::move(extracted), loops, *asked);
  llvm::outs() << text;
  llvm::outs().flush();
  return 0;
}

//===--- In the parent ----------------------------------------------------===//

static std::string lostBy(const verify::Finished &outcome, const WorkerLimits &limits) {
  if (outcome.timedOut && limits.deadline && limits.deadline->isUp()) return readingTimeIsUp;
  if (outcome.timedOut)
    return llvm::formatv("reading it took more than the limit of {0} s (--unit-time-limit)", limits.seconds).str();
  std::string failure = verify::failureOf(outcome);
  if (failure.empty()) return "";
  // Below this not even an empty unit can be read, and how that ends is a matter of chance.
  constexpr uint64_t least = uint64_t(1) << 30;
  if (outcome.exitCode == outOfMemory || (limits.memoryBytes != 0 && limits.memoryBytes < least))
    return llvm::formatv("reading it took more than the limit of {0} GiB of address space (--unit-memory-limit)",
                         llvm::format("%.3g", double(limits.memoryBytes) / (1 << 30)))
        .str();
  // What it said last: an assertion, a fatal error.
  StringRef said = StringRef(outcome.err).trim();
  if (size_t at = said.rfind('\n'); at != StringRef::npos) said = said.drop_front(at + 1);
  return "reading it " + failure + ", which is busfare's mistake" +
         (said.empty() ? "" : ": " + llvm::json::fixUTF8(said));
}

llvm::Expected<std::vector<UnitAnswer>> readInWorkers(llvm::ArrayRef<UnitTask> tasks, unsigned jobs,
                                                      const WorkerLimits &limits,
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
    invocation.words = {self,
                        workerCommand,
                        task.source->directory,
                        task.source->file,
                        task.tag,
                        task.surveys ? surveyDepth : "whole",
                        interfaces};
    llvm::append_range(invocation.words, task.source->arguments);
    invocation.limit = limits.seconds;
    invocation.deadline = limits.deadline;
    invocation.memoryLimit = limits.memoryBytes;
    invocations.push_back(std::move(invocation));
  }
  std::vector<verify::Finished> outcomes = verify::runAll(invocations, folder, jobs, before);
  llvm::sys::fs::remove_directories(folder);
  std::vector<UnitAnswer> answers;
  for (verify::Finished &outcome : outcomes) {
    std::string lost = lostBy(outcome, limits);
    answers.push_back({std::move(outcome.out), std::move(lost)});
    outcome = {};
  }
  return answers;
}

} // namespace busfare::frontend
