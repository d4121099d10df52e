//===- runtime-bench/Device.cu - Which GPU is measured --------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Chooses the device, or says why there is none, and writes what the numbers belong to.
//
//   # device: NVIDIA A100-PCIE-40GB, compute capability 8.0, 108 SMs at up to 1410 MHz
//
//===----------------------------------------------------------------------===//
#include "runtime-bench/Check.cuh"
#include "runtime-bench/Probe.h"
#include <cctype>
#include <cstring>

std::string chooseDevice(const Options &options) {
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (error != cudaSuccess || devices == 0)
    return std::string("no GPU can be used here (") +
           (error == cudaSuccess ? "the driver lists none" : cudaGetErrorString(error)) + ")";
  if (options.device >= devices)
    return "--device " + std::to_string(options.device) + ": the GPUs here are 0 to " + std::to_string(devices - 1) +
           "; busfare-bench --help lists what there is";
  CHECK(cudaSetDevice(options.device));
  return "";
}

void writeDeviceHeader(std::FILE *file, const char *probe, const Options &options) {
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, options.device));
  int driver, runtime, engines, clock = 0, memoryClock = 0;
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  CHECK(cudaDeviceGetAttribute(&engines, cudaDevAttrAsyncEngineCount, options.device));
  CHECK(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, options.device));
  CHECK(cudaDeviceGetAttribute(&memoryClock, cudaDevAttrMemoryClockRate, options.device));
  std::fprintf(file, "# busfare-bench %s 1\n# device: %s, compute capability %d.%d, %d SMs at up to %d MHz\n", probe,
               device.name, device.major, device.minor, device.multiProcessorCount, clock / 1000);
  std::fprintf(file, "# memory: %zu bytes, %d-bit bus at %d MHz, L2 %d bytes\n", device.totalGlobalMem,
               device.memoryBusWidth, memoryClock / 1000, device.l2CacheSize);
  std::fprintf(file, "# driver: CUDA %d.%d, runtime %d.%d\n", driver / 1000, driver % 1000 / 10, runtime / 1000,
               runtime % 1000 / 10);
  char bus[32];
  CHECK(cudaDeviceGetPCIBusId(bus, sizeof bus, options.device));
  for (char *c = bus; *c; c++) *c = char(std::tolower(*c));
  // The kernel knows the link's width and speed; a container may hide them.
  const auto fact = [&bus](const char *name) {
    char line[64] = "unknown";
    if (std::FILE *f = std::fopen((std::string("/sys/bus/pci/devices/") + bus + "/" + name).c_str(), "r")) {
      if (!std::fgets(line, sizeof line, f)) std::strcpy(line, "unknown");
      std::fclose(f);
      line[std::strcspn(line, "\n")] = 0;
    }
    return std::string(line);
  };
  std::fprintf(file, "# link: PCI %s, %s now of %s, width %s of %s, %d copy engines\n", bus,
               fact("current_link_speed").c_str(), fact("max_link_speed").c_str(), fact("current_link_width").c_str(),
               fact("max_link_width").c_str(), engines);
}
