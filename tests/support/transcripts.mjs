// Reads and plays transcripts: tests as text of what a client sends and what comes. fixtures/transcripts/README.md has the format.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { fakeLake, fixture, scratchProject, temporaryFolder, withBridge } from './bridge.mjs';
import { fakeBuilder } from './fake-builder.mjs';
import { eventually } from './processes.mjs';
import { ready, stdio, support } from './upstreams.mjs';

const STATEMENT = /^(-->|--\||<--|==>|file|(?:server|env|lean|era|revision|capabilities|upstream|ignore):) ?(.*)$/;
// Of the scripted Lean and of a builder, beside the methods that Lean gets.
const ofTrials = method => lake => lake.ofTrials(method).map(({ params }) => params);
const EVENTS = { start: lake => lake.starts(), trial: ofTrials('textDocument/didOpen'), edit: ofTrials('textDocument/didChange'), compile: lake => lake.log().filter(({ event }) => event === 'compile'), build: builder => builder.log() };
// How long something may take: generous, since a sanitized program on a busy machine is slow.
const LIMIT_MS = 120_000;
const isStep = ({ word }) => /^[-<=]/.test(word);

function brief(value, most = 2000) {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** The transcripts of a text: [{name, statements: [{at, word, rest, content}]}]. What stands before the first `== NAME` belongs to each. */
export function parseTranscripts(text, file) {
  const common = [], parts = [];
  let current = common;
  for (const [i, line] of text.split('\n').entries()) {
    const statement = STATEMENT.exec(line);
    if (!line.trim() || line.startsWith('#')) continue;
    else if (line.startsWith('== ')) parts.push({ name: line.slice(3), statements: current = [...common] });
    else if (line.startsWith('|') && current.at(-1)?.word === 'file') current.at(-1).content += `${line.slice(2)}\n`;
    else if (/^\s/.test(line) && current.length) current.at(-1).rest += line.trim();
    else if (statement?.[1].endsWith(':') && current.some(isStep)) throw new Error(`${file}:${i + 1}: below an arrow: ${line}`);
    else if (statement) current.push({ at: `${file}:${i + 1}`, word: statement[1], rest: statement[2], content: '' });
    else throw new Error(`${file}:${i + 1}: not a line of a transcript: ${line}`);
  }
  const all = parts.length ? parts : [{ name: path.basename(file, '.txt'), statements: common }];
  for (const { name, statements } of all) if (!statements.some(isStep)) throw new Error(`${file}: nothing is sent in ${name}`);
  return all;
}

/** Every file of fixtures/transcripts: [{name, transcripts}]. */
export const allTranscripts = () => fs.readdirSync(fixture('transcripts')).filter(name => name.endsWith('.txt')).map(name => ({
  name: path.basename(name, '.txt'), transcripts: parseTranscripts(fs.readFileSync(fixture('transcripts', name), 'utf8'), `fixtures/transcripts/${name}`),
}));

/** The eras in which a transcript is played; none: no handshake is made for it. */
export const erasOf = ({ statements }) => settings(statements, 'era').at(-1)?.split(' ') ?? ['legacy'];

/**
 * Where `actual` is not as expected. Only the members that `expected` names count, unless `exactly`; arrays match in length. A string /…/
 * matches a text, or the JSON of another value; an object or array is the JSON in a text, too. "$name" is any value the first time, which
 * goes to `known`, and that value afterwards.
 */
export function differences(expected, actual, { exactly = false, known = {} } = {}, at = '') {
  const show = value => brief(value, 500);
  const unlike = [`${at || '/'}: expected ${show(expected)}, got ${show(actual)}`];
  if (Object.hasOwn(Object(expected), '<exactly>')) return differences(expected['<exactly>'], actual, { exactly: true, known }, at);
  if (expected === '<absent>') return actual === undefined ? [] : unlike;
  if (actual === undefined) return unlike;
  if (typeof expected === 'string' && /^\/.+\/$/s.test(expected)) return new RegExp(expected.slice(1, -1), 'su').test(typeof actual === 'string' ? actual : JSON.stringify(actual)) ? [] : unlike;
  if (typeof expected === 'string' && /^\$\w+$/.test(expected)) {
    const value = known[expected] ??= actual;
    return isDeepStrictEqual(value, actual) || isDeepStrictEqual(value, parsed(actual)) ? [] : [...unlike, `${expected} is ${show(value)}`];
  }
  if (expected === null || typeof expected !== 'object') return Object.is(expected, actual) ? [] : unlike;
  actual = parsed(actual);
  if (actual === null || typeof actual !== 'object' || Array.isArray(actual) !== Array.isArray(expected)) return unlike;
  if (Array.isArray(expected) && expected.length !== actual.length) return unlike;
  const more = exactly ? Object.keys(actual).filter(key => !(key in expected)).map(key => `${at}/${key}: not expected, got ${show(actual[key])}`) : [];
  return [...more, ...Object.entries(expected).flatMap(([key, value]) => differences(value, actual[key], { exactly, known }, `${at}/${key}`))];
}

/** The JSON in a text, if there is one; else the value. */
function parsed(value) {
  try { return typeof value === 'string' ? JSON.parse(value) : value; } catch { return value; }
}

/** Plays a transcript in an era against a bridge of its own. */
export function play({ statements }, era) {
  const all = name => settings(statements, name), one = name => all(name).at(-1);
  const begin = statements.findIndex(isStep);
  const files = Object.fromEntries(statements.slice(0, begin).filter(({ word }) => word === 'file').map(({ rest, content }) => [rest, content]));
  const servers = all('upstream').map(text => text.split(' '));
  if (servers.length) files['.leanbridge/mcp-servers.toml'] = servers.map(([name, script, ...words]) => stdio(name, [support(script), ...words])).join('');
  const project = Object.keys(files).length ? scratchProject(files) : undefined;
  const scenario = one('lean') ?? 'well-behaved';
  const lake = scenario.startsWith('/') ? { command: scenario } : scenario === 'builder' ? fakeBuilder({ goFile: path.join(project, 'go') }) : fakeLake(scenario.startsWith('{') ? JSON.parse(scenario) : scenario);
  const args = [...(servers.length ? ['--upstream', 'all'] : []), ...all('server').flatMap(text => text.split(' '))];
  const env = { HOME: temporaryFolder('home'), XDG_CONFIG_HOME: '', ...Object.fromEntries(all('env').map(text => text.split(/=(.*)/s).slice(0, 2))) };
  const options = { project, lake: lake.command, args, env, era, revision: one('revision'), capabilities: JSON.parse(one('capabilities') ?? '{}'), verbose: false };
  const steps = statements.slice(begin).filter(({ word }) => !word.endsWith(':'));
  return withBridge(options, async client => {
    if (servers.length && era !== 'none') await ready(client, ...servers.map(([name]) => name));
    await converse(client, steps, { project, lake, ignored: all('ignore') });
  });
}

const settings = (statements, name) => statements.filter(({ word }) => word === `${name}:`).map(({ rest }) => rest);
/** The value with what is known in the place of each "$name". */
const fill = (value, known) => JSON.parse(JSON.stringify(value), (_, each) => (typeof each === 'string' && Object.hasOwn(known, each) ? known[each] : each));

/** Never a file with a part of its text, which the server could read in between. */
function putFile(file, content) {
  fs.writeFileSync(`${file}.new`, content);
  fs.renameSync(`${file}.new`, file);
}

async function converse(client, steps, { project, lake, ignored }) {
  const known = { $project: project };
  const requests = new Map();   // by id
  let last, heard = client.messages.length;
  const skip = () => { while (ignored.includes(client.messages[heard]?.method)) heard++; };
  async function next(what) {
    for (skip(); heard >= client.messages.length; skip()) await client.next(() => true, { what, timeoutMs: LIMIT_MS }).catch(({ message }) => assert.fail(message));
    return client.messages[heard++];
  }
  const check = ({ at, word, rest }, wrong, came) => {
    if (wrong.length) assert.fail(`${at}: expected ${word} ${rest}\n  came ${brief(came)}\n  ${wrong.join('\n  ')}${client.tail()}`);
  };

  function send({ rest }) {
    if (rest.startsWith('{')) return client.sendMessage(fill(JSON.parse(rest), known));
    const [, id, name, json = '{}'] = /^(?:(\w+): )?(\S+) ?(.+)?$/.exec(rest);
    const params = fill(JSON.parse(json), known);
    if (name.startsWith('notifications/')) return client.notify(name, params);
    const isTool = name.startsWith('lean_'), options = { timeoutMs: LIMIT_MS, ...(id && { id }) };
    const begun = isTool ? client.beginCall(name, params, options) : client.begin(name, params, options);
    return requests.set(last = begun.id, { isTool, answer: begun.answer });
  }
  async function expect(step) {
    const [, named, part, exactly, json] = /^(?:(\w+): )?(?:(result|error) )?(exactly )?(.*)$/.exec(step.rest);
    const message = await next(`${step.at}: <-- ${step.rest}`);
    const id = named ?? last;
    const { isTool, answer } = requests.get(id) ?? {};
    const isAnswer = message.id === id && !message.method;
    const said = part && isAnswer && isTool && !message.error ? await answer : message;
    const came = !part ? message : part === 'error' ? said.error : isTool ? said.structured : said.result;
    check(step, (named || part) && !isAnswer ? [`not the answer to ${id}`] : differences(JSON.parse(json), came, { exactly: Boolean(exactly), known }), message);
  }
  async function expectAtLean(step) {
    const [, count, what, json] = /^(\d+) (\S+) ?(.+)?$/.exec(step.rest);
    const got = () => (EVENTS[what]?.(lake) ?? lake.ofFiles(what).map(({ params }) => params));
    await eventually(() => got().length >= Number(count), 10_000, `${step.at}: ==> ${step.rest}`);
    const wrong = json ? differences(JSON.parse(json), got().at(-1) ?? {}, { known }) : [];
    check(step, got().length === Number(count) ? wrong : [`${got().length} of them`], got());
  }
  const take = { '-->': send, '--|': ({ rest }) => client.send(`${rest}\n`), '<--': expect, '==>': expectAtLean, file: ({ rest, content }) => putFile(path.join(project, rest), content) };

  for (const step of steps) await Promise.resolve(step).then(take[step.word]).catch(error => {
    if (!error.message.includes(step.at)) error.message = `${step.at}: ${error.message}`;
    throw error;
  });
  await client.close({ timeoutMs: 8000 });
  skip();
  if (heard < client.messages.length) assert.fail(`${steps.at(-1).at}: after the last line came ${brief(client.messages[heard])}${client.tail()}`);
}
