// What hosts and registries are given beside the binary: the Claude Code plugin, server.json, the MCPB manifest. No Lean is needed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import * as plugin from '../../scripts/lib/plugin.mjs';
import { binary, fakeLake, root, runBinary, scratchProject, temporaryFolder, withBridge } from '../support/bridge.mjs';

const timeout = 60_000;
const read = name => fs.readFileSync(path.join(root, name), 'utf8');
const json = name => JSON.parse(read(name));

describe('one version, one source', () => {
  test('every file names the version of CMakeLists.txt, as the binary does', { timeout }, async () => {
    const version = plugin.version();
    assert.equal((await runBinary(['--version'])).stdout.trim(), `leanbridge ${version}`);
    for (const name of plugin.VERSIONED) {
      const versions = plugin.versionsIn(read(name));
      assert.ok(versions.length > 0, name);
      assert.deepEqual([...new Set(versions)], [version], `${name}: run node scripts/lib/plugin.mjs`);
    }
  });
  test('the slash commands are the prompts', { timeout }, () => {
    const files = plugin.generated(binary);
    const commands = Object.keys(files).filter(name => name.startsWith(plugin.COMMANDS));
    assert.deepEqual(fs.readdirSync(path.join(root, plugin.COMMANDS)).sort(), commands.map(name => path.basename(name)).sort());
    for (const name of commands) assert.equal(read(name), files[name], `${name}: run node scripts/lib/plugin.mjs`);
    for (const name of commands) assert.equal(files[name].split('$ARGUMENTS').length, 2, `${name} holds what the user writes, once`);
  });
});

describe('the plugin', () => {
  test('the skill names tools that a host is offered, and says when to use which', { timeout }, () => withBridge({ project: scratchProject({}), lake: fakeLake().command }, async client => {
    const offered = (await client.request('tools/list', {})).tools.map(tool => tool.name);
    const text = read(plugin.SKILL);
    const named = [...new Set(text.match(/\blean_[a-z_]+/g))];
    for (const name of named) assert.ok(offered.includes(name), `${name} is not in tools/list`);
    const [, forAgents] = /## Hosts without plugins: AGENTS\.md\n.*?```markdown\n(.*?)```/s.exec(read('docs/hosts.md'));
    for (const [name] of forAgents.matchAll(/\blean_[a-z_]+/g)) assert.ok(offered.includes(name), `${name} is not in tools/list`);
    assert.match(forAgents, /Only `proof_complete`.*`success: true`/s);
    for (const name of ['lean_goal', 'lean_multi_attempt', 'lean_theorem_search', 'lean_fill', 'lean_write_proof', 'lean_check_all', 'lean_verify', 'lean_certify']) assert.ok(named.includes(name), name);
    const [, front] = /^---\n(.*?)\n---\n/s.exec(text);
    assert.match(front, /^name: lean-proofs$/m);
    assert.ok(/^description: (".*")$/m.exec(front)[1].length < 1024);
  }));
  test('its server starts: the leanbridge that is installed, none from a registry; otherwise one sentence', { timeout }, () => {
    const { command } = json('deploy/claude-code/.claude-plugin/plugin.json').mcpServers.lean;
    const start = command.replace('${CLAUDE_PLUGIN_ROOT}', path.join(root, 'deploy/claude-code'));
    const run = programs => {
      const folder = temporaryFolder('path');
      for (const name of programs) fs.writeFileSync(path.join(folder, name), `#!/bin/sh\necho ${name} "$@"\n`, { mode: 0o755 });
      return spawnSync('/bin/sh', [start, '--offline'], { env: { PATH: folder, HOME: folder }, encoding: 'utf8' });
    };
    assert.ok(fs.statSync(start).mode & 0o100);
    assert.equal(run(['npx', 'uvx', 'leanbridge']).stdout, 'leanbridge --offline\n');
    for (const programs of [[], ['npx', 'uvx']]) {
      const none = run(programs);
      assert.deepEqual([none.status, none.stdout], [127, '']);
      assert.match(none.stderr, /^leanbridge is not on PATH.*\n$/);
    }
  });
  test('the marketplace leads to it', () => {
    const { plugins } = json('.claude-plugin/marketplace.json');
    const { name } = json(path.join(plugins[0].source, '.claude-plugin/plugin.json'));
    assert.deepEqual([plugins.length, plugins[0].name], [1, name]);
  });
});

describe('what hosts show', () => {
  for (const [era, protocolVersion, expected] of [['legacy', '2025-03-26', []], ['legacy', '2025-06-18', ['title']], ['legacy', '2025-11-25', ['icons', 'title']], ['modern', undefined, ['icons', 'title']]]) {
    test(`title and icon, as far as ${protocolVersion ?? 'the modern era'} has them`, { timeout }, () => withBridge({ era, revision: protocolVersion, project: scratchProject({}), lake: fakeLake().command }, async client => {
      const info = client.server.serverInfo ?? client.server._meta['io.modelcontextprotocol/serverInfo'];
      assert.deepEqual(Object.keys(info).filter(name => !['name', 'version'].includes(name)).sort(), expected);
      if (!info.icons) return;
      const [, base64] = /^data:image\/svg\+xml;base64,(.*)$/.exec(info.icons[0].src);
      assert.equal(Buffer.from(base64, 'base64').toString(), read('deploy/mcpb/icon.svg').trim());
    }));
  }
});

describe('registries', () => {
  const home = 'https://github.com/somebody/leanbridge';
  test('server.json: none without an address; with one, the name of its owner, short texts, and only packages whose names are ours', () => {
    assert.equal(fs.existsSync(path.join(root, plugin.REGISTRY)), plugin.registryEntry() !== undefined);
    assert.equal(plugin.registryEntry({ home: '', maintainer: '', published: [] }), undefined);
    const server = JSON.parse(plugin.registryEntry({ home, maintainer: '', published: ['npm'] }));
    assert.deepEqual([server.name, server.repository.url, server.version], ['io.github.somebody/leanbridge', home, plugin.version()]);
    assert.deepEqual(server.packages.map(({ registryType, transport }) => [registryType, transport.type]), [['npm', 'stdio']]);
    assert.ok(server.description.length <= 100);
  });
  test('the manifests: the address and the maintainer, once there are any', () => {
    const given = { home, maintainer: 'A B <a@example.org>' };
    const manifest = plugin.withHome(read('deploy/mcpb/manifest.json'), given);
    assert.deepEqual([manifest.homepage, manifest.repository, manifest.author], [home, { type: 'git', url: home }, { name: 'A B', email: 'a@example.org' }]);
    assert.equal(plugin.withHome(read('deploy/claude-code/.claude-plugin/plugin.json'), given).repository, home);
    assert.deepEqual(plugin.withHome(read('.claude-plugin/marketplace.json'), given).owner, { name: 'A B', email: 'a@example.org' });
    const { home: own, maintainer } = plugin.settings();
    for (const name of plugin.VERSIONED) assert.deepEqual(json(name), plugin.withHome(read(name), { home: own, maintainer }), `${name}: run node scripts/lib/plugin.mjs`);
  });
  test('no address and no name in what is written or run belongs to nobody', () => {
    const { home: own } = plugin.settings();
    const files = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).stdout.split('\0').filter(name => name && fs.existsSync(path.join(root, name)));
    assert.ok(files.length > 500);
    for (const name of files.filter(each => !/^(tests|fixtures)\/|\.(png|gz|tgz|olean)$|node_modules/.test(each) && fs.statSync(path.join(root, each)).isFile())) {
      const text = read(name);
      for (const [found] of text.matchAll(/\b(?:(?:https?:\/\/)?(?:github\.com|gitlab\.com|ghcr\.io|docker\.io|quay\.io|npmjs\.com\/package|pypi\.org\/project)\/[\w.@-]*leanbridge\b[\w./-]*|io\.github\.[\w-]+\/leanbridge|@leanbridge\/[\w-]+|[\w.-]+@localhost\b|leanbridge\.(?:dev|org|io|com)\b)/g))
        assert.ok(own && found.includes(own.replace(/^https:\/\//, '')), `${name}: ${found}`);
    }
    // What would be fetched from a registry runs there: nothing asks for a name of ours that is not ours yet.
    if (plugin.settings().published.length === 0)
      for (const name of files.filter(each => /^(src|deploy|scripts|docs|bench|\.[a-z-]+)\/|^[A-Z]+\.md$/.test(each) && fs.statSync(path.join(root, each)).isFile()))
        assert.doesNotMatch(read(name), /\b(?:npx|uvx)(?: -y| --yes)? leanbridge\b|\bnpm install (?:-g )?leanbridge\b|\bpip install leanbridge\b/, name);
  });
  test('the MCPB manifest: what it starts, and a project that may be left empty', { timeout }, async () => {
    const manifest = json('deploy/mcpb/manifest.json');
    assert.equal(manifest.server.mcp_config.command, `\${__dirname}/${manifest.server.entry_point}`);
    const icon = fs.readFileSync(path.join(root, 'deploy/mcpb', manifest.icon));
    assert.deepEqual([icon.toString('latin1', 1, 4), icon.readUInt32BE(16), icon.readUInt32BE(20)], ['PNG', 512, 512]);
    assert.ok(icon.equals(fs.readFileSync(path.join(root, 'deploy/claude-code/.claude-plugin/icon.png'))));
    // A host leaves the variable as it is, or empties it, where the user has named no folder.
    for (const value of [manifest.server.mcp_config.env.LEAN_PROJECT_PATH, '']) {
      const { code, stderr } = await runBinary(['tools'], { env: { LEAN_PROJECT_PATH: value } });
      assert.equal(code, 0, stderr);
    }
  });
});
