// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The controls of a region: sizes, time steps, runs, machine, link, kind of memory. Each has the stops that the program
// priced; a change looks the answer up and shows the command that prints it.

import { answerAt, axesOf, machineNames, said, stopsOf } from './data.js';
import { h, replace } from './element.js';
import * as figures from './figures.js';

let count = 0;

function field(label, control, note) {
  const id = 'control-' + ++count;
  control.id = id;
  return h('div', { class: 'field' }, h('label', { for: id }, label), control, note);
}

function choice(options, onchange) {
  const select = h('select', { onchange: () => onchange(Number(select.value)) }, options.map(([value, text]) => h('option', { value }, text)));
  return select;
}

/** A slider over stops, the first of which is what the report has. */
function slider(stops, onchange) {
  const output = h('output', {}, stops[0].label);
  const input = h('input', {
    type: 'range', min: 0, max: stops.length - 1, step: 1, value: 0, 'aria-valuetext': stops[0].label,
    oninput: () => {
      const stop = stops[Number(input.value)];
      output.textContent = stop.label;
      input.setAttribute('aria-valuetext', stop.label);
      onchange(stop.index);
    },
  });
  input.output = output;
  return input;
}

const word = (text) => (/^[\w:=.,-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'");

/** The command line of a setting. */
export function commandOf(table, state) {
  const words = [said.command], set = table.sizes[state.size].parameters;
  for (const [name, value] of [...said.parameters.filter(([name]) => !set.some((one) => one[0] === name)), ...set]) words.push('--param ' + word(name + '=' + value));
  const steps = table.steps[state.steps] ?? said.iterations, runs = table.runs[state.runs] ?? said.runs;
  if (steps) words.push('--iterations ' + steps);
  if (runs) words.push('--runs ' + runs);
  return words.join(' ') + (said.flags ? ' --' + said.flags : '');
}

const columns = [['As written', 'cpu'], ['All cores', 'cpu_all_cores'], ['Kernels', 'kernel'], ['To the device', 'h2d'], ['To the host', 'd2h'], ['Host code', 'host'], ['GPU, total', 'total'], ['Start-up, once', 'startup']];

function resultOf(found, state, memory, link) {
  const { table } = found, answer = answerAt(found, state);
  if (!answer) return h('p', { class: 'note' }, [state.size, state.steps, state.runs].filter(Boolean).length > table.most_changed ? 'Sizes, time steps and runs are priced ' + (table.most_changed === 1 ? 'one' : 'two') + ' at a time here: put ' + (table.most_changed === 1 ? 'the other ones' : 'one of them') + ' back.' : 'The program contradicts this setting, or it was not priced.');
  const total = memory ? answer[memory] : answer.total;
  const machine = table.machines[state.machine];
  return [
    h('p', { class: 'result' },
      h('span', { class: 'verdict ' + answer.verdict, 'data-verdict': answer.verdict }, figures.verdictWords[answer.verdict]), ' ',
      h('strong', { 'data-speedup': answer.speedup }, figures.factor(answer.speedup)), ' ',
      h('span', { class: 'quiet-text' }, '(' + figures.factor(answer.low) + ' to ' + figures.factor(answer.high) + ')'),
      h('span', { class: 'gain', 'data-gain': answer.gain }, (answer.gain < 0 ? 'loses ' : 'gains ') + figures.time(Math.abs(answer.gain)))),
    answer.flip ? h('p', { class: 'note' }, 'What would change this: ' + answer.flip) : null,
    h('dl', { class: 'times' }, columns.filter(([, key]) => key !== 'host' || answer.host > answer.total / 1000).map(([label, key]) => h('div', {}, h('dt', {}, label), h('dd', { ['data-' + key.replaceAll('_', '-')]: answer[key], title: answer[key] + ' s' }, figures.time(answer[key]))))),
    memory && h('p', { class: 'note' }, 'Explicit copies from ' + memory + ' memory: ' + figures.time(total) + ' on the GPU; the plan (' + answer.strategy + ', ' + answer.memory + '): ' + figures.time(answer.total) + '.'),
    machine.link === 1 ? h('p', { class: 'command' }, h('code', {}, commandOf(table, state)))
      : h('p', { class: 'note' }, 'With a link of ' + machine.link + ' times the bandwidth of ' + machine.machine + '\u2019s.'),
  ];
}

/** Controls and what they give; onchange(state) redraws the plots. */
export function controls(found, onchange) {
  const { table } = found, state = { size: 0, steps: 0, runs: 0, machine: 0 };
  let link = 1, name = machineNames[0], memory = '';
  const result = h('div', { class: 'results', 'aria-live': 'polite' });
  const show = () => {
    const machine = table.machines.findIndex((one) => one.machine === name && one.link === link);
    state.machine = Math.max(0, machine);
    replace(result, resultOf(found, state, memory, link));
    onchange({ ...state });
  };
  const fields = [];
  const axes = axesOf(table), sizeHolder = h('div', { class: 'field' });
  const setAxis = (axis) => {
    const stops = [{ index: 0, label: 'as reported' }, ...stopsOf(table, axis).map((stop) => ({ index: stop.index, label: axis === '*' ? figures.multiple(stop.factor) + ' \u00d7 today\u2019s' : figures.exact(stop.value) }))];
    const input = slider(stops, (index) => { state.size = index; show(); });
    replace(sizeHolder, h('label', { for: 'size-' + ++count }, axis === '*' ? 'All sizes' : axis), input, input.output);
    input.id = 'size-' + count;
    input.dataset.control = 'size';
  };
  if (axes.length) {
    if (axes.length > 1) fields.push(field('Vary', choice(axes.map((axis, k) => [k, axis === '*' ? 'all sizes together' : axis]), (k) => { state.size = 0; setAxis(axes[k]); show(); })));
    setAxis(axes[0]);
    fields.push(sizeHolder);
  }
  if (table.steps.length > 1) {
    const input = slider(table.steps.map((value, index) => ({ index, label: value === null ? 'as reported' : figures.exact(value) })), (index) => { state.steps = index; show(); });
    input.dataset.control = 'steps';
    fields.push(field('Time steps', input, input.output));
  }
  const runs = choice(table.runs.map((value, index) => [index, value === null ? 'as reported' : String(value)]), (index) => { state.runs = index; show(); });
  runs.dataset.control = 'runs';
  fields.push(field('Runs in a process', runs));
  if (machineNames.length > 1) {
    const machine = choice(machineNames.map((one, k) => [k, one]), (k) => { name = machineNames[k]; show(); });
    machine.dataset.control = 'machine';
    fields.push(field('Machine', machine));
  }
  const links = [...new Set(table.machines.map((machine) => machine.link))].sort((a, b) => a - b);
  if (links.length > 1) {
    const chosen = choice(links.map((one) => [one, one === 1 ? 'as it is' : one + ' \u00d7 the bandwidth']), (one) => { link = one; show(); });
    chosen.value = 1;
    chosen.dataset.control = 'link';
    fields.push(field('Link', chosen));
  }
  const kinds = choice([[0, 'as planned'], [1, 'explicit, pinned'], [2, 'explicit, pageable']], (k) => { memory = ['', 'pinned', 'pageable'][k]; show(); });
  kinds.dataset.control = 'memory';
  fields.push(field('Copies', kinds));
  show();
  return h('div', { class: 'controls' }, h('div', { class: 'fields' }, fields), result,
    axes.length ? null : h('p', { class: 'note' }, 'The program sets all its sizes itself: none can be varied from outside.'));
}
