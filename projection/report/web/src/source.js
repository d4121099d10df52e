// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source, with what is said of each line beside it: loops with their verdicts, copies with the arrays, findings with
// their rules. Lines link to what is said, and what is said links back.

import { report, rules, sources } from './data.js';
import { add, h, replace } from './element.js';
import { rulePage } from './markdown.js';

const byFile = new Map(sources.map((source) => [source.file, source]));
let marks = null;
let holder = null;
let picker = null;
let shownFile = null;

const nameOf = (location) => location.file.split('/').at(-1) + ':' + location.line;

export function placeLink(location, text) {
  if (!location.file || !location.line || !byFile.has(location.file)) return text || (location.file ? nameOf(location) : '');
  return h('a', { href: '#source', onclick: (event) => { event.preventDefault(); goTo(location); } }, text || nameOf(location));
}

/** What is said of each line of each file. */
function collect() {
  marks = new Map();
  const put = (location, mark) => {
    if (!location?.line || !byFile.has(location.file)) return;
    const key = location.file + '\n' + location.line;
    if (!marks.has(key)) marks.set(key, []);
    marks.get(key).push(mark);
  };
  report.loops.forEach((loop) => put(loop.location, {
    kind: loop.parallel ? 'parallel' : 'serial', label: loop.parallel ? 'parallel' : 'serial',
    text: 'Loop' + (loop.index ? ' over ' + loop.index : '') + ': ' + (loop.parallel ? 'parallel' : 'serial') + (loop.reason ? ', ' + loop.reason : '') +
      (loop.needs.length ? '; needs ' + loop.needs.map((need) => need.kind + ' ' + need.name + (need.op ? ' (' + need.op + ')' : '')).join(', ') : '') +
      (loop.assuming.length ? '; assuming ' + loop.assuming.join(', ') : ''),
  }));
  report.regions.forEach((region, number) => {
    region.kernels.forEach((kernel) => put(kernel.location, { kind: 'kernel', label: 'kernel', text: 'Kernel ' + kernel.id + (kernel.planned_on === 'host' ? ', which the plan keeps on the host' : ''), region: number }));
    for (const array of region.arrays)
      for (const way of ['h2d', 'd2h'])
        for (const crossing of array[way]?.crossings || [])
          put(crossing.because, { kind: way, label: (way === 'h2d' ? 'in ' : 'out ') + array.name, text: array.name + ' ' + crossing.section + ' goes ' + (way === 'h2d' ? 'to the device' : 'to the host') + ' because of this line', region: number });
  });
  report.findings.forEach((finding) => put(finding.location, { kind: finding.level, label: finding.rule, text: finding.rule + ': ' + finding.message, rule: finding.rule }));
}

function noteOf(mark) {
  return h('li', { class: mark.kind }, mark.text, mark.region === undefined ? null : [' ', h('a', { href: '#region-' + mark.region }, 'to its region')],
    mark.rule && rules[mark.rule] ? h('details', {}, h('summary', {}, 'What ' + mark.rule + ' means'), rulePage(mark.rule)) : null);
}

function lineOf(source, [number, text], previous) {
  const own = marks.get(source.file + '\n' + number) || [];
  const labels = [...new Map(own.map((mark) => [mark.label, mark])).values()];
  const id = 'line-' + sources.indexOf(source) + '-' + number;
  const row = h('div', { class: 'code-line' + (own.length ? ' marked' : '') + (previous && previous + 1 !== number ? ' gap' : ''), id },
    h('span', { class: 'line-number' }, number), h('code', {}, text || ' '));
  if (own.length) {
    const notes = h('ul', { class: 'notes', hidden: true, id: id + '-notes' });
    const button = h('button', { type: 'button', class: 'marks', 'aria-expanded': 'false', 'aria-controls': id + '-notes', 'aria-label': 'Line ' + number + ': ' + labels.map((mark) => mark.label).join(', ') },
      labels.slice(0, 3).map((mark) => h('span', { class: 'tag ' + mark.kind }, mark.label)), labels.length > 3 ? '+' + (labels.length - 3) : null);
    button.addEventListener('click', () => {
      if (!notes.childElementCount) add(notes, own.map(noteOf));
      notes.hidden = !notes.hidden;
      button.setAttribute('aria-expanded', String(!notes.hidden));
    });
    row.append(button);
    return [row, notes];
  }
  return row;
}

function showFile(file) {
  if (shownFile === file) return;
  shownFile = file;
  if (!marks) collect();
  const source = byFile.get(file);
  picker.value = file;
  replace(holder, source.lines.map((line, k) => lineOf(source, line, k ? source.lines[k - 1][0] : 0)));
  const first = holder.querySelector('.marked');
  if (first) holder.scrollTop = first.offsetTop - holder.offsetTop - 60;
}

function goTo(location) {
  const source = byFile.get(location.file);
  showFile(source.file);
  const row = document.getElementById('line-' + sources.indexOf(source) + '-' + location.line);
  if (!row) return;
  document.querySelectorAll('.code-line.aimed').forEach((one) => one.classList.remove('aimed'));
  row.classList.add('aimed');
  row.scrollIntoView({ block: 'center' });
  row.querySelector('button')?.focus({ preventScroll: true });
}

export function sourceSection() {
  if (!sources.length) return null;
  holder = h('div', { class: 'listing', tabindex: '0', role: 'region', 'aria-label': 'Source' });
  picker = h('select', { onchange: () => showFile(picker.value), 'aria-label': 'File' }, sources.map((source) => h('option', { value: source.file }, source.file)));
  const section = h('section', { id: 'source' }, h('h2', {}, 'The source'), h('p', { class: 'note' }, 'Each tag opens what is said of its line.'), sources.length > 1 ? picker : h('p', { class: 'file' }, h('code', {}, sources[0].file)), holder);
  // Not before somebody comes near it.
  new IntersectionObserver((entries, observer) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    if (!shownFile) showFile(sources[0].file);
  }, { rootMargin: '600px' }).observe(section);
  addEventListener('beforeprint', () => { if (!shownFile) showFile(sources[0].file); });
  return section;
}
