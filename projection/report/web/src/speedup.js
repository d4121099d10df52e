// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Speedup against a size or the number of time steps: the chosen machine with its interval, the others as lines, where it
// pays off as a band below, and today's point.

import { area, line } from 'd3-shape';
import { extent } from 'd3-array';
import { below, beside, logScale, picture, powers } from './axes.js';
import { g, h } from './element.js';
import * as figures from './figures.js';

const width = 520, height = 300, left = 52, right = 86, top = 14, bottom = 62;

/** series: [{machine, points: [{x, answer}]}], the chosen one first; stretches: [[from, to]], null: open. today: {x, answer}. */
export function speedupPlot({ title, series, stretches, today, base, name, label = figures.short }) {
  const all = series.flatMap((one) => one.points);
  const [least, most] = extent([...all.map((point) => point.x), ...(today ? [today.x] : [])]);
  const values = [...all.flatMap(({ answer }) => [answer.speedup]), ...series[0].points.flatMap(({ answer }) => [answer.low, answer.high]), 1].filter((value) => value > 0);
  const x = logScale(least, most, left, width - right), y = logScale(Math.min(...values) / 1.15, Math.max(...values) * 1.15, height - bottom, top);
  const at = (value) => y(Math.max(value, y.domain()[0]));
  const clampX = (value) => Math.min(Math.max(value, x.range()[0]), x.range()[1]);
  const ends = spread(series.map((one) => ({ name: one.machine, y: at(one.points.at(-1).answer.speedup) })));
  return h('figure', {},
    h('figcaption', {}, title),
    picture(width, height, title + ': ' + series[0].points.map(({ x, answer }) => label(x) + ' ' + figures.factor(answer.speedup)).join(', '),
      beside(y, left, width - right, powers(y, 10, 5).length > 1 ? powers(y, 10, 5) : powers(y, 2, 5), figures.factor),
      below(x, height - bottom, powers(x, base, 7), label),
      g('text', { class: 'axis-name', x: (left + width - right) / 2, y: height - bottom + 33, 'text-anchor': 'middle' }, name),
      g('line', { class: 'one', x1: left, x2: width - right, y1: at(1), y2: at(1) }),
      g('path', { class: 'band', d: area().x((p) => x(p.x)).y0((p) => at(p.answer.low)).y1((p) => at(p.answer.high))(series[0].points) }),
      [...series].reverse().map((one) => g('path', { class: one === series[0] ? 'line chosen' : 'line', d: line().x((p) => x(p.x)).y((p) => at(p.answer.speedup))(one.points) })),
      series[0].points.map((p) => g('circle', { class: 'dot ' + p.answer.verdict, cx: x(p.x), cy: at(p.answer.speedup), r: 3 },
        g('title', {}, label(p.x) + ': ' + figures.interval({ value: p.answer.speedup, low: p.answer.low, high: p.answer.high }) + ', ' + p.answer.verdict))),
      ends.map((end, k) => g('text', { class: k ? 'end' : 'end chosen', x: width - right + 6, y: end.y, dy: '0.32em' }, end.name)),
      stretches && g('g', { class: 'pays' },
        g('line', { class: 'rail', x1: left, x2: width - right, y1: height - 14, y2: height - 14 }),
        stretches.map(([from, to]) => g('line', { x1: clampX(from === null ? left : x(from)), x2: clampX(to === null ? width - right : x(to)), y1: height - 14, y2: height - 14 },
          g('title', {}, 'pays off ' + (from === null ? '' : 'from ' + label(from)) + (to === null ? ' on' : ' to ' + label(to))))),
        g('text', { x: width - right + 6, y: height - 14, dy: '0.32em' }, stretches.length ? 'pays off' : 'never pays')),
      today && g('g', { class: 'today' },
        g('line', { x1: x(today.x), x2: x(today.x), y1: top, y2: height - bottom }),
        g('circle', { cx: x(today.x), cy: at(today.answer.speedup), r: 5 }),
        g('text', { x: x(today.x) + (x(today.x) > (left + width - right) / 2 ? -8 : 8), y: top + 6, 'text-anchor': x(today.x) > (left + width - right) / 2 ? 'end' : 'start' }, 'today'))));
}

/** Labels at least a line apart. */
export function spread(ends) {
  const order = [...ends].sort((a, b) => a.y - b.y);
  order.forEach((end, k) => { if (k) end.y = Math.max(end.y, order[k - 1].y + 13); });
  return ends;
}
