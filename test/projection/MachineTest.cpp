//===- test/projection/MachineTest.cpp - Machine files and what is wrong with them ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Machine.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace busfare::projection;

namespace {

std::string textOf(llvm::StringRef name) {
  auto machine = loadMachine(name);
  if (!machine) {
    ADD_FAILURE() << llvm::toString(machine.takeError());
    return "";
  }
  return llvm::formatv("{0:2}", toJson(*machine)).str();
}

std::string errorOf(llvm::StringRef text) {
  auto machine = parseMachine(text, "m.json");
  if (machine)
    return "";
  return llvm::toString(machine.takeError());
}

std::string replaced(std::string text, llvm::StringRef from, llvm::StringRef to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from.str();
  return text.replace(at, from.size(), to);
}

TEST(Machine, BuiltinOnesAreThereAndEveryNumberHasASource) {
  for (const std::string &name : builtinMachineNames()) {
    auto machine = loadMachine(name);
    ASSERT_TRUE(bool(machine)) << llvm::toString(machine.takeError());
    EXPECT_EQ(machine->name, name);
    llvm::json::Value json = toJson(*machine);
    for (const char *part : {"host", "link", "gpu", "errors"})
      for (const auto &entry : *json.getAsObject()->getObject(part))
        if (const auto *quantity = entry.second.getAsObject()) {
          EXPECT_FALSE(quantity->getString("source")->empty()) << name << " " << entry.first.str();
        }
  }
}

TEST(Machine, TextIsReadBack) {
  for (const std::string &name : builtinMachineNames()) {
    std::string text = textOf(name);
    auto again = parseMachine(text, "m.json");
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
    EXPECT_EQ(llvm::formatv("{0:2}", toJson(*again)).str(), text);
  }
}

TEST(Machine, PublishedParameters) {
  auto fx = loadMachine("fx5600-pcie1");
  ASSERT_TRUE(bool(fx));
  EXPECT_DOUBLE_EQ(fx->link.pinnedH2dLatency, 10e-6);
  EXPECT_DOUBLE_EQ(fx->link.pinnedD2hBandwidth, 2.8e9);
  EXPECT_DOUBLE_EQ(fx->gpu.multiprocessors, 16);
}

TEST(Machine, ErrorsNameThePlace) {
  std::string text = textOf("fx5600-pcie1");
  EXPECT_NE(errorOf("{").find("m.json: not JSON"), std::string::npos);
  EXPECT_EQ(errorOf("[]"), "m.json: machine: expected an object, found []");
  EXPECT_NE(errorOf("{}").find("m.json: name: missing"), std::string::npos);
  EXPECT_EQ(errorOf(replaced(text, "\"multiprocessors\"", "\"processors\"")), "m.json: gpu.multiprocessors: missing");
}

TEST(Machine, NumbersMustBePossible) {
  llvm::json::Value json = toJson(llvm::cantFail(loadMachine("fx5600-pcie1")));
  auto with = [&](llvm::json::Value value) {
    llvm::json::Value copy = json;
    (*(*copy.getAsObject()->getObject("gpu")).getObject("dram_bandwidth_bytes_per_s"))["value"] = std::move(value);
    return errorOf(llvm::formatv("{0}", copy).str());
  };
  EXPECT_EQ(with(-3), "m.json: gpu.dram_bandwidth_bytes_per_s: expected a positive number, found -3");
  EXPECT_EQ(with(0), "m.json: gpu.dram_bandwidth_bytes_per_s: expected a positive number, found 0");
  EXPECT_EQ(with("fast"), "m.json: gpu.dram_bandwidth_bytes_per_s: expected a positive number, found \"fast\"");
  EXPECT_EQ(with(6e10), "");
}

TEST(Machine, UnknownNameListsThose) {
  auto machine = loadMachine("v100");
  ASSERT_FALSE(bool(machine));
  std::string message = llvm::toString(machine.takeError());
  EXPECT_NE(message.find("a100-pcie4, fx5600-pcie1"), std::string::npos) << message;
  auto missing = loadMachine("no/such.json");
  ASSERT_FALSE(bool(missing));
  EXPECT_NE(llvm::toString(missing.takeError()).find("no/such.json: "), std::string::npos);
}

} // namespace
