// scripts/ranking, once everything is installed and built.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { realLake, root, runBinary, scratchProject, spawnBridge } from '../../tests/support/bridge.mjs';
import { rankAll, setOf, tableOf, withTable } from '../../tests/support/ranking.mjs';
import { rankMathlib } from './ranking-mathlib.mjs';

const flag = { type: 'boolean', default: false };
const { values } = parseArgs({ options: { missed: flag, misses: flag, write: flag, mathlib: { type: 'string' } } });
if (values.mathlib) {
  await rankMathlib(path.resolve(values.mathlib), values);
  process.exit(0);
}
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
if (values.missed)   // what nothing is tuned on is not shown
  for (const { kind, query, expect, rank, ...one } of ranked.filter(each => each.rank !== 1 && setOf(each) !== 'fresh'))
    console.log(`${rank || '-'}\t${kind}${setOf(one) === 'tuned' ? '' : ` (${setOf(one)})`}\t${query.replaceAll('\n', ' ; ')}\t${expect.join(' ')}`);
if (values.write) {
  const document = path.join(root, 'docs', 'search.md');
  fs.writeFileSync(document, withTable(fs.readFileSync(document, 'utf8'), tableOf(ranked)));
}
await client.close();
