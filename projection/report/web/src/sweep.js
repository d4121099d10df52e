// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One column of a sweep over its first range: a line a machine (and a region), the other ranges at their first values.
//
//   {title, axis: "n", column: "speedup", kind: "factor" | "time" | "number", series: [{name, points: [[x, y], ...]}]}

import { line } from 'd3-shape';
import { extent } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { below, beside, logScale, picture, powers } from './axes.js';
import { g, h } from './element.js';
import * as figures from './figures.js';
import { spread } from './speedup.js';

const width = 720, height = 380, left = 64, right = 190, top = 14, bottom = 54;
const labels = { factor: figures.factor, time: figures.time, number: figures.short };

const shortened = (name) => (name.length > 30 ? '\u2026' + name.slice(-29) : name);

/** Logarithmic where values are far apart; with the values that are marked. */
function axisOf([from, to], start, end, base, most) {
  const far = from > 0 && to / from > 20;
  const scale = far ? logScale(from, to, start, end) : scaleLinear().domain(from === to ? [from - 1, to + 1] : [from, to]).range([start, end]);
  return { scale, marks: far ? powers(scale, base, most) : scale.ticks(most) };
}

export function sweepPlot({ title, axis, column, kind, series }) {
  const label = labels[kind], points = series.flatMap((one) => one.points);
  const x = axisOf(extent(points, ([at]) => at), left, width - right, 2, 7);
  const values = extent([...points.map(([, value]) => value), ...(kind === 'factor' ? [1] : [])]);
  const y = axisOf(values, height - bottom, top, 10, 6);
  const ends = spread(series.map((one) => ({ name: one.name, y: y.scale(one.points.at(-1)[1]) })));
  return h('figure', {},
    picture(width, height, title + ': ' + series.map((one) => one.name + ' ' + one.points.map(([at, value]) => figures.short(at) + ' ' + label(value)).join(', ')).join('; '),
      beside(y.scale, left, width - right, y.marks, label),
      below(x.scale, height - bottom, x.marks, figures.short),
      g('text', { class: 'axis-name', x: (left + width - right) / 2, y: height - bottom + 33, 'text-anchor': 'middle' }, axis),
      g('text', { class: 'axis-name', x: left, y: top - 6, 'text-anchor': 'end' }, kind === 'factor' ? null : column),
      kind === 'factor' && g('line', { class: 'one', x1: left, x2: width - right, y1: y.scale(1), y2: y.scale(1) }),
      series.map((one, k) => [
        g('path', { class: k ? 'line' : 'line chosen', d: line()(one.points.map(([at, value]) => [x.scale(at), y.scale(value)])) }),
        one.points.map(([at, value]) => g('circle', { class: 'dot', cx: x.scale(at), cy: y.scale(value), r: 2.5 }, g('title', {}, one.name + ', ' + axis + ' = ' + at + ': ' + label(value)))),
        g('text', { class: k ? 'end' : 'end chosen', x: width - right + 8, y: ends[k].y, dy: '0.32em' }, shortened(one.name))])));
}
