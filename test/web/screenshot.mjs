// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the pictures in the documentation anew: in the folder that test/web/run made,
//   BUSFARE=... PROGRAMS=.../test/programs CHROMIUM=/usr/bin/chromium node screenshot.mjs .../projection/report

import { join } from 'node:path';
import { launch, open, pageOf } from './browser.mjs';

const browser = await launch(), folder = process.argv[2];
const file = pageOf('srad.c', '--function', 'srad', '--iterations', '100', '--machine', 'a100-pcie4', '--machine', 'v100-pcie3');

async function picture(name, options, of) {
  const { page } = await open(browser, file, options);
  const shown = { path: join(folder, name) };
  if (of) {
    const { x, y, width, height } = await of(page).evaluate((part) => { const box = part.getBoundingClientRect(); return { x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height }; });
    Object.assign(shown, { fullPage: true, clip: { x: x - 24, y: y - 20, width: width + 48, height: height + 40 } });
  }
  await page.screenshot(shown);
}
await picture('first-screen.png', { viewport: { width: 1180, height: 1180 }, colorScheme: 'light' });
const part = (title) => (page) => page.locator('.part', { has: page.getByRole('heading', { name: title, exact: true }) }).first();
await picture('settings.png', { viewport: { width: 1180, height: 1000 }, colorScheme: 'light' }, part('At other settings'));
await picture('crossings.png', { viewport: { width: 1000, height: 1000 }, colorScheme: 'dark' }, part('What crosses the bus'));
await browser.close();
