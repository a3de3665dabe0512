// scripts/ranking, once everything is installed and built.
import { parseArgs } from 'node:util';
import { realLake, runBinary, scratchProject, spawnBridge } from '../../tests/support/bridge.mjs';
import { rankAll, tableOf } from '../../tests/support/ranking.mjs';

const { values } = parseArgs({ options: { missed: { type: 'boolean', default: false } } });
const project = scratchProject({ 'A.lean': '' });
const built = await runBinary(['index', 'build', '--lake', realLake], { cwd: project, timeoutMs: 900_000 });
if (built.code !== 0) {
  console.error(built.stderr);
  process.exit(1);
}
const client = spawnBridge({ project, lake: realLake, args: ['--offline'] });
await client.connect();
await client.listTools();
const ranked = await rankAll(client);
console.log(tableOf(ranked));
if (values.missed)
  for (const { kind, held_out: held, query, expect, rank } of ranked.filter(one => one.rank !== 1)) console.log(`${rank || '-'}\t${kind}${held ? ' (held out)' : ''}\t${query.replaceAll('\n', ' ; ')}\t${expect.join(' ')}`);
await client.close();
