// scripts/soak, once everything is installed and built.
import { parseArgs } from 'node:util';
import { soak } from '../../tests/support/soak.mjs';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' }, seed: { type: 'string' }, http: { type: 'boolean', default: false } } });
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Date.now() % 1e9);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('usage: scripts/soak [--minutes N] [--seed S] [--http]');
  process.exit(2);
}
console.log(`${new Date().toISOString()}: ${minutes} minutes, seed ${seed}${values.http ? ', over HTTP' : ''}`);
const { report, failures, wrong } = await soak({ seconds: minutes * 60, seed, http: values.http, say: text => console.log(text) });
console.log(`\n${report}\n${failures.length + wrong.length ? 'not flat, or not right' : 'flat, and every answer right'}`);
process.exit(failures.length + wrong.length ? 1 : 0);
