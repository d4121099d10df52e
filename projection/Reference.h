//===- projection/Reference.h - References of a nest and their footprints ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Accesses to one array that move alike, a stencil's neighbours for example, are one
// reference with several places. It is the unit of traffic: what one place brought near,
// the others find there.
//
//   for i { for j { read t[i][j]  read t[i][j - 1]  read t[i][j + 1]  write t[i][j] } }
//     one reference, strides cols and 1, places 0 (read, written), -1, 1
//
// A footprint is the number of bytes that a block of iterations touches. The block runs
// some loops side by side (a tile) and the others in turn; what is touched again while
// it still fits in a nearer memory counts once (a layer condition), otherwise each time.
// The same function serves thread blocks, waves of them, and the caches of a CPU.
//
//   tile 32 x 8 of the stencil above, 4-byte elements:  34 * 8 * 4 bytes
//
// Strides are taken at the middle of the iterations: a subscript that bends there
// (min, floor) is taken as it runs there.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REFERENCE_H
#define BUSFARE_PROJECTION_REFERENCE_H

#include "projection/Work.h"

namespace busfare::projection {

/// One element per iteration; accesses to the same element are one place (a register keeps it).
struct Place {
  double offset = 0; ///< Elements from the reference's first place, row-major.
  double column = 0; ///< The last subscript at the middle of the iterations.
  double count = 0;  ///< How often, if nothing is kept in registers.
  bool reads = false, writes = false; ///< A read of what the iteration itself wrote is none.
};

struct Reference {
  std::string array;
  skeleton::ElementType type;
  double elementBytes = 0;
  double narrowestBytes = 0; ///< Of one load or store: a field's, and at most what a thread loads at a time.
  double arrayBytes = 0;   ///< Of the whole array; 0 = not known.
  bool indirect = false;   ///< Some subscript is not known: each access goes somewhere.
  std::vector<const skeleton::Loop *> loops; ///< Around it, outermost first,
  std::vector<double> trips;   ///< their mean trip counts,
  std::vector<double> strides; ///< and the elements that a step of each moves the reference by.
  std::vector<Place> places;
  bool reads = false, writes = false;

  /// 0 if the loop is not around it, or moves it nowhere.
  double strideOf(const skeleton::Loop &loop) const;
  bool dependsOn(const skeleton::Loop &loop) const { return indirect || strideOf(loop) != 0; }
  /// Iterations of all the loops together.
  double iterations() const;
  /// The share of the counts left when an element that innermost loops do not move stays in a register; loops in
  /// `apart` are run by different threads.
  double keptInRegisters(const std::vector<const skeleton::Loop *> &apart) const;
  /// The times a place happens in an iteration: below 1 under a branch.
  double shareOf(const Place &place) const;
};

/// The references of arrays (not of scalars, not of perIteration arrays) in the work.
std::vector<Reference> referencesOf(const skeleton::ArrayTable &arrays, const Work &work,
                                    const skeleton::RealValues &values);

/// What a nest or a block does at given sizes: what every model of it starts from.
struct Activity {
  Work work;
  std::vector<Reference> references;
};

/// Of a cache, for one reference: the others want room too.
inline constexpr double shareOfCapacity = 0.5;

/// How many iterations of each loop run side by side; a loop that is absent runs in turn, all of it.
using Tile = std::map<const skeleton::Loop *, double>;

/// Bytes that one tile brings near through pieces of `granule` bytes, where `capacity` bytes of this reference can
/// stay.
double footprint(const Reference &reference, const Tile &tile, double granule, double capacity);

} // namespace busfare::projection

#endif
