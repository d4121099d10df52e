// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page's drawings as files of their own, which `busfare plot` and `busfare sweep --format svg` write. Run by Node:
//
//   node svg.js QUESTION.json     -> [{"name": "gemm.c:12:main-timeline", "kind": "timeline", "title": "...", "svg": "<svg ..."}, ...]
//
// QUESTION is {"draw": ["speedup", ...], "regions": [0, ...], "parts": {report, said, sources, rules, prices}} for a report,
// {"sweep": {...}} for a table (sweep.js).

import { elementsOf, textOf, xmlOf } from './document.js';
import { axesOf, machineNames, report, said, tableOf, take } from './data.js';
import { movedOf, sizesOf } from './arrays.js';
import { g } from './element.js';
import { rooflinePlot } from './roofline.js';
import { shapeOf } from './shape.js';
import { sizePlot, stepsPlot } from './speedups.js';
import { sweepPlot } from './sweep.js';
import { timelinePlot } from './timeline.js';
import styles from './plots.css';
import { readFileSync } from 'node:fs';

const font = 'system-ui, "Segoe UI", "Liberation Sans", "DejaVu Sans", Arial, sans-serif';

/** Colours by their values: few programs that show such files know variables. */
function styleOf(side) {
  const colours = new Map([...styles.matchAll(/(--\w+): light-dark\((#\w+), (#\w+)\)/g)].map(([, name, ...both]) => [name, both[side]]));
  return styles.replace(/\/\*[^]*?\*\//g, '').replace(/:root \{[^}]*\}/, '').replace(/var\((--\w+)\)/g, (_, name) => colours.get(name)) + `.sheet { fill: ${colours.get('--paper')}; } .plot .heading { fill: ${colours.get('--ink')}; font: 600 14px ${font}; }`;
}
const both = () => `.plot { font: 11.5px ${font}; font-variant-numeric: tabular-nums; } ${styleOf(0)} @media (prefers-color-scheme: dark) { ${styleOf(1)} }`.replace(/\s+/g, ' ');

const margin = 16, heading = 46;

/** A drawing as a file of its own: what it shows, and of what, in words above it, on a sheet of the page's colour. */
function sheet(drawing, title, of) {
  const [, , width, height] = drawing.getAttribute('viewBox').split(' ').map(Number);
  const wide = width + 2 * margin, tall = height + 2 * margin + heading;
  return '<?xml version="1.0" encoding="UTF-8"?>\n' + xmlOf(g('svg', { xmlns: 'http://www.w3.org/2000/svg', width: wide, height: tall, viewBox: `0 0 ${wide} ${tall}`, class: 'plot', role: 'img' },
    g('title', {}, drawing.getAttribute('aria-label') || title), g('style', {}, both()),
    g('rect', { class: 'sheet', width: wide, height: tall }),
    g('text', { class: 'heading', x: margin, y: margin + 12 }, title),
    g('text', { x: margin, y: margin + 29 }, of.length * 6 > width ? '\u2026' + of.slice(-Math.floor(width / 6)) : of),
    g('svg', { x: margin, y: margin + heading, width, height, viewBox: `0 0 ${width} ${height}`, overflow: 'visible' }, drawing.children))) + '\n';
}

/** The sections of a region's arrays, each on its shape, side by side. */
function sectionsOf(region) {
  const sizes = sizesOf(region), columns = 3, cell = { wide: 220, tall: 190 }, drawn = [];
  for (const array of [...region.arrays].filter((one) => one.h2d || one.d2h).sort((a, b) => movedOf(b) - movedOf(a)).slice(0, 12)) {
    const shape = shapeOf(array, sizes);
    if (!shape) continue;
    for (const figure of elementsOf(shape, 'figure')) drawn.push({ name: array.name, caption: textOf(elementsOf(figure, 'figcaption')[0]), svg: elementsOf(figure, 'svg')[0] });
  }
  if (!drawn.length) return null;
  const width = Math.min(columns, drawn.length) * cell.wide, height = Math.ceil(drawn.length / columns) * cell.tall;
  return g('svg', { viewBox: `0 0 ${width} ${height}`, 'aria-label': 'Sections: ' + drawn.map((one) => one.svg.getAttribute('aria-label')).join('; ') },
    drawn.map((one, k) => {
      const x = (k % columns) * cell.wide, y = Math.floor(k / columns) * cell.tall;
      return [g('text', { class: 'group', x, y: y + 12 }, one.name), g('text', { x, y: y + 28 }, one.caption),
        g('svg', { x, y: y + 36, width: 190, height: 132, viewBox: one.svg.getAttribute('viewBox') }, one.svg.children)];
    }));
}

/** kind -> (region, its table, its answer on the first machine) -> [[what the file's name ends with, drawing]] */
const drawings = {
  speedup: (region, found) => (found ? axesOf(found.table).map((axis) => [axis === '*' ? 'speedup' : 'speedup-' + axis, sizePlot(region, found, asReported, axis)]) : []),
  steps: (region, found) => (found ? [['steps', stepsPlot(region, found, asReported)]] : []),
  timeline: (region, found, answer) => {
    const timeline = found?.table.timelines.find((one) => one.region === region.id && one.machine === machineNames[0]);
    return timeline ? [['timeline', timelinePlot(timeline, answer)]] : [];
  },
  roofline: (region, found, answer) => (found ? [['roofline', rooflinePlot(region, answer, found.table.machines[0])]] : []),
  sections: (region) => [['sections', sectionsOf(region)]],
};
const asReported = { size: 0, steps: 0, runs: 0, machine: 0 };

function plotsOf({ draw, regions, parts }) {
  take(parts);
  return regions.flatMap((number) => {
    const region = report.regions[number], found = tableOf(region), answer = region.on[machineNames[0]];
    return draw.flatMap((kind) => drawings[kind](region, found, answer).filter(([, figure]) => figure).map(([end, figure]) => {
      const caption = elementsOf(figure, 'figcaption')[0], svg = elementsOf(figure, 'svg')[0];
      const title = kind === 'sections' ? 'What crosses the bus' : textOf(caption), of = region.id + ' on ' + machineNames[0];
      return { name: region.id + '-' + end, kind, region: region.id, title: title + ', ' + of, svg: sheet(svg, title, of) };
    }));
  });
}

/** What the names of all lines begin with, up to a machine, is said once. */
function sweepOf({ series, ...table }) {
  const parts = series.map((one) => one.name.split(' on ')), same = parts.every(([first, ...rest]) => rest.length && first === parts[0][0]);
  const named = series.map((one, k) => ({ ...one, name: same ? parts[k].slice(1).join(' on ') : one.name }));
  const drawing = elementsOf(sweepPlot({ ...table, series: named }), 'svg')[0];
  return { name: 'sweep', kind: 'sweep', title: table.title, svg: sheet(drawing, table.title, same ? parts[0][0] : '') };
}

const question = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const answer = question.sweep ? [sweepOf(question.sweep)] : plotsOf(question);
process.stdout.write(JSON.stringify(answer));
