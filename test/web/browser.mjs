// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages made by busfare, opened in a browser that counts what goes wrong: errors, messages, requests.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

export const folder = mkdtempSync(join(tmpdir(), 'busfare-web-'));
export const programs = process.env.PROGRAMS;

export function busfare(...words) {
  return execFileSync(process.env.BUSFARE, [...words, '--no-cache', '--no-progress'], { cwd: programs, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 });
}

let made = 0;
/** The path of a page. */
export function pageOf(...words) {
  const file = join(folder, 'page-' + ++made + '.html');
  busfare('analyze', ...words, '--format', 'html', '-o', file);
  return file;
}

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });

/** Opens a page; `wrong` collects what should not happen, `ready` is ms until it is drawn. */
export async function open(browser, file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  const page = await context.newPage(), wrong = [];
  const address = pathToFileURL(file).href;
  page.on('console', (message) => wrong.push('console: ' + message.text()));
  page.on('pageerror', (error) => wrong.push('error: ' + error.message));
  page.on('request', (request) => { if (request.url().split('#')[0] !== address) wrong.push('request: ' + request.url()); });
  await page.goto(address);
  await page.waitForSelector('html[data-ready]', { timeout: 10000 });
  const ready = await page.evaluate(() => performance.getEntriesByName('drawn')[0].startTime);
  return { page, wrong, ready, close: () => context.close() };
}

/** axe-core's violations, in a line each. */
export async function violations(page) {
  // As the console would run it: the page's policy is for what the page itself brings.
  await page.evaluate(readFileSync(new URL('./node_modules/axe-core/axe.min.js', import.meta.url), 'utf8') + ';0');
  const found = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
  return found.violations.map((one) => one.id + ': ' + one.help + ' at ' + one.nodes.slice(0, 3).map((node) => node.target.join(' ') + ' ' + (node.any[0]?.message || '')).join('; '));
}
