//===- test/programs/histogram.c - Counting into bins -----------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Counts the grey values of an image into 256 bins, then makes the running sum
// of the bins and equalises the image with it; finds the last pixel of each grey
// value. In the style of image codes.
//
//   histogram      -DPIXELS=1048576
//
// The counting loop is parallel only as a reduction over all bins: two pixels of
// one value meet in one bin. The search for the last pixel must not be called
// parallel: the order of the writes decides. The running sum is a recurrence.
// The equalising loop is parallel, and gathers from a table: taken whole.
//
//===----------------------------------------------------------------------===//
#include <stdio.h>
#include <stdlib.h>

#ifndef PIXELS
#define PIXELS (1024 * 1024)
#endif
#define BINS 256

static void count(int *bins, const unsigned char *image, int pixels) {
  for (int i = 0; i < pixels; i++)
    bins[image[i]]++;
}

static void locate(int *last, const unsigned char *image, int pixels) {
  for (int i = 0; i < pixels; i++)
    last[image[i]] = i;
}

static void accumulate(int *bins) {
  for (int b = 1; b < BINS; b++)
    bins[b] += bins[b - 1];
}

static void equalise(unsigned char *out, const unsigned char *image, const int *bins, int pixels) {
#pragma omp parallel for
  for (int i = 0; i < pixels; i++)
    out[i] = (unsigned char)((long long)bins[image[i]] * (BINS - 1) / pixels);
}

int main(void) {
  unsigned char *image = (unsigned char *)malloc(PIXELS);
  unsigned char *out = (unsigned char *)malloc(PIXELS);
  int bins[BINS] = {0}, last[BINS] = {0};
  if (!image || !out) {
    fprintf(stderr, "histogram: out of memory\n");
    return 1;
  }
  srand(31);
  for (int i = 0; i < PIXELS; i++)
    image[i] = (unsigned char)((rand() % 128) + (rand() % 64));

  count(bins, image, PIXELS);
  locate(last, image, PIXELS);
  accumulate(bins);
  equalise(out, image, bins, PIXELS);

  unsigned hash = 0;
  for (int i = 0; i < PIXELS; i++)
    hash = hash * 31u + out[i];
  for (int b = 0; b < BINS; b++)
    hash = hash * 31u + (unsigned)last[b];
  printf("histogram %d: checksum %u\n", PIXELS, hash);
  free(image);
  free(out);
  return 0;
}
