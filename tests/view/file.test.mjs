// The page of `leanbridge view` on a whole file, in a real Chromium: where it stands, its keys, what it says of proofs.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { root, scratchProject } from '../support/bridge.mjs';
import { startChromium, withoutChromium } from '../support/chromium.mjs';
import { LOW_CONTRAST } from '../support/goal-page.mjs';
import { lean } from '../support/leans.mjs';
import { startView } from '../support/view.mjs';

const skip = withoutChromium || lean.missing || false;
const timeout = lean.callMs * 2;
const picture = name => path.join(root, 'build/view', `${name}.png`);
const lineOf = (part, text) => text.slice(0, text.indexOf(part)).split('\n').length;

const FACTS = Array.from({ length: 40 }, (_, i) => `/-- Fact number ${i}, in a line that is so long that it takes two or three on a narrow screen. -/
theorem fact_${i} (a b c : Nat) (h₁ : a = b) (h₂ : b = c) : a + ${i} = c + ${i} := by
  rw [h₁, h₂]
`).join('\n');

/** Whether the selected line is wholly within the box of the source. */
const IS_SEEN = `(() => {
  const row = document.querySelector('[aria-selected=true]')?.getBoundingClientRect(), box = document.querySelector('#source').getBoundingClientRect();
  return row !== undefined && row.top >= box.top && row.bottom <= box.bottom;
})()`;

describe('a whole file in Chromium', { skip }, () => {
  let browser, view, page, file;
  before(async () => { browser = await startChromium(); });
  after(async () => {
    await close();
    await browser?.close();
  });
  /** Opens a file at the line where `part` begins. */
  const open = async (text, part, size) => {
    await close();
    file = path.join(scratchProject({ 'Swap.lean': text }), 'Swap.lean');
    view = await startView(`${file}:${lineOf(part, text)}`, { lake: lean.lake });
    page = await browser.open(view.url, size);
  };
  const close = async () => {
    await page?.close();
    await view?.stop('SIGKILL');
    page = view = undefined;
  };
  const colours = async check => {
    for (const scheme of ['light', 'dark']) {
      await page.scheme(scheme);
      await check(scheme);
    }
    await page.scheme('light');
  };

  test('the selected line is on the screen, whatever the wrap', { timeout }, async () => {
    for (const [name, width] of [['wide', 1280], ['narrow', 390]]) {
      await open(FACTS, 'theorem fact_39', { width, height: 800 });
      await page.until(`document.querySelectorAll('.goal').length > 0`);
      await page.until(IS_SEEN);
      await page.screenshot(picture(`line-${name}`));
      for (const part of ['theorem fact_7 ', 'theorem fact_30', 'theorem fact_0 ']) {
        await page.evaluate(`location.hash = '#${lineOf(part, FACTS)}'`);
        await page.until(`document.querySelector('#title').textContent === 'Swap.lean:${lineOf(part, FACTS)}'`);
        await page.until(IS_SEEN);
      }
      await page.evaluate(`location.hash = '#${lineOf('theorem fact_25', FACTS)}'`);
      await page.until(IS_SEEN);
      await page.size(width === 390 ? 700 : 500, 600);
      await page.until(`innerHeight === 600 && ${IS_SEEN}`);
    }
    assert.deepEqual(page.complaints, []);
  });
  test('the first line of a finished proof is no alarm', { timeout }, async () => {
    await open(FACTS, 'theorem fact_3 ');
    await page.until(`document.querySelector('#status').textContent === '1 goal'`);
    assert.equal(await page.evaluate(`document.querySelector('#status').className`), 'status plain');
  });
  test('the keys are shown by ?, and work again when they are gone', { timeout }, async () => {
    await page.press('?', 'Slash');
    await page.until(`document.querySelector('#keys').open`);
    const told = await page.evaluate(`[...document.querySelectorAll('#keys kbd')].map(each => each.textContent)`);
    const buttons = await page.evaluate(`[...document.querySelectorAll('button[aria-keyshortcuts]')].map(each => each.getAttribute('aria-keyshortcuts'))`);
    assert.deepEqual(buttons.filter(key => !told.includes(key)), []);
    await colours(async scheme => {
      assert.deepEqual(await page.evaluate(LOW_CONTRAST), [], scheme);
      await page.screenshot(picture(`keys-${scheme}`));
    });
    const title = await page.text('#title');
    await page.press('n');
    assert.equal(await page.text('#title'), title);
    await page.press('Escape');
    await page.until(`!document.querySelector('#keys').open`);
    await page.press('n');
    await page.until(`document.querySelector('#title').textContent !== ${JSON.stringify(title)}`);
    await page.click('#help');
    await page.until(`document.querySelector('#keys').open`);
    await page.press('?', 'Slash');
    await page.until(`!document.querySelector('#keys').open`);
    assert.deepEqual(page.complaints, []);
  });
});
