//===- clang-plugin/cli/Options.cpp - What the command line asks for -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Figures.h"
#include "clang-plugin/units/CompilerFlags.h"
#include "clang-plugin/units/Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>
#include <functional>

using llvm::StringRef;

namespace busfare::frontend {

template <class... Values> static llvm::Error wrong(const char *format, const Values &...values) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), format, values...);
}

/// Commands that price regions; commands that read programs.
#define PRICED "analyze project explain plot"
#define PROGRAMS "analyze plot extract sections loops sizes project explain port verify measure comm sweep blas"

static const OptionEntry table[] = {
    {"--machine", "NAME|FILE", "project for this machine; repeat it to compare (first = the report's own)",
     PRICED " port verify transfer overlap blas comm sweep calibrate"},
    {"--host", "NAME|FILE",
     "beside each machine's own host, compare with this machine's (default: the first machine's)",
     "analyze project plot sweep"},
    {"--function", "NAME", "start from this function instead of main; may be repeated",
     "analyze project plot sections loops sizes explain port verify measure comm sweep blas"},
    {"--param", "NAME=VALUE",
     "the value of a size, as spelled in the source: n=4096, step::n=4096 or n=16Mi (K, M, G; Ki, Mi, Gi)",
     "analyze project plot sections loops sizes explain port verify comm sweep blas"},
    {"--iterations", "N", "how often the time loop runs", PRICED " port verify comm sweep blas"},
    {"--runs", "N|many",
     "how often a process runs each region, each run paying its own copies (default: from main what the program does, else many)",
     PRICED " sweep port verify"},
    {"--threads", "N", "threads of the host code (default: as the code says)", PRICED " comm sweep port verify"},
    {"--ranks", "N", "processes that take part in an MPI or SHMEM collective (default: 16, said)",
     PRICED " comm sweep"},
    {"--cpu-time", "REGION=SECONDS", "a measured host time; REGION is an id or a line", PRICED " sweep"},
    {"--profile", "FILE", "what `busfare measure` wrote: times, sizes, trip counts and shares of branches of a run",
     PRICED " sweep"},
    {"--format", "text|json|html|svg|sarif|github|gitlab|junit|markdown|csv|source|patch|yaml",
     "what goes to stdout: text (default) or json; of analyze and project also html, a page of its own; of analyze, project and loops sarif, github, gitlab; of analyze, project and diff with --fail-on also junit; of analyze, project, compare and diff markdown; of analyze, project, compare, trace and sweep csv; of sweep svg; of port source (default), patch, yaml or json"},
    {"--variant", "NAME", "plain (default), or present, watched, ordered, which verify runs", "port"},
    {"--kernels", "WHICH",
     "all that can be ported (verify's default), planned: those that pay (port's), or marked: those that the source's target constructs hold",
     "port verify"},
    {"--plan", "WHICH",
     "explicit: copies before and behind the kernels (default); planned: in chunks of the kernel's outer loop where the plan is streams; streams: wherever chunks can be written, streams:N in N of them",
     "port verify"},
    {"--one-thread", "",
     "statements between kernels, for which arrays would cross inside loops, run on the device by one thread, whatever that costs",
     "port verify"},
    {"--guard", "",
     "a region runs on the device only where it pays on the machine: one flag, computed where the region begins from sizes that have names there, decides about its data, copies and kernels",
     "port verify"},
    {"-o", "FILE", "write there instead of stdout"},
    {"--fail-on", "COND",
     "exit 1 if it holds for a region: port, keep, measure, speedup<2, low>=1, BF014; with diff or --baseline also new-port, flip, worse, bytes>10%, lost-parallel, new-finding, new-unknown",
     "analyze project loops diff"},
    {"--args", "WORDS", "the program's own arguments, one string; the analysis takes what they decide as decided",
     "analyze plot explain sizes comm sweep blas verify measure"},
    {"--mutants", "", "also run the port with each planned copy left out, and one element short", "verify"},
    {"--tolerance", "R", "how far floating-point output may be off, relatively (default: 1e-9)", "verify"},
    {"--rebuild", "FLAGS",
     "compile with these as well, one string (\"-DN=100\"): does the port do the same at sizes it was not made for",
     "verify"},
    {"--keep", "FOLDER", "leave the changed sources and the programs there", "verify measure"},
    {"--time-limit", "SECONDS",
     "of the whole analysis, which then reports what it has (default: 600); verify, measure: of each run (60 for the original, then 30 times its time, 60 at least; measure 3600)",
     PROGRAMS},
    {"--trust-directives", "",
     "what the source's parallel directives say of loops is taken for true where nothing refutes it", PROGRAMS},
    {"--strict", "", "an assumed size or alias is an error", PRICED},
    {"--details", "", "text: all that is known of each region, and each finding; markdown: a proposal",
     "analyze project"},
    {"--top", "N", "text: so many regions on the first screen, and what is known of each (default: as many as fit it)",
     "analyze project"},
    {"--quiet", "", "text: one line a region; no progress", PROGRAMS " diff"},
    {"--no-progress", "", "no progress on stderr", PROGRAMS},
    {"-p", "BUILD",
     "a folder with compile_commands.json: all its units, or the files, folders and filters that are named", PROGRAMS},
    {"-j", "N", "units read and analysed at a time (default: one a core); the output does not depend on it", PROGRAMS},
    {"--unit-time-limit", "SECONDS", "for reading one unit, which is given up and reported past it (default: 120)",
     PROGRAMS},
    {"--unit-memory-limit", "GIB", "of address space, for reading one unit, likewise (default: 4)", PROGRAMS},
    {"--cache", "FOLDER",
     "keep there what was computed, and find what was (default: $BUSFARE_CACHE, or busfare in $XDG_CACHE_HOME or ~/.cache)",
     PROGRAMS " cache"},
    {"--no-cache", "", "neither keep nor find anything there", PROGRAMS " cache"},
    {"--cache-size", "BYTES", "of all that is kept; what nobody has read for longest goes first (default: 1 GiB)",
     PROGRAMS " cache"},
    {"--extra-arg", "ARG", "one more argument for the compiler, behind the others", PROGRAMS},
    {"--extra-arg-before", "ARG", "one more argument for the compiler, before the others", PROGRAMS},
    {"--bytes", "N[,N...]", "sizes to price; 1 MiB, 64 kB or 4096", "transfer comm", true},
    {"--direction", "h2d|d2h|d2d|peer",
     "transfer: only this one; d2d: within the device, peer: to another of its node (default: h2d and d2h)",
     "transfer sweep", true},
    {"--memory", "pinned|pageable", "transfer: only host memory of this kind (default: both)", "transfer sweep", true},
    {"--reverse", "idle|busy", "transfer: what the other direction does meanwhile (default: idle)", "transfer", true},
    {"--h2d", "BYTES", "overlap: to the device, before the kernel", "overlap sweep", true},
    {"--d2h", "BYTES", "overlap: to the host, after it", "overlap sweep", true},
    {"--kernel", "SECONDS", "overlap: the kernel's time, its data on the device; 20 ms or 0.02", "overlap sweep", true},
    {"--streams", "N", "overlap: exactly so many (default: as many as are best)", "overlap", true},
    {"--split", "N", "overlap: most streams, the extent of the loop that is split (default: 32)", "overlap sweep",
     true},
    {"--mapped-h2d", "BYTES", "overlap: what mapped memory would move, elements read again counted again",
     "overlap sweep", true},
    {"--mapped-d2h", "BYTES", "overlap: likewise, written", "overlap sweep", true},
    {"--flops", "N", "overlap: double-precision operations of the kernel, for the roofline", "overlap", true},
    {"--dram-bytes", "BYTES", "overlap: traffic of the kernel with the device's memory, for the roofline", "overlap",
     true},
    {"--range", "NAME=LO:HI[:xF|+S]", "values of a size, of iterations, or of a calculator's option; may be repeated",
     "sweep", true},
    {"--draw", "KIND[,KIND]",
     "speedup (against sizes; speedup-n: against n), steps, timeline, roofline, sections (default: speedup; with --into all)",
     "plot", true},
    {"--region", "REGION[,REGION]", "draw these, by id or line (default: the region that gains most; with --into all)",
     "plot", true},
    {"--into", "FOLDER", "each drawing as a file there, instead of one to stdout or -o", "plot", true},
    {"--to", "NAME|FILE", "the machine that the traced program would run on", "trace", true},
    {"--from", "NAME|FILE",
     "the machine it was traced on: what its transfers took is then scaled where no model is good", "trace", true},
    {"--model", "NAME", "linear, loggp, packets, peak or envelope (default: the best that the machine file has)",
     "trace", true},
    {"--measured", "TARGET.sqlite", "a trace of the same program on that machine: the errors of the prediction",
     "trace", true},
    {"--program", "SRC",
     "a source or skeleton whose BLAS calls are looked at (further ones behind it), instead of one call", "blas", true},
    {"--m", "M", "rows of the result", "blas", true},
    {"--n", "N", "columns of the result; of axpy the length", "blas", true},
    {"--k", "K", "the dimension that is summed over", "blas", true},
    {"--tile", "T", "the side of a tile; several with commas", "blas", true},
    {"--tile-time", "S", "the time of the kernel on one tile, in seconds; several with commas, as --tile", "blas",
     true},
    {"--tile-table", "FILE", "measured times of tiles: lines TILE,SECONDS, or JSON {\"TILE\": SECONDS}", "blas", true},
    {"--on-device", "A,B,C", "operands that lie on the device already; x, y of axpy, A, x, y of gemv", "blas sweep",
     true},
    {"--beta", "B", "of gemm and gemv; with 0 the result is not read (default: 1)", "blas sweep", true},
    {"--comm-share", "F", "of the CPU code's time, what is communication (default: 0.25)", "comm", true},
    {"--overlapped", "F", "of that, what computing hides (default: 0)", "comm", true},
    {"--compute-speedup", "R", "of the GPU's computing over the CPU's (default: the machine's peaks)", "comm", true},
    {"--launch", "S", "that a host-initiated message waits for its kernel, in seconds (default: the machine's)", "comm",
     true},
    {"--other-launch", "S", "likewise, for comparison (default: 2e-6)", "comm", true},
    {"--pipelining", "per-byte|per-message",
     "the reading of Table II of Groves et al.: its text and Figure 5, or its landmark of 100 B (default: per-byte)",
     "comm sweep", true},
    {"--figure", "8|9", "sweep comm: the series of that figure of Groves et al., over its own ranges or --range",
     "sweep", true},
    {"--operation", "put|get", "sweep comm: what the messages of the port are (default: put; of --figure get)", "sweep",
     true},
    {"--batch", "N", "pipelined messages a launch (default: 10000)", "comm", true},
    {"--collective", "NAME[,NAME]", "with --bytes: also price these, by each algorithm: broadcast, allreduce, ...",
     "comm", true},
    {"--fixes", "",
     "with --format sarif: the result of the region that gains most in a program brings what `port` writes of it as a fix; every unit is read once more for it",
     "analyze"},
    {"--baseline", "REPORT.json", "what --format json wrote before: says what changed since, and lets --fail-on ask",
     "analyze project", true},
    {"--quick", "", "few sizes and repeats, seconds in place of a minute or two", "calibrate"},
    {"--help", "", "this command's help"},
    {"--version", "", "the version"},
};

#undef PRICED
#undef PROGRAMS

llvm::ArrayRef<OptionEntry> optionTable() { return table; }

bool takes(const OptionEntry &option, StringRef command) {
  llvm::SmallVector<StringRef, 4> commands;
  option.commands.split(commands, ' ');
  return option.commands.empty() || llvm::is_contained(commands, command);
}

/// Options that are promised, or that others have, with what to do instead.
static const std::pair<StringRef, StringRef> notHere[] = {
    {"--checks", "busfare has no checks to choose; see `busfare help analyze`"},
};

StringRef closest(StringRef word, llvm::ArrayRef<StringRef> known) {
  StringRef best;
  unsigned least = std::max<size_t>(2, word.size() / 3) + 1;
  for (StringRef candidate : known) {
    unsigned distance = word.edit_distance(candidate, true, least);
    // An unfinished word is a likely mistake too: --iter.
    if (word.size() >= 4 && candidate.starts_with(word)) distance = std::min(distance, 1u);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

static llvm::Error unknownOption(StringRef name) {
  for (const auto &[option, instead] : notHere)
    if (name == option || (option.size() == 2 && name.starts_with(option)))
      return wrong("option %s is not available: %s", option.str().c_str(), instead.str().c_str());
  if (name.size() > 2 &&
      (name.starts_with("-D") || name.starts_with("-I") || name.starts_with("-O") || name.starts_with("-W") ||
       name.starts_with("-f") || name.starts_with("-std") || name.starts_with("-m")))
    return wrong("'%s' is the compiler's: put it behind the sources and `--`, as in `busfare analyze SRC -- %s`",
                 name.str().c_str(), name.str().c_str());
  if (name == "-D" || name == "-I")
    return wrong("'%s' is the compiler's: put it behind the sources and `--`, as in `busfare analyze SRC -- %s...`",
                 name.str().c_str(), name.str().c_str());
  std::vector<StringRef> names;
  for (const OptionEntry &entry : table) names.push_back(entry.name);
  StringRef guess = closest(name, names);
  if (guess.empty()) return wrong("unknown option '%s'; `busfare help` lists them", name.str().c_str());
  return wrong("unknown option '%s'; did you mean '%s'?", name.str().c_str(), guess.str().c_str());
}

/// NAME=VALUE, split at the last '=': a size's name may hold anything.
static llvm::Expected<std::pair<std::string, std::string>> splitBinding(StringRef option, StringRef text) {
  auto [name, value] = text.rsplit('=');
  if (name.size() == text.size() || name.trim().empty() || value.trim().empty())
    return wrong("%s wants NAME=VALUE, not '%s'", option.str().c_str(), text.str().c_str());
  return std::make_pair(name.trim().str(), value.trim().str());
}

static llvm::Error readParameter(Options &options, StringRef text) {
  auto binding = splitBinding("--param", text);
  if (!binding) return binding.takeError();
  const std::optional<int64_t> number = parseWhole(binding->second);
  if (!number)
    return wrong("--param %s: '%s' is no whole number, as in 4096, 64K or 16Mi", binding->first.c_str(),
                 binding->second.c_str());
  const int64_t value = *number;
  for (const auto &[name, known] : options.parameters)
    if (name == binding->first && known != value)
      return wrong("--param %s is given twice, as %lld and as %lld", name.c_str(), static_cast<long long>(known),
                   static_cast<long long>(value));
  options.parameters.emplace_back(binding->first, value);
  return llvm::Error::success();
}

static llvm::Error readCpuTime(Options &options, StringRef text) {
  auto binding = splitBinding("--cpu-time", text);
  if (!binding) return binding.takeError();
  double seconds;
  if (StringRef(binding->second).getAsDouble(seconds) || !(seconds > 0) || !std::isfinite(seconds))
    return wrong("--cpu-time %s: '%s' is no positive number of seconds", binding->first.c_str(),
                 binding->second.c_str());
  options.cpuTimes.emplace_back(binding->first, seconds);
  return llvm::Error::success();
}

static llvm::Error readPositive(StringRef option, StringRef text, bool orZero, std::optional<double> &value) {
  double number;
  if (text.getAsDouble(number) || !std::isfinite(number) || number < 0 || (number == 0 && !orZero))
    return wrong("%s wants a %s number, not '%s'", option.str().c_str(), orZero ? "non-negative" : "positive",
                 text.str().c_str());
  value = number;
  return llvm::Error::success();
}

static llvm::Error readWords(StringRef text, std::vector<std::string> &into) {
  llvm::Expected<std::vector<std::string>> words = splitWords(text);
  if (!words) return words.takeError();
  into = std::move(*words);
  return llvm::Error::success();
}

static llvm::Error readProgramArguments(Options &options, StringRef text) {
  options.hasProgramArguments = true;
  return readWords(text, options.programArguments);
}

static llvm::Error readCount(StringRef option, StringRef text, uint64_t most, uint64_t &value) {
  if (text.getAsInteger(10, value) || value == 0 || value > most)
    return wrong("%s wants a whole number from 1 to %llu, not '%s'", option.str().c_str(),
                 static_cast<unsigned long long>(most), text.str().c_str());
  return llvm::Error::success();
}

/// Which command has which format.
static const struct {
  StringRef name;
  Format format;
  StringRef commands; ///< Empty: all but port.
} formats[] = {
    {"text", Format::Text, ""},
    {"source", Format::Text, "port"},
    {"patch", Format::Patch, "port"},
    {"yaml", Format::Yaml, "port"},
    {"json", Format::Json, ""},
    {"json", Format::Json, "port"},
    {"csv", Format::Csv, "analyze project compare trace sweep"},
    {"html", Format::Html, "analyze project"},
    {"svg", Format::Svg, "sweep"},
    {"sarif", Format::Sarif, "analyze project loops"},
    {"github", Format::Github, "analyze project loops"},
    {"gitlab", Format::Gitlab, "analyze project loops"},
    {"markdown", Format::Markdown, "analyze project compare diff"},
    {"junit", Format::JUnit, "analyze project diff"},
};

/// "text, json and csv".
static std::string inWords(llvm::ArrayRef<StringRef> words) {
  if (words.size() < 2) return llvm::join(words, "");
  return llvm::join(words.drop_back(), ", ") + " and " + words.back().str();
}

/// The format of this name, if the command has it.
static llvm::Error settleFormat(Options &options) {
  if (options.formatName.empty()) return llvm::Error::success();
  llvm::SmallVector<StringRef> known, others;
  bool isKnown = false;
  for (const auto &entry : formats) {
    const bool isNamed = entry.name == options.formatName;
    llvm::SmallVector<StringRef> commands;
    entry.commands.split(commands, ' ', -1, false);
    isKnown |= isNamed;
    if (entry.commands.empty() ? options.command == "port" : !llvm::is_contained(commands, options.command)) {
      if (isNamed) others.append(commands);
      continue;
    }
    known.push_back(entry.name);
    if (!isNamed) continue;
    options.format = entry.format;
    return llvm::Error::success();
  }
  const std::string name = options.formatName, there = inWords(known);
  if (!isKnown) return wrong("format '%s' is not available; there are %s", name.c_str(), there.c_str());
  if (others.empty())
    return wrong("--format %s is not for %s; there are %s", name.c_str(), options.command.c_str(), there.c_str());
  return wrong("--format %s is for %s; there are %s", name.c_str(), inWords(others).c_str(), there.c_str());
}

static llvm::Error readKernels(Options &options, StringRef text) {
  if (text != "all" && text != "planned" && text != "marked")
    return wrong("--kernels takes all, planned or marked, not '%s'", text.str().c_str());
  options.kernels = text.str();
  return llvm::Error::success();
}

static llvm::Error readPlan(Options &options, StringRef text) {
  const auto [word, number] = text.split(':');
  const bool isNumbered = word.size() < text.size();
  if ((word != "planned" && word != "explicit" && word != "streams") || (isNumbered && word != "streams"))
    return wrong("--plan takes explicit, planned, streams or streams:N, not '%s'", text.str().c_str());
  if (isNumbered && (number.getAsInteger(10, options.chunks) || options.chunks < 1 || options.chunks > 256))
    return wrong("--plan streams:N takes a number of chunks from 1 to 256, not '%s'", number.str().c_str());
  options.plan = word.str();
  return llvm::Error::success();
}

static llvm::Error readVariant(Options &options, StringRef text) {
  if (text != "plain" && text != "present" && text != "watched" && text != "ordered")
    return wrong("variant '%s' is not known; there are plain, present, watched and ordered", text.str().c_str());
  options.variant = text.str();
  return llvm::Error::success();
}

/// What is given and the command has no use for; conditions that others need.
static llvm::Error checkCommand(const Options &options) {
  const bool isHelp = options.help || options.command == "help";
  for (const auto &[name, value] : options.given) {
    const OptionEntry *entry = llvm::find_if(table, [&, &name = name](const OptionEntry &e) { return e.name == name; });
    llvm::SmallVector<StringRef> commands;
    entry->commands.split(commands, ' ', -1, false);
    if (!isHelp && !options.command.empty() && !takes(*entry, options.command))
      return wrong("%s is for %s, not for %s", name.c_str(), inWords(commands).c_str(), options.command.c_str());
  }
  if (options.oneThread && (options.kernels == "planned" || (options.command == "port" && options.kernels.empty())))
    return wrong("--one-thread needs --kernels all or marked: the plan moves statements where that pays");
  const bool isGuarded = (options.command != "port" && options.command != "verify") || options.guards;
  for (const char *name : {"--runs", "--threads"})
    if (!isHelp && !isGuarded && llvm::any_of(options.given, [&](const auto &one) { return one.first == name; }))
      return wrong("%s is for the conditions that %s --guard writes", name, options.command.c_str());
  if (options.guards && options.variant == "ordered")
    return wrong("--guard is about a device, and the ordered variant has none");
  if (options.details && options.top)
    return wrong("--details shows every region, --top some of them: give one of the two");
  if (options.formatName != "sarif" &&
      llvm::any_of(options.given, [](const auto &one) { return one.first == "--fixes"; }))
    return wrong(
        "--fixes wants --format sarif: they are changes of the sources for editors and code scanning; `busfare port` writes a patch");
  if (options.formatName == "junit" && options.failOn.empty())
    return wrong("--format junit wants --fail-on COND: each condition is a test");
  const bool hasBaseline = options.command == "diff" || llvm::any_of(options.figures, [](const auto &figure) {
                             return figure.first == "--baseline";
                           });
  for (const FailCondition &condition : options.failOn)
    if (condition.needsBaseline() && !hasBaseline)
      return wrong(
          "--fail-on %s speaks of what changed: give --baseline REPORT.json to analyze or project, or use diff",
          condition.text.c_str());
  return llvm::Error::success();
}

static llvm::Error readSwitch(Options &options, StringRef name) {
  if (name == "--strict") options.strict = true;
  else if (name == "--trust-directives") options.trustsDirectives = true;
  else if (name == "--details") options.details = true;
  else if (name == "--quiet") options.quiet = true;
  else if (name == "--no-progress") options.noProgress = true;
  else if (name == "--one-thread") options.oneThread = true;
  else if (name == "--guard") options.guards = true;
  else if (name == "--mutants") options.mutants = true;
  else if (name == "--no-cache") options.noCache = true;
  else if (name == "--quick") options.quick = true;
  else if (name == "--help") options.help = true;
  else if (name == "--version") options.version = true; // others are asked for by name where they are needed
  return llvm::Error::success();
}

static llvm::Error readOption(Options &options, StringRef name, StringRef value) {
  if (name == "--machine") options.machines.push_back(value.str());
  else if (name == "--host") options.host = value.str();
  else if (name == "--function") options.functions.push_back(value.str());
  else if (name == "--param") return readParameter(options, value);
  else if (name == "--cpu-time") return readCpuTime(options, value);
  else if (name == "--format") options.formatName = value.str();
  else if (name == "--variant") return readVariant(options, value);
  else if (name == "--kernels") return readKernels(options, value);
  else if (name == "--plan") return readPlan(options, value);
  else if (name == "--args") return readProgramArguments(options, value);
  else if (name == "--rebuild") return readWords(value, options.rebuildWords);
  else if (name == "--keep") options.keepFolder = value.str();
  else if (name == "--profile") options.profile = value.str();
  else if (name == "--tolerance") return readPositive(name, value, true, options.tolerance);
  else if (name == "--time-limit") return readPositive(name, value, false, options.timeLimit);
  else if (name == "--cache") options.cacheFolder = value.str();
  else if (name == "--cache-size") {
    llvm::Expected<double> bytes = parseBytes(name, value);
    if (!bytes) return bytes.takeError();
    options.cacheBytes = uint64_t(*bytes);
  } else if (name == "-o") options.output = value.str();
  else if (name == "-p") options.buildPath = value.str();
  else if (name == "--extra-arg") options.extraArguments.push_back(value.str());
  else if (name == "--extra-arg-before") options.extraArgumentsBefore.push_back(value.str());
  else if (name == "--unit-time-limit") return readPositive(name, value, false, options.unitSeconds);
  else if (name == "--unit-memory-limit") return readPositive(name, value, false, options.unitGigabytes);
  else if (name == "--runs") {
    options.manyRuns = value == "many";
    uint64_t count = 0;
    if (llvm::Error error = options.manyRuns ? llvm::Error::success() : readCount(name, value, 1000000000000, count))
      return error;
    options.runs = options.manyRuns ? std::nullopt : std::optional(count);
  } else if (name == "--iterations" || name == "--threads" || name == "--ranks" || name == "--top" || name == "-j") {
    uint64_t count = 0;
    if (llvm::Error error = readCount(name, value,
                                      name == "--iterations" ? 1000000000000000
                                      : name == "--ranks"    ? 10000000
                                                             : 65536,
                                      count))
      return error;
    if (name == "--threads") options.threads = unsigned(count);
    else if (name == "--ranks") options.processes = unsigned(count);
    else if (name == "--top") options.top = count;
    else if (name == "-j") options.jobs = unsigned(count);
    else options.iterations = count;
  } else {
    llvm::Expected<FailCondition> condition = parseFailCondition(value);
    if (!condition) return condition.takeError();
    options.failOn.push_back(std::move(*condition));
  }
  return llvm::Error::success();
}

/// The user's words for the compiler, less the sources and what only concerns its output.
static std::vector<std::string> withoutOutputs(llvm::ArrayRef<std::string> words, llvm::ArrayRef<std::string> sources) {
  std::vector<std::string> kept;
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i];
    if (word == "-o" || word == "-MF" || word == "-MT" || word == "-MQ") {
      ++i;
      continue;
    }
    bool output = word == "-c" || word == "-S" || word == "-E" || word == "-M" || word == "-MM" || word == "-MD" ||
                  word == "-MMD" || word == "-MP" || word == "-MG" || word == "--" ||
                  (word.starts_with("-o") && !word.starts_with("-objc"));
    if (output || llvm::is_contained(sources, words[i])) continue;
    kept.push_back(words[i]);
  }
  return kept;
}

static void takeCompilerWords(Options &options, llvm::ArrayRef<std::string> words) {
  options.hasCompilerArguments = true;
  options.runsBesideCompiler = !words.empty() && !StringRef(words.front()).starts_with("-");
  options.compilerArguments = options.runsBesideCompiler ? wordsForClang(words) : withoutOutputs(words, options.inputs);
}

llvm::Expected<Options> parseOptions(llvm::ArrayRef<std::string> arguments) {
  Options options;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef word = arguments[i];
    if (word == "--") {
      takeCompilerWords(options, arguments.drop_front(i + 1));
      break;
    }
    if (word.size() < 2 || word[0] != '-') {
      (options.command.empty() ? options.command : options.inputs.emplace_back()) = word.str();
      continue;
    }
    auto [name, value] = word.split('=');
    bool joined = name.size() != word.size();
    // -j8, as make has it.
    if (word.starts_with("-j") && word.size() > 2 && llvm::isDigit(word[2])) {
      name = "-j";
      value = word.drop_front(2);
      joined = true;
    }
    if (name == "-h" || name == "-help") name = "--help";
    // clang-tidy takes its options with one dash too: -extra-arg=-DN=3.
    std::string doubled = "-" + name.str();
    if (name == "-extra-arg" || name == "-extra-arg-before" || name == "-quiet" || name == "-version") name = doubled;
    const OptionEntry *entry = llvm::find_if(table, [&](const OptionEntry &e) { return e.name == name; });
    if (entry == std::end(table)) return unknownOption(name);
    if (entry->value.empty()) {
      if (joined) return wrong("option %s takes no value", name.str().c_str());
      options.given.emplace_back(entry->name.str(), "");
      if (llvm::Error error = readSwitch(options, entry->name)) return error;
      continue;
    }
    if (!joined) {
      if (i + 1 == arguments.size() || arguments[i + 1] == "--")
        return wrong("option %s wants a value: %s", name.str().c_str(), entry->value.str().c_str());
      value = arguments[++i];
    }
    if (value.empty() && entry->name != "--args") // a program may have none
      return wrong("option %s wants a value: %s", name.str().c_str(), entry->value.str().c_str());
    options.given.emplace_back(entry->name.str(), value.str());
    if (entry->isFigure) {
      options.figures.emplace_back(entry->name.str(), value.str());
      continue;
    }
    if (llvm::Error error = readOption(options, entry->name, value)) return error;
  }
  if (llvm::Error error = settleFormat(options)) return error;
  if (llvm::Error error = checkCommand(options)) return error;
  return options;
}

skeleton::Deadline Options::deadline(double share, std::chrono::seconds grace) const {
  constexpr double usual = 600;
  const bool isOfRuns = command == "verify" || command == "measure";
  const double seconds = share * (isOfRuns ? usual : timeLimit.value_or(usual));
  return skeleton::Deadline(
      started + std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds)),
      grace);
}

} // namespace busfare::frontend
