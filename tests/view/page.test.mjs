// The page of goals in a real Chromium: from `leanbridge view` on a real Lean, and in a host of MCP Apps that this test plays. Screenshots
// are kept in build/view.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { root, scratchProject, spawnBridge } from '../support/bridge.mjs';
import { startChromium, withoutChromium } from '../support/chromium.mjs';
import { HTML, LOW_CONTRAST } from '../support/goal-page.mjs';
import { lean } from '../support/leans.mjs';
import { startView } from '../support/view.mjs';

const skip = withoutChromium || lean.missing || false;
const timeout = lean.callMs * 2;
const picture = name => path.join(root, 'build/view', `${name}.png`);

const TEXT = `/-- Conjunction is commutative, and so is disjunction. -/
theorem and_or_swap (p q r : Prop) (h : p ∧ (q ∨ r)) : (q ∨ r) ∧ p := by
  have ⟨hp, hqr⟩ := h
  constructor
  · cases hqr with
    | inl hq =>
      exact Or.inl hq
    | inr hr =>
      exact Or.inr hr
  · exact hp

theorem unfinished (a b : Nat) (h : a = b) : b = a := by
  have flipped : b = a := h.symm
  sorry

theorem wrong (p q : Prop) (hp : p) : p ∧ q := by
  constructor
  exact hp
`;
const lineOf = (part, text = TEXT) => text.slice(0, text.indexOf(part)).split('\n').length;

describe('in Chromium', { skip }, () => {
  let browser;
  before(async () => { browser = await startChromium(); });
  after(() => browser?.close());

  describe('leanbridge view', () => {
    let view, page, file, folder;
    const write = text => { fs.writeFileSync(`${file}.new`, text); fs.renameSync(`${file}.new`, file); };
    const title = () => page.text('#title');
    const shows = (title, status) => page.until(`document.querySelector('#title').textContent === ${JSON.stringify(title)} && document.querySelector('#status').textContent.includes(${JSON.stringify(status)}) && !document.querySelector('#content').className`);
    before(async () => {
      folder = scratchProject({ 'Swap.lean': TEXT });
      file = path.join(folder, 'Swap.lean');
      view = await startView(`${file}:${lineOf('have ⟨hp')}`, { lake: lean.lake });
      page = await browser.open(view.url);
    });
    after(() => view?.stop('SIGKILL'));

    test('goals beside the source, in light and dark, on a screen and on a telephone', { timeout }, async () => {
      await shows('Swap.lean:3', '1 goal');
      const content = await page.text('#content');
      assert.match(content, /Goals after the line/i);
      assert.deepEqual(await page.evaluate(`[...document.querySelectorAll('#content section:first-of-type .row')].filter(row => row.querySelector('.mark')).map(row => row.querySelector('.mark').textContent + ' ' + row.querySelector('code').textContent)`),
        ['new hp : p', 'new hqr : q ∨ r']);
      assert.equal(await page.evaluate(`document.querySelectorAll('.line').length`), TEXT.split('\n').length);
      assert.equal(await page.evaluate(`document.querySelector('[aria-selected=true]').id`), 'L3');
      for (const scheme of ['light', 'dark']) {
        await page.scheme(scheme);
        assert.deepEqual(await page.evaluate(LOW_CONTRAST), [], scheme);
        await page.screenshot(picture(`goals-${scheme}`));
      }
      for (const width of [320, 700]) {
        await page.size(width, 720);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
        assert.equal(await page.evaluate(`document.querySelector('#panel').scrollWidth <= document.querySelector('#panel').clientWidth`), true);
        await page.screenshot(picture(`narrow-${width}`));
      }
      await page.scheme('light');
      await page.size(1280, 800);
    });
    test('the keyboard alone', { timeout }, async () => {
      await page.press('ArrowDown');
      await shows('Swap.lean:4', '2 goals');
      await page.press('j');
      await shows('Swap.lean:5', 'goal');
      assert.equal(await page.evaluate('location.hash'), '#5');
      await page.press('k');
      await page.press('ArrowUp');
      await shows('Swap.lean:3', '1 goal');
      await page.press('ArrowRight');
      await shows('Swap.lean:3:3', '1 goal');
      assert.match(await page.text('#content'), /^goals/i);
      await page.screenshot(picture('column'));
      await page.press('Escape');
      await shows('Swap.lean:3', '1 goal');
      await page.press('c');
      await page.until(`document.querySelector('#content').innerText.includes('unchanged')`);
      await page.press('c');
      const focused = [];
      for (let i = 0; i < 30 && !focused.includes('source'); i++) {
        await page.press('Tab');
        const at = await page.evaluate(`({ id: document.activeElement.id, ring: getComputedStyle(document.activeElement).outlineStyle, mark: getComputedStyle(document.querySelector('[aria-selected=true]')).boxShadow })`);
        if (at.id) assert.ok(at.id === 'source' ? at.mark !== 'none' : at.ring === 'solid', `${at.id} shows that it has the focus`);
        focused.push(at.id);
      }
      for (const id of ['previous', 'next', 'message', 'sorry', 'follow', 'again', 'help', 'changes', 'panel', 'source']) assert.ok(focused.includes(id), `${id} among ${focused}`);
      await page.evaluate(`document.querySelector('#source').focus()`);
    });
    test('lines can be clicked, and messages stepped through', { timeout }, async () => {
      await page.click(`#L${lineOf('exact hp')}`);
      await shows(`Swap.lean:${lineOf('exact hp')}`, 'The proof is complete.');
      await page.screenshot(picture('complete'));
      await page.until(`document.querySelectorAll('.flag[role=img]').length === 2`);
      await page.press('m');
      await shows(`Swap.lean:${lineOf('theorem unfinished')}`, '');
      await page.until(`document.querySelector('#content').innerText.includes('sorry')`);
      await page.press('m');
      await page.until(`document.querySelector('#content').innerText.includes('unsolved goals')`);
      for (const scheme of ['light', 'dark']) {
        await page.scheme(scheme);
        assert.deepEqual(await page.evaluate(LOW_CONTRAST), [], scheme);
        await page.screenshot(picture(`error-${scheme}`));
      }
      await page.scheme('light');
    });
    test('what assistive technology is told', { timeout }, async () => {
      const nodes = await page.accessible(), has = (role, name) => nodes.some(node => node.role === role && name.test(node.name));
      for (const [role, name] of [['heading', /^Swap\.lean:\d+$/], ['toolbar', /^Goals$/], ['listbox', /^Source of Swap\.lean$/], ['region', /^Goals and messages$/], ['main', /^Goals$/], ['status', /^/], ['button', /^Next message \(2\)$/], ['image', /^error$/]])
        assert.ok(has(role, name), `${role} ${name}: ${JSON.stringify(nodes.filter(node => node.role === role)).slice(0, 300)}`);
      assert.equal(nodes.filter(({ role, selected }) => role === 'option' && selected).length, 1);
      assert.deepEqual(nodes.filter(({ role, name }) => role === 'button' && !name), []);
      assert.deepEqual(nodes.filter(({ role }) => ['main', 'status'].includes(role)).map(({ live }) => live), ['polite', 'polite']);
    });
    test('an edit on disk: the page goes there, with the goals of the new text', { timeout }, async () => {
      write(TEXT.replace('  sorry\n', '  exact flipped\n'));
      await shows(`Swap.lean:${lineOf('sorry')}`, 'The proof is complete.');
      await page.until(`document.querySelectorAll('.flag[role=img]').length === 1`);
      await page.screenshot(picture('edited'));
      write(TEXT);
      await shows(`Swap.lean:${lineOf('sorry')}`, 'sorry');
      await page.press('f');
      write(`\n${TEXT}`);
      await shows(`Swap.lean:${lineOf('sorry') + 1}`, 'sorry');
      write(TEXT);
      await shows(`Swap.lean:${lineOf('sorry')}`, 'sorry');
      await page.press('f');
    });
    test('while Lean works: on which lines, and no goal of before', { timeout }, async () => {
      const slow = `${TEXT}\ntheorem slow : True := by\n  sleep ${2 * lean.sleepMs}\n  trivial\n`, line = lineOf('  trivial', slow);
      write(slow);
      await page.until(`document.querySelector('#status').textContent.startsWith('Lean is still working on line') && document.querySelectorAll('.line.working').length > 0`);
      assert.equal(await page.evaluate(`document.querySelectorAll('.goal').length === 0 || document.querySelector('#content').className === 'old'`), true);
      await page.until(`document.querySelectorAll('.goal').length === 0`);
      await page.until(`document.querySelector('#L1').nextSibling.querySelector('.t-keyword') !== null`);
      await page.screenshot(picture('working'));
      await page.press('m');
      await shows(`Swap.lean:${lineOf('theorem unfinished')}`, '');
      await page.evaluate(`location.hash = '#${line}'`);
      await shows(`Swap.lean:${line}`, 'The proof is complete.');
      await page.until(`document.querySelectorAll('.line.working').length === 0`);
      write(TEXT);
      await page.until(`document.querySelectorAll('.line').length === ${TEXT.split('\n').length}`);
      await page.evaluate(`location.hash = '#${lineOf('sorry')}'`);
      await shows(`Swap.lean:${lineOf('sorry')}`, 'sorry');
    });
    test('a file that vanishes, and comes back', { timeout }, async () => {
      fs.rmSync(file);
      await page.until(`document.querySelector('#status').textContent.includes('not found')`);
      assert.equal(await page.evaluate(`document.querySelector('#source').className`), 'old');
      await page.screenshot(picture('vanished'));
      write(TEXT);
      await shows(`Swap.lean:${lineOf('sorry')}`, 'sorry');
      await page.until(`document.querySelector('#source').className === ''`);
    });
    test('it asks its own origin alone, and has nothing to complain about', () => {
      assert.ok(page.requests.length > 10);
      assert.deepEqual(page.requests.filter(url => !url.startsWith(`${view.origin}${view.path}`)), []);
      assert.deepEqual(page.complaints, []);
    });
    test('text of the file that looks like a page is text', { timeout }, async () => {
      write('theorem a (h : "<img src=x onerror=alert(1)>" = "") : True := by\n  trivial\n');
      await page.until(`document.querySelector('#source').innerText.includes('<img src=x onerror=alert(1)>')`);
      await page.press('f'); await page.press('f');
      await page.click('#L2');
      await page.until(`document.querySelector('#content').innerText.includes('<img src=x onerror=alert(1)>')`);
      assert.equal(await page.evaluate(`document.querySelectorAll('img').length`), 0);
      assert.deepEqual(page.complaints, []);
    });
    test('a page without the token is refused, and one of elsewhere is told nothing', { timeout }, async () => {
      const evil = http.createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<title>elsewhere</title>')).listen(0, '127.0.0.1');
      await new Promise(resolve => { evil.once('listening', resolve); });
      const other = await browser.open(`http://127.0.0.1:${evil.address().port}/`);
      await other.until(`document.title === 'elsewhere'`);
      for (const url of [view.url, `${view.origin}/`, `${view.origin}${view.path}events?line=1`])
        assert.equal(await other.evaluate(`fetch(${JSON.stringify(url)}).then(response => response.text(), () => 'refused')`), 'refused');
      assert.equal(await other.evaluate(`new Promise(resolve => { const source = new EventSource(${JSON.stringify(`${view.origin}${view.path}events?line=1`)}); source.onmessage = source.onopen = () => resolve('told'); source.onerror = () => resolve('refused'); })`), 'refused');
      await other.close();
      evil.close();
    });
    test('when the program ends, the page says so', { timeout }, async () => {
      assert.deepEqual(await view.stop(), { code: 0, signal: null }, view.stderr());
      await page.until(`document.querySelector('#status').textContent.includes('has ended')`);
      await page.screenshot(picture('ended'));
      assert.deepEqual(page.complaints, []);
      await page.close();
    });
  });

  // The host's side of MCP Apps (2026-01-26), as docs/tools.md describes it: a sandboxed frame, and JSON-RPC by postMessage.
  describe('in a host of MCP Apps', () => {
    test('the answer of lean_goal is rendered, other lines are asked for, and nothing is fetched', { timeout }, async () => {
      const folder = scratchProject({ 'Swap.lean': TEXT, 'Try.lean': 'theorem three (a b : Nat) (h : a = b) : a + 0 = b := by\n  simp? [h]\n' });
      const client = spawnBridge({ project: folder, lake: lean.lake, verbose: false });
      const page = await browser.open('about:blank', { width: 760, height: 620 });
      let isOver = false, passing;
      try {
        await client.connect({ era: 'legacy', capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } } });
        const { contents: [{ text }] } = await client.request('resources/read', { uri: 'ui://leanbridge/goal' });
        assert.equal(text, HTML);
        const given = { file_path: 'Swap.lean', line: 3 };
        const call = (name, args) => client.request('tools/call', { name, arguments: args });
        await page.evaluate(`(() => {
          const frame = document.createElement('iframe');
          frame.sandbox = 'allow-scripts';
          frame.style = 'border: 0; width: 100%; height: 600px';
          const post = message => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
          window.host = { asked: [], sizes: [], ready: false, post };
          addEventListener('message', ({ source, data }) => {
            if (source !== frame.contentWindow) return;
            if (data.method === 'ui/initialize') post({ id: data.id, result: { protocolVersion: '2026-01-26', hostInfo: { name: 'test', version: '1' }, hostCapabilities: { serverTools: {} }, hostContext: { theme: 'light' } } });
            if (data.method === 'ui/notifications/initialized') host.ready = true;
            if (data.method === 'ui/notifications/size-changed') host.sizes.push(data.params);
            if (data.method === 'tools/call') host.asked.push(data);
          });
          frame.srcdoc = ${JSON.stringify(text)};
          document.body.style.margin = 0;
          document.body.append(frame);
        })()`);
        await page.until('host.ready');
        // Passes the page's questions on to the real server, as a host does.
        passing = (async () => {
          while (!isOver) {
            const { id, params } = JSON.parse(await page.evaluate(`JSON.stringify(host.asked.shift() ?? {})`));
            if (id === undefined) await new Promise(resolve => { setTimeout(resolve, 30); });
            else await page.evaluate(`host.post(${JSON.stringify({ id, result: await call(params.name, params.arguments) })})`);
          }
        })();
        const notify = (method, params) => page.evaluate(`host.post(${JSON.stringify({ method: `ui/notifications/${method}`, params })})`);
        await notify('tool-input', { arguments: given });
        await notify('tool-result', await call('lean_goal', given));
        const [frame] = page.frames;
        await frame.until(`/^Swap\\.lean:3\\b.*1 goal\\b.*hp : p.*new/s.test(document.body.innerText)`);
        assert.equal(await frame.evaluate(`getComputedStyle(document.querySelector('#source')).display`), 'none');
        await page.screenshot(picture('app-light'));
        await page.ask('Input.dispatchMouseEvent', { type: 'mousePressed', x: 300, y: 300, button: 'left', clickCount: 1 });
        await page.ask('Input.dispatchMouseEvent', { type: 'mouseReleased', x: 300, y: 300, button: 'left', clickCount: 1 });
        for (let line = 4; line <= lineOf('exact hp'); line++) await page.press('n');
        await frame.until(`document.querySelector('#title').textContent === 'Swap.lean:${lineOf('exact hp')}' && document.querySelector('#status').textContent === 'The proof is complete.'`);
        assert.deepEqual(await frame.evaluate(LOW_CONTRAST), []);
        await page.press('w');
        await frame.until(`[...document.querySelectorAll('#lists .jump')].some(each => each.textContent.includes('unfinished')) && document.querySelector('.verdict').textContent === 'Whole file: 1 error, 1 sorry'`);
        await page.screenshot(picture('app-whole'));
        await notify('host-context-changed', { theme: 'dark' });
        await frame.until(`document.documentElement.dataset.theme === 'dark'`);
        assert.deepEqual(await frame.evaluate(LOW_CONTRAST), []);
        await page.screenshot(picture('app-dark'));
        // A suggestion is applied through the host, too, and the line is asked about again.
        const tried = { file_path: 'Try.lean', line: 2 };
        await notify('tool-input', { arguments: tried });
        await notify('tool-result', await call('lean_goal', tried));
        await frame.until(`document.querySelector('.suggestion button[aria-label^="Apply simp only"]') !== null`);
        await frame.evaluate(`document.querySelector('.suggestion button[aria-label^="Apply"]').click()`);
        await frame.until(`document.querySelector('#content').textContent.includes('Written to the file.')`);
        assert.match(fs.readFileSync(path.join(folder, 'Try.lean'), 'utf8'), /^ {2}simp only \[h/m);
        assert.ok(await page.evaluate('host.sizes.length > 0'));
        assert.deepEqual(page.requests.filter(url => !/^(about:|data:)/.test(url)), []);
        assert.deepEqual(page.complaints, []);
        isOver = true;
        await passing;
        await client.close();
      } finally {
        isOver = true;
        await passing;
        await client.destroy();
        await page.close();
      }
    });
  });
});
