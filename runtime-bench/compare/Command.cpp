//===- runtime-bench/compare/Command.cpp - busfare-bench compare --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   busfare-bench compare --report r.json --port explicit=./hotspot_omp --csv errors.csv
//   busfare-bench compare hotspot.c --machine h100-sxm5 -- -DGRID=1024
//
//===----------------------------------------------------------------------===//

#include "runtime-bench/compare/Command.h"
#include "projection/Machine.h"
#include "runtime-bench/compare/Runner.h"
#include "runtime-bench/compare/Writers.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace busfare::bench {

static const char usage[] = "usage: busfare-bench compare --report REPORT.json --port VARIANT=PROGRAM... [options]\n"
                            "       busfare-bench compare SOURCE [options] -- COMPILER FLAGS\n"
                            "\n"
                            "Runs ports of a program and holds what `busfare analyze` projected against what\n"
                            "they take: kernels, copies, the plan, the speedup; signed errors of each.\n"
                            "\n"
                            "programs (each --report or SOURCE begins one; what follows belongs to it):\n"
                            "  --report FILE         what `busfare analyze --format json` wrote\n"
                            "  --name NAME           of the program, in rows (default: the file's)\n"
                            "  --port VARIANT=FILE   a built port: explicit, streams, mapped or hybrid\n"
                            "  --host NAME=PROFILE[,REPORT]\n"
                            "                        what `busfare measure --format json` wrote of the program on\n"
                            "                        the host, and the report for those threads if it is another\n"
                            "  --args WORDS          what the program is called with\n"
                            "  SOURCE                one source: analysed, ported (explicit copies), compiled and\n"
                            "                        measured on the host, on all threads and on one\n"
                            "options:\n"
                            "  --machine NAME|FILE   of the projection (default: the report's first)\n"
                            "  --memory KIND         what ports copy from: pinned or pageable (default: pageable)\n"
                            "  --runs N              of each port, of which the median is taken (default 3)\n"
                            "  --target TRIPLE       of SOURCE's port (default x86_64-pc-linux-gnu, a device of\n"
                            "                        the host; nvptx64-nvidia-cuda)\n"
                            "  --csv FILE            every row\n"
                            "  --plot FILE           an SVG: measured against projected\n"
                            "  --errors-into FILE    the machine file with errors.* as measured here\n"
                            "  --virtual-clock RATES a clock that copies and kernels alone advance, for tests\n"
                            "  --help                this text\n";

namespace {

struct Ask {
  std::string name, report, source;
  std::vector<std::pair<std::string, std::string>> ports, hosts;
  std::vector<std::string> arguments;
};

struct CompareOptions {
  std::vector<Ask> programs;
  std::string machine, memory = "pageable", target = "x86_64-pc-linux-gnu", csv, plot, errorsInto, virtualClock;
  unsigned runs = 3;
  std::vector<std::string> flags;
  bool help = false;
};

} // namespace

static llvm::Error readOption(StringRef word, StringRef value, CompareOptions &options) {
  auto current = [&]() -> llvm::Expected<Ask *> {
    if (options.programs.empty()) return llvm::createStringError(word + " needs a --report or a source before it");
    return &options.programs.back();
  };
  auto addPair = [&](std::vector<std::pair<std::string, std::string>> Ask::*list) -> llvm::Error {
    auto [name, file] = value.split('=');
    if (name.empty() || file.empty()) return llvm::createStringError(word + " wants NAME=FILE, found '" + value + "'");
    llvm::Expected<Ask *> ask = current();
    if (!ask) return ask.takeError();
    ((*ask)->*list).emplace_back(name.str(), file.str());
    return llvm::Error::success();
  };
  if (word == "--report") {
    options.programs.push_back({llvm::sys::path::stem(value).str(), value.str(), "", {}, {}, {}});
  } else if (word == "--port") {
    StringRef name = value.split('=').first;
    if (name != "explicit" && name != "streams" && name != "mapped" && name != "hybrid")
      return llvm::createStringError(
          "--port wants explicit, streams, mapped or hybrid, as in explicit=./hotspot_omp, found '" + value + "'");
    return addPair(&Ask::ports);
  } else if (word == "--host") {
    return addPair(&Ask::hosts);
  } else if (word == "--name" || word == "--args") {
    llvm::Expected<Ask *> ask = current();
    if (!ask) return ask.takeError();
    if (word == "--name") {
      (*ask)->name = value.str();
    } else {
      llvm::SmallVector<StringRef> words;
      value.split(words, ' ', -1, false);
      for (StringRef each : words) (*ask)->arguments.push_back(each.str());
    }
  } else if (word == "--memory") {
    if (value != "pinned" && value != "pageable")
      return llvm::createStringError("--memory wants pinned or pageable, found '" + value + "'");
    options.memory = value.str();
  } else if (word == "--runs") {
    if (value.getAsInteger(10, options.runs) || options.runs < 1 || options.runs > 1000)
      return llvm::createStringError("--runs wants a number from 1 to 1000, found '" + value + "'");
  } else {
    static const std::pair<StringRef, std::string CompareOptions::*> texts[] = {
        {"--machine", &CompareOptions::machine},
        {"--target", &CompareOptions::target},
        {"--csv", &CompareOptions::csv},
        {"--plot", &CompareOptions::plot},
        {"--errors-into", &CompareOptions::errorsInto},
        {"--virtual-clock", &CompareOptions::virtualClock}};
    for (const auto &[name, member] : texts)
      if (word == name) {
        options.*member = value.str();
        return llvm::Error::success();
      }
    return llvm::createStringError("unknown option " + word);
  }
  return llvm::Error::success();
}

static llvm::Expected<CompareOptions> parse(int argc, char **argv) {
  CompareOptions options;
  for (int i = 1; i < argc; ++i) {
    const StringRef word = argv[i];
    if (word == "--help" || word == "-h") {
      options.help = true;
      return options;
    }
    if (word == "--") {
      options.flags.assign(argv + i + 1, argv + argc);
      break;
    }
    if (!word.starts_with("-")) {
      options.programs.push_back({llvm::sys::path::stem(word).str(), "", word.str(), {}, {}, {}});
      continue;
    }
    if (++i == argc) return llvm::createStringError(word + " needs a value");
    if (llvm::Error error = readOption(word, argv[i], options)) return error;
  }
  if (options.programs.empty()) return llvm::createStringError("compare wants a --report and its ports, or a source");
  for (const Ask &ask : options.programs)
    if (!ask.report.empty() && ask.ports.empty() && ask.hosts.empty())
      return llvm::createStringError(ask.report + ": nothing to hold it against: name a --port or a --host");
  return options;
}

static llvm::Expected<std::string> textOf(const std::string &file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer) return llvm::createStringError(file + ": " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

/// A folder that goes with its owner.
namespace {
struct Folder {
  llvm::SmallString<128> path;
  ~Folder() {
    if (!path.empty()) llvm::sys::fs::remove_directories(path);
  }
};
} // namespace

static std::string besideSelf(StringRef relative) {
  const std::string self = llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&besideSelf));
  llvm::SmallString<256> path(llvm::sys::path::parent_path(self));
  llvm::sys::path::append(path, relative);
  llvm::sys::path::remove_dots(path, true);
  return path.str().str();
}

/// Where it is built, or where it is installed.
static std::string timingLibrary() {
  const std::string installed = besideSelf("../lib/busfare/libbusfare-timing.so");
  return llvm::sys::fs::exists(installed) ? installed : besideSelf("../lib/libbusfare-timing.so");
}

/// A source becomes a report, a port and profiles.
static llvm::Error build(Ask &ask, const CompareOptions &options, const std::string &folder) {
  SourceOptions source;
  source.busfare = besideSelf("busfare");
  source.source = ask.source;
  source.machine = options.machine.empty() ? projection::defaultMachine.str() : options.machine;
  source.target = options.target;
  source.folder = folder;
  source.flags = options.flags;
  source.arguments = ask.arguments;
  llvm::Expected<BuiltSource> built = buildSource(source);
  if (!built) return built.takeError();
  ask.report = built->report;
  ask.ports.emplace_back("explicit", built->port);
  ask.hosts.emplace_back("host", built->host);
  ask.hosts.emplace_back("one-thread", built->oneThread + "," + built->oneThreadReport);
  return llvm::Error::success();
}

static llvm::Expected<ProjectedProgram> projectedIn(const std::string &file) {
  llvm::Expected<std::string> text = textOf(file);
  if (!text) return text.takeError();
  return readProjected(*text, file);
}

static llvm::Expected<Comparison> compareOne(Ask ask, const CompareOptions &options, const std::string &folder) {
  if (!ask.source.empty())
    if (llvm::Error error = build(ask, options, folder)) return error;
  llvm::Expected<ProjectedProgram> projected = projectedIn(ask.report);
  if (!projected) return projected.takeError();
  llvm::Expected<projection::Machine> machine =
      projection::loadMachine(options.machine.empty() ? projected->machine : options.machine);
  if (!machine) return machine.takeError();
  RunOptions run{timingLibrary(), folder, ask.arguments, options.runs, options.virtualClock};
  if (!ask.ports.empty() && !llvm::sys::fs::exists(run.timing))
    return llvm::createStringError("'" + run.timing + "' is missing: build it (target busfare-timing)");
  std::vector<Variant> variants;
  std::string onHost;
  for (const auto &[name, program] : ask.ports) {
    llvm::Expected<TimedRun> times = runPort(program, run);
    if (!times) return times.takeError();
    if (isHostDevice(*times) && !times->isVirtual) onHost = times->device;
    variants.push_back({name, std::move(*times)});
  }
  if (!onHost.empty() && !options.errorsInto.empty())
    return llvm::createStringError(ask.name + ": its port ran on the host's own cores (" + onHost +
                                   "), which says nothing of a GPU's errors: leave --errors-into out, or give the "
                                   "port a GPU");
  std::vector<HostVariant> hosts;
  for (const auto &[name, files] : ask.hosts) {
    auto [profile, report] = StringRef(files).split(',');
    llvm::Expected<std::string> text = textOf(profile.str());
    if (!text) return text.takeError();
    llvm::Expected<HostRun> host = readHostRun(*text, profile);
    if (!host) return host.takeError();
    llvm::Expected<ProjectedProgram> own = report.empty() ? *projected : projectedIn(report.str());
    if (!own) return own.takeError();
    hosts.push_back({name, std::move(*host), std::move(*own)});
  }
  Comparison result = compare(
      ask.name, *projected, machine->link,
      options.memory == "pinned" ? projection::HostMemory::Pinned : projection::HostMemory::Pageable, variants, hosts);
  if (!onHost.empty())
    result.notes.insert(result.notes.begin(), ask.name + ": the ports ran on the host's own cores (" + onHost +
                                                  "): what is measured says nothing of a GPU");
  const bool isPinned = options.memory == "pinned";
  if (!variants.empty() && projected->isPinned != isPinned)
    result.notes.insert(result.notes.begin(),
                        ask.name + ": the report prices copies from " + (isPinned ? "pageable" : "pinned") +
                            " memory, the ports are taken to copy from " + options.memory + " memory");
  return result;
}

static llvm::Error writeFile(const std::string &file, const std::string &text) {
  std::error_code code;
  llvm::raw_fd_ostream os(file, code);
  if (!code) {
    os << text;
    os.close();
    code = os.error();
    os.clear_error();
  }
  return code ? llvm::createStringError(file + ": " + code.message()) : llvm::Error::success();
}

static llvm::Error compareAll(const CompareOptions &options) {
  Folder folder;
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("busfare-compare", folder.path))
    return llvm::createStringError("no temporary folder can be made: " + code.message());
  Comparison all;
  for (const Ask &ask : options.programs) {
    llvm::Expected<Comparison> one = compareOne(ask, options, folder.path.str().str());
    if (!one) return one.takeError();
    all.rows.insert(all.rows.end(), one->rows.begin(), one->rows.end());
    all.notes.insert(all.notes.end(), one->notes.begin(), one->notes.end());
  }
  std::string csv, plot;
  llvm::raw_string_ostream csvText(csv), plotText(plot);
  writeCsv(all, csvText);
  writePlot(all, plotText);
  if (!options.csv.empty())
    if (llvm::Error error = writeFile(options.csv, csv)) return error;
  if (!options.plot.empty())
    if (llvm::Error error = writeFile(options.plot, plot)) return error;
  writeTable(all, llvm::outs());
  if (options.errorsInto.empty()) return llvm::Error::success();
  std::vector<std::string> changed;
  llvm::Expected<std::string> base = textOf(options.errorsInto);
  if (!base) return base.takeError();
  llvm::Expected<std::string> machine = withErrors(*base, options.errorsInto, all, changed);
  if (!machine) return machine.takeError();
  llvm::outs() << "- " << options.errorsInto << ": "
               << (changed.empty() ? "unchanged, fewer than " + std::to_string(leastSamples) + " rows of each kind"
                                   : llvm::join(changed, ", ") + " as measured here")
               << ".\n";
  return changed.empty() ? llvm::Error::success() : writeFile(options.errorsInto, *machine);
}

int runCompare(int argc, char **argv) {
  llvm::Expected<CompareOptions> options = parse(argc, argv);
  if (!options) {
    llvm::errs() << "busfare-bench: " << llvm::toString(options.takeError())
                 << "; busfare-bench compare --help lists what there is\n";
    return 2;
  }
  if (options->help) {
    llvm::outs() << usage;
    return 0;
  }
  if (llvm::Error error = compareAll(*options)) {
    llvm::outs().flush();
    llvm::errs() << "busfare-bench: " << llvm::toString(std::move(error)) << '\n';
    return 2;
  }
  return 0;
}

} // namespace busfare::bench
