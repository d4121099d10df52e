// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The beginning: what is in the page is read, then drawn.

import { take } from './data.js';

/** JSON in an element; large parts are compressed. */
async function read(id) {
  const holder = document.getElementById(id);
  if (holder.dataset.packed === undefined) return JSON.parse(holder.textContent);
  const bytes = Uint8Array.from(atob(holder.textContent), (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).json();
}

const ids = ['report', 'said', 'sources', 'rules', 'prices'];
Promise.all(ids.map(read)).then((parts) => take(Object.fromEntries(parts.map((part, k) => [ids[k], part])))).then(() => import('./draw.js')).catch((error) => {
  document.body.append('This page could not be drawn: ' + error.message + '. It needs a browser of 2023 or later.');
});
