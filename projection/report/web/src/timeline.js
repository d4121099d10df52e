// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs when: copies in, kernels, copies out, each on its engine; first one after the other, then as the plan
// overlaps them. A loop's repetitions are one block with how often it runs.

import { scaleLinear } from 'd3-scale';
import { download, g, h } from './element.js';
import { picture } from './axes.js';
import * as figures from './figures.js';

const lanes = [['h2d', 'to the device'], ['kernel', 'kernels'], ['host', 'host code'], ['d2h', 'to the host']];
const width = 1040, left = 112, lane = 30, gap = 26;

function group(steps, title, x, y) {
  const used = lanes.filter(([engine]) => steps.some((step) => step.engine === engine));
  const marks = [g('text', { class: 'group', x: 0, y: y - 8 }, title)];
  used.forEach(([engine, name], k) => {
    marks.push(g('text', { class: 'lane', x: left - 10, y: y + k * lane + lane / 2 - 2, dy: '0.32em', 'text-anchor': 'end' }, name));
    marks.push(g('line', { class: 'rail', x1: left, x2: width, y1: y + k * lane + lane - 4, y2: y + k * lane + lane - 4 }));
    for (const step of steps.filter((one) => one.engine === engine)) {
      const from = x(step.start_s), room = x(step.end_s) - from, times = step.count > 1 ? figures.exact(Math.round(step.count)) + ' \u00d7 ' : '';
      const what = times + step.what;
      marks.push(g('rect', { class: 'step ' + engine + (step.count > 1 ? ' often' : ''), x: from, y: y + k * lane, width: Math.max(room - 0.8, 0.8), height: lane - 8, rx: 2 },
        g('title', {}, what + ': ' + figures.time(step.end_s - step.start_s) + ' from ' + figures.time(step.start_s) + ' on')));
      if (room > what.length * 6.6 + 12)
        marks.push(g('text', { class: 'inside', x: from + 6, y: y + k * lane + lane / 2 - 4, dy: '0.34em' }, what));
    }
  });
  return { marks, end: y + used.length * lane };
}

export function timelinePlot(timeline, answer) {
  const all = [...timeline.before, ...timeline.after];
  if (!all.length) return null;
  const most = Math.max(...all.map((step) => step.end_s));
  const x = scaleLinear().domain([0, most]).range([left, width]);
  const before = group(timeline.before, 'One after the other', x, gap);
  const after = timeline.after.length ? group(timeline.after, 'As planned', x, before.end + gap + 6) : null;
  const end = (after || before).end + 4, ticks = x.ticks(6);
  const planned = answer.plan.strategy === 'explicit' ? null : answer.plan.time_s;
  return h('figure', { class: 'wide' },
    h('figcaption', {}, 'What runs when, once'),
    h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Timeline' },
      picture(width, end + 24, 'Timeline: ' + timeline.before.map((step) => step.engine + ' ' + step.what + ' ' + figures.time(step.end_s - step.start_s)).join(', '),
        g('g', { class: 'axis' }, ticks.map((tick) => [g('line', { class: 'grid', x1: x(tick), x2: x(tick), y1: gap - 4, y2: end }),
          g('text', { x: x(tick), y: end + 16, 'text-anchor': tick === 0 ? 'start' : tick > 0.96 * most ? 'end' : 'middle' }, figures.time(tick))])),
        before.marks, after && after.marks,
        planned && after && g('line', { class: 'priced', x1: x(planned), x2: x(planned), y1: before.end + gap, y2: end }, g('title', {}, 'the plan\u2019s price: ' + figures.time(planned))))),
    download('Chrome trace (JSON)', 'busfare-timeline.json', 'application/json', () => JSON.stringify(traceOf(timeline))));
}

/** As Perfetto and chrome://tracing read it; microseconds. */
export function traceOf(timeline) {
  const events = [];
  [['one after the other', timeline.before], ['as planned', timeline.after]].forEach(([name, steps], process) => {
    if (!steps.length) return;
    events.push({ name: 'process_name', ph: 'M', pid: process, args: { name } });
    lanes.forEach(([engine, lane], thread) => {
      const own = steps.filter((step) => step.engine === engine);
      if (own.length) events.push({ name: 'thread_name', ph: 'M', pid: process, tid: thread, args: { name: lane } });
      for (const step of own)
        events.push({ name: step.what, cat: engine, ph: 'X', pid: process, tid: thread, ts: step.start_s * 1e6, dur: (step.end_s - step.start_s) * 1e6, args: { times: step.count, stream: step.stream } });
    });
  });
  return { traceEvents: events, displayTimeUnit: 'ms' };
}
