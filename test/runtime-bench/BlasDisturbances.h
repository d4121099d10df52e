/*===- test/runtime-bench/BlasDisturbances.h - Ways to change memory --------===*\
 * Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*
 *
 * A block of numbers in memory of some kind, and ways in which programs change what is in
 * it: stores, system calls that write there, mappings that are exchanged. After each the
 * memory itself says what a right result is. For C and C++ alike.
 *
 * A test allocates a block, calls BLAS with it until a copy has stayed, changes it, and calls
 * again.
 *
\*===----------------------------------------------------------------------===*/
#ifndef BUSFARE_TEST_RUNTIMEBENCH_BLASDISTURBANCES_H
#define BUSFARE_TEST_RUNTIMEBENCH_BLASDISTURBANCES_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

typedef enum BlockKind { MALLOCED, MAPPED, PRIVATE_FILE, SHARED_FILE, PINNED } BlockKind;

typedef struct Block {
  double *at;
  size_t count;
  BlockKind kind;
  int file;    /* PRIVATE_FILE, SHARED_FILE: behind it; PINNED: what is read from */
  double *two; /* SHARED_FILE: the same memory at another address */
  int ring;    /* PINNED */
  char *submissions, *entries;
  struct io_uring_params parameters;
} Block;

static inline size_t bytesOfBlock(const Block *block) { return block->count * sizeof(double); }

/* What is written into it: never what was there. */
static inline double nextNumber(void) {
  static int count = 0;
  return 1 + ++count % 977 * 0.25;
}

static inline void fillNumbers(double *numbers, size_t count) {
  for (size_t i = 0; i < count; ++i) numbers[i] = nextNumber();
}

/* An unlinked file of that many new numbers; -1 if there is no place for one. */
static inline int fileOfNumbers(size_t count) {
  char name[] = "/tmp/busfare-blas-XXXXXX";
  const int file = mkstemp(name);
  if (file < 0) return -1;
  unlink(name);
  double *numbers = (double *)malloc(count * sizeof(double));
  fillNumbers(numbers, count);
  size_t done = 0;
  while (done < count * sizeof(double)) {
    const ssize_t now = write(file, (char *)numbers + done, count * sizeof(double) - done);
    if (now <= 0) {
      close(file);
      free(numbers);
      return -1;
    }
    done += (size_t)now;
  }
  free(numbers);
  lseek(file, 0, SEEK_SET);
  return file;
}

static inline size_t ringBytes(const struct io_uring_params *p) {
  return p->sq_off.array + p->sq_entries * sizeof(uint32_t);
}
static inline size_t entryBytes(const struct io_uring_params *p) { return p->sq_entries * sizeof(struct io_uring_sqe); }

/* Registered with io_uring: the kernel writes there by its own mapping, as a device would. 0: there is none. */
static inline int pinBlock(Block *block) {
  memset(&block->parameters, 0, sizeof block->parameters);
  block->ring = (int)syscall(SYS_io_uring_setup, 4, &block->parameters);
  if (block->ring < 0) return 0;
  const struct io_uring_params *p = &block->parameters;
  block->submissions =
      (char *)mmap(NULL, ringBytes(p), PROT_READ | PROT_WRITE, MAP_SHARED, block->ring, IORING_OFF_SQ_RING);
  block->entries = (char *)mmap(NULL, entryBytes(p), PROT_READ | PROT_WRITE, MAP_SHARED, block->ring, IORING_OFF_SQES);
  const struct iovec whole = {block->at, bytesOfBlock(block)};
  return block->submissions != MAP_FAILED && block->entries != MAP_FAILED &&
         syscall(SYS_io_uring_register, block->ring, IORING_REGISTER_BUFFERS, &whole, 1) == 0;
}

/* 0: there is no such memory here. */
static inline int makeBlock(Block *block, BlockKind kind, size_t count) {
  memset(block, 0, sizeof *block);
  block->kind = kind;
  block->count = count;
  block->file = block->ring = -1;
  const size_t bytes = count * sizeof(double);
  if (kind == MALLOCED) block->at = (double *)malloc(bytes);
  else if (kind == MAPPED || kind == PINNED)
    block->at = (double *)mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  else {
    block->file = kind == SHARED_FILE ? (int)syscall(SYS_memfd_create, "block", 0) : fileOfNumbers(count);
    if (block->file < 0 || (kind == SHARED_FILE && ftruncate(block->file, (off_t)bytes) != 0)) return 0;
    const int how = kind == SHARED_FILE ? MAP_SHARED : MAP_PRIVATE;
    block->at = (double *)mmap(NULL, bytes, PROT_READ | PROT_WRITE, how, block->file, 0);
    if (kind == SHARED_FILE) block->two = (double *)mmap(NULL, bytes, PROT_READ | PROT_WRITE, how, block->file, 0);
  }
  if (!block->at || (void *)block->at == MAP_FAILED) return 0;
  if (kind != PRIVATE_FILE) fillNumbers(block->at, count);
  if (kind == PINNED) {
    block->file = fileOfNumbers(count);
    return block->file >= 0 && pinBlock(block);
  }
  return 1;
}

static inline void freeBlock(Block *block) {
  if (block->kind == MALLOCED) free(block->at);
  else munmap((void *)block->at, bytesOfBlock(block));
  if (block->two) munmap((void *)block->two, bytesOfBlock(block));
  if (block->file >= 0) close(block->file);
  if (block->ring >= 0) {
    syscall(SYS_io_uring_register, block->ring, IORING_UNREGISTER_BUFFERS, NULL, 0);
    munmap(block->submissions, ringBytes(&block->parameters));
    munmap(block->entries, entryBytes(&block->parameters));
    close(block->ring);
  }
}

/* Each changes the block, or answers 0: it cannot here. */

static inline int storeOne(Block *block) {
  block->at[block->count / 2] = nextNumber();
  return 1;
}
static inline int storeFirst(Block *block) {
  block->at[0] = nextNumber();
  return 1;
}
static inline int storeLast(Block *block) {
  block->at[block->count - 1] = nextNumber();
  return 1;
}
static inline void *storeInThread(void *block) {
  storeOne((Block *)block);
  return NULL;
}
static inline int storeByThread(Block *block) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, storeInThread, block) != 0) return 0;
  pthread_join(thread, NULL);
  return 1;
}
static inline int readPipe(Block *block) {
  int ends[2];
  double numbers[64];
  fillNumbers(numbers, 64);
  if (pipe(ends) != 0) return 0;
  const int done = write(ends[1], numbers, sizeof numbers) == sizeof numbers &&
                   read(ends[0], block->at + block->count / 3, sizeof numbers) == sizeof numbers;
  close(ends[0]);
  close(ends[1]);
  return done;
}
static inline int receive(Block *block) {
  int ends[2];
  double numbers[64];
  fillNumbers(numbers, 64);
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 0;
  const int done = send(ends[1], numbers, sizeof numbers, 0) == sizeof numbers &&
                   recv(ends[0], block->at + block->count / 5, sizeof numbers, MSG_WAITALL) == sizeof numbers;
  close(ends[0]);
  close(ends[1]);
  return done;
}
static inline int readWholeFile(Block *block) {
  const int file = fileOfNumbers(block->count);
  if (file < 0) return 0;
  const int done = pread(file, block->at, bytesOfBlock(block), 0) == (ssize_t)bytesOfBlock(block);
  close(file);
  return done;
}
static inline int readVectors(Block *block) {
  const int file = fileOfNumbers(block->count);
  if (file < 0) return 0;
  const struct iovec parts[2] = {{block->at + 100, 4096}, {block->at + block->count / 2, 4096}};
  const int done = readv(file, parts, 2) == 8192;
  close(file);
  return done;
}
static inline int readStream(Block *block) {
  const int file = fileOfNumbers(block->count);
  FILE *stream = file < 0 ? NULL : fdopen(file, "r");
  if (!stream) return 0;
  const int done = fread(block->at, sizeof(double), block->count, stream) == block->count;
  fclose(stream);
  return done;
}
static inline int mapAgain(Block *block) {
  if (block->kind != MAPPED) return 0;
  munmap((void *)block->at, bytesOfBlock(block));
  if (mmap((void *)block->at, bytesOfBlock(block), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
           0) == MAP_FAILED)
    return 0;
  fillNumbers(block->at, block->count);
  return 1;
}
/* The middle alone. */
static inline int mapFileOver(Block *block) {
  if (block->kind != MAPPED) return 0;
  const int file = fileOfNumbers(8192);
  if (file < 0) return 0;
  void *over = mmap((char *)block->at + 65536, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file, 0);
  close(file);
  return over != MAP_FAILED;
}
static inline int movePagesOnto(Block *block) {
  if (block->kind != MAPPED) return 0;
  double *other = (double *)mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  fillNumbers(other, 8192);
  return mremap((void *)other, 65536, 65536, MREMAP_MAYMOVE | MREMAP_FIXED, (char *)block->at + 65536) != MAP_FAILED;
}
static inline int giveBack(Block *block) {
  if (block->kind != MAPPED) return 0;
  return madvise((char *)block->at + 8192, 65536, MADV_DONTNEED) == 0;
}
static inline int freeAndAllocate(Block *block) {
  if (block->kind != MALLOCED) return 0;
  free(block->at);
  block->at = (double *)malloc(bytesOfBlock(block));
  fillNumbers(block->at, block->count);
  return 1;
}
static inline int growAndShrink(Block *block) {
  if (block->kind != MALLOCED) return 0;
  block->at = (double *)realloc(block->at, 4 * bytesOfBlock(block));
  fillNumbers(block->at, 4 * block->count);
  block->at = (double *)realloc(block->at, bytesOfBlock(block));
  return 1;
}
/* The write takes the page from the child, which has it still. */
static inline int storeAfterFork(Block *block) {
  int ends[2];
  char byte;
  if (pipe(ends) != 0) return 0;
  const pid_t child = fork();
  if (child < 0) return 0;
  if (child == 0) {
    close(ends[1]);
    _exit(read(ends[0], &byte, 1) != 0);
  }
  storeOne(block);
  close(ends[0]);
  close(ends[1]);
  waitpid(child, NULL, 0);
  return 1;
}
/* Another process writes; where that is not allowed, it cannot. */
static inline int writeFromChild(Block *block) {
  const pid_t parent = getpid(), child = fork();
  if (child < 0) return 0;
  if (child == 0) {
    double numbers[64];
    nextNumber();
    fillNumbers(numbers, 64);
    const struct iovec from = {numbers, sizeof numbers}, to = {block->at + block->count / 4, sizeof numbers};
    _exit(process_vm_writev(parent, &from, 1, &to, 1, 0) == (ssize_t)sizeof numbers ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0;
}
static inline int writeFile(Block *block) {
  if (block->kind != PRIVATE_FILE && block->kind != SHARED_FILE) return 0;
  double numbers[64];
  fillNumbers(numbers, 64);
  return pwrite(block->file, numbers, sizeof numbers, 40960) == (ssize_t)sizeof numbers;
}
static inline int storeAtOtherAddress(Block *block) {
  if (!block->two) return 0;
  block->two[block->count / 2] = nextNumber();
  return 1;
}
static inline int readIntoPinned(Block *block) {
  if (block->kind != PINNED) return 0;
  const struct io_uring_params *p = &block->parameters;
  struct io_uring_sqe *entry = (struct io_uring_sqe *)block->entries;
  memset(entry, 0, sizeof *entry);
  entry->opcode = IORING_OP_READ_FIXED;
  entry->fd = block->file;
  entry->addr = (uint64_t)(uintptr_t)block->at;
  entry->len = (uint32_t)bytesOfBlock(block);
  uint32_t *tail = (uint32_t *)(block->submissions + p->sq_off.tail),
           *array = (uint32_t *)(block->submissions + p->sq_off.array);
  array[*tail & (p->sq_entries - 1)] = 0;
  __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
  const double before = block->at[block->count / 2];
  return syscall(SYS_io_uring_enter, block->ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) == 1 &&
         block->at[block->count / 2] != before;
}

typedef struct Disturbance {
  const char *name;
  BlockKind kind;
  int (*change)(Block *);
} Disturbance;

static const Disturbance disturbances[] = {
    {"a store", MALLOCED, storeOne},
    {"a store into the first element", MALLOCED, storeFirst},
    {"a store into the last element", MALLOCED, storeLast},
    {"a store by another thread", MALLOCED, storeByThread},
    {"a store after a fork", MALLOCED, storeAfterFork},
    {"read", MALLOCED, readPipe},
    {"recv", MALLOCED, receive},
    {"pread", MALLOCED, readWholeFile},
    {"readv", MALLOCED, readVectors},
    {"fread", MALLOCED, readStream},
    {"free and malloc", MALLOCED, freeAndAllocate},
    {"realloc", MALLOCED, growAndShrink},
    {"process_vm_writev by a child", MALLOCED, writeFromChild},
    {"munmap and mmap", MAPPED, mapAgain},
    {"mmap of a file over it", MAPPED, mapFileOver},
    {"mremap onto it", MAPPED, movePagesOnto},
    {"madvise", MAPPED, giveBack},
    {"read into mapped memory", MAPPED, readPipe},
    {"a write to the file behind it", PRIVATE_FILE, writeFile},
    {"a store into a file's memory", PRIVATE_FILE, storeOne},
    {"a write to the memory file", SHARED_FILE, writeFile},
    {"a store at another address", SHARED_FILE, storeAtOtherAddress},
    {"a read into pinned memory", PINNED, readIntoPinned},
};
enum { disturbanceCount = sizeof disturbances / sizeof disturbances[0] };

#endif
