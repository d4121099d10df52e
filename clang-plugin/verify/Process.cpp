//===- clang-plugin/verify/Process.cpp - Programs run with a time limit --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/verify/Process.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <optional>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using llvm::StringRef;
using Clock = std::chrono::steady_clock;

extern char **environ;

namespace busfare::frontend::verify {

/// What one program may write to its output: a loop that prints for ever must not fill the disk.
static constexpr rlim_t mostOutputBytes = 1u << 30;
static constexpr rlim_t deepStackBytes = 1u << 30;

struct Running {
  size_t index;
  pid_t process;
  Clock::time_point begin;
  std::string out, err;
};

static double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

static std::vector<std::string> environmentOf(const Invocation &invocation) {
  std::map<std::string, std::string> all;
  for (char **entry = environ; *entry; ++entry) {
    auto [name, value] = StringRef(*entry).split('=');
    all[name.str()] = value.str();
  }
  for (const auto &[name, value] : invocation.environment) all[name] = value;
  std::vector<std::string> result;
  for (const auto &[name, value] : all) result.push_back(name + "=" + value);
  return result;
}

static std::vector<char *> pointersTo(const std::vector<std::string> &words) {
  std::vector<char *> result;
  for (const std::string &word : words) result.push_back(const_cast<char *>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

/// In the new process, where only system calls are safe.
[[noreturn]] static void become(char **words, char **environment, const char *directory, rlim_t memory, int out,
                                int err) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int in = open("/dev/null", O_RDONLY);
  rlimit noCore{0, 0}, output{mostOutputBytes, mostOutputBytes};
  setrlimit(RLIMIT_CORE, &noCore);
  setrlimit(RLIMIT_FSIZE, &output);
  rlimit space{memory, memory};
  if (memory) setrlimit(RLIMIT_AS, &space);
  // Who reads source with such a limit goes down its trees as deep as they are: an `else if` for each of thousands of
  // values.
  rlimit stack{};
  if (memory && getrlimit(RLIMIT_STACK, &stack) == 0) {
    stack.rlim_cur = std::min<rlim_t>(stack.rlim_max, deepStackBytes);
    setrlimit(RLIMIT_STACK, &stack);
  }
  bool ready = dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(err, 2) >= 0 && (!*directory || chdir(directory) == 0);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGINT, SIGPIPE}) std::signal(signal, SIG_DFL);
  if (ready) execve(words[0], words, environment);
  _exit(127);
}

static std::optional<Running> start(const Invocation &invocation, size_t index, StringRef folder) {
  Running running{index, -1, Clock::now(), (folder + "/out" + llvm::Twine(index)).str(),
                  (folder + "/err" + llvm::Twine(index)).str()};
  std::vector<std::string> environment = environmentOf(invocation);
  std::vector<char *> words = pointersTo(invocation.words), variables = pointersTo(environment);
  const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
  int out = open(running.out.c_str(), flags, 0600), err = open(running.err.c_str(), flags, 0600);
  if (out >= 0 && err >= 0) running.process = fork();
  if (running.process == 0)
    become(words.data(), variables.data(), invocation.directory.c_str(), invocation.memoryLimit, out, err);
  if (out >= 0) close(out);
  if (err >= 0) close(err);
  if (running.process < 0) return std::nullopt;
  setpgid(running.process, running.process);
  return running;
}

static std::string contentsOf(const std::string &file) {
  auto buffer = llvm::MemoryBuffer::getFile(file, false, false);
  llvm::sys::fs::remove(file);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

/// True if it has ended, by itself or because its time is over; then the outcome is filled.
static bool isPast(const Invocation &invocation) { return invocation.deadline && invocation.deadline->isUp(); }

static bool hasEnded(const Running &running, const Invocation &invocation, Finished &outcome) {
  int status = 0;
  outcome.seconds = secondsSince(running.begin);
  pid_t ended = waitpid(running.process, &status, WNOHANG);
  if (ended == 0 && outcome.seconds < invocation.limit && !isPast(invocation)) return false;
  if (ended == 0) {
    kill(-running.process, SIGKILL);
    waitpid(running.process, &status, 0);
    outcome.timedOut = true;
  }
  outcome.started = !(WIFEXITED(status) && WEXITSTATUS(status) == 127);
  outcome.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  outcome.signal = WIFSIGNALED(status) && !outcome.timedOut ? WTERMSIG(status) : 0;
  outcome.out = contentsOf(running.out);
  outcome.err = contentsOf(running.err);
  return true;
}

std::vector<Finished> runAll(llvm::ArrayRef<Invocation> invocations, StringRef folder, unsigned atOnce,
                             llvm::function_ref<void(size_t)> before) {
  std::vector<Finished> outcomes(invocations.size());
  std::vector<Running> active;
  size_t next = 0;
  while (next < invocations.size() || !active.empty()) {
    while (next < invocations.size() && active.size() < atOnce) {
      const bool isTooLate = isPast(invocations[next]);
      if (before && !isTooLate) before(next);
      if (isTooLate) outcomes[next].timedOut = true;
      else if (std::optional<Running> running = start(invocations[next], next, folder))
        active.push_back(std::move(*running));
      ++next;
    }
    double youngest = 1;
    for (size_t i = 0; i < active.size();) {
      if (hasEnded(active[i], invocations[active[i].index], outcomes[active[i].index]))
        active.erase(active.begin() + i);
      else youngest = std::min(youngest, secondsSince(active[i++].begin));
    }
    // Short programs are not kept waiting, long ones not asked often.
    if (!active.empty())
      std::this_thread::sleep_for(std::chrono::duration<double>(std::min(0.05, 0.0005 + youngest / 20)));
  }
  return outcomes;
}

Finished run(const Invocation &invocation, StringRef folder) { return runAll(invocation, folder, 1).front(); }

std::string failureOf(const Finished &outcome) {
  if (outcome.timedOut) return llvm::formatv("no end after {0:f1} s", outcome.seconds).str();
  if (!outcome.started) return "could not be started";
  if (outcome.signal)
    return llvm::formatv("ended by signal {0} ({1})", outcome.signal, strsignal(outcome.signal)).str();
  return outcome.exitCode ? llvm::formatv("exit code {0}", outcome.exitCode).str() : "";
}

} // namespace busfare::frontend::verify
