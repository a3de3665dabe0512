// A bridge with other MCP servers behind it, and helpers for its tests.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { spawnBridge, temporaryFolder } from './bridge.mjs';

// --- entries of mcp-servers.toml
export const node = process.execPath;
export const support = name => path.join(import.meta.dirname, name);
export const everything = path.join(import.meta.dirname, '../e2e/node_modules/@modelcontextprotocol/server-everything/dist/index.js');
export const toml = value => JSON.stringify(value);
export const stdio = (name, args, more = '') => `[[servers]]\nname = ${toml(name)}\ntransport = "stdio"\ncommand = ${toml(node)}\nargs = ${toml(args)}\n${more}\n`;
/** An entry for fake-upstream.mjs, which behaves as `words` say. */
export const fake = (name, ...words) => stdio(name, [support('fake-upstream.mjs'), ...words]);
export const modern = stdio('modern', [support('modern-upstream.mjs')]);

/** Runs test(client, {home, workspace}) on a bridge with these servers in its workspace. */
export async function withUpstreams(servers, options, test) {
  const workspace = temporaryFolder('workspace'), home = temporaryFolder('home');
  fs.mkdirSync(path.join(workspace, '.leanbridge'));
  fs.writeFileSync(path.join(workspace, '.leanbridge/mcp-servers.toml'), servers);
  await options.prepare?.({ workspace, home });
  const client = spawnBridge({ cwd: workspace, args: options.args ?? ['--upstream', 'all'], env: { HOME: home, XDG_CONFIG_HOME: '', ...options.env } });
  try {
    if (options.era === 'modern') await client.connect({ era: 'modern' });
    else await client.connect({ revision: options.revision });
    await client.request('tools/list', {});
    await test(client, { workspace, home });
    await client.close();
  } catch (error) {
    if (error instanceof Error && !error.message.includes(`pid ${client.pid}`)) error.message += client.tail();
    throw error;
  } finally {
    await client.destroy();
  }
}

export const health = async client => (await client.call('lean_server_health')).structured.upstreams;
export async function until(what, probe, limitMs = 20_000) {
  const end = performance.now() + limitMs;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (performance.now() > end) throw new Error(`${what} did not happen within ${limitMs} ms`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}
export const server = async (client, name) => (await health(client)).servers.find(each => each.name === name);
export const ready = (client, ...names) => until(`${names} ready`, async () => (await health(client)).servers.filter(each => names.includes(each.name)).every(each => each.status === 'ok'));
export const names = async client => (await client.request('tools/list', {})).tools.map(tool => tool.name).filter(name => !name.startsWith('lean_'));
export const call = (client, name, args = {}, options) => client.request('tools/call', { name, arguments: args }, options);
export const textOf = result => result.content[0].text;
export const errorOf = result => { assert.equal(result.isError, true); return JSON.parse(textOf(result)).error; };
