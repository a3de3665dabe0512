// leanbridge mcp …: other servers from the command line, and --save-media. No Lean is needed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { binary, cacheFolder, isSanitized, runBinary, temporaryFolder } from '../support/bridge.mjs';
import { McpClient } from '../support/mcp-client.mjs';
import { descendants, survivors } from '../support/processes.mjs';
import { call, everything, fake, modern, ready, stdio, support, textOf, toml, until, withUpstreams } from '../support/upstreams.mjs';

const timeout = 240_000;  // some tests start a dozen servers, and a busy machine takes seconds for each
// How long to wait for a hanging server: long enough for the others, even on a busy machine.
const HANG_S = isSanitized() ? 25 : 8;
const every = stdio('every', [everything, 'stdio']);
const BAD = '[[servers]]\nname = "bad"\ntransport = "stdio"\n';
const PNG = [0x89, 0x50, 0x4e, 0x47];

/** A workspace and a home whose files configure these servers. */
function place({ workspace: servers = '', home: own } = {}) {
  const workspace = temporaryFolder('workspace'), home = temporaryFolder('home');
  for (const [folder, text] of [[workspace, servers], [home, own]]) {
    if (text === undefined) continue;
    fs.mkdirSync(path.join(folder, '.leanbridge'));
    fs.writeFileSync(path.join(folder, '.leanbridge/mcp-servers.toml'), text);
  }
  return { workspace, home, trustFile: path.join(home, '.config/leanbridge/trusted-servers.json') };
}

const CLEAN = { XDG_CONFIG_HOME: '', CLAUDE_PROJECT_DIR: '', LEAN_PROJECT_PATH: '', LEAN_MCP_DISABLED_TOOLS: '', LEAN_LOG_LEVEL: '', LEANBRIDGE_UPSTREAM: '', LEANBRIDGE_SAVE_MEDIA: '' };

function start(where, args, { env = {}, input, program = binary } = {}) {
  const child = spawn(program, args, { cwd: where.workspace, env: { ...process.env, ...CLEAN, LEANBRIDGE_CACHE_DIR: cacheFolder(), HOME: where.home, ...env }, stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) { child[name].setEncoding('utf8'); child[name].on('data', chunk => { text[name] += chunk; }); }
  child.stdin?.on('error', () => {}).end(input);   // it may end without reading
  return { child, ended: new Promise(resolve => { child.once('close', code => resolve({ code, ...text })); }) };
}
const mcp = (where, args, options) => start(where, ['mcp', ...args], options).ended;
/** The same with --upstream all. */
const all = (where, args, options) => mcp(where, ['--upstream', 'all', ...args], options);
/** Runs it on a terminal, which `script` provides. */
const onTerminal = (where, args, input = '') => start(where, ['-qec', `NO_COLOR=1 ${[binary, 'mcp', ...args].map(word => `'${word}'`).join(' ')}`, '/dev/null'], { input, program: 'script' }).ended;
const rows = ({ stdout }) => stdout.replace(/\n$/, '').split('\n').map(line => line.split('\t'));
const entriesOf = log => (fs.existsSync(log) ? fs.readFileSync(log, 'utf8').trim().split('\n').filter(Boolean).map(line => JSON.parse(line)) : []);
const modeOf = file => (fs.statSync(file).mode & 0o777).toString(8);

describe('list', () => {
  test('what is there, whose consent it has, and what is wrong; nothing is started', { timeout }, async () => {
    const log = path.join(temporaryFolder('log'), 'log');
    const where = place({ workspace: fake('one', `log=${log}`) + BAD + fake('two', `log=${log}`), home: fake('own', `log=${log}`) });
    assert.equal((await mcp(where, ['trust', 'two', '--yes'])).code, 0);
    const plain = await mcp(where, ['list']);
    assert.equal(plain.code, 0);
    assert.equal(plain.stderr, '');
    const file = folder => path.join(folder, '.leanbridge/mcp-servers.toml');
    assert.deepEqual(rows(plain).map(row => [...row.slice(0, 3), row[3].replace(/:\d+$/, '')]), [
      ['one', 'stdio', 'none', file(where.workspace)], ['own', 'stdio', 'not needed', file(where.home)], ['two', 'stdio', 'trusted', file(where.workspace)], ['bad', '-', 'bad entry', file(where.workspace)]]);
    const whole = JSON.parse((await mcp(where, ['list', '--json'])).stdout);
    assert.equal(whole.workspace, where.workspace);
    assert.equal(whole.trust_file, where.trustFile);
    assert.deepEqual(whole.servers.map(({ name, consent, origin }) => [name, consent, origin]), [['one', 'none', 'workspace'], ['own', 'not needed', 'user'], ['two', 'trusted', 'workspace']]);
    assert.ok(whole.servers[0].command.includes('fake-upstream.mjs'));
    assert.equal(whole.problems.length, 1);
    assert.deepEqual([whole.problems[0].server, typeof whole.problems[0].line], ['bad', 'number']);
    assert.match(whole.problems[0].message, /'command' is missing/);
    const consents = async args => JSON.parse((await mcp(where, [...args, 'list', '--json'])).stdout).servers.map(each => each.consent);
    assert.deepEqual(await consents(['--upstream', 'one']), ['--upstream', 'not needed', 'trusted']);
    assert.deepEqual(await consents(['--upstream', 'none']), ['off', 'off', 'off']);
    assert.equal(fs.existsSync(log), false);
  });
  test('values of the environment and of headers are not shown', { timeout }, async () => {
    const where = place({ workspace: `${fake('one').trimEnd()}\nenv = { KEY = "s3cret-env" }\n[[servers]]\nname = "far"\ntransport = "http"\nurl = "https://example.org/mcp"\nheaders = { "X-Key" = "s3cret-header" }\n` });
    for (const args of [['list'], ['list', '--json']]) {
      const { code, stdout, stderr } = await mcp(where, args);
      assert.equal(code, 0, stderr);
      assert.ok(!(stdout + stderr).includes('s3cret'), stdout);
    }
    const [far, one] = JSON.parse((await mcp(where, ['list', '--json'])).stdout).servers;
    assert.deepEqual([one.env, far.headers, far.url], ['KEY', 'X-Key', 'https://example.org/mcp']);
  });
  test('nothing is configured: reported, but no failure', { timeout }, async () => {
    for (const command of ['list', 'test', 'tools', 'prompts']) {
      const { code, stdout, stderr } = await mcp(place(), [command]);
      assert.deepEqual([command, code, stdout], [command, 0, '']);
      assert.match(stderr, /No other servers are configured/);
    }
  });
});

describe('test', () => {
  test('all are well: era, name and counts of each', { timeout }, async () => {
    const where = place({ home: fake('old', 'tools=a,b', 'prompts=p') + modern });
    const { code, stdout, stderr } = await mcp(where, ['test', '--json']);
    assert.equal(code, 0, stderr);
    const { servers } = JSON.parse(stdout);
    assert.deepEqual(servers.map(({ name, status, era, tools, prompts, server }) => [name, status, era, tools, prompts, server.name]), [['modern', 'ok', 'modern', servers[0].tools, 1, 'modern'], ['old', 'ok', 'legacy', 2, 1, 'fake']]);
    for (const { ms } of servers) assert.equal(typeof ms, 'number');
    const [, old] = rows(await mcp(where, ['test']));
    assert.deepEqual([old[0], old[1], old[3], old[4], old[5]], ['old', 'ok', 'fake 1', '2', '1']);
  });
  test('one that hangs, one that crashes, a missing one, a bad entry: the others are fine', { timeout }, async () => {
    const where = place({ home: fake('well') + fake('mute', 'start=mute') + fake('dead', 'start=crash') + '[[servers]]\nname = "absent"\ntransport = "stdio"\ncommand = "no-such-program-xyz"\n' + BAD, workspace: fake('untrusted') });
    const [result, whole] = await Promise.all([[], ['--json']].map(more => mcp(where, ['--timeout', String(HANG_S), 'test', ...more])));
    assert.equal(result.code, 1);
    const byName = Object.fromEntries(rows(result).map(row => [row[0], row]));
    assert.deepEqual(Object.fromEntries(Object.entries(byName).map(([name, row]) => [name, row[1]])), { absent: 'FAILED', dead: 'FAILED', mute: 'FAILED', well: 'ok', untrusted: 'no consent', bad: 'bad entry' });
    assert.match(byName.mute[7], new RegExp(`did not finish the handshake within ${HANG_S} s`));
    assert.match(byName.dead[7], /exit code 3.*cannot read the file of keys/);
    assert.match(byName.absent[7], /no-such-program-xyz/);
    const { servers, problems } = JSON.parse(whole.stdout);
    assert.deepEqual(servers.map(({ name, status, error }) => [name, status, error?.kind]), [['absent', 'failed', 'backend_unavailable'], ['dead', 'failed', 'backend_unavailable'], ['mute', 'failed', 'timeout'], ['well', 'ok', undefined], ['untrusted', 'needs_consent', undefined]]);
    assert.equal(problems.length, 1);
  });
  test('they are connected all at once', { timeout }, async () => {
    const meeting = temporaryFolder('meeting');
    const { code, stdout } = await mcp(place({ home: ['a', 'b', 'c'].map(name => fake(name, `meet=${meeting},3`)).join('') }), ['test']);
    assert.equal(code, 0, stdout);
  });
  test('one by its name: only that one is started', { timeout }, async () => {
    const log = path.join(temporaryFolder('log'), 'log');
    const where = place({ home: fake('well') + fake('other', 'start=crash', `log=${log}`), workspace: fake('untrusted') + BAD });
    const result = await mcp(where, ['test', 'well']);
    assert.deepEqual([result.code, rows(result).length], [0, 1], result.stdout);
    assert.equal(fs.existsSync(log), false);
    const unknown = await mcp(where, ['test', 'nobody']);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /no server nobody.*other, well, untrusted/);
    const untrusted = await mcp(where, ['test', 'untrusted']);
    assert.equal(untrusted.code, 1);
    assert.match(untrusted.stderr, /needs consent.*leanbridge mcp trust untrusted/);
    assert.match((await mcp(where, ['test', 'bad'])).stderr, /'command' is missing/);
    assert.equal((await mcp(where, ['--upstream', 'none', 'test', 'well'])).code, 2);
  });
});

describe('tools and prompts', () => {
  test('offered names, own names, a sentence', { timeout }, async () => {
    const odd = JSON.stringify({ name: 'nöt 😀', description: 'Line\none \u001b[31mred\u001b[0m. And more.', inputSchema: { type: 'object' } });
    const where = place({ home: fake('f', 'tools=alpha', `tool=${odd}`, 'prompts=idea') + fake('dead', 'start=crash') });
    const result = await mcp(where, ['tools']);
    assert.equal(result.code, 1, 'since one failed');
    assert.match(result.stderr, /dead ended with exit code 3/);
    assert.deepEqual(rows(result)[0], ['f__alpha', 'alpha', 'The tool alpha.']);
    assert.match(rows(result)[1][0], /^f__n_t_[0-9a-f]{8}$/);
    assert.deepEqual(rows(result)[1].slice(1), ['nöt 😀', 'Line one red.']);
    const whole = JSON.parse((await mcp(where, ['tools', '--json'])).stdout);
    assert.deepEqual(whole.tools.map(({ server, own_name: own }) => [server, own]), [['f', 'alpha'], ['f', 'nöt 😀']]);
    assert.equal(whole.tools[0].inputSchema.type, 'object');
    assert.deepEqual(whole.failed.map(({ server, error }) => [server, error.kind]), [['dead', 'backend_unavailable']]);
    assert.deepEqual(rows(await mcp(where, ['prompts', 'f'])), [['f__idea', 'idea', '']]);
    assert.equal((await mcp(where, ['tools', 'f'])).code, 0);
    assert.equal((await mcp(where, ['tools', 'g'])).code, 2);
  });
  test('a server may be called as a command is', { timeout }, async () => {
    const where = place({ home: fake('tools', 'tools=call') });
    assert.deepEqual(rows(await mcp(where, ['tools', 'tools'])), [['tools__call', 'call', 'The tool call.']]);
    assert.equal((await mcp(where, ['call', 'tools', 'call'])).code, 0);
  });
});

describe('call', () => {
  test('server-everything: numbers by the schema, text, images, resources, links', { timeout }, async () => {
    const where = place({ workspace: every });
    const ask = (...args) => all(where, ['call', 'every', ...args]);
    const sum = await ask('get-sum', 'a=2', 'b=40');
    assert.equal(sum.code, 0, sum.stderr);
    assert.match(sum.stdout, /^The sum of 2 and 40 is 42\.\n$/);
    assert.equal(sum.stderr, '');
    assert.match((await ask('every__echo', 'message=1')).stdout, /1/, 'by its offered name, and a string that looks like a number');
    const whole = await ask('echo', '--json', '{"message":"x₁ 😀"}');
    assert.match(textOf(JSON.parse(whole.stdout)), /x₁ 😀/);
    assert.equal(whole.stdout.trimEnd().split('\n').length, 1);
    const image = await ask('get-tiny-image');
    assert.match(image.stdout, /^\[image image\/png, [\d.]+ (bytes|KiB)\]$/m);
    assert.match((await ask('get-resource-reference')).stdout, /^\[resource demo:\/\/\S+ text\/plain, \d+ bytes\]$/m);
    assert.match((await ask('get-resource-links', 'count=1')).stdout, /^\[link .* demo:\/\/\S+\]$/m);
    assert.equal(JSON.parse((await ask('get-structured-content', 'location=New York', '--json')).stdout).structuredContent.conditions, 'Cloudy');
    const wrong = await ask('get-sum', 'a=two', 'b=1');
    assert.equal(wrong.code, 1);
    assert.match(wrong.stdout, /a|number/);
    const unknown = await ask('get-magic');
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /every has no tool get-magic\. Its tools: .*get-sum/);
  });
  test('--save-media: private files with names that say what they are, never overwritten', { timeout }, async () => {
    const where = place({ workspace: every + fake('f') });
    const folder = path.join(where.home, 'a/media');
    const ask = (...args) => all(where, ['--save-media', folder, 'call', ...args]);
    const first = await ask('every', 'get-tiny-image');
    const file = path.join(folder, 'every-get-tiny-image-image-1.png');
    assert.ok(first.stdout.includes(`saved to ${file}]`), first.stdout);
    assert.deepEqual([...fs.readFileSync(file).subarray(0, 4)], PNG);
    assert.deepEqual([modeOf(file), modeOf(folder)], ['600', '700']);
    const again = JSON.parse((await ask('every', 'get-tiny-image', '--json')).stdout);
    assert.ok(again.content.at(-1).text.includes('every-get-tiny-image-image-2.png'));
    assert.equal(again.content.find(block => block.type === 'image').mimeType, 'image/png');
    const audio = await ask('f', 'echo', 'do=audio');
    assert.match(audio.stdout, /^\[audio audio\/wav, 4 bytes, saved to .*f-echo-audio-1\.wav\]\n\[link x test:\/\/x\]\n$/);
    assert.equal((await ask('every', 'get-resource-reference', 'resourceType=Blob')).code, 0);
    assert.equal(fs.readdirSync(folder).length, 4);
    fs.chmodSync(folder, 0o777);
    const refused = await ask('every', 'get-tiny-image');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /not private/);
    assert.match(refused.stdout, /\[image image\/png/, 'the result is shown all the same');
    assert.equal(fs.readdirSync(folder).length, 4);
  });
  test('errors: of the tool 1, of usage 2', { timeout }, async () => {
    const where = place({ home: fake('f') + stdio('slow', [support('fake-upstream.mjs')], 'timeout_s = 0.5'), workspace: fake('untrusted') });
    const ask = (...args) => mcp(where, ['call', ...args]);
    const failed = await ask('f', 'echo', 'do=failed');
    assert.deepEqual([failed.code, failed.stdout], [1, 'It did not work.\n']);
    const error = await ask('f', 'echo', 'do=error');
    assert.deepEqual([error.code, error.stdout], [1, '']);
    assert.match(error.stderr, /refused tools\/call \(-32602\): no such thing/);
    assert.match(JSON.parse((await ask('f', 'echo', 'do=error', '--json')).stdout).error.message, /no such thing/);
    const crashed = await ask('f', 'echo', 'do=crash');
    assert.equal(crashed.code, 1);
    assert.match(crashed.stderr, /exit code 7/);
    for (const hanging of await Promise.all([ask('slow', 'echo', 'do=hang'), ask('f', 'echo', 'do=hang', '--timeout', String(HANG_S))])) {
      assert.equal(hanging.code, 1);
      assert.match(hanging.stderr, /did not answer tools\/call in time/);
    }
    for (const [args, mention] of [[['f', 'echo', 'word'], /"word" is not an argument/], [['f', 'echo', '{'], /not a JSON object/], [['f', 'echo', 'a=1', 'a=2'], /given twice/], [['f'], /TOOL/], [['nobody', 'echo'], /no server nobody/]]) {
      const { code, stdout, stderr } = await ask(...args);
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, mention);
    }
    const untrusted = await ask('untrusted', 'echo');
    assert.equal(untrusted.code, 1);
    assert.match(untrusted.stderr, /leanbridge mcp trust untrusted/);
  });
  test('SIGINT cancels the call at the server, and leaves nothing behind', { timeout }, async () => {
    const log = path.join(temporaryFolder('log'), 'log');
    const { child, ended } = start(place({ home: fake('f', `log=${log}`) }), ['mcp', 'call', 'f', 'echo', 'do=hang']);
    const asked = await until('the call', () => entriesOf(log).find(entry => entry.method === 'tools/call'));
    const tree = descendants(child.pid);
    assert.ok(tree.length > 0);
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    assert.deepEqual([code, stdout], [130, '']);
    const cancelled = entriesOf(log).find(entry => entry.method === 'notifications/cancelled');
    assert.equal(cancelled?.params.requestId, asked.id);
    await until('nothing is left', () => survivors(tree).length === 0);
  });
  test('SIGINT while it connects', { timeout }, async () => {
    const log = path.join(temporaryFolder('log'), 'log');
    const { child, ended } = start(place({ home: fake('f', `log=${log}`, 'start=mute') }), ['mcp', 'test']);
    await until('it is asked', () => entriesOf(log).length > 1);
    const tree = descendants(child.pid);
    child.kill('SIGINT');
    assert.equal((await ended).code, 130);
    await until('nothing is left', () => survivors(tree).length === 0);
  });
});

describe('trust', () => {
  test('there and back: what is trusted is shown, holds for the entry as it was, and is written privately', { timeout }, async () => {
    const where = place({ workspace: `${fake('f', 'a b').trimEnd()}\nenv = { KEY = "\${NOT_SHOWN:-x}" }\n` });
    const file = path.join(where.workspace, '.leanbridge/mcp-servers.toml');
    assert.equal((await mcp(where, ['call', 'f', 'echo'])).code, 1);
    const given = await mcp(where, ['trust', 'f', '--yes']);
    assert.equal(given.code, 0, given.stderr);
    assert.ok(given.stdout.includes(`${file}:1: server f, stdio`), given.stdout);
    assert.match(given.stdout, /^ {2}command +\/.*fake-upstream\.mjs 'a b'$/m);
    assert.match(given.stdout, /^ {2}env +KEY=\$\{NOT_SHOWN:-x\}$/m);
    assert.deepEqual([modeOf(where.trustFile), modeOf(path.dirname(where.trustFile))], ['600', '700']);
    assert.equal(JSON.parse(fs.readFileSync(where.trustFile, 'utf8')).trusted.length, 1);
    assert.deepEqual(fs.readdirSync(path.dirname(where.trustFile)), ['trusted-servers.json']);
    assert.equal((await mcp(where, ['call', 'f', 'echo'])).code, 0);
    assert.match((await mcp(where, ['trust', 'f'])).stdout, /trusted already/);

    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('a b', 'a c'));
    assert.equal((await mcp(where, ['call', 'f', 'echo'])).code, 1, 'the entry is another one');
    assert.equal((await mcp(where, ['trust', 'f', '--yes'])).code, 0);
    assert.equal((await mcp(where, ['untrust', 'f'])).code, 0);
    assert.deepEqual(JSON.parse(fs.readFileSync(where.trustFile, 'utf8')).trusted, [], 'both are taken back');
    assert.equal((await mcp(where, ['call', 'f', 'echo'])).code, 1);
    const again = await mcp(where, ['untrust', 'f']);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /no consent to f/);
  });
  test('all that the entry says is shown, and nothing in it hides the rest', { timeout }, async () => {
    const where = place({ workspace: `[[servers]]\nname = "f"\ntransport = "stdio"\ncommand = "node"\nargs = ["a\\u001b[2Kb", "\\u202ec", "$(x)"]\ncwd = "sub"\ntools = ["only"]\ntimeout_s = 7\nenv = { NODE_OPTIONS = "--require ./evil.js", SECRET = "\${THE_SECRET}" }\n`
      + '[[servers]]\nname = "far"\ntransport = "http"\nurl = "https://example.org/mcp"\nheaders = { "X-Key" = "k1 k2" }\n[servers.auth]\nauth_type = "oauth"\ntoken_url = "https://id.example.org/token"\n' });
    const shown = async name => { const { code, stdout, stderr } = await mcp(where, ['trust', name, '--yes'], { env: { THE_SECRET: 's3cret-of-mine' } }); assert.equal(code, 0, stderr); return stdout; };
    const program = await shown('f');
    for (const line of ["command +node 'a\\\\u\\{1b\\}\\[2Kb' '\\\\u\\{202e\\}c' '\\$\\(x\\)'", "env +NODE_OPTIONS='--require ./evil.js'", 'env +SECRET=\\$\\{THE_SECRET\\}', 'cwd +sub', 'tools +\\["only"\\]', 'timeout_s +7']) assert.match(program, new RegExp(`^ {2}${line}$`, 'm'));
    assert.doesNotMatch(program, /[\u001b\u202e]|s3cret/);
    const remote = await shown('far');
    for (const line of ['url +https://example.org/mcp', "headers +X-Key='k1 k2'", 'auth +token_url=https://id.example.org/token']) assert.match(remote, new RegExp(`^ {2}${line}$`, 'm'));
  });
  test('without a terminal nobody is taken to agree', { timeout }, async () => {
    const where = place({ workspace: fake('f') });
    for (const options of [{}, { input: 'y\n' }]) {
      const { code, stdout, stderr } = await mcp(where, ['trust', 'f'], options);
      assert.equal(code, 1);
      assert.match(stdout, /fake-upstream\.mjs/, 'but it is shown');
      assert.match(stderr, /Nothing was changed.*--yes/);
      assert.equal(fs.existsSync(where.trustFile), false);
    }
  });
  test('a folder that others can write to is taken from them first', { timeout }, async () => {
    const where = place({ workspace: fake('f') });
    const folder = path.dirname(where.trustFile);
    fs.mkdirSync(folder, { recursive: true });
    fs.chmodSync(folder, 0o777);
    const { code, stderr } = await mcp(where, ['trust', 'f', '--yes']);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /was writable by other users; removed their permission/);
    assert.equal(modeOf(folder), '755');
  });
  test('at once: none is lost', { timeout }, async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const where = place({ workspace: names.map(name => fake(name)).join('') });
    for (const { code } of await Promise.all(names.map(name => mcp(where, ['trust', name, '--yes'])))) assert.equal(code, 0);
    assert.deepEqual(JSON.parse(fs.readFileSync(where.trustFile, 'utf8')).trusted.map(each => each.name).sort(), names);
  });
  test('what needs none, what is not there, what is wrong, a file that others can write', { timeout }, async () => {
    const where = place({ workspace: fake('f') + BAD, home: fake('own') });
    assert.match((await mcp(where, ['trust', 'own'])).stdout, /needs no consent/);
    for (const [name, wanted, mention] of [['nobody', 2, /no server nobody/], ['bad', 1, /'command' is missing/]]) {
      const { code, stderr } = await mcp(where, ['trust', name]);
      assert.equal(code, wanted);
      assert.match(stderr, mention);
    }
    assert.equal((await mcp(where, ['trust'])).code, 2);
    assert.equal((await mcp(where, ['trust', 'f', '--yes'])).code, 0);
    fs.chmodSync(where.trustFile, 0o666);
    for (const command of ['trust', 'untrust']) {
      const { code, stderr } = await mcp(where, [command, 'f']);
      assert.equal(code, 1);
      assert.match(stderr, /can be written by others/);
    }
  });
  test('a workspace entry of the name of a home one is trusted as itself', { timeout }, async () => {
    const where = place({ workspace: fake('f', 'tools=theirs'), home: fake('f', 'tools=mine') });
    const tools = async () => rows(await mcp(where, ['tools', 'f'])).map(row => row[1]);
    assert.deepEqual(await tools(), ['mine']);
    assert.ok((await mcp(where, ['trust', 'f', '--yes'])).stdout.includes('tools=theirs'));
    assert.deepEqual(await tools(), ['theirs']);
  });
});

describe('on a terminal', () => {
  test('columns are aligned, whatever the names hold', { timeout }, async () => {
    const where = place({ home: fake('名前') + fake('😀') + fake('plain') });
    const { code, stdout } = await onTerminal(where, ['list']);
    assert.equal(code, 0);
    const lines = stdout.replaceAll('\r', '').trimEnd().split('\n');
    assert.match(lines[0], /^NAME +TRANSPORT +CONSENT +FILE$/);
    const cells = text => [...text].reduce((sum, c) => sum + (/[名前😀]/u.test(c) ? 2 : 1), 0);
    const column = cells(lines[0].slice(0, lines[0].indexOf('TRANSPORT')));
    assert.equal(lines.length, 4);
    for (const line of lines.slice(1)) assert.equal(cells(line.slice(0, line.indexOf('stdio'))), column, line);
  });
  test('a name that hides something is a bad entry, and shown without it', { timeout }, async () => {
    const where = place({ home: fake('plain\u202Etxt') });
    const { stdout } = await onTerminal(where, ['list']);
    assert.match(stdout, /plaintxt +- +bad entry/);
    assert.ok(!stdout.includes('\u202E'));
  });
  test('consent is asked for', { timeout }, async () => {
    const where = place({ workspace: fake('f') });
    const no = await onTerminal(where, ['trust', 'f'], 'n\n');
    assert.equal(no.code, 1);
    assert.match(no.stdout, /\[y\/N\]/);
    assert.equal(fs.existsSync(where.trustFile), false);
    assert.equal((await onTerminal(where, ['trust', 'f'], 'y\n')).code, 0);
    assert.equal(JSON.parse(fs.readFileSync(where.trustFile, 'utf8')).trusted.length, 1);
  });
  test('a tool\'s output does not control it', { timeout }, async () => {
    const where = place({ home: fake('f') });
    const content = JSON.stringify({ do: 'content', content: [{ type: 'text', text: 'a\u001b]0;title\u0007\u001b[2Jb\n  c\td\n' }] });
    const { stdout } = await onTerminal(where, ['call', 'f', 'echo', content]);
    assert.equal(stdout.replaceAll('\r', '').replaceAll('\u001b[K', ''), 'a]0;titleb\n  c\td\n');
    assert.equal((await mcp(where, ['call', 'f', 'echo', content])).stdout, 'a\u001b]0;title\u0007\u001b[2Jb\n  c\td\n', 'but programs get it whole');
  });
});

describe('serve-config', () => {
  test('it parses, and what it says starts a server with the flags in force', { timeout }, async () => {
    const where = place({ workspace: fake('f') });
    fs.mkdirSync(path.join(where.workspace, 'project'));
    fs.writeFileSync(path.join(where.workspace, 'project/lakefile.toml'), 'name = "x"\n');
    const { code, stdout, stderr } = await start(where, ['--project-root', 'project', '--upstream', 'f', '--tools', 'core', '--lazy-upstream', '--save-media=m', 'mcp', 'serve-config', '--timeout', '60', '--', '-Dx=1'], { env: { LEAN_LOG_LEVEL: 'info', LEANBRIDGE_CACHE_DIR: 'cache' } }).ended;
    assert.equal(code, 0, stderr);
    assert.equal(stderr, '');
    const { command, args, env } = JSON.parse(stdout).mcpServers.lean;
    assert.equal(command, fs.realpathSync(binary));
    const at = flag => args[args.indexOf(flag) + 1];
    assert.equal(at('--project-root'), path.join(where.workspace, 'project'));
    assert.equal(at('--save-media'), path.join(where.workspace, 'm'));
    assert.deepEqual([at('--upstream'), at('--tools'), at('--timeout')], ['f', 'core', '60']);
    assert.ok(args.includes('--lazy-upstream') && !args.includes('mcp') && !args.includes('true'));
    assert.deepEqual(args.slice(-2), ['--', '-Dx=1']);
    assert.deepEqual(env, { LEAN_LOG_LEVEL: 'info', LEANBRIDGE_CACHE_DIR: path.join(where.workspace, 'cache') });

    const client = new McpClient({ command, args, cwd: temporaryFolder('elsewhere'), env: { ...CLEAN, HOME: where.home, ...env }, label: 'serve-config' });
    try {
      await client.connect({});
      assert.equal(client.server.serverInfo.name, 'leanbridge');
      const names = (await client.request('tools/list', {})).tools.map(tool => tool.name);
      assert.ok(names.includes('lean_goal') && !names.includes('lean_profile_proof'));
      await client.close();
    } finally {
      await client.destroy();
    }
  });
  test('without flags; other hosts', { timeout }, async () => {
    const where = place();
    const config = async (...args) => JSON.parse((await mcp(where, ['serve-config', ...args], { env: { LEANBRIDGE_CACHE_DIR: '' } })).stdout);
    assert.deepEqual(await config('--json'), { mcpServers: { lean: { command: fs.realpathSync(binary), args: [] } } });
    assert.deepEqual(await config('--host', 'vscode'), { servers: { lean: { type: 'stdio', command: fs.realpathSync(binary), args: [] } } });
    assert.deepEqual((await config('--host', 'opencode', '--tools', 'core')).mcp.lean.command, [fs.realpathSync(binary), '--tools', 'core']);
    assert.deepEqual(await config('--host', 'claude'), await config());
    const { stdout } = await mcp(where, ['serve-config', '--host', 'codex', '--tools', 'core'], { env: { LEANBRIDGE_CACHE_DIR: '' } });
    assert.equal(stdout, `[mcp_servers.lean]\nargs = ["--tools", "core"]\ncommand = "${fs.realpathSync(binary)}"\ntool_timeout_sec = 600\n`);
    for (const wrong of [['--host', 'other'], ['--host', 'codex', '--json']]) assert.equal((await mcp(where, ['serve-config', ...wrong])).code, 2);
  });
});

describe('serve --save-media', () => {
  test('the content passes through, and a text says where the files are', { timeout }, async () => {
    const media = path.join(temporaryFolder('media'), 'm');
    await withUpstreams(every + fake('f'), { args: ['--upstream', 'all'], env: { LEANBRIDGE_SAVE_MEDIA: media } }, async client => {
      await ready(client, 'every', 'f');
      const { content } = await call(client, 'every__get-tiny-image');
      const image = content.find(block => block.type === 'image');
      const file = path.join(media, 'every-get-tiny-image-image-1.png');
      assert.ok(content.at(-1).text.includes(file));
      assert.deepEqual(fs.readFileSync(file), Buffer.from(image.data, 'base64'));
      const echoed = await call(client, 'f__echo', { text: 'x' });
      assert.equal(echoed.content.length, 1, 'nothing is added where there is no media');
    });
  });
  test('a URL is no folder', { timeout }, async () => {
    for (const url of ['https://example.org/media', 'file:///tmp/media', 's3://bucket']) {
      const { code, stdout, stderr } = await runBinary(['--save-media', url]);
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.ok(stderr.includes(`${url} is a URL. Pass the path of a directory`), stderr);
    }
    const { code, stderr } = await runBinary(['tools'], { env: { LEANBRIDGE_SAVE_MEDIA: 'https://example.org/media' } });
    assert.equal(code, 0);
    assert.match(stderr, /ignoring LEANBRIDGE_SAVE_MEDIA: https:\/\/example\.org\/media is a URL/);
  });
  test('a folder that cannot be used costs no result', { timeout }, async () => {
    const open = temporaryFolder('open');
    fs.chmodSync(open, 0o777);
    await withUpstreams(fake('f'), { args: ['--upstream', 'all', '--save-media', open] }, async client => {
      await ready(client, 'f');
      const { content } = await call(client, 'f__echo', { do: 'audio' });
      assert.equal(content[0].type, 'audio');
      assert.match(content.at(-1).text, /not saved: .*not private/);
      assert.deepEqual(fs.readdirSync(open), []);
    });
  });
});
