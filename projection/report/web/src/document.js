// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As much of a document as element.js asks for, where there is no browser: elements with attributes and children, which can
// be written as XML.

class Text {
  constructor(text) { this.text = text; }
}

class Element {
  constructor(tag) { this.tag = tag; this.attributes = new Map(); this.children = []; }
  setAttribute(name, value) { this.attributes.set(name, String(value)); }
  getAttribute(name) { return this.attributes.get(name) ?? null; }
  append(...children) { this.children.push(...children); }
  replaceChildren(...children) { this.children = children; }
  addEventListener() {} // nobody clicks
  style = { setProperty() {} };
}

globalThis.Node = class { static [Symbol.hasInstance](one) { return one instanceof Text || one instanceof Element; } };
globalThis.document = { createElement: (tag) => new Element(tag), createElementNS: (_, tag) => new Element(tag), createTextNode: (text) => new Text(text) };

/** All elements of a kind below one, itself among them. */
export const elementsOf = (node, tag) => (node instanceof Element ? [...(node.tag === tag ? [node] : []), ...node.children.flatMap((child) => elementsOf(child, tag))] : []);
export const textOf = (node) => (node instanceof Text ? node.text : node.children.map(textOf).join(''));

const marks = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
// What no XML may hold, not even by its number, is gone by then: element.js shows it by its number.
const escaped = (text) => text.replace(/[&<>"]/g, (mark) => marks[mark]).replace(/[\ud800-\udfff\ufffe\uffff]/g, '\ufffd');

export function xmlOf(node) {
  if (node instanceof Text) return escaped(node.text);
  const attributes = [...node.attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`).join('');
  return node.children.length ? `<${node.tag}${attributes}>${node.children.map(xmlOf).join('')}</${node.tag}>` : `<${node.tag}${attributes}/>`;
}
