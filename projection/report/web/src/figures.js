// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers as the text report writes them (projection/report/Figures.h): times with three digits, factors with two.

function significant(value, digits) {
  if (value === 0) return '0';
  const scale = 10 ** (digits - 1 - Math.floor(Math.log10(Math.abs(value))));
  const rounded = Math.round(value * scale) / scale;
  const before = Math.floor(Math.log10(Math.abs(rounded)) + 1e-9) + 1;
  return rounded.toFixed(before >= digits ? 0 : digits - before);
}

export function time(seconds) {
  if (!Number.isFinite(seconds)) return '-';
  if (seconds === 0) return '0 s';
  const size = Number(Math.abs(seconds).toPrecision(3)), sign = seconds < 0 ? '-' : '';
  for (const [unit, name] of [[3600, ' h'], [1, ' s'], [1e-3, ' ms'], [1e-6, ' us']])
    if (size >= unit * (1 - 1e-9)) return sign + significant(size / unit, 3) + name;
  return sign + significant(size / 1e-9, 3) + ' ns';
}

export function bytes(count) {
  if (count < 1024) return count + ' B';
  const units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
  let value = count / 1024, unit = 0;
  while (value >= 1023.95 && unit + 1 < units.length) { value /= 1024; ++unit; }
  return value.toFixed(1) + ' ' + units[unit];
}

export function factor(value) {
  if (!Number.isFinite(value)) return '-';
  if (value > 0.9 && value < 1.1 && value !== 1) return significant(value, 3) + 'x';
  return significant(value, value >= 100 ? 3 : 2) + 'x';
}

export const interval = ({ value, low, high }) => factor(value) + ' (' + factor(low) + ' to ' + factor(high) + ')';
export const exact = (count) => String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
export const percent = (share) => (share > 0 && share < 0.0095 ? (100 * share).toFixed(1) : (100 * share).toFixed(0)) + ' %';
export const rate = (value, unit) => {
  for (const [size, prefix] of [[1e15, 'P'], [1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']])
    if (value >= size) return significant(value / size, 3) + ' ' + prefix + unit;
  return significant(value, 3) + ' ' + unit;
};
/** A size on an axis: 4096, 64k, 1M. */
export const short = (value) => {
  if (value >= 1e6) return significant(value / 1e6, value >= 1e8 ? 3 : 2).replace(/\.0$/, '') + 'M';
  if (value >= 1e4) return Math.round(value / 1e3) + 'k';
  return value >= 1 ? String(Math.round(value * 100) / 100) : significant(value, 2);
};

/** How many times today's sizes: 1/4, 8. */
export const multiple = (value) => (value < 1 ? '1/' + Math.round(1 / value) : String(value));

export const verdictWords = { port: 'Port', keep: 'Keep on the host', measure: 'Measure first' };
