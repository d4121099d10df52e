// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is drawn: the report, its sentences, sources, rules and prices (Html.h says what each holds). Nothing here computes a
// price: answers at other settings are looked up in the tables that the program filled.

export let report, said, sources, rules;
/** The machines of the report, in its order. */
export let machineNames;
let tables;

/** What the page's elements, or the file for `busfare plot`, hold; what is exported here is there afterwards. */
export function take(parts) {
  ({ report, said, sources, rules } = parts);
  machineNames = report.machines.map((machine) => machine.name);
  tables = new Map();
  for (const one of parts.prices) {
    const table = { ...one, byKey: new Map(one.settings.map((setting) => [setting.at.join(), setting.answers])) };
    one.regions.forEach((region, place) => tables.set(region, { table, place }));
  }
}

/** The table that a region's prices stand in, and its place among the table's regions. */
export const tableOf = (region) => tables.get(region.id) || null;

/** The answer at {size, steps, runs, machine}, by the table's indices; null if it is not in the table. */
export function answerAt({ table, place }, { size, steps, runs, machine }) {
  const answers = table.byKey.get([size, steps, runs].join());
  if (!answers) return null;
  const row = answers[place * table.machines.length + machine];
  const answer = {};
  table.columns.forEach((column, k) => {
    answer[column] = ['verdict', 'strategy', 'memory', 'why', 'flip'].includes(column) ? table.words[row[k]] : row[k];
  });
  return answer;
}

/** The sizes that can be varied: "*" is all of them together. */
export const axesOf = (table) => [...new Set(table.sizes.slice(1).map((size) => size.varies))];

/** The stops of one of them, with the number that a plot has it at. */
export const stopsOf = (table, axis) =>
  table.sizes
    .map((size, index) => ({ index, value: axis === '*' ? size.factor : size.parameters[0]?.[1], ...size }))
    .filter((size) => size.index > 0 && size.varies === axis);
