//===- test/skeleton/SharedBodiesTest.cpp - What host statements have in common -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "skeleton/SharedBodies.h"
#include "skeleton/Inline.h"
#include "skeleton/Parse.h"
#include "skeleton/Print.h"
#include "skeleton/Verify.h"
#include "skeleton/Visit.h"
#include "gmock/gmock.h"

using namespace busfare::skeleton;
using testing::HasSubstr;
using testing::Not;

namespace {

Program parsed(const std::string &text) {
  llvm::Expected<Program> program = parse("skeleton 1 " + text, "t.skel");
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return {};
  }
  EXPECT_EQ(llvm::toString(verify(*program)), "") << text;
  return std::move(*program);
}

std::string complaint(const std::string &text) {
  llvm::Expected<Program> program = parse("skeleton 1 " + text, "t.skel");
  return program ? "" : llvm::toString(program.takeError());
}

std::string declared(const std::string &names) {
  std::string text;
  for (char name : names) text += std::string("array ") + name + " : f64[?] local ";
  return text;
}

/// As many as are worth it.
const std::string all = "abcdefgh", arrays = declared(all);

std::string touch(const std::string &names) {
  std::string text;
  for (char name : names) text += std::string(" may read ") + name + "[?] may write " + name + "[?]";
  return text;
}

std::vector<const HostStatement *> hostsOf(const Function &function) {
  std::vector<const HostStatement *> hosts;
  forEachNode(function.body, [&](const Node &node) {
    if (auto *host = std::get_if<HostStatement>(&node.kind)) hosts.push_back(host);
  });
  return hosts;
}

/// The function's text after sharing, which reads back as it is.
std::string shared(const std::string &statements) {
  Program program = parsed("function f() { " + arrays + statements + " }");
  shareBodies(program.functions.front());
  EXPECT_EQ(llvm::toString(verify(program)), "");
  const std::string text = print(program);
  llvm::Expected<Program> again = parse(text, "t.skel");
  if (!again) {
    ADD_FAILURE() << llvm::toString(again.takeError()) << "\n" << text;
    return text;
  }
  EXPECT_TRUE(*again == program) << text;
  EXPECT_EQ(print(*again), text);
  return text;
}

TEST(SharedBodies, AreOneInWhateverOrderAndPlace) {
  Program program = parsed("function f() { " + arrays + "host opaque \"f\" at 3:1 { " + touch(all) +
                           " } host opaque \"g\" at 4:1 {" + touch("hgfedcba") + " } }");
  std::vector<const HostStatement *> hosts = hostsOf(program.functions.front());
  for (const HostStatement *host : hosts) // as a walk over a source makes them
    for (Node &node : const_cast<HostStatement *>(host)->body.edit())
      std::get<Access>(node.kind).location = host->location;
  shareBodies(program.functions.front());
  hosts = hostsOf(program.functions.front());
  ASSERT_EQ(hosts.size(), 2u);
  EXPECT_EQ(hosts[0]->body.identity(), hosts[1]->body.identity());
  const Access &first = std::get<Access>(hosts[1]->body.begin()->kind);
  EXPECT_FALSE(first.location.isKnown());
  EXPECT_EQ(locationOf(first, hosts[1]).line, 4u);
}

TEST(SharedBodies, AreWrittenOnceAndByWhatTheyAdd) {
  std::string text = shared("reach 1 {" + touch("ab") +
                            " } reach 2 from 1 { may read c[?] } "
                            "host opaque \"f\" reaching 1 host opaque \"g\" reaching 2 host opaque \"h\" reaching 1 "
                            "host opaque \"k\" reaching 2");
  EXPECT_THAT(text, HasSubstr("reach 1 {\n"));
  EXPECT_THAT(text, HasSubstr("reach 2 from 1 {\n    may read c[?]\n  }\n"));
  EXPECT_THAT(text, HasSubstr("host opaque \"k\" reaching 2 at"));
}

TEST(SharedBodies, KeepTheOrderThatMatters) {
  // A read behind a sure write is not one of what was there before.
  std::string text = shared("host opaque \"f\" at ? { write a[0] at ?" + touch(all) + " } host opaque \"g\" at ? { " +
                            touch(all) + " write a[0] at ? }");
  EXPECT_THAT(text, Not(HasSubstr("reach")));
}

TEST(SharedBodies, ChangeByThemselves) {
  SharedBlock body(Block{Node(Access())}), same = body;
  std::get<Access>(same.edit().front().kind).array = "a";
  EXPECT_NE(body.identity(), same.identity());
  EXPECT_EQ(std::get<Access>(body.begin()->kind).array, "");
  EXPECT_EQ(SharedBlock(), SharedBlock(Block()));
  EXPECT_TRUE(SharedBlock(Block()).empty());
}

TEST(SharedBodies, StayTogetherWhenCallsAreSubstituted) {
  Program program = parsed("function main() { array x : f64[100] local call f(&x) } "
                           "function f(array a) { array a : f64[?] " +
                           declared("bcdefgh") + "reach 1 {" + touch(all) +
                           " } host opaque \"f\" reaching 1 host opaque \"g\" reaching 1 }");
  Inlined inlined = llvm::cantFail(substituteCalls(program, "main"));
  std::vector<const HostStatement *> hosts = hostsOf(inlined.function);
  ASSERT_EQ(hosts.size(), 2u);
  EXPECT_EQ(hosts[0]->body.identity(), hosts[1]->body.identity());
  EXPECT_EQ(hosts[0]->body.size(), 16u);
}

TEST(SharedBodies, ComplaintsSayWhatIsWrong) {
  EXPECT_THAT(complaint("function f() { " + arrays + "host opaque \"f\" reaching 2 }"),
              HasSubstr("no reach of this number"));
  EXPECT_THAT(complaint("function f() { " + arrays + "reach 1 { may read a[?] } reach 2 from 1 { read a[0] } }"),
              HasSubstr("may touch any elements"));
  EXPECT_THAT(complaint("function f() { " + arrays + "reach 1 { may read a[?] } reach 1 { may read b[?] } }"),
              HasSubstr("a reach of this number already"));
}

} // namespace
