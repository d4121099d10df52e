//===- runtime-bench/timing/Timing.c - When a port copied and computed ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Preloaded into a program with OpenMP target regions (LD_PRELOAD), this library writes to
// the file that BUSFARE_TIMING names when each kernel and each copy began and ended, and when
// the constructs around them did, in ns from the first of them:
//
//   busfare-timing 1 real
//   device sm_90
//   copy h2d 262144 0 15230
//   kernel 40 __omp_offloading_fd00_5a1_single_iteration_l40 15400 41200
//   span 98000
//
// `device` is what libomptarget calls it: generic-64bit is the host's own cores.
// `40` is the line of the construct in the ported text, which its name on the device ends
// with. `span` is from the first copy or kernel to the end of the last construct that had one:
// constructs wait for what they start, tasks of theirs included.
//
// Times are those of the calls that libomptarget makes of its plugin. On a GPU they are those
// of the work where the driver waits for each of them (CUDA_LAUNCH_BLOCKING=1); the span is
// right without that, too.
//
// BUSFARE_VIRTUAL_CLOCK=h2d_latency_s=1e-5,h2d_bytes_per_s=1e10,d2h_latency_s=...,kernel_s=1e-3
// puts a clock in the place of the real one that only copies and kernels advance, by these
// figures (kernel_s.40: of the construct in line 40 alone): what comes out is known before.
// It does one thing at a time, so that nothing overlaps on it, whatever the port allows.
//
// Not handled: kernels in shared libraries of the program (line 0), several devices.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE // dl_iterate_phdr, RTLD_NEXT
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <omp-tools.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MostLine = 512, MostKernels = 4096, MostRates = 256 };

static FILE *record;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t origin = -1, lastEnd = -1, pending;

//===--- Clocks -----------------------------------------------------------===//

static struct Rate {
  char name[32];
  double value;
} rates[MostRates];
static unsigned rateCount;
static int isVirtual;
static int64_t virtualNow;

static double rateOf(const char *name, double otherwise) {
  for (unsigned i = 0; i < rateCount; i++)
    if (strcmp(rates[i].name, name) == 0) return rates[i].value;
  return otherwise;
}

static void readRates(const char *text) {
  isVirtual = 1;
  while (*text && rateCount < MostRates) {
    struct Rate *rate = &rates[rateCount];
    int used = 0;
    if (sscanf(text, "%31[^=,]=%lf%n", rate->name, &rate->value, &used) != 2) break;
    ++rateCount;
    text += used;
    if (*text == ',') ++text;
  }
  if (*text) fprintf(stderr, "busfare-timing: BUSFARE_VIRTUAL_CLOCK: expected NAME=NUMBER, found '%s'\n", text);
}

static int64_t now(void) {
  if (isVirtual) return virtualNow;
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t nanoseconds(double seconds) { return (int64_t)(seconds * 1e9 + 0.5); }

static void passCopy(int toDevice, size_t bytes) {
  if (!isVirtual) return;
  const double bandwidth = rateOf(toDevice ? "h2d_bytes_per_s" : "d2h_bytes_per_s", 1e9);
  virtualNow += nanoseconds(rateOf(toDevice ? "h2d_latency_s" : "d2h_latency_s", 0) + (double)bytes / bandwidth);
}

static void passKernel(long line) {
  if (!isVirtual) return;
  char name[32];
  snprintf(name, sizeof name, "kernel_s.%ld", line);
  virtualNow += nanoseconds(rateOf(name, rateOf("kernel_s", 0)));
}

//===--- Names of kernels -------------------------------------------------===//

/// The symbols of the program itself: kernels are known by the address of a variable that each of them has.
static struct Program {
  const char *file; ///< Mapped.
  uintptr_t base;
} program;

static int findProgram(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size, (void)data;
  program.base = info->dlpi_addr;
  return 1; // the first is the program
}

static void readProgram(void) {
  dl_iterate_phdr(findProgram, NULL);
  const int file = open("/proc/self/exe", O_RDONLY);
  struct stat status;
  if (file < 0) return;
  if (fstat(file, &status) == 0) {
    void *text = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (text != MAP_FAILED && memcmp(text, ELFMAG, SELFMAG) == 0) program.file = text;
  }
  close(file);
}

/// "__omp_offloading_..._l40", or "?".
static void nameOf(const void *handle, char *name) {
  strcpy(name, "?");
  if (!program.file) return;
  const ElfW(Ehdr) *header = (const void *)program.file;
  const ElfW(Shdr) *sections = (const void *)(program.file + header->e_shoff);
  for (unsigned i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const ElfW(Sym) *symbols = (const void *)(program.file + sections[i].sh_offset);
    const char *strings = program.file + sections[sections[i].sh_link].sh_offset;
    for (size_t k = 0; k < sections[i].sh_size / sizeof *symbols; k++) {
      const char *symbol = strings + symbols[k].st_name;
      const char *kernel = strstr(symbol, "__omp_offloading_");
      if (program.base + symbols[k].st_value != (uintptr_t)handle || !kernel) continue;
      snprintf(name, MostLine, "%s", kernel);
      char *ending = strstr(name, ".region_id");
      if (ending) *ending = 0;
      return;
    }
  }
}

static long lineOf(const char *name) {
  const char *line = strstr(name, "_l");
  for (const char *next = line; next; next = strstr(next + 1, "_l")) line = next;
  return line ? strtol(line + 2, NULL, 10) : 0;
}

static struct Kernel {
  const void *handle;
  char name[MostLine];
} *kernels;
static unsigned kernelCount;

static const char *knownName(const void *handle) {
  for (unsigned i = 0; i < kernelCount; i++)
    if (kernels[i].handle == handle) return kernels[i].name;
  if (!kernels) kernels = calloc(MostKernels, sizeof *kernels);
  if (!kernels || kernelCount == MostKernels) return "?";
  kernels[kernelCount].handle = handle;
  nameOf(handle, kernels[kernelCount].name);
  return kernels[kernelCount++].name;
}

//===--- What libomptarget does -------------------------------------------===//

static __thread const void *launched; ///< The kernel that this thread is about to start.
static __thread int64_t began;

/// int __tgt_target_kernel(ident_t *, int64_t, int32_t, int32_t, void *, KernelArgsTy *), which clang calls.
__attribute__((visibility("default"))) int __tgt_target_kernel(void *place, int64_t device, int32_t teams,
                                                               int32_t threads, void *handle, void *arguments) {
  static int (*next)(void *, int64_t, int32_t, int32_t, void *, void *);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "__tgt_target_kernel");
  if (!next) return 1; // no libomptarget: the host's version
  launched = handle;
  const int result = next(place, device, teams, threads, handle, arguments);
  launched = NULL;
  return result;
}

/// Under the lock.
static int64_t since(int64_t time) {
  if (origin < 0) origin = time;
  return time - origin;
}

static void onDataOperation(ompt_scope_endpoint_t endpoint, ompt_data_t *task, ompt_data_t *target, ompt_id_t *id,
                            ompt_target_data_op_t operation, void *source, int sourceDevice, void *destination,
                            int destinationDevice, size_t bytes, const void *code) {
  (void)task, (void)target, (void)id, (void)source, (void)sourceDevice, (void)destination, (void)destinationDevice;
  (void)code;
  const int toDevice =
      operation == ompt_target_data_transfer_to_device || operation == ompt_target_data_transfer_to_device_async;
  const int fromDevice =
      operation == ompt_target_data_transfer_from_device || operation == ompt_target_data_transfer_from_device_async;
  if (!toDevice && !fromDevice) return;
  pthread_mutex_lock(&lock);
  if (endpoint == ompt_scope_begin) {
    began = now();
    since(began);
  } else {
    passCopy(toDevice, bytes);
    pending = 1;
    fprintf(record, "copy %s %zu %lld %lld\n", toDevice ? "h2d" : "d2h", bytes, (long long)since(began),
            (long long)since(now()));
  }
  pthread_mutex_unlock(&lock);
}

static void onSubmit(ompt_scope_endpoint_t endpoint, ompt_data_t *target, ompt_id_t *id, unsigned teams) {
  (void)target, (void)id, (void)teams;
  pthread_mutex_lock(&lock);
  if (endpoint == ompt_scope_begin) {
    began = now();
    since(began);
  } else {
    const char *name = launched ? knownName(launched) : "?";
    passKernel(lineOf(name));
    pending = 1;
    fprintf(record, "kernel %ld %s %lld %lld\n", lineOf(name), name, (long long)since(began), (long long)since(now()));
  }
  pthread_mutex_unlock(&lock);
}

static void onTarget(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
                     ompt_data_t *targetTask, ompt_data_t *target, const void *code) {
  (void)kind, (void)device, (void)task, (void)targetTask, (void)target, (void)code;
  if (endpoint != ompt_scope_end) return;
  pthread_mutex_lock(&lock);
  if (pending) lastEnd = since(now());
  pending = 0;
  pthread_mutex_unlock(&lock);
}

static void onDevice(int number, const char *type, ompt_device_t *device, ompt_function_lookup_t lookup,
                     const char *documentation) {
  (void)number, (void)device, (void)lookup, (void)documentation;
  pthread_mutex_lock(&lock);
  if (record) fprintf(record, "device %s\n", type && *type ? type : "unknown");
  pthread_mutex_unlock(&lock);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  const char *clock = getenv("BUSFARE_VIRTUAL_CLOCK"), *file = getenv("BUSFARE_TIMING");
  if (clock) readRates(clock);
  record = file ? fopen(file, "w") : NULL;
  if (!record) return 0;
  fprintf(record, "busfare-timing 1 %s\n", isVirtual ? "virtual" : "real");
  readProgram();
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  if (set) set(ompt_callback_device_initialize, (ompt_callback_t)onDevice);
  if (!set || set(ompt_callback_target_data_op_emi, (ompt_callback_t)onDataOperation) != ompt_set_always ||
      set(ompt_callback_target_submit_emi, (ompt_callback_t)onSubmit) != ompt_set_always ||
      set(ompt_callback_target_emi, (ompt_callback_t)onTarget) != ompt_set_always) {
    fprintf(stderr, "busfare-timing: this libomp does not tell a tool what target regions do\n");
    return 0;
  }
  return 1;
}

static void finalize(ompt_data_t *data) {
  (void)data;
  pthread_mutex_lock(&lock);
  if (record) {
    if (lastEnd >= 0) fprintf(record, "span %lld\n", (long long)lastEnd);
    fclose(record);
    record = NULL;
  }
  pthread_mutex_unlock(&lock);
}

__attribute__((visibility("default"))) ompt_start_tool_result_t *ompt_start_tool(unsigned version,
                                                                                 const char *runtime) {
  (void)version, (void)runtime;
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
