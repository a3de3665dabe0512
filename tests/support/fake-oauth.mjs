// An MCP server that requires a token, and the authorization server that issues it, for tests: each on its own port on this machine.
import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';

async function listening(handler) {
  const server = http.createServer((request, response) => handler(request, response).catch(error => { response.statusCode = 599; response.end(String(error)); }));
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close() { server.closeAllConnections(); return new Promise(resolve => server.close(resolve)); } };
}
async function bodyOf(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
const secret = kind => `${kind}-${randomBytes(12).toString('hex')}`;
const s256 = verifier => createHash('sha256').update(verifier).digest('base64url');

/**
 * Both servers. `state` may be changed while they run:
 * issuerPath: path of the issuer; wellKnown: where its metadata is, with {path} for that path; metadataIssuer: what it calls itself;
 * pkce: methods it knows, or undefined; iss: "right", "wrong", "slash" or "none" in the redirect; saysIss: announces that it always sends it;
 * wrongState, denies: how the redirect goes wrong; registers, documents: how clients become known; methods: of the token endpoint;
 * lifetime: seconds, or undefined; refreshes: gives refresh tokens; rotates; forgets: no longer knows refresh tokens and codes; echoes: repeats secrets in errors;
 * down: the token endpoint answers 503; hold: a promise that the token endpoint waits for; revokes: has an endpoint for that; asScopes: its scopes_supported;
 * prm: path of the resource's metadata, inHeader: announced in the challenge; resource: what it calls itself; prmScopes; issuers;
 * scope: required for everything, announced in the challenge; writeScope: required for the tool write; refuseAll: the server accepts no token;
 * openHandshake: initialize needs no token; redirect: where the MCP server redirects every request.
 * `seen` records what arrived: {authorize, token, register, revoke, mcp, metadata}.
 */
export async function startOAuth(options = {}) {
  const state = {
    issuerPath: '', wellKnown: '/.well-known/oauth-authorization-server{path}', pkce: ['S256'], iss: 'right', saysIss: true, registers: true, methods: ['none'],
    lifetime: 3600, refreshes: true, rotates: true, revokes: true, prm: '/.well-known/oauth-protected-resource/mcp', inHeader: true, ...options,
  };
  const seen = { authorize: [], token: [], register: [], revoke: [], mcp: [], metadata: [] };
  const clients = new Map(), codes = new Map(), access = new Map(), refresh = new Map();

  const send = (response, status, body, headers = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
    response.end(body === undefined ? '' : JSON.stringify(body));
  };
  const issuerOf = origin => origin + state.issuerPath;

  function authorize(request, response, url) {
    const query = Object.fromEntries(url.searchParams);
    seen.authorize.push(query);
    const redirect = new URL(query.redirect_uri);
    if (state.iss !== 'none') redirect.searchParams.set('iss', { right: issuerOf(as.url), wrong: 'https://evil.example.org', slash: `${issuerOf(as.url)}/` }[state.iss]);
    redirect.searchParams.set('state', state.wrongState ? 'another' : query.state);
    if (state.denies) {
      redirect.searchParams.set('error', 'access_denied');
      redirect.searchParams.set('error_description', 'She said no.');
    } else {
      const code = secret('code');
      codes.set(code, query);
      redirect.searchParams.set('code', code);
    }
    response.writeHead(302, { location: redirect.href });
    response.end();
  }

  function grant(response, { scope, resource, client }) {
    const answer = { access_token: secret('access'), token_type: 'Bearer' };
    access.set(answer.access_token, { scope, resource, until: state.lifetime === undefined ? Infinity : Date.now() + state.lifetime * 1000 });
    if (state.lifetime !== undefined) answer.expires_in = state.lifetime;
    if (state.refreshes) {
      answer.refresh_token = secret('refresh');
      refresh.set(answer.refresh_token, { scope, resource, client });
    }
    if (scope) answer.scope = scope;
    send(response, 200, answer);
  }

  function clientOf(request, form) {
    const [scheme, credentials] = (request.headers.authorization ?? '').split(' ');
    if (scheme !== 'Basic') return { id: form.client_id, given: form.client_secret, method: form.client_secret ? 'client_secret_post' : 'none' };
    const [id, given] = Buffer.from(credentials, 'base64').toString().split(':').map(decodeURIComponent);
    return { id, given, method: 'client_secret_basic' };
  }

  async function token(request, response) {
    const form = Object.fromEntries(new URLSearchParams(await bodyOf(request)));
    const client = clientOf(request, form);
    seen.token.push({ ...form, client });
    if (state.hold) await state.hold;
    const refuse = (error, more = '') => send(response, error === 'invalid_client' ? 401 : 400, { error, error_description: state.echoes ? `${more} ${JSON.stringify(form)}` : more });
    if (state.down) return send(response, 503, { error: 'temporarily_unavailable' });
    const registered = clients.get(client.id);
    if (!registered && !client.id?.startsWith('https://')) return refuse('invalid_client');
    if (registered && (registered.secret !== client.given || !state.methods.includes(client.method))) return refuse('invalid_client');
    if (form.grant_type === 'client_credentials') return grant(response, { scope: form.scope, resource: form.resource, client: client.id });
    if (form.grant_type === 'refresh_token') {
      const held = refresh.get(form.refresh_token);
      if (!held || held.client !== client.id || held.resource !== form.resource || state.forgets) return refuse('invalid_grant', 'unknown refresh token');
      if (state.rotates) refresh.delete(form.refresh_token);
      return grant(response, held);
    }
    const asked = codes.get(form.code);
    codes.delete(form.code);
    if (!asked || state.forgets || asked.client_id !== client.id || asked.redirect_uri !== form.redirect_uri || asked.resource !== form.resource || asked.code_challenge !== s256(form.code_verifier ?? ''))
      return refuse('invalid_grant', 'unknown code');
    grant(response, { scope: asked.scope, resource: asked.resource, client: client.id });
  }

  async function register(request, response) {
    const asked = JSON.parse(await bodyOf(request));
    seen.register.push(asked);
    const client = { client_id: secret('client'), ...asked, token_endpoint_auth_method: state.methods[0] };
    if (state.methods[0] !== 'none') client.client_secret = secret('secret');
    clients.set(client.client_id, { secret: client.client_secret });
    send(response, 201, client);
  }

  const as = await listening(async (request, response) => {
    const url = new URL(request.url, as.url), path = state.issuerPath;
    if (url.pathname === state.wellKnown.replace('{path}', path)) {
      seen.metadata.push(url.pathname);
      return send(response, 200, {
        issuer: state.metadataIssuer ?? issuerOf(as.url), authorization_endpoint: `${as.url}${path}/authorize?tenant=1`, token_endpoint: `${as.url}${path}/token`,
        response_types_supported: ['code'], code_challenge_methods_supported: state.pkce, scopes_supported: state.asScopes, token_endpoint_auth_methods_supported: state.methods,
        ...(state.registers && { registration_endpoint: `${as.url}${path}/register` }), ...(state.revokes && { revocation_endpoint: `${as.url}${path}/revoke` }),
        ...(state.saysIss && { authorization_response_iss_parameter_supported: true }), ...(state.documents && { client_id_metadata_document_supported: true }),
      });
    }
    if (url.pathname === `${path}/authorize`) return authorize(request, response, url);
    if (url.pathname === `${path}/token` && request.method === 'POST') return token(request, response);
    if (url.pathname === `${path}/register` && request.method === 'POST' && state.registers) return register(request, response);
    if (url.pathname === `${path}/revoke` && request.method === 'POST') {
      const form = Object.fromEntries(new URLSearchParams(await bodyOf(request)));
      seen.revoke.push(form);
      access.delete(form.token);
      refresh.delete(form.token);
      return send(response, 200);
    }
    seen.metadata.push(url.pathname);
    send(response, 404);
  });

  const challenge = (more = {}) => ({ 'www-authenticate': 'Negotiate abc/+==, Bearer ' + Object.entries({ ...more, ...(state.inHeader && { resource_metadata: rs.url + state.prm }) }).map(([name, value]) => `${name}="${value}"`).join(', ') });
  const tools = ['echo', 'write'].map(name => ({ name, inputSchema: { type: 'object' } }));

  async function mcp(request, response) {
    const text = await bodyOf(request), message = text ? JSON.parse(text) : {};
    seen.mcp.push({ method: message.method, authorization: request.headers.authorization, tool: message.params?.name });
    if (state.redirect) { response.writeHead(307, { location: state.redirect }); return response.end(); }
    const bearer = request.headers.authorization?.match(/^Bearer (.+)$/)?.[1], held = access.get(bearer);
    const open = state.openHandshake && message.method === 'initialize';
    if (!open && (!held || held.until <= Date.now() || state.refuseAll))
      return send(response, 401, { error: 'invalid_token', quoted: bearer }, challenge({ ...(bearer && { error: 'invalid_token' }), ...(state.scope && { scope: state.scope }) }));
    if (state.writeScope && message.params?.name === 'write' && !held.scope?.split(' ').includes(state.writeScope))
      return send(response, 403, { error: 'insufficient_scope' }, challenge({ error: 'insufficient_scope', scope: state.writeScope }));
    const { id, method, params } = message;
    if (method === 'server/discover') return send(response, 400, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'no session' } });
    if (request.method !== 'POST') return send(response, 405);
    if (id === undefined) return send(response, 202);
    const results = {
      initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'protected', version: '1' } }),
      'tools/list': () => ({ tools }),
      'tools/call': () => ({ content: [{ type: 'text', text: `${params.name} done` }] }),
    };
    send(response, 200, { jsonrpc: '2.0', id, result: results[method]() });
  }

  const rs = await listening(async (request, response) => {
    if (request.url === state.prm)
      return send(response, 200, { resource: state.resource ?? `${rs.url}/mcp`, authorization_servers: state.issuers ?? [issuerOf(as.url)], scopes_supported: state.prmScopes });
    if (request.url === '/mcp') return mcp(request, response);
    seen.metadata.push(request.url);
    send(response, 404);
  });

  return {
    url: `${rs.url}/mcp`, issuer: () => issuerOf(as.url), state, seen, clients, access, refresh,
    /** Every secret that must not leak. */
    secrets: () => [...access.keys(), ...refresh.keys(), ...seen.token.flatMap(form => [form.code, form.code_verifier, form.refresh_token]), ...[...clients.values()].map(client => client.secret)].filter(Boolean),
    async close() { await as.close(); await rs.close(); },
  };
}

/** A server on another origin that records what arrives. */
export async function startStranger({ status = 404, text = '' } = {}) {
  const requests = [];
  const listener = await listening(async (request, response) => {
    requests.push({ headers: request.headers, body: await bodyOf(request) });
    response.writeHead(status);
    response.end(text);
  });
  return { ...listener, requests };
}
