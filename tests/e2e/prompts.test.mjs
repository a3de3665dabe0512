// Prompts: listed, filled in, refused, in both eras.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { root, scratchProject, withBridge } from '../support/bridge.mjs';

const timeout = 30_000;
const ARGUMENTS = { prove: ['statement', 'file?'], research: ['topic'], implement: ['plan', 'file'], verify: ['file'], explore: ['namespace'] };
const given = name => Object.fromEntries(ARGUMENTS[name].map(argument => [argument.replace('?', ''), `THE ${argument} "{with}" \\ 𝔸\nin two lines`]));

for (const era of ['legacy', 'modern']) {
  describe(era, () => {
    const bridge = body => withBridge({ era }, body);
    test('declared and listed', { timeout }, () => bridge(async client => {
      assert.deepEqual(client.server.capabilities.prompts, {});
      const { prompts, ...rest } = await client.request('prompts/list', {});
      assert.deepEqual(Object.fromEntries(prompts.map(({ name, arguments: list }) => [name, list.map(argument => argument.name + (argument.required ? '' : '?'))])), ARGUMENTS);
      for (const { title, description } of prompts) assert.ok(title.length > 2 && description.length > 10);
      assert.deepEqual([rest.resultType, rest.cacheScope, rest.ttlMs > 0], era === 'modern' ? ['complete', 'private', true] : [undefined, undefined, false]);
    }));
    for (const name of Object.keys(ARGUMENTS)) {
      test(`${name} holds what it was given and names only tools of the contract`, { timeout }, () => bridge(async client => {
        const { messages, description } = await client.request('prompts/get', { name, arguments: given(name) });
        assert.ok(description);
        assert.equal(messages.length, 1);
        const { role, content } = messages[0];
        assert.deepEqual([role, content.type], ['user', 'text']);
        for (const value of Object.values(given(name))) assert.ok(content.text.includes(value), value);
        const named = [...new Set(content.text.match(/\blean_[a-z_]+/g))];
        assert.ok(named.length >= 5, named.join());
        const known = fs.readFileSync(path.join(root, 'docs/compatibility.md'), 'utf8') + fs.readFileSync(path.join(root, 'docs/tools.md'), 'utf8');
        for (const tool of named) assert.match(known, new RegExp(`\\b${tool}\\b`), `${tool} is in the documentation`);
      }));
    }
    test('an optional argument may be left out', { timeout }, () => bridge(async client => {
      const { messages } = await client.request('prompts/get', { name: 'prove', arguments: { statement: '1 = 1' } });
      assert.match(messages[0].content.text, /1 = 1/);
    }));
    for (const [what, params] of [['an unknown name', { name: 'pray', arguments: {} }], ['no name', {}], ['a missing argument', { name: 'prove', arguments: {} }], ['no arguments', { name: 'prove' }],
      ['an argument that is no string', { name: 'prove', arguments: { statement: 1 } }], ['an unknown argument', { name: 'verify', arguments: { file: 'A.lean', colour: 'red' } }], ['arguments that are no object', { name: 'verify', arguments: ['A.lean'] }]]) {
      test(`${what} is -32602`, { timeout }, () => bridge(client => assert.rejects(client.request('prompts/get', params), { code: -32602 })));
    }
    test('files complete an argument that is one, in prompts and in resources; words do not', { timeout }, () => withBridge({ era, project: scratchProject({ 'A.lean': '', 'Deep/Apple.lean': '', '.lake/Hidden.lean': '' }) }, async client => {
      assert.deepEqual(client.server.capabilities.completions, {});
      const complete = async (ref, name, value) => (await client.request('completion/complete', { ref, argument: { name, value } })).completion;
      const prove = { type: 'ref/prompt', name: 'prove' }, outline = { type: 'ref/resource', uri: 'lean://file/{path}/outline' };
      assert.deepEqual(await complete(prove, 'file', ''), { values: ['A.lean', 'Deep/Apple.lean'], total: 2, hasMore: false });
      assert.deepEqual((await complete(outline, 'path', 'De')).values, ['Deep/Apple.lean']);
      assert.deepEqual((await complete(prove, 'file', 'app')).values, ['Deep/Apple.lean'], 'in any case, anywhere');
      assert.deepEqual((await complete(prove, 'statement', 'A')).values, []);
      for (const ref of [{ type: 'ref/prompt', name: 'pray' }, { type: 'ref/resource', uri: 'lean://x' }, {}]) await assert.rejects(complete(ref, 'file', ''), { code: -32602 });
    }));
    test('a cursor that was never given is -32602', { timeout }, () => bridge(client => assert.rejects(client.request('prompts/list', { cursor: 'x' }), { code: -32602 })));
  });
}
