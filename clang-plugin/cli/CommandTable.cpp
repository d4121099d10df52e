//===- clang-plugin/cli/CommandTable.cpp - The commands and their help ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// To add a command, touch: Commands.h and this table.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace busfare::frontend {

static const Command table[] = {
    {"analyze", "SRC... [OPTIONS] [-- FLAGS]", "sources to a report: what is worth moving, and from when on",
     runAnalyze,
     R"(Reads C and C++ sources, finds the loop nests that may run in parallel and
the arrays they need, prices transfers, kernels and the host, and says for each
region whether and from when on moving it to a GPU pays off.

  busfare analyze jacobi.c
  busfare analyze jacobi.c --function simulate --param n=4096 --iterations 500
  busfare analyze jacobi.c --machine a100-pcie4 --machine fx5600-pcie1
  busfare analyze src/a.c src/b.c -- -O2 -Iinclude -DN=512
  busfare analyze src -- -Iinclude      every C and C++ source below src
  busfare analyze -p build              every unit of compile_commands.json
  busfare analyze -p build src 'io_*'   those below src, and those named so

Sizes. A size that the program does not fix (n of `simulate(int n, ...)`) is
given with --param n=4096, or --param simulate::n=4096 if several are called n.
One that nobody gives is assumed, which the report lists. The time loop's count
is given with --iterations, and how often a process runs a region with --runs:
what is paid once (the device's start-up) counts against all its runs. From main
that is what the program does; of a function alone it is open.

The program's own arguments, --args "-n 4096 -s 100", decide sizes too: main is
gone through with them (atoi, strtol, sscanf, strcmp, getopt), and what comes of
it is priced. Nothing is proved with it.

The report. Its first screen says what to do over all programs, what that rests
on, and what would change it; --top N lists N regions and says all of each,
--details says all of everything. --host NAME compares machines with one host,
beside each machine's own.

Inputs. A folder stands for every source below it, in the order of their paths,
but for hidden files and folders, and folders of a build (CMakeFiles; with a
CMakeCache.txt or a build.ninja). Headers are read through the units that
include them. With -p an input chooses units of the database: a file its unit, a
folder those below it, any other text those whose path holds it, or matches it
if it is a glob. A file that stands there twice is read with its first flags.

Several sources are linked into programs, one for each main, and reported
together: calls are followed from file to file. What no file defines counts as
opaque, which is safe but leaves it on the host.
Each is read by a process of its own, -j of them at a time: a unit that crashes
it, or takes more than --unit-time-limit or --unit-memory-limit, is reported as
not analysed, as is one that does not parse (exit 3). The output is the same
whatever -j is. The coverage at its end says how much was understood, and what
would help most.

In a build: -DCMAKE_CXX_CLANG_TIDY="busfare;analyze;--quiet" (and C_CLANG_TIDY)
prints one line a region while CMake compiles.

For other programs: --format sarif (SARIF 2.1.0: code scanning, editors),
github (annotations of a workflow), gitlab (a Code Quality report), each with
the verdicts and findings that matter most, by paths from the top of the
repository (of the nearest folder with a .git, else the current one).
--format sarif --fixes adds, for each program with regions to port, the change
that `busfare port` makes, as a fix of the result that gains most.

As a gate: --fail-on COND exits 1 if COND holds, and may be repeated.
  port, keep, measure     some region has this verdict on some machine
  speedup<2, low>=1,      the speedup of some region on some machine, or the
  high<1                  low or high end of its interval (< <= > >=)
  BF014                   there is a finding of this rule
With --baseline REPORT.json, which --format json wrote, also what changed since:
new-port, flip, worse, bytes>10%, lost-parallel, new-finding, new-unknown, as
`busfare help diff` explains. Then the report also says what changed.
--format junit writes the conditions as tests instead of the report.
Unparsed units (exit 3) give way to a condition that holds (exit 1).

Compiler flags: those behind `--`, else those of -p BUILD, else none. Of a
build's flags, those that only gcc knows are dropped. -fopenmp is added for
sources that have `#pragma omp`, and for the others of their program, unless
-fopenmp or -fno-openmp is there. In a folder without flags a header that is not
found is looked for below the folder, which is said.
)"},
    {"extract", "SRC... [OPTIONS] [-- FLAGS]", "stop at the skeleton: loops, accesses, operations", runExtract,
     R"(Prints the code skeleton of each source: what busfare keeps of a program.

  busfare extract axpy.c > axpy.skel
  busfare extract axpy.c --format json -- -DN=1000

axpy.skel then holds, for `for (int i = 0; i < n; i++) y[i] += a * x[i];`

  for i = 0 .. n - 1 at 3:3 {
    read a
    read x[i]
    ops fp64.fma 1
    update y[i] +
  }

and can be edited, and read back by `busfare project axpy.skel`.
)"},
    {"sections", "SRC|FILE.skel... [OPTIONS] [-- FLAGS]", "stop at the sections: what each nest reads and writes",
     runSections,
     R"(Prints, for each root function and each outermost loop nest, the bounded
regular section of every array that is read, written, surely written, and read
before it is written (live-in). Bounds are inclusive: [lower:upper:step].

  busfare sections stencil.c
  busfare sections stencil.skel --function step --format json

  nest in step at stencil.c:4:3
    array  access                    section (bounds inclusive)
    a      read, live-in      exact  [0:n-1:1]
    b      write, must-write  exact  [1:n-2:1]
)"},
    {"loops", "SRC|FILE.skel... [OPTIONS] [-- FLAGS]", "stop at the dependences: which loops are parallel, and why not",
     runLoops,
     R"(Prints every loop with a verdict: may its iterations run in any order? `needs`
says after which treatment (private copies, a reduction); a serial loop shows
the dependence that keeps it so. OpenMP directives are checked;
--trust-directives believes them where nothing shows the contrary.

  busfare loops stencil.c
  busfare loops stencil.c --format json
  busfare loops stencil.c --fail-on BF014     an OpenMP claim that does not hold
)"},
    {"sizes", "SRC|FILE.skel... [OPTIONS] [-- FLAGS]", "list what every size is bound to, from where, and what is open",
     runSizes,
     R"(Lists every size that an extent, a loop's bound or a condition depends on, what
it is bound to and by whom, and which ones nothing binds.

  busfare sizes jacobi.c
  busfare sizes jacobi.c --param n=4096 --format json

  Sizes of main
  Bound
    main::n = 500, declared: argc > 1 ? atoi(argv[1]) : 500 (jacobi.c:16)
        extent of u, v; 3 loops

Bound by the command line (--param), a constant of the program, declared (what
the code takes it to be unless arguments or input say otherwise), a hint
size(n=4096), or assumed: 1024 for an extent, 100 for a trip count. What callers
pass is listed under the function's own name for it, with the source `caller`.
)"},
    {"project", "FILE.skel... [OPTIONS]", "skeletons to a report, as analyze does with sources", runAnalyze,
     R"(Starts from skeletons: those that `extract` printed, or hand-written ones for
code that does not exist yet.

  busfare extract jacobi.c > jacobi.skel
  busfare project jacobi.skel --machine fx5600-pcie1 --iterations 100

Options are those of analyze; there are no compiler flags.
)"},
    {"plot", "SRC|FILE.skel... [OPTIONS] [-- FLAGS]", "the drawings of a report's page as SVG", runPlot,
     R"(Draws what the page of --format html draws, as SVG: for slides, proposals, other
pages. One drawing goes to stdout or -o; with --into FOLDER each is a file there,
and the files are listed.

  busfare plot jacobi.c --draw timeline -o timeline.svg
  busfare plot jacobi.c --draw speedup-n --machine a100-pcie4 --machine h100-pcie5
  busfare plot -p build --region 'solve.c:88' --into drawings

  speedup    against each size, with its interval; where it pays off; today's point
  steps      against the number of time steps
  timeline   copies and kernels, one after the other and as planned
  roofline   with the bus as its lowest roof
  sections   what crosses, on the shapes of the arrays

Colours follow the system into the dark where the program that shows the file
does. Node draws (package nodejs), by the page's own script.
`busfare sweep ... --format svg` draws a range that you choose.
)"},
    {"explain", "FILE:LINE [SRC...] [OPTIONS] [-- FLAGS]",
     "one loop nest: every number with its formula and its source", runExplain,
     R"(Takes the answer for one loop nest apart: where it is and by which calls it is
reached, why its loops are parallel or not, what it touches and computes, what
crosses the bus for it, and each modelled time with every limit, its formula and
where the numbers in it come from.

  busfare explain jacobi.c:30
  busfare explain step.c:12 main.c step.c --param n=4096 --machine v100-pcie3
  busfare explain src/solver.c:88 -p build
  busfare explain jacobi.c:30 --format json

  limit      time  = formula, in numbers
  launch  3.00 us  3.00 us  (added)
  dram    11.8 us  16,777,216 B / 1.42e12 B/s  <- decides

Sources, sizes, iterations and machines are those of analyze; without a source
the file itself is read. The line may be anywhere in the nest, also in a
function that it calls. A line that belongs to no loop is exit code 2, and the
nearest loops are named.
)"},
    {"port", "SRC... [OPTIONS] [-- FLAGS]", "the plan as OpenMP target code: source, patch or replacements", runPort,
     R"(Writes the plan into the source it was made from: each region's arrays live on
the device while they are needed, exactly the planned copies are made, and each
kernel becomes a target region. gcc -fopenmp compiles the result, and clang with
-fopenmp -fopenmp-targets=nvptx64 (or x86_64-pc-linux-gnu to try it without a GPU).

  busfare port jacobi.c -o jacobi_omp.c -- -DN=100
  busfare port src/*.c --format patch | patch -p1
  busfare port src/*.c --format yaml -o fixes/port.yaml
  clang-apply-replacements-19 fixes
  busfare port jacobi.c --format json      the copies, kernels, bytes

A loop `for (int i = 1; i < n - 1; i++)` with a plan of one copy each way becomes

  #pragma omp target enter data map(alloc: u[0:n], v[0:n])
  #pragma omp target update to(u[0:n])
  #pragma omp target teams distribute parallel for map(alloc: u[0:n], v[0:n])
  for (int i = 1; i < n - 1; i++)
    v[i] = u[i - 1] + u[i + 1];
  #pragma omp target update from(v[1:n - 2])
  #pragma omp target exit data map(release: u[0:n], v[0:n])

What cannot be said in OpenMP stays on the host; why is on standard error. So do
kernels that cost more there than they save, copies included, as analyze has it
for the machine and the sizes given; --kernels all writes those too. Statements
between kernels, for which arrays would cross inside a loop, one thread of the
device does where that pays; with --kernels all --one-thread wherever it can.
With several sources each keeps its own regions; ask for a patch or replacements.

--guard writes the break-even of the report (pays_off) into the source: one flag
a region, computed where it begins, is a clause of all its constructs.

  busfare port --guard saxpy.c --machine a100-pcie4

  const int busfare_pays = n > 10108 && n < 19359;
  #pragma omp target enter data map(alloc: x[0:n]) if(busfare_pays)
  ...

Of several sizes each has to be as large as it is where all of them together
break even. A region that pays nowhere stays on the host. One whose sizes have no
names where it begins, that pays everywhere, or of which each size by itself does
not tell, is ported without a guard. Standard error says why.
--runs and --threads are as in analyze.

Variants, of which verify runs all: `plain` is for use; `present` lets nothing be
mapped by the way (map(present, ...), defaultmap(none); clang); `watched` also
calls busfare's watch library before each copy; `ordered` has no OpenMP, but
runs the loops called parallel in an order chosen at run time.

Exit codes: 0 done, also if nothing could be ported; 2 no source could be read;
3 some could not, the rest is there.
)"},
    {"verify", "SRC... [OPTIONS] [-- FLAGS]", "run the port without a GPU against the original: output, bytes, mutants",
     runVerify,
     R"(Ports the program as `busfare port` does, builds it for libomptarget's x86_64
device, runs it against the original, and compares what they print. While a
kernel runs, the host's arrays cannot be touched; fresh memory holds garbage;
the bytes that cross are counted and held against the plan; loops called
parallel also run in reverse and random order.

  busfare verify jacobi2d.c -- -O2 -DN=100 -DSTEPS=5
  busfare verify --mutants jacobi2d.c        each copy left out must be noticed
  busfare verify gemm.c --args "64 48 32"    the program's own arguments
  busfare verify jacobi2d.c --rebuild "-DN=100"    ported for N = 1024, built for 100
  busfare verify -p build src/solver.c src/mesh.c src/main.c
  busfare verify jacobi2d.c --format json -o verify.json

A passing run looks like this:

  verify: passed
  ...
    watched      fresh memory 0x7e, 1 team             ok  same output      0.06 s
    ordered      reverse, privates 0xfe                ok  same output      0.00 s

  Bytes that crossed
    array   region  way  planned  measured         host pages
    u       main    h2d   80,000    80,000  equal  its own

Every kernel is ported, also those that port leaves on the host because they do
not pay (--kernels planned: as port does).

Name all sources of the program: it is linked and run, from the current folder,
in a few variants, two at a time. Choose a small problem. Whole numbers and text
must be equal, floating-point numbers within --tolerance.

Exit codes: 0 everything agrees; 1 something differs, or a mutant survives; 2 a
tool is missing (its Debian package is named), or the original does not compile
or run.
)"},
    {"measure", "SRC... [--args WORDS] [OPTIONS] [-- FLAGS]",
     "runs the program with timers: times, trip counts and sizes as a profile", runMeasure,
     R"(Builds the program with timers around the regions and their kernels (the host's
code), and counters where no size says how often a loop runs or a branch is
taken; runs it once with --args, and once without the timers, and writes what
was measured. analyze then uses that in place of its assumptions.

  busfare measure solver.c mesh.c --args "-n 512" --format json -o run.json
  busfare analyze solver.c mesh.c --profile run.json
  busfare measure solver.c --args "-n 512"         the same as tables

  loop          in     executions  iterations  on average
  solver.c:40   solve           1         417         417

Name all sources of the program; it is compiled with their flags (-O2 if they
say nothing of optimisation), linked, and run from the current folder. The
overhead, which is printed, is one run against the other.

A profile prices, and proves nothing: sections and verdicts are found without
it. --param and --cpu-time go before it. Rows of functions that have changed
since, in more than their lines, are skipped, which is said.
)"},
    {"transfer", "--bytes N[,N...] [OPTIONS]", "one transfer under every model, pinned and pageable", runTransfer,
     R"(Prices transfers of given sizes on a machine under six models: linear (latency
and bandwidth), LogGP, packets (what the wire carries, headers included), staged
(pageable memory, which passes through pinned buffers in pieces), peak and
envelope (bandwidth of the datasheet with and without latency). `projected`
is what analyze takes: between measured transfers where the machine file has a
sweep of them, else linear. d2d is a copy within the device, peer one to another
device of its node (PCIe, NVLink, NVSwitch, Infinity Fabric), which needs a part
peer in the machine file.

  busfare transfer --bytes "1 MiB" --machine v100-pcie3
  busfare transfer --bytes 4096,1048576 --direction h2d --memory pinned
  busfare transfer --bytes "64 MiB" --direction d2d --format json
  busfare transfer --bytes "64 MiB" --direction peer --machine h100-sxm5
  busfare transfer --bytes "1 MiB" --reverse busy     both directions at a time

On v100-pcie3 the linear model says 2.5 us + 1048576 / 12.18e9 = 88.6 us for the
first.

Sizes: 1048576, 1e6, 64 kB, 1 MiB. The last table says from how many copies on
locking memory pays for itself.
)"},
    {"overlap", "--h2d B --d2h B --kernel S [OPTIONS]",
     "streams, mapped memory or plain copies, for given bytes and kernel", runOverlap,
     R"(How much of the transfers can hide behind the kernel, and by which strategy:
explicit copies, chunks in several streams, device-mapped memory, or chunks in
and mapped results (hybrid). Every equation of van Werkhoven's model is shown,
with the one that holds for streams on this machine, and why.

  busfare overlap --h2d 672MiB --d2h 1008MiB --kernel 20ms --streams 42 \
      --machine gtx-titan-pcie3

says: explicit 162 ms, streams by (4) 143 ms, mapped 83.8 ms, which is best.

Without --streams the best number is looked for, at most --split of them. Of
mapped memory every access crosses: --mapped-h2d counts elements as often as
they are read. Bounds: everything at once, one after the other, and mapped; with
--flops and --dram-bytes from the roofline, also without --kernel.
)"},
    {"blas", "ROUTINE --n N [--m M] [--k K] | --program SRC... [OPTIONS]",
     "CoCoPeLia: one BLAS call by tiles; what of a program's calls may stay on the device", runBlas,
     R"(Says what a BLAS call takes if its operands lie on the host and come over the
bus in tiles while other tiles are computed (CoCoPeLia), and which tile is best.

  busfare blas dgemm --m 8192 --n 8192 --k 8192 --machine v100-pcie3
  busfare blas dgemm --m 8192 --n 8192 --k 8192 --on-device A,B
  busfare blas dgemm --m 8192 --n 8192 --k 8192 --tile 2048 --tile-time 2.5e-3
  busfare blas daxpy --n 64Mi --tile-table daxpy.csv
  busfare blas --program power.c --machine h100-sxm5

Routines, each behind s, d, c or z: axpy, dot (x, y of length n); gemv (A is
m x n); gemm (A is m x k, B is k x n, C is m x n); syrk (A is n x k, a triangle
of C n x n); trsm (a triangle A m x m, B m x n). --tile-table has what you
measured of the kernel on one tile, a line each: 2048,0.0025. Without it the
kernel's times are a roofline at the machine's peaks, and said to be.
libbusfare-blas runs such calls (runtime-bench/blas).

Of a program: how often its calls read each matrix, how often that has to cross
if it stays on the device until something writes it, and what that is worth.

  T = 2,048: 182 ms with every tile brought in once, equation (5).
)"},
    {"comm", "SRC... | --bytes N,... [OPTIONS] [-- FLAGS]",
     "Groves: messages of a multi-node port, from the host or the device", runComm,
     R"(Says what messages between GPUs of different nodes take, put and get, started
by the host or by the device, single or pipelined, and what they leave of a
whole port's speedup (Groves et al.).

  busfare comm halo.c --param n=4096 --iterations 500
  busfare comm -p build src
  busfare comm --bytes 8,65536,1MiB
  busfare comm --bytes 8 --comm-share 0.6 --overlapped 0.5
  busfare comm --bytes 8 --compute-speedup 5 --other-launch 2e-6 --format json
  busfare comm --bytes 1MiB --collective allreduce,alltoall --ranks 64
  busfare comm --bytes 8 --pipelining per-message

  bytes  operation  started by   single  pipelined
      8  put        host        2.00 us     517 ns
      8  put        device      6.34 us    2.22 us

With sources, the messages are their calls of MPI and SHMEM, with sizes as
formulas, and how often each is sent. Without --comm-share, communication is
what those take between hosts, beside the CPU's modelled time for everything
else. A collective takes the rounds of its fastest standard algorithm among
--ranks processes.

The machine file needs a part network; without --machine it is Summit's, which
the paper measured. Its Table II, of pipelined messages, can be read as ns per
byte or per message: --pipelining says which. The paper's five priorities are
printed where they gain more than 5 %.
)"},
    {"papers", "", "published tables, recomputed", runPapers,
     R"(Recomputes the published figures of the five papers whose models busfare uses
(GROPHECY++, van Werkhoven, AHEAD, Groves, CoCoPeLia), with the code of the
other commands, and prints them beside the published ones.

  busfare papers
  busfare papers --format json

  figure                       published   ours  off by
  SRAD 4096: transfer, measured    49 ms  48 ms  -2.1 %  holds

A figure is claimed if it follows from what is published; then it must hold
within its tolerance, else the exit code is 1. What does not follow is shown all
the same, with the reason.
)"},
    {"sweep", "SRC|FILE.skel...|CALCULATOR --range NAME=LO:HI [OPTIONS]", "projections over ranges: a table and a plot",
     runSweep,
     R"(Computes a projection, or what a calculator says, for every combination of the
values of its ranges and of the machines.

  busfare sweep jacobi.c --range n=64:16384 --range iterations=1:1000:x10
  busfare sweep jacobi.skel --range n=64:4096:+64 --machine a100-pcie4 \
      --machine v100-pcie3 --format csv -o jacobi.csv
  busfare sweep jacobi.c --range n=64:16384 --format svg -o jacobi.svg
  busfare sweep transfer --range bytes=1:1Gi:x2 --memory pageable
  busfare sweep overlap --h2d 64MiB --d2h 64MiB --range kernel=1e-3:0.1:x1.2 \
      --range streams=1:32
  busfare sweep blas dgemm --range size=4096:16384:+4096 \
      --range tile=256:4096:+256
  busfare sweep comm --range bytes=8:1Mi --range comm-share=0.1:0.9:+0.1
  busfare sweep comm --figure 9 --machine h100-sxm5 --machine gh200-c2c

Ranges: n=1024:1Mi:x2 (by powers), n=100:1000:+100 (by steps), n=1:10, n=1,5,7.
Of a program any size, by its name, and iterations; of transfer bytes; of
overlap h2d, d2h, kernel, streams; of blas m, n, k, or size for all of them, and
tile; of comm bytes, comm-share, launch, compute-speedup. Machines: --machine,
repeated.

sweep comm --figure 8 makes the map of Groves' figure 8 (speedup over message
size and share of communication, fixed and scaled problem), --figure 9 the
curves of figure 9 (single and pipelined, by both readings of the paper's Table
II: ns per byte and ns per message), on Summit or any machine with a network.

Of a program, times are of one run of a region; gain is what a process gains,
start-up included (--runs; where how often it runs is open, of one run without).
Of several machines the speedup is over each one's own host, speedup_common over
one host for all (--host; else the first machine's).

Of a program the analysis is done once, and its formulas are evaluated. Where
there are more combinations of sizes than can be priced, a grid of them is, and
the rest is interpolated; how far off that is at most is measured and said.
)"},
    {"trace", "FILE.sqlite --to MACHINE [OPTIONS]", "AHEAD: a profile from one machine, its transfers on another",
     runTrace,
     R"(Reads what a profiler recorded of a GPU program on one machine, and says what
its transfers take on another, which need not exist yet (AHEAD).

  nsys profile -o run ./app && nsys export --type sqlite run.nsys-rep
  busfare trace run.sqlite --to h100-pcie5
  busfare trace run.sqlite --to h100-pcie5 --from v100-pcie3
  busfare trace run.sqlite --to h100-pcie5 --measured there.sqlite
  busfare trace run.sqlite --to h100-pcie5 --format csv     each size of copy

Times are the GPU's (end - start), not those of the API calls. It prints every
kind of copy, recorded and predicted, with two simpler predictions beside it
(the peak bandwidth with the latency, and without); the sizes by count and by
time; the timeline rebuilt; and what stands out:

  Transfers took 530 ms of 1.54 s of GPU time (34 %); there they take 212 ms,
  2.5x as fast.

Copies from GPU to GPU are priced where the machine file has a part peer.
Pageable copies are staged, which no linear model meets: with --from what was
recorded is scaled by the ratio of the two machines. With a trace of the same
program on the target, the errors are printed: sum |A - P| / sum A.

Also read: what `nvprof -o` wrote until CUDA 12.
)"},
    {"calibrate", "[TABLE.csv...] [--machine NAME|FILE] [--quick] [-o FILE.json]", "make a machine file by measuring",
     runCalibrate,
     R"(Measures this machine with busfare-bench, which lies beside busfare, and writes
a machine file: cores, clock, arithmetic, caches and memory of the host; where
there is a GPU, copies of all sizes and both kinds of memory, launches and the
device's memory. What is not measured stays what --machine says (default: the
default machine), with its kind and source: name the one with your GPU.

  busfare calibrate --machine a100-pcie4 -o mine.json
  busfare machines mine.json
  busfare analyze jacobi.c --machine mine.json

The probes can also run elsewhere; their tables are then read:

  busfare-bench host --csv host.csv && busfare-bench link --csv link.csv
  busfare calibrate host.csv link.csv --machine a100-pcie4 -o mine.json

  busfare: 18 numbers are measured; the others are those of a100-pcie4
  busfare: runs differ by 1.2 % (standard deviation, median of the rows), ...
)"},
    {"diff", "OLD.json NEW.json [OPTIONS]", "what changed between two reports; with --fail-on, a gate", runDiff,
     R"(Compares two reports that `analyze --format json` wrote: regions that are new or
gone, verdicts that flipped, speedups beyond each other's intervals, bytes that
cross the bus, loops that are no longer parallel or now are, findings. Moved
lines and renamed files change nothing.

  busfare analyze src --format json -o old.json      before the edit
  busfare analyze src --format json -o new.json      behind it
  busfare diff old.json new.json
  busfare diff old.json new.json --format markdown   for a merge request
  busfare diff old.json new.json --fail-on worse --fail-on "bytes>10%"
  busfare analyze src --baseline old.json --fail-on lost-parallel

  Regions
    step.c:19:main (was step.c:12:main)
      port -> keep on a100-pcie4: 3.2x (2.1x to 4.5x) -> 0.80x (0.50x to 1.1x)

As a gate (exit 1): the conditions of `busfare help analyze`, asked of the new
report, and these:
  new-port        a region is told port that was not, or was not there
  flip            a region of both reports has another verdict
  worse           a speedup is below the low end that it had, or a verdict was
                  port and no longer is
  bytes>10%       what crosses the bus for a region grew by more than that
  lost-parallel   a loop that was parallel is no more
  new-finding     there is a finding that the old report does not have
  new-unknown     one of a rule that says what is not known, or was assumed
Everything that makes a condition hold is listed on standard error, up to twenty
lines each; all of it by --format junit, in which each condition is a test.

Verdicts and speedups are compared on the machines that both reports have; if
there is none, new-port, flip and worse are bad input. A loop is known by its
file, function, and place among the loops there; a finding by its rule and words,
without the numbers in them. --quiet prints one line.
)"},
    {"compare", "REPORT.json...", "machines side by side, in seconds and over one host", runCompare,
     R"(Sets side by side what `analyze --format json` wrote: the machines of one report,
or of several, in seconds and over one host, that of the first report's first
machine. Regions of several reports are paired as `busfare help diff` says.

  busfare analyze jacobi.c --machine a100-pcie4 --machine h100-pcie5 \
      --format json -o report.json
  busfare compare report.json
  busfare compare a100.json mine.json --format markdown

  jacobi.c:12:main: 1.23 s on the host
    machine     GPU, total  speedup    10 to 90 %  verdict
    a100-pcie4     36.0 ms      34x    20x to 55x  port
    h100-pcie5     21.0 ms      59x    31x to 99x  port*

The star: the report judged against that machine's own host, which is another
one; `analyze --host NAME` judges all against one. Where a region has other sizes
in another report, its times are of another problem, and no speedup is given.
)"},
    {"machines", "[check] [NAME|FILE...]", "list, show and check machine files", runMachines,
     R"(Lists the built-in machines. With names or files, shows every number of a
machine and whether it was measured, taken from a datasheet, derived or assumed,
and what follows from those that are not there. `check` says what is wrong with
a file (exit 2), all of it at once, and what is missing.

  busfare machines
  busfare machines a100-pcie4
  busfare machines a100-pcie4 --format json > mine.json    to start your own
  busfare machines check mine.json

A number is {"value": 2.8e9, "kind": "measured", "source": "bandwidthTest"}; one
that was looked for in vain {"kind": "unknown", "source": "not in datasheets"}.
link.measured holds sweeps, which are used between their points:
  [{"direction": "h2d", "memory": "pinned", "kind": "measured", "source": "...",
    "points": [[1024, 3e-6], [1048576, 9e-5]]}]

  busfare analyze jacobi.c --machine mine.json
)"},
    {"cache", "[show|prune|check|clear]", "what is kept from one run to the next", runCache,
     R"(What reading a unit and analysing a program gave is kept, and found again where
nothing it depends on has changed: sources, headers (those that were not there,
too), flags, hints, what the command line asks, machine files, profiles, and the
programs that compute it. A unit that was not read in time is not kept.

  busfare cache                          the folder, how many entries, their bytes
  busfare cache prune --cache-size 100MiB
  busfare cache check                    reads all; what is damaged goes
  busfare cache clear

The folder is --cache FOLDER, else $BUSFARE_CACHE, else busfare in
$XDG_CACHE_HOME or ~/.cache; an empty $BUSFARE_CACHE or --no-cache keeps
nothing. Several runs may use it at a time, and may be killed. It stays below
--cache-size (1 GiB): what nobody has read for longest goes first, and what
nobody has for 30 days.
)"},
    {"schema", "[OUTPUT]", "the JSON schemas of every output", runSchema,
     R"(Prints the JSON Schema (draft 2020-12) of one output, or of any output.

  busfare schema report
  busfare analyze jacobi.c --format json | check-jsonschema --schemafile \
      <(busfare schema report) -

Keys are added from version to version, never changed; schema_version is 1.
)"},
    {"help", "[COMMAND|RULE]", "this text, a command's with a worked example, or a rule's page", runHelp, ""},
};

llvm::ArrayRef<Command> commandTable() { return table; }

const Command *findCommand(StringRef name) {
  const Command *found = llvm::find_if(table, [&](const Command &command) { return command.name == name; });
  return found == std::end(table) ? nullptr : found;
}

std::vector<const OptionEntry *> optionsOf(const Command &command) {
  std::vector<const OptionEntry *> options;
  for (const OptionEntry &option : optionTable())
    if (takes(option, command.name) && option.name != "--version") options.push_back(&option);
  return options;
}

} // namespace busfare::frontend
