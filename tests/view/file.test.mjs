// The page of `leanbridge view` on a whole file, in a real Chromium: where it stands, its keys, what it says of proofs.
import assert from 'node:assert/strict';
import fs from 'node:fs';
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
    await page.until(`document.querySelector('#proof').textContent === 'fact_3 is proved.'`);
    assert.equal(await page.evaluate(`document.querySelector('#proof').className`), 'good');
    await page.until(`document.querySelector('.verdict').textContent === 'Whole file: all proved'`);
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

  const MIXED = `/-- Equality the \`other\` way round. -/
theorem turned (a b : Nat) (h : a = b) : b = a := by
  exact h.symm

theorem one (a b : Nat) (h : a = b) : b = a := by
  sorry

theorem two (p q : Prop) (hp : p) : p ∧ q := by
  constructor
  · exact hp
  · sorry

theorem three (a b c : Nat) (h : a = b) (hc : b = c) : a + 0 = c := by
  simp? [h, hc] -- "a remark"

theorem four (a b c : Nat) (h : a + b = c) : c = b + a := by
  rw [Nat.add_comm] at h
  exact turned _ _ h

def word (n : Nat) : String := "n = " ++ toString (n + "")
`;
  const at = part => lineOf(part, MIXED);
  const go = async part => {
    await page.evaluate(`location.hash = '#${at(part)}'`);
    await page.until(`document.querySelector('#title').textContent === 'Swap.lean:${at(part)}' && document.querySelector('#content').getAttribute('aria-busy') === 'false'`);
  };
  /** Where the word of the line is on the screen. */
  const placeOf = (part, word) => page.evaluate(`(() => { const range = document.createRange(), walker = document.createTreeWalker(document.querySelector('#L${at(part)} code'), 4); let node; while ((node = walker.nextNode())) { const at = node.data.indexOf('${word}'); if (at >= 0) { range.setStart(node, at); range.setEnd(node, at + ${word.length}); break; } } const { x, y, width, height } = range.getBoundingClientRect(); return { x: x + width / 2, y: y + height / 2 }; })()`);
  const items = title => `[...document.querySelectorAll('#lists section')].filter(each => each.querySelector('h2').textContent.startsWith('${title}')).flatMap(each => [...each.querySelectorAll('.jump')])`;

  test('all sorries and all messages are listed, and lead to their lines', { timeout }, async () => {
    await open(MIXED, 'theorem turned');
    await page.until(`${items('Sorries')}.length === 2`);
    assert.deepEqual(await page.evaluate(`${items('Sorries')}.map(each => each.querySelector('.number').textContent)`), [at('  sorry'), at('· sorry')].map(String));
    assert.match(await page.evaluate(`${items('Sorries')}[1].textContent`), /two.*⊢ q/);
    await page.until(`document.querySelector('.t-sorry') !== null`);
    assert.equal(await page.evaluate(`getComputedStyle(document.querySelector('.t-sorry')).color`), await page.evaluate(`getComputedStyle(document.querySelector('.sign.warn')).color`), 'a sorry is no error');
    assert.equal(await page.evaluate(`document.querySelector('.verdict').textContent`), 'Whole file: 1 error, 2 sorries');
    const lines = (await page.evaluate(`${items('All messages')}.map(each => each.querySelector('.number').textContent)`)).map(Number);
    for (const part of ['theorem one', 'theorem two', 'simp?', 'def word']) assert.ok(lines.includes(at(part)), `${part}: ${lines}`);
    await page.evaluate(`${items('Sorries')}[1].click()`);
    await page.until(`document.querySelector('#title').textContent === 'Swap.lean:${at('· sorry')}'`);
    await page.until(IS_SEEN);
    await page.press('k');
    await page.press('k');
    await page.until(`document.querySelector('#proof').textContent === 'two has a sorry.'`);
    await page.press('s');
    await page.press('s');
    await page.until(`document.querySelector('#title').textContent === 'Swap.lean:${at('  sorry')}'`);
    await colours(async scheme => {
      assert.deepEqual(await page.evaluate(LOW_CONTRAST), [], scheme);
      await page.screenshot(picture(`lists-${scheme}`));
    });
    await page.size(390, 844);
    await page.until(IS_SEEN);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
    assert.equal(await page.evaluate(`document.querySelector('#help').offsetTop === document.querySelector('#previous').offsetTop`), true, 'the buttons are on one line');
    await page.screenshot(picture('lists-narrow'));
    await page.size(1280, 800);
  });
  test('by finger: buttons large enough, a word tapped on the selected line, dialogs that close', { timeout }, async () => {
    await page.size(390, 844);
    await page.touch(true);
    const small = `[...document.querySelectorAll('button')].filter(each => each.checkVisibility() && (each.offsetHeight < 36 || each.offsetWidth < 30)).map(each => each.id || each.className)`;
    assert.deepEqual(await page.evaluate(small), []);
    assert.equal(await page.evaluate(`document.querySelector('#help').offsetTop === document.querySelector('#previous').offsetTop`), true, 'the buttons are on one line');
    assert.equal(await page.evaluate(`(() => { const title = document.querySelector('#title'), old = title.textContent; title.textContent = 'A/Folder/With/A/Long/Name/QuiteLongTitleOfAModule.lean:446'; const beside = title.getBoundingClientRect().right <= document.querySelector('#statement').getBoundingClientRect().left; title.textContent = old; return beside; })()`), true, 'a long title is beside its buttons');
    await page.tap('#help');
    await page.until(`document.querySelector('#keys').open`);
    await page.screenshot(picture('keys-narrow'));
    assert.deepEqual(await page.evaluate(small), []);
    await page.tap('#keys .close');
    await page.until(`!document.querySelector('#keys').open`);
    await page.tap('#help');
    await page.until(`document.querySelector('#keys').open`);
    await page.tap({ x: 200, y: 4 });
    await page.until(`!document.querySelector('#keys').open`);
    await go('exact turned');
    await page.until(IS_SEEN);
    await page.tap(await placeOf('exact turned', 'turned'));
    await page.until(`!document.querySelector('#hover').hidden && document.querySelector('#hover').innerText.includes('Equality')`);
    await page.screenshot(picture('hover-narrow'));
    await page.tap(await placeOf('rw [Nat', 'rw'));
    await page.until(`document.querySelector('#hover').hidden && document.querySelector('#title').textContent === 'Swap.lean:${at('rw [Nat')}'`);
    await page.touch(false);
    await page.size(1280, 800);
  });
  test('a line that wraps goes on behind its beginning', { timeout }, async () => {
    await page.size(390, 844);
    const begins = part => page.evaluate(`(() => { const range = document.createRange(); range.selectNodeContents(document.querySelector('#L${at(part)} code')); const all = [...range.getClientRects()], top = all[0].top; return [Math.round(all[0].left), Math.round(Math.min(...all.filter(each => each.top > top + 4).map(each => each.left)))]; })()`);
    const [first, next] = await begins('theorem turned');
    assert.ok(next > first + 10 && next < first + 40, `${first}, ${next}`);
    await page.size(1280, 800);
  });
  test("colours are those of Lean's words, and of comments and strings", { timeout }, async () => {
    await page.until(`document.querySelector('.t-keyword') !== null`);
    const painted = part => page.evaluate(`[...document.querySelectorAll('#L${at(part)} code span')].map(each => each.className + ' ' + each.textContent)`);
    assert.deepEqual(await painted('/-- Equality'), ['t-comment /-- Equality the `other` way round. -/']);
    assert.ok((await painted('theorem turned')).join().startsWith('t-keyword theorem,t-variable a,t-variable b,t-variable h'));
    assert.deepEqual(await painted('  sorry'), ['t-sorry sorry']);
    assert.ok((await painted('simp?')).includes('t-comment -- "a remark"'));
    assert.ok((await painted('def word')).includes('t-string "n = "'));
    assert.equal(await page.evaluate(`[...document.querySelectorAll('.line code')].map(each => each.textContent).join('\\n')`), MIXED);
  });
  test('what has changed in a goal is marked, and nothing else', { timeout }, async () => {
    await go('rw [Nat');
    await page.until(`document.querySelectorAll('#content section:first-of-type mark').length > 0`);
    const row = `document.querySelector('#content section:first-of-type .row.differs')`;
    assert.equal(await page.evaluate(`${row}.querySelector('code').textContent`), 'h : b + a = c');
    assert.equal(await page.evaluate(`[...${row}.querySelectorAll('mark')].map(each => each.textContent || each.title).join('|').includes('c')`), false);
    assert.equal(await page.evaluate(`document.querySelector('#content').innerText.includes('changed')`), false);
    await colours(async scheme => {
      assert.deepEqual(await page.evaluate(LOW_CONTRAST), [], scheme);
      await page.screenshot(picture(`changed-${scheme}`));
    });
  });
  test('a name shows its type and documentation, and leads to its declaration', { timeout }, async () => {
    await go('exact turned');
    for (let step = 0; step < 7; step++) await page.press('ArrowRight');
    await page.until(`document.querySelector('#title').textContent.endsWith(':9')`);
    await page.press('i');
    await page.until(`!document.querySelector('#hover').hidden`);
    assert.equal(await page.evaluate(`document.querySelector('#hover .doc code').textContent`), 'other');
    assert.match(await page.text('#hover'), /turned .*b = a[\s\S]*Equality the other way round\.[\s\S]*Go to declaration/);
    await colours(async scheme => {
      assert.deepEqual(await page.evaluate(LOW_CONTRAST), [], scheme);
      await page.screenshot(picture(`hover-${scheme}`));
    });
    await page.press('Escape');
    await page.until(`document.querySelector('#hover').hidden`);
    await page.press('d');
    await page.until(`document.querySelector('#title').textContent === 'Swap.lean:${at('theorem turned')}'`);
    // By mouse: the word under the pointer.
    await go('exact turned');
    const { x, y } = await placeOf('exact turned', 'turned');
    await page.ask('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
    await page.until(`!document.querySelector('#hover').hidden && document.querySelector('#hover').innerText.includes('Equality')`);
    await page.ask('Input.dispatchMouseEvent', { type: 'mousePressed', x, y, button: 'left', clickCount: 1, modifiers: 2 });
    await page.ask('Input.dispatchMouseEvent', { type: 'mouseReleased', x, y, button: 'left', clickCount: 1, modifiers: 2 });
    await page.until(`document.querySelector('#title').textContent === 'Swap.lean:${at('theorem turned')}' && document.querySelector('#hover').hidden`);
  });
  test('the declaration of another file is shown, or why it is not', { timeout }, async () => {
    await page.evaluate(`location.hash = '#${at('rw [Nat')}:7'`);
    await page.until(`document.querySelector('#title').textContent.endsWith(':7')`);
    await page.press('d');
    await page.until(`document.querySelector('#peek').open`);
    const [said, whole] = [await page.text('#peek-title'), await page.text('#peek-text')];
    if (!lean.hasLibrarySources) assert.match(`${said} ${whole}`, /No declaration.*Nat\.add_comm/s);
    else assert.match(`${said} ${whole}`, /\.lean:\d+.*theorem.*add_comm/s);
    await colours(async scheme => {
      assert.deepEqual(await page.evaluate(LOW_CONTRAST), [], scheme);
      await page.screenshot(picture(`peek-${scheme}`));
    });
    await page.press('Escape');
    await page.until(`!document.querySelector('#peek').open`);
    assert.equal(await page.text('#title'), `Swap.lean:${at('rw [Nat')}:7`);
  });
  test('the expected type is shown', { timeout }, async () => {
    await page.evaluate(`location.hash = '#${at('exact turned')}:20'`);
    await page.until(`[...document.querySelectorAll('#content h2')].some(each => each.textContent === 'Expected type')`);
    assert.match(await page.text('#content'), /expected type[\s\S]*⊢ b \+ a = c/i);
  });
  test('Try this can be copied, and applied as long as the text is the same', { timeout }, async () => {
    await go('simp?');
    await page.until(`document.querySelector('.suggestion') !== null`);
    const said = await page.evaluate(`document.querySelector('.suggestion pre').textContent`);
    assert.match(said, /^simp only \[/);
    await page.ask('Browser.grantPermissions', { permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite'] });
    await page.ask('Page.bringToFront');
    await page.click('.suggestion button[aria-label^="Copy"]');
    await page.until(`document.querySelector('.suggestion button[aria-label^="Copy"]').textContent === 'Copied'`);
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), said);
    await page.screenshot(picture('suggestion'));
    await page.click('.suggestion button[aria-label^="Apply"]');
    await page.until(`document.querySelector('#L${at('simp?')} code').textContent.includes('simp only')`);
    assert.equal(fs.readFileSync(file, 'utf8'), MIXED.replace('simp? [h, hc]', said));
    assert.deepEqual(page.complaints, []);
  });
  test('while Lean works, what it has done already has its colours', { timeout }, async () => {
    await open(`${MIXED}\ntheorem slow : True := by\n  sleep ${3 * lean.sleepMs}\n  trivial\n`, 'theorem turned');
    await page.until(`document.querySelectorAll('.line.working').length > 0 && document.querySelectorAll('#L${at('theorem turned')} .t-keyword, .t-sorry').length > 2`);
    assert.equal(await page.evaluate('document.documentElement.scrollHeight <= innerHeight'), true, 'the page itself does not scroll');
  });
  test('edits since the page was opened: as a diff, with the sorries that are left', { timeout }, async () => {
    await open(MIXED, 'theorem turned');
    await page.until(`${items('Sorries')}.length === 2`);
    const save = text => { fs.writeFileSync(`${file}.new`, text); fs.renameSync(`${file}.new`, file); };
    const once = MIXED.replace('  sorry', '  exact h.symm');
    save(once);
    await page.until(`document.querySelector('.edits')?.textContent.includes('Sorries after each: 1')`);
    assert.equal(await page.evaluate(`document.querySelector('.edits details[open] .diff').textContent`), '−   sorry\n+   exact h.symm\n');
    save(once.replace('· sorry', '· exact (sorry : q)\n'));
    await page.until(`document.querySelector('.edits')?.textContent.includes('Sorries after each: 1 → 1')`);
    save(MIXED);
    await page.until(`document.querySelector('.edits')?.textContent.includes('Sorries after each: 1 → 1 → 2')`);
    assert.equal(await page.evaluate(`document.querySelectorAll('.edits details').length`), 3);
    assert.equal(await page.evaluate(`document.querySelector('.edits details[open] .diff').textContent`), `line ${at('  sorry')}\n−   exact h.symm\n+   sorry\nline ${at('· sorry')}\n−   · exact (sorry : q)\n− \n+   · sorry\n`);
    assert.match(await page.evaluate(`document.querySelector('.edits summary').textContent`), new RegExp(`line ${at('  sorry')}  .*1 error, 2 sorries`));
    await colours(async scheme => {
      assert.deepEqual(await page.evaluate(LOW_CONTRAST), [], scheme);
      await page.screenshot(picture(`edits-${scheme}`));
    });
    assert.deepEqual(page.complaints, []);
  });
  test('what Lean and the file say is text, wherever it is shown', { timeout }, async () => {
    const evil = '<img src=x onerror=alert(1)>';
    await open(`/-- ${evil} -/\ntheorem evil (h : "${evil}" = "") : True ∧ "${evil}" = "" := by\n  constructor\n  · sorry\n  · exact h\n\n#check evil\n`, 'sorry');
    await page.until(`document.querySelectorAll('.jump').length >= 2`);
    await page.evaluate(`location.hash = '#7:8'`);
    await page.until(`document.querySelector('#title').textContent.endsWith(':7:8') && document.querySelector('#content').innerText.includes('onerror')`);
    await page.press('i');
    await page.until(`document.querySelector('#hover').innerText.includes('onerror')`);
    for (const place of ['#source', '#hover', '#content', '#lists']) assert.ok((await page.text(place)).includes(evil), place);
    assert.equal(await page.evaluate(`document.querySelectorAll('img').length`), 0);
    assert.deepEqual(page.complaints, []);
  });
  test('what a theorem states: printed from what it compiles to, with what it rests on', { timeout }, async () => {
    await open('def limit : Nat := 5\n\nnotation "six" => limit\n\ntheorem small (n : Nat) (h : n = six) : n = 5 := by\n  rw [h]; rfl\n', 'rw [h]', { width: 1280, height: 800 });
    await page.until(`document.querySelectorAll('.goal').length > 0`);
    await page.press('t');
    await page.until(`document.querySelector('#peek-text').textContent.includes('Fingerprint')`);
    assert.equal(await page.text('#peek-title'), 'What small states');
    const shown = await page.evaluate(`document.querySelector('#peek-text').textContent`);
    assert.match(shown, /^What is stated, printed from the compiled terms\. Fingerprint: [0-9a-f]{64}\nLean has read each line back as the same term.*\n\nTheorems\n\n {2}theorem small \(n : Nat\) \(h : n = limit\) : n = 5 {4}-- Challenge:5\n\nWhat they rest on in the project\n\n {2}def limit : Nat := 5 {4}-- Challenge:1\n/, shown);
    assert.match(shown, /\nNotions of the library \(Lean .*\)\n\n.*\bNat\b/);
    await colours(async scheme => {
      assert.deepEqual(await page.evaluate(LOW_CONTRAST), [], scheme);
      await page.screenshot(picture(`statement-${scheme}`));
    });
    await page.press('Escape');
    await page.evaluate(`location.hash = '#1'`);
    await page.until(`document.querySelector('#title').textContent === 'Swap.lean:1'`);
    await page.press('t');
    await page.until(`document.querySelector('#peek-title').textContent === 'No statement'`);
    // Where Lean objects to the file, that is what is told.
    await page.press('Escape');
    fs.writeFileSync(file, 'theorem wrong : 1 = 2 := by\n  rfl\n');
    await page.until(`document.querySelector('#source').textContent.includes('wrong')`);
    await page.evaluate(`location.hash = '#2'`);
    await page.until(`document.querySelector('#title').textContent === 'Swap.lean:2' && document.querySelector('.message.error')`);
    await page.press('t');
    await page.until(`document.querySelector('#peek-text').textContent.startsWith('It does not compile. Lean says, in line 2:')`);
  });
  test('another file of the project, by keyboard and by mouse, and back', { timeout }, async () => {
    await close();
    const folder = scratchProject({ 'Swap.lean': MIXED, 'Sub/Deep/Other.lean': FACTS, 'Sub/Third.lean': 'theorem third : True := by\n  trivial\n' });
    for (const [name, ago] of [['Sub/Deep/Other.lean', 7200], ['Sub/Third.lean', 300], ['Swap.lean', 90_000]]) fs.utimesSync(path.join(folder, name), new Date(), new Date(Date.now() - 1000 * ago));
    view = await startView(`${path.join(folder, 'Swap.lean')}:2`, { lake: lean.lake });
    page = await browser.open(view.url);
    const rows = () => page.evaluate(`[...document.querySelectorAll('#files-list li')].map(each => [...each.children].map(part => part.textContent).filter(Boolean).join(' | '))`);
    const list = count => page.until(`document.querySelector('#files').open && document.querySelectorAll('#files-list li').length === ${count}`);
    const selected = () => page.evaluate(`document.querySelector('#files-list [aria-selected=true] code').textContent`);
    await page.until(`document.querySelector('.verdict')?.textContent === 'Whole file: 1 error, 2 sorries'`);
    await page.press('o', 'KeyO');
    await list(3);
    assert.deepEqual(await rows(), ['Swap.lean | 1 error, 2 sorries | shown', 'Sub/Third.lean | 5 min', 'Sub/Deep/Other.lean | 2 h']);
    assert.equal(await selected(), 'Sub/Third.lean');
    await page.press('ArrowDown');
    assert.equal(await selected(), 'Sub/Deep/Other.lean');
    const nodes = await page.accessible();
    for (const [role, name] of [['dialog', /^Files$/i], ['combobox', /^Part of a path or module$/], ['listbox', /^Files$/]]) assert.ok(nodes.some(node => node.role === role && name.test(node.name)), `${role}: ${JSON.stringify(nodes.slice(0, 40))}`);
    assert.equal(nodes.filter(each => each.role === 'option' && each.selected).length > 0, true);
    await colours(async scheme => {
      assert.deepEqual(await page.evaluate(LOW_CONTRAST), [], scheme);
      await page.screenshot(picture(`files-${scheme}`));
    });
    for (const letter of 'deep') await page.press(letter, `Key${letter.toUpperCase()}`);
    await list(1);
    await page.press('Enter');
    await page.until(`document.querySelector('#title').textContent === 'Sub/Deep/Other.lean:1' && document.querySelectorAll('.line').length === ${FACTS.split('\n').length}`);
    assert.equal(await page.evaluate('location.search'), '?file=Sub/Deep/Other.lean');
    await page.evaluate(`location.hash = '#${lineOf('rw [', FACTS)}'`);
    await page.until(`document.querySelector('#title').textContent === 'Sub/Deep/Other.lean:${lineOf('rw [', FACTS)}' && document.querySelectorAll('.goal').length > 0`);
    await page.press('o', 'KeyO');
    await list(3);
    assert.match((await rows())[0], /^Swap\.lean \| 1 error, 2 sorries \| 1 d$/, 'what is known of the file before');
    await page.press('Escape');
    await page.until(`!document.querySelector('#files').open`);
    await page.press('j');
    await page.until(`document.querySelector('#title').textContent === 'Sub/Deep/Other.lean:${lineOf('rw [', FACTS) + 1}'`);
    await page.evaluate('location.reload()');   // for a moment there is no title
    await page.until(`document.querySelector('#title')?.textContent === 'Sub/Deep/Other.lean:${lineOf('rw [', FACTS) + 1}'`);
    // The way back leads to the file before.
    for (let step = 0; step < 4 && (await page.text('#title')) !== 'Swap.lean:2'; step++) {
      await page.evaluate('history.back()');
      await new Promise(resolve => { setTimeout(resolve, 1000); });
    }
    await page.until(`document.querySelector('#title').textContent === 'Swap.lean:2' && document.querySelector('#source').textContent.includes('turned')`);
    await page.size(390, 844);
    await page.click('#open');
    await list(3);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
    assert.equal(await page.evaluate(`[...document.querySelectorAll('#files-list li')].every(each => each.scrollWidth <= each.clientWidth)`), true);
    await page.screenshot(picture('files-narrow'));
    await page.evaluate(`[...document.querySelectorAll('#files-list li')].find(each => each.textContent.includes('Third')).click()`);
    await page.until(`document.querySelector('#title').textContent === 'Sub/Third.lean:1'`);
    await page.size(1280, 800);
    assert.deepEqual(page.complaints, []);
  });
  test('a project that does not start: the file is shown, and why', { timeout }, async () => {
    await close();
    file = path.join(scratchProject({ 'Swap.lean': MIXED }), 'Swap.lean');
    view = await startView(`${file}:2`, { lake: '/bin/false' });
    page = await browser.open(view.url);
    await page.until(`document.querySelector('#status').className === 'status bad'`);
    await page.until(`document.querySelectorAll('.line').length === ${MIXED.split('\n').length}`);
    assert.ok((await page.text('#status')).length < 140);
    assert.match(await page.text('#content'), /lake serve|lake build/);
  });
});
