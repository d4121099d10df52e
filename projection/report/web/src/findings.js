// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stays on the host and why, findings with the pages of their rules, what was not looked at, and what to run next.

import { report, rules, said } from './data.js';
import { h, tableOf } from './element.js';
import { rulePage } from './markdown.js';
import { placeLink } from './source.js';
import * as figures from './figures.js';

export function nests() {
  const kept = report.nests.filter((nest) => nest.in !== 'kernel');
  const serial = report.loops.filter((loop) => loop.depth === 0 && !loop.parallel && !loop.holds_parallel && !loop.inside_parallel);
  if (!kept.length && !serial.length) return null;
  return h('section', { id: 'host' }, h('h2', {}, 'What stays on the host'),
    kept.length ? tableOf('Parallel loops in no plan', ['at', 'work', 'is', 'why'], kept.slice(0, 300).map((nest) => [placeLink(nest.location), nest.work_share === null ? '' : figures.percent(nest.work_share),
      nest.in === 'alone' ? 'judged alone' + (nest.verdict ? ': ' + nest.verdict + ', ' + figures.factor(nest.speedup.value) : '') : 'kept', nest.reason]), [1]) : null,
    serial.length ? [h('h3', {}, 'Nests that are not parallel'), tableOf('Nests that are not parallel', ['at', 'over', 'why'], serial.slice(0, 300).map((loop) => [placeLink(loop.location), loop.index, loop.reason || 'not parallel']))] : null);
}

export function findings() {
  if (!report.findings.length) return null;
  const byRule = new Map();
  report.findings.forEach((finding) => byRule.set(finding.rule, [...(byRule.get(finding.rule) || []), finding]));
  const titleOf = (rule) => (rules[rule] ? rules[rule].split('\n')[0].replace(/^#\s*\w+:\s*/, '') : rule);
  return h('section', { id: 'findings' }, h('h2', {}, 'Findings'),
    [...byRule].map(([rule, all]) => h('details', { class: 'finding', id: 'rule-' + rule },
      h('summary', {}, h('span', { class: 'rule-id' }, rule), ' ', titleOf(rule), ' ', h('span', { class: 'quiet-text' }, all.length > 1 ? all.length + ' times' : '')),
      h('ul', {}, all.slice(0, 200).map((finding) => h('li', {}, placeLink(finding.location), ' ', finding.message)), all.length > 200 ? h('li', {}, 'and ' + (all.length - 200) + ' more') : null),
      rules[rule] ? rulePage(rule) : null)));
}

export function coverage() {
  return h('section', { id: 'coverage' },
    said.next.length ? [h('h2', {}, 'Next'), h('pre', { tabindex: '0', 'aria-label': 'Commands' }, h('code', {}, said.next.join('\n')))] : null,
    h('h2', {}, 'Coverage'), said.coverage.slice(1).map((sentence) => h('p', {}, sentence)));
}
