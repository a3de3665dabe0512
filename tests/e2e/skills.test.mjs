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
    test('declared without directories, with the members of the era', { timeout }, () => bridge(async client => {
      assert.deepEqual(client.server.capabilities.extensions['io.modelcontextprotocol/skills'], {});
      for (const [method, params] of [['skills/list', {}], ['skills/get', { uri: URI }]]) assert.deepEqual(eraOf(await client.request(method, params)), members);
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
  });
}
