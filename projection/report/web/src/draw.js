// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page from top to bottom. Regions are opened by their links and their headings; the first one is open.

import { report } from './data.js';
import { add, h } from './element.js';
import { coverage, findings, nests } from './findings.js';
import { overview, ranked } from './overview.js';
import { regionSection } from './region.js';
import { sourceSection } from './source.js';
import { themeSwitch } from './theme.js';

const order = ranked(), opened = new Map();
const regions = h('section', { id: 'regions' }, report.regions.length ? h('h2', {}, report.regions.length > 1 ? 'The regions' : 'The region') : null);

/** Regions are put into the page in their order, the first few at once, others when they are asked for. */
const few = 30;
function sectionOf(number) {
  if (!opened.has(number)) {
    const made = regionSection(number);
    opened.set(number, made);
    const rank = order.findIndex((one) => one.number === number);
    const behind = order.slice(rank + 1).find((one) => opened.has(one.number));
    regions.insertBefore(made.section, behind ? opened.get(behind.number).section : null);
  }
  return opened.get(number);
}
order.slice(0, few).forEach(({ number }) => sectionOf(number));

function follow() {
  const number = Number((location.hash.match(/^#region-(\d+)$/) || [])[1]);
  if (!report.regions[number]) return;
  const { section, open } = sectionOf(number);
  open(true);
  section.scrollIntoView();
  section.querySelector('button').focus({ preventScroll: true });
}

const machines = report.machines.map((machine) => machine.name + (machine.description ? ' (' + machine.description + ')' : '')).join(' and ');
const parts = [overview(), report.regions.length ? regions : null, nests(), sourceSection(), findings(), coverage()].filter(Boolean);
const names = { overview: 'What to do', regions: 'Regions', host: 'On the host', source: 'Source', findings: 'Findings', coverage: 'Coverage' };
add(document.body, [
  h('a', { class: 'skip', href: '#main' }, 'To the report'),
  h('header', {},
    h('div', { class: 'title' }, h('h1', {}, 'busfare'), h('p', {}, 'which loops are worth moving to a GPU, once the data has paid for the bus')),
    h('nav', { 'aria-label': 'Parts of the report' }, h('ul', {}, parts.map((part) => h('li', {}, h('a', { href: '#' + part.id }, names[part.id]))))),
    themeSwitch()),
  h('main', { id: 'main', tabindex: '-1' }, h('p', { class: 'machines' }, 'busfare ' + report.tool.version + (machines ? ', for ' + machines : '')), parts),
]);
if (order.length) opened.get(order[0].number).open(true);
addEventListener('hashchange', follow);
addEventListener('beforeprint', () => { if (report.regions.length <= few) order.forEach(({ number }) => sectionOf(number).open(true)); });
follow();
performance.mark('drawn');
document.documentElement.dataset.ready = 'true';
