// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Axes on logarithmic scales, drawn with few marks: a line below, and a label each power.

import { scaleLog } from 'd3-scale';
import { g } from './element.js';

export function logScale(from, to, start, end) {
  return scaleLog().domain(from === to ? [from / 2, to * 2] : [from, to]).range([start, end]);
}

/** Values for marks: powers of the base within the scale, thinned to at most `most`. */
export function powers(scale, base, most) {
  const [from, to] = scale.domain(), all = [];
  for (let k = Math.ceil(Math.log(from) / Math.log(base) - 1e-9); base ** k <= to * (1 + 1e-9); ++k) all.push(base ** k);
  const every = Math.ceil(all.length / most);
  return all.filter((_, k) => k % every === 0);
}

export const below = (scale, y, values, label) =>
  g('g', { class: 'axis' },
    g('line', { x1: scale.range()[0], x2: scale.range()[1], y1: y, y2: y }),
    values.map((value) => [g('line', { x1: scale(value), x2: scale(value), y1: y, y2: y + 4 }),
      g('text', { x: scale(value), y: y + 16, 'text-anchor': 'middle' }, label(value))]));

export const beside = (scale, x, end, values, label) =>
  g('g', { class: 'axis' },
    values.map((value) => [g('line', { class: 'grid', x1: x, x2: end, y1: scale(value), y2: scale(value) }),
      g('text', { x: x - 6, y: scale(value), dy: '0.32em', 'text-anchor': 'end' }, label(value))]));

/** A drawing that a screen reader takes for one picture. */
export const picture = (width, height, label, ...children) =>
  g('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label, class: 'plot' }, children);
