// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sections drawn on the array's shape: a bar, a sheet or a block, as large as all that crosses of it, with each section
// where it lies. Bounds are formulas over sizes, which have values in the report; what cannot be worked out is not drawn.

import { g, h } from './element.js';

/** The value of a bound: sums, products, quotients, min and max of names and numbers; NaN if there is more in it. */
export function boundOf(text, sizes) {
  const tokens = text.match(/\d+|[A-Za-z_$][\w.>\-:$@#[\]]*?(?=[-+*/(),\s]|$)|[-+*/(),]/g) || [];
  let at = 0;
  const next = () => tokens[at++];
  const factor = () => {
    const token = next();
    if (token === undefined) return NaN;
    if (token === '-') return -factor();
    if (token === '(') { const value = sum(); next(); return value; }
    if (/^\d/.test(token)) return Number(token);
    if (tokens[at] === '(') {
      next();
      const values = [sum()];
      while (tokens[at] === ',') { next(); values.push(sum()); }
      next();
      return token === 'min' ? Math.min(...values) : token === 'max' ? Math.max(...values) : token === 'floor' ? Math.floor(values[0]) : NaN;
    }
    return sizes.get(token) ?? sizes.get(token.split(':').at(-1)) ?? NaN;
  };
  const product = () => {
    let value = factor();
    while (tokens[at] === '*' || tokens[at] === '/') value = next() === '*' ? value * factor() : value / factor();
    return value;
  };
  const sum = () => {
    let value = product();
    while (tokens[at] === '+' || tokens[at] === '-') value = next() === '+' ? value + product() : value - product();
    return value;
  };
  const value = sum();
  return at >= tokens.length ? value : NaN;
}

function rangesOf(crossings, sizes) {
  return crossings.flatMap((crossing) => (crossing.boxes || []).map((box) => box.map(([low, high, step]) => ({ low: boundOf(low, sizes), high: boundOf(high, sizes), step: boundOf(step, sizes) }))));
}

const isDrawn = (box) => box.length >= 1 && box.length <= 3 && box.every((range) => Number.isFinite(range.low) && Number.isFinite(range.high));

const width = 190, height = 132;

/** Corners of a box, from its place in unit ranges: rows go down, columns right, the first of three dimensions back. */
function projection(dimensions) {
  if (dimensions === 1) return { rect: ([a]) => ({ x: 8 + a.from * (width - 16), w: a.size * (width - 16), y: height / 2 - 16, h: 32 }), depth: 0 };
  if (dimensions === 2) return { rect: ([a, b]) => ({ x: 8 + b.from * (width - 16), w: b.size * (width - 16), y: 8 + a.from * (height - 16), h: a.size * (height - 16) }), depth: 0 };
  const deep = 44, w = width - 16 - deep, tall = height - 16 - deep;
  return {
    rect: ([a, b, c]) => ({ x: 8 + c.from * w + (1 - a.from - a.size) * 0 + a.from * deep, w: c.size * w, y: 8 + deep - a.from * deep + b.from * tall, h: b.size * tall, back: a.size * deep }),
    depth: deep,
  };
}

function block(rect, kind, title) {
  const w = Math.max(rect.w, 1.5), tall = Math.max(rect.h, 1.5), back = rect.back === undefined ? 0 : Math.max(rect.back, 1);
  const front = g('rect', { class: 'face ' + kind, x: rect.x, y: rect.y, width: w, height: tall });
  const parts = back ? [
    g('polygon', { class: 'side ' + kind, points: `${rect.x},${rect.y} ${rect.x + back},${rect.y - back} ${rect.x + w + back},${rect.y - back} ${rect.x + w},${rect.y}` }),
    g('polygon', { class: 'edge ' + kind, points: `${rect.x + w},${rect.y} ${rect.x + w + back},${rect.y - back} ${rect.x + w + back},${rect.y + tall - back} ${rect.x + w},${rect.y + tall}` })] : [];
  return g('g', {}, parts, front, title && g('title', {}, title));
}

/** One array: both directions of it on one shape. null if its bounds cannot be drawn. */
export function shapeOf(array, sizes) {
  const ways = ['h2d', 'd2h'].filter((way) => array[way]);
  const drawn = ways.map((way) => ({ way, boxes: rangesOf(array[way].crossings, sizes) }));
  const all = drawn.flatMap((one) => one.boxes);
  if (!all.length || !all.every(isDrawn) || new Set(all.map((box) => box.length)).size !== 1) return null;
  const dimensions = all[0].length;
  const low = [...Array(dimensions).keys()].map((k) => Math.min(0, ...all.map((box) => box[k].low)));
  const extent = [...Array(dimensions).keys()].map((k) => Math.max(1, ...all.map((box) => box[k].high + 1 - low[k])));
  const { rect } = projection(dimensions);
  const placed = (box) => rect(box.map((range, k) => ({ from: (range.low - low[k]) / extent[k], size: Math.max(0, range.high - range.low + 1) / extent[k] })));
  const outline = rect(extent.map(() => ({ from: 0, size: 1 })));
  return h('div', { class: 'shapes' }, drawn.map(({ way, boxes }) =>
    h('figure', { class: 'shape' },
      g('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': array.name + ', ' + (way === 'h2d' ? 'to the device' : 'to the host') + ': ' + array[way].section },
        block(outline, 'outline'), boxes.map((box) => block(placed(box), way + (box.some((range) => range.step > 1) ? ' strided' : ''), array[way].section))),
      h('figcaption', {}, way === 'h2d' ? 'in' : 'out', ' \u00b7 ', extent.map((one) => Math.round(one)).join(' \u00d7 ')))));
}
