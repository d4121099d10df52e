// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The beginning: what is in the page is read, then drawn.

import { load } from './data.js';

load().then(() => import('./draw.js')).catch((error) => {
  document.body.append('This page could not be drawn: ' + error.message + '. It needs a browser of 2023 or later.');
});
