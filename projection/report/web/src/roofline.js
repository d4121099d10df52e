// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The roofs of a machine: its memory, its arithmetic, and the bus, which is the lowest slope. Kernels are points at their
// operations a byte of the device's memory; the region is one at its operations a byte that crosses the bus.

import { below, beside, logScale, picture, powers } from './axes.js';
import { g, h } from './element.js';
import * as figures from './figures.js';
import { said } from './data.js';
import { movedOf } from './arrays.js';

const width = 520, height = 300, left = 62, right = 20, top = 18, bottom = 46;

export function rooflinePlot(region, answer, roof) {
  const moved = region.arrays.reduce((sum, array) => sum + movedOf(array), 0);
  const kernels = answer.kernels.filter((kernel) => kernel.flops > 0 && kernel.time_s > 0 && kernel.dram_bytes > 0);
  if (!kernels.length || !roof.peak_flops) return null;
  const points = kernels.map((kernel) => ({ kernel, x: kernel.flops / kernel.dram_bytes, y: kernel.flops / kernel.time_s }));
  const flops = kernels.reduce((sum, kernel) => sum + kernel.flops * kernel.launches, 0);
  const whole = moved > 0 && answer.time_s.total > 0 ? { x: flops / moved, y: flops / answer.time_s.total } : null;
  const xs = [...points.map((p) => p.x), roof.peak_flops / roof.dram_bandwidth, ...(whole ? [whole.x] : [])];
  const ys = [...points.map((p) => p.y), roof.peak_flops, ...(whole ? [whole.y] : [])];
  const x = logScale(Math.min(...xs) / 4, Math.max(...xs) * 4, left, width - right);
  const y = logScale(Math.min(...ys) / 4, roof.peak_flops * 2, height - bottom, top);
  const slope = (bandwidth, name, kind) => {
    const knee = Math.min(roof.peak_flops / bandwidth, x.domain()[1]), from = Math.max(x.domain()[0], y.domain()[0] / bandwidth);
    if (from >= knee) return null;
    const middle = from * (knee / from) ** (kind ? 0.78 : 0.32), turn = (Math.atan2(y(bandwidth * knee) - y(bandwidth * from), x(knee) - x(from)) * 180) / Math.PI;
    return [g('line', { class: 'roof ' + kind, x1: x(from), y1: y(bandwidth * from), x2: x(knee), y2: y(bandwidth * knee) }),
      g('text', { class: 'roof-name', transform: `translate(${x(middle)},${y(bandwidth * middle) - 6}) rotate(${turn})`, 'text-anchor': 'middle' }, name + ', ' + figures.rate(bandwidth, 'B/s'))];
  };
  return h('figure', {},
    h('figcaption', {}, 'Roofline, with the bus as a roof'),
    picture(width, height, 'Roofline: ' + points.map((p) => p.kernel.id + ' reaches ' + figures.rate(p.y, 'FLOP/s') + ', limited by ' + (said.limits[p.kernel.limited_by] || p.kernel.limited_by)).join('; '),
      beside(y, left, width - right, powers(y, 10, 5), (value) => figures.rate(value, '')),
      below(x, height - bottom, powers(x, 10, 7), (value) => String(Number(value.toPrecision(2)))),
      g('text', { class: 'axis-name', x: (left + width - right) / 2, y: height - 10, 'text-anchor': 'middle' }, 'operations a byte'),
      g('text', { class: 'axis-name', x: 4, y: 10 }, 'FLOP/s'),
      g('line', { class: 'roof', x1: x(Math.min(roof.peak_flops / roof.dram_bandwidth, x.domain()[1])), x2: width - right, y1: y(roof.peak_flops), y2: y(roof.peak_flops) }),
      g('text', { class: 'roof-name', x: width - right, y: y(roof.peak_flops) - 5, 'text-anchor': 'end' }, 'arithmetic, ' + figures.rate(roof.peak_flops, 'FLOP/s')),
      slope(roof.dram_bandwidth, 'device memory', ''), slope(roof.link_bandwidth, 'the bus', 'bus'),
      points.map((p) => g('circle', { class: 'kernel-dot', cx: x(p.x), cy: y(p.y), r: 5 }, g('title', {}, p.kernel.id + ': ' + figures.rate(p.y, 'FLOP/s') + ', limited by ' + (said.limits[p.kernel.limited_by] || p.kernel.limited_by)))),
      points.length <= 5 && apart(points.map((p) => ({ x: x(p.x) + 10, y: y(p.y) + 6, text: p.kernel.id }))).map((one) => g('text', { class: 'dot-name', x: one.x, y: one.y }, one.text)),
      whole && [g('rect', { class: 'whole', x: x(whole.x) - 5, y: y(whole.y) - 5, width: 10, height: 10, transform: `rotate(45 ${x(whole.x)} ${y(whole.y)})` }, g('title', {}, 'the region with its transfers: ' + figures.rate(whole.y, 'FLOP/s'))),
        g('text', { class: 'dot-name', x: x(whole.x) + 10, y: y(whole.y) + 16 }, 'with transfers')]));
}

/** Names that would lie on each other, below each other. */
function apart(names) {
  const placed = [];
  for (const name of [...names].sort((a, b) => a.y - b.y)) {
    while (placed.some((other) => Math.abs(other.x - name.x) < 70 && Math.abs(other.y - name.y) < 13)) name.y += 13;
    placed.push(name);
  }
  return placed;
}
