// A bridge on a copy of the published records in fixtures/corpus, and helpers for its tests.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before } from 'node:test';
import { fixture, spawnBridge, temporaryFolder } from './bridge.mjs';
import { lean } from './leans.mjs';

const timeout = lean.callMs;

export const EVEN = 'formal/Parity/Even.lean';

/** A bridge on the project `formal` of a copy of the fixture corpus. */
export function bridgeOnCorpus(lake) {
  const root = path.join(temporaryFolder('corpus'), 'papers');
  let client;
  before(async () => {
    fs.cpSync(fixture('corpus'), root, { recursive: true, filter: source => !source.includes('.lake') });
    client = spawnBridge({ project: path.join(root, 'formal'), lake, args: ['--tools', 'corpus'], label: 'corpus' });
    await client.connect();
    await client.listTools();
  }, { timeout });
  after(async () => { try { await client.close({ timeoutMs: 8000 }); } finally { await client.destroy(); } }, { timeout });
  const ask = async (tool, toolArgs) => {
    const answer = await client.call(tool, toolArgs, { timeoutMs: lean.callMs });
    assert.ok(answer.structured, `${tool} ${JSON.stringify(toolArgs)}: ${JSON.stringify(answer.error)}${client.tail(4)}`);
    assert.deepEqual(client.violations, []);
    return answer.structured;
  };
  const refused = async (tool, toolArgs) => (await client.call(tool, toolArgs)).error?.kind;
  return { root, ask, refused, paper: (id, rest) => ask('list_declarations_for_paper', { paper_id: id, ...rest }) };
}
