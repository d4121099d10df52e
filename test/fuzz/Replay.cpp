//===- test/fuzz/Replay.cpp - Kept inputs, without libFuzzer ----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   fuzz_replay FUZZER FILE-OR-FOLDER...      all files, in the order of their names
//   fuzz_replay FUZZER --random COUNT         inputs made from the numbers 1 .. COUNT
//   fuzz_replay --seeds FOLDER                writes FOLDER/FUZZER/...: inputs that only this tree can make
//
// Ends by the first input that is wrong, takes more than ten seconds of processor time or
// crashes, and names it.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "Generate.h"
#include "projection/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <random>
#include <sys/time.h>
#include <unistd.h>
#include <vector>

using namespace busfare::fuzz;

namespace {

char current[4096] = "no input";

/// Only what a signal handler may call.
void nameAndEnd(int signal) {
  auto say = [](const char *text) { (void)!write(STDERR_FILENO, text, std::strlen(text)); };
  say(signal == SIGPROF ? "fuzz_replay: more than ten seconds of processor time: " : "fuzz_replay: crashed: ");
  say(current);
  say("\n");
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void runOne(const Fuzzer &fuzzer, llvm::StringRef name, llvm::StringRef input) {
  std::strncpy(current, name.str().c_str(), sizeof current - 1);
  itimerval limit{{0, 0}, {secondsPerInput, 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);
  fuzzer.run(input);
}

/// The files, of folders those directly in them; sorted.
std::vector<std::string> filesOf(llvm::ArrayRef<char *> paths) {
  std::vector<std::string> files;
  for (const char *path : paths) {
    if (!llvm::sys::fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    std::error_code error;
    for (llvm::sys::fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
      files.push_back(entry->path());
  }
  llvm::sort(files);
  return files;
}

int runFiles(const Fuzzer &fuzzer, llvm::ArrayRef<char *> paths) {
  std::vector<std::string> files = filesOf(paths);
  for (const std::string &file : files) {
    auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!buffer) {
      llvm::errs() << file << ": " << buffer.getError().message() << "\n";
      return 2;
    }
    runOne(fuzzer, file, (*buffer)->getBuffer());
  }
  llvm::outs() << fuzzer.name << ": " << files.size() << " inputs\n";
  return 0;
}

std::string randomBytes(unsigned seed) {
  std::mt19937 random(seed);
  std::string bytes(8 + random() % 100, 0);
  for (char &byte : bytes)
    byte = char(random());
  return bytes;
}

int runRandom(const Fuzzer &fuzzer, unsigned count) {
  for (unsigned seed = 1; seed <= count; ++seed)
    runOne(fuzzer, "random input " + std::to_string(seed), randomBytes(seed));
  llvm::outs() << fuzzer.name << ": " << count << " random inputs\n";
  return 0;
}

bool writeFile(const llvm::Twine &path, llvm::StringRef text) {
  std::error_code error = llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path.str()));
  llvm::raw_fd_ostream file(path.str(), error);
  file << text;
  return !error;
}

int writeSeeds(const std::string &folder) {
  bool good = true;
  for (const Fuzzer &fuzzer : fuzzers) {
    std::string place = folder + "/" + fuzzer.name + "/";
    for (unsigned seed = 1; fuzzer.takesText && seed <= (fuzzer.run == fuzzAnalyse ? 8u : 40u); ++seed)
      good &= writeFile(place + "random-" + std::to_string(seed), busfare::test::randomSkeleton(seed));
    for (const std::string &name : busfare::projection::builtinMachineNames())
      if (fuzzer.run == fuzzMachine)
        good &= writeFile(place + name, llvm::formatv("{0}", toJson(llvm::cantFail(busfare::projection::loadMachine(name)))).str());
    for (unsigned seed = 1; !fuzzer.takesText && fuzzer.run != fuzzMachine && seed <= 40; ++seed)
      good &= writeFile(place + "random-" + std::to_string(seed), randomBytes(seed));
  }
  return good ? 0 : 2;
}

} // namespace

void busfare::fuzz::fail(const std::string &message) {
  llvm::errs() << message << "\n";
  std::abort();
}

int main(int argc, char **argv) {
  llvm::ArrayRef<char *> arguments(argv + 1, size_t(argc - 1));
  if (arguments.size() == 2 && llvm::StringRef(arguments[0]) == "--seeds")
    return writeSeeds(arguments[1]);
  const Fuzzer *fuzzer = nullptr;
  for (const Fuzzer &candidate : fuzzers)
    if (arguments.size() >= 2 && llvm::StringRef(arguments[0]) == candidate.name)
      fuzzer = &candidate;
  if (!fuzzer) {
    llvm::errs() << "usage: fuzz_replay FUZZER FILE-OR-FOLDER... | fuzz_replay FUZZER --random COUNT | fuzz_replay --seeds FOLDER\nfuzzers:";
    for (const Fuzzer &candidate : fuzzers)
      llvm::errs() << " " << candidate.name;
    llvm::errs() << "\n";
    return 2;
  }
  for (int signal : {SIGPROF, SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS})
    std::signal(signal, nameAndEnd);
  unsigned count = 0;
  if (arguments.size() == 3 && llvm::StringRef(arguments[1]) == "--random" && !llvm::StringRef(arguments[2]).getAsInteger(10, count))
    return runRandom(*fuzzer, count);
  return runFiles(*fuzzer, arguments.drop_front());
}
