// Resources and subscriptions, in both eras, over a fake lake.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fakeLake, scratchProject, temporaryFolder, withBridge } from '../support/bridge.mjs';

const timeout = 30_000;
const FILES = { 'A.lean': 'theorem a : True := by\n  trivial -- error: wrong\n', 'Deep/Ünter x.lean': 'theorem b : True := by\n  sorry\n' };
const DIAGNOSTICS = 'lean://file/A.lean/diagnostics';
const updates = client => client.messages.filter(message => message.method === 'notifications/resources/updated');
const updated = (client, count, timeoutMs = 5000) => client.next(() => updates(client).length >= count, { what: `update ${count}`, timeoutMs, past: true });

for (const era of ['legacy', 'modern']) {
  const notFound = era === 'modern' ? -32602 : -32002;
  const bridge = (body, files = FILES) => {
    const project = scratchProject(files);
    return withBridge({ era, project, lake: fakeLake().command }, client => body(client, project));
  };
  const read = async (client, uri) => {
    const result = await client.request('resources/read', { uri });
    assert.equal(result.contents.length, 1);
    assert.deepEqual([result.contents[0].uri, result.contents[0].mimeType], [uri, 'application/json']);
    return JSON.parse(result.contents[0].text);
  };

  describe(`${era}: reading`, () => {
    test('declared', { timeout }, () => bridge(async client => assert.deepEqual(client.server.capabilities.resources, { subscribe: true })));
    test('paths: escaped slashes, plain slashes, absolute ones', { timeout }, () => bridge(async (client, project) => {
      const inside = encodeURIComponent('Deep/Ünter x.lean');
      for (const name of [inside, inside.replace('%2F', '/'), encodeURIComponent(path.join(project, 'Deep/Ünter x.lean'))]) {
        assert.match((await read(client, `lean://file/${name}/diagnostics`)).items[0].message, /sorry/);
      }
    }));
    for (const uri of ['lean://nothing', 'lean://file/No.lean/diagnostics', 'lean://file/No.lean/outline', 'lean://file/A.lean/colour', 'lean://file//outline', 'lean://file/%zz/outline', 'lean://file/..%2F..%2Fetc%2Fpasswd.lean/outline', 'lean://file/%2Fetc%2Fpasswd/outline', 'file:///etc/passwd', 'lean://file/A%00.lean/outline']) {
      test(`${uri} is not found`, { timeout }, () => bridge(client => assert.rejects(client.request('resources/read', { uri }), error => {
        assert.equal(error.code, notFound);
        assert.equal(error.data.uri, uri);
        return true;
      })));
    }
    test('a link out of the project is not followed', { timeout }, async () => {
      const outside = path.join(temporaryFolder('outside'), 'Out.lean');
      fs.writeFileSync(outside, FILES['A.lean']);
      await bridge(async (client, project) => {
        fs.symlinkSync(outside, path.join(project, 'Link.lean'));
        await assert.rejects(client.request('resources/read', { uri: 'lean://file/Link.lean/outline' }), { code: notFound });
      });
    });
  });
}

const edit = (project, text) => fs.writeFileSync(path.join(project, 'A.lean'), text);
const sync = client => client.call('lean_check_all', { file_path: 'A.lean' });
const at = (era, body) => () => {
  const project = scratchProject(FILES);
  return withBridge({ era, project, lake: fakeLake().command }, client => body(client, project));
};

describe('legacy: subscriptions', () => {
  test('told of changes once in a while, not of what stays the same, and not after the end', { timeout }, at('legacy', async (client, project) => {
    assert.deepEqual(await client.request('resources/subscribe', { uri: DIAGNOSTICS }), {});
    assert.deepEqual(await client.request('resources/subscribe', { uri: DIAGNOSTICS }), {}, 'a second time changes nothing');
    await sync(client);
    await updated(client, 1);
    assert.deepEqual(updates(client)[0].params, { uri: DIAGNOSTICS });
    await sleep(1500);   // longer than the pause between two notifications, so that everything has been reported
    const before = updates(client).length;
    await sync(client);
    await sleep(1500);
    assert.equal(updates(client).length, before, 'nothing has changed');
    for (let i = 0; i < 20; i++) { edit(project, `theorem a : True := by\n  trivial -- error: wrong ${i}\n`); await sync(client); }
    await updated(client, before + 1);
    await sleep(1500);
    assert.ok(updates(client).length <= before + 6, `${updates(client).length - before} updates for 20 edits in a row`);
    await client.request('resources/unsubscribe', { uri: DIAGNOSTICS });
    const last = updates(client).length;
    edit(project, FILES['A.lean']);
    await sync(client);
    await sleep(1500);
    assert.equal(updates(client).length, last);
    assert.deepEqual(await client.request('resources/unsubscribe', { uri: DIAGNOSTICS }), {});
  }));
});

describe('modern: subscriptions/listen', () => {
  const KEY = 'io.modelcontextprotocol/subscriptionId';
  const acknowledged = (client, id) => client.next(message => message.method === 'notifications/subscriptions/acknowledged' && message.params._meta[KEY] === id, { what: 'the acknowledgement', past: true });
  test('acknowledged with what is granted, told under its id, ended by a cancel without an answer', { timeout }, at('modern', async (client, project) => {
    const asked = { resourceSubscriptions: [DIAGNOSTICS, 'lean://nothing', 'lean://project'], toolsListChanged: true };
    const { id } = client.begin('subscriptions/listen', { notifications: asked }, { id: 'listen-1' });
    const { params } = await acknowledged(client, id);
    assert.deepEqual(params.notifications, { resourceSubscriptions: [DIAGNOSTICS] });
    await sync(client);
    await updated(client, 1);
    assert.deepEqual(updates(client)[0].params, { uri: DIAGNOSTICS, _meta: { [KEY]: id } });
    client.cancel(id);
    await client.request('tools/list', {});
    await sleep(1200);
    const last = updates(client).length;
    edit(project, 'theorem a : True := by\n  trivial\n');
    await sync(client);
    await sleep(1500);
    assert.equal(updates(client).length, last);
    assert.ok(!client.messages.some(message => message.id === id && !message.method), 'no answer');
  }));
  test('two at once, each with its own id', { timeout }, at('modern', async client => {
    const ids = [7_000_001, 'seven'].map(id => client.begin('subscriptions/listen', { notifications: { resourceSubscriptions: [DIAGNOSTICS] } }, { id }).id);
    for (const id of ids) await acknowledged(client, id);
    await sync(client);
    for (const id of ids) await client.next(() => updates(client).some(message => message.params._meta[KEY] === id), { what: `an update for ${id}`, past: true });
  }));
});
