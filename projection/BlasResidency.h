//===- projection/BlasResidency.h - Operands of BLAS calls that may stay on the device ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A BLAS call that runs on the device brings its operands there. One that it only reads can
// stay for the calls that come behind it, until something writes the memory. How often that
// is so is read off the program, with the rule of libbusfare-blas (results go back at the end
// of each call, and are a change of their memory):
//
//   for t = 0 .. 9 { dgemm(a, b -> c); for i { b[i] = c[i] } }      32 MiB each
//     a: read 10 times, crosses once, is there again 9 times
//     b: read 10 times, crosses 10 times: main.c:10 writes it
//
// Each call is priced twice by CoCoPeLia (Blas.h): with all operands on the host, and with
// those that stayed on the device. The first iteration of a loop is walked apart from the
// others, which begin as the second one does: nothing but being written makes an operand
// leave, so that the third begins alike.
//
// Only what is surely the same block counts: an operand whose section holds exactly as many
// elements as the call takes of it, at the same subscripts; it is dropped where a name in these
// subscripts changes, where a write may be to its array, at any exchange of pointers, and
// where code that is not seen may have it. A branch keeps what both sides keep.
//
// Arrays of different names are taken not to overlap, as everywhere.
//
// Not handled: results that stay, operands with gaps between rows (a leading dimension above
// the number of rows), a device too small for all that stays (it is said).
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_BLASRESIDENCY_H
#define BUSFARE_PROJECTION_BLASRESIDENCY_H

#include "projection/Project.h"
#include <map>

namespace busfare::projection {

/// A BLAS call at one place.
struct ResidentCall {
  skeleton::Location location;
  std::string call, routine;
  double count = 0;                    ///< Of the root's one run.
  std::optional<double> host;          ///< s of all of them on the host; nothing: its sizes are not known.
  std::optional<double> offloaded;     ///< s with all operands on the host; nothing: it cannot be priced by tiles.
  std::optional<double> kept;          ///< s with what stayed.
  std::string why;                     ///< Of what has no price.
};

/// An array that calls read and do not write.
struct ResidentMatrix {
  std::string name;
  double bytes = 0;                    ///< The largest block of it.
  double uses = 0, crossings = 0;      ///< Reads by calls; how often it has to be brought for them, if it is kept.
  double again() const { return uses - crossings; }
  std::map<std::string, double> changed; ///< Places that write it while it is there: how often.
  bool isUnsure = false;               ///< Some calls read a block that may be another one each time.
};

struct RootResidency {
  std::string root;
  bool isReached = true; ///< By a root of the program; else counts are of one call of it.
  std::vector<ResidentCall> calls;
  std::vector<ResidentMatrix> matrices;
  double mostBytes = 0;  ///< Of all that stays at a time.
  std::vector<std::string> assumptions; ///< Sizes that nothing binds, on which counts and times rest.
};

struct Residency {
  std::string version, machine;
  double deviceBytes = 0;
  std::vector<RootResidency> roots; ///< Those with BLAS calls.
};

/// For the first machine. Errors: those of project().
llvm::Expected<Residency> findResidency(const skeleton::Program &program, const ProjectOptions &options);

/// s that keeping inputs saves, of the calls that the device is faster for either way.
double savedBy(const RootResidency &root);

} // namespace busfare::projection

#endif
