// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page of --format html in a browser: nothing goes wrong and nothing is asked for; its controls say what the command
// line says; it can be used by keyboard, in the dark, on a narrow screen, and on paper; foreign names stay names.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { busfare, folder, launch, open, pageOf, programs, violations } from './browser.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const sized = [join(programs, 'jacobi2d.c'), '--function', 'sweep', '--machine', 'a100-pcie4', '--machine', 'v100-pcie3'];

test('every program has a page that draws itself at once and asks for nothing', async () => {
  const sources = readdirSync(programs).filter((name) => /\.(c|cpp)$/.test(name));
  assert.ok(sources.length > 10);
  for (const name of sources) {
    const { page, wrong, ready, close } = await open(browser, pageOf(join(programs, name)));
    assert.deepEqual(wrong, [], name);
    assert.ok(ready < 2000, `${name}: ${ready} ms`);
    assert.ok((await page.locator('.region .part').count()) >= 3, name + ' shows its region');
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, name + ' is as wide as the window');
    await close();
  }
});

/** Numbers that are drawn again and again the same. */
function random(seed) {
  return (below) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
}

const digits = (value) => Number(value).toPrecision(6);

/** Each setting costs a run of the program: SETTINGS=100 by hand. */
const settings = Number(process.env.SETTINGS || 14);

test('controls say what the command line says, to six digits', async () => {
  const { page, wrong, close } = await open(browser, pageOf(...sized));
  const next = random(50);
  const panel = page.locator('.controls').first();
  let compared = 0;
  for (let turn = 0; turn < settings; ++turn) {
    for (const name of ['size', 'steps']) {
      const slider = panel.locator(`[data-control=${name}]`);
      if (await slider.count()) await slider.fill(String(next(1 + Number(await slider.getAttribute('max')))));
    }
    for (const name of ['runs', 'machine']) {
      const select = panel.locator(`[data-control=${name}]`);
      await select.selectOption({ index: next(await select.locator('option').count()) });
    }
    if (!(await panel.locator('.command').count())) continue;
    const words = (await panel.locator('.command').innerText()).split(' ').slice(2);
    const machines = words.flatMap((word, k) => (word === '--machine' ? [words[k + 1]] : []));
    const report = JSON.parse(busfare('analyze', ...words, '--format', 'json'));
    const answer = report.regions[0].on[await panel.locator('[data-control=machine]').evaluate((select) => select.selectedOptions[0].textContent)];
    assert.ok(machines.length >= 2);
    const shown = (key) => panel.locator(`[data-${key}]`).first().getAttribute('data-' + key);
    assert.equal(digits(await shown('speedup')), digits(answer.speedup.value), words.join(' '));
    assert.equal(digits(await shown('gain')), digits(answer.gain_s.value), words.join(' '));
    for (const [key, value] of [['cpu', answer.time_s.cpu], ['kernel', answer.time_s.kernel], ['h2d', answer.time_s.h2d], ['d2h', answer.time_s.d2h], ['total', answer.time_s.total], ['startup', answer.time_s.startup]])
      assert.equal(digits(await shown(key)), digits(value), key + ': ' + words.join(' '));
    assert.equal(await shown('verdict'), answer.verdict, words.join(' '));
    ++compared;
  }
  // Two things may be changed at a time in some tables: what is not priced is not compared.
  assert.ok(compared >= 0.7 * settings, `${compared} settings compared`);
  console.log(`# ${compared} of ${settings} settings compared`);
  assert.deepEqual(wrong, []);
  await close();
});

test('axe-core finds nothing, in light and dark, wide and narrow', async () => {
  const file = pageOf(...sized);
  for (const options of [{ colorScheme: 'light' }, { colorScheme: 'dark' }, { colorScheme: 'light', viewport: { width: 400, height: 800 } }]) {
    const { page, wrong, close } = await open(browser, file, options);
    await page.locator('#source').scrollIntoViewIfNeeded();
    await page.locator('.marks').first().click();
    assert.deepEqual(await violations(page), []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    assert.deepEqual(wrong, []);
    await close();
  }
});

test('the keyboard reaches everything', async () => {
  const { page, close } = await open(browser, pageOf(...sized));
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
  const heading = page.locator('button.open').first();
  await heading.focus();
  await page.keyboard.press('Enter');
  assert.equal(await heading.getAttribute('aria-expanded'), 'false');
  await page.keyboard.press('Enter');
  assert.equal(await heading.getAttribute('aria-expanded'), 'true');
  const slider = page.locator('[data-control=size]').first();
  await slider.focus();
  const before = await page.locator('[data-total]').first().getAttribute('data-total');
  await page.keyboard.press('End');
  assert.notEqual(await page.locator('[data-total]').first().getAttribute('data-total'), before);
  assert.notEqual(await slider.getAttribute('aria-valuetext'), 'as reported');
  await page.locator('.body a[href="#source"]').first().focus();
  await page.keyboard.press('Enter');
  assert.ok(await page.locator('.code-line.aimed').isVisible());
  assert.ok(await page.evaluate(() => document.activeElement.closest('.listing') !== null));
  await page.keyboard.press('Enter');
  await page.locator('.notes a[href^="#region-"]:visible').first().click();
  assert.equal(await page.evaluate(() => document.activeElement.className), 'open');
  await close();
});

test('it follows the system into the dark, and its switch', async () => {
  const { page, close } = await open(browser, pageOf(...sized), { colorScheme: 'dark' });
  const light = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number).reduce((a, b) => a + b) > 380);
  assert.equal(await light(), false);
  await page.locator('#theme').click();
  assert.equal(await light(), true);
  assert.equal(await page.locator('#theme').getAttribute('aria-pressed'), 'false');
  await close();
});

test('on paper all regions are open, in black on white', async () => {
  const { page, close } = await open(browser, pageOf(join(programs, 'srad.c')), { colorScheme: 'dark' });
  const paper = await page.pdf({ format: 'A4' });
  assert.ok(paper.length > 20000 && paper.subarray(0, 5).toString() === '%PDF-');
  await page.emulateMedia({ media: 'print' });
  assert.match(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), /rgb\(2\d\d, 2\d\d, 2\d\d\)/);
  assert.equal(await page.locator('nav').isVisible(), false);
  await close();
});

test('a library has a headline of its own', async () => {
  const { page, wrong, close } = await open(browser, pageOf('state.c', 'vectoradd.c', 'gemm.c'));
  const headline = await page.locator('.headline').innerText();
  assert.match(headline, /region|PORT|KEEP|MEASURE/);
  assert.notEqual(headline, 'What to do');
  assert.deepEqual(wrong, []);
  await close();
});

test('a trace of the timeline can be had', async () => {
  const { page, close } = await open(browser, pageOf(join(programs, 'srad.c')));
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /Chrome trace/ }).first().click()]);
  const trace = JSON.parse(readFileSync(await file.path(), 'utf8'));
  const report = JSON.parse(busfare('analyze', join(programs, 'srad.c'), '--format', 'json'));
  const kernels = trace.traceEvents.filter((event) => event.cat === 'kernel' && event.pid === 0).reduce((sum, event) => sum + event.dur, 0);
  assert.equal(digits(kernels / 1e6), digits(report.regions[0].time_s.kernel));
  await close();
});

test('foreign names are names', async () => {
  const name = join(folder, '<img src=x onerror=hacked=1>"\'\u202e&.c');
  writeFileSync(name, Buffer.concat([Buffer.from(`// </script><script>hacked = 1</script><!-- <script> \u202e "quoted" \u0007
void f(int n, double *a, const double *b) {
  for (int i = 0; i < n; i++) // <b>bold</b> &amp; `), Buffer.from([0xff, 0xfe]), Buffer.from(`
    a[i] = b[i];
}
`)]));
  const { page, wrong, close } = await open(browser, pageOf(name));
  assert.equal(await page.evaluate(() => typeof hacked), 'undefined');
  await page.locator('#source').scrollIntoViewIfNeeded();
  await page.locator('.code-line').first().waitFor();
  const shown = await page.locator('.code-line').first().innerText();
  assert.match(shown, /<\/script><script>hacked = 1<\/script><!-- <script>/);
  assert.match(shown, /U\+202E/);
  assert.match(shown, /U\+0007/);
  assert.equal(await page.locator('img').count(), 0);
  assert.deepEqual(wrong, []);
  await close();
});

/** The page with its first region so many times, its parts packed as those of such a size are (Html.cpp). */
function multiplied(file, times) {
  const html = readFileSync(file, 'utf8');
  const change = (text, id, edit) => text.replace(new RegExp(`<script type="application/json" id="${id}">(.*?)</script>`), (_, json) =>
    `<script type="application/octet-stream" data-packed id="${id}">` + deflateSync(JSON.stringify(edit(JSON.parse(json)))).toString('base64') + '</script>');
  let big = change(html, 'report', (report) => ({ ...report, regions: Array.from({ length: times }, (_, k) => ({ ...report.regions[0], id: 'many.c:' + (k + 1) + ':main', gain_s: { ...report.regions[0].gain_s, value: times - k } })) }));
  big = change(big, 'said', (said) => ({ ...said, order: Array.from({ length: times }, (_, k) => ({ region: k, name: 'many.c:' + (k + 1) + ', in main' })), regions: Array.from({ length: times }, () => said.regions[0]) }));
  const path = join(folder, 'many.html');
  writeFileSync(path, big);
  return path;
}

test('5,000 kernels are usable within a second', async () => {
  const { page, wrong, ready, close } = await open(browser, multiplied(pageOf(join(programs, 'reduce.c')), 1250));
  assert.ok(ready < 1000, `${ready} ms`);
  await page.locator('.ranked > li').nth(30).locator('a').click();
  await page.locator('#region-30 .part').first().waitFor();
  await page.evaluate(() => { location.hash = '#region-900'; });
  await page.locator('#region-900 .part').first().waitFor();
  assert.deepEqual(wrong, []);
  await close();
});

test('a page of hundreds of regions stays small, and reads what it has packed', async () => {
  const count = 240, source = join(folder, 'hundreds.c');
  writeFileSync(source, Array.from({ length: count }, (_, k) => `void f${k}(int n, int steps, double *restrict a, const double *restrict b) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++) a[i] += b[i - 1] * b[i + 1];
}
`).join(''));
  const file = pageOf(source);
  assert.match(readFileSync(file, 'utf8'), /data-packed/);
  assert.ok(statSync(file).size < 2e6 + 3000 * count, statSync(file).size + ' bytes');
  const { page, wrong, ready, close } = await open(browser, file);
  assert.ok(ready < 2000, `${ready} ms`);
  assert.equal(await page.locator('.ranked > li').count(), 50);
  await page.locator('.ranked > li a').nth(3).click();
  assert.ok((await page.locator('.controls').count()) >= 1);
  assert.deepEqual(wrong, []);
  await close();
});
