// The OCI image that `scripts/package --image` makes: a layout that its tools read back, with nobody's rights, which starts on a read-only root
// and lists its tools.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { has, output, root, run, temporaryFolder } from './support.mjs';

const dist = path.join(root, 'dist');
const image = fs.existsSync(dist) && fs.readdirSync(dist).find(name => name.endsWith('-linux-x86_64.oci.tar'));
const file = image && path.join(dist, image);
const timeout = 10 * 60_000;
const skip = !file ? 'no image: run scripts/package --image' : !has('buildah') ? 'no buildah' : process.getuid() !== 0 && 'needs root';

const REQUESTS = [{ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } } },
  { method: 'notifications/initialized' }, { id: 2, method: 'tools/list' }].map(message => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');

function listsTools({ status, stdout, stderr, error }) {
  assert.equal(status, 0, `${error ?? ''}${stderr}${stdout}`);
  const { result } = stdout.trim().split('\n').map(line => JSON.parse(line)).find(({ id }) => id === 2);
  assert.ok(result.tools.some(({ name }) => name === 'lean_goal'));
}

describe('the image', { skip }, () => {
  const folder = !skip && temporaryFolder();
  const buildah = (...args) => output('buildah', ['--root', `${folder}/store`, '--runroot', `${folder}/run`, '--storage-driver', 'vfs', ...args], { timeout }).trim();
  let container, files, config;

  test('is an OCI layout', { timeout }, () => {
    container = buildah('from', `oci-archive:${file}`);
    files = buildah('mount', container);
    config = JSON.parse(buildah('inspect', '--type', 'container', container)).OCIv1.config;
    assert.deepEqual([config.User, config.Entrypoint, config.WorkingDir], ['10001:10001', ['leanbridge'], '/project']);
    assert.deepEqual(Object.keys(config.Volumes), ['/var/cache/leanbridge']);
  });

  test('gives its user the folders of the cache and of the project, and nothing else', { timeout }, () => {
    const own = output('find', [files, '-xdev', '-user', '10001', '-printf', '/%P\\n']).trim().split('\n').sort();
    assert.deepEqual(own, ['/project', '/var/cache/leanbridge']);
    assert.match(fs.readFileSync(path.join(files, 'var/lib/dpkg/status'), 'utf8'), /^Package: libcurl4$/m);
  });

  test('lists its tools', { timeout }, () => {
    const stores = ['--root', `${folder}/store`, '--runroot', `${folder}/run`, '--storage-driver', 'vfs'];
    listsTools(run('buildah', [...stores, 'run', '--isolation', 'chroot', container, '--', ...config.Entrypoint], { input: REQUESTS, timeout }));
  });

  test('lists its tools on a read-only root, without rights and without a network', { timeout, skip: !has('runc') && 'no runc' }, () => {
    const bundle = path.join(folder, 'bundle');
    fs.mkdirSync(bundle);
    output('runc', ['spec'], { cwd: bundle });
    const spec = JSON.parse(fs.readFileSync(path.join(bundle, 'config.json'), 'utf8'));
    const [uid, gid] = config.User.split(':').map(Number);
    spec.root = { path: files, readonly: true };
    Object.assign(spec.process, { terminal: false, user: { uid, gid }, args: config.Entrypoint, cwd: config.WorkingDir, env: config.Env, noNewPrivileges: true,
      capabilities: Object.fromEntries(Object.keys(spec.process.capabilities).map(kind => [kind, []])) });
    spec.mounts.push({ destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'nodev', 'mode=1777'] });
    fs.writeFileSync(path.join(bundle, 'config.json'), JSON.stringify(spec));
    const started = run('runc', ['--root', `${folder}/runc`, 'run', `leanbridge-test-${process.pid}`], { cwd: bundle, input: REQUESTS, timeout });
    listsTools(started);
  });
});
