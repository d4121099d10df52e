//===- runtime-bench/digits/Rounding.c - The last bits, the other way ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Some results hang on how the last bits of a sum are rounded: a column that depends on
// others, orthogonalised, is nothing but rounding. Linked into a program, this makes it
// round as BUSFARE_ROUNDING says (up, down or zero) from before main on. What it prints
// differently then, no order of additions gives for sure (Vignes 1993, stochastic
// arithmetic, with directed instead of random rounding).
//
//===----------------------------------------------------------------------===//
#include <fenv.h>
#include <stdlib.h>
#include <string.h>

/// The linker takes it out of the archive by this name.
__attribute__((constructor)) void busfare_rounding(void) {
  const char *way = getenv("BUSFARE_ROUNDING");
  if (!way)
    return;
  if (strcmp(way, "up") == 0)
    fesetround(FE_UPWARD);
  else if (strcmp(way, "down") == 0)
    fesetround(FE_DOWNWARD);
  else if (strcmp(way, "zero") == 0)
    fesetround(FE_TOWARDZERO);
}
