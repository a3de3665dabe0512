// From the spawn of the process to the answer of tools/list: the host's wait before the model sees any tool.
import { Mcp } from '../lib/mcp.mjs';
import { Project } from '../lib/project.mjs';
import { realLake } from '../../tests/support/bridge.mjs';
import { Leanbridge, Peer } from '../lib/sides.mjs';
import { summarise, times } from '../lib/statistics.mjs';

export const title = 'spawn → `tools/list` answered';
export const goal = '≤ 15 ms; ≥ 50× faster than the peer';

async function once(command) {
  const mcp = new Mcp(command);
  await mcp.connect();
  await mcp.tools();
  const ms = performance.now() - mcp.started;
  await mcp.end();
  return ms;
}

/** A process that does nothing but answer twice: no program can be faster, measured from here. */
async function floor() {
  const mcp = new Mcp({ command: '/bin/sh', args: ['-c', 'read a; echo \'{"id":1,"result":{}}\'; read a; read a; echo \'{"id":2,"result":{}}\''] });
  await mcp.connect();
  await mcp.tools();
  const ms = performance.now() - mcp.started;
  await mcp.end();
  return ms;
}

export async function run({ quick, peer }) {
  const project = new Project({ 'A.lean': 'theorem a : True := by\n  trivial\n' });
  const samples = { leanbridge: [], peer: [], floor: [] };
  const rounds = quick ? 5 : 15;
  for (let round = 0; round < rounds; round++) {
    // The first start reads programs from the disk and is not counted.
    for (let i = 0; i < 4; i++) {
      const own = await once(Leanbridge.command(project, realLake));
      const least = await floor();
      if (round > 0) { samples.leanbridge.push(own); samples.floor.push(least); }
    }
    if (!peer) continue;
    const other = await once(Peer.command(project, realLake));
    if (round > 0) samples.peer.push(other);
  }
  const own = summarise(samples.leanbridge);
  const other = peer && summarise(samples.peer);
  const factor = peer ? times(other, own) : undefined;
  return {
    lines: [{ what: 'initialize, then tools/list', leanbridge: own, peer: other, factor, met: own.median <= 15 && (!peer || factor >= 50) }],
    notes: [`A shell that only echoes two answers takes ${summarise(samples.floor).median.toFixed(1)} ms from the same Node process.`],
    data: samples,
  };
}
