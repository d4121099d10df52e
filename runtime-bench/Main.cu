//===- runtime-bench/Main.cu - The probe's command line -------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   busfare-bench link --csv link.csv --quick
//
// Exit codes as busfare's: 0 done; 2 bad usage, or no GPU here; 4 a CUDA call
// failed.
//
//===----------------------------------------------------------------------===//
#include "runtime-bench/Check.cuh"
#include "runtime-bench/Probe.h"
#include <cerrno>
#include <cstring>
#include <string>

namespace {

const char usage[] =
    "usage: busfare-bench PROBE [options]\n"
    "\n"
    "Measures what busfare's models need of this machine, as CSV.\n"
    "\n"
    "probes:\n"
    "  link             copies between host and device by size, pinned, pageable and\n"
    "                   mapped, each way and both; launches; device memory\n"
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
  void (*measure)(const Options &, Table &);
};
const Probe probes[] = {{"link", measureLink}};

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

/// What the numbers belong to, as comment lines above the table.
void writeHeader(std::FILE *file, const Options &options) {
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, options.device));
  int driver, runtime, engines, clock = 0, memoryClock = 0;
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  CHECK(cudaDeviceGetAttribute(&engines, cudaDevAttrAsyncEngineCount, options.device));
  CHECK(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, options.device));
  CHECK(cudaDeviceGetAttribute(&memoryClock, cudaDevAttrMemoryClockRate, options.device));
  std::fprintf(file, "# busfare-bench link 1\n# device: %s, compute capability %d.%d, %d SMs at up to %d MHz\n", device.name,
               device.major, device.minor, device.multiProcessorCount, clock / 1000);
  std::fprintf(file, "# memory: %zu bytes, %d-bit bus at %d MHz, L2 %d bytes\n", device.totalGlobalMem,
               device.memoryBusWidth, memoryClock / 1000, device.l2CacheSize);
  std::fprintf(file, "# driver: CUDA %d.%d, runtime %d.%d\n", driver / 1000, driver % 1000 / 10, runtime / 1000,
               runtime % 1000 / 10);
  char bus[32];
  CHECK(cudaDeviceGetPCIBusId(bus, sizeof bus, options.device));
  for (char *c = bus; *c; c++)
    *c = char(std::tolower(*c));
  // The kernel knows the link's width and speed; a container may hide them.
  const auto fact = [&bus](const char *name) {
    char line[64] = "unknown";
    if (std::FILE *f = std::fopen((std::string("/sys/bus/pci/devices/") + bus + "/" + name).c_str(), "r")) {
      if (!std::fgets(line, sizeof line, f))
        std::strcpy(line, "unknown");
      std::fclose(f);
      line[std::strcspn(line, "\n")] = 0;
    }
    return std::string(line);
  };
  std::fprintf(file, "# link: PCI %s, %s now of %s, width %s of %s, %d copy engines\n", bus,
               fact("current_link_speed").c_str(), fact("max_link_speed").c_str(), fact("current_link_width").c_str(),
               fact("max_link_width").c_str(), engines);
}

int measure(const Probe &probe, const Options &options) {
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (error != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "busfare-bench: no GPU can be used here (%s)\n",
                 error == cudaSuccess ? "the driver lists none" : cudaGetErrorString(error));
    return 2;
  }
  if (options.device >= devices)
    return badUsage("--device " + std::to_string(options.device) + ": the GPUs here are 0 to " +
                    std::to_string(devices - 1));
  CHECK(cudaSetDevice(options.device));
  std::FILE *file = options.csv ? std::fopen(options.csv, "w") : stdout;
  if (!file)
    return badUsage(std::string(options.csv) + " cannot be written: " + std::strerror(errno));
  writeHeader(file, options);
  Table table(file);
  probe.measure(options, table);
  const bool written = std::fflush(file) == 0 && !std::ferror(file);
  if (options.csv)
    std::fclose(file);
  if (written)
    return 0;
  std::fprintf(stderr, "busfare-bench: the table could not be written in full\n");
  return 2;
}

} // namespace

int main(int argc, char **argv) {
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
      if (++i == argc)
        return badUsage(word + " needs a value");
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
        if (word == probe.name && !chosen)
          chosen = &probe;
      if (!chosen || word != chosen->name)
        return badUsage("unknown probe " + word);
    }
  }
  if (!chosen)
    return badUsage("no probe is named");
  return measure(*chosen, options);
}
