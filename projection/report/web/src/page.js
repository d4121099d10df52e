// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The beginning: what is in the page is read, then drawn.

import { take } from './data.js';

/** What base64 text holds. */
function bytesOf(text) {
  const all = atob(text), bytes = new Uint8Array(all.length);
  for (let k = 0; k < all.length; ++k) bytes[k] = all.charCodeAt(k);
  return bytes;
}

/** Compressed text. By a reader, for a Response of the stream takes six times as long. */
async function unpacked(bytes) {
  const stream = new DecompressionStream('deflate'), writer = stream.writable.getWriter(), reader = stream.readable.getReader();
  Promise.all([writer.write(bytes), writer.close()]).catch(() => {}); // what is wrong the reader says, too
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
  }
}

/** JSON in an element; large parts are compressed. */
async function read(id) {
  const holder = document.getElementById(id);
  return JSON.parse(holder.dataset.packed === undefined ? holder.textContent : await unpacked(bytesOf(holder.textContent)));
}

const ids = ['report', 'said', 'sources', 'rules', 'prices'];
Promise.all(ids.map(read)).then((parts) => take(Object.fromEntries(parts.map((part, k) => [ids[k], part])))).then(() => import('./draw.js')).catch((error) => {
  document.body.append('This page could not be drawn: ' + error.message + '. It needs a browser of 2023 or later.');
});
