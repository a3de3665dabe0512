// A server over HTTP for tests: starts it, waits until it listens, talks to it, ends it.
import { spawn } from 'node:child_process';
import http from 'node:http';

/**
 * Starts `command args` and waits for `listening on URL`: {url, pid, stderr(), request(...), stop(signal)}.
 * @param options {args, env, cwd}
 */
export async function startHttpServer(command, { args = [], env = process.env, cwd } = {}) {
  const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  const exit = new Promise(resolve => child.once('close', (code, signal) => resolve({ code, signal })));
  let stderr = '';
  const url = await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`it did not listen in time: ${stderr}`)), 30_000);
    child.stderr.setEncoding('utf8').on('data', chunk => {
      stderr = (stderr + chunk).slice(-100_000);
      const found = /^listening on (\S+)$/m.exec(stderr);
      if (found) { clearTimeout(late); resolve(found[1]); }
    });
    exit.then(end => { clearTimeout(late); reject(new Error(`it ended with ${JSON.stringify(end)}: ${stderr}`)); });
  });
  return {
    url,
    pid: child.pid,
    exit,
    stderr: () => stderr,
    /** One request with exactly these headers: {status, headers, text}. @param options {method, path, headers, body} */
    request: (options = {}) => exchange(url, options),
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      const late = setTimeout(() => child.kill('SIGKILL'), 15_000);
      const end = await exit;
      clearTimeout(late);
      return end;
    },
  };
}

const place = url => (url.startsWith('unix:') ? { socketPath: url.slice(5) } : { host: new URL(url).hostname.replace(/[[\]]/g, ''), port: new URL(url).port });

/**
 * Sends one request and reads the whole answer. Calls `sent` with the request at once, `opened` with the response, the request and what was
 * received so far as soon as the head is there.
 */
export function exchange(url, { method = 'POST', path = '/mcp', headers = {}, body, sent, opened } = {}) {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify({ jsonrpc: '2.0', ...body });
    const request = http.request({ ...place(url), method, path, agent: false, headers: { Host: 'localhost', 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers } });
    request.on('error', reject).on('response', response => {
      let received = '';
      response.setEncoding('utf8').on('data', chunk => { received += chunk; });
      opened?.(response, request, () => received);
      response.on('close', () => resolve({ status: response.statusCode, headers: response.headers, text: received, json: () => JSON.parse(received) }));
    });
    sent?.(request);
    request.end(text);
  });
}

const META = 'io.modelcontextprotocol/';

/** What a modern request has: {headers, body}. @param message {id, method, params} */
export function modern({ id = 1, method, params = {} }) {
  const name = params.name ?? params.uri ?? params.taskId;
  return {
    headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, ...(name === undefined ? {} : { 'Mcp-Name': name }) },
    body: { id, method, params: { ...params, _meta: { [`${META}protocolVersion`]: '2026-07-28', [`${META}clientCapabilities`]: {}, ...params._meta } } },
  };
}

/** The messages in a text of server-sent events. */
export const messagesIn = text => text.split('\n').filter(line => /^data: \S/.test(line)).map(line => JSON.parse(line.slice(6)));
/** The id of the last event in it. */
export const lastEventIn = text => [...text.matchAll(/^id: (\S+)$/gm)].at(-1)?.[1];
