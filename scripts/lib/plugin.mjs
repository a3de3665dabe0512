// What hosts and registries are told about leanbridge: the version, the address and the maintainer of CMakeLists.txt in all their files, and the
// slash commands of the Claude Code plugin, made from the prompts of src/core/prompts.
//
//   node scripts/lib/plugin.mjs [BINARY]            writes them; BINARY: default build/release/leanbridge
//   node scripts/lib/plugin.mjs --check [BINARY]    whether they are current
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.resolve(import.meta.dirname, '../..');
const read = name => fs.readFileSync(path.join(root, name), 'utf8');

export const COMMANDS = 'deploy/claude-code/commands';
export const SKILL = 'deploy/claude-code/skills/lean-proofs/SKILL.md';
/** Files with versions, all of which are that of the project. */
export const VERSIONED = ['.claude-plugin/marketplace.json', 'deploy/claude-code/.claude-plugin/plugin.json', 'deploy/mcpb/manifest.json'];
/** What MCP's registry is told. Without an address there is no name for it, and no file. */
export const REGISTRY = 'server.json';

export const version = () => /^project\(leanbridge VERSION ([0-9.]+)/m.exec(read('CMakeLists.txt'))[1];

/** The settings of CMakeLists.txt that say where leanbridge lives: {home, maintainer, published}; empty: not known yet. */
export function settings(text = read('CMakeLists.txt')) {
  const value = name => new RegExp(`^set\\(${name} "(.*)"\\)$`, 'm').exec(text)[1];
  return { home: value('LEANBRIDGE_HOME'), maintainer: value('LEANBRIDGE_MAINTAINER'), published: value('LEANBRIDGE_PUBLISHED').split(' ').filter(Boolean) };
}

/** By which MCP's registry knows a repository on GitHub, whose owner proves it by logging in there; undefined: it is not on GitHub. */
export function registryName({ home }) {
  const [, owner, name] = /^https:\/\/github\.com\/([\w-]+)\/([\w.-]+)$/.exec(home) ?? [];
  return owner && `io.github.${owner}/${name}`;
}

/** server.json, or undefined. */
export function registryEntry(given = settings()) {
  const name = registryName(given);
  if (!name) return undefined;
  const packages = given.published.map(registryType => ({ registryType, identifier: 'leanbridge', version: version(), transport: { type: 'stdio' } }));
  return `${JSON.stringify({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json', name, title: 'leanbridge',
    description: 'A live Lean 4 proof session: goals, messages, tactic trials, search and verdicts', version: version(),
    websiteUrl: given.home, repository: { url: given.home, source: 'github' }, ...(packages.length && { packages }),
  }, null, 2)}\n`;
}

/** A manifest with the address, and the maintainer as its author or owner. */
export function withHome(text, { home, maintainer } = settings()) {
  const manifest = JSON.parse(text);
  const [, name, email] = /^(.*) <(.*)>$/.exec(maintainer) ?? [];
  const person = name ? { name, email } : { name: 'The leanbridge contributors' };
  for (const role of ['author', 'owner']) if (manifest[role]) manifest[role] = person;
  if (manifest.manifest_version || manifest.mcpServers) {
    const repository = manifest.manifest_version ? { type: 'git', url: home } : home;
    for (const [member, value] of [['homepage', home], ['repository', repository]])
      if (home) manifest[member] = value;
      else delete manifest[member];
  }
  return manifest;
}

/** The text as it should be: laid out as before, unless the address or the maintainer has changed. */
function updated(text) {
  const current = withVersion(text), wanted = withHome(current);
  return JSON.stringify(wanted) === JSON.stringify(JSON.parse(current)) ? current : `${JSON.stringify(wanted, null, 2)}\n`;
}

/** The versions that a file names. */
export const versionsIn = text => [...text.matchAll(/^\s*"version": "([^"]*)"/gm)].map(match => match[1]);
const withVersion = text => text.replace(/^(\s*"version": ")[^"]*"/gm, `$1${version()}"`);

/**
 * The arguments with which a prompt becomes a command. What the user writes behind the command is the first one; where the prompt needs more, the
 * text says where to find it.
 */
export function argumentsOf({ arguments: list }) {
  const [first, ...rest] = list;
  const given = { [first.name]: '$ARGUMENTS' };
  for (const { name, required } of rest) if (required) given[name] = `the ${name} that it names`;
  return given;
}

/** The command as Claude Code reads it: YAML, whose strings may be those of JSON, and the text. */
export const commandText = (prompt, text) =>
  `---\ndescription: ${JSON.stringify(prompt.description)}\nargument-hint: ${JSON.stringify(`[${prompt.arguments[0].name}]`)}\n---\n${text}\n`;

/** The prompts of the binary with their texts: [{prompt, text}]. */
export function promptsOf(binary) {
  const ask = requests => {
    const lines = [{ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'plugin', version: '1' } } },
      { method: 'notifications/initialized' }, ...requests.map((request, index) => ({ id: index + 1, ...request }))];
    const { stdout, stderr, status, error } = spawnSync(binary, ['--offline', '--upstream', 'none'], { input: lines.map(line => `${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`).join(''), encoding: 'utf8', timeout: 30_000 });
    if (error || status !== 0) throw new Error(`${binary}: ${error?.message ?? stderr}`);
    const answers = stdout.split('\n').filter(Boolean).map(line => JSON.parse(line));
    return requests.map((_, index) => answers.find(answer => answer.id === index + 1).result);
  };
  const [{ prompts }] = ask([{ method: 'prompts/list' }]);
  const texts = ask(prompts.map(prompt => ({ method: 'prompts/get', params: { name: prompt.name, arguments: argumentsOf(prompt) } })));
  return prompts.map((prompt, index) => ({ prompt, text: texts[index].messages[0].content.text }));
}

/** Every generated file: name to text. */
export function generated(binary) {
  const files = Object.fromEntries(VERSIONED.map(name => [name, updated(read(name))]));
  const entry = registryEntry();
  if (entry) files[REGISTRY] = entry;
  for (const { prompt, text } of promptsOf(binary)) files[`${COMMANDS}/${prompt.name}.md`] = commandText(prompt, text);
  return files;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const words = process.argv.slice(2);
  const check = words[0] === '--check';
  if (check) words.shift();
  const files = generated(path.resolve(words[0] ?? path.join(root, 'build/release/leanbridge')));
  const stale = Object.entries(files).filter(([name, text]) => !fs.existsSync(path.join(root, name)) || read(name) !== text);
  const extra = fs.readdirSync(path.join(root, COMMANDS)).map(name => `${COMMANDS}/${name}`).filter(name => !files[name]);
  if (!files[REGISTRY] && fs.existsSync(path.join(root, REGISTRY))) extra.push(REGISTRY);
  for (const [name, text] of check ? [] : stale) fs.writeFileSync(path.join(root, name), text);
  for (const name of check ? [] : extra) fs.rmSync(path.join(root, name));
  for (const name of [...stale.map(([each]) => each), ...extra]) console.log(`${check ? 'not current: ' : ''}${name}`);
  process.exitCode = check && stale.length + extra.length > 0 ? 1 : 0;
}
