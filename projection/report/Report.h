//===- projection/report/Report.h - Everything a report says --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One value holds the whole answer; writers (Writers.h) only format it. Its
// shape is that of the JSON report, a contract: keys are added, never changed.
// Times are seconds, sizes bytes, unless a name says otherwise.
//
// To add a field, touch: Report.h, Project.cpp (fill it), Json.cpp, Schema.cpp,
// and Text.cpp where a reader wants it.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_REPORT_H
#define BUSFARE_PROJECTION_REPORT_REPORT_H

#include "brs/Transfers.h"
#include "projection/Terms.h"
#include "projection/report/Calls.h"
#include "skeleton/Finding.h"
#include "skeleton/Location.h"
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace busfare::projection {

/// Where the value of a size came from, the most trusted first.
enum class ParameterSource { CommandLine, Constant, Declared, Caller, Profile, Hint, Assumed };
llvm::StringRef toString(ParameterSource source); // "command line", "constant", ...

struct ParameterValue {
  int64_t value = 0;
  ParameterSource source = ParameterSource::Assumed;
  /// How steeply a price changes with it, as a power: 2 of n where kernels go through n*n elements. 0: no price rests
  /// on it; nothing: nobody asked.
  std::optional<double> effect = {};
  bool choosesWay = false; ///< It decides which side of a branch runs, and no amounts.
};

/// A figure with its interval: 10th to 90th percentile.
struct Interval {
  double value = 0, low = 0, high = 0;
};

/// One copy of one section, and how often it happens.
struct CrossingReport {
  std::string section; ///< "[0:rows-1:1][0:cols-1:1]", bounds inclusive.
  std::vector<std::vector<std::array<std::string, 3>>> boxes; ///< Per box, per dimension: lower, upper, step.
  std::string formula; ///< Bytes, as a formula over sizes: "4*rows*cols".
  bool formulaIsBound = false; ///< It counts more than `bytes`: boxes' overlaps twice.
  uint64_t bytes = 0; ///< Of the section, once.
  uint64_t movedBytes = 0; ///< What the chosen copies move, once.
  uint64_t count = 1; ///< How often.
  uint64_t copies = 1; ///< Copy operations each time.
  uint64_t summed = 1; ///< Times of different sizes that all the above is the sum of; `count` is 1 then.
  bool exact = true;
  skeleton::Location at, because;
  brs::Cause cause = brs::Cause::Read;
  std::string unseen; ///< Code that is not seen and may read it.
};

/// One direction of one array: its crossings and their sum.
struct DirectionReport {
  uint64_t bytes = 0, movedBytes = 0, count = 1, copies = 1; ///< With several crossings count is 1 and bytes the sum.
  bool exact = true;
  std::string section, formula;
  bool formulaIsBound = false; ///< Of some crossing.
  skeleton::Location because;
  std::vector<CrossingReport> crossings;
};

struct ArrayReport {
  std::string name;
  uint64_t elementBytes = 0;
  bool temporary = false;
  std::optional<DirectionReport> h2d, d2h;
  uint64_t deviceBytes = 0; ///< What the device holds of it.
};

struct ScalarReport {
  std::string name;
  std::string direction; ///< "h2d", "d2h" or "both".
  uint64_t bytes = 0;
};

struct KernelReport {
  std::string id; ///< "file.c:14"; "#2" for another context.
  skeleton::Location location;
  std::string function;
  std::vector<std::string> context; ///< The calls it was reached by.
  double launches = 1; ///< Expected: no whole number where a branch's share decides.
  std::vector<std::pair<unsigned, std::string>> parallelLoops; ///< Line and index.
  double time = 0; ///< Of one launch, launch overhead included.
  double timeLow = 0, timeHigh = 0;
  std::string limitedBy; ///< dram|l2|shared|fp64|fp32|special|integer|load_store|latency|launch
  double flops = 0; ///< Of one launch.
  double dramBytes = 0; ///< Of one launch, as the model prices it.
  unsigned blockThreads = 0;
  double occupancy = 0; ///< 0..1, of a multiprocessor that works.
  double busyMultiprocessors = 0, multiprocessors = 0; ///< Those that get a block, of all. 0 = not known.
  std::string threadIndex; ///< The loop index that becomes threadIdx.x.
  bool addsUp = false; ///< A block shares all iterations of that loop, and adds up what its threads found.
  bool coalesced = true;
  bool staysOnHost = false; ///< By the plan: a mix that keeps it there is cheaper.
};

struct TimeReport {
  double cpu = 0, kernel = 0, h2d = 0, d2h = 0, startup = 0;
  double host = 0; ///< What stays on the host inside the region.
  double total = 0; ///< kernel + host + h2d + d2h as the plan overlaps them; startup apart.
  double cpuAllCores = 0; ///< The same loops on all cores of the host.
  std::string cpuLimitedBy;
  bool cpuMeasured = false;
  unsigned threads = 1; ///< Of the code as written.
  unsigned cores = 0; ///< Of the host; 0 = not said.
};

struct SpeedupReport {
  Interval
      with; ///< JSON: value, low, high: against the faster of the code as written and all cores; transfers included.
  double kernelOnly = 0; ///< Without transfers.
  double asWritten = 0; ///< Against the code as written, transfers included.
  double withExplicit = 0; ///< As `with`, by explicit copies one after the other. JSON: explicit.
};

struct IterationsReport {
  uint64_t count = 1;
  bool assumed = false; ///< Nothing bound the time loop.
  std::optional<uint64_t> breakEven; ///< Smallest count that gains anything, start-up included unless the number of
                                     ///< runs is open; absent = never.
  double limitSpeedup = 0; ///< As the count grows without bound.
  double mostSpeedup = 0; ///< At any count; start-up left out.
  std::string loop; ///< Index and line of the time loop, empty if none.
};

/// Where it pays, start-up included, as one thing varies.
struct PaysOff {
  std::string size; ///< "main::n", "iterations", "calls"; empty: all sizes together, as a factor of today's.
  /// From and to, both of which pay; nothing: as far as was looked, which is to what the device holds.
  std::vector<std::pair<std::optional<double>, std::optional<double>>> intervals;
  bool isAbout = false; ///< Not all of them: gaps of less than 5 % belong to what is around them.
};

/// The same program at another size: the gain changes its sign where this says.
struct SizeBreakEven {
  std::string parameter; ///< All sizes scaled together are "sizes x f" (parameter empty).
  double factor = 0; ///< At f times today's size.
  std::optional<int64_t> value;
};

enum class Verdict { Port, Keep, Measure };
llvm::StringRef toString(Verdict verdict);

/// A way to bring data and kernel together, and what it costs.
struct StrategyReport {
  std::string strategy; ///< explicit|streams|mapped|hybrid|managed
  unsigned streams = 1;
  double time = 0; ///< s of kernels and transfers; 0 where whyNot.
  std::string whyNot; ///< Why it is not priced.
};

struct PlanReport {
  std::string strategy = "explicit"; ///< explicit|streams|mapped|hybrid|managed
  unsigned streams = 1; ///< Chunks of the kernel's outer loop, one a stream.
  std::string memory = "pinned"; ///< pinned|pageable
  std::string because; ///< Why this strategy.
  std::string emitted = "explicit"; ///< What `port` writes.
  std::string equation; ///< Van Werkhoven's that streams are priced by: "1" to "5"; empty: they are not.
  double time = 0, explicitTime = 0; ///< s of kernels and transfers, as planned and one after the other.
  double fullOverlap = 0, zeroOverlap = 0; ///< Bounds of every strategy, s.
  std::vector<StrategyReport> alternatives;
  double pinning = 0; ///< s to pin the arrays once: in the start-up if memory is pinned.
  double savedByPinning = 0; ///< s of explicit copies each time the region runs; negative: pageable memory is faster.
};

/// What one array moves.
struct MovedBytes {
  std::string name;
  uint64_t h2d = 0, d2h = 0;
};

/// Another division of the region's work between host and device (Mixes.h), and what it costs.
struct MixReport {
  std::string kind; ///< kernels-on-host|statements-on-device
  std::vector<skeleton::Location> places; ///< Of what changes sides.
  std::vector<skeleton::Location> calls; ///< Those of them that are calls of BLAS, which the device's library runs.
  std::vector<std::string> because; ///< The arrays whose copies in loops are the reason.
  double time = 0; ///< s of kernels, transfers and host, as TimeReport::total.
  std::vector<MovedBytes> arrays; ///< Those that cross then.
  bool emitted = false; ///< `port` writes it: it is the plan.
  bool isPlan = false; ///< The times, speedup and verdict are those of this one.
  /// Where it becomes the cheaper or the dearer of the two; nothing: at no size looked at, or it is neither the plan
  /// nor among the first mixesSpokenOf.
  std::optional<SizeBreakEven> flipsAt;
};
/// So many of a region's other divisions are written about, beside the plan.
inline constexpr size_t mixesSpokenOf = 4;

/// Part of one array that a chunk moves; its symbols are the chunk's first and last iteration, `k.first` and `k.last`.
struct ChunkedArrayReport {
  std::string name, in, out; ///< In, out: chunks|whole|none.
  std::string needs, byAll, shared, copiesIn, copiesOut, whyWhole; ///< Of brs/Chunks.h; sections.
};

/// The region's kernel in pieces (brs/Chunks.h); the same for all machines and sizes.
struct ChunksReport {
  std::string index; ///< Of the loop that is split; empty: none.
  skeleton::Location location;
  std::string needs, backWaits; ///< Iterations, by the index.
  std::string whyNot; ///< Empty: chunks help.
  std::vector<ChunkedArrayReport> arrays;
  std::vector<unsigned> behind; ///< Lines of further kernels' loops that go through the same chunks, in order.
};

/// What a kernel's times are made of; of launches that differ, of the one that stands for most of them.
struct KernelTerms {
  std::vector<TimeTerm> kernel, cpu, allCores; ///< cpu: as written; allCores: the same loops on all cores.
  bool differs = false;
  double cpuTime = 0, allCoresTime = 0; ///< s of all launches' work on the host.
};

/// One machine's answer.
struct MachineAnswer {
  TimeReport time;
  SpeedupReport speedup;
  PlanReport plan;
  std::vector<MixReport> mixes; ///< The cheapest first.
  double asDescribed = 0; ///< TimeReport::total with every kernel on the device and every host statement on the host.
  IterationsReport iterations;
  std::vector<std::pair<std::string, double>>
      sizeEffects; ///< ParameterValue::effect of those that have one, the largest first.
  std::vector<SizeBreakEven> sizeBreakEven;
  std::vector<PaysOff> paysOff;
  std::optional<uint64_t> runs; ///< Of the region in a process; nothing: any number.
  Interval gain; ///< s of all runs, less the start-up that it adds; of one run without any, if their number is open.
  double startupAdded = 0; ///< s; 0 if the number of runs is open.
  bool startupShared = false; ///< Other regions that are ported pay for the context.
  std::vector<KernelReport> kernels;
  std::vector<KernelTerms> kernelTerms; ///< One a kernel, if they are asked for; `explain` writes them.
  bool fits = true;
  Verdict verdict = Verdict::Measure;
  std::string why; ///< One sentence: what decides the verdict.
  std::string flip; ///< The assumption that would change it, with the end points; empty if none.
  bool isOfLittle =
      false; ///< Most of the program's work is not priced: what is said here is of a part that may not matter.
};

/// A call of printf, a virtual call, ...
struct HostStatementReport {
  skeleton::Location location;
  std::string what;
  bool operator==(const HostStatementReport &) const = default;
};
/// `input.c:12:3: printf`
std::string spoken(const HostStatementReport &statement);

struct RegionReport {
  std::string id; ///< "file.c:12:simulate".
  std::string fingerprint; ///< Of the skeleton's structure: survives line moves.
  skeleton::Location location;
  std::string function;
  std::vector<ArrayReport> arrays;
  std::vector<ScalarReport> scalars;
  ChunksReport chunks;
  uint64_t h2dBytes = 0, d2hBytes = 0, deviceBytes = 0;
  std::map<std::string, ParameterValue> parameters; ///< "simulate::n".
  std::vector<std::string> assumptions;
  std::vector<HostStatementReport> hostStatements; ///< What stays on the host inside the region; each once.
  double commonBaseline = 0; ///< s on Report::commonHost, as written or on all its cores, whichever is faster.
  std::vector<std::pair<std::string, MachineAnswer>> on; ///< By machine name; the first one is the report's own.
};

struct NeedReport {
  std::string kind; ///< private|firstprivate|lastprivate|reduction|array-private
  std::string name, op;
};

struct DependenceReport {
  std::string kind, array, example;
  skeleton::Location source, sink;
};

struct LoopReport {
  skeleton::Location location;
  std::string function, index;
  bool parallel = false;
  bool isAnalysed = true; ///< Else the effort allowed was spent before.
  std::vector<NeedReport> needs;
  std::vector<std::string> assuming;
  std::string reason;
  std::vector<DependenceReport> dependences;
  unsigned depth = 0; ///< Loops around it in its own function.
  bool holdsParallel = false; ///< A loop inside it, calls followed, is parallel.
  bool insideParallel = false; ///< A loop around it, callers followed, is parallel.
};

/// An outermost parallel nest of the source: one entry each.
struct NestAnswer {
  skeleton::Location location;
  std::string function, index;
  std::string in; ///< kernel|kept|alone: of a plan; stays on the host; judged from a function that is not the root's.
  double work = 0; ///< s of the host's modelled time on one thread, of all its turns; of one call where !isCounted, 0
                   ///< if nobody is seen to call it.
  bool isCounted = true; ///< Else how often it runs is not known.
  double share = 0; ///< Of the work of all nests that is known.
  std::optional<Verdict> verdict; ///< Of its region; absent of what is kept for another reason than its price.
  Interval speedup;
  std::string region; ///< The id of its region.
  std::string reason; ///< Why it is kept, or why the root's plan does not have it.
  std::vector<std::string> assumed{}; ///< Sizes that nobody gave and that decide its work: `main::n = 1024`.
};

/// A nest that no plan has, and that may be worth one.
struct UnpricedReport {
  skeleton::Location location;
  std::string function, reason;
  std::string give; ///< What would let it be priced.
  double work = 0, share = 0;
  bool isCounted = true;
  std::vector<std::string> assumed{}; ///< As a NestAnswer's.
};

/// A nest that stays on the host because of what it does: an example shows its iterations to depend on each other, or
/// it does input and output. The reason is that of its loop with the most work.
struct SerialNest {
  skeleton::Location location;
  std::string function, reason;
  double work = 0, share = 0; ///< As a NestAnswer's.
  std::vector<std::string> assumed{};
  static constexpr bool isCounted = true;
};

struct ProgramReport {
  std::string name; ///< The file of its main, else of its first function.
  Interval speedup; ///< Amdahl over everything modelled.
  double offloadedShare = 0; ///< Of the modelled time of the code as written, inside regions told to port.
  double cpu = 0; ///< The modelled CPU time of all runs that the speedup refers to; joins reports of several units.
  double cpuAsWritten = 0; ///< That the share refers to.
  double libraries = 0; ///< Of cpu, calls of BLAS, which stay on the host.
  bool isMostlyUnpriced =
      false; ///< More than half of the work is not priced, or how much it is is not known: no verdict is final.
  double unpricedShare = 0; ///< Of the work that is known.
  bool hasMain = false; ///< Else it is functions that nobody calls, each a root.
  double serialWork =
      0; ///< s of nests that an example shows to be serial, also of those that do too little to be listed.
};

/// A root as it would be if those of its OpenMP directives held that are neither proved nor refuted
/// (--trust-directives).
struct BelievedReport {
  std::string root;
  std::vector<skeleton::Location> directives; ///< Of the loops that are parallel then, and are not otherwise; sorted.
  std::vector<RegionReport> regions; ///< On the first machine.
};

/// A root as it would be if pointers led to memory of their own each of which it is not known where they lead.
struct DistinctReport {
  std::string root;
  std::vector<std::string> pointers; ///< As spelled; sorted.
  std::vector<RegionReport> regions; ///< On the first machine.
};

struct MachineReport {
  std::string name, description;
  std::string file; ///< Empty for a built-in one.
};

/// Why a nest is not exact, not bounded, or stays on the host, and where.
struct NestReason {
  skeleton::Rule rule = skeleton::Rule::EffortExceeded;
  skeleton::Location location;
  bool isNotAffine = false; ///< Of a trip count: it is known, though by no affine form.
  auto operator<=>(const NestReason &) const = default;
};

/// One loop nest of the source, an outermost one or an inner one: of its own function, taken as a root, with its calls
/// substituted.
struct NestReport {
  skeleton::Location location;
  std::string function;
  bool exact = true; ///< Wholly modelled: every section is precisely what is touched.
  bool tight = true; ///< Exact, but for what data decide: no smaller section would hold whatever they are.
  bool bounded = true; ///< Every access lies in a known section or a known whole array; no opaque code in it.
  bool holdsHostCode = false; ///< Input or output, or a call whose body is not seen.
  bool hasVerdict = false;
  std::string verdict; ///< parallel|inner|serial: the nest's own loop, one inside it, none; empty without one.
  std::vector<NestReason> reasons; ///< The first of each rule; empty of one that is exact and bounded. Sorted by rule.
};

/// How many nests a rule keeps from being exact or bounded, and how many it alone does.
struct SpoiledNests {
  skeleton::Rule rule = skeleton::Rule::EffortExceeded;
  unsigned nests = 0, alone = 0;
};

struct CoverageReport {
  unsigned files = 0, failedFiles = 0, functions = 0, loops = 0, loopsWithVerdict = 0, outermostNests = 0,
           nestsExact = 0;
  std::vector<std::pair<std::string, std::string>> notAnalysed; ///< What and why.
  unsigned nestsTight = 0, nestsBounded = 0, nestsWithHostCode = 0, nestsWithVerdict = 0;
  unsigned functionsLeftOut = 0; ///< Their skeletons were not well formed, which is busfare's mistake.
  unsigned loopsNotRead = 0; ///< Loops of the source that no skeleton has; they count among `loops`.
  std::vector<std::string> failedUnits; ///< The names of those, where they are known.
  unsigned filesWithoutHeaders = 0; ///< Of those that failed: a header is not found.
  std::vector<std::string> guessedFolders; ///< Where headers were found that no flag says.
  std::string programsFrom; ///< How it was found which units make one program: "from the link lines of
                            ///< build/build.ninja (3)"; empty: one unit.
  std::vector<NestReport> nests; ///< By location.
  /// The largest nests without input, output and opaque calls inside those nests that hold some. By location.
  std::vector<NestReport> innerNests;
  std::vector<SpoiledNests> spoiledBy; ///< The worst first.
  std::vector<std::string> suggestions; ///< What would help most, a sentence each.
};

struct PriceTable; // PriceTable.h

struct Report {
  std::string version;
  std::vector<MachineReport> machines;
  std::vector<RegionReport> regions;
  ProgramReport program; ///< Of several programs, what they amount to together.
  std::vector<ProgramReport> programs; ///< One each.
  std::string commonHost; ///< The machine whose host RegionReport::commonBaseline is of; empty: all have one host.
  std::vector<BelievedReport> believed; ///< Of the roots that it makes a difference to.
  std::vector<DistinctReport> distinct; ///< Likewise.
  std::vector<NestAnswer> nests; ///< Most work first.
  std::vector<UnpricedReport> unpriced; ///< Likewise.
  std::vector<SerialNest> serial; ///< Likewise, of those that do enough to be looked for.
  std::vector<LoopReport> loops;
  std::vector<MessageReport> messages;
  std::vector<LibraryCallReport> libraryCalls;
  std::vector<skeleton::Finding> findings;
  std::vector<skeleton::Finding> suppressed; ///< By hints ignore(...).
  CoverageReport coverage;
  std::vector<std::string> nextCommands;
  std::vector<std::string> sources; ///< That all these commands are given, one behind the other, as words of a shell.
  /// Of a profile: its functions and regions, by "function solve" and "region solve.c:12:main", and whether they were
  /// used. 0: used; 1: changed since; 2: not in the program.
  std::map<std::string, int> profileRows;
  std::vector<std::string> unknownParameters; ///< ProjectOptions::allowUnknownParameters; not written.
  std::vector<std::shared_ptr<const PriceTable>>
      prices; ///< One a root with regions, if they are asked for; not kept in caches.
};

/// What `sections` prints: one section of one array.
struct SectionLine {
  std::string function;
  skeleton::Location location; ///< Of the nest, or of the function for the root's total.
  std::string array;
  std::string access; ///< "read", "write", "must-write", "live-in".
  std::string section; ///< "[0:n-1:1][0:m-1:1]".
  bool exact = false;
  std::vector<std::vector<std::array<std::string, 3>>> boxes;
  std::string scope; ///< "function" or "nest".
};

/// What `sizes` prints: one size of one root.
struct SizeLine {
  std::string root;
  std::string name; ///< "simulate::n".
  std::optional<int64_t> value; ///< Nothing: of what a caller passes, one that is computed while the program runs.
  ParameterSource source = ParameterSource::Assumed;
  skeleton::Location location; ///< Where it gets its value; of a caller's, the call.
  std::string text; ///< The source of the value: "atoi(argv[1])"; of a caller's, what it passes.
  std::vector<std::string> arrays; ///< Whose extents it is in.
  unsigned loops = 0, conditions = 0; ///< Whose bounds, and which, it is in; calls followed.
};

} // namespace busfare::projection

#endif
