//===- runtime-bench/blas/MemoryWatch.cpp - Has anybody written there? ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/blas/MemoryWatch.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace busfare::blas {

Range MemoryWatch::pagesOf(const Range &range) const {
  const uintptr_t page = pageBytes(), from = reinterpret_cast<uintptr_t>(range.from) / page * page,
                  to = (reinterpret_cast<uintptr_t>(range.to) + page - 1) / page * page;
  return {reinterpret_cast<const char *>(from), reinterpret_cast<const char *>(to)};
}

Range MemoryWatch::wholePagesOf(const Range &range) const {
  const uintptr_t page = pageBytes(), from = (reinterpret_cast<uintptr_t>(range.from) + page - 1) / page * page,
                  to = reinterpret_cast<uintptr_t>(range.to) / page * page;
  return {reinterpret_cast<const char *>(from), reinterpret_cast<const char *>(std::max(from, to))};
}

namespace {

// Of linux/fs.h and linux/userfaultfd.h since 6.7; the headers that this is built with may be older than the kernel
// that it runs on.
struct ScanArguments {
  uint64_t size, flags, start, end, walkEnd, regions, regionCount, mostPages, inverted, allOf, anyOf, returned;
};
struct Region {
  uint64_t start, end, categories;
};
constexpr unsigned long scanRequest = _IOWR('f', 16, ScanArguments);
constexpr uint64_t protectsMatching = 1 << 0, mustBeWatched = 1 << 1;
constexpr uint64_t isWritten = 1 << 1, isPresent = 1 << 3;
constexpr uint64_t asynchronous = 1 << 15;
constexpr int userMode = 1; ///< What a process may have without a privilege.

uint64_t numberOf(const char *address) { return reinterpret_cast<uintptr_t>(address); }
const char *addressOf(uint64_t number) { return reinterpret_cast<const char *>(uintptr_t(number)); }

double secondsNow() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct File {
  int number = -1;
  ~File() {
    if (number >= 0) close(number);
  }
};

class KernelWatch final : public MemoryWatch {
public:
  bool start(std::string &why);
  bool watch(const Range &range) override;
  std::optional<std::vector<Range>> writtenIn(const Range &range) override;
  void relax(const Range &range) override;
  void release(const Range &range) override;
  bool isPinned() override;
  WatchCosts costs() const override { return measured; }
  size_t pageBytes() const override { return page; }

private:
  bool measure(std::string &why);
  File faults, pages, state;
  size_t page = 4096;
  WatchCosts measured;
};

bool KernelWatch::start(std::string &why) {
  page = size_t(sysconf(_SC_PAGESIZE));
  faults.number = int(syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | userMode));
  uffdio_api api{};
  api.api = UFFD_API;
  api.features = asynchronous;
  if (faults.number < 0 || ioctl(faults.number, UFFDIO_API, &api) != 0) {
    why = std::string("the kernel does not say what was written (userfaultfd, asynchronous, of Linux 6.7): ") +
          std::strerror(errno);
    return false;
  }
  pages.number = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  state.number = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (pages.number < 0 || state.number < 0) {
    why = std::string("/proc/self/pagemap and status: ") + std::strerror(errno);
    return false;
  }
  return measure(why);
}

/// On memory of its own; a kernel that does not notice a write is found out here.
bool KernelWatch::measure(std::string &why) {
  constexpr size_t count = 256;
  void *memory = mmap(nullptr, count * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    why = "there is no memory to try it on";
    return false;
  }
  char *at = static_cast<char *>(memory);
  const Range all{at, at + count * page}, one{at, at + page};
  auto writeAll = [&](char value) {
    const double start = secondsNow();
    for (size_t i = 0; i < count; ++i) static_cast<volatile char *>(at)[i * page] = value;
    return secondsNow() - start;
  };
  writeAll(1);
  const double unwatched = writeAll(2);
  bool works = watch(all) && writtenIn(all);
  const double watched = writeAll(3);
  std::optional<std::vector<Range>> written = writtenIn(all);
  works = works && written && written->size() == 1 && written->front().bytes() == all.bytes();
  measured.writePage = std::max(0.0, watched - unwatched) / double(count);
  measured.ask = measured.askPage = 1;
  // The least of a few, since the machine may be busy.
  for (int round = 0; round < 5; ++round) {
    double start = secondsNow();
    written = writtenIn(all);
    measured.askPage = std::min(measured.askPage, (secondsNow() - start) / double(count));
    works = works && written && written->empty();
    start = secondsNow();
    works = works && writtenIn(one);
    (void)isPinned();
    measured.ask = std::min(measured.ask, secondsNow() - start);
  }
  munmap(memory, count * page);
  if (!works) why = "the kernel does not say what was written (PAGEMAP_SCAN, of Linux 6.7)";
  return works;
}

/// Every byte is private to this process and of no file. Reading the list takes longer than a small call, and is done
/// where a range is watched for the first time.
bool isOurs(const Range &range) {
  std::FILE *file = std::fopen("/proc/self/maps", "re");
  if (!file) return false;
  uint64_t reached = numberOf(range.from);
  const uint64_t end = numberOf(range.to);
  bool isGood = true;
  char *line = nullptr;
  size_t room = 0;
  while (isGood && reached < end && getline(&line, &room, file) > 0) {
    uint64_t from = 0, to = 0, inode = 0;
    char permissions[5] = {}, name[9] = {};
    if (std::sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*s %*s %" SCNu64 " %8s", &from, &to, permissions, &inode,
                    name) < 4)
      isGood = false;
    if (to <= reached) continue;
    const bool isPlain = !*name || !std::strcmp(name, "[heap]") || !std::strncmp(name, "[anon", 5);
    isGood = isGood && from <= reached && permissions[1] == 'w' && permissions[3] == 'p' && inode == 0 && isPlain;
    reached = to;
  }
  std::free(line);
  std::fclose(file);
  return isGood && reached >= end;
}

bool KernelWatch::watch(const Range &range) {
  const Range touched = pagesOf(range);
  if (!isOurs(touched)) return false;
  uffdio_register wanted{};
  wanted.range = {numberOf(touched.from), touched.bytes()};
  wanted.mode = UFFDIO_REGISTER_MODE_WP;
  return ioctl(faults.number, UFFDIO_REGISTER, &wanted) == 0;
}

std::optional<std::vector<Range>> KernelWatch::writtenIn(const Range &range) {
  const Range touched = pagesOf(range);
  std::vector<Range> written;
  Region regions[64];
  ScanArguments scan{};
  scan.size = sizeof scan;
  scan.flags = protectsMatching | mustBeWatched;
  scan.end = numberOf(touched.to);
  scan.regions = reinterpret_cast<uintptr_t>(regions);
  scan.regionCount = std::size(regions);
  // A page that is not there bears no mark: neither is it as it was.
  scan.inverted = isPresent;
  scan.anyOf = scan.returned = isWritten | isPresent;
  for (uint64_t at = numberOf(touched.from); at < scan.end; at = scan.walkEnd) {
    scan.start = at;
    scan.walkEnd = 0;
    const int count = ioctl(pages.number, scanRequest, &scan);
    if (count < 0 || scan.walkEnd <= at) return std::nullopt;
    for (int i = 0; i < count; ++i) {
      const Range found{addressOf(regions[i].start), addressOf(regions[i].end)};
      if (!written.empty() && written.back().to == found.from) written.back().to = found.to;
      else written.push_back(found);
    }
  }
  return written;
}

void KernelWatch::relax(const Range &range) {
  const Range whole = wholePagesOf(range);
  if (whole.bytes() == 0) return;
  uffdio_writeprotect wanted{};
  wanted.range = {numberOf(whole.from), whole.bytes()};
  // What fails stays protected, which is slower and no less right.
  (void)ioctl(faults.number, UFFDIO_WRITEPROTECT, &wanted);
}

void KernelWatch::release(const Range &range) {
  const Range touched = pagesOf(range);
  uffdio_range wanted{numberOf(touched.from), touched.bytes()};
  (void)ioctl(faults.number, UFFDIO_UNREGISTER, &wanted);
}

bool KernelWatch::isPinned() {
  char text[2048];
  const ssize_t count = pread(state.number, text, sizeof text - 1, 0);
  text[std::max<ssize_t>(count, 0)] = 0;
  const char *line = std::strstr(text, "VmPin:");
  unsigned long long kibibytes = 0;
  return !line || std::sscanf(line, "VmPin: %llu", &kibibytes) != 1 || kibibytes != 0;
}

} // namespace

std::unique_ptr<MemoryWatch> kernelWatch(std::string &why) {
  auto made = std::make_unique<KernelWatch>();
  if (!made->start(why)) return nullptr;
  return made;
}

} // namespace busfare::blas
