//===- test/projection/PlausibleTest.cpp ----------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Plausible.h"
#include "gmock/gmock.h"

namespace busfare::projection {
namespace {

TEST(Plausible, EveryBuiltInMachineIs) {
  for (const std::string &name : builtinMachineNames())
    EXPECT_THAT(implausibleNumbers(llvm::cantFail(loadMachine(name))), testing::IsEmpty()) << name;
}

TEST(Plausible, NumbersInOtherUnitsAreNot) {
  Machine machine = llvm::cantFail(loadMachine(defaultMachine));
  machine.gpu.dramBandwidth.value = 1555; // GB/s
  machine.gpu.multiprocessors.value = 3.7;
  machine.host.clock.value = 2.45; // GHz
  machine.gpu.launchLatency.value = 3; // us
  EXPECT_THAT(implausibleNumbers(machine),
              testing::UnorderedElementsAre(testing::StartsWith("gpu.dram_bandwidth_bytes_per_s: 1555 is implausible"),
                                            "gpu.multiprocessors: 3.7 is no whole number",
                                            testing::StartsWith("host.clock_hz: 2.45 is implausible"),
                                            testing::StartsWith("gpu.launch_latency_s: 3 is implausible")));
}

TEST(Plausible, KeysThatAreThereTwice) {
  EXPECT_THAT(doubledKeys(R"({"a": {"x": 1, "y": "x", "x": 2}, "b": [{"x": 1}, {"x": 1}], "a": "\"a\": "})"),
              testing::ElementsAre("a.x", "a"));
  EXPECT_THAT(doubledKeys(R"({"a": {"x": 1}, "b": {"x": 1}})"), testing::IsEmpty());
}

} // namespace
} // namespace busfare::projection
