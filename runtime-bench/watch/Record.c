//===- runtime-bench/watch/Record.c - Named arrays and what crossed -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Three tables: arrays by (region, name) with the bytes each way; the host range that
// a name means at the moment (swapped pointers and freed blocks move it); and the
// device blocks that are mapped. A transfer belongs to the array whose range holds the
// host address its device block was made for: a copy of a staging buffer counts too,
// a reduction's 8 bytes do not, also where an array lay on the stack before.
//
// At the end of the program one JSON object a line goes to BUSFARE_WATCH_REPORT:
//
//   {"kind": "array", "root": "p7", "array": "u", "bytes": 800, "h2d": 800, "d2h": 0,
//    "h2d_copies": 1, "d2h_copies": 0, "unplanned_h2d": 0, "unplanned_d2h": 0, "protection": "pages"}
//   {"kind": "copy", "id": 0, "calls": 1, "elements": 100, "bytes": 800, "changed": true, "last_changed": true}
//   {"kind": "value", "root": "p7", "symbol": "n", "value": 100, "values": 1}
//   {"kind": "guard", "region": 1, "asked": 1, "held": 0}
//   {"kind": "guarded", "id": 0, "calls": 1}
//   {"kind": "tasks", "region": 1, "runs": 1, "tasks": 9, "orders": 280, "all": true}
//   {"kind": "run", "kernels": 2, "blocks": 1, "other_h2d": 8, "other_d2h": 8, "protected": true}
//   {"kind": "fault", "why": "..."}          only if a protection ended the run
//
// protection: "pages", all of the array's pages are untouchable while a kernel runs;
// "inner pages", only those between its first and its last; "none".
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include "runtime-bench/watch/Arena.h"
#include "runtime-bench/watch/Watch.h"
#include "runtime-bench/watch/Watching.h"
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PageBytes = 4096, MostArrays = 4096, MostRanges = 8192, MostMappings = 16384, MostCopies = 65536, MostValues = 4096, MostBystanders = 64, LargestNumber = 16 };

enum Protection { OwnPages, InnerPages, NoPages };
static const char *const protectionNames[] = {"pages", "inner pages", "none"};

enum Mutant { Drop, Short, SpoilAll, SpoilLast, Shift };

struct Array {
  const char *root, *name;
  unsigned long bytes;
  unsigned long moved[2], copies[2]; ///< [0] to the device, [1] from it.
  unsigned long unplanned[2];        ///< Of the moved bytes, those behind no busfare_copy.
  enum Protection protection;        ///< The weakest of all its ranges.
};
struct Range {
  uintptr_t address;
  unsigned long bytes;
  unsigned array;
};
struct Mapping {
  uintptr_t host, device;
  size_t bytes;
};
struct Copy {
  long calls, elements;
  unsigned long bytes;
  bool changed;     ///< Some transfer brought a value that was not there already.
  bool lastChanged; ///< The last element of some call's last transfer did.
};
struct Value {
  const char *root, *symbol;
  long value, least, most, values;
};

BUSFARE_STATE static struct Array *arrays;
BUSFARE_STATE static struct Range *ranges;
BUSFARE_STATE static struct Mapping *mappings;
BUSFARE_STATE static struct Copy *copies;
BUSFARE_STATE static struct Value *values;
BUSFARE_STATE static struct Range bystanders[MostBystanders]; ///< Of the kernel that comes next.
BUSFARE_STATE static unsigned bystanderCount;
BUSFARE_STATE static unsigned arrayCount, rangeCount, mappingCount, copyCount, valueCount;
BUSFARE_STATE static unsigned long kernels, blocks, otherMoved[2];
BUSFARE_STATE static bool allProtected = true;
BUSFARE_STATE static int currentCopy = -1;
BUSFARE_STATE static long currentElements;     ///< What busfare_copy granted.
BUSFARE_STATE static bool currentLastChanged;  ///< Of the current call's last transfer so far.
BUSFARE_STATE static char *lastSpoiled;        ///< The end of the current call's last transfer so far, if that is the mutant,
BUSFARE_STATE static size_t lastSpoiledBytes;
BUSFARE_STATE static char lastCopied[256];     ///< and what was copied there.
BUSFARE_STATE static int mutantCopy = -1;
BUSFARE_STATE static enum Mutant mutant;
BUSFARE_STATE volatile bool busfareKernelRuns;

/// These make the linker begin the program's initialised data, this library's variables and the program's other data each
/// on a page of its own.
#define PAGE_BEGIN __attribute__((used, aligned(PageBytes)))
PAGE_BEGIN static char beginOfData = 1, beginOfBss;
PAGE_BEGIN BUSFARE_STATE static char beginOfState;
extern char __data_start, end;                                     // the program, given by the linker
extern char __start_busfare_state, __stop_busfare_state; // this library's variables

//===--- What the program says ---------------------------------------------===//

static unsigned arrayOf(const char *root, const char *name) {
  for (unsigned i = 0; i < arrayCount; ++i)
    if (strcmp(arrays[i].root, root) == 0 && strcmp(arrays[i].name, name) == 0)
      return i;
  if (arrayCount == MostArrays)
    busfareStop("too many arrays to watch");
  arrays[arrayCount] = (struct Array){.root = root, .name = name};
  return arrayCount++;
}

static uintptr_t roundUp(uintptr_t address) { return (address + PageBytes - 1) / PageBytes * PageBytes; }
static uintptr_t roundDown(uintptr_t address) { return address / PageBytes * PageBytes; }

/// The pages to shut for a range outside the arena. Of the program's variables all that the range touches: no other of them
/// is needed while a kernel runs, but this library's are, and the table of imported functions before the first. Of
/// anything else (the stack, a library's memory) those that hold nothing beside the range.
static void pagesOf(uintptr_t address, size_t bytes, uintptr_t *begin, uintptr_t *pagesEnd) {
  *begin = roundUp(address);
  *pagesEnd = roundDown(address + bytes);
  if (address < (uintptr_t)&__data_start || address + bytes > (uintptr_t)&end)
    return;
  uintptr_t first = roundUp((uintptr_t)&__data_start), ownBegin = roundDown((uintptr_t)&__start_busfare_state),
            ownEnd = roundUp((uintptr_t)&__stop_busfare_state);
  uintptr_t wideBegin = roundDown(address), wideEnd = roundUp(address + bytes);
  if (wideBegin >= first && (wideBegin >= ownEnd || wideBegin < ownBegin))
    *begin = wideBegin;
  if (wideEnd <= ownBegin || wideEnd > ownEnd)
    *pagesEnd = wideEnd;
}

static enum Protection protectionOf(uintptr_t address, size_t bytes) {
  struct BusfareBlock block;
  if (busfareFind(&busfareHostArena, address, &block) && block.live)
    return OwnPages;
  uintptr_t begin, pagesEnd;
  pagesOf(address, bytes, &begin, &pagesEnd);
  if (begin <= address && address + bytes <= pagesEnd)
    return OwnPages;
  return begin < pagesEnd ? InnerPages : NoPages;
}

static void endCopy(void) {
  if (currentCopy >= 0 && currentLastChanged && !busfareRepeats)
    copies[currentCopy].lastChanged = true;
  currentCopy = -1;
  currentLastChanged = false;
  lastSpoiled = NULL;
}

void busfareCopyEnds(void) {
  busfareLock();
  endCopy();
  busfareUnlock();
}

void busfare_object(const char *root, const char *array, const void *address, unsigned long bytes) {
  if (!bytes || !address)
    return;
  uintptr_t begin = (uintptr_t)address;
  busfareLock();
  unsigned index = arrayOf(root, array);
  struct Array *known = &arrays[index];
  if (bytes > known->bytes)
    known->bytes = bytes;
  enum Protection protection = protectionOf(begin, bytes);
  if (protection > known->protection)
    known->protection = protection;
  // The name moves: what it meant before is forgotten, and so is who had this memory before.
  unsigned kept = 0;
  for (unsigned i = 0; i < rangeCount; ++i) {
    bool overlaps = ranges[i].address < begin + bytes && begin < ranges[i].address + ranges[i].bytes;
    bool sameRoot = strcmp(arrays[ranges[i].array].root, root) == 0;
    if (ranges[i].array != index && !(overlaps && !sameRoot))
      ranges[kept++] = ranges[i];
  }
  rangeCount = kept;
  if (rangeCount == MostRanges)
    busfareUnlock(), busfareStop("too many arrays to watch");
  ranges[rangeCount++] = (struct Range){begin, bytes, index};
  endCopy();
  busfareUnlock();
}

void busfare_bystander(const char *root, const char *array, const void *address, unsigned long bytes) {
  busfareLock();
  if (bystanderCount == MostBystanders)
    busfareUnlock(), busfareStop("too many arrays that a kernel is not to touch");
  unsigned index = arrayOf(root, array);
  enum Protection protection = protectionOf((uintptr_t)address, bytes);
  if (protection > arrays[index].protection)
    arrays[index].protection = protection;
  bystanders[bystanderCount++] = (struct Range){(uintptr_t)address, bytes, index};
  busfareUnlock();
}

/// Of the current copy. Where a transfer is not a whole number of elements of the run, one byte stands for the last.
static size_t elementBytes(size_t bytes) {
  return currentElements > 0 && bytes % currentElements == 0 ? bytes / currentElements : 1;
}

/// Before the bytes are copied: would anybody notice if they, or the last element, were not? Device blocks of the x86_64
/// device are ordinary memory.
static void compareEnds(const char *source, const char *destination, size_t bytes) {
  bool changed = memcmp(source, destination, bytes) != 0;
  copies[currentCopy].changed |= changed && !busfareRepeats;
  if (!changed)
    currentLastChanged = false;
  else {
    size_t each = elementBytes(bytes);
    currentLastChanged = memcmp(source + bytes - each, destination + bytes - each, each) != 0;
  }
}

BUSFARE_STATE static char *overwritten; ///< What the copy to be spoiled is about to overwrite.
BUSFARE_STATE static size_t overwrittenBytes;

/// Not by malloc, which is watched too and would wait for the lock that is held here.
static void keepOverwritten(const char *destination, size_t bytes) {
  if (bytes > overwrittenBytes) {
    if (overwritten)
      munmap(overwritten, overwrittenBytes);
    void *fresh = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    overwritten = fresh == MAP_FAILED ? NULL : fresh;
    overwrittenBytes = overwritten ? bytes : 0;
  }
  if (bytes <= overwrittenBytes)
    memcpy(overwritten, destination, bytes);
}

/// Elements that were there already say nothing about the copy: they keep their values.
static void spoilChanged(char *destination, size_t bytes) {
  if (bytes > overwrittenBytes)
    busfareStop("no memory to remember what a copy overwrites");
  size_t each = elementBytes(bytes);
  for (size_t at = 0; at < bytes; at += each)
    if (memcmp(overwritten + at, destination + at, each) != 0)
      busfareFillSame(destination + at, each, busfareFreshByte());
}

/// Of several transfers (the rows of a box) the last one has the last element: an earlier one gets its own back.
static void spoilLast(char *destination, size_t bytes) {
  if (lastSpoiled)
    memcpy(lastSpoiled, lastCopied, lastSpoiledBytes);
  size_t each = elementBytes(bytes);
  lastSpoiledBytes = each < sizeof lastCopied ? each : sizeof lastCopied;
  lastSpoiled = destination + bytes - lastSpoiledBytes;
  memcpy(lastCopied, lastSpoiled, lastSpoiledBytes);
  busfareFillSame(lastSpoiled, lastSpoiledBytes, busfareFreshByte());
}

long busfare_copy(int copy, long elements) {
  endCopy();
  if (elements < 0 && busfareTasksRun())
    busfareStop("a piece of a copy ends in front of where it begins");
  if (copy < 0 || copy >= MostCopies || elements < 0)
    return elements;
  long granted = elements;
  if (copy == mutantCopy && mutant == Drop)
    granted = -1;
  if (copy == mutantCopy && mutant == Short && elements > 0)
    granted = elements - 1;
  if ((unsigned)copy >= copyCount)
    copyCount = copy + 1;
  if (!busfareRepeats) {
    ++copies[copy].calls;
    copies[copy].elements += granted > 0 ? granted : 0;
  }
  currentCopy = copy;
  currentElements = granted > 0 ? granted : 0;
  return granted;
}

long busfare_cut(int copy, long from, long end, long most, long by) {
  if (copy != mutantCopy || mutant != Shift)
    return end;
  end += by;
  return end < from ? from : end > most ? most : end;
}

void busfare_value(const char *root, const char *symbol, long value) {
  busfareLock();
  struct Value *known = NULL;
  for (unsigned i = 0; i < valueCount && !known; ++i)
    if (strcmp(values[i].root, root) == 0 && strcmp(values[i].symbol, symbol) == 0)
      known = &values[i];
  if (!known && valueCount == MostValues)
    busfareUnlock(), busfareStop("too many sizes to watch");
  if (!known) {
    known = &values[valueCount++];
    *known = (struct Value){root, symbol, value, value, value, 0};
  }
  known->value = value;
  known->least = value < known->least ? value : known->least;
  known->most = value > known->most ? value : known->most;
  ++known->values;
  busfareUnlock();
}

//===--- What libomptarget says --------------------------------------------===//

/// The last one named: a block freed and taken anew may still be known under its former name.
static const struct Range *rangeAt(uintptr_t host) {
  for (unsigned i = rangeCount; i > 0; --i)
    if (host >= ranges[i - 1].address && host - ranges[i - 1].address < ranges[i - 1].bytes)
      return &ranges[i - 1];
  return NULL;
}

static const struct Mapping *mappingAt(uintptr_t device) {
  for (unsigned i = mappingCount; i > 0; --i)
    if (device >= mappings[i - 1].device && device - mappings[i - 1].device < mappings[i - 1].bytes)
      return &mappings[i - 1];
  return NULL;
}

void busfareMapped(uintptr_t host, uintptr_t device, size_t bytes) {
  busfareLock();
  if (mappingCount == MostMappings)
    busfareUnlock(), busfareStop("too many device blocks to watch");
  ++blocks;
  mappings[mappingCount++] = (struct Mapping){host, device, bytes};
  endCopy(); // which is of what was mapped already
  busfareUnlock();
}

void busfareUnmapped(uintptr_t device) {
  busfareLock();
  for (unsigned i = mappingCount; i > 0; --i)
    if (mappings[i - 1].device == device) {
      memmove(&mappings[i - 1], &mappings[i], (mappingCount - i) * sizeof mappings[0]);
      --mappingCount;
      break;
    }
  busfareUnlock();
}

void busfareMoving(bool toDevice, uintptr_t host, uintptr_t device, size_t bytes) {
  busfareLock();
  const struct Mapping *mapping = mappingAt(device);
  const bool isArrays = rangeAt(mapping ? mapping->host : host) != NULL; // no reduction result, no struct by value
  char *source = (char *)(toDevice ? host : device), *destination = (char *)(toDevice ? device : host);
  if (currentCopy >= 0 && bytes && isArrays) {
    compareEnds(source, destination, bytes);
    if (currentCopy == mutantCopy && mutant == SpoilAll)
      keepOverwritten(destination, bytes);
  }
  busfareUnlock();
}

void busfareMoved(bool toDevice, uintptr_t host, uintptr_t device, size_t bytes) {
  busfareLock();
  const struct Mapping *mapping = mappingAt(device);
  const struct Range *range = rangeAt(mapping ? mapping->host : host);
  // A reduction's result on the stack, where an array was before or will be.
  const bool isOneNumber = mapping && mapping->bytes <= LargestNumber && range && range->bytes > mapping->bytes;
  if (isOneNumber && currentCopy < 0 && !busfareHolds(&busfareHostArena, mapping->host))
    range = NULL;
  if (range) {
    if (!busfareRepeats) {
      arrays[range->array].moved[!toDevice] += bytes;
      ++arrays[range->array].copies[!toDevice];
    }
    if (currentCopy >= 0 && !busfareRepeats)
      copies[currentCopy].bytes += bytes;
    char *destination = (char *)(toDevice ? device : host);
    if (currentCopy >= 0 && currentCopy == mutantCopy && bytes && mutant == SpoilAll)
      spoilChanged(destination, bytes);
    if (currentCopy >= 0 && currentCopy == mutantCopy && bytes && mutant == SpoilLast)
      spoilLast(destination, bytes);
    if (currentCopy < 0 && !busfareRepeats)
      arrays[range->array].unplanned[!toDevice] += bytes;
  } else if (!busfareRepeats) {
    otherMoved[!toDevice] += bytes;
  }
  busfareUnlock();
}

bool busfareMappingAt(unsigned k, uintptr_t *host, uintptr_t *device, size_t *bytes) {
  if (k >= mappingCount)
    return false;
  *host = mappings[k].host;
  *device = mappings[k].device;
  *bytes = mappings[k].bytes;
  return true;
}

/// The pages of a host range outside the arena; false if it has none to itself.
static bool shutPages(uintptr_t host, size_t bytes, uintptr_t *begin, uintptr_t *pagesEnd) {
  if (busfareHolds(&busfareHostArena, host))
    return false;
  pagesOf(host, bytes, begin, pagesEnd);
  return *begin < *pagesEnd;
}

void busfareKernel(bool begins) {
  if (begins) {
    kernels += !busfareRepeats;
    endCopy();
  }
  const int access = begins ? PROT_NONE : PROT_READ | PROT_WRITE;
  bool done = busfareProtectAll(&busfareHostArena, begins);
  uintptr_t begin, pagesEnd;
  for (unsigned i = 0; i < mappingCount; ++i)
    if (shutPages(mappings[i].host, mappings[i].bytes, &begin, &pagesEnd))
      done &= mprotect((void *)begin, pagesEnd - begin, access) == 0;
  for (unsigned i = 0; i < bystanderCount; ++i)
    if (shutPages(bystanders[i].address, bystanders[i].bytes, &begin, &pagesEnd))
      done &= mprotect((void *)begin, pagesEnd - begin, access) == 0;
  if (!begins)
    bystanderCount = 0;
  allProtected &= done;
  busfareKernelRuns = begins;
}

bool busfareIsShut(uintptr_t address) {
  uintptr_t begin, pagesEnd;
  for (unsigned i = 0; i < mappingCount; ++i)
    if (shutPages(mappings[i].host, mappings[i].bytes, &begin, &pagesEnd) && address >= begin && address < pagesEnd)
      return true;
  for (unsigned i = 0; i < bystanderCount; ++i)
    if (shutPages(bystanders[i].address, bystanders[i].bytes, &begin, &pagesEnd) && address >= begin && address < pagesEnd)
      return true;
  return false;
}

static void name(const struct Range *range, char *text, size_t room) {
  if (range)
    snprintf(text, room, "%s of %s", arrays[range->array].name, arrays[range->array].root);
  else if (room)
    text[0] = 0;
}

void busfareNameHost(uintptr_t address, char *text, size_t room) {
  const struct Range *range = rangeAt(address);
  for (unsigned i = 0; i < bystanderCount && !range; ++i)
    if (address - bystanders[i].address < bystanders[i].bytes)
      range = &bystanders[i];
  name(range, text, room);
}

void busfareNameDevice(uintptr_t address, char *text, size_t room) {
  const struct Mapping *mapping = mappingAt(address);
  name(mapping ? rangeAt(mapping->host) : NULL, text, room);
}

//===--- The record ----------------------------------------------------------===//

BUSFARE_STATE static int recordFile = -1;

static void line(const char *format, ...) {
  char text[2048];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length > 0 && (size_t)length < sizeof text && write(recordFile, text, length) != length)
    _exit(BusfareFault);
}

/// text as the inside of a JSON string.
static const char *escaped(const char *text, char *room, size_t size) {
  size_t length = 0;
  for (; *text && length + 3 < size; ++text) {
    unsigned char c = *text;
    if (c == '"' || c == '\\')
      room[length++] = '\\';
    room[length++] = c < 0x20 ? ' ' : c;
  }
  room[length] = 0;
  return room;
}

static void writeRecord(const char *fault) {
  BUSFARE_STATE static atomic_flag written = ATOMIC_FLAG_INIT;
  const char *file = getenv("BUSFARE_WATCH_REPORT");
  if (!file || !*file || atomic_flag_test_and_set(&written))
    return;
  endCopy();
  recordFile = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (recordFile < 0)
    return;
  char root[600], other[600];
  for (unsigned i = 0; i < arrayCount; ++i) {
    const struct Array *a = &arrays[i];
    line("{\"kind\": \"array\", \"root\": \"%s\", \"array\": \"%s\", \"bytes\": %lu, \"h2d\": %lu, \"d2h\": %lu, "
         "\"h2d_copies\": %lu, \"d2h_copies\": %lu, \"unplanned_h2d\": %lu, \"unplanned_d2h\": %lu, "
         "\"protection\": \"%s\"}\n",
         escaped(a->root, root, sizeof root), escaped(a->name, other, sizeof other), a->bytes, a->moved[0], a->moved[1],
         a->copies[0], a->copies[1], a->unplanned[0], a->unplanned[1], protectionNames[a->protection]);
  }
  for (unsigned i = 0; i < copyCount; ++i)
    if (copies[i].calls)
      line("{\"kind\": \"copy\", \"id\": %u, \"calls\": %ld, \"elements\": %ld, \"bytes\": %lu, \"changed\": %s, "
           "\"last_changed\": %s}\n",
           i, copies[i].calls, copies[i].elements, copies[i].bytes, copies[i].changed ? "true" : "false",
           copies[i].lastChanged ? "true" : "false");
  for (unsigned i = 0; i < valueCount; ++i)
    line("{\"kind\": \"value\", \"root\": \"%s\", \"symbol\": \"%s\", \"value\": %ld, \"least\": %ld, \"most\": %ld, "
         "\"values\": %ld}\n",
         escaped(values[i].root, root, sizeof root), escaped(values[i].symbol, other, sizeof other), values[i].value,
         values[i].least, values[i].most, values[i].values);
  busfareWriteGuards(line);
  busfareWriteTasks(line);
  line("{\"kind\": \"run\", \"kernels\": %lu, \"blocks\": %lu, \"other_h2d\": %lu, \"other_d2h\": %lu, "
       "\"protected\": %s}\n",
       kernels, blocks, otherMoved[0], otherMoved[1], allProtected ? "true" : "false");
  if (fault)
    line("{\"kind\": \"fault\", \"why\": \"%s\"}\n", escaped(fault, root, sizeof root));
  close(recordFile);
}

_Noreturn void busfareStop(const char *why) {
  BUSFARE_STATE static atomic_flag stopping = ATOMIC_FLAG_INIT;
  if (atomic_flag_test_and_set(&stopping))
    for (;;)
      pause(); // another thread is already saying why
  char text[700];
  int length = snprintf(text, sizeof text, "busfare: %s\n", why);
  if (write(STDERR_FILENO, text, length < (int)sizeof text ? length : (int)sizeof text) < 0)
    _exit(BusfareFault);
  writeRecord(why);
  _exit(BusfareFault);
}

static void *table(size_t bytes) {
  void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    busfareStop("no memory for the watch library");
  return p;
}

static void readMutant(const char *text) {
  static const char *const kinds[] = {":drop", ":short", ":spoil", ":spoil-last", ":shift"};
  if (!text || !*text)
    return;
  char *kind;
  mutantCopy = (int)strtol(text, &kind, 10);
  if (strcmp(kind, ":unguard") == 0) {
    busfareUnguard(mutantCopy);
    mutantCopy = -1;
    return;
  }
  if (strcmp(kind, ":undepend") == 0) {
    busfareUndepend(mutantCopy);
    mutantCopy = -1;
    return;
  }
  for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
    if (strcmp(kind, kinds[i]) == 0) {
      mutant = (enum Mutant)i;
      return;
    }
  busfareStop("BUSFARE_MUTANT wants NUMBER:drop, :short, :spoil, :spoil-last, :shift, :unguard or :undepend");
}

/// Before any constructor of the program.
__attribute__((constructor(101))) static void start(void) {
  arrays = table(MostArrays * sizeof *arrays);
  ranges = table(MostRanges * sizeof *ranges);
  mappings = table(MostMappings * sizeof *mappings);
  copies = table(MostCopies * sizeof *copies);
  values = table(MostValues * sizeof *values);
  readMutant(getenv("BUSFARE_MUTANT"));
  busfareReadGuards();
  busfareStartAllocating();
  busfareCatchFaults();
}

__attribute__((destructor)) static void finish(void) { writeRecord(NULL); }
