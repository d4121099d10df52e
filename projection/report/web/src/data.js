// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the page is given: JSON in elements of its own (Html.h says what each holds). Nothing here computes a price:
// answers at other settings are looked up in the tables that the program filled.

const read = (id) => JSON.parse(document.getElementById(id)?.textContent || 'null');

export const report = read('report');
export const said = read('said');
export const sources = read('sources');
export const rules = read('rules');

const tables = read('prices').map((table) => ({
  ...table,
  byKey: new Map(table.settings.map((setting) => [setting.at.join(), setting.answers])),
}));

/** The machines of the report, in its order. */
export const machineNames = report.machines.map((machine) => machine.name);

/** The table that a region's prices stand in, and its place among the table's regions. */
export function tableOf(region) {
  for (const table of tables) {
    const place = table.regions.indexOf(region.id);
    if (place >= 0) return { table, place };
  }
  return null;
}

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
