//===- runtime-bench/blas/Context.cpp - What is kept from call to call ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/blas/Context.h"
#include "runtime-bench/blas/CudaDevice.h"
#include "runtime-bench/blas/HostDevice.h"
#include "runtime-bench/blas/RunPanels.h"
#include "runtime-bench/blas/RunTiles.h"
#include <chrono>
#include <cstring>

namespace busfare::blas {

void zeroResult(const Call &call) {
  if (call.result) std::memset(call.result, 0, call.bytes());
}

Status Context::start(const busfare_blas_options &wanted, std::string &why) {
  options = wanted;
  const std::string backend = options.backend ? options.backend : "cuda";
  if (options.tile < 0 || options.cut < BUSFARE_BLAS_BEST || options.cut > BUSFARE_BLAS_PANELS ||
      options.copy_threads < 0 || options.where < BUSFARE_BLAS_AUTO || options.where > BUSFARE_BLAS_HOST) {
    why = "a tile is a positive length, matrices are cut the best way, in tiles or in panels, threads are a number, "
          "and where is auto, device or host";
    return Status::InvalidArgument;
  }
  if (backend == "host") {
    HostDeviceOptions hostOptions;
    hostOptions.threads = true;
    if (!host.isThere()) {
      why = "no BLAS is found for the host: libopenblas.so.0, libblas.so.3, or what $BUSFARE_BLAS_HOST names";
      return Status::NoHostBlas;
    }
    device = std::make_unique<HostDevice>(host, hostOptions);
  } else if (backend == "cuda") {
    device = cudaDevice(options.device, why);
    if (!device) return Status::NoDevice;
  } else {
    why = "no backend '" + backend + "'; there are cuda and host";
    return Status::InvalidArgument;
  }
  llvm::Expected<projection::Machine> loaded =
      projection::loadMachine(options.machine ? options.machine : machineNameFor(device->name()));
  if (!loaded) {
    why = llvm::toString(loaded.takeError());
    return Status::InvalidArgument;
  }
  machine = std::move(*loaded);
  memory.emplace(*device);
  memory->limit(options.device_bytes);
  staging.emplace(*device, unsigned(options.copy_threads));
  residents.emplace(*device);
  return Status::Ok;
}

Status Context::keep(const void *from, size_t bytes) {
  std::lock_guard lock(mutex);
  residents->keep(from, bytes);
  return Status::Ok;
}

Status Context::changed(const void *from, size_t bytes) {
  std::lock_guard lock(mutex);
  residents->changed(from, bytes);
  memory->askAgain();
  return Status::Ok;
}

Status Context::release(const void *from) {
  std::lock_guard lock(mutex);
  const bool was = residents->release(from);
  memory->askAgain();
  return was ? Status::Ok : Status::InvalidArgument;
}

void Context::keepWhatComesAgain(std::unique_ptr<MemoryWatch> watch) {
  std::lock_guard lock(mutex);
  const unsigned threads = staging->threadCount();
  recurring.emplace(std::move(watch), *residents,
                    [this, threads](size_t bytes) { return secondsToBring(bytes, *machine, threads); });
}

bool Context::isTooSmall(const Call &call) const {
  if (options.where == BUSFARE_BLAS_DEVICE) return false;
  constexpr double slowCore = 1e9; // multiply-adds a second
  const projection::Link &link = machine->link;
  const double least = link.pinnedH2dLatency + machine->gpu.launchLatency + link.pinnedD2hLatency;
  return projection::multiplicationsOf(call.shape) * (isComplex(call.element) ? 4 : 1) < slowCore * least;
}

Context::Seen &Context::seenOf(const Call &call, const std::vector<Where> &places) {
  const projection::TiledCall &shape = call.shape;
  Signature signature = {int64_t(shape.kind),
                         int64_t(call.element),
                         shape.m,
                         shape.n,
                         shape.k,
                         call.transA,
                         call.transB,
                         call.uplo,
                         call.side,
                         shape.scalesAlone,
                         call.operands.back().isRead};
  for (Where where : places) signature.push_back(int64_t(where));
  auto [place, isNew] = seen.try_emplace(signature);
  Seen &entry = place->second;
  if (!isNew) return entry;
  entry.choice = choose(call, places, *machine, memory->limit(), staging->threadCount(), Cut(options.cut));
  entry.words = call.name() + ' ' + call.transA;
  if (shape.kind == BlasKind::Gemm) entry.words += call.transB;
  for (double dimension : modelled(call, places).dimensions) entry.words += ' ' + std::to_string(int64_t(dimension));
  for (Where where : places)
    entry.words += where == Where::OnDevice ? " device" : where == Where::Pinned ? " pinned" : " pageable";
  return entry;
}

double Context::secondsWith(const Call &call, const std::vector<Where> &places) {
  const Choice &choice = seenOf(call, places).choice;
  if (options.where == BUSFARE_BLAS_DEVICE) return choice.deviceSeconds;
  return options.where == BUSFARE_BLAS_AUTO && choice.isOnDevice ? choice.deviceSeconds : choice.hostSeconds;
}

/// What stays takes memory from what calls may take for their tiles.
void Context::limitTiles() {
  const size_t held = recurring ? recurring->heldBytes() : 0;
  memory->limit(options.device_bytes ? options.device_bytes - std::min(held, options.device_bytes - 1) : 0);
  memory->askAgain();
}

std::vector<bool> Context::staying(const Call &call, const std::vector<Where> &places) {
  std::vector<bool> stays(places.size(), false);
  for (size_t i = 0; i < places.size(); ++i)
    stays[i] = places[i] != Where::OnDevice && residents->isKept(call.operands[i], call.bytes());
  if (!recurring || options.where == BUSFARE_BLAS_HOST) return stays;
  const size_t before = recurring->heldBytes();
  const std::vector<Known> known = recurring->look(call, places);
  if (recurring->heldBytes() != before) limitTiles();
  if (std::count(known.begin(), known.end(), Known::Nothing) == std::ptrdiff_t(known.size())) return stays;
  std::vector<Where> there = places;
  for (size_t i = 0; i < places.size(); ++i)
    if (known[i] != Known::Nothing) there[i] = Where::OnDevice;
  const double gain = secondsWith(call, places) - secondsWith(call, there);
  // The other half is for tiles.
  const size_t all = options.device_bytes ? options.device_bytes : memory->limit() + recurring->heldBytes();
  const std::vector<bool> again = recurring->stays(call, known, gain, all / 2);
  for (size_t i = 0; i < places.size(); ++i) stays[i] = stays[i] || again[i];
  return stays;
}

Status Context::runThere(Call call, const std::vector<Where> &places, const std::vector<bool> &stays,
                         const Choice &choice, busfare_blas_report &now) {
  size_t brought = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    if (!stays[i]) continue;
    const Operand operand = call.operands[i];
    const size_t bytes =
        residents->bring(call.operands[i], call.bytes(), places[i], *staging,
                         recurring ? recurring->edgesOf(operand, call.bytes()) : std::vector<Snapshot>());
    brought += bytes;
    if (recurring)
      recurring->cameIn(operand, call.bytes(), device->whereIs(call.operands[i].view.at) == Where::OnDevice, bytes);
  }
  if (brought) limitTiles();
  const int64_t tile = options.tile ? options.tile : choice.tile;
  Ran ran;
  try {
    std::optional<projection::PanelSchedule> panels;
    if (choice.byPanels)
      panels = panelsOf(call, placesOf(call, *device), tile, options.tile ? tile : choice.firstWidth, memory->limit());
    if (panels) {
      ran = executePanels(call, *panels, *device, *memory, *staging);
      ran.tile = tile;
      now.cut = BUSFARE_BLAS_PANELS;
    }
    // Without panels, or without the memory that they take.
    if (!panels || (ran.status == Status::OutOfMemory && ran.bytesOut == 0)) {
      ran = executeTiles(call, tile, *device, *memory, *staging);
      now.cut = BUSFARE_BLAS_TILES;
    }
  } catch (const std::exception &) {
    // No memory for the lists of steps: what was handed over still reads and writes the operands.
    device->finish();
    ran.status = Status::OutOfMemory;
  }
  now.where = BUSFARE_BLAS_DEVICE;
  now.tile = ran.tile;
  now.bytes_in = ran.bytesIn + brought;
  now.bytes_out = ran.bytesOut;
  now.kernels = ran.kernels;
  const bool asChosen = ran.tile == choice.tile && (now.cut == BUSFARE_BLAS_PANELS) == choice.byPanels;
  now.projected_s = asChosen ? choice.deviceSeconds : 0;
  return ran.status;
}

Status Context::run(const Asked &asked, std::string &why) {
  if (asked.wrong) {
    why = "argument " + std::to_string(asked.wrong) + " of " + asked.call.name() + " is not one that BLAS takes";
    return Status::InvalidArgument;
  }
  const Call &call = asked.call;
  std::unique_lock lock(mutex);
  if (!asked.hasWork) {
    zeroResult(call);
    if (call.result) residents->changed(call.result, call.bytes());
    return Status::Ok;
  }
  const std::vector<Where> places = placesOf(call, *device);
  // What is kept counts as there, also where it has to come first: it is kept because it will be used again.
  const std::vector<bool> stays = staying(call, places);
  std::vector<Where> then = places;
  for (size_t i = 0; i < places.size(); ++i)
    if (stays[i]) then[i] = Where::OnDevice;
  Seen &entry = seenOf(call, then);
  // The host cannot do it: an operand is on the device, there is no BLAS, or its integers are too short.
  const bool mustBeThere =
      std::count(places.begin(), places.end(), Where::OnDevice) > 0 || !host.isThere() || !HostBlas::takes(call);
  const bool isOnDevice = mustBeThere || (options.where == BUSFARE_BLAS_AUTO ? entry.choice.isOnDevice
                                                                             : options.where == BUSFARE_BLAS_DEVICE);
  busfare_blas_report now{};
  const auto start = std::chrono::steady_clock::now();
  Status status = Status::Ok;
  bool isDone = false;
  if (isOnDevice) {
    status = runThere(call, places, stays, entry.choice, now);
    // The device's memory is full of copies that can be brought again.
    if (status == Status::OutOfMemory && now.bytes_out == 0 && residents->dropAll()) {
      limitTiles();
      status = runThere(call, places, stays, entry.choice, now);
    }
    // Nothing has come back yet: the host can do it as if nothing had been.
    isDone = status == Status::Ok || now.bytes_out > 0 || mustBeThere || options.where == BUSFARE_BLAS_DEVICE;
  }
  const double hostSeconds = entry.choice.hostSeconds;
  if (!isDone) {
    now = {};
    now.where = BUSFARE_BLAS_HOST;
    now.projected_s = hostSeconds;
    // Calls on the host need not take turns.
    lock.unlock();
    status = host.run(call);
    lock.lock();
  }
  if (call.operands.back().isWritten) residents->wrote(call.operands.back(), call.bytes());
  if (call.result) residents->changed(call.result, call.bytes());
  now.projected_host_s = hostSeconds;
  now.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (status != Status::Ok) why = std::string(call.name()) + ": " + busfare_blas_message(busfare_blas_status(status));
  entry.least = entry.calls ? std::min(entry.least, now.seconds) : now.seconds;
  ++entry.calls;
  entry.seconds += now.seconds;
  entry.last = report = now;
  return status;
}

busfare_blas_report Context::last() {
  std::lock_guard lock(mutex);
  return report;
}

void Context::writeReport(std::FILE *file) {
  std::lock_guard lock(mutex);
  std::fprintf(file, "busfare-blas on %s, machine %s\n", device->name().c_str(), machine->name.c_str());
  std::fprintf(file, "%8s  %-6s  %6s  %12s  %12s  %12s  %s\n", "calls", "where", "tile", "projected_s", "least_s",
               "total_s", "call");
  // A factorization has a signature for each of its steps: those that took the most time say where it went.
  constexpr size_t most = 20;
  std::vector<const Seen *> entries;
  // What was never called was only asked for: with an operand elsewhere.
  for (const auto &[signature, entry] : seen)
    if (entry.calls > 0) entries.push_back(&entry);
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Seen *left, const Seen *right) { return left->seconds > right->seconds; });
  size_t calls = 0;
  double seconds = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
    const Seen &entry = *entries[i];
    if (i >= most) {
      calls += entry.calls;
      seconds += entry.seconds;
      continue;
    }
    std::fprintf(file, "%8zu  %-6s  %6lld  %12.6f  %12.6f  %12.6f  %s\n", entry.calls,
                 entry.last.where == BUSFARE_BLAS_DEVICE ? "device" : "host", static_cast<long long>(entry.last.tile),
                 entry.last.projected_s, entry.least, entry.seconds, entry.words.c_str());
  }
  if (entries.size() > most)
    std::fprintf(file, "%8zu  calls of %zu other signatures: %.6f s in all\n", calls, entries.size() - most, seconds);
  if (recurring) recurring->writeReport(file);
}

} // namespace busfare::blas
