// Prompts: listed and filled in, in both eras.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { root, withBridge } from '../support/bridge.mjs';

const timeout = 30_000;
const ARGUMENTS = { prove: ['statement', 'file?'], research: ['topic'], implement: ['plan', 'file'], verify: ['file'], explore: ['namespace'] };
const given = name => Object.fromEntries(ARGUMENTS[name].map(argument => [argument.replace('?', ''), `THE ${argument} "{with}" \\ 𝔸\nin two lines`]));

for (const era of ['legacy', 'modern']) {
  describe(era, () => {
    const bridge = body => withBridge({ era }, body);
    test('declared and listed', { timeout }, () => bridge(async client => {
      assert.deepEqual([client.server.capabilities.prompts, client.server.capabilities.completions], [{}, {}]);
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
  });
}
