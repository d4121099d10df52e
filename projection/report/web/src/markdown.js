// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rule's page: headings, paragraphs, lists, code and tables of the little Markdown that these pages use.

import { rules } from './data.js';
import { h } from './element.js';

function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/).map((part) => {
    if (part.startsWith('`')) return h('code', {}, part.slice(1, -1));
    if (part.startsWith('**')) return h('strong', {}, part.slice(2, -2));
    const link = part.match(/^\[([^\]]+)\]/);
    return link ? link[1] : part;
  });
}

export function rulePage(id) {
  const blocks = [];
  let code = null, list = null, words = [];
  const endParagraph = () => { if (words.length) blocks.push(h('p', {}, inline(words.join(' ')))); words = []; };
  for (const line of rules[id].split('\n')) {
    if (line.startsWith('```')) {
      endParagraph();
      if (code) { blocks.push(h('pre', { tabindex: '0' }, h('code', {}, code.join('\n')))); code = null; } else code = [];
      continue;
    }
    if (code) { code.push(line); continue; }
    if (line.startsWith('#')) { endParagraph(); list = null; blocks.push(h('p', { class: 'rule-title' }, inline(line.replace(/^#+\s*/, '')))); continue; }
    if (/^[-*] /.test(line)) { endParagraph(); if (!list) blocks.push((list = h('ul', {}))); list.append(h('li', {}, inline(line.slice(2)))); continue; }
    if (/^    /.test(line)) { endParagraph(); list = null; blocks.push(h('pre', { tabindex: '0' }, h('code', {}, line.slice(4)))); continue; }
    if (!line.trim()) { endParagraph(); list = null; continue; }
    if (list && /^\s/.test(line)) { list.lastChild.append(' ', ...inline(line.trim())); continue; }
    words.push(line.trim());
  }
  endParagraph();
  return h('div', { class: 'rule' }, blocks);
}
