// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machines side by side in absolute times, and the verdicts over sizes and machines.

import { answerAt, machineNames, stopsOf } from './data.js';
import { h, tableOf } from './element.js';
import * as figures from './figures.js';

const mark = (verdict) => h('span', { class: 'verdict ' + verdict }, figures.verdictWords[verdict]);

export function machineTable(region) {
  const host = ({ time_s: { cpu, cpu_all_cores } }) => Math.min(cpu, cpu_all_cores), first = host(region.on[machineNames[0]]);
  const longest = Math.max(...machineNames.map((name) => region.on[name].time_s.total), 1e-300);
  return tableOf('The region on each machine', ['machine', 'GPU, total', 'compared', 'over the host of ' + machineNames[0], 'over its own host', '10 to 90 %', 'gain there', 'verdict there'],
    machineNames.map((name) => {
      const answer = region.on[name];
      return [name, figures.time(answer.time_s.total), h('span', { class: 'bar', css: { width: Math.max(1, (100 * answer.time_s.total) / longest) + 'px' } }), figures.factor(first / answer.time_s.total),
        figures.factor(answer.speedup.value), figures.factor(answer.speedup.low) + ' to ' + figures.factor(answer.speedup.high), figures.time(answer.gain_s.value), mark(answer.verdict)];
    }), [1, 3, 4, 5, 6]);
}

export function verdictMatrix(found, axis, state) {
  const { table } = found, stops = stopsOf(table, axis);
  const columns = table.machines.map((machine, index) => ({ ...machine, index })).filter((machine) => machine.link === 1);
  const rows = stops.map((stop) => [axis === '*' ? figures.multiple(stop.factor) + ' \u00d7' : figures.exact(stop.value), ...columns.map((column) => {
    const answer = answerAt(found, { ...state, size: stop.index, machine: column.index });
    return answer ? h('span', { class: 'cell ' + answer.verdict }, h('span', {}, answer.verdict), ' ', h('b', {}, figures.factor(answer.speedup))) : '\u2013';
  })]);
  return h('div', { class: 'matrix' }, tableOf('Verdicts over sizes and machines', [axis === '*' ? 'all sizes' : axis, ...columns.map((column) => column.machine)], rows, [0]));
}
