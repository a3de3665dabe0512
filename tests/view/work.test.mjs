// The page of `leanbridge view --watch` in a real Chromium: agents at work, on a real Lean. Screenshots are kept in build/view.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { cacheFolder, root, scratchProject, spawnBridge, temporaryFolder } from '../support/bridge.mjs';
import { startChromium, withoutChromium } from '../support/chromium.mjs';
import { LOW_CONTRAST } from '../support/goal-page.mjs';
import { lean } from '../support/leans.mjs';
import { withEnvironment } from '../support/processes.mjs';
import { startView } from '../support/view.mjs';

const skip = withoutChromium || lean.missing || false;
const timeout = lean.callMs * 2;
const SWAP = `/-- Conjunction is commutative. -/
theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p := by
  have ⟨hp, hq⟩ := h
  constructor
  · sorry
  · sorry

theorem later (a b : Nat) (h : a = b) : b = a := by
  sorry
`;
const OTHER = `theorem other (a b c : Nat) (h₁ : a = b) (h₂ : b = c) : a = c := by
  rw [h₁, h₂]
`;

describe('agents at work in Chromium', { skip }, () => {
  let browser, view, page, agent, project;
  const env = { XDG_RUNTIME_DIR: temporaryFolder('run'), XDG_STATE_HOME: temporaryFolder('state'), LEANBRIDGE_CACHE_DIR: cacheFolder(), LEANBRIDGE_DUMPABLE: '1' };
  const call = async (tool, given) => {
    const { structured, error } = await agent.call(tool, given, { timeoutMs: lean.callMs });
    assert.ok(structured, JSON.stringify(error));
    return structured;
  };
  const shows = (title, status) => page.until(`document.querySelector('#title').textContent === ${JSON.stringify(title)} && document.querySelector('#status').textContent.includes(${JSON.stringify(status)}) && !document.querySelector('#content').className`);
  const rows = `[...document.querySelectorAll('#work .call')]`;
  const pictures = async name => {
    for (const [size, width, height] of [['wide', 1280, 800], ['narrow', 390, 844]]) {
      await page.size(width, height);
      for (const scheme of ['light', 'dark']) {
        await page.scheme(scheme);
        assert.deepEqual(await page.evaluate(LOW_CONTRAST), [], `${name} ${size} ${scheme}`);
        assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${name} is as wide as the screen: ${size}`);
        await page.screenshot(path.join(root, 'build/view', `${name}-${size}-${scheme}.png`));
      }
    }
    await page.scheme('light');
    await page.size(1280, 800);
  };
  before(async () => {
    browser = await startChromium();
    project = scratchProject({ 'Swap.lean': SWAP, 'Other.lean': OTHER });
    view = await startView(undefined, { lake: lean.lake, args: ['--watch'], env });
    page = await browser.open(view.url);
  });
  after(async () => {
    await page?.close();
    await browser?.close();
    await view?.stop('SIGKILL');
    await agent?.destroy();
    for (const { pid } of withEnvironment('XDG_RUNTIME_DIR', env.XDG_RUNTIME_DIR)) try { process.kill(pid, 'SIGKILL'); } catch { /* gone meanwhile */ }
  });

  test('before anybody works, it says what to do', { timeout }, async () => {
    await page.until(`document.querySelector('#content').innerText.includes('claude mcp add lean -- leanbridge --shared --watchable')`);
    assert.equal(await page.text('#status'), 'No shared server runs.');
    assert.deepEqual(await page.evaluate(`['#source', '#work', '#next', '#again'].filter(each => document.querySelector(each).checkVisibility())`), [], 'nothing that is empty is shown');
    await pictures('work-nobody');
    agent = spawnBridge({ project, lake: lean.lake, args: ['--shared', '--watchable'], env });
    await agent.connect();
    await page.until(`document.querySelector('#status').innerText.includes('1 agent; no call yet')`);
    assert.match(await page.text('#content'), /first call about a file/);
  });
  test('file and goals follow the calls, edits are differences, sorries are counted', { timeout }, async () => {
    await call('lean_goal', { file_path: 'Swap.lean', line: 4 });
    await shows('Swap.lean:4', '2 goals');
    await page.until(`document.querySelector('#work').innerText.includes('Sorries: 3')`);
    assert.equal((await call('lean_write_proof', { file_path: 'Swap.lean', start_line: 5, end_line: 6, new_text: '  · exact hq\n  · exact hp\n', allow_sorry: true })).written, true);
    await page.until(`document.querySelector('#work').innerText.includes('Sorries: 3 → 1')`);
    await page.until(`document.querySelector('#source').innerText.includes('exact hq')`);
    const refused = await call('lean_write_proof', { file_path: 'Swap.lean', start_line: 9, end_line: 9, new_text: '  exact h\n' });
    assert.equal(refused.written, false);
    assert.equal((await call('lean_write_proof', { file_path: 'Swap.lean', start_line: 9, end_line: 9, new_text: '  exact h.symm\n' })).written, true);
    await page.until(`document.querySelector('#work').innerText.includes('Sorries: 3 → 1 → 0')`);
    await call('lean_goal', { file_path: 'Other.lean', line: 2, column: 3 });
    await shows('Other.lean:2:3', '1 goal');
    assert.deepEqual(await page.evaluate(`${rows}.map(each => [each.querySelector('.tool').textContent, each.querySelector('.where').textContent, each.querySelector('.took').textContent.replace(/^[\\d.]+ m?s$/, 'time')])`), [
      ['lean_goal', 'Other.lean:2', 'time'], ['lean_write_proof', 'Swap.lean:9', 'written'], ['lean_write_proof', 'Swap.lean:9', 'refused'], ['lean_write_proof', 'Swap.lean:5', 'written'], ['lean_goal', 'Swap.lean:4', 'time']]);
  });
  test('a selected call shows its place and its difference, and the page stays there', { timeout }, async () => {
    await page.evaluate(`${rows}[3].click()`);
    await page.until(`document.querySelector('#title').textContent === 'Swap.lean:5'`);
    assert.deepEqual(await page.evaluate(`[...document.querySelectorAll('#work .diff span')].map(each => each.textContent.trim())`), ['−   · sorry', '−   · sorry', '+   · exact hq', '+   · exact hp']);
    assert.equal(await page.evaluate(`document.querySelector('#follow').getAttribute('aria-pressed')`), 'false');
    await page.until(`document.querySelectorAll('.goal').length > 0 && document.querySelector('#proof').textContent === 'swap is proved.'`);
    await call('lean_goal', { file_path: 'Other.lean', line: 1 });
    await page.until(`${rows}.length === 6`);
    assert.equal(await page.text('#title'), 'Swap.lean:5');
    await page.until(`document.querySelector('.verdict')?.textContent === 'Whole file: all proved'`);
    await pictures('work-edit');
    await page.size(390, 844);
    await page.touch(true);
    assert.equal(await page.evaluate(`document.querySelector('#help').offsetTop === document.querySelector('#previous').offsetTop`), true, 'the buttons are on one line');
    assert.deepEqual(await page.evaluate(`[...document.querySelectorAll('.call .tool')].filter(each => each.scrollWidth > each.clientWidth).map(each => each.textContent)`), []);
    await page.touch(false);
    await page.size(1280, 800);
    await page.evaluate(`document.querySelector('#follow').click()`);
    await call('lean_goal', { file_path: 'Swap.lean', line: 3 });
    await shows('Swap.lean:3', '1 goal');
    await pictures('work-follow');
    await page.evaluate(`${rows}.find(each => each.textContent.includes('refused')).click()`);
    await page.until(`document.querySelector('#title').textContent === 'Swap.lean:9' && !document.querySelector('#content').className`);
    await pictures('work-refused');
    assert.deepEqual(page.complaints, []);
  });
  test('open work: claims and the record come by themselves, names are text, and a place leads to its file', { timeout }, async () => {
    const why = '<img src=x onerror=alert(1)>';
    fs.writeFileSync(path.join(project, 'Open.lean'), 'theorem first_open : True := by\n  sorry\n\ntheorem second_open : True := by\n  have := first_open\n  sorry\n');
    const own = await startView(undefined, { lake: lean.lake, args: ['--watch', '--project-root', project], env }), tab = await browser.open(own.url);
    const work = `document.querySelector('#open-work')`, says = text => tab.until(`${work}.innerText.includes(${JSON.stringify(text)})`);
    try {
      await says('second_open');
      assert.deepEqual(await tab.evaluate(`[...${work}.querySelectorAll('ol:first-of-type .name')].map(each => each.textContent)`), ['first_open', 'second_open']);
      assert.equal((await call('lean_claim', { file_path: 'Open.lean', declaration: 'first_open', why })).claimed, true);
      await says(`: ${why}`);
      const [heading] = (await tab.accessible()).filter(({ role, name }) => role === 'heading' && /^Open work \(2\)$/i.test(name));
      assert.ok(heading, 'a heading says how many there are');
      assert.equal((await call('lean_write_proof', { file_path: 'Open.lean', start_line: 2, end_line: 2, new_text: '  trivial\n', allow_sorry: true })).written, true);
      await says('sorries 2 -> 1');
      await call('lean_release', {});
      await says('released');
      assert.deepEqual(await tab.evaluate(`[...${work}.querySelectorAll('ol:first-of-type .name')].map(each => each.textContent)`), ['second_open']);
      assert.equal(await tab.evaluate(`document.querySelectorAll('img').length`), 0);
      for (const [size, width, height] of [['wide', 1280, 800], ['narrow', 320, 720]]) {
        await tab.size(width, height);
        await tab.evaluate(`${work}.scrollIntoView()`);
        for (const scheme of ['light', 'dark']) {
          await tab.scheme(scheme);
          assert.deepEqual(await tab.evaluate(LOW_CONTRAST), [], `${size} ${scheme}`);
          assert.ok(await tab.evaluate(`document.documentElement.scrollWidth <= innerWidth && ${work}.scrollWidth <= ${work}.clientWidth`), `as wide as the screen: ${size}`);
          await tab.screenshot(path.join(root, 'build/view', `open-work-${size}-${scheme}.png`));
        }
      }
      await tab.evaluate(`${work}.querySelector('.place').click()`);
      await tab.until(`document.querySelector('#title').textContent === 'Open.lean:4'`);
      await says('second_open');
      assert.deepEqual(tab.complaints, []);
    } finally {
      await tab.close();
      await own.stop('SIGKILL');
    }
  });
});
