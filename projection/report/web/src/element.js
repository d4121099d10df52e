// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements made of data. Text is only ever set as text, so a name that looks like markup stays a name; characters that
// would turn the text around them, or that nobody sees, are shown by their number.

const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

export const visible = (text) => String(text).replace(hidden, (c) => '\u2039U+' + c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0') + '\u203a');

function make(node, properties, children) {
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'css') for (const [key, one] of Object.entries(value)) node.style.setProperty(key, one);
    else node.setAttribute(name, value === true ? '' : visible(value));
  }
  add(node, children);
  return node;
}

export function add(node, children) {
  for (const child of [children].flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === '') continue;
    node.append(child instanceof Node ? child : document.createTextNode(visible(child)));
  }
  return node;
}

/** h('p', {class: 'why'}, 'text', element): an element. */
export const h = (tag, properties, ...children) => make(document.createElement(tag), properties, children);
/** The same in a drawing. */
export const g = (tag, properties, ...children) => make(document.createElementNS('http://www.w3.org/2000/svg', tag), properties, children);

export function replace(node, ...children) {
  node.replaceChildren();
  return add(node, children);
}

/** Table with headings; right: columns of numbers. */
export function tableOf(caption, heads, rows, right = []) {
  const side = (k) => (right.includes(k) ? 'number' : null);
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    h('table', {},
      h('caption', { class: 'unseen' }, caption),
      h('thead', {}, h('tr', {}, heads.map((head, k) => h('th', { scope: 'col', class: side(k) }, head)))),
      h('tbody', {}, rows.map((row) => h('tr', {}, row.map((cell, k) => h(k ? 'td' : 'th', { scope: k ? null : 'row', class: side(k) }, cell)))))));
}

/** A download of text that is made when it is asked for. */
export function download(label, name, type, text) {
  return h('button', {
    type: 'button', class: 'quiet',
    onclick: () => {
      const link = h('a', { href: URL.createObjectURL(new Blob([text()], { type })), download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    },
  }, label);
}
