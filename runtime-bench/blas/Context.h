//===- runtime-bench/blas/Context.h - What is kept from call to call ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A device with its queues, memory for tiles, pinned pieces, and for each signature of a call
// (routine, sizes, flags, where its operands lie) what was chosen and what it took.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIMEBENCH_BLAS_CONTEXT_H
#define BUSFARE_RUNTIMEBENCH_BLAS_CONTEXT_H

#include "runtime-bench/blas/Arguments.h"
#include "runtime-bench/blas/HostBlas.h"
#include "runtime-bench/blas/Recurring.h"
#include "runtime-bench/blas/Select.h"
#include "runtime-bench/blas/TileMemory.h"
#include "runtime-bench/blas/busfare-blas.h"
#include <cstdio>
#include <map>
#include <mutex>
#include <optional>

namespace busfare::blas {

class Context {
public:
  explicit Context(bool behindThis) : host(behindThis) {}
  Status start(const busfare_blas_options &options, std::string &why);
  Status run(const Asked &asked, std::string &why);
  /// Even a slow core is done before a first byte could have crossed the bus and come back. Needs no lock.
  bool isTooSmall(const Call &call) const;
  Status keep(const void *from, size_t bytes);
  Status changed(const void *from, size_t bytes);
  Status release(const void *from);
  /// Operands that come again stay while the watch sees nobody write them.
  void keepWhatComesAgain(std::unique_ptr<MemoryWatch> watch);
  /// Without the device, and without any turn.
  Status runOnHost(const Call &call) const { return host.run(call); }
  busfare_blas_report last();
  /// A line for each of the signatures that took the most time: calls, where, tile, projected and measured.
  void writeReport(std::FILE *file);

private:
  struct Seen {
    Choice choice;
    std::string words; ///< dgemm NT 100 x 200 x 300, host host device
    size_t calls = 0;
    double seconds = 0, least = 0;
    busfare_blas_report last{}; ///< Where it ran, and how it was cut.
  };
  using Signature = std::vector<int64_t>;
  Seen &seenOf(const Call &call, const std::vector<Where> &places);
  /// s of the way that would be taken with the operands at these places.
  double secondsWith(const Call &call, const std::vector<Where> &places);
  /// Of each operand: it is on the device, or is to come there to stay.
  std::vector<bool> staying(const Call &call, const std::vector<Where> &places);
  void limitTiles();
  Status runThere(Call call, const std::vector<Where> &places, const std::vector<bool> &stays, const Choice &choice,
                  busfare_blas_report &now);

  busfare_blas_options options{};
  HostBlas host;
  std::optional<projection::Machine> machine;
  std::unique_ptr<Device> device;
  std::optional<TileMemory> memory;
  std::optional<Staging> staging;
  std::optional<Residents> residents;
  std::optional<Recurring> recurring;
  std::map<Signature, Seen> seen;
  busfare_blas_report report{};
  std::mutex mutex;
};

/// Dot products of nothing are zero, without any device.
void zeroResult(const Call &call);

} // namespace busfare::blas

#endif
