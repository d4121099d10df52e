//===- projection/report/ReportBytes.cpp - A report kept for later --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `fieldsOf` lists each struct's fields once; writing and reading go over that list. That none is missing is checked
// while this compiles: a struct cannot be initialised with more values than it has fields.
//
//===----------------------------------------------------------------------===//

#include "projection/report/ReportBytes.h"
#include <bit>
#include <cstring>
#include <tuple>
#include <utility>

using llvm::StringRef;

namespace busfare::projection {
namespace {

//===--- The fields -------------------------------------------------------===//

template <class T, class Of>
concept Is = std::is_same_v<std::remove_const_t<T>, Of>;

auto fieldsOf(Is<skeleton::Location> auto &x) { return std::tie(x.file, x.line, x.column); }
auto fieldsOf(Is<skeleton::Finding> auto &x) { return std::tie(x.rule, x.level, x.location, x.message); }
auto fieldsOf(Is<ParameterValue> auto &x) { return std::tie(x.value, x.source, x.effect, x.choosesWay); }
auto fieldsOf(Is<Interval> auto &x) { return std::tie(x.value, x.low, x.high); }
auto fieldsOf(Is<CrossingReport> auto &x) {
  return std::tie(x.section, x.boxes, x.formula, x.formulaIsBound, x.bytes, x.movedBytes, x.count, x.copies, x.summed,
                  x.exact, x.at, x.because, x.cause, x.unseen);
}
auto fieldsOf(Is<DirectionReport> auto &x) {
  return std::tie(x.bytes, x.movedBytes, x.count, x.copies, x.exact, x.section, x.formula, x.formulaIsBound, x.because,
                  x.crossings);
}
auto fieldsOf(Is<ArrayReport> auto &x) {
  return std::tie(x.name, x.elementBytes, x.temporary, x.h2d, x.d2h, x.deviceBytes);
}
auto fieldsOf(Is<ScalarReport> auto &x) { return std::tie(x.name, x.direction, x.bytes); }
auto fieldsOf(Is<KernelReport> auto &x) {
  return std::tie(x.id, x.location, x.function, x.context, x.launches, x.parallelLoops, x.time, x.timeLow, x.timeHigh,
                  x.limitedBy, x.flops, x.dramBytes, x.blockThreads, x.occupancy, x.busyMultiprocessors,
                  x.multiprocessors, x.threadIndex, x.addsUp, x.coalesced, x.staysOnHost);
}
auto fieldsOf(Is<TimeReport> auto &x) {
  return std::tie(x.cpu, x.kernel, x.h2d, x.d2h, x.startup, x.host, x.total, x.cpuAllCores, x.cpuLimitedBy,
                  x.cpuMeasured, x.threads, x.cores);
}
auto fieldsOf(Is<SpeedupReport> auto &x) { return std::tie(x.with, x.kernelOnly, x.asWritten, x.withExplicit); }
auto fieldsOf(Is<IterationsReport> auto &x) {
  return std::tie(x.count, x.assumed, x.breakEven, x.limitSpeedup, x.mostSpeedup, x.loop);
}
auto fieldsOf(Is<SizeBreakEven> auto &x) { return std::tie(x.parameter, x.factor, x.value); }
auto fieldsOf(Is<PaysOff> auto &x) { return std::tie(x.size, x.intervals, x.isAbout); }
auto fieldsOf(Is<StrategyReport> auto &x) { return std::tie(x.strategy, x.streams, x.time, x.whyNot); }
auto fieldsOf(Is<PlanReport> auto &x) {
  return std::tie(x.strategy, x.streams, x.memory, x.because, x.emitted, x.equation, x.time, x.explicitTime,
                  x.fullOverlap, x.zeroOverlap, x.alternatives, x.pinning, x.savedByPinning);
}
auto fieldsOf(Is<MovedBytes> auto &x) { return std::tie(x.name, x.h2d, x.d2h); }
auto fieldsOf(Is<MixReport> auto &x) {
  return std::tie(x.kind, x.places, x.calls, x.because, x.time, x.arrays, x.emitted, x.isPlan, x.flipsAt);
}
auto fieldsOf(Is<ChunkedArrayReport> auto &x) {
  return std::tie(x.name, x.in, x.out, x.needs, x.byAll, x.shared, x.copiesIn, x.copiesOut, x.whyWhole);
}
auto fieldsOf(Is<ChunksReport> auto &x) {
  return std::tie(x.index, x.location, x.needs, x.backWaits, x.whyNot, x.arrays, x.behind);
}
auto fieldsOf(Is<TermInput> auto &x) { return std::tie(x.name, x.value, x.unit, x.kind, x.source); }
auto fieldsOf(Is<TimeTerm> auto &x) { return std::tie(x.name, x.formula, x.time, x.inputs, x.decides, x.isAdded); }
auto fieldsOf(Is<KernelTerms> auto &x) {
  return std::tie(x.kernel, x.cpu, x.allCores, x.differs, x.cpuTime, x.allCoresTime);
}
auto fieldsOf(Is<MachineAnswer> auto &x) {
  return std::tie(x.time, x.speedup, x.plan, x.mixes, x.asDescribed, x.iterations, x.sizeEffects, x.sizeBreakEven,
                  x.paysOff, x.runs, x.gain, x.startupAdded, x.startupShared, x.kernels, x.kernelTerms, x.fits,
                  x.verdict, x.why, x.flip, x.isOfLittle);
}
auto fieldsOf(Is<HostStatementReport> auto &x) { return std::tie(x.location, x.what); }
auto fieldsOf(Is<RegionReport> auto &x) {
  return std::tie(x.id, x.fingerprint, x.location, x.function, x.arrays, x.scalars, x.chunks, x.h2dBytes, x.d2hBytes,
                  x.deviceBytes, x.parameters, x.assumptions, x.hostStatements, x.commonBaseline, x.on);
}
auto fieldsOf(Is<NeedReport> auto &x) { return std::tie(x.kind, x.name, x.op); }
auto fieldsOf(Is<DependenceReport> auto &x) { return std::tie(x.kind, x.array, x.example, x.source, x.sink); }
auto fieldsOf(Is<LoopReport> auto &x) {
  return std::tie(x.location, x.function, x.index, x.parallel, x.isAnalysed, x.needs, x.assuming, x.reason,
                  x.dependences, x.depth, x.holdsParallel, x.insideParallel);
}
auto fieldsOf(Is<NestAnswer> auto &x) {
  return std::tie(x.location, x.function, x.index, x.in, x.work, x.isCounted, x.share, x.verdict, x.speedup, x.region,
                  x.reason, x.assumed);
}
auto fieldsOf(Is<UnpricedReport> auto &x) {
  return std::tie(x.location, x.function, x.reason, x.give, x.work, x.share, x.isCounted, x.assumed);
}
auto fieldsOf(Is<SerialNest> auto &x) { return std::tie(x.location, x.function, x.reason, x.work, x.share, x.assumed); }
auto fieldsOf(Is<ProgramReport> auto &x) {
  return std::tie(x.name, x.speedup, x.offloadedShare, x.cpu, x.cpuAsWritten, x.libraries, x.isMostlyUnpriced,
                  x.unpricedShare, x.hasMain, x.serialWork);
}
auto fieldsOf(Is<BelievedReport> auto &x) { return std::tie(x.root, x.directives, x.regions); }
auto fieldsOf(Is<DistinctReport> auto &x) { return std::tie(x.root, x.pointers, x.regions); }
auto fieldsOf(Is<MachineReport> auto &x) { return std::tie(x.name, x.description, x.file); }
auto fieldsOf(Is<NestReason> auto &x) { return std::tie(x.rule, x.location, x.isNotAffine); }
auto fieldsOf(Is<NestReport> auto &x) {
  return std::tie(x.location, x.function, x.exact, x.tight, x.bounded, x.holdsHostCode, x.hasVerdict, x.verdict,
                  x.reasons);
}
auto fieldsOf(Is<SpoiledNests> auto &x) { return std::tie(x.rule, x.nests, x.alone); }
auto fieldsOf(Is<CoverageReport> auto &x) {
  return std::tie(x.files, x.failedFiles, x.functions, x.loops, x.loopsWithVerdict, x.outermostNests, x.nestsExact,
                  x.notAnalysed, x.nestsTight, x.nestsBounded, x.nestsWithHostCode, x.nestsWithVerdict,
                  x.functionsLeftOut, x.loopsNotRead, x.failedUnits, x.filesWithoutHeaders, x.guessedFolders,
                  x.programsFrom, x.nests, x.innerNests, x.spoiledBy, x.suggestions);
}
auto fieldsOf(Is<CallArrayReport> auto &x) { return std::tie(x.name, x.operand, x.use, x.onDevice); }
auto fieldsOf(Is<CallReport> auto &x) {
  return std::tie(x.location, x.function, x.call, x.count, x.arrays, x.region, x.inTimeLoop, x.isReached);
}
auto fieldsOf(Is<MessagePriceReport> auto &x) {
  return std::tie(x.machine, x.initiator, x.single, x.pipelined, x.algorithm, x.messages, x.launches);
}
/// What it has of a base, constant or not as it is.
template <class Derived> using BaseOf = std::conditional_t<std::is_const_v<Derived>, const CallReport, CallReport>;
template <Is<MessageReport> T> auto fieldsOf(T &x) {
  return std::tie(static_cast<BaseOf<T> &>(x), x.kind, x.operation, x.type, x.formula, x.bytes, x.nonblocking,
                  x.counted, x.collective, x.processes, x.processesAssumed, x.prices);
}
auto fieldsOf(Is<LibraryPriceReport> auto &x) {
  return std::tie(x.machine, x.host, x.offload, x.tile, x.equation, x.measuredTiles);
}
auto fieldsOf(Is<LibraryCallReport::Dimension> auto &x) { return std::tie(x.name, x.formula, x.value); }
template <Is<LibraryCallReport> T> auto fieldsOf(T &x) {
  return std::tie(static_cast<BaseOf<T> &>(x), x.routine, x.dimensions, x.flops, x.bytes, x.prices);
}
auto fieldsOf(Is<Report> auto &x) {
  return std::tie(x.version, x.machines, x.regions, x.program, x.programs, x.commonHost, x.believed, x.distinct,
                  x.nests, x.unpriced, x.serial, x.loops, x.messages, x.libraryCalls, x.findings, x.suppressed,
                  x.coverage, x.nextCommands, x.sources, x.profileRows, x.unknownParameters, x.prices);
}

//===--- None is missing --------------------------------------------------===//

template <class T> constexpr bool isOptional = false;
template <class T> constexpr bool isOptional<std::optional<T>> = true;

/// Becomes whatever a field is. An optional is made of what it holds: two ways to one would be none.
struct Anything {
  template <class T>
    requires(!isOptional<T>)
  operator T() const;
};
template <class T, size_t... K> constexpr bool canTake(std::index_sequence<K...>) {
  return requires { T{(static_cast<void>(K), Anything{})...}; };
}
template <class T> constexpr bool listsAllFields() {
  constexpr size_t count = std::tuple_size_v<decltype(fieldsOf(std::declval<T &>()))>;
  return canTake<T>(std::make_index_sequence<count>{}) && !canTake<T>(std::make_index_sequence<count + 1>{});
}

//===--- Bytes ------------------------------------------------------------===//

template <class T>
concept Struct = requires(T &x) { fieldsOf(x); };
template <class T>
concept Number = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Writer {
public:
  std::string bytes;

  template <Number T> void put(const T &value) { bytes.append(reinterpret_cast<const char *>(&value), sizeof value); }
  void put(const std::string &text) {
    put(text.size());
    bytes += text;
  }
  void put(const skeleton::FileName &name) { put(name.str()); }
  template <class T> void put(const std::optional<T> &value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <class T> void put(const std::vector<T> &list) {
    put(list.size());
    for (const T &one : list) put(one);
  }
  /// Prices at other settings are computed for whoever asks.
  template <class T> void put(const std::vector<std::shared_ptr<T>> &) {}
  template <class T, size_t N> void put(const std::array<T, N> &list) {
    for (const T &one : list) put(one);
  }
  template <class A, class B> void put(const std::pair<A, B> &pair) {
    put(pair.first);
    put(pair.second);
  }
  template <class K, class V> void put(const std::map<K, V> &map) {
    put(map.size());
    for (const auto &one : map) put(one);
  }
  template <Struct T> void put(const T &value) {
    static_assert(listsAllFields<T>(), "fieldsOf leaves out a field");
    std::apply([&](const auto &...fields) { (put(fields), ...); }, fieldsOf(value));
  }
};

class Reader {
public:
  explicit Reader(StringRef bytes) : rest(bytes) {}
  bool isGood() const { return good && rest.empty(); }

  template <Number T> void take(T &value) {
    good &= rest.size() >= sizeof value;
    if (!good) return;
    std::memcpy(&value, rest.data(), sizeof value);
    rest = rest.drop_front(sizeof value);
  }
  void take(std::string &text) {
    size_t size = takeSize();
    text = rest.take_front(size).str();
    rest = rest.drop_front(size);
  }
  void take(skeleton::FileName &name) {
    std::string text;
    take(text);
    name = text;
  }
  template <class T> void take(std::optional<T> &value) {
    bool isThere = false;
    take(isThere);
    if (isThere) take(value.emplace());
  }
  template <class T> void take(std::vector<T> &list) {
    list.resize(takeSize());
    for (T &one : list) take(one);
  }
  template <class T> void take(std::vector<std::shared_ptr<T>> &) {}
  template <class T, size_t N> void take(std::array<T, N> &list) {
    for (T &one : list) take(one);
  }
  template <class A, class B> void take(std::pair<A, B> &pair) {
    take(pair.first);
    take(pair.second);
  }
  template <class K, class V> void take(std::map<K, V> &map) {
    for (size_t count = takeSize(); count && good; --count) {
      std::pair<K, V> one;
      take(one);
      map.insert(std::move(one));
    }
  }
  template <Struct T> void take(T &value) {
    std::apply([&](auto &...fields) { (take(fields), ...); }, fieldsOf(value));
  }

private:
  StringRef rest;
  bool good = true;

  /// Of something each part of which takes a byte at least.
  size_t takeSize() {
    size_t size = 0;
    take(size);
    good &= size <= rest.size();
    return good ? size : 0;
  }
};

} // namespace

std::string bytesOf(const Report &report) {
  Writer writer;
  writer.put(report);
  return std::move(writer.bytes);
}

std::optional<Report> reportFrom(StringRef bytes) {
  Reader reader(bytes);
  Report report;
  reader.take(report);
  return reader.isGood() ? std::optional(std::move(report)) : std::nullopt;
}

} // namespace busfare::projection
