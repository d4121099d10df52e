//===- test/fuzz/FuzzParse.cpp - Skeleton text ----------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Any text is a program or an error with its place. A program printed and read back is
// the same one; its JSON is JSON; if it means something (verify), so does each root
// with its calls substituted, and that can be printed and read back, too.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "skeleton/Directive.h"
#include "skeleton/Inline.h"
#include "skeleton/Json.h"
#include "skeleton/Parse.h"
#include "skeleton/Print.h"
#include "skeleton/Verify.h"
#include "llvm/Support/FormatVariadic.h"

using namespace busfare::skeleton;

namespace busfare::fuzz {

namespace {

/// More functions, roots or text than this is left alone: the time would go into sheer size.
constexpr size_t maxText = 16384, maxRoots = 4;

void checkPrinted(const Program &program) {
  std::string text = print(program);
  llvm::Expected<Program> again = parse(text, "printed.skel");
  require(bool(again), [&] { return "not read back: " + llvm::toString(again.takeError()); });
  require(*again == program, [&] { return "read back as another program:\n" + text + "\n" + print(*again); });
}

void checkJson(const Program &program) {
  std::string text = llvm::formatv("{0}", toJson(program)).str();
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  require(bool(value), [&] { return "no JSON: " + llvm::toString(value.takeError()); });
}

void checkRoot(const Program &program, const std::string &name) {
  llvm::Expected<Inlined> inlined = substituteCalls(program, name);
  require(bool(inlined), [&] { return llvm::toString(inlined.takeError()); });
  Program flat = program;
  flat.functions = {inlined->function};
  flat.findings = inlined->findings;
  std::string text = print(flat);
  llvm::Expected<Program> again = parse(text, "flat.skel");
  require(bool(again), [&] { return "calls substituted: not read back: " + llvm::toString(again.takeError()) + "\n" + text; });
  // Not == : what a call path is numbered has no text.
  require(print(*again) == text, [&] { return "calls substituted: read back as another program:\n" + text + "\n" + print(*again); });
  llvm::Error error = verify(program, inlined->function);
  require(!error, [&] {
    return "calls substituted: " + llvm::toString(std::move(error)) + "\n" + print(program) + "\n" + print(flat);
  });
}

} // namespace

void fuzzParse(llvm::StringRef input) {
  if (input.size() > maxText)
    return;
  llvm::Expected<Program> program = parse(input, "t.skel");
  if (!program) {
    std::string message = llvm::toString(program.takeError());
    require(llvm::StringRef(message).starts_with("t.skel:"), [&] { return "an error without a place: " + message; });
    directiveFromText(input);
    return;
  }
  checkPrinted(*program);
  checkJson(*program);
  if (llvm::Error error = verify(*program)) {
    llvm::consumeError(std::move(error));
    return;
  }
  size_t count = 0;
  for (const std::string &root : roots(*program))
    if (++count <= maxRoots)
      checkRoot(*program, root);
}

} // namespace busfare::fuzz
