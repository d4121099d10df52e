// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan in the report's words, and the kernels it launches.

import { said } from './data.js';
import { h, tableOf } from './element.js';
import { placeLink } from './source.js';
import * as figures from './figures.js';

export const planWords = (sentences) => sentences.plan.slice(1).map((sentence) => h('p', {}, sentence));

export function kernelTable(answer) {
  const kernels = [...answer.kernels].sort((a, b) => b.launches * b.time_s - a.launches * a.time_s), few = 24;
  const row = (kernel) => [placeLink(kernel.location, kernel.id), figures.exact(Math.round(kernel.launches * 100) / 100), figures.time(kernel.time_s), figures.time(kernel.time_s * kernel.launches),
    said.limits[kernel.limited_by] || kernel.limited_by,
    [kernel.parallel_loops.map((loop) => loop.index.replace(/\.\d+$/, '')).join(', '), kernel.planned_on === 'host' ? ' \u2013 stays on the host in the plan' : '']];
  const heads = ['at', 'launches', 'each', 'in all', 'limited by', 'parallel over'];
  return [tableOf('Kernels', heads, kernels.slice(0, few).map(row), [1, 2, 3]),
    kernels.length > few ? h('details', {}, h('summary', {}, kernels.length - few + ' more kernels, which take less'), tableOf('More kernels', heads, kernels.slice(few, few + 500).map(row), [1, 2, 3])) : null];
}
