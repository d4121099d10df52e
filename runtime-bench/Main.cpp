//===- runtime-bench/Main.cpp - The probe's command line ------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   busfare-bench host --csv host.csv
//   busfare-bench link --csv link.csv --quick
//
// Exit codes as busfare's: 0 done; 2 bad usage, or no GPU here; 4 a CUDA call
// failed. Built without nvcc it has the probe of the host alone, and says so.
//
//===----------------------------------------------------------------------===//
#include "runtime-bench/Probe.h"
#include "runtime-bench/compare/Command.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

const char usage[] = "usage: busfare-bench PROBE [options]\n"
                     "\n"
                     "Measures what busfare's models need of this machine, as CSV.\n"
                     "\n"
                     "probes:\n"
                     "  host             the host's arithmetic, caches and memory, on one core and all\n"
                     "  link             copies between host and device by size, pinned, pageable and\n"
                     "                   mapped, each way and both; launches; device memory\n"
                     "  overlap          copies and a kernel, one behind the other, in streams, mapped\n"
                     "  tiles            cuBLAS on square tiles, and axpy, by size\n"
                     "  start            driver and context; memory of the device, and page-locked\n"
                     "  blas             libbusfare-blas beside cuBLASXt and cuBLAS with copies; minutes\n"
                     "beside them:\n"
                     "  compare          ports against what was projected; busfare-bench compare --help\n"
                     "options:\n"
                     "  --csv FILE       write the table there (default: standard output)\n"
                     "  --quick          few sizes and repeats: seconds instead of a minute\n"
                     "  --max-bytes N    the largest transfer (default 536870912, at least 1048576)\n"
                     "  --device N       which GPU (default 0)\n"
                     "  --help           this text\n"
                     "\n"
                     "example:\n"
                     "  busfare-bench link --csv link.csv --quick\n";

struct Probe {
  const char *name;
  std::string (*prepare)(const Options &); ///< Why it cannot run here; empty if it can. Null: it always can.
  void (*writeHeader)(std::FILE *, const char *, const Options &);
  void (*measure)(const Options &, Table &);
  void (*measureOwn)(const Options &, std::FILE *) = nullptr; ///< Instead, where a probe's table is another.
};

#ifndef BUSFARE_BENCH_CUDA
std::string chooseDevice(const Options &) {
  return "no GPU can be used here (this busfare-bench was built without nvcc)";
}
std::string chooseDeviceTimed(const Options &options) { return chooseDevice(options); }
void writeDeviceHeader(std::FILE *, const char *, const Options &) {}
void measureLink(const Options &, Table &) {}
void measureOverlap(const Options &, Table &) {}
void measureStart(const Options &, Table &) {}
std::string chooseDeviceWithBlas(const Options &options) { return chooseDevice(options); }
void measureTiles(const Options &, Table &) {}
std::string chooseDeviceWithLibraries(const Options &options) { return chooseDevice(options); }
void measureBlas(const Options &, std::FILE *) {}
#endif

const Probe probes[] = {{"host", nullptr, writeHostHeader, measureHost},
                        {"link", chooseDevice, writeDeviceHeader, measureLink},
                        {"overlap", chooseDevice, writeDeviceHeader, measureOverlap},
                        {"tiles", chooseDeviceWithBlas, writeDeviceHeader, measureTiles},
                        {"start", chooseDeviceTimed, writeDeviceHeader, measureStart},
                        {"blas", chooseDeviceWithLibraries, writeDeviceHeader, nullptr, measureBlas}};

int badUsage(const std::string &message) {
  std::fprintf(stderr, "busfare-bench: %s; busfare-bench --help lists what there is\n", message.c_str());
  return 2;
}

bool parseNumber(const char *text, long long least, long long &value) {
  char *end;
  errno = 0;
  value = std::strtoll(text, &end, 10);
  return *text && !*end && errno == 0 && value >= least;
}

int measure(const Probe &probe, const Options &options) {
  if (std::string why = probe.prepare ? probe.prepare(options) : ""; !why.empty()) {
    std::fprintf(stderr, "busfare-bench: %s\n", why.c_str());
    return 2;
  }
  std::FILE *file = options.csv ? std::fopen(options.csv, "w") : stdout;
  if (!file) return badUsage(std::string(options.csv) + " cannot be written: " + std::strerror(errno));
  probe.writeHeader(file, probe.name, options);
  if (probe.measureOwn) {
    probe.measureOwn(options, file);
  } else {
    Table table(file);
    probe.measure(options, table);
  }
  const bool written = std::fflush(file) == 0 && !std::ferror(file);
  if (options.csv) std::fclose(file);
  if (written) return 0;
  std::fprintf(stderr, "busfare-bench: the table could not be written in full\n");
  return 2;
}

} // namespace

int main(int argc, char **argv) {
  if (argc > 1 && std::strcmp(argv[1], "compare") == 0) return busfare::bench::runCompare(argc - 1, argv + 1);
  Options options;
  const Probe *chosen = nullptr;
  for (int i = 1; i < argc; i++) {
    const std::string word = argv[i];
    long long number = 0;
    if (word == "--help" || word == "-h" || word == "help") {
      std::fputs(usage, stdout);
      return 0;
    }
    if (word == "--quick") {
      options.quick = true;
    } else if (word == "--csv" || word == "--max-bytes" || word == "--device") {
      if (++i == argc) return badUsage(word + " needs a value");
      if (word == "--csv") {
        options.csv = argv[i];
      } else if (word == "--device") {
        if (!parseNumber(argv[i], 0, number) || number > 1000)
          return badUsage("--device " + std::string(argv[i]) + " is no number of a GPU");
        options.device = int(number);
      } else {
        if (!parseNumber(argv[i], 1 << 20, number))
          return badUsage("--max-bytes " + std::string(argv[i]) + " is no number from 1048576 on");
        options.maxBytes = size_t(number);
      }
    } else if (word[0] == '-') {
      return badUsage("unknown option " + word);
    } else {
      for (const Probe &probe : probes)
        if (word == probe.name && !chosen) chosen = &probe;
      if (!chosen || word != chosen->name) return badUsage("unknown probe " + word);
    }
  }
  if (!chosen) return badUsage("no probe is named");
  return measure(*chosen, options);
}
