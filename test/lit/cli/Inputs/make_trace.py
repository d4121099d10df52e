#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes traces as profilers do, for `busfare trace` to read.

  make_trace.py OUT [--layout nsys|nvprof] [--rows N] [--slowdown F] [--break HOW] [--only TABLES] [--shuffle]

The program of a trace is a loop of two streams: a pinned copy in, a kernel, a pinned copy out; now and then a
pageable copy, a copy within the device, a fill, and a copy to a symbol. A copy of n bytes takes 2 us + n / 6 GB/s
(pageable twice that), so what comes out can be worked out by hand. --slowdown F multiplies every copy's time.

--break HOW: text (a number that is text), missing (no column bytes), negative, null, zero (no time stamps), empty (no
byte at all), cut (the second half of the file is gone), other (no database), noise (one page overwritten).
"""
import argparse
import os
import random
import sqlite3

NSYS = """
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
CREATE TABLE TARGET_INFO_GPU (vmId INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT, busLocation TEXT);
CREATE TABLE ENUM_CUDA_MEMCPY_OPER (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
CREATE TABLE ENUM_CUDA_MEM_KIND (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL,
  globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, bytes INTEGER NOT NULL,
  copyKind INTEGER NOT NULL, deprecatedSrcId INTEGER, srcKind INTEGER, dstKind INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, value INTEGER NOT NULL,
  bytes INTEGER NOT NULL, memKind INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER NOT NULL,
  shortName INTEGER NOT NULL, gridX INTEGER NOT NULL, blockX INTEGER NOT NULL);
"""
NVPROF = """
CREATE TABLE StringTable (_id_ INTEGER PRIMARY KEY AUTOINCREMENT, value TEXT NOT NULL UNIQUE);
CREATE TABLE Version (version INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_DEVICE (_id_ INTEGER PRIMARY KEY AUTOINCREMENT, id INT NOT NULL, name INT NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (_id_ INTEGER PRIMARY KEY AUTOINCREMENT, cbid INT NOT NULL, start INT NOT NULL,
  end INT NOT NULL, processId INT NOT NULL, threadId BLOB NOT NULL, correlationId INT NOT NULL, returnValue INT NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (_id_ INTEGER PRIMARY KEY AUTOINCREMENT, copyKind INT NOT NULL, srcKind INT NOT NULL,
  dstKind INT NOT NULL, flags INT NOT NULL, bytes INT NOT NULL, start INT NOT NULL, end INT NOT NULL, deviceId INT NOT NULL,
  contextId INT NOT NULL, streamId INT NOT NULL, correlationId INT NOT NULL, runtimeCorrelationId INT NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (_id_ INTEGER PRIMARY KEY AUTOINCREMENT, value INT NOT NULL, bytes INT NOT NULL,
  start INT NOT NULL, end INT NOT NULL, deviceId INT NOT NULL, contextId INT NOT NULL, streamId INT NOT NULL, correlationId INT NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL (_id_ INTEGER PRIMARY KEY AUTOINCREMENT, start INT NOT NULL, end INT NOT NULL,
  deviceId INT NOT NULL, contextId INT NOT NULL, streamId INT NOT NULL, correlationId INT NOT NULL, name INT NOT NULL);
"""
COPIES = ["UNKNOWN", "HTOD", "DTOH", "HTOA", "ATOH", "ATOA", "ATOD", "DTOA", "DTOD", "HTOH", "PTOP", "UVM_HTOD", "UVM_DTOH", "UVM_DTOD"]
MEMORY = ["PAGEABLE", "PINNED", "DEVICE", "ARRAY", "MANAGED", "DEVICE_STATIC", "MANAGED_STATIC", "UNKNOWN"]
PAGEABLE, PINNED, DEVICE = 0, 1, 2  # nsys; nvprof counts from 1
HTOD, DTOH, DTOD = 1, 2, 8
SYMBOL_CALL = 39  # cudaMemcpyToSymbol, CUPTI's number
PROCESS = 4711 << 24


def duration(size, memory, slowdown):
    return int(slowdown * (2000 + (2 if memory == PAGEABLE else 1) * size / 6.0))


def operations(rows, slowdown):
    """(table, start, end, stream, bytes, copy kind, from, to, is symbol) in the order of their starts, a stream at a time."""
    clock, number = [1000, 1000], 0
    while True:
        for stream in (0, 1):
            block = number // 6
            sizes = [8, 65536 << (block % 5), 0, 4 << (block % 20)]
            plan = [("MEMCPY", sizes[1], HTOD, PINNED, DEVICE, False), ("KERNEL", 0, 0, 0, 0, False),
                    ("MEMCPY", sizes[1] // 2, DTOH, DEVICE, PINNED, False)]
            if block % 4 == 0:
                plan.append(("MEMCPY", sizes[3], HTOD, PAGEABLE, DEVICE, False))
            if block % 4 == 1:
                plan.append(("MEMCPY", 1 << 20, DTOD, DEVICE, DEVICE, False))
            if block % 4 == 2:
                plan.append(("MEMCPY", sizes[0], HTOD, PAGEABLE, DEVICE, True))
            if block % 4 == 3:
                plan.append(("MEMSET", 4096, 0, 0, 0, False))
            for table, size, kind, source, target, symbol in plan:
                if number == rows:
                    return
                memory = source if kind == HTOD else target
                took = duration(size, memory, slowdown) if table == "MEMCPY" else 30000
                start = clock[stream]
                clock[stream] = start + took + 1500
                number += 1
                yield table, start, start + took, 7 + stream, size, kind, source, target, symbol


def write(path, layout, rows, slowdown, only, shuffle):
    for old in (path, path + "-journal"):
        if os.path.exists(old):
            os.remove(old)
    database = sqlite3.connect(path)
    database.execute("PRAGMA synchronous = OFF")
    database.execute("PRAGMA journal_mode = OFF")
    database.executescript(NSYS if layout == "nsys" else NVPROF)
    if layout == "nsys":
        database.execute("INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.13.1')")
        database.execute("INSERT INTO TARGET_INFO_GPU VALUES (0, 0, 'Tesla Made-up', '0000:01:00.0')")
        database.executemany("INSERT INTO StringIds VALUES (?, ?)", [(1, "cudaMemcpyToSymbol_v3020"), (2, "cudaMemcpyAsync_v3020")])
        database.executemany("INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES (?, ?, ?)",
                             [(i, "CUDA_MEMCPY_KIND_" + n, n) for i, n in enumerate(COPIES)])
        database.executemany("INSERT INTO ENUM_CUDA_MEM_KIND VALUES (?, ?, ?)",
                             [(i, "CUDA_MEMOPR_MEMORY_KIND_" + n, n) for i, n in enumerate(MEMORY)])
    else:
        database.execute("INSERT INTO Version VALUES (11)")
        database.execute("INSERT INTO StringTable VALUES (1, 'Tesla Made-up')")
        database.execute("INSERT INTO CUPTI_ACTIVITY_KIND_DEVICE VALUES (1, 0, 1)")
    queued = {"MEMCPY": [], "KERNEL": [], "MEMSET": [], "RUNTIME": []}

    def flush(least):
        for table, values in queued.items():
            if len(values) >= least and values:
                if shuffle:
                    random.Random(7).shuffle(values)
                name = "CONCURRENT_KERNEL" if table == "KERNEL" and layout == "nvprof" else table
                marks = ",".join("?" * len(values[0]))
                database.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_%s VALUES (%s)" % (name, marks), values)
                values.clear()

    for number, (table, start, end, stream, size, kind, source, target, symbol) in enumerate(operations(rows, slowdown), 1):
        if layout == "nsys":
            if table == "MEMCPY":
                queued[table].append((start, end, 0, 1, stream, number, PROCESS, size, kind, None, source, target))
                if symbol:
                    queued["RUNTIME"].append((start - 400, start - 100, 0, PROCESS | 5, number, 1, 0))
            elif table == "MEMSET":
                queued[table].append((start, end, 0, 1, stream, number, PROCESS, 0, size, 2))
            else:
                queued[table].append((start, end, 0, 1, stream, number, PROCESS, 2, 2, 80, 256))
        elif table == "MEMCPY":
            queued[table].append((number, kind, source + 1, target + 1, 0, size, start, end, 0, 1, stream, number, 0))
            if symbol:
                queued["RUNTIME"].append((number, SYMBOL_CALL, start - 400, start - 100, 1, b"1", number, 0))
        elif table == "MEMSET":
            queued[table].append((number, 0, size, start, end, 0, 1, stream, number))
        else:
            queued[table].append((number, start, end, 0, 1, stream, number, 1))
        flush(50000)
    flush(1)
    for name, in database.execute("SELECT name FROM sqlite_master WHERE name LIKE 'CUPTI_ACTIVITY_KIND_%'").fetchall():
        if only is not None and name.rpartition("_")[2] not in only:
            database.execute("DROP TABLE " + name)
    database.commit()
    return database


def damage(path, database, how):
    table = "CUPTI_ACTIVITY_KIND_MEMCPY"
    if how == "text":
        database.execute("UPDATE %s SET bytes = 'plenty' WHERE rowid = 3" % table)
    elif how == "null":
        database.executescript("CREATE TABLE t AS SELECT * FROM {0}; DROP TABLE {0}; ALTER TABLE t RENAME TO {0};"
                               "UPDATE {0} SET start = NULL WHERE rowid = 2".format(table))
    elif how == "negative":
        database.execute("UPDATE %s SET bytes = -5 WHERE rowid = 3" % table)
    elif how == "zero":
        database.execute("UPDATE %s SET start = 0, end = 0 WHERE rowid <= 3" % table)
    elif how == "missing":
        database.execute("ALTER TABLE %s DROP COLUMN bytes" % table)
    database.commit()
    database.close()
    size = os.path.getsize(path)
    if how == "empty":
        open(path, "wb").close()
    elif how == "other":
        with open(path, "w") as file:
            file.write("start,end,bytes\n" * 100)
    elif how == "cut":
        os.truncate(path, size // 2)
    elif how == "noise":
        with open(path, "r+b") as file:
            for page in range(2, size // 4096):
                file.seek(page * 4096)
                file.write(b"\xa5" * 2048)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--layout", choices=("nsys", "nvprof"), default="nsys")
    parser.add_argument("--rows", type=int, default=600)
    parser.add_argument("--slowdown", type=float, default=1)
    parser.add_argument("--break", dest="how", choices=("text", "null", "negative", "zero", "missing", "empty", "cut", "other", "noise"))
    parser.add_argument("--only", help="keep these tables, by the last part of their names: MEMCPY,KERNEL")
    parser.add_argument("--shuffle", action="store_true", help="rows in no order")
    options = parser.parse_args()
    only = None if options.only is None else options.only.split(",")
    database = write(options.out, options.layout, options.rows, options.slowdown, only, options.shuffle)
    damage(options.out, database, options.how)


if __name__ == "__main__":
    main()
