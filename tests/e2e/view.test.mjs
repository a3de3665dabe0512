// `leanbridge view`: what its page is told, who may read it, how it ends. On a scripted Lean; tests/view has the page in a browser.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fakeLake, runBinary, scratchProject, temporaryFolder } from '../support/bridge.mjs';
import { HTML } from '../support/goal-page.mjs';
import { assertGone, descendants, eventually } from '../support/processes.mjs';
import { startView } from '../support/view.mjs';

const timeout = 120_000;
const TEXT = 'theorem a : True := by\n  trivial\n  skip\n';
const goalsAfter = ({ result }) => result.structuredContent?.goals_after;

/** Runs `body(view, edit, lake)` on a fresh view of a file, which must end well. @param options {text, files, scenario, place, args} */
async function withView({ text = TEXT, files, scenario, place = '', args } = {}, body) {
  const lake = fakeLake(scenario), folder = scratchProject({ 'A.lean': text, ...files }), file = path.join(folder, 'A.lean');
  const view = await startView(file + place, { lake: lake.command, args });
  try {
    await body(view, { file, write: changed => { fs.writeFileSync(`${file}.new`, changed); fs.renameSync(`${file}.new`, file); } }, lake);
    assert.deepEqual(await view.stop(), { code: 0, signal: null }, view.stderr());
  } finally {
    await view.stop('SIGKILL');
    for (const { pid } of lake.log().filter(entry => entry.pid)) try { process.kill(pid, 'SIGKILL'); } catch { /* as it should be */ }
  }
}

describe('what the page is told', () => {
  test('the text, the goals of the place, the messages of the file', { timeout }, () => withView({ text: `${TEXT}-- error: wrong\n`, place: ':2' }, async view => {
    assert.equal(view.place, '#2');
    const events = await view.events('line=2');
    assert.deepEqual([events.status, events.headers['content-type'], events.headers['cache-control']], [200, 'text/event-stream', 'no-store']);
    const { file, text, version } = await events.next('text');
    assert.deepEqual([file, text, typeof version], ['A.lean', `${TEXT}-- error: wrong\n`, 'number']);
    assert.deepEqual(goalsAfter(await events.next('goals')), ['⊢ trivial']);
    const { result } = await events.next('messages', ({ result: { structuredContent } }) => structuredContent.items?.length === 1);
    assert.deepEqual([result.structuredContent.items[0].message, result.structuredContent.items[0].line, result.isError], ['wrong', 4, false]);
    const later = await view.events(`line=3&version=${version}`);
    assert.deepEqual(goalsAfter(await later.next('goals')), ['⊢ skip']);
    assert.equal(later.last('text'), undefined, 'it has that text');
    const column = await view.events('line=2&column=3');
    assert.deepEqual((await column.next('goals')).result.structuredContent.goals, ['⊢ trivial']);
  }));
  test('an edit on disk: the new text, and what was said before is withdrawn first', { timeout }, () => withView({}, async (view, { write }) => {
    const events = await view.events('line=2');
    await events.next('goals');
    const from = events.all.length;
    write(TEXT.replace('  trivial', '  constructor'));
    assert.match((await events.next('text', () => true, from)).text, /constructor/);
    assert.deepEqual(goalsAfter(await events.next('goals', () => true, from)), ['⊢ constructor']);
    const names = events.all.slice(from).map(({ event }) => event);
    assert.ok(names.includes('asking') && names.indexOf('asking') < names.indexOf('goals'), names.join());
  }));
  test('while Lean works, which lines it works on; no goal before its line is elaborated', { timeout }, () => withView({ text: `theorem a : True := by\n  trivial\n  later -- slow 4000\n  last\n  skip\n` }, async view => {
    const [early, late] = [await view.events('line=2'), await view.events('line=4')];
    assert.deepEqual(goalsAfter(await early.next('goals')), ['⊢ trivial']);
    const { result } = await late.next('messages', each => each.result.structuredContent.still_elaborating_lines.length > 0);
    assert.equal(result.structuredContent.partial, true);
    assert.deepEqual(goalsAfter(await late.next('goals')), ['⊢ last']);
    const when = fits => late.all.findIndex(fits);
    assert.ok(when(({ event, data }) => event === 'messages' && data.result.structuredContent.partial) < when(({ event }) => event === 'goals'));
    await late.next('messages', each => each.result.structuredContent.still_elaborating_lines.length === 0);
  }));
  test('a file that vanishes, and comes back', { timeout }, () => withView({}, async (view, { file, write }) => {
    const events = await view.events('line=2');
    await events.next('goals');
    let from = events.all.length;
    fs.rmSync(file);
    const { result } = await events.next('goals', each => each.result.isError, from);
    assert.match(JSON.stringify(result), /not found/i);
    from = events.all.length;
    write(TEXT);
    assert.deepEqual(goalsAfter(await events.next('goals', each => !each.result.isError, from)), ['⊢ trivial']);
  }));
  test('a worker that dies is replaced, and the goals are told again', { timeout }, () => withView({}, async (view, _edit, lake) => {
    const events = await view.events('line=2');
    await events.next('goals');
    const from = events.all.length;
    const server = lake.starts().at(-1).pid;
    process.kill(server, 'SIGKILL');
    assert.deepEqual(goalsAfter(await events.next('goals', each => !each.result.isError, from)), ['⊢ trivial']);
    assert.ok(lake.starts().length >= 2);
  }));
  test('a line that the file does not have is an error, not the end', { timeout }, () => withView({}, async (view, { write }) => {
    const events = await view.events('line=70');
    assert.match(JSON.stringify((await events.next('goals', each => each.result.isError)).result), /no line 70/);
    write(`${TEXT}${'  more\n'.repeat(80)}`);
    assert.deepEqual(goalsAfter(await events.next('goals', each => !each.result.isError)), ['⊢ more']);
  }));
});

describe('who may read it', () => {
  test('only who has the token, on this machine, and no page of elsewhere', { timeout }, () => withView({}, async view => {
    const token = view.path.slice(1, -1);
    assert.match(token, /^[0-9a-f]{64}$/);
    assert.match(view.origin, /^http:\/\/127\.0\.0\.1:\d+$/);
    const refused = async (options, status) => {
      const answer = await view.get(options);
      assert.equal(answer.status, status, JSON.stringify(options));
      assert.doesNotMatch(answer.text, new RegExp(`${token}|trivial|<html`), JSON.stringify(options));
    };
    assert.equal((await view.get()).status, 200);
    for (const other of ['', '0'.repeat(64), token.slice(1), `${token}0`, token.toUpperCase() === token ? 'x' : token.toUpperCase()])
      for (const rest of ['', '/', '/events?line=2']) await refused({ path: `/${other}${rest}` }, 404);
    for (const path of ['/', '/mcp', '/events?line=2', `/${token}`, `/${token}/A.lean`, `//${token}/`, `/${token}/../`]) await refused({ path }, 404);
    for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:80', '10.0.0.1']) await refused({ headers: { Host: host } }, 403);
    for (const origin of ['https://evil.example', 'null', 'file://']) await refused({ headers: { Origin: origin } }, 403);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD']) await refused({ method }, 405);
    for (const query of ['', 'line=0', 'line=-1', 'line=x', 'line=2&column=0', 'line=99999999999']) await refused({ path: `${view.path}events?${query}` }, 400);
    assert.ok(!fs.readFileSync(`/proc/${view.pid}/cmdline`, 'utf8').includes(token));
    // A second one has another token, and only this machine reaches either.
    const listening = fs.readFileSync('/proc/net/tcp', 'utf8').split('\n').filter(line => line.includes(`:${Number(new URL(view.url).port).toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A`));
    assert.deepEqual(listening.map(line => line.trim().split(' ')[1].split(':')[0]), ['0100007F']);
    await withView({}, async other => assert.notEqual(other.path, view.path));
  }));
  test('questions are about this file, by a few tools, from the page alone', { timeout }, () => withView({ text: `${TEXT}-- error: wrong\n` }, async (view, { file }) => {
    const json = { 'content-type': 'application/json' }, body = JSON.stringify({ tool: 'lean_check_all', arguments: {} }), path = `${view.path}ask`;
    for (const [options, status] of [
      [{ path: `/${'0'.repeat(64)}/ask`, headers: json }, 404], [{ path: '/ask', headers: json }, 404], [{ path, method: 'GET' }, 405],
      [{ path, headers: { 'content-type': 'text/plain' } }, 415], [{ path }, 415], [{ path, headers: { ...json, Origin: 'https://evil.example' } }, 403],
      [{ path, headers: json, body: '[]' }, 400], [{ path, headers: json, body: '{"tool":' }, 400], [{ path, headers: json, body: '{"tool":"lean_check_all"}' }, 400],
    ]) assert.equal((await view.get({ method: 'POST', body, ...options })).status, status, JSON.stringify(options));
    const messages = ({ structuredContent }) => structuredContent.items.map(({ message }) => message);
    assert.deepEqual(messages(await view.ask('lean_check_all')), ['wrong']);
    assert.deepEqual(messages(await view.ask('lean_check_all', { file_path: '/etc/passwd', files: ['/etc'] })), ['wrong'], 'whatever file is named');
    for (const tool of ['lean_run_code', 'lean_build', 'lean_rename', '', 'toString']) assert.match(JSON.stringify(await view.ask(tool, { code: '1' })), /does not ask/, tool);
    assert.equal(fs.readFileSync(file, 'utf8'), `${TEXT}-- error: wrong\n`);
  }));
  test('a change says what it replaces, and is not written over another', { timeout }, () => withView({}, async (view, { file }) => {
    const change = { start_line: 2, end_line: 2, new_text: '  constructor' };
    for (const [given, says] of [[change, /does not say what it replaces/], [{ ...change, expected: '  rfl' }, /expected|current_text/]]) {
      const result = await view.ask('lean_write_proof', given);
      assert.ok(result.isError || result.structuredContent.written === false);
      assert.match(JSON.stringify(result), says);
      assert.equal(fs.readFileSync(file, 'utf8'), TEXT);
    }
    const { structuredContent } = await view.ask('lean_write_proof', { ...change, expected: '  trivial' });
    assert.equal(structuredContent.written, true, JSON.stringify(structuredContent));
    assert.equal(fs.readFileSync(file, 'utf8'), TEXT.replace('  trivial', '  constructor'));
  }));
  test('the page is the one of MCP Apps, under a policy that lets it reach nothing else', { timeout }, () => withView({}, async view => {
    const { headers, text } = await view.get();
    assert.equal(text, HTML);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    const policy = headers['content-security-policy'];
    assert.match(policy, /^default-src 'none'; .*connect-src 'self'; .*frame-ancestors 'none'$/);
    for (const own of /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text)[1].split('; ')) assert.ok(policy.split('; ').includes(own), own);
    assert.deepEqual([headers['referrer-policy'], headers['cache-control'], headers['x-content-type-options'], headers['cross-origin-resource-policy']], ['no-referrer', 'no-store', 'nosniff', 'same-origin']);
  }));
});

describe('other files of the project', () => {
  const OTHERS = { 'Sub/B c+.lean': TEXT.replace('trivial', 'constructor'), 'Sub/C.lean': TEXT, '.lake/packages/p/P.lean': TEXT, '.lake/packages/p/lakefile.toml': '', 'deps/q/Q.lean': TEXT, 'deps/q/lakefile.toml': '', 'lake-manifest.json': '{"packagesDir": "deps"}' };
  const kindOf = ({ result }) => result.isError && JSON.parse(result.content[0].text).error.kind;
  const listed = async view => JSON.parse((await view.get({ path: `${view.path}files` })).text).structuredContent;
  const change = { start_line: 2, end_line: 2, new_text: '  rfl', expected: '  constructor' };

  test('they are listed with the time since their last change, and opened by name', { timeout }, () => withView({ files: OTHERS }, async (view, { file }, lake) => {
    const folder = path.dirname(file);
    fs.symlinkSync(path.join(temporaryFolder('out')), path.join(folder, 'out'));
    fs.utimesSync(file, new Date(), new Date(Date.now() - 3_600_000));
    await eventually(() => lake.received('textDocument/didOpen').length > 0, 20_000, 'the named file is opened');
    const { project, files, is_cut: isCut } = await listed(view);
    assert.deepEqual([project, files.map(each => each.file), isCut], [folder, ['A.lean', 'Sub/B c+.lean', 'Sub/C.lean'], false]);
    assert.ok(Math.abs(files[0].age_s - 3600) < 120 && Math.abs(files[1].age_s) < 120, JSON.stringify(files));
    assert.equal(lake.received('textDocument/didOpen').length, 1, 'no file is opened in Lean only to be listed');
    const events = await view.events(`line=2&file=${encodeURIComponent('Sub/B c+.lean')}`), { file: name, project: of, text } = await events.next('text');
    assert.deepEqual([name, of, text], ['Sub/B c+.lean', folder, OTHERS['Sub/B c+.lean']]);
    assert.deepEqual(goalsAfter(await events.next('goals')), ['⊢ constructor']);
    const { structuredContent } = await view.ask('lean_write_proof', change, 'Sub/B c+.lean');
    assert.equal(structuredContent.written, true, JSON.stringify(structuredContent));
    assert.deepEqual([fs.readFileSync(path.join(folder, 'Sub/B c+.lean'), 'utf8'), fs.readFileSync(file, 'utf8')], [TEXT.replace('trivial', 'rfl'), TEXT]);
    assert.deepEqual(goalsAfter(await (await view.events('line=2&file=Sub/C.lean')).next('goals')), ['⊢ trivial']);
    const none = await view.events('line=2&file=Sub/None.lean');
    assert.equal(kindOf(await none.next('goals')), 'file_not_found');
  }));
  test('no path above it, no absolute one, no link and no package is served', { timeout }, () => withView({ files: OTHERS }, async (view, { file }) => {
    const folder = path.dirname(file), outside = temporaryFolder('out'), secret = path.join(outside, 'S.lean');
    fs.writeFileSync(path.join(outside, 'lakefile.toml'), '');
    fs.writeFileSync(secret, `-- secret\n${TEXT}`);
    fs.symlinkSync(secret, path.join(folder, 'L.lean'));
    fs.symlinkSync(outside, path.join(folder, 'out'));
    assert.deepEqual((await listed(view)).files.map(each => each.file).sort(), ['A.lean', 'Sub/B c+.lean', 'Sub/C.lean']);
    for (const name of [`../${path.basename(outside)}/S.lean`, `Sub/../../${path.basename(outside)}/S.lean`, 'Sub/../A.lean', secret, file, 'L.lean', 'out/S.lean', '.lake/packages/p/P.lean', 'deps/q/Q.lean', 'lakefile.toml', '/etc/passwd', '..', '/', '-1', 'A.lean/']) {
      const events = await view.events(`line=2&file=${encodeURIComponent(name)}`);
      assert.equal(kindOf(await events.next('goals')), 'outside_project', name);
      assert.equal(events.last('text'), undefined, name);
      events.close();
      await assert.rejects(view.ask('lean_write_proof', change, name), /404/, name);
    }
    assert.deepEqual([fs.readFileSync(secret, 'utf8'), fs.readFileSync(file, 'utf8')], [`-- secret\n${TEXT}`, TEXT]);
    for (const [options, status] of [[{ path: '/files' }, 404], [{ path: `/${'0'.repeat(64)}/files` }, 404], [{ path: `${view.path}files`, method: 'POST' }, 405], [{ path: `${view.path}files`, headers: { Origin: 'https://evil.example' } }, 403], [{ path: `${view.path}files/A.lean` }, 404]])
      assert.equal((await view.get(options)).status, status, JSON.stringify(options));
  }));
  test('without lean_write_proof every file stays as it is', { timeout }, () => withView({ files: OTHERS, args: ['--disable', 'lean_write_proof'] }, async (view, { file }) => {
    for (const name of [undefined, 'Sub/B c+.lean']) assert.match(JSON.stringify(await view.ask('lean_write_proof', change, name)), /does not ask lean_write_proof/);
    assert.equal(fs.readFileSync(path.join(path.dirname(file), 'Sub/B c+.lean'), 'utf8'), OTHERS['Sub/B c+.lean']);
  }));
});

/** Where a link leads; '' if it is gone. */
function readLink(link) {
  try {
    return fs.readlinkSync(link);
  } catch {
    return '';
  }
}

describe('the command', () => {
  test('Ctrl-C ends all, tells the pages, and leaves nothing; twice in the middle of work, too', { timeout }, async () => {
    for (const [signals, text] of [[['SIGINT'], TEXT], [['SIGTERM'], TEXT], [['SIGINT', 'SIGINT'], 'theorem a : True := by\n  trivial -- slow 60000\n']]) {
      const lake = fakeLake(), view = await startView(path.join(scratchProject({ 'A.lean': text }), 'A.lean'), { lake: lake.command });
      try {
        const events = await view.events('line=2');
        await events.next('asking');
        await eventually(() => lake.starts().length > 0, 20_000, 'Lean is started');
        const below = descendants(view.pid);
        assert.ok(below.length > 0);
        for (const signal of signals) process.kill(view.pid, signal);
        const { code } = await view.exit;
        assert.equal(code, 0, view.stderr());
        await assertGone(below, 5000);
        await eventually(() => events.isOver, 5000, 'the stream ends');
        if (signals.length === 1) assert.deepEqual(events.all.at(-1), { event: 'end', data: {} });
      } finally {
        await view.stop('SIGKILL');
      }
    }
  });
  test('a page that goes away takes its question with it', { timeout }, () => withView({ text: 'theorem a : True := by\n  trivial -- slow 60000\n' }, async (view, _edit, lake) => {
    const events = await view.events('line=2');
    await events.next('asking');
    await eventually(() => lake.received('$/lean/plainGoal').length > 0, 20_000, 'Lean is asked');
    events.close();
    await eventually(() => lake.received('$/cancelRequest').length > 0, 20_000, 'the request is cancelled');
  }));
  test('a reader who runs through the file leaves no connection behind', { timeout }, () => withView({ text: `theorem a : True := by\n${'  trivial\n'.repeat(100)}` }, async view => {
    const open = () => fs.readdirSync(`/proc/${view.pid}/fd`).map(each => readLink(`/proc/${view.pid}/fd/${each}`)).filter(to => to.startsWith('socket:')).length;
    await (await view.events('line=2')).next('goals');
    const before = open();
    for (let line = 2; line <= 101; line++) (await view.events(`line=${line}`)).close();
    assert.deepEqual(goalsAfter(await (await view.events('line=50')).next('goals')), ['⊢ trivial']);
    await eventually(() => open() <= before + 1, 20_000, 'the connections are closed');
  }));
  test('FILE, FILE:LINE, FILE:LINE:COLUMN, relative or absolute', { timeout }, async () => {
    const folder = scratchProject({ 'A.lean': TEXT, 'B:7.lean': TEXT }), lake = fakeLake();
    for (const [word, place] of [['A.lean', ''], ['A.lean:2', '#2'], ['A.lean:2:3', '#2:3'], ['B:7.lean', ''], [path.join(folder, 'A.lean:3'), '#3']]) {
      const view = await startView(word, { lake: lake.command, cwd: folder });
      assert.equal(view.place, place, word);
      assert.deepEqual(await view.stop(), { code: 0, signal: null });
    }
  });
  test('what it cannot do, it says: no file, no project, a port in use, tools that are left out', { timeout }, async () => {
    const folder = scratchProject({ 'A.lean': TEXT }), lake = fakeLake().command, file = path.join(folder, 'A.lean');
    const said = async (...args) => { const { code, stderr } = await runBinary(['view', ...args, '--lake', lake]); return [code, stderr]; };
    for (const [args, status, text] of [
      [[path.join(folder, 'B.lean')], 1, /File not found: .*B\.lean/],
      [[path.join(folder, 'A.lean:0')], 2, /There is no line or column 0/],
      [[path.join(temporaryFolder('none'), 'A.lean')], 1, /project/i],
      [[file, '--disable', 'lean_goal'], 2, /view needs lean_goal/],
      [[file, '--port', '99999'], 2, /port/],
      [[], 2, /FILE is required/],
    ]) {
      const [code, stderr] = await said(...args);
      assert.deepEqual([code, text.test(stderr)], [status, true], `${args}: ${code} ${stderr}`);
    }
    const view = await startView(file, { lake });
    const [code, stderr] = await said(file, '--port', new URL(view.url).port);
    assert.deepEqual([code, /in use|cannot listen/i.test(stderr)], [1, true], stderr);
    await view.stop();
  });
});
