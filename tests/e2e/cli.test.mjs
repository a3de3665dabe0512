// The command line: call, tools, doctor.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { binary, cacheFolder, fakeLake, isPosixAlone, root, scratchProject, temporaryFolder, withBridge } from '../support/bridge.mjs';
import { descendants, survivors } from '../support/processes.mjs';

const timeout = 30_000;
const FILES = { 'A.lean': 'theorem a : True := by\n  trivial -- error: wrong\n' };

function start(args, { cwd = temporaryFolder('cwd'), env = {} } = {}) {
  const child = spawn(binary, args, { cwd, env: { ...process.env, LEAN_PROJECT_PATH: '', LEAN_MCP_DISABLED_TOOLS: '', LEAN_LOG_LEVEL: '', LEANBRIDGE_CACHE_DIR: cacheFolder(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].on('data', chunk => { text[name] += chunk; });
  return { child, text, ended: new Promise(resolve => { child.once('close', code => resolve({ code, ...text })); }) };
}
const run = (args, options) => start(args, options).ended;
const inProject = (args, { files = FILES, ...options } = {}) => run([...args, '--lake', fakeLake().command], { cwd: scratchProject(files), ...options });

/** On a terminal of that size, which `script` provides: what is printed, and the exit code. */
function onTerminal(args, { cwd = temporaryFolder('cwd'), env = {}, width = 80, height = 24, input = '', redirected = '' } = {}) {
  const { stdout, status } = spawnSync('script', ['-qec', `stty cols ${width} rows ${height}; '${binary}' ${args.map(word => `'${word}'`).join(' ')} ${redirected}`, '/dev/null'],
    { cwd, input, encoding: 'utf8', timeout, env: { ...process.env, TERM: 'xterm', NO_COLOR: '', LEAN_PROJECT_PATH: '', LEAN_LOG_LEVEL: '', LEANBRIDGE_CACHE_DIR: cacheFolder(), ...env } });
  return { text: stdout.replaceAll('\r\n', '\n'), code: status };
}
const plain = text => text.replaceAll(/\u001b\[[\d;]*m/g, '');

describe('a terminal', () => {
  test('leanbridge alone says what it is and what to type, and ends', { timeout }, () => {
    const { text, code } = onTerminal([], { width: 100 });
    assert.equal(code, 0);
    assert.match(plain(text), /^leanbridge \d+\.\d+\.\d+: a live Lean 4 proof session/);
    for (const command of ['setup', 'doctor', 'view', 'help']) assert.match(text, new RegExp(`leanbridge ${command}`));
  });
  test('over pipes it is the server, also where its output is a terminal', { timeout }, () => {
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
    const piped = spawnSync(binary, [], { input: ping, encoding: 'utf8', timeout });
    assert.deepEqual([piped.status, JSON.parse(piped.stdout).id], [0, 1]);
    const file = path.join(temporaryFolder('in'), 'requests');
    fs.writeFileSync(file, ping);
    assert.match(onTerminal([], { redirected: `< '${file}'` }).text, /"id":1/);
  });
  test('colours only on a terminal that wants them', { timeout }, async () => {
    assert.ok(onTerminal(['help']).text.includes('\u001b[36m'));
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) assert.ok(!onTerminal(['help'], { env }).text.includes('\u001b'), JSON.stringify(env));
    assert.ok(!(await run(['help'])).stdout.includes('\u001b'));
    assert.match(onTerminal(['call', 'lean_gaol']).text, /^\u001b\[1;31mleanbridge:/);
  });
  test('what a command says is broken between words, and paragraphs of a help are whole', { timeout }, () => {
    const cwd = scratchProject({ 'A.lean': 'theorem a : True := trivial\n' });
    const git = (...words) => spawnSync('git', ['-C', cwd, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { encoding: 'utf8' });
    for (const words of [['init', '-q'], ['add', '-A'], ['commit', '-qm', 'one']]) assert.equal(git(...words).status, 0);
    const env = { XDG_RUNTIME_DIR: temporaryFolder('run'), HOME: temporaryFolder('home') };
    for (const [words, whole] of [[['status'], /No shared server runs, and none answers/], [['diff'], /This is a reading of the sources, not Lean's word: what a theorem depends on/], [['mcp', 'list'], /No other servers are configured/]]) {
      // What was overwritten on the line of progress is not seen.
      const lines = plain(onTerminal(words, { cwd, env, width: 60, redirected: '2>&1' }).text).split('\n').map(line => line.slice(line.lastIndexOf('\r') + 1));
      assert.match(lines.join(' '), whole);
      for (const line of lines.filter(each => each.includes(' '))) assert.ok([...line.replace(/\u001b\[K/g, '')].length <= 60, `${words.join(' ')}: ${line}`);
    }
    const long = 'a_name_that_takes_up_most_of_the_window_by_itself';
    fs.writeFileSync(path.join(cwd, 'A.lean'), `theorem a : 1 = 1 := rfl\ntheorem ${long} (p : Prop) (h : p) : p := sorry\naxiom ${long}_too (p : Prop) : p → p → p\n`);
    const changes = plain(onTerminal(['diff'], { cwd, env, width: 60, redirected: '2>/dev/null' }).text).split('\n');
    for (const line of changes) assert.ok([...line].length <= 60, line);
    assert.ok(changes.some(line => line.endsWith(long)) && changes.includes('  restated   theorem a (line 1)'), changes.join('\n'));
    for (const { 1: command } of plain(onTerminal(['--help']).text).split('Examples:')[0].matchAll(/^ {2}([a-z]+) /gm)) {
      const blocks = plain(onTerminal(['help', command], { width: 60 }).text).trimEnd().split('\n\n');
      for (const block of blocks.filter(each => !/^(Usage|Examples|Arguments|Options|Commands|\w[^.]*):/.test(each))) assert.match(block, /\.$/, `${command}: ${block}`);
      for (const line of (blocks.find(each => each.startsWith('Examples:')) ?? '').split('\n').filter(each => /^ {2}leanbridge/.test(each))) assert.doesNotMatch(line, /\S (the|one|what|many) /, `${command}: the remark is set off: ${line}`);
    }
  });
  for (const width of [40, 60, 110]) {
    test(`no line of a help is broken by a window of ${width} columns`, { timeout }, () => {
      for (const words of [['help'], ['--help'], ['help', 'call'], ['help', 'mcp', 'serve-config'], ['help', 'lean_goal']]) {
        const lines = plain(onTerminal(words, { width }).text).split('\n');
        // Commands to copy are one line each, however long.
        for (const line of lines.filter(each => !each.startsWith('  leanbridge '))) assert.ok([...line].length <= width, `${words.join(' ')}: ${line}`);
      }
    });
  }
  test('call: a place, paths of the current folder, and text instead of JSON', { timeout }, async () => {
    const project = scratchProject({ 'Sub/A.lean': FILES['A.lean'] });
    const { text, code } = onTerminal(['call', 'lean_goal', 'A.lean:2:3', '--lake', fakeLake().command], { cwd: path.join(project, 'Sub'), env: { NO_COLOR: '1' } });
    assert.equal(code, 0, text);
    assert.match(text, /^goals: ⊢ trivial -- error: wrong\n/m);
    const piped = await run(['call', 'lean_goal', 'A.lean:2:3', '--lake', fakeLake().command], { cwd: path.join(project, 'Sub') });
    assert.deepEqual(JSON.parse(piped.stdout).goals, ['⊢ trivial -- error: wrong']);
    assert.match(onTerminal(['call', 'lean_goal', 'No.lean:2', '--lake', fakeLake().command], { cwd: project, env: { NO_COLOR: '1' } }).text, /^leanbridge: File not found: No\.lean/);
  });
  test('goal and try: a place and tactics, and what call prints of them', { timeout }, async () => {
    const project = scratchProject({ 'Sub/A.lean': FILES['A.lean'] }), lake = fakeLake().command, cwd = path.join(project, 'Sub');
    const shown = words => onTerminal([...words, '--lake', lake], { cwd, env: { NO_COLOR: '1' } }).text.replaceAll(/.*\r\u001b\[K/g, '');
    const piped = words => run([...words, '--lake', lake], { cwd });
    for (const [short, long] of [[['goal', 'A.lean:2:3'], ['lean_goal', 'A.lean:2:3']], [['goal', 'A.lean:2'], ['lean_goal', 'A.lean:2']],
      [['try', 'A.lean:2', 'trivial -- error: no', 'exact (h = 1)'], ['lean_multi_attempt', 'A.lean:2', 'snippets=trivial -- error: no', 'snippets=exact (h = 1)']]]) {
      const [one, other] = await Promise.all([piped(short), piped(['call', ...long])]);
      assert.equal(one.code, 0, one.stderr);
      assert.deepEqual([one.stdout, one.stderr], [other.stdout, '']);
      assert.equal(shown(short), shown(['call', ...long]));
    }
    assert.match(shown(['goal', 'A.lean:2:3']), /^goals: ⊢ trivial -- error: wrong\n/m);
    for (const name of ['N=2.lean', 'a/b=c.lean']) {
      fs.mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
      fs.copyFileSync(path.join(cwd, 'A.lean'), path.join(cwd, name));
      assert.equal((await piped(['goal', `${name}:2`])).code, 0, name);
    }
    assert.deepEqual(JSON.parse((await piped(['try', 'A.lean:2', 'skip', 'trivial'])).stdout).items.map(({ snippet }) => snippet), ['skip', 'trivial']);
    assert.equal((await piped(['--tools', 'server', 'goal', 'A.lean:2'])).code, 0, 'whatever the group');
    for (const [words, why] of [[['goal', 'A.lean'], /PLACE: Name a line of a file, such as Foo\.lean:12\./], [['try', 'A.lean:2'], /TACTIC is required/], [['goal'], /PLACE is required/]]) {
      const { code, stdout, stderr } = await piped(words);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, why);
    }
  });
  test('search prints as many as fit, the best ones, and how many more there are', { timeout }, () => {
    const theorems = Array.from({ length: 15 }, (_, i) => `theorem sum_of_${'abcdefghijklmno'[i]} (n : Nat) : n + ${i} = ${i} + n := Nat.add_comm ..\n`);
    const project = scratchProject({ 'A.lean': theorems.join('') });
    const found = (height, ...words) => plain(onTerminal(['search', 'sum_of', '--source', 'local', '--lake', fakeLake().command, ...words], { cwd: project, height, env: { XDG_CONFIG_HOME: '' }, redirected: '2>/dev/null' }).text).trimEnd().split('\n');
    const all = found(50);
    const some = found(14);
    assert.deepEqual([all.length, some.length], [30, 11], all.join('\n'));
    assert.deepEqual(some.slice(0, -1), all.slice(0, 10), 'the best');
    assert.equal(some.at(-1), '10 more: --limit 15 shows them all.');
    assert.deepEqual(found(14, '--limit', '15'), all, 'all that were asked for');
    assert.equal(found(3).length, 3, 'one at least');
  });
  test('serve says that it waits, and never on stdout', { timeout }, () => {
    const args = ['serve', '--offline'];
    assert.match(onTerminal(args, { input: '\u0004' }).text, /leanbridge: waiting for an MCP client on stdin; Ctrl-D or Ctrl-C ends it\.\n/);
    assert.doesNotMatch(onTerminal(args, { input: '\u0004', redirected: '2>/dev/null' }).text, /waiting/);
    assert.equal(spawnSync(binary, args, { input: '', encoding: 'utf8', timeout }).stderr, '');
    const wrong = onTerminal(['--disable', 'lean_gaol']);
    assert.equal(wrong.code, 2);
    assert.match(plain(wrong.text), /^leanbridge: There is no tool lean_gaol\./, 'only once nothing is wrong');
  });
  test('serve --http waits for no client on stdin', { timeout }, async () => {
    const child = spawn('script', ['-qec', `'${binary}' serve --http 127.0.0.1:0`, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, LEAN_PROJECT_PATH: '', LEANBRIDGE_CACHE_DIR: cacheFolder() } });
    let printed = '';
    child.stdout.on('data', chunk => { printed += chunk; });
    while (!/listening on/.test(printed)) await sleep(50);
    child.stdin.write('\u0003');
    await new Promise(resolve => { child.once('close', resolve); });
    assert.doesNotMatch(printed, /stdin/);
  });
  for (const [command, ready] of [['serve --offline', /waiting for an MCP client/], ['serve --http 127.0.0.1:0', /listening on/]]) test(`Ctrl-C is the end of ${command}: status 0`, { timeout }, async () => {
    const child = spawn('script', ['-qec', `exec '${binary}' ${command}`, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, LEAN_PROJECT_PATH: '', LEANBRIDGE_CACHE_DIR: cacheFolder() } });
    let printed = '';
    child.stdout.on('data', chunk => { printed += chunk; });
    while (!ready.test(printed)) await sleep(50);
    child.stdin.write('\u0003');
    assert.equal(await new Promise(resolve => { child.once('close', resolve); }), 0, printed);
    assert.match(printed, /leanbridge: ended\r\n$/);
    assert.doesNotMatch(printed, /interrupted/);
  });
  for (const command of ['call lean_check_all A.lean', 'check --grace 0.5 A.lean']) test(`Ctrl-C ends ${command} with a word`, { timeout }, async () => {
    const lake = fakeLake(), cwd = scratchProject({ 'A.lean': 'theorem a : True := by\n  trivial -- slow 600000\n' });
    const child = spawn('script', ['-qec', `'${binary}' ${command} --lake '${lake.command}'`, '/dev/null'], { cwd, stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, LEAN_PROJECT_PATH: '', LEANBRIDGE_CACHE_DIR: cacheFolder() } });
    let printed = '';
    child.stdout.on('data', chunk => { printed += chunk; });
    while (lake.received('textDocument/didOpen').length === 0) await sleep(50);
    child.stdin.write('\u0003');
    assert.equal(await new Promise(resolve => { child.once('close', resolve); }), 130);
    assert.match(printed, /leanbridge: interrupted\r\n$/);
    if (command.startsWith('check')) assert.match(printed, /items under way have 0\.5 s; Ctrl-C ends them at once/);
  });
  test('view opens the browser by a URL that works once, and never by a shell', { timeout }, async () => {
    const programs = temporaryFolder('programs'), project = scratchProject(FILES);
    fs.writeFileSync(path.join(programs, 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$@" > ${programs}/opened.new\nmv ${programs}/opened.new ${programs}/opened\n`, { mode: 0o755 });
    const words = ['-qec', `'${binary}' view A.lean:2 --lake '${fakeLake().command}'`, '/dev/null'];
    const child = spawn('script', words, { cwd: project, stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, DISPLAY: ':9', PATH: `${programs}:${process.env.PATH}`, LEAN_PROJECT_PATH: '', LEANBRIDGE_CACHE_DIR: cacheFolder() } });
    let printed = '';
    child.stdout.on('data', chunk => { printed += chunk; });
    try {
      const said = /viewing (http:\/\/127\.0\.0\.1:\d+)(\/[0-9a-f]{64}\/#2)/;
      while (!fs.existsSync(path.join(programs, 'opened')) || !said.test(printed)) await sleep(50);
      const [url, ...more] = fs.readFileSync(path.join(programs, 'opened'), 'utf8').trim().split('\n');
      const [, origin, token] = said.exec(printed);
      assert.deepEqual([more, url.startsWith(`${origin}/open/`), url.includes(token.slice(1, 65))], [[], true, false], 'the page\'s own URL stands in no process list');
      const first = await fetch(url, { redirect: 'manual' });
      assert.deepEqual([first.status, first.headers.get('location')], [303, token]);
      assert.equal((await fetch(url, { redirect: 'manual' })).status, 404, 'once');
      assert.equal((await fetch(`${origin}/open/${'0'.repeat(64)}`)).status, 404);
    } finally {
      child.kill('SIGTERM');
      await new Promise(resolve => { child.once('close', resolve); });
    }
  });
});

describe('help', () => {
  test('of the program, a command, one below it, and a tool', { timeout }, async () => {
    const [whole, check, login, tool] = await Promise.all([['--help'], ['help', 'check'], ['help', 'mcp', 'auth', 'login'], ['help', 'lean_goal']].map(words => run(words)));
    assert.deepEqual([whole.code, check.code, login.code, tool.code], [0, 0, 0, 0]);
    assert.ok(whole.stdout.indexOf('To begin:') < whole.stdout.indexOf('Proofs:') && whole.stdout.indexOf('Examples:') < whole.stdout.indexOf('Options:'));
    assert.doesNotMatch(whole.stdout, / in \[|TEXT:|INT:|FLOAT/);
    assert.equal(check.stdout, (await run(['check', '--help'])).stdout);
    assert.match(check.stdout, /Usage: leanbridge check \[OPTIONS\] INPUT\.\.\./);
    assert.match(login.stdout, /Usage: leanbridge mcp auth login/);
    assert.match(tool.stdout, /Usage: leanbridge call lean_goal \[FILE\[:LINE\[:COLUMN\]\]\]/);
    assert.equal(tool.stdout, (await run(['call', 'lean_goal', '--help'])).stdout);
    for (const name of ['file_path', 'line', 'column']) assert.ok(tool.stdout.includes(name), name);
  });
  test('of what is none: what may have been meant', { timeout }, async () => {
    const { code, stdout, stderr } = await run(['help', 'lean_gaol']);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /no command and no tool lean_gaol\. Did you mean lean_goal/);
  });
  test('every command has a place in it', { timeout }, async () => {
    const { commands, tools } = JSON.parse((await run(['help', '--json'])).stdout);
    const { stdout } = await run(['--help']);
    assert.doesNotMatch(stdout, /^Commands:/m, 'a command without a group');
    for (const { words } of commands) assert.match(stdout, new RegExp(`^  ${words[1]} `, 'm'));
    const screen = plain(onTerminal(['help'], { width: 80 }).text).trimEnd().split('\n');
    assert.ok(screen.length < 24 && screen.every(line => [...line].length <= 80), `with the next prompt it fits 24 lines of 80 columns:\n${screen.join('\n')}`);
    for (const { words } of commands) assert.equal(screen.filter(line => new RegExp(`^.{12}${words[1]} +\\w`).test(line)).length, 1, `a line for ${words[1]}`);
    assert.ok(tools.find(({ name }) => name === 'lean_goal').arguments.some(({ name }) => name === 'line'));
  });
  test('misspelt words come in the order they were typed', { timeout }, async () => {
    const { code, stderr } = await run(['searhc', '--offlin', 'x']);
    assert.equal(code, 2);
    assert.match(stderr, /^leanbridge: There is no command searhc\. Did you mean search\?\nleanbridge: There is no option --offlin\. Did you mean --offline\?\nRun `leanbridge help search`\.\n$/);
  });
  test('a document that is named is there', { timeout }, async () => {
    for (const words of [['--help'], ['help', 'certify'], ['help', 'setup']])
      for (const [place] of (await run(words)).stdout.matchAll(/\S*docs\/[\w-]+\.md/g)) assert.ok(fs.existsSync(place.replace(/^\(/, '')), place);
  });
  test('each script answers --help with its first comment', { timeout }, () => {
    const folder = path.join(root, 'scripts');
    const scripts = fs.readdirSync(folder).filter(name => fs.statSync(path.join(folder, name)).isFile() && !name.includes('.'));
    assert.ok(scripts.length > 10);
    for (const name of scripts) {
      const file = path.join(folder, name);
      const { status, stdout } = spawnSync(file, ['--help'], { encoding: 'utf8', timeout: 10_000, env: { PATH: '/usr/bin:/bin' } });
      assert.deepEqual([status, stdout.split('\n')[0]], [0, fs.readFileSync(file, 'utf8').split('\n')[1].replace(/^# ?/, '')], name);
    }
  });
});

describe('output', () => {
  test('what could not be written is no success', { timeout }, () => {
    const full = fs.openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(binary, ['tools', '--json'], { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' });
    fs.closeSync(full);
    assert.equal(status, 1);
    assert.match(stderr, /^leanbridge: Not all of the output could be written/);
  });
});

describe('call', () => {
  test('words, --json and both give what a client gets', { timeout }, async () => {
    const project = scratchProject(FILES);
    const lake = fakeLake().command;
    let wanted;
    await withBridge({ project, lake }, async client => { wanted = (await client.call('lean_check_all', { file_path: 'A.lean' })).structured; });
    for (const args of [['file_path=A.lean', 'verbose=true'], ['file=A.lean', 'verbose=true'], ['--json', '{"file_path":"A.lean","verbose":true}'], ['--json', '{"file_path":"A.lean"}', 'timeout_s=20', 'verbose=true']]) {
      const { code, stdout, stderr } = await run(['call', 'lean_check_all', ...args, '--project-root', project, '--lake', lake]);
      assert.equal(code, 0, stderr);
      assert.deepEqual(JSON.parse(stdout), wanted);
      assert.deepEqual(Object.keys(JSON.parse(stdout)), Object.keys(wanted), 'in the order of the tool');
      assert.equal(stdout.trimEnd().split('\n').length, 1, 'compact where it is no terminal');
      assert.equal(stderr, '');
    }
  });
  test('numbers, and the project of the folder it is run in', { timeout }, async () => {
    const { code, stdout } = await inProject(['call', 'lean_goal', 'file=A.lean', 'line=2', 'col=3']);
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout).goals, ['⊢ trivial -- error: wrong']);
  });
  test('a tool error is JSON on stdout and exit code 1', { timeout }, async () => {
    const { code, stdout } = await inProject(['call', 'lean_goal', 'file=No.lean', 'line=2']);
    assert.equal(code, 1);
    assert.equal(JSON.parse(stdout).error.kind, 'file_not_found');
  });
  for (const [what, args, mention] of [['no tool', ['call'], 'TOOL'], ['an unknown tool', ['call', 'lean_magic'], 'lean_magic'], ['a missing argument', ['call', 'lean_goal', 'file=A.lean'], 'line'],
    ['an unknown argument', ['call', 'lean_goal', 'file=A.lean', 'line=2', 'colour=red'], 'colour'], ['a wrong type', ['call', 'lean_goal', 'file=A.lean', 'line=two'], 'line'], ['a line of 309 digits', ['call', 'lean_goal', 'file=A.lean', `line=${'9'.repeat(309)}`], 'an integer, not "[a number of 309 digits]"'], ['a port that is none', ['view', '--port', '99999'], 'leanbridge view: --port takes a number from 0 to 65535, not \'99999\'.'], ['an option of 309 digits', ['--timeout', '9'.repeat(309), 'tools'], '--timeout takes a number from 0.1 to 86400, not'], ['another', ['call', 'lean_goal', 'file=A.lean', `line=${'1'.repeat(309)}`], 'an integer, not "[a number of 309 digits]"'],
    ...[['goal'], ['try'], ['view'], ['call', 'lean_goal']].map(words => [`${words[0]} with a line of 309 digits`, [...words, `A.lean:${'1'.repeat(309)}`, ...(words[0] === 'try' ? ['rfl'] : [])], 'There is no line or column [a number of 309 digits].']),
    ['a column of 309 digits', ['goal', `A.lean:2:${'1'.repeat(309)}`], 'There is no line or column ['], ['the same in front of a column', ['goal', `A.lean:${'1'.repeat(309)}:2`], 'There is no line or column ['],
    ['a file without its line', ['call', 'lean_goal', 'A.lean'], 'line'], ['a word without =', ['call', 'lean_run_code', 'A.lean'], 'A.lean'],
    ['broken JSON', ['call', 'lean_goal', '--json', '{'], '--json'], ['a disabled tool', ['--disable', 'lean_goal', 'call', 'lean_goal'], 'lean_goal'],
    ['a misspelt tool to disable', ['--disable', 'lean_run_code,lean_gaol', 'tools'], 'There is no tool lean_gaol. Did you mean lean_goal'], ['a session with one', ['--disable', 'lean_gaol'], 'mean lean_goal'], ['the same of lean-lsp-mcp', ['--disable-tools', 'leen_build'], 'mean lean_build'],
    ['a description of no tool', ['--tool-descriptions', '{"lean_nothing": "Words."}'], 'no tool lean_nothing'], ['an unknown option', ['call', 'lean_goal', '--colour'], '--colour'], ['an unknown command', ['prove'], 'prove'],
    ['a misspelt command', ['chekc', 'A.lean'], 'mean check?'], ['a misspelt option', ['check', '--job', '2'], 'mean --jobs?'], ['an option of all commands, misspelt', ['check', '--of-line'], 'mean --offline?'],
    ['a misspelt command of a group', ['index', 'bild'], 'mean build?'], ['a tool without call', ['lean_goal', 'file=A.lean'], 'leanbridge call lean_goal']]) {
    test(`${what} is exit code 2, said on stderr`, { timeout }, async () => {
      const { code, stdout, stderr } = await inProject(args);
      assert.equal(code, 2, stdout + stderr);
      assert.equal(stdout, '');
      assert.ok(stderr.includes(mention), stderr);
    });
  }
  test('SIGINT ends it at once, and leaves nothing behind', { timeout }, async () => {
    const lake = fakeLake();
    const { child, ended } = start(['call', 'lean_check_all', 'file=A.lean', '--lake', lake.command], { cwd: scratchProject({ 'A.lean': 'theorem a : True := by\n  trivial -- slow 600000\n' }) });
    while (lake.ofFiles('textDocument/didOpen').length === 0) await sleep(50);
    const tree = descendants(child.pid);
    assert.ok(tree.length > 0);
    const before = performance.now();
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    assert.deepEqual([code, stdout, stderr], [130, '', '']);
    assert.ok(performance.now() - before < 3000);
    await sleep(500);
    assert.deepEqual(survivors(tree), []);
  });
  test('timeout_s ends a wait with what is known', { timeout }, async () => {
    const { code, stdout } = await inProject(['call', 'lean_check_all', 'file=A.lean', 'timeout_s=1'], { files: { 'A.lean': 'theorem a : True := by\n  trivial -- slow 600000\n' } });
    assert.equal(code, 0);
    assert.deepEqual([JSON.parse(stdout).partial, JSON.parse(stdout).timed_out], [true, true]);
  });
});

describe('tools', () => {
  test('--json is tools/list', { timeout }, async () => {
    const { code, stdout } = await run(['tools', '--json']);
    assert.equal(code, 0);
    await withBridge({}, async client => assert.deepEqual(JSON.parse(stdout), await client.listTools()));
  });
  test('the selection counts, and the plain list names every tool', { timeout }, async () => {
    const { tools } = { tools: JSON.parse((await run(['tools', '--json', '--tools', 'server'])).stdout) };
    assert.deepEqual(tools.map(tool => tool.name), ['lean_server_health']);
    const { stdout } = await run(['tools']);
    assert.match(stdout, /^proof\n {2}lean_/m);
    assert.match(stdout, /lean_goal +file_path line column\? format\?/);
    assert.equal((await run(['tools', '--tools', 'prof'])).code, 2);
  });
});

describe('doctor', () => {
  const lake = () => {
    const file = path.join(temporaryFolder('lake'), 'lake');
    fs.writeFileSync(file, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    return file;
  };
  test('--json: every finding, and whether all passed', { timeout }, async () => {
    const { code, stdout } = await run(['doctor', '--json', '--lake', lake(), '--timeout', '5'], { cwd: temporaryFolder('empty') });
    const { passed, findings } = JSON.parse(stdout);
    assert.deepEqual([code, passed], [1, false]);
    assert.ok(findings.some(({ verdict, subject, advice }) => verdict === 'failed' && subject === 'project' && advice));
    assert.ok(findings.some(({ verdict, subject, advice }) => verdict === 'ok' && subject === 'leanbridge' && advice === null));
  });
  test('what earlier runs have left behind: told, and removed by --clean; nothing else is', { timeout }, async () => {
    const runtime = temporaryFolder('run'), cache = temporaryFolder('cache'), folder = path.join(runtime, 'leanbridge');
    fs.mkdirSync(folder, { mode: 0o700 });
    // A socket whose listener has been killed.
    spawnSync(process.execPath, ['-e', `require('net').createServer().listen(${JSON.stringify(path.join(folder, '0.1.0-dead.socket'))}, () => process.kill(process.pid, 'SIGKILL'))`]);
    const alive = path.join(folder, '0.1.0-alive.socket');
    const server = spawn(process.execPath, ['-e', `require('net').createServer(s => s.end()).listen(${JSON.stringify(alive)}, () => console.log('up'))`], { stdio: ['ignore', 'pipe', 'ignore'] });
    await new Promise(resolve => { server.stdout.once('data', resolve); });
    const caches = ['project-1-v4.a.db', 'project-1-v5.a.db', 'search-v1.db'];
    for (const name of caches) fs.writeFileSync(path.join(cache, name), 'x');
    const doctor = async words => (await run(['doctor', '--lake', lake(), '--timeout', '5', ...words], { cwd: temporaryFolder('empty'), env: { XDG_RUNTIME_DIR: runtime, LEANBRIDGE_CACHE_DIR: cache } })).stdout;
    try {
      assert.match(await doctor([]), /^warn {2}leftovers +1 socket of a server that has died, 0 MB of old indexes\n +-> `leanbridge doctor --clean`/m);
      assert.deepEqual(fs.readdirSync(cache).sort(), caches);
      assert.match(await doctor(['--clean']), /^ok {4}leftovers +removed 1 socket/m);
      assert.deepEqual(fs.readdirSync(cache), ['project-1-v5.a.db']);
      assert.deepEqual(fs.readdirSync(folder).filter(name => name.endsWith('.socket')), [path.basename(alive)]);
      assert.match(await doctor(['--clean']), /^ok {4}leftovers +none/m);
    } finally {
      server.kill('SIGKILL');
    }
  });
  test('no project: says so, exit code 1', { timeout }, async () => {
    const { code, stdout } = await run(['doctor', '--lake', fakeLake().command, '--timeout', '5'], { cwd: temporaryFolder('empty') });
    assert.equal(code, 1);
    assert.match(stdout, /^FAIL {2}project .*\n +-> /m);
  });
  test('no lake: says what to install, exit code 1', { timeout }, async () => {
    const { code, stdout } = await run(['doctor'], { cwd: scratchProject(FILES), env: { PATH: temporaryFolder('path'), HOME: temporaryFolder('home') } });
    assert.equal(code, 1);
    assert.match(stdout, /^FAIL {2}lake .*\n +-> .*elan/m);
  });
  test('packages that are not fetched', { timeout }, async () => {
    const manifest = JSON.stringify({ version: '1.1.0', packagesDir: '.lake/packages', packages: [{ type: 'git', name: 'mathlib', url: 'https://example.org/x' }] });
    const { code, stdout } = await run(['doctor', '--lake', '/nowhere/lake'], { cwd: scratchProject({ ...FILES, 'lake-manifest.json': manifest }) });
    assert.equal(code, 1);
    assert.match(stdout, /^FAIL {2}build .*mathlib/m);
  });
  test('Mathlib that is fetched, but not compiled', { timeout }, async () => {
    const manifest = JSON.stringify({ version: '1.1.0', packagesDir: '.lake/packages', packages: [{ type: 'git', name: 'mathlib', url: 'https://example.org/x' }] });
    const project = scratchProject({ ...FILES, 'lake-manifest.json': manifest, '.lake/packages/mathlib/Mathlib.lean': '' });
    const { stdout } = await run(['doctor', '--lake', '/nowhere/lake'], { cwd: project });
    assert.match(stdout, /^warn {2}cache +Mathlib is not compiled: `lake exe cache get` has not run\n +-> Run `lake exe cache get`\./m);
    assert.doesNotMatch(stdout, /^FAIL {2}build/m);
  });
  test('a Lean that does not start', { timeout }, async () => {
    const lake = path.join(temporaryFolder('bad'), 'lake');
    fs.writeFileSync(lake, '#!/bin/sh\n[ "$1" = --version ] && echo "Lake version 5 (Lean version 4)" && exit 0\necho "no such toolchain" >&2\nexit 1\n', { mode: 0o755 });
    const { code, stdout } = await run(['doctor', '--lake', lake, '--timeout', '10'], { cwd: scratchProject(FILES) });
    assert.equal(code, 1);
    assert.match(stdout, /^ok {4}lake .*Lake version 5/m);
    assert.match(stdout, /^FAIL {2}lean .*/m);
  });
  test('an old Lean, a worktree without Mathlib, few files, and another server for the same job', { timeout }, async () => {
    const manifest = JSON.stringify({ version: '1.1.0', packagesDir: '.lake/packages', packages: [{ type: 'git', name: 'mathlib', url: 'https://example.org/x' }] });
    const compiled = '.lake/packages/mathlib/.lake/build/lib/lean/Mathlib/Init.olean';
    const main = scratchProject({ ...FILES, 'lake-manifest.json': manifest, [compiled]: '' });
    const tree = scratchProject({ ...FILES, 'lake-manifest.json': manifest, '.git': `gitdir: ${main}/.git/worktrees/tree\n`, '.lake/packages/mathlib/Mathlib.lean': '' });
    const home = temporaryFolder('home');
    fs.mkdirSync(path.join(home, '.codex'));
    fs.writeFileSync(path.join(home, '.codex/config.toml'), '[mcp_servers.lsp]\ncommand = "uvx"\nargs = ["lean-lsp-mcp"]\n');
    fs.writeFileSync(path.join(tree, '.mcp.json'), '{"mcpServers": {"lean": {"command": "leanbridge"}}}');
    fs.mkdirSync(path.join(home, '.gemini'));
    fs.writeFileSync(path.join(home, '.gemini/settings.json'), '{\n');
    const lake = path.join(temporaryFolder('old'), 'lake');
    fs.writeFileSync(lake, '#!/bin/sh\n[ "$1" = --version ] && echo "Lake version 5.0.0 (Lean version 4.32.0)" && exit 0\nexit 1\n', { mode: 0o755 });
    const { status, stdout } = spawnSync('/bin/sh', ['-c', 'ulimit -n 512; exec "$@"', 'sh', binary, 'doctor', '--lake', lake, '--timeout', '10'], { cwd: tree, encoding: 'utf8', timeout: 30_000, env: { ...process.env, HOME: home, CODEX_HOME: '', CLAUDE_CONFIG_DIR: '', XDG_CONFIG_HOME: '', LEAN_PROJECT_PATH: '' } });
    assert.equal(status, 1, stdout);
    for (const line of [/^warn {2}soundness +Lean 4\.32\.0 has known defects; Lean \d[\d.]+ has none of them/m, /^warn {2}worktree .*has one\n +-> .*lake exe cache get/m, /^warn {2}limits .*only 512 files/m,
      /^warn {2}hosts +Codex: .*config\.toml names 'lsp', lean-lsp-mcp/m, /^ok {4}hosts +Claude Code: .*\.mcp\.json starts leanbridge as 'lean'/m, /^warn {2}hosts +Gemini CLI: .*settings\.json:2:1: /m, isPosixAlone ? /^warn {2}memory +how much memory is free is not known$/m : /^(ok {2}|warn) {2}memory .*workers of 3 GB/m]) assert.match(stdout, line);
    assert.ok(!stdout.includes('cache       '), 'said once');
  });
});
