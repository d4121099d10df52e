// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One region: the answer first, then the controls and what they change, then what it rests on. Drawn when it is opened.

import { axesOf, machineNames, report, said, tableOf } from './data.js';
import { add, h, replace } from './element.js';
import { controls } from './controls.js';
import { crossings } from './crossings.js';
import { kernelTable, planWords } from './plan.js';
import { machineTable, verdictMatrix } from './machines.js';
import { placeLink } from './source.js';
import { rooflinePlot } from './roofline.js';
import { speedups } from './speedups.js';
import { timelinePlot } from './timeline.js';
import * as figures from './figures.js';

const part = (title, ...body) => h('div', { class: 'part' }, h('h4', {}, title), body);

function body(region, number) {
  const sentences = said.regions[number], own = sentences.on[machineNames[0]], found = tableOf(region);
  const plots = h('div', { class: 'plots' }), matrix = h('div', {}), roof = h('div', {});
  const answers = h('div', {});
  /** The sentences are of the report's settings, on each of its machines; the figures below may be of others. */
  const speak = (on, isAsReported) => replace(answers, on.answer.slice(1).map((sentence) => h('p', { class: 'answer' }, sentence.replace(/^[A-Z ]+: /, ''))),
    isAsReported ? null : h('p', { class: 'note' }, 'That is at the report\u2019s settings; the figures below are at the chosen ones.'));
  const redraw = (state) => {
    const { table } = found, machine = table.machines[state.machine], answer = region.on[machine.machine];
    speak(sentences.on[machine.machine] || own, machine.link === 1 && !state.size && !state.steps && !state.runs);
    replace(plots, speedups(region, found, state));
    const axis = state.size ? table.sizes[state.size].varies : axesOf(table)[0];
    replace(matrix, axis && verdictMatrix(found, axis, state));
    replace(roof, rooflinePlot(region, answer, machine));
  };
  const panel = found ? controls(found, redraw) : null;
  if (!found) speak(own, true);
  const timeline = found?.table.timelines.find((one) => one.region === region.id && one.machine === machineNames[0]);
  return [
    answers,
    panel && part('At other settings', panel, plots),
    part('The plan', planWords(own), timeline && timelinePlot(timeline, region)),
    part('What crosses the bus', crossings(region, sentences)),
    part('The kernels', kernelTable(region), roof),
    machineNames.length > 1 || (found && axesOf(found.table).length) ? part('Machines and sizes', machineNames.length > 1 ? machineTable(region) : null, matrix) : null,
    sentences.host_statements.length ? part('On the host, between the kernels', h('ul', {}, sentences.host_statements.map((one) => h('li', {}, one)))) : null,
    Object.keys(region.parameters).length || sentences.assumptions.length ? part('What it rests on', h('ul', { class: 'rests' },
      Object.entries(region.parameters).map(([name, { value, source }]) => h('li', {}, h('code', {}, name), ' = ' + figures.exact(value) + ' ', h('span', { class: 'quiet-text' }, '(' + source + ')'))),
      sentences.assumptions.filter((one) => !(one.endsWith(' assumed') && region.parameters[one.split(' = ')[0]])).map((one) => h('li', {}, one)))) : null,
  ];
}

export function regionSection(number) {
  const region = report.regions[number], own = said.regions[number].on[machineNames[0]];
  const holder = h('div', { class: 'body', id: 'region-' + number + '-body', hidden: true });
  const button = h('button', { type: 'button', class: 'open', 'aria-expanded': 'false', 'aria-controls': 'region-' + number + '-body' },
    h('span', { class: 'verdict ' + region.verdict }, figures.verdictWords[region.verdict]), h('span', { class: 'place' }, region.id));
  const section = h('section', { class: 'region', id: 'region-' + number },
    h('h3', {}, button), h('p', { class: 'statement' }, own ? own.statement : '', ' ', h('span', { class: 'quiet-text' }, placeLink(region.location))), holder);
  const open = (isOpen) => {
    if (isOpen && !holder.childElementCount) add(holder, body(region, number));
    holder.hidden = !isOpen;
    button.setAttribute('aria-expanded', String(isOpen));
  };
  button.addEventListener('click', () => open(holder.hidden));
  return { section, open };
}
