// What is in deploy: accepted by the programs that read it, as far as they are installed, and about options that leanbridge has.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { describe, test } from 'node:test';
import { binary, root, temporaryFolder } from '../support/bridge.mjs';
import { freePort } from '../support/free-port.mjs';
import { eventually } from '../support/processes.mjs';

const timeout = 30_000;
const deploy = path.join(root, 'deploy');
const read = (...names) => fs.readFileSync(path.join(deploy, ...names), 'utf8');
const run = (command, args, options) => spawnSync(command, args, { encoding: 'utf8', timeout, ...options });
const without = (command, args) => (run(command, args).error ? `${command} is not installed` : false);
const PATH = `${process.env.PATH}:/usr/sbin`;
const noHaproxy = run('haproxy', ['-v'], { env: { ...process.env, PATH } }).error ? 'haproxy is not installed' : false;

/** The options of `leanbridge serve` in a file, and those of all commands that `serve` takes, too. */
const optionsIn = text => [...new Set([...text.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([option]) => option))];
const help = [run(binary, ['serve', '--help']), run(binary, ['--help'])];
const noServe = /^ +serve\b/m.test(help[1].stdout) ? false : 'this leanbridge has no command serve';

describe('haproxy', () => {
  for (const file of ['haproxy/haproxy.cfg', 'kubernetes/serve/haproxy.cfg'])
    test(`${file} is valid`, { timeout, skip: noHaproxy }, () => {
      const { status, stdout, stderr } = run('haproxy', ['-c', '-f', path.join(deploy, file)], { env: { ...process.env, PATH } });
      assert.equal(status, 0, stdout + stderr);
      assert.doesNotMatch(stdout + stderr, /WARNING|ALERT/);
    });
  test('a project has one replica, a session too; when it goes, another takes over, and no call is sent twice', { timeout, skip: noHaproxy }, async t => {
    const calls = [];
    const replica = name => new Promise(resolve => {
      const server = http.createServer((request, response) => {
        if (request.url === '/readyz') return response.end('ready');
        calls.push({ name, project: request.headers['mcp-param-project'], url: request.url });
        if (request.headers['x-die']) return request.socket.destroy();
        response.end(name);
      });
      server.prependListener('request', (request, response) => { if (request.headers['x-begin']) response.setHeader('Mcp-Session-Id', `session-of-${name}`); });
      server.listen(0, '127.0.0.1', () => resolve(server));
    });
    const replicas = [await replica('one'), await replica('two')];
    const port = await freePort();
    const config = path.join(temporaryFolder('haproxy'), 'haproxy.cfg');
    fs.writeFileSync(config, read('haproxy/haproxy.cfg').replace('127.0.0.1:8765\n', `127.0.0.1:${port}\n`).replaceAll('127.0.0.1:8771', `127.0.0.1:${replicas[0].address().port}`).replaceAll('127.0.0.1:8772', `127.0.0.1:${replicas[1].address().port}`));
    const proxy = spawn('haproxy', ['-db', '-f', config], { env: { ...process.env, PATH }, stdio: 'ignore' });
    t.after(() => { proxy.kill('SIGKILL'); for (const server of replicas) { server.closeAllConnections(); server.close(); } });
    const ask = async (headers = {}, url = '/mcp') => {
      const response = await fetch(`http://127.0.0.1:${port}${url}`, { method: 'POST', headers, body: '{}' }).catch(() => undefined);
      return response && { status: response.status, name: await response.text(), session: response.headers.get('mcp-session-id') };
    };
    await eventually(async () => (await ask())?.status === 200, 10_000, 'the proxy answers');

    const of = async project => new Set(await Promise.all(Array.from({ length: 20 }, async () => (await ask({ 'Mcp-Param-Project': project })).name)));
    const homes = await Promise.all(['/a', '/b', '/c', '/d', '/e', '/f', '/g', '/h'].map(of));
    assert.ok(homes.every(home => home.size === 1), 'each on one replica');
    assert.equal(new Set(homes.flatMap(home => [...home])).size, 2, 'both have some');
    assert.equal(new Set(await Promise.all(Array.from({ length: 10 }, async () => (await ask({ 'X-Leanbridge-Project': String(Math.random()) })).name))).size, 1, 'without the header: by address, whatever the client says');
    const { name, session } = await ask({ 'x-begin': '1' });
    assert.equal(session, `session-of-${name}`);
    for (let i = 0; i < 6; i++) assert.equal((await ask({ 'Mcp-Session-Id': session })).name, name);
    for (const url of ['/metrics', '/readyz', '/status', '/']) assert.equal((await ask({}, url)).status, 404, url);

    const before = calls.length;
    // haproxy ends the client's connection if it was using one of the replica's again.
    assert.ok([502, undefined].includes((await ask({ 'Mcp-Param-Project': '/a', 'x-die': '1' }))?.status), 'the client is told');
    assert.equal(calls.length, before + 1, 'a call that has reached a replica is not repeated');
    const [gone] = homes[0], left = gone === 'one' ? 'two' : 'one', server = replicas[gone === 'one' ? 0 : 1];
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
    const first = await ask({ 'Mcp-Param-Project': '/a' });
    const second = first?.name === left ? first : await ask({ 'Mcp-Param-Project': '/a' });
    assert.equal(second.name, left, 'at most one retry');
  });
  test('both send calls to replicas by the same rules, and leave only the endpoint open', () => {
    const rules = text => text.split('\n').map(line => line.trim()).filter(line => /^(balance|hash-type|stick|option|http-|retr|timeout|srvtcpka)/.test(line));
    const here = read('haproxy/haproxy.cfg'), cluster = read('kubernetes/serve/haproxy.cfg');
    assert.deepEqual(rules(cluster), rules(here));
    for (const rule of ['balance hdr(X-Leanbridge-Project)', 'hash-type consistent', 'stick match req.hdr(Mcp-Session-Id)', 'retry-on conn-failure', 'http-request deny deny_status 404 unless { path /mcp }'])
      assert.ok(rules(here).includes(rule), rule);
    // The calls of a replica whose machine vanished end within half a minute; those being passed on are left alone.
    for (const rule of ['option srvtcpka', 'srvtcpka-idle 15s', 'srvtcpka-intvl 5s', 'srvtcpka-cnt 3']) assert.ok(rules(here).includes(rule), rule);
    for (const text of [here, cluster]) {
      assert.match(text, /^ {2}default-server .*\btcp-ut 30s\b/m);
      assert.doesNotMatch(text, /^[^#\n]*on-marked-down shutdown-sessions/m);
    }
  });
});

describe('kubernetes', () => {
  for (const [folder, kinds] of [['check', ['Job']], ['serve', ['ConfigMap', 'Deployment', 'HorizontalPodAutoscaler', 'PodDisruptionBudget', 'Service', 'Service', 'StatefulSet']]])
    test(`${folder} is built by kustomize`, { timeout, skip: without('kubectl', ['version', '--client']) }, () => {
      const { status, stdout, stderr } = run('kubectl', ['kustomize', path.join(deploy, 'kubernetes', folder)]);
      assert.equal(status, 0, stderr);
      assert.deepEqual([...stdout.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind).sort(), kinds);
      assert.doesNotMatch(stdout, /image: leanbridge$/m, 'the image is named in one place');
    });
  const serve = name => read('kubernetes/serve', name);
  test('memory is that of the workers that the options allow', () => {
    const text = serve('statefulset.yaml');
    const option = name => Number(new RegExp(`--${name}=(\\d+)`).exec(text)[1]);
    const wanted = option('max-open-files') * 3 + option('max-worker-memory') / 1000 + 1;
    assert.deepEqual([...text.matchAll(/memory: (\d+)Gi/g)].map(([, gigabytes]) => Number(gigabytes)), [wanted, wanted]);
  });
  test('the proxy knows as many replicas as there may be, by the names of the StatefulSet', () => {
    const most = Number(/maxReplicas: (\d+)/.exec(serve('hpa.yaml'))[1]);
    const servers = [...serve('haproxy.cfg').matchAll(/^ {2}server (\S+) (\S+):8765 id (\d+)$/gm)].map(([, name, host, id]) => [name, host, Number(id)]);
    assert.deepEqual(servers, Array.from({ length: most }, (_, i) => [`leanbridge-${i}`, `leanbridge-${i}.leanbridge-replicas`, i + 1]));
    assert.match(serve('statefulset.yaml'), /^ {2}name: leanbridge\n[\s\S]*serviceName: leanbridge-replicas/m);
  });
  test('nothing runs as root or writes to its image', () => {
    for (const name of ['statefulset.yaml', 'proxy.yaml'])
      for (const setting of ['runAsNonRoot: true', 'readOnlyRootFilesystem: true', 'allowPrivilegeEscalation: false', 'drop: [ALL]', 'type: RuntimeDefault', 'automountServiceAccountToken: false'])
        assert.ok(serve(name).includes(setting), `${name}: ${setting}`);
  });
});

test('systemd: the units are valid', { timeout, skip: without('systemd-analyze', ['--version']) }, () => {
  const folder = temporaryFolder('units');
  const names = fs.readdirSync(path.join(deploy, 'systemd'));
  for (const name of names) fs.writeFileSync(path.join(folder, name), read('systemd', name).replace('%h/.local/bin/leanbridge', '/bin/true'));
  const { status, stdout, stderr } = run('systemd-analyze', ['--user', '--man=no', 'verify', ...names.map(name => path.join(folder, name))], { env: { ...process.env, XDG_RUNTIME_DIR: folder } });
  assert.deepEqual([status, stdout, stderr], [0, '', '']);
});

test('the image is not root\'s, has no init, and is built on the image that the workflows use', () => {
  const text = read('container/Containerfile');
  const base = /ARG BASE=docker\.io\/library\/(\S+)/.exec(text)[1];
  for (const workflow of ['test', 'release']) assert.ok(fs.readFileSync(path.join(root, `.github/workflows/${workflow}.yml`), 'utf8').includes(`container: ${base}\n`), workflow);
  assert.match(text, /^USER 10001:10001$/m);
  assert.match(text, /^ENTRYPOINT \["leanbridge"\]$/m);
  assert.match(text, /^FROM runtime AS leanbridge\n$/m, 'the last stage is what is built by default');
});

test('leanbridge has every option that these files pass', { timeout, skip: noServe }, () => {
  const known = optionsIn(help.map(({ stdout }) => stdout).join('\n'));
  const commands = {
    'systemd/leanbridge.service': /^ExecStart=.*leanbridge serve .*$/m,
    'kubernetes/serve/statefulset.yaml': /args:\n( +- .*\n)+/,
    'haproxy/haproxy.cfg': /(# {3}leanbridge serve .*\n)+/,
    'container/Containerfile': /leanbridge:lean serve .*$/m,
  };
  for (const [file, command] of Object.entries(commands)) {
    const options = optionsIn(command.exec(read(file))[0]);
    assert.ok(options.includes('--http'), file);
    assert.deepEqual(options.filter(option => !known.includes(option)), [], file);
  }
});
