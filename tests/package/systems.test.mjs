// Each form on minimal Debians with nothing installed but what docs/install.md says that it needs: it starts, lists its tools, and
// proves a goal on the native Lean. On a Debian whose C library is too old, it says so in one sentence.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { output, root, run, temporaryFolder } from './support.mjs';

const dist = process.env.LEANBRIDGE_PACKAGES;
const lake = path.join(root, 'fixtures/native-lean/lake');
const timeout = 15 * 60_000;

const named = pattern => path.join(dist, fs.readdirSync(dist).find(name => pattern.test(name)) ?? `(nothing like ${pattern})`);
const NPM = path.join(root, 'build/package/systems/npm-8.19.4.tgz');   // of tests/package/install
/** `needs`: Debian packages; `install`: a shell command for FILE; `program`: what starts afterwards. */
const FORMS = {
  'the tarball': {
    file: /linux-x86_64\.tar\.gz$/, needs: [], program: '/opt/leanbridge/bin/leanbridge',
    install: 'mkdir /opt/leanbridge && tar xzf "$FILE" --strip-components=1 -C /opt/leanbridge',
  },
  'the Debian package': { file: /_amd64\.deb$/, needs: [], program: '/usr/bin/leanbridge', install: 'dpkg -i "$FILE"' },
  'the wheel': {
    file: /x86_64\.whl$/, needs: ['python3-venv'], program: '/opt/python/bin/leanbridge',
    install: 'python3 -m venv /opt/python && /opt/python/bin/pip install --no-index "$FILE"',
  },
  'the npm package': {
    file: /linux-x64-.*\.npm\.tgz$/, needs: ['nodejs'], program: '/opt/npm/node_modules/.bin/leanbridge',
    install: `mkdir -p /opt/npm/cli && tar xzf ${NPM} -C /opt/npm/cli && node /opt/npm/cli/package/bin/npm-cli.js install --offline --no-audit --no-fund --prefix /opt/npm "$FILE"`,
  },
};
const OLDER = /glibc 2\.34 or newer.*; this system has glibc 2\.31\.$|leanbridge depends on libc6 \(>= 2\.34\)|is not a supported wheel on this platform/;

// Where a layer can be, which is not on an overlay; else the system is copied (in-system). Not below /tmp, which the system sees as its own.
const OVERLAY = 0x794c7630;
const layers = [path.join(root, 'build/package'), '/var/tmp'].find(folder => fs.existsSync(folder) && fs.statfsSync(folder).type !== OVERLAY) ?? path.join(root, 'build/package');

/** A layer over the system: {run(shell command) => {status, stdout, stderr}, command}. */
function systemOf(suite) {
  const layer = fs.mkdtempSync(path.join(layers, 'leanbridge-layer-'));
  const command = [path.join(root, 'tests/package/in-system'), suite, layer];
  return {
    command,
    run: shell => run(command[0], [...command.slice(1), '/bin/sh', '-c', shell], { timeout }),
    remove: () => { run('rm', ['-rf', layer], { timeout }); },
  };
}

const missing = suite => (!dist ? 'no packages: run scripts/test package'
  : fs.existsSync(path.join(root, `build/package/systems/${suite}/.complete`)) ? false : `${suite} could not be had (tests/package/install)`);

/** Installs a form; the outcome of its own command. */
function installed(system, { file, needs, install }) {
  if (needs.length) {
    // A mirror may be older than it promises; its signatures are checked all the same.
    const { status, stdout, stderr } = system.run(`apt-get update -q -o Acquire::Check-Valid-Until=false && apt-get install -y -q --no-install-recommends -o Dpkg::Options::=--force-unsafe-io ${needs.join(' ')}`);
    assert.equal(status, 0, `${needs}: ${stdout.slice(-2000)}${stderr.slice(-2000)}`);
  }
  return system.run(`FILE=${named(file)}; ${install}`);
}

for (const suite of ['bookworm', 'trixie', 'sid'])
  describe(`Debian ${suite}`, { skip: missing(suite) }, () => {
    for (const [name, form] of Object.entries(FORMS))
      test(name, { timeout }, t => {
        const system = systemOf(suite);
        t.after(system.remove);
        const { status, stdout, stderr } = installed(system, form);
        assert.equal(status, 0, `${stdout}${stderr}`);
        assert.match(system.run(`${form.program} --version`).stdout, /^leanbridge \d+\.\d+\.\d+\n$/);
        // What the demo shows on this machine, with the program of that system: it counts the tools and completes a proof.
        const program = path.join(temporaryFolder(), 'leanbridge');
        fs.writeFileSync(program, `#!/bin/sh\nexec ${system.command.join(' ')} ${form.program} "$@"\n`, { mode: 0o755 });
        const shown = output(process.execPath, [path.join(root, 'scripts/lib/demo.mjs'), program, lake], { timeout });
        assert.match(shown, /^leanbridge \d+\.\d+\.\d+, MCP \S+, \d+ tools; Lean 4\./m);
        assert.match(shown, /The whole session took/);
        if (form.needs.length === 0) {
          assert.notEqual(system.run('ls /usr/lib/x86_64-linux-gnu/libcurl.so.4').status, 0, 'this system has no libcurl');
          const searched = system.run(`cd ${path.join(root, 'fixtures/projects/basics')} && ${form.program} call lean_loogle query=Nat.add_comm --lake ${lake}`);
          assert.match(searched.stdout + searched.stderr, /libcurl, needed for network requests, cannot be loaded .*Install libcurl4\./);
        }
      });
  });

describe('Debian bullseye, whose glibc is 2.31', { skip: missing('bullseye') }, () => {
  for (const [name, form] of Object.entries(FORMS))
    test(name, { timeout }, t => {
      const system = systemOf('bullseye');
      t.after(system.remove);
      const install = installed(system, form);
      const said = install.status === 0 ? system.run(`${form.program} --version`) : install;
      assert.notEqual(said.status, 0);
      const lines = `${said.stdout}\n${said.stderr}`.split('\n').filter(line => OLDER.test(line));
      assert.equal(lines.length, 1, `${said.stdout}${said.stderr}`);
      if (install.status === 0) assert.equal(said.stderr, `${lines[0]}\n`);
    });
});
