// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the picture in the documentation anew: in the folder that test/web/run made,
//   BUSFARE=... PROGRAMS=.../test/programs CHROMIUM=/usr/bin/chromium node screenshot.mjs first-screen.png

import { join } from 'node:path';
import { launch, open, pageOf, programs } from './browser.mjs';

const browser = await launch();
const file = pageOf(join(programs, 'srad.c'), '--function', 'srad', '--iterations', '100', '--machine', 'a100-pcie4', '--machine', 'v100-pcie3');
const { page } = await open(browser, file, { viewport: { width: 1180, height: 1180 }, colorScheme: 'light' });
await page.screenshot({ path: process.argv[2] });
await browser.close();
