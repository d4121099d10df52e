// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a region's speedup is drawn against at a setting: a size, and the number of time steps.

import { answerAt, axesOf, stopsOf } from './data.js';
import { speedupPlot } from './speedup.js';
import * as figures from './figures.js';

const hostOf = (answer) => Math.min(answer.cpu, answer.cpu_all_cores);

/** Series of all machines over stops; the chosen machine first, whose host all are compared with: another machine has another one. */
function seriesOf(found, state, stops, settle) {
  const { table } = found, chosen = table.machines[state.machine];
  const order = table.machines.map((machine, index) => ({ ...machine, index })).filter((machine) => machine.link === chosen.link || machine.index === state.machine);
  order.sort((a, b) => (b.index === state.machine) - (a.index === state.machine));
  const at = (stop, machine) => answerAt(found, { ...state, ...settle(stop), machine });
  const over = (answer, host) => (answer && host && answer !== host ? { ...answer, speedup: hostOf(host) / answer.total } : answer);
  return order.map((machine) => ({
    machine: machine.machine,
    points: stops.map((stop) => ({ x: stop.value, answer: machine.index === state.machine ? at(stop, machine.index) : over(at(stop, machine.index), at(stop, state.machine)) })).filter((point) => point.answer && point.answer.speedup > 0),
  })).filter((one) => one.points.length > 1);
}

const titleOf = (what, series) => 'Speedup against ' + what + (series.length > 1 ? ', all over the host of ' + series[0].machine : '');

const stretchesOf = (answer, size) => answer.pays_off.find((one) => one.size === size)?.intervals;

/** Against one size, "*" for all together; null if too few of its stops are priced. */
export function sizePlot(region, found, state, axis) {
  const { table } = found, machine = table.machines[state.machine], answer = region.on[machine.machine];
  const series = seriesOf(found, state, stopsOf(table, axis), (stop) => ({ size: stop.index }));
  if (!series.length) return null;
  const isAsReported = machine.link === 1 && state.steps === 0 && state.runs === 0;
  const today = answerAt(found, { ...state, size: 0 }), value = axis === '*' ? 1 : region.parameters[axis]?.value;
  const name = axis === '*' ? 'all sizes, as a multiple of today\u2019s' : axis;
  const key = axis === '*' ? 'sizes' : answer.pays_off.some((one) => one.size === axis) ? axis : axis.split('::').at(-1);
  return speedupPlot({ title: titleOf(axis === '*' ? 'size' : axis, series), series, stretches: isAsReported ? stretchesOf(answer, key) : null,
    today: today && value ? { x: value, answer: today } : null, base: 2, name, label: axis === '*' ? figures.multiple : figures.short });
}

export function stepsPlot(region, found, state) {
  const { table } = found, machine = table.machines[state.machine], answer = region.on[machine.machine];
  const stops = table.steps.map((value, index) => ({ value, index })).filter((stop) => stop.value !== null);
  const series = stops.length > 1 ? seriesOf(found, state, stops, (stop) => ({ steps: stop.index })) : [];
  if (!series.length) return null;
  const today = answerAt(found, { ...state, steps: 0 });
  const pays = machine.link === 1 && state.size === 0 && state.runs === 0 ? stretchesOf(answer, 'iterations') : null;
  return speedupPlot({ title: titleOf('time steps', series), series, stretches: pays, today: today ? { x: answer.iterations.count, answer: today } : null, base: 10, name: 'time steps' });
}

/** Of the page: the size that is varied, and the steps. */
export function speedups(region, found, state) {
  const axis = state.size ? found.table.sizes[state.size].varies : axesOf(found.table)[0];
  return [axis && sizePlot(region, found, state, axis), stepsPlot(region, found, state)].filter(Boolean);
}
