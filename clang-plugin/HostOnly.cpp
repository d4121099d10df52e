//===- clang-plugin/HostOnly.cpp - Why a call stays on the host -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "HostOnly.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/StringSwitch.h"

namespace busfare::frontend {

using skeleton::Rule;

static const char *const stays = "; the call stays on the host, and so do the loops around it";

WhyOnHost whyUnfollowed(const clang::FunctionDecl *callee, const std::string &name) {
  if (!callee) return {Rule::FunctionPointer, "which function is called through `" + name + "` is known only while it runs" + stays};
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  if (method && method->isVirtual())
    return {Rule::VirtualCall, "which " + name + " a virtual call runs is known only while it runs" + stays};
  if (method && method->getParent()->isInStdNamespace()) {
    llvm::StringRef record = method->getParent()->getName();
    if (record.starts_with("atomic") || record.starts_with("__atomic"))
      return {Rule::AtomicOperation, name + " of std::" + record.str() + " is an atomic operation, whose order is kept" + stays};
  }
  llvm::StringRef plain = name;
  if (plain.starts_with("__sync_") || plain.starts_with("__atomic_") || plain.starts_with("atomic_"))
    return {Rule::AtomicOperation, name + " is an atomic operation, whose order is kept" + stays};
  bool isJump = llvm::StringSwitch<bool>(plain)
                    .Cases("setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "longjmp", "_longjmp", "siglongjmp", true)
                    .Default(false);
  if (isJump) return {Rule::LongJump, name + " lets control come back from elsewhere, which is not followed" + stays};
  return {Rule::OpaqueCall, "the body of " + name + " is not seen; the call stays on the host"};
}

bool isOfChrono(const clang::Decl *decl) {
  for (const clang::DeclContext *around = decl->getDeclContext(); around; around = around->getParent())
    if (const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(around); space && space->getName() == "chrono" && space->getParent()->isStdNamespace())
      return true;
  return false;
}

bool isSelfContained(const clang::FunctionDecl *callee) {
  if (isOfChrono(callee)) return true;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  if (!method || !method->getParent()->isInStdNamespace() || !method->getParent()->getIdentifier()) return false;
  llvm::StringRef name = method->getParent()->getName();
  return name.ends_with("_engine") || name.ends_with("_distribution") || name == "random_device" || name == "seed_seq" || name == "basic_string" ||
         (name.starts_with("basic_") && name.ends_with("stream"));
}

std::optional<WhyOnHost> whyKnownOnHost(llvm::StringRef name, bool isInLoop) {
  bool asksThread = llvm::StringSwitch<bool>(name).Cases("omp_get_thread_num", "omp_get_num_threads", true).Default(false);
  bool isClock = llvm::StringSwitch<bool>(name)
                     .Cases("time", "clock", "omp_get_wtime", "gettimeofday", "clock_gettime", "omp_get_wtick", "MPI_Wtime", "now", true)
                     .Default(false);
  bool isEnd = llvm::StringSwitch<bool>(name)
                   .Cases("exit", "abort", "_exit", "__assert_fail", "quick_exit", "_Exit", "unreachable", true)
                   .Default(false);
  // Once, before or after the loops, they cost nothing; what a thread asks of itself says that it shares work by hand.
  if (asksThread)
    return WhyOnHost{Rule::ThreadIdentity, name.str() + " asks about the threads of the host, which share work by hand here" + stays};
  if (!isInLoop) return std::nullopt;
  if (isClock) return WhyOnHost{Rule::ClockRead, name.str() + " reads a clock of the host" + stays};
  if (isEnd) return WhyOnHost{Rule::NoReturn, name.str() + " ends the program from inside a loop" + stays};
  return WhyOnHost{Rule::OpaqueCall, name.str() + " is a function of the library that only the host has" + stays};
}

} // namespace busfare::frontend
