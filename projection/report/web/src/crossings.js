// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What crosses the bus: a row a copy, with the line that causes it, and the sections on the array's shape.

import { h, tableOf } from './element.js';
import { movedOf, sizesOf } from './arrays.js';
import { shapeOf } from './shape.js';
import { placeLink } from './source.js';
import * as figures from './figures.js';

export function crossings(region, sentences) {
  const rows = [];
  let next = 0;
  for (const array of region.arrays)
    for (const way of ['h2d', 'd2h'])
      for (const crossing of array[way]?.crossings || []) {
        const words = sentences.crossings[next++];
        rows.push({ order: movedOf(array), cells: [array.name, h('span', { class: 'way ' + way }, way === 'h2d' ? 'in' : 'out'), figures.exact(crossing.count) + '\u00d7',
          (crossing.exact ? '' : '\u2264 ') + figures.bytes(crossing.bytes), h('code', {}, words.section),
          [(/^\d+$/.test(words.formula) ? figures.exact(words.formula) : words.formula) + ' bytes', crossing.moved_bytes !== crossing.bytes ? '; the copy moves ' + figures.bytes(crossing.moved_bytes) : ''],
          [words.cause && crossing.because.line ? placeLink(crossing.because, words.cause) : words.cause]] });
      }
  if (!rows.length) return h('p', {}, 'No array crosses.');
  rows.sort((a, b) => b.order - a.order);
  const few = 40, sizes = sizesOf(region);
  const body = [tableOf('What crosses the bus', ['array', 'way', 'times', 'bytes', 'section', 'as a formula', 'because'], rows.slice(0, few).map((row) => row.cells), [2, 3])];
  if (rows.length > few)
    body.push(h('details', {}, h('summary', {}, rows.length - few + ' more, which move less'), tableOf('More that crosses', ['array', 'way', 'times', 'bytes', 'section', 'as a formula', 'because'], rows.slice(few).map((row) => row.cells), [2, 3])));
  const shapes = [...region.arrays].filter((array) => array.h2d || array.d2h).sort((a, b) => movedOf(b) - movedOf(a)).slice(0, 8)
    .map((array) => [array, shapeOf(array, sizes)]).filter(([, shape]) => shape)
    .map(([array, shape]) => h('div', { class: 'array' }, h('h5', {}, h('code', {}, array.name), ' ', h('span', { class: 'quiet-text' }, array.element_bytes + ' B an element')), shape));
  body.push(h('div', { class: 'arrays' }, shapes));
  body.push(h('p', { class: 'note' }, 'In all: in ' + figures.bytes(region.h2d_bytes) + ', out ' + figures.bytes(region.d2h_bytes) + '; the device holds at most ' + figures.bytes(region.device_bytes) + (region.fits ? '.' : ', which does not fit.')));
  const temporaries = region.arrays.filter((array) => array.temporary).map((array) => array.name);
  if (temporaries.length) body.push(h('p', { class: 'note' }, 'Never cross (temporary): ' + temporaries.join(', ') + '.'));
  return body;
}
