// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is asked of a region's arrays in several places.

/** The values of its sizes, by their names with and without the function. */
export function sizesOf(region) {
  const sizes = new Map();
  for (const [name, { value }] of Object.entries(region.parameters)) {
    sizes.set(name, value);
    sizes.set(name.split('::').at(-1), value);
  }
  return sizes;
}

/** The bytes that an array moves; the widest arrays come first. */
export const movedOf = (array) => ['h2d', 'd2h'].reduce((sum, way) => sum + (array[way] ? array[way].moved_bytes * array[way].count : 0), 0);
