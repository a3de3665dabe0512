// Authorization of remote servers: login, renewal, refusals. The test is the user's browser. No Lean is needed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { binary, spawnBridge, temporaryFolder } from '../support/bridge.mjs';
import { startOAuth, startStranger } from '../support/fake-oauth.mjs';
import { call, errorOf, ready, server, textOf, until, withUpstreams } from '../support/upstreams.mjs';

const timeout = 60_000;
const entry = (oauth, more = '') => `[[servers]]\nname = "r"\ntransport = "http"\nurl = ${JSON.stringify(oauth.url)}\n${more}\n`;

/** A home whose user has configured the server. */
function homeWith(oauth, more) {
  const home = temporaryFolder('home');
  fs.mkdirSync(path.join(home, '.leanbridge'));
  fs.writeFileSync(path.join(home, '.leanbridge/mcp-servers.toml'), entry(oauth, more));
  return home;
}
const folderOf = home => path.join(home, '.config/leanbridge/tokens');
const filesOf = (home, kind) => (fs.existsSync(folderOf(home)) ? fs.readdirSync(folderOf(home)).filter(name => name.startsWith(kind) && name.endsWith('.json')).map(name => path.join(folderOf(home), name)) : []);
const tokenOf = home => JSON.parse(fs.readFileSync(filesOf(home, 'token-')[0], 'utf8'));
function changeToken(home, change) {
  const [file] = filesOf(home, 'token-');
  fs.writeFileSync(file, JSON.stringify({ ...tokenOf(home), ...change }));
}
const expire = home => changeToken(home, { issued_at: 1, expires_at: 2 });

/** Runs `leanbridge mcp auth …`; calls `browse` with the address that it prints. */
async function auth(home, args, { browse = url => fetch(url), env = {} } = {}) {
  const child = spawn(binary, ['mcp', 'auth', ...args], { cwd: temporaryFolder('cwd'), env: { ...process.env, HOME: home, XDG_CONFIG_HOME: '', CLAUDE_PROJECT_DIR: '', LEAN_LOG_LEVEL: 'debug', DISPLAY: '', WAYLAND_DISPLAY: '', LEANBRIDGE_UPSTREAM: '', ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const text = { stdout: '', stderr: '', page: undefined };
  child.stderr.on('data', chunk => { text.stderr += chunk; });
  child.stdout.on('data', chunk => {
    text.stdout += chunk;
    const url = text.stdout.match(/^(https?:\S+)\n/m)?.[1];
    if (url && text.page === undefined) text.page = Promise.resolve(browse(url)).catch(error => error);
  });
  const code = await new Promise(resolve => child.once('close', resolve));
  await text.page;
  return { code, ...text };
}
const login = (home, more = [], options) => auth(home, ['login', 'r', '--no-browser', ...more], options);
async function loggedIn(oauth, more) {
  const home = homeWith(oauth, more);
  const { code, stderr } = await login(home);
  assert.equal(code, 0, stderr);
  return home;
}
function assertNoSecrets(oauth, ...texts) {
  for (const secret of oauth.secrets()) for (const text of texts) assert.ok(!String(text).includes(secret), `a secret is shown in: ${text}`);
}

/** Runs test(oauth) with both servers. */
async function withOAuth(options, test) {
  const oauth = await startOAuth(options);
  try {
    await test(oauth);
  } finally {
    await oauth.close();
  }
}
/** A bridge of the user with this home; its log must contain no secret. */
async function withBridge(oauth, home, test, options = {}) {
  await withUpstreams('', { args: ['--log-level', 'debug'], ...options, env: { HOME: home, ...options.env } }, async client => {
    await test(client);
    assertNoSecrets(oauth, client.tail(), JSON.stringify(await server(client, 'r')));
  });
}

describe('login', () => {
  test('follows the challenge, proves itself, and the call works', { timeout }, () => withOAuth({ scope: 'mcp:basic', asScopes: ['mcp:basic', 'offline_access'] }, async oauth => {
    const home = homeWith(oauth);
    const result = await login(home);
    assert.equal(result.code, 0, result.stderr);
    assertNoSecrets(oauth, result.stdout, result.stderr);
    const [asked] = oauth.seen.authorize, [redeemed] = oauth.seen.token;
    assert.equal(asked.response_type, 'code');
    assert.equal(asked.code_challenge_method, 'S256');
    assert.equal(asked.scope, 'mcp:basic offline_access');
    assert.equal(asked.tenant, '1', "the endpoint's own query stays");
    assert.equal(asked.resource, oauth.url);
    assert.equal(redeemed.resource, oauth.url);
    assert.match(asked.redirect_uri, /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    assert.ok(asked.state.length >= 32 && redeemed.code_verifier.length >= 43);
    assert.equal(oauth.seen.register[0].application_type, 'native');
    assert.deepEqual(oauth.seen.register[0].grant_types, ['authorization_code', 'refresh_token']);
    assert.equal(fs.statSync(folderOf(home)).mode & 0o777, 0o700);
    for (const file of [...filesOf(home, 'token-'), ...filesOf(home, 'client-')]) assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    await withBridge(oauth, home, async client => {
      await ready(client, 'r');
      assert.equal(textOf(await call(client, 'r__echo')), 'echo done');
    });
    assert.ok(oauth.seen.mcp.slice(1).every(({ authorization }) => authorization?.startsWith('Bearer access-')), 'all but the login\'s question');
  }));

  for (const [what, options] of [
    ['beside the server, the issuer by OpenID', { inHeader: false, wellKnown: '/.well-known/openid-configuration{path}' }],
    ['at the root, the issuer with a path', { inHeader: false, prm: '/.well-known/oauth-protected-resource', issuerPath: '/tenant1' }],
    ['where the challenge says, the issuer by OpenID below its path', { prm: '/custom/place.json', issuerPath: '/tenant1', wellKnown: '{path}/.well-known/openid-configuration' }],
  ]) {
    test(`metadata ${what}`, { timeout }, () => withOAuth(options, async oauth => {
      if (options.prm === '/.well-known/oauth-protected-resource') oauth.state.resource = new URL(oauth.url).origin;
      await loggedIn(oauth);
      assert.equal(oauth.seen.token[0].resource, oauth.state.resource ?? oauth.url, 'as it is published');
    }));
  }

  for (const method of ['client_secret_basic', 'client_secret_post']) {
    test(`a client with a secret, by ${method}`, { timeout }, () => withOAuth({ methods: [method] }, async oauth => {
      const home = await loggedIn(oauth);
      assert.equal(oauth.seen.token[0].client.method, method);
      assertNoSecrets(oauth, (await auth(home, ['status'])).stdout);
    }));
  }

  test('a configured client, one given by hand, a metadata document, and none', { timeout }, () => withOAuth({ registers: false, methods: ['client_secret_basic'] }, async oauth => {
    oauth.clients.set('by hand', { secret: 's:3%' });
    await loggedIn(oauth, `[servers.auth]\nclient_id = "by hand"\nclient_secret = "s:3%"\nissuer = "${oauth.issuer()}"`);
    const home = homeWith(oauth);
    const none = await login(home);
    assert.equal(none.code, 1);
    assert.match(none.stderr, /--client-id/);
    assert.equal((await login(home, ['--client-id', 'by hand', '--issuer', oauth.issuer()], { env: { LEANBRIDGE_CLIENT_SECRET: 's:3%' } })).code, 0);
    assert.equal((await login(home)).code, 0, 'it is kept for this issuer');
    Object.assign(oauth.state, { documents: true, methods: ['none'] });
    const address = 'https://client.example.org/leanbridge.json';
    assert.equal((await login(homeWith(oauth), [], { env: { LEANBRIDGE_CLIENT_METADATA_URL: address } })).code, 0);
    assert.equal(oauth.seen.authorize.at(-1).client_id, address);
  }));

  test('a registration is used again with its port, and never at another issuer', { timeout }, () => withOAuth({}, async oauth => {
    const home = await loggedIn(oauth);
    assert.equal((await login(home)).code, 0);
    assert.equal(oauth.seen.register.length, 1);
    const [first, second] = oauth.seen.authorize;
    assert.deepEqual([second.client_id, second.redirect_uri], [first.client_id, first.redirect_uri]);
    await withOAuth({}, async other => {
      oauth.state.issuers = [other.issuer()];
      assert.equal((await login(home)).code, 0);
      assert.equal(other.seen.register.length, 1);
      assert.notEqual(other.seen.authorize[0].client_id, first.client_id);
      assert.equal(tokenOf(home).issuer, other.issuer());
    });
  }));

  const before = 0, after = 1;   // whether the user was asked
  for (const [what, options, pattern, asked] of [
    ['the issuer in the answer is another', { iss: 'wrong' }, /comes from 'https:\/\/evil\.example\.org'/, after],
    ['the issuer in the answer differs by a slash', { iss: 'slash' }, /comes from/, after],
    ['the issuer is missing though it always says it', { iss: 'none' }, /does not say from which issuer/, after],
    ['an unannounced issuer in the answer is another', { iss: 'wrong', saysIss: false }, /comes from/, after],
    ['the user says no', { denies: true }, /access_denied: She said no/, after],
    ['an error of another issuer is not shown', { denies: true, iss: 'wrong' }, /comes from/, after],
    ['the issuer knows no PKCE', { pkce: undefined }, /PKCE/, before],
    ['the issuer knows plain PKCE only', { pkce: ['plain'] }, /PKCE/, before],
    ['the issuer calls itself otherwise', { metadataIssuer: 'https://evil.example.org' }, /calls itself 'https:\/\/evil/, before],
    ['the resource is another', { resource: 'https://evil.example.org/mcp' }, /is for 'https:\/\/evil\.example\.org\/mcp'/, before],
    ['the resource is a neighbour', { resource: 'NEIGHBOUR' }, /not for/, before],
    ['the issuer is without TLS', { issuers: ['http://id.example.org'] }, /not https/, before],
    ['the issuer is in a private network', { issuers: ['https://10.0.0.1'] }, /private address/, before],
    ['there is no issuer', { issuers: [] }, /names no authorization server/, before],
  ]) {
    test(`is refused where ${what}`, { timeout }, () => withOAuth(options, async oauth => {
      if (options.resource === 'NEIGHBOUR') oauth.state.resource = `${oauth.url}x`;
      const home = homeWith(oauth);
      const { code, stderr, stdout } = await login(home);
      assert.equal(code, 1, stderr);
      assert.match(stderr, pattern);
      assert.doesNotMatch(stderr, options.iss === 'wrong' ? /She said no/ : /never/);
      assert.equal(oauth.seen.authorize.length, asked);
      assert.equal(oauth.seen.token.length, 0);
      assert.equal(stdout.trim().split('\n').filter(Boolean).length, asked);
      assert.deepEqual(filesOf(home, 'token-'), []);
    }));
  }

  test('what the issuer quotes of a refused request is not shown', { timeout }, () => withOAuth({ forgets: true, echoes: true, methods: ['client_secret_post'] }, async oauth => {
    const { code, stdout, stderr } = await login(homeWith(oauth));
    assert.equal(code, 1);
    assert.match(stderr, /invalid_grant: unknown code .*"code":"\(secret\)"/);
    assertNoSecrets(oauth, stdout, stderr);
  }));

  test('only the answer itself is taken at the port', { timeout }, () => withOAuth({}, async oauth => {
    const home = homeWith(oauth);
    const refused = [];
    const { code } = await login(home, [], { browse: async url => {
      const { port } = new URL(new URL(url).searchParams.get('redirect_uri')), local = `http://127.0.0.1:${port}`;
      const { default: http } = await import('node:http');
      const status = (options) => new Promise((resolve, reject) => http.request({ host: '127.0.0.1', port, ...options }, response => { response.resume(); resolve(response.statusCode); }).on('error', reject).end());
      refused.push(await status({ path: '/callback?state=x&code=y', headers: { host: 'evil.example.org' } }), await status({ path: '/favicon.ico' }), await status({ path: '/callback?state=x&code=y', method: 'POST' }));
      refused.push(await status({ path: '/callback?error=access_denied' }), await status({ path: '/callback?error=access_denied&state=' }), await status({ path: '/callback?state=x&code=y' }), await status({ path: '/callback?error=a&error=b' }));
      assert.ok(local);
      return fetch(url);
    } });
    assert.deepEqual(refused, [400, 404, 405, 400, 400, 400, 400]);
    assert.equal(code, 0);
  }));

  test('an answer with another state ends no login', { timeout }, () => withOAuth({ wrongState: true, denies: true }, async oauth => {
    const { code, stderr } = await login(homeWith(oauth), ['--wait', '2']);
    assert.equal(code, 1);
    assert.match(stderr, /Nobody answered in the browser in time/);
    assert.doesNotMatch(stderr, /access_denied/);
  }));

  for (const [what, more, args] of [
    ['in the configuration', '[servers.auth]\nclient_id = "mine"\nclient_secret = "s3cret-of-mine"', []],
    ['for a client without a user', '[servers.auth]\ngrant_type = "client_credentials"\nclient_id = "mine"\nclient_secret = "s3cret-of-mine"', []],
    ['given by hand', '', ['--client-id', 'mine']],
  ]) {
    test(`${what}: a client_secret does not go to an issuer that only the server names`, { timeout }, () => withOAuth({ methods: ['client_secret_post'] }, async oauth => {
      oauth.clients.set('mine', { secret: 's3cret-of-mine' });
      const { code, stdout, stderr } = await login(homeWith(oauth, more), args, { env: { LEANBRIDGE_CLIENT_SECRET: 's3cret-of-mine' } });
      assert.equal(code, 1, stderr);
      assert.match(stderr, /client_secret of r is not sent to http:\/\/127\.0\.0\.1:\d+.*issuer = /);
      assert.equal(oauth.seen.token.length + oauth.seen.authorize.length, 0);
      assert.ok(!(stdout + stderr).includes('s3cret-of-mine'));
    }));
  }

  test('an unknown server, a program, and a server with its own token', { timeout }, () => withOAuth({}, async oauth => {
    const home = homeWith(oauth, `headers = { Authorization = "Bearer mine" }\n[[servers]]\nname = "program"\ntransport = "stdio"\ncommand = "x"`);
    assert.equal((await auth(home, ['login', 'nobody'])).code, 2);
    assert.match((await auth(home, ['login', 'program'])).stderr, /takes no login/);
    assert.match((await auth(home, ['login', 'r'])).stderr, /other authorization \(header\)/);
  }));

  test('a signal ends it', { timeout }, () => withOAuth({}, async oauth => {
    const child = spawn(binary, ['mcp', 'auth', 'login', 'r', '--no-browser'], { env: { ...process.env, HOME: homeWith(oauth), XDG_CONFIG_HOME: '' }, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.once('data', () => child.kill('SIGINT'));
    assert.equal(await new Promise(resolve => child.once('close', resolve)), 130);
  }));
});

describe('without a token', () => {
  test('error and health name the command, and a login elsewhere is noticed', { timeout }, () => withOAuth({}, async oauth => {
    const home = homeWith(oauth);
    await withBridge(oauth, home, async client => {
      await until('down', async () => (await server(client, 'r')).status === 'down');
      assert.match((await server(client, 'r')).last_error, /leanbridge mcp auth login r/);
      assert.match(errorOf(await call(client, 'r__echo')).message, /leanbridge mcp auth login r/);
      assert.equal((await login(home)).code, 0);
      await until('the call', async () => !(await call(client, 'r__echo')).isError);
    });
    assert.equal(oauth.seen.authorize.length, 1, 'serve opens nothing by itself');
  }));

  test('a configured bearer is sent, and a refusal is a matter of configuration', { timeout }, () => withOAuth({}, async oauth => {
    oauth.access.set('access-mine', { until: Infinity });
    const home = homeWith(oauth, '[servers.auth]\nauth_type = "bearer"\ntoken = "${MINE}"');
    await withBridge(oauth, home, async client => {
      await ready(client, 'r');
      oauth.access.clear();
      const error = errorOf(await call(client, 'r__echo'));
      assert.match(error.message, /refuses the configured token/);
      assert.doesNotMatch(JSON.stringify(error), /auth login|access-mine/);
    }, { env: { MINE: 'access-mine' } });
    assert.equal(oauth.seen.metadata.length, 0);
  }));

  test('an Authorization header of its own is sent, and a refusal is a matter of configuration', { timeout }, () => withOAuth({}, async oauth => {
    const home = homeWith(oauth, 'headers = { authorization = "Bearer wrong-one" }');
    await withBridge(oauth, home, async client => {
      await until('down', async () => (await server(client, 'r')).status === 'down');
      const error = errorOf(await call(client, 'r__echo'));
      assert.match(error.message, /HTTP 401: .*\(secret\)/, 'the server quotes it');
      assert.doesNotMatch(JSON.stringify(error) + client.tail(), /auth login|wrong-one/);
      assert.ok(oauth.seen.mcp.every(({ authorization }) => authorization === 'Bearer wrong-one'));
    });
  }));

  test('client credentials need no user', { timeout }, () => withOAuth({ methods: ['client_secret_basic'], lifetime: 3600, refreshes: false }, async oauth => {
    oauth.clients.set('robot', { secret: 'r2' });
    const home = homeWith(oauth, `[servers.auth]\ngrant_type = "client_credentials"\nclient_id = "robot"\nclient_secret = "r2"\nissuer = "${oauth.issuer()}"`);
    await withBridge(oauth, home, async client => {
      await ready(client, 'r');
      assert.equal(textOf(await call(client, 'r__echo')), 'echo done');
      oauth.access.clear();
      assert.equal(textOf(await call(client, 'r__echo')), 'echo done');
    });
    assert.deepEqual(oauth.seen.token.map(form => form.grant_type), ['client_credentials', 'client_credentials']);
  }));
});

describe('renewal', () => {
  test('an expired token is renewed before connecting, with the resource, and the rotated one is saved', { timeout }, () => withOAuth({}, async oauth => {
    const home = await loggedIn(oauth);
    const old = tokenOf(home);
    expire(home);
    await withBridge(oauth, home, client => ready(client, 'r'));
    const form = oauth.seen.token.at(-1), now = tokenOf(home);
    assert.deepEqual([form.grant_type, form.refresh_token, form.resource], ['refresh_token', old.refresh_token, oauth.url]);
    assert.ok(now.access_token !== old.access_token && now.refresh_token !== old.refresh_token && oauth.refresh.has(now.refresh_token));
    assert.ok(now.expires_at > Date.now() / 1000 + 3000);
    assert.equal(fs.statSync(filesOf(home, 'token-')[0]).mode & 0o777, 0o600);
  }));

  test('a refresh token that stays is kept', { timeout }, () => withOAuth({ rotates: false }, async oauth => {
    const home = await loggedIn(oauth);
    const old = tokenOf(home).refresh_token;
    oauth.state.refreshes = false;
    expire(home);
    await withBridge(oauth, home, client => ready(client, 'r'));
    assert.equal(tokenOf(home).refresh_token, old);
  }));

  test('a token that is refused during a session is renewed once for all calls under way', { timeout }, () => withOAuth({}, async oauth => {
    const home = await loggedIn(oauth);
    await withBridge(oauth, home, async client => {
      await ready(client, 'r');
      const before = oauth.seen.token.length;
      oauth.access.clear();
      const results = await Promise.all([1, 2, 3, 4].map(() => call(client, 'r__echo')));
      assert.deepEqual(results.map(textOf), Array(4).fill('echo done'));
      assert.equal(oauth.seen.token.length, before + 1);
      oauth.state.refuseAll = true;   // the new one too, so it must not retry for ever
      assert.match(errorOf(await call(client, 'r__echo')).message, /refuses its token.*auth login r/);
      assert.equal(oauth.seen.token.length, before + 2);
    });
  }));

  test('two processes renew once', { timeout }, () => withOAuth({}, async oauth => {
    const home = await loggedIn(oauth);
    const before = oauth.seen.token.length;
    expire(home);
    let release;
    oauth.state.hold = new Promise(resolve => { release = resolve; });
    const waits = pid => fs.readdirSync(`/proc/${pid}/fd`).some(fd => { try { return fs.readlinkSync(`/proc/${pid}/fd/${fd}`).endsWith('.lock'); } catch { return false; } });
    const clients = [1, 2].map(() => spawnBridge({ cwd: temporaryFolder('cwd'), env: { HOME: home, XDG_CONFIG_HOME: '' } }));
    try {
      for (const client of clients) { await client.connect({}); await client.request('tools/list', {}); }
      await until('both at the lock, and one asks', () => clients.every(({ pid }) => waits(pid)) && oauth.seen.token.length > before);
      assert.equal(oauth.seen.token.length, before + 1);
      release();
      for (const client of clients) await ready(client, 'r');
      assert.equal(oauth.seen.token.length, before + 1);
      for (const client of clients) await client.close();
    } finally {
      for (const client of clients) await client.destroy();
    }
  }));

  test('a refresh token that is no longer good: the token goes, and the error names the command', { timeout }, () => withOAuth({ echoes: true }, async oauth => {
    const home = await loggedIn(oauth);
    await withBridge(oauth, home, async client => {
      await ready(client, 'r');
      oauth.state.forgets = true;
      oauth.access.clear();
      const error = errorOf(await call(client, 'r__echo'));
      assert.match(error.message, /no longer valid.*leanbridge mcp auth login r/);
      assertNoSecrets(oauth, JSON.stringify(error));
      assert.deepEqual(filesOf(home, 'token-'), []);
      oauth.state.forgets = false;
      assert.equal((await login(home)).code, 0);
      assert.equal(textOf(await call(client, 'r__echo')), 'echo done');
    });
  }));

  test('of what the issuer says about a refused renewal, only the code comes back', { timeout }, () => withOAuth({ echoes: true }, async oauth => {
    const home = await loggedIn(oauth);
    expire(home);
    oauth.state.methods = ['another'];
    await withBridge(oauth, home, async client => {
      await until('down', async () => (await server(client, 'r')).status === 'down');
      const reason = (await server(client, 'r')).last_error;
      assert.match(reason, /gives no token: HTTP 401, invalid_client\.$/);
      assert.doesNotMatch(JSON.stringify(errorOf(await call(client, 'r__echo'))), /grant_type/);
    });
  }));

  test('an outage of the issuer costs no token', { timeout }, () => withOAuth({}, async oauth => {
    const home = await loggedIn(oauth);
    const old = tokenOf(home);
    const now = Math.floor(Date.now() / 1000);
    changeToken(home, { issued_at: now - 3590, expires_at: now + 50 });   // still valid, but not for long
    oauth.state.down = true;
    await withBridge(oauth, home, client => ready(client, 'r'));
    expire(home);
    await withBridge(oauth, home, async client => {
      await until('down', async () => (await server(client, 'r')).status === 'down');
      assert.match((await server(client, 'r')).last_error, /HTTP 503/);
    });
    assert.equal(tokenOf(home).refresh_token, old.refresh_token);
  }));

  test('a token that cannot be renewed ends with a command', { timeout }, () => withOAuth({ refreshes: false }, async oauth => {
    const home = await loggedIn(oauth);
    expire(home);
    await withBridge(oauth, home, async client => {
      await until('down', async () => (await server(client, 'r')).status === 'down');
      assert.match((await server(client, 'r')).last_error, /has expired.*leanbridge mcp auth login r/);
    });
  }));
});

describe('where tokens go', () => {
  /** body(oauth, home, stranger), with a login and a server that nobody trusts. */
  const withStranger = body => withOAuth({}, async oauth => {
    const stranger = await startStranger();
    try {
      await body(oauth, await loggedIn(oauth), stranger);
    } finally {
      await stranger.close();
    }
  });
  /** The stranger refuses the bridge, having been asked but told nothing. */
  const learnsNothing = (oauth, stranger) => async client => {
    await until('down', async () => (await server(client, 'r')).status === 'down');
    assert.ok(stranger.requests.length > 0);
    for (const { headers, body } of stranger.requests) assertNoSecrets(oauth, JSON.stringify(headers), body);
  };

  test('not along with a redirect to another origin', { timeout }, () => withStranger(async (oauth, home, stranger) => {
    oauth.state.redirect = `${stranger.url}/mcp`;
    await withBridge(oauth, home, async client => {
      await until('down', async () => (await server(client, 'r')).status === 'down');
      assert.match((await server(client, 'r')).last_error, /redirected to another origin/);
      assert.equal(stranger.requests.length, 0);
    });
  }));

  test('not to a server of the same name at another address', { timeout }, () => withStranger((oauth, home, stranger) =>
    withUpstreams(entry({ url: `${stranger.url}/mcp` }), { env: { HOME: home } }, learnsNothing(oauth, stranger))));

  test('not to a token_url that was configured since', { timeout }, () => withStranger(async (oauth, home, stranger) => {
    fs.writeFileSync(path.join(home, '.leanbridge/mcp-servers.toml'), entry(oauth, `[servers.auth]\ntoken_url = "${stranger.url}/token"`));
    expire(home);
    await withBridge(oauth, home, client => ready(client, 'r'));
    assert.equal(stranger.requests.length, 0);
  }));
});

describe('more scopes', () => {
  test('error and health name the command, which asks for all together', { timeout }, () => withOAuth({ scope: 'mcp:basic', writeScope: 'mcp:write' }, async oauth => {
    const home = await loggedIn(oauth);
    await withBridge(oauth, home, async client => {
      await ready(client, 'r');
      const command = "leanbridge mcp auth login r --scope 'mcp:basic mcp:write'";
      assert.ok(errorOf(await call(client, 'r__write')).message.includes(command));
      assert.ok((await server(client, 'r')).problems.some(problem => problem.includes(command)));
      assert.equal(textOf(await call(client, 'r__echo')), 'echo done', 'the connection stands');
      assert.equal((await login(home, ['--scope', 'mcp:write'])).code, 0);
      assert.equal(oauth.seen.authorize.at(-1).scope, 'mcp:basic mcp:write');
      assert.equal(textOf(await call(client, 'r__write')), 'write done');
      assert.equal((await server(client, 'r')).problems, undefined);
    });
    assert.equal(oauth.seen.authorize.length, 2);
  }));

  test('a server that asks for a scope already granted: its refusal is reported as it is', { timeout }, () => withOAuth({ scope: 'mcp:write' }, async oauth => {
    const home = await loggedIn(oauth);
    await withBridge(oauth, home, async client => {
      await ready(client, 'r');
      oauth.state.writeScope = 'mcp:write';
      for (const held of oauth.access.values()) held.scope = 'nothing';
      const error = errorOf(await call(client, 'r__write'));
      assert.match(error.message, /HTTP 403/);
      assert.doesNotMatch(JSON.stringify(error), /auth login/);
    });
  }));

  test('without a challenge: what the resource supports, else nothing', { timeout }, () => withOAuth({ prmScopes: ['b', 'a'], asScopes: ['a', 'b', 'c'] }, async oauth => {
    await loggedIn(oauth);
    oauth.state.prmScopes = undefined;
    await loggedIn(oauth);
    assert.deepEqual(oauth.seen.authorize.map(({ scope }) => scope), ['a b', undefined]);
  }));
});

describe('status and logout', () => {
  test('status says until when; logout revokes and removes', { timeout }, () => withOAuth({ scope: 'mcp:basic' }, async oauth => {
    const home = homeWith(oauth);
    const status = async () => JSON.parse((await auth(home, ['status', '--json'])).stdout);
    assert.equal((await status())[0].state, 'not logged in');
    assert.equal((await login(home)).code, 0);
    const [row] = await status(), { access_token: access, refresh_token: refresh, expires_at: expiry } = tokenOf(home);
    assert.deepEqual(row, { server: 'r', url: oauth.url, state: 'logged in', issuer: oauth.issuer(), scope: 'mcp:basic', expires_at: expiry, renewable: true });
    const shown = await auth(home, ['status']);
    assert.match(shown.stdout, /^r\s+logged in\s+.*mcp:basic/m);
    assertNoSecrets(oauth, shown.stdout, shown.stderr);
    expire(home);
    assert.equal((await status())[0].state, 'to be renewed');
    const out = await auth(home, ['logout', 'r']);
    assert.equal(out.code, 0, out.stderr);
    assert.deepEqual(oauth.seen.revoke.map(({ token, token_type_hint: hint }) => [token, hint]), [[refresh, 'refresh_token'], [access, 'access_token']]);
    assert.deepEqual(filesOf(home, 'token-'), []);
    assert.equal((await status())[0].state, 'not logged in');
    assert.match((await auth(home, ['logout', 'r'])).stderr, /no token/);
  }));

  test('modes that are too wide are mended, and said', { timeout }, () => withOAuth({}, async oauth => {
    const home = await loggedIn(oauth);
    const [file] = filesOf(home, 'token-');
    fs.chmodSync(file, 0o644);
    fs.chmodSync(folderOf(home), 0o755);
    const { stderr } = await auth(home, ['status']);
    assert.match(stderr, /tokens could be entered by others/);
    assert.match(stderr, /could be read by others/);
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    assert.equal(fs.statSync(folderOf(home)).mode & 0o777, 0o700);
  }));
});
