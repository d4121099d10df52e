// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first screen: what to do, most seconds gained first; the figure of the whole program; what would change it. Regions
// beyond the first screen are drawn when somebody scrolls there.

import { machineNames, report, said } from './data.js';
import { add, h } from './element.js';
import * as figures from './figures.js';

const atATime = 50;

/** Regions in the order of the text report's first screen, with their numbers in the report. */
export const ranked = () => said.order.map((one) => ({ ...one, number: one.region, region: report.regions[one.region], sentences: said.regions[one.region] }));

/** The lines of the text's first screen below one of its headings. */
function linesBelow(heading) {
  const from = said.first.indexOf(heading);
  if (from < 0) return null;
  const rest = said.first.slice(from + 1), end = rest.findIndex((line) => !line.startsWith('- '));
  const lines = (end < 0 ? rest : rest.slice(0, end)).map((line) => line.slice(2));
  return lines.length ? h('div', {}, h('h3', {}, heading), h('ul', {}, lines.map((line) => h('li', {}, line)))) : null;
}

/** The interval on a scale that all share, with 1 marked. */
function whisker({ value, low, high }, scale) {
  const percent = (one) => Math.min(100, Math.max(0, (100 * Math.log(one / scale.low)) / Math.log(scale.high / scale.low))) + '%';
  return h('span', { class: 'whisker', 'aria-hidden': 'true' },
    h('span', { class: 'one', css: { left: percent(1) } }),
    h('span', { class: 'range', css: { left: percent(low), right: `calc(100% - ${percent(high)})` } }),
    h('span', { class: 'value', css: { left: percent(value) } }));
}

function item({ region, number, sentences, name, share }, scale) {
  const own = sentences.on[machineNames[0]];
  return h('li', {},
    h('a', { href: '#region-' + number, class: 'choice' },
      h('span', { class: 'verdict ' + region.verdict }, figures.verdictWords[region.verdict]),
      h('span', { class: 'place' }, name, share === undefined ? null : h('span', { class: 'quiet-text' }, ' ' + figures.percent(share) + ' of the work')),
      h('span', { class: 'figure' }, figures.interval(region.speedup)),
      whisker(region.speedup, scale),
      h('span', { class: 'gain' }, (region.gain_s.value < 0 ? 'loses ' : 'gains ') + figures.time(Math.abs(region.gain_s.value)))),
    h('p', {}, own ? own.statement : ''),
    region.flip ? h('p', { class: 'note' }, 'What would change this: ' + region.flip) : null);
}

export function overview() {
  const all = ranked(), list = h('ol', { class: 'ranked' });
  const values = all.flatMap(({ region }) => [region.speedup.low, region.speedup.high]).filter((value) => value > 0);
  const scale = { low: Math.min(0.5, ...values.slice(0, 4000)), high: Math.max(2, ...values.slice(0, 4000)) };
  let shown = 0;
  const more = () => { add(list, all.slice(shown, shown + atATime).map((one) => item(one, scale))); shown += atATime; };
  more();
  const rest = h('button', { type: 'button', class: 'quiet', onclick: () => { more(); if (shown >= all.length) rest.remove(); else rest.textContent = 'Show more of ' + all.length; } }, 'Show more of ' + all.length);
  const counts = { port: 0, measure: 0, keep: 0 };
  all.forEach(({ region }) => ++counts[region.verdict]);
  const summary = Object.entries(counts).filter(([, count]) => count).map(([verdict, count]) => count + ' ' + figures.verdictWords[verdict].toLowerCase()).join(', ');
  return h('section', { id: 'overview' },
    // Of several programs, or of a library, the text begins with its list.
    h('p', { class: 'headline' }, !all.length ? said.empty : said.first[0] === 'What to do' ? all.length + (all.length === 1 ? ' region: ' : ' regions: ') + summary + '.' : said.first[0]),
    said.program.map((sentence) => h('p', { class: 'program' }, sentence)),
    all.length ? [h('h2', {}, 'What to do'), h('p', { class: 'note' }, (all.length === 1 ? '' : 'Most seconds gained first (' + summary + '). ') + 'Speedups include transfers; the intervals are 10th to 90th percentiles.'), list] : null,
    all.length > atATime ? rest : null,
    h('div', { class: 'grounds' }, linesBelow('What it rests on'), linesBelow('What would change it')));
}
