// Skills over MCP (SEP-2640): what a host does that verifies one, in both eras. The file is that of the Claude Code plugin.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import YAML from 'yaml';
import { SKILL } from '../../scripts/lib/plugin.mjs';
import { root, withBridge } from '../support/bridge.mjs';

const timeout = 30_000;
const URI = 'skill://lean-proofs/SKILL.md';
const bytes = fs.readFileSync(path.join(root, SKILL));

for (const era of ['legacy', 'modern']) {
  const bridge = body => withBridge({ era }, body);
  const members = era === 'modern' ? ['complete', 'private', 3_600_000] : [undefined, undefined, undefined];
  const eraOf = ({ resultType, cacheScope, ttlMs }) => [resultType, cacheScope, ttlMs];
  describe(era, () => {
    test('declared without directories; listed and got alike, whole', { timeout }, () => bridge(async client => {
      assert.deepEqual(client.server.capabilities.extensions['io.modelcontextprotocol/skills'], {});
      const listed = await client.request('skills/list', {});
      assert.deepEqual(listed.skills.map(({ uri }) => uri), [URI]);
      assert.equal(listed.nextCursor, undefined);
      const got = await client.request('skills/get', { uri: URI });
      assert.deepEqual(got.skill, listed.skills[0]);
      for (const result of [listed, got]) assert.deepEqual(eraOf(result), members);
    }));
    test('what is read has the size, the digest and the frontmatter of the entry, and is the file of the plugin', { timeout }, () => bridge(async client => {
      const { skill } = await client.request('skills/get', { uri: URI });
      assert.equal(skill.resources.length, 1);
      const result = await client.request('resources/read', { uri: skill.resources[0].uri });
      assert.deepEqual(eraOf(result), members);
      const [{ uri, mimeType, text, _meta }] = result.contents;
      assert.deepEqual([uri, mimeType, _meta], [URI, 'text/markdown', undefined]);
      const read = Buffer.from(text);
      assert.deepEqual(skill.resources, [{ uri, digest: `sha256:${createHash('sha256').update(read).digest('hex')}`, size: read.length }]);
      assert.ok(read.equals(bytes));
      const [, front] = /^---\n(.*?)\n---\n/s.exec(text);
      assert.deepEqual(skill.frontmatter, YAML.parse(front));
      assert.equal(skill.uri, `skill://${skill.frontmatter.name}/SKILL.md`);
    }));
    test('an ordinary resource for hosts without the extension', { timeout }, () => bridge(async client => {
      const { skills: [{ frontmatter }] } = await client.request('skills/list', {});
      const { name, description, mimeType } = (await client.request('resources/list', {})).resources.find(({ uri }) => uri === URI);
      assert.deepEqual({ name, description, mimeType }, { ...frontmatter, mimeType: 'text/markdown' });
    }));
    for (const params of [{ uri: 'skill://lean-proofs' }, { uri: 'skill://other/SKILL.md' }, { uri: 'lean://project' }, { uri: 7 }, {}])
      test(`skills/get ${JSON.stringify(params)} is -32602`, { timeout }, () => bridge(client => assert.rejects(client.request('skills/get', params), { code: -32602 })));
    test('a cursor that was never given is -32602; directories are not served', { timeout }, () => bridge(async client => {
      await assert.rejects(client.request('skills/list', { cursor: 'x' }), { code: -32602 });
      await assert.rejects(client.request('resources/directory/read', { uri: 'skill://lean-proofs' }), { code: -32601 });
    }));
  });
}
