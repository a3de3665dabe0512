// SIGKILL of the whole bridge while lean_write_proof is working: the file is the complete old one or the complete new one.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fakeLake, scratchProject, spawnBridge } from '../support/bridge.mjs';

const ROUNDS = 22;
const SEED = 20_260_301;

/** Numbers from 0 to 1, the same each time (mulberry32). */
function numbers(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('the bridge is killed while it writes', () => {
  // Large, so that writing it takes a noticeable part of the call's time.
  const filler = '-- a line of a long file, as long as such lines are\n'.repeat(20_000);
  const version = n => `theorem a : True := by -- ${n}\n  trivial\n${filler}`;

  test('at any moment: the old text or the new one, and nothing that Lean would take for a file', { timeout: 120_000 }, async t => {
    const project = scratchProject({ 'A.lean': version(0) });
    const file = path.join(project, 'A.lean');
    const lake = fakeLake();
    const random = numbers(SEED);
    const temporary = () => fs.readdirSync(project).filter(name => name.includes('leanbridge'));
    let current = 0;
    let typical = 0;
    const seen = { old: 0, new: 0, answered: 0, left: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const client = spawnBridge({ project, lake: lake.command });
      try {
        await client.connect();
        await client.call('lean_goal', { file_path: 'A.lean', line: 2, column: 3 });
        const started = performance.now();
        const { answer } = client.beginCall('lean_write_proof', { file_path: 'A.lean', start_line: 1, end_line: 1, new_text: `theorem a : True := by -- ${round + 1}` });
        // The first three finish and show how long one takes; the others are killed halfway.
        if (round < 3) {
          const before = fs.openSync(file);
          const { structured, error } = await answer;
          assert.equal(structured?.written, true, JSON.stringify(structured ?? error));
          // An open old file keeps showing the old text: no moment is too short for a kill.
          assert.ok(fs.readFileSync(before, 'utf8') === version(round), 'the file was written over, not replaced');
          fs.closeSync(before);
          typical = Math.max(typical, performance.now() - started);
          assert.deepEqual(temporary(), [], 'what a killed one left is gone after the next write');
          current = round + 1;
          await client.close();
          continue;
        }
        const moment = random() * typical * 1.1;
        const isAnswered = await Promise.race([answer.then(() => true, () => false), new Promise(resolve => setTimeout(resolve, moment, false))]);
        await client.kill('SIGKILL', { orphansMs: 10_000 });
        const text = fs.readFileSync(file, 'utf8');
        const isNew = text === version(round + 1);
        assert.ok(isNew || text === version(current), `round ${round}, killed after ${Math.round(moment)} ms: ${text.length} characters, beginning ${JSON.stringify(text.slice(0, 80))}`);
        if (isAnswered) assert.ok(isNew, 'what was answered is written');
        seen[isNew ? 'new' : 'old']++;
        if (isAnswered) seen.answered++;
        if (isNew) current = round + 1;
        // Between two system calls it can leave a temporary file: hidden, and not a .lean file.
        const left = temporary();
        assert.ok(left.length <= 1 && left.every(name => /^\.A\.lean\.leanbridge-\d+-\d+\.tmp$/.test(name)), left.join(' '));
        seen.left += left.length;
      } finally {
        await client.destroy();
      }
    }
    t.diagnostic(`a call takes up to ${Math.round(typical)} ms; killed ones: ${JSON.stringify(seen)}`);
    assert.equal(seen.old + seen.new, ROUNDS - 3);
  });
});
