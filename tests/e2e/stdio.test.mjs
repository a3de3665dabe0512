// Whatever stdin, stdout and stderr are, every request is answered once and nothing is left behind: `leanbridge < requests > answers` in a script.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { binary, cacheFolder, fakeLake, scratchProject, spawnBridge, temporaryFolder } from '../support/bridge.mjs';
import { assertGone, eventually, withEnvironment } from '../support/processes.mjs';

const timeout = 60_000;
const CALLS = 10;
const A = { 'A.lean': 'theorem a : True := by\n  trivial\n  last -- slow 700\n' };

const request = (id, method, params) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
/** A whole session at once: its input ends before any call is answered. */
const session = [
  request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'script', version: '1' } }),
  request(undefined, 'notifications/initialized'),
  ...Array.from({ length: CALLS }, (_, i) => request(i + 1, 'tools/call', { name: 'lean_goal', arguments: { file_path: 'A.lean', line: 2 + (i % 2) } })),
].join('');
const everyId = Array.from({ length: CALLS + 1 }, (_, i) => i);

/** Runs the bridge on the session with a shell command in which "$@" is the bridge and $IN and $OUT are files; returns the answers and what else to check. */
function run(command, { input = session } = {}) {
  const folder = temporaryFolder('stdio'), lake = fakeLake('well-behaved'), mark = randomUUID();
  const IN = path.join(folder, 'requests.jsonl'), OUT = path.join(folder, 'answers.jsonl');
  fs.writeFileSync(IN, input);
  const ended = spawnSync('bash', ['-c', command, 'bash', binary, '--project-root', scratchProject(A), '--lake', lake.command], {
    env: { ...process.env, LEANBRIDGE_CACHE_DIR: cacheFolder(), LEANBRIDGE_TEST_MARK: mark, LEANBRIDGE_DUMPABLE: '1', IN, OUT }, encoding: 'utf8', timeout,
  });
  const answers = fs.existsSync(OUT) ? fs.readFileSync(OUT, 'utf8') : '';
  return { ...ended, answers, lake, left: () => withEnvironment('LEANBRIDGE_TEST_MARK', mark) };
}

function assertAnswered({ status, signal, stderr, answers, lake, left }) {
  assert.deepEqual([status, signal], [0, null], stderr);
  const messages = answers.split(/\r?\n/).filter(Boolean).map(line => JSON.parse(line));
  assert.deepEqual(messages.map(({ id }) => id).filter(id => id !== undefined).sort((a, b) => a - b), everyId);
  for (const { result } of messages.filter(({ id }) => id > 0)) assert.equal(result.isError, false, JSON.stringify(result));
  assert.equal(lake.starts().length, 1, 'Lean was started once');
  return assertGone(left(), 3000);
}

describe('every kind of stdin and stdout', () => {
  const ways = {
    'a file to a file': '"$@" < "$IN" > "$OUT"',
    'a pipe to a pipe': 'set -o pipefail; cat "$IN" | "$@" | cat > "$OUT"',
    'a file to a pipe': 'set -o pipefail; "$@" < "$IN" | cat > "$OUT"',
    'a pipe to a file': 'set -o pipefail; cat "$IN" | "$@" > "$OUT"',
    'a file to a file that is appended to': ': > "$OUT"; "$@" < "$IN" >> "$OUT"',
    'stderr in the same file as stdout, as nothing is logged': '"$@" --log-level off < "$IN" > "$OUT" 2>&1',
    'stderr closed': '"$@" --log-level debug < "$IN" > "$OUT" 2>&-',
    // The terminal turns ^D of `script`, at the end of its input, into the end of ours.
    'a terminal to a file': 'script -qec "stty -echo; $(printf "%q " "$@") > $OUT" /dev/null < "$IN"',
  };
  for (const [name, command] of Object.entries(ways)) test(name, { timeout }, () => assertAnswered(run(command)));

  test('a terminal', { timeout }, () => {
    const result = run('script -qec "stty -echo -onlcr; $(printf "%q " "$@")" /dev/null < "$IN" > "$OUT"');
    // Input before `stty` takes effect is echoed, and what is said to a person on stderr comes out at the same terminal.
    const answers = result.answers.split('\n').filter(line => !line.includes('"method"') && !line.startsWith('leanbridge: waiting for an MCP client')).join('\n');
    return assertAnswered({ ...result, answers });
  });
  test('the last line without its end', { timeout }, () => assertAnswered(run('"$@" < "$IN" > "$OUT"', { input: session.trimEnd() })));
  test('/dev/null for stdout: Lean runs once, and the exit code is 0', { timeout }, async () => {
    const { status, stderr, lake, left } = run('"$@" < "$IN" > /dev/null');
    assert.equal(status, 0, stderr);
    assert.equal(lake.starts().length, 1);
    assert.ok(lake.received('$/lean/plainGoal').length > 0);
    await assertGone(left(), 3000);
  });
  for (const [name, command] of [['stdin', '"$@" <&- > "$OUT"'], ['stdout', '"$@" < "$IN" >&-']])
    test(`${name} closed: reported, exit 2`, { timeout }, () => {
      const { status, stderr } = run(command);
      assert.equal(status, 2);
      assert.match(stderr, /stdin and stdout must be open/);
    });
});

describe('the end of input with calls under way', () => {
  const slow = { 'A.lean': 'theorem a : True := by\n  trivial\n  last -- slow 600000\n' };
  async function busy() {
    const lake = fakeLake('well-behaved');
    const client = spawnBridge({ project: scratchProject(slow), lake: lake.command });
    await client.connect();
    client.beginCall('lean_check_all', { file_path: 'A.lean', timeout_s: 300 });
    await eventually(() => lake.received('textDocument/didOpen').length, 10_000, 'the document at the fake lake');
    client.process.stdin.end();
    return client;
  }

  test('SIGTERM ends it at once', { timeout }, async () => {
    const client = await busy();
    const started = performance.now();
    assert.deepEqual(await client.kill('SIGTERM', { timeoutMs: 5000 }).then(({ code }) => code), 0);
    assert.ok(performance.now() - started < 2500);
  });
  test('so does the end of the reader of stdout', { timeout }, async () => {
    const client = await busy();
    client.process.stdout.destroy();
    const { code } = await client.close({ timeoutMs: 5000 });
    assert.equal(code, 0);
  });
});
