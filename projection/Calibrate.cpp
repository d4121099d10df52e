//===- projection/Calibrate.cpp - A machine file from measurements --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Calibrate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cmath>

namespace busfare::projection {

namespace {

llvm::Error wrong(llvm::StringRef file, unsigned line, const llvm::Twine &what) {
  return llvm::createStringError(file + ":" + llvm::Twine(line) + ": " + what);
}

llvm::Expected<ProbeRow> readRow(llvm::StringRef line, llvm::StringRef file, unsigned number) {
  constexpr size_t columns = 11;
  llvm::SmallVector<llvm::StringRef> cells;
  line.split(cells, ',');
  if (cells.size() != columns)
    return wrong(file, number, "expected " + llvm::Twine(columns) + " columns, found " + llvm::Twine(cells.size()));
  ProbeRow row{cells[0].str(), cells[1].str(), cells[2].str()};
  std::pair<double *, size_t> numbers[] = {{&row.bytes, 3}, {&row.pieces, 4}, {&row.repeats, 5},  {&row.least, 6},
                                           {&row.mean, 7},  {&row.median, 8}, {&row.deviation, 9}};
  for (auto [value, column] : numbers)
    if (cells[column].getAsDouble(*value) || !std::isfinite(*value) || *value < 0)
      return wrong(file, number,
                   "expected a number in column " + llvm::Twine(column + 1) + ", found '" + cells[column] + "'");
  if (row.least <= 0 || row.median < row.least)
    return wrong(file, number,
                 "expected times above 0, the median no less than the minimum, found " + cells[6] + " and " + cells[8]);
  return row;
}

class Calibrator {
public:
  Calibrator(const Machine &like, llvm::StringRef name, llvm::StringRef command) : command(command) {
    result.machine = like;
    result.machine.name = name.str();
    result.machine.file.clear();
  }
  void add(const ProbeTable &table);
  void addNoise(llvm::ArrayRef<ProbeTable> tables);
  Calibration result;

private:
  const std::string command;

  /// Of the rows of one test, the one that `matches`.
  template <class Matches> static const ProbeRow *find(const ProbeTable &table, llvm::StringRef test, Matches matches) {
    for (const ProbeRow &row : table.rows)
      if (row.test == test && matches(row)) return &row;
    return nullptr;
  }
  static const ProbeRow *find(const ProbeTable &table, llvm::StringRef test) {
    return find(table, test, [](const ProbeRow &) { return true; });
  }
  static const ProbeRow *most(const ProbeTable &table, llvm::StringRef test, double ProbeRow::*size) {
    const ProbeRow *found = nullptr;
    for (const ProbeRow &row : table.rows)
      if (row.test == test && (!found || row.*size > found->*size)) found = &row;
    return found;
  }

  void set(Quantity &quantity, const char *key, double value, const llvm::Twine &how,
           SourceKind kind = SourceKind::Measured) {
    quantity = {value, kind, (command + ": " + how).str(), false, {}};
    result.measured.push_back(key);
  }
  void setFact(const ProbeTable &table, const char *fact, Quantity &quantity, const char *key, bool mayBeZero = false) {
    auto found = table.facts.find(fact);
    double value = 0;
    if (found != table.facts.end() && !llvm::StringRef(found->second).getAsDouble(value) && (value > 0 || mayBeZero))
      set(quantity, key, value, "as the system reports");
  }
  void addHost(const ProbeTable &table);
  void addArithmetic(const ProbeTable &table);
  void addLink(const ProbeTable &table);
  void addDevice(const ProbeTable &table);
  void addStart(const ProbeTable &table);
  void addTiles(const ProbeTable &table);
  void addCopies(const ProbeTable &table, Direction direction, HostMemory memory, Quantity &latency,
                 Quantity &bandwidth);
};

void Calibrator::addArithmetic(const ProbeTable &table) {
  Host &host = result.machine.host;
  const ProbeRow *clock = find(table, "clock");
  if (!clock) return;
  set(host.clock, "host.clock_hz", 1 / clock->least, "a chain of additions, one a cycle");
  if (const ProbeRow *fma = find(table, "fma", [](const ProbeRow &row) { return row.pieces == 1; })) {
    double each = host.simdBytes / 8 * (1 + host.fusedMultiplyAdd),
           pipes = std::max(1.0, std::round(1 / fma->least / host.clock / each));
    set(host.vectorPipes, "host.vector_pipes", pipes, "the peak of one core over clock and width, rounded",
        SourceKind::Derived);
  }
  if (const ProbeRow *divide = find(table, "divide"))
    set(host.divideCycles, "host.divide_cycles", divide->least * host.clock, "independent scalar divisions");
  if (const ProbeRow *special = find(table, "special"))
    set(host.specialCycles, "host.special_cycles", special->least * host.clock, "exp");
  if (const ProbeRow *read = find(table, "read", [](const ProbeRow &row) { return row.memory == "l1"; })) {
    double loads = std::max(1.0, std::round(read->bytes / read->least / host.clock / host.simdBytes));
    set(host.loadsPerCycle, "host.loads_per_cycle", loads, "vectors read from L1, rounded", SourceKind::Derived);
  }
}

void Calibrator::addHost(const ProbeTable &table) {
  Machine &machine = result.machine;
  Host &host = machine.host;
  if (auto name = table.facts.find("processor"); name != table.facts.end()) host.name = name->second;
  setFact(table, "cores", host.cores, "host.cores");
  setFact(table, "threads", host.threads, "host.threads");
  setFact(table, "vector_bytes", host.simdBytes, "host.simd_bytes");
  setFact(table, "fused", host.fusedMultiplyAdd, "host.fused_multiply_add", true);
  setFact(table, "l1_bytes", host.l1Bytes, "host.l1_bytes");
  setFact(table, "l2_bytes", host.l2Bytes, "host.l2_bytes");
  setFact(table, "last_level_bytes", host.lastLevelBytes, "host.last_level_bytes");
  addArithmetic(table);
  auto readIn = [&](const char *level) {
    return find(table, "read", [&](const ProbeRow &row) { return row.memory == level; });
  };
  if (const ProbeRow *read = readIn("l2"))
    set(host.l2Bandwidth, "host.l2_bandwidth_bytes_per_s", read->bytes / read->median, "read by one core, half of L2");
  if (const ProbeRow *read = readIn("last_level"))
    set(host.lastLevelBandwidth, "host.last_level_bandwidth_bytes_per_s", read->bytes / read->median,
        "read by one core, beyond L2");
  if (const ProbeRow *triad = find(table, "triad", [](const ProbeRow &row) { return row.pieces == 1; }))
    set(host.dramBandwidthCore, "host.dram_bandwidth_core_bytes_per_s", triad->bytes / triad->median,
        "triad on one core");
  if (const ProbeRow *triad = most(table, "triad", &ProbeRow::pieces)) {
    set(host.dramBandwidth, "host.dram_bandwidth_bytes_per_s", triad->bytes / triad->median, "triad on all threads");
    host.peakDramBandwidth = {std::nullopt, "no probe tells it"};
  }
  if (const ProbeRow *fork = find(table, "fork"))
    set(host.forkJoin, "host.fork_join_s", fork->median, "an empty OpenMP parallel region");
}

void Calibrator::addCopies(const ProbeTable &table, Direction direction, HostMemory memory, Quantity &latency,
                           Quantity &bandwidth) {
  TransferCurve curve;
  curve.direction = direction;
  curve.memory = memory;
  curve.source = command + ": copies, medians";
  const ProbeRow *smallest = nullptr, *largest = nullptr;
  for (const ProbeRow &row : table.rows) {
    if (row.test != "copy" || row.direction != toString(direction) || row.memory != toString(memory) || row.bytes <= 0)
      continue;
    curve.points.push_back({row.bytes, row.median});
    smallest = !smallest || row.bytes < smallest->bytes ? &row : smallest;
    largest = !largest || row.bytes > largest->bytes ? &row : largest;
  }
  if (curve.points.size() < 2) return;
  curve.rising = risingPoints(curve.points);
  std::string key = ("link." + toString(memory) + "_" + toString(direction)).str();
  std::string latencyKey = key + "_latency_s", bandwidthKey = key + "_bandwidth_bytes_per_s";
  set(latency, latencyKey.c_str(), smallest->mean, "a copy of " + llvm::Twine(uint64_t(smallest->bytes)) + " B, mean");
  set(bandwidth, bandwidthKey.c_str(), largest->bytes / largest->mean,
      "a copy of " + llvm::Twine(uint64_t(largest->bytes)) + " B, mean");
  Link &link = result.machine.link;
  llvm::erase_if(link.measured,
                 [&](const TransferCurve &old) { return old.direction == direction && old.memory == memory; });
  link.measured.push_back(std::move(curve));
}

/// The number in front of `unit` in a comment line: "132 SMs at up to 1980 MHz", " SMs" -> 132.
static std::optional<double> numberBefore(llvm::StringRef text, llvm::StringRef unit) {
  size_t end = text.find(unit);
  if (end == llvm::StringRef::npos) return std::nullopt;
  llvm::StringRef before = text.take_front(end);
  size_t start = before.find_last_not_of("0123456789.");
  double value = 0;
  if (before.drop_front(start == llvm::StringRef::npos ? 0 : start + 1).getAsDouble(value) || value <= 0)
    return std::nullopt;
  return value;
}

/// What the driver says of the GPU and the kernel of its link, in the comment lines.
void Calibrator::addDevice(const ProbeTable &table) {
  Machine &machine = result.machine;
  Gpu &gpu = machine.gpu;
  auto factOf = [&](const char *name) {
    auto found = table.facts.find(name);
    return found == table.facts.end() ? llvm::StringRef() : llvm::StringRef(found->second);
  };
  llvm::StringRef device = factOf("device"), memory = factOf("memory"), link = factOf("link");
  if (device.empty()) return;
  gpu.name = device.split(", compute capability").first.str();
  auto take = [&](std::optional<double> value, double unit, Quantity &quantity, const char *key) {
    if (value) set(quantity, key, *value * unit, "as the driver reports", SourceKind::Datasheet);
  };
  take(numberBefore(device, " SMs"), 1, gpu.multiprocessors, "gpu.multiprocessors");
  take(numberBefore(device, " MHz"), 1e6, gpu.clock, "gpu.clock_hz");
  take(numberBefore(memory, " bytes"), 1, gpu.dramBytes, "gpu.dram_bytes");
  take(numberBefore(memory.rsplit(", L2 ").second, " bytes"), 1, gpu.l2Bytes, "gpu.l2_bytes");
  std::optional<double> width = numberBefore(memory, "-bit bus"), clock = numberBefore(memory, " MHz");
  if (width && clock) {
    gpu.peakDramBandwidth.known.emplace();
    set(*gpu.peakDramBandwidth.known, "gpu.peak_dram_bandwidth_bytes_per_s", 2 * *width / 8 * *clock * 1e6,
        "two transfers a clock of the bus as the driver reports it", SourceKind::Derived);
  }
  // The slot's best, which the GPU leaves while it is idle.
  auto [now, best] = link.split(" now of ");
  static constexpr std::pair<double, double> generations[] = {{2.5, 1}, {5, 2}, {8, 3}, {16, 4}, {32, 5}, {64, 6}};
  std::optional<double> rate = numberBefore(best, " GT/s"),
                        lanes = numberBefore(link.rsplit("width ").second.split(" of ").second, ",");
  for (auto [speed, generation] : generations)
    if (rate && lanes && *rate == speed) {
      machine.link.name = ("PCIe " + llvm::Twine(unsigned(generation)) + " x" + llvm::Twine(unsigned(*lanes))).str();
      machine.link.pcieGeneration.known.emplace();
      set(*machine.link.pcieGeneration.known, "link.pcie_generation", generation, "as the system reports",
          SourceKind::Datasheet);
      machine.link.lanes.known.emplace();
      set(*machine.link.lanes.known, "link.lanes", *lanes, "as the system reports", SourceKind::Datasheet);
    }
}

/// Once a program; then by the largest block.
void Calibrator::addStart(const ProbeTable &table) {
  Gpu &gpu = result.machine.gpu;
  const ProbeRow *driver = find(table, "driver"), *context = find(table, "context");
  if (driver && context)
    set(gpu.contextStart, "gpu.context_start_s", driver->median + context->median,
        "until the driver has counted the devices, and until one can be used");
  if (const ProbeRow *alloc = most(table, "device_alloc", &ProbeRow::bytes))
    set(gpu.allocation, "gpu.allocation_s", alloc->median,
        "cudaMalloc of " + llvm::Twine(uint64_t(alloc->bytes)) + " B");
  if (const ProbeRow *pin = most(table, "host_register", &ProbeRow::bytes))
    set(gpu.pinning, "gpu.pinning_s_per_byte", pin->median / pin->bytes,
        "cudaHostRegister of " + llvm::Twine(uint64_t(pin->bytes)) + " B that were written before");
}

void Calibrator::addTiles(const ProbeTable &table) {
  std::map<std::string, TileTable> routines;
  for (const ProbeRow &row : table.rows) {
    TileTable &routine = routines[row.test];
    routine.routine = row.test;
    routine.kind = SourceKind::Measured;
    routine.source = command + ": cuBLAS on operands on the device, medians";
    routine.points.push_back({row.pieces, row.median});
  }
  for (auto &[name, routine] : routines) {
    llvm::erase_if(result.machine.tiles,
                   [&, key = llvm::StringRef(name)](const TileTable &old) { return old.routine == key; });
    result.machine.tiles.push_back(std::move(routine));
    result.measured.push_back("blas_tiles." + name);
  }
}

void Calibrator::addLink(const ProbeTable &table) {
  Machine &machine = result.machine;
  Link &link = machine.link;
  addCopies(table, Direction::ToDevice, HostMemory::Pinned, link.pinnedH2dLatency, link.pinnedH2dBandwidth);
  addCopies(table, Direction::ToHost, HostMemory::Pinned, link.pinnedD2hLatency, link.pinnedD2hBandwidth);
  addCopies(table, Direction::ToDevice, HostMemory::Pageable, link.pageableH2dLatency, link.pageableH2dBandwidth);
  addCopies(table, Direction::ToHost, HostMemory::Pageable, link.pageableD2hLatency, link.pageableD2hBandwidth);
  for (auto [direction, gap, key] : {std::tuple(Direction::ToDevice, &link.gapH2d, "link.gap_h2d_s"),
                                     {Direction::ToHost, &link.gapD2h, "link.gap_d2h_s"}}) {
    // T(m) = T(1) + (m - 1) g at the same bytes.
    const ProbeRow *whole = nullptr, *pieces = nullptr;
    for (const ProbeRow &row : table.rows)
      if (row.test == "split" && row.direction == toString(direction)) {
        whole = row.pieces == 1 ? &row : whole;
        pieces = !pieces || row.pieces > pieces->pieces ? &row : pieces;
      }
    if (!whole || !pieces || pieces->pieces < 2 || pieces->bytes != whole->bytes) continue;
    gap->known.emplace();
    set(*gap->known, key, std::max(0.0, (pieces->median - whole->median) / (pieces->pieces - 1)),
        "the same bytes in more copies");
  }
  for (auto [direction, slowdown, key] : {std::tuple(Direction::ToDevice, &link.slowdownH2d, "link.slowdown_h2d"),
                                          {Direction::ToHost, &link.slowdownD2h, "link.slowdown_d2h"}}) {
    auto isIt = [way = toString(direction)](const ProbeRow &row) { return row.direction == way; };
    const ProbeRow *alone = find(table, "copy_alone", isIt), *busy = find(table, "copy_busy", isIt);
    if (!alone || !busy) continue;
    slowdown->known.emplace();
    set(*slowdown->known, key, std::max(1.0, busy->median / alone->median),
        "a copy while the other direction is busy all the time");
  }
  if (const ProbeRow *launch = find(table, "launch_sync"))
    set(machine.gpu.launchLatency, "gpu.launch_latency_s", launch->median, "an empty kernel and waiting for it");
  if (const ProbeRow *triad = most(table, "device_triad", &ProbeRow::bytes))
    set(machine.gpu.dramBandwidth, "gpu.dram_bandwidth_bytes_per_s", 3 * triad->bytes / triad->median,
        "triad in double precision");
  if (const ProbeRow *chase = most(table, "device_chase", &ProbeRow::bytes);
      chase && chase->bytes > 2 * machine.gpu.l2Bytes)
    set(machine.gpu.dramLatency, "gpu.dram_latency_s", chase->median,
        "a step from line to line in random order, in " + llvm::Twine(uint64_t(chase->bytes)) + " B");
}

void Calibrator::add(const ProbeTable &table) {
  addDevice(table);
  if (table.probe == "host") addHost(table);
  else if (table.probe == "start") addStart(table);
  else if (table.probe == "tiles") addTiles(table);
  else addLink(table);
}

void Calibrator::addNoise(llvm::ArrayRef<ProbeTable> tables) {
  std::vector<double> each;
  for (const ProbeTable &table : tables)
    for (const ProbeRow &row : table.rows) {
      if (row.repeats < 2) continue;
      each.push_back(row.deviation / row.mean);
      if (each.back() < result.worstNoise) continue;
      result.worstNoise = each.back();
      result.noisiest =
          row.test + (row.direction.empty() ? "" : " " + row.direction) + (row.memory.empty() ? "" : " " + row.memory);
    }
  llvm::sort(each);
  result.noise = each.empty() ? 0 : each[each.size() / 2];
}

} // namespace

llvm::Expected<ProbeTable> readProbe(llvm::StringRef text, llvm::StringRef file) {
  ProbeTable table;
  unsigned number = 0;
  bool hasHeader = false;
  while (!text.empty()) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    line = line.trim();
    ++number;
    if (line.empty()) continue;
    if (line.consume_front("# busfare-bench ")) {
      table.probe = line.split(' ').first.str();
      if (!llvm::is_contained({"host", "link", "start", "tiles"}, table.probe))
        return wrong(file, number, "expected a table of host, link, start or tiles, found '" + line + "'");
    } else if (line.consume_front("#")) {
      auto [key, value] = line.split(':');
      table.facts.emplace(key.trim().str(), value.trim().str());
    } else if (!hasHeader) {
      if (!line.starts_with("test,direction,memory,"))
        return wrong(file, number,
                     "expected the names of the columns (test,direction,memory,...), found '" + line.take_front(40) +
                         "'");
      hasHeader = true;
    } else {
      llvm::Expected<ProbeRow> row = readRow(line, file, number);
      if (!row) return row.takeError();
      table.rows.push_back(std::move(*row));
    }
  }
  if (table.probe.empty())
    return wrong(file, 1, "expected a table of busfare-bench, which begins with '# busfare-bench', found none");
  return table;
}

llvm::Expected<Calibration> calibrate(const Machine &like, llvm::ArrayRef<ProbeTable> tables, llvm::StringRef name,
                                      llvm::StringRef command) {
  Calibrator calibrator(like, name, command);
  bool hasHost = false, hasLink = false;
  for (const ProbeTable &table : tables) {
    calibrator.add(table);
    (table.probe == "host" ? hasHost : hasLink) = true;
  }
  if (calibrator.result.measured.empty())
    return llvm::createStringError("the tables hold nothing that a machine file has");
  calibrator.addNoise(tables);
  const Machine &machine = calibrator.result.machine;
  std::string parts = hasHost && hasLink ? "host and link measured"
                      : hasHost          ? "host measured, link and GPU"
                                         : "link measured, host";
  calibrator.result.machine.description = machine.host.name + " with " + machine.gpu.name + ": " + parts +
                                          (hasHost && hasLink ? ", the GPU's other numbers as " : " as ") + like.name;
  return std::move(calibrator.result);
}

} // namespace busfare::projection
