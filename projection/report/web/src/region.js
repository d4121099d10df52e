// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One region: the answer first, then the controls and what they change, then what it rests on. Drawn when it is opened.

import { answerAt, axesOf, machineNames, report, said, stopsOf, tableOf } from './data.js';
import { add, h, replace } from './element.js';
import { controls } from './controls.js';
import { crossings } from './crossings.js';
import { kernelTable, planWords } from './plan.js';
import { machineTable, verdictMatrix } from './machines.js';
import { placeLink } from './source.js';
import { rooflinePlot } from './roofline.js';
import { speedupPlot } from './speedup.js';
import { timelinePlot } from './timeline.js';
import * as figures from './figures.js';

const part = (title, ...body) => h('div', { class: 'part' }, h('h4', {}, title), body);

/** Series of all machines over stops; the chosen machine first. */
function seriesOf(found, state, stops, settle) {
  const { table } = found;
  const chosen = table.machines[state.machine], order = table.machines.map((machine, index) => ({ ...machine, index })).filter((machine) => machine.link === chosen.link || machine.index === state.machine);
  order.sort((a, b) => (b.index === state.machine) - (a.index === state.machine));
  return order.map((machine) => ({
    machine: machine.machine,
    points: stops.map((stop) => ({ x: stop.value, answer: answerAt(found, { ...state, ...settle(stop), machine: machine.index }) })).filter((point) => point.answer && point.answer.speedup > 0),
  })).filter((one) => one.points.length > 1);
}

const stretchesOf = (answer, size) => answer.pays_off.find((one) => one.size === size)?.intervals;

function speedups(region, found, state) {
  const { table } = found, plots = [], machine = table.machines[state.machine], answer = region.on[machine.machine];
  const isAsReported = machine.link === 1 && state.steps === 0 && state.runs === 0;
  const axes = axesOf(table), axis = state.size ? table.sizes[state.size].varies : axes[0];
  if (axis) {
    const series = seriesOf(found, state, stopsOf(table, axis), (stop) => ({ size: stop.index }));
    const today = answerAt(found, { ...state, size: 0 }), value = axis === '*' ? 1 : region.parameters[axis]?.value;
    const name = axis === '*' ? 'all sizes, as a multiple of today\u2019s' : axis;
    const key = axis === '*' ? 'sizes' : Object.keys(region.parameters).length && region.on[machine.machine].pays_off.some((one) => one.size === axis) ? axis : axis.split('::').at(-1);
    if (series.length)
      plots.push(speedupPlot({ title: 'Speedup against ' + (axis === '*' ? 'size' : axis), series, stretches: isAsReported ? stretchesOf(answer, key) : null, today: today && value ? { x: value, answer: today } : null, base: 2, name, label: axis === '*' ? figures.multiple : figures.short }));
  }
  const steps = table.steps.map((value, index) => ({ value, index })).filter((stop) => stop.value !== null);
  if (steps.length > 1) {
    const series = seriesOf(found, state, steps, (stop) => ({ steps: stop.index }));
    const today = answerAt(found, { ...state, steps: 0 });
    const pays = machine.link === 1 && state.size === 0 && state.runs === 0 ? stretchesOf(answer, 'iterations') : null;
    if (series.length)
      plots.push(speedupPlot({ title: 'Speedup against time steps', series, stretches: pays, today: today ? { x: answer.iterations.count, answer: today } : null, base: 10, name: 'time steps' }));
  }
  return plots;
}

function body(region, number) {
  const sentences = said.regions[number], own = sentences.on[machineNames[0]], found = tableOf(region);
  const plots = h('div', { class: 'plots' }), matrix = h('div', {}), roof = h('div', {});
  const redraw = (state) => {
    const { table } = found, machine = table.machines[state.machine], answer = region.on[machine.machine];
    replace(plots, speedups(region, found, state));
    const axis = state.size ? table.sizes[state.size].varies : axesOf(table)[0];
    replace(matrix, axis && verdictMatrix(found, axis, state));
    const moved = region.arrays.reduce((sum, array) => sum + ['h2d', 'd2h'].reduce((one, way) => one + (array[way] ? array[way].moved_bytes * array[way].count : 0), 0), 0);
    replace(roof, rooflinePlot(region, answer, machine, moved));
  };
  const panel = found ? controls(found, redraw) : null;
  const timeline = found?.table.timelines.find((one) => one.region === region.id && one.machine === machineNames[0]);
  return [
    own.answer.slice(1).map((sentence) => h('p', { class: 'answer' }, sentence.replace(/^[A-Z ]+: /, ''))),
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
