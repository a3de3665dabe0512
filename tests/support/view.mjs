// `leanbridge view` for tests: starts it, reads its events, ends it.
import { spawn } from 'node:child_process';
import http from 'node:http';
import { binary, cacheFolder, temporaryFolder } from './bridge.mjs';
import { eventually } from './processes.mjs';

const environment = { ...process.env, LEAN_PROJECT_PATH: '', LEAN_MCP_DISABLED_TOOLS: '', LEAN_LOG_LEVEL: '', LEANBRIDGE_CACHE_DIR: cacheFolder(), LEANBRIDGE_DUMPABLE: '1' };

/**
 * Starts `leanbridge view FILE` (undefined: none) and waits for `viewing URL`: {url, origin, path, place, pid, stderr(), get(...), ask(tool, arguments, file), events(query), stop(signal)}.
 * @param options {lake, args, cwd, env}
 */
export async function startView(file, { lake, args = [], cwd = temporaryFolder('cwd'), env = {} } = {}) {
  const child = spawn(binary, ['view', ...(file ? [file] : []), ...(lake ? ['--lake', lake] : []), ...args], { env: { ...environment, ...env }, cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  const exit = new Promise(resolve => child.once('close', (code, signal) => resolve({ code, signal })));
  const streams = new Set();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', chunk => { stderr = (stderr + chunk).slice(-100_000); });
  const said = () => /^viewing (\S+)$/m.exec(stderr)?.[1];
  const early = exit.then(end => { throw new Error(`it ended with ${JSON.stringify(end)}: ${stderr}`); });
  early.catch(() => {});
  const url = await Promise.race([eventually(said, 30_000, `viewing, in ${stderr}`), early]);
  const { origin, pathname, hash, port } = new URL(url);

  /** One request: {status, headers, text}; with `opened` the response goes there as it begins. */
  const get = ({ path = pathname, method = 'GET', headers = {}, body, opened } = {}) => new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, path, method, agent: false, headers }, response => {
      let text = '';
      response.setEncoding('utf8').on('data', chunk => { text += chunk; });
      opened?.(response, request);
      response.on('error', () => {}).on('close', () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    request.on('error', reject).end(body);
  });

  /** The events about a place: {all: [{event, data}], last(event), next(event, fits), close()}. */
  async function events(query) {
    const all = [];
    let rest = '', request, isOver = false;
    const take = chunk => {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop();
      for (const block of blocks) {
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
        all.push({ event, data: JSON.parse(data) });
      }
    };
    const stream = await new Promise((resolve, reject) => {
      // Listens at once: the first events may come with the head.
      const opened = (response, sent) => { request = sent; response.on('data', take).on('close', () => { isOver = true; }); resolve(response); };
      get({ path: `${pathname}events?${query}`, opened }).catch(reject);
    });
    const reader = {
      status: stream.statusCode, headers: stream.headers, all,
      get isOver() { return isOver; },
      last: event => all.findLast(each => each.event === event)?.data,
      /** The first event of that name from `from` on that fits. */
      next: (event, fits = () => true, from = 0) => eventually(() => all.slice(from).find(each => each.event === event && fits(each.data))?.data, 30_000, `${event} among ${JSON.stringify(all).slice(-2000)}`),
      close: () => request.destroy(),
    };
    streams.add(reader);
    return reader;
  }

  /** What the page's question to a tool about the file is answered with: the result of a call. */
  async function ask(tool, given = {}, file = undefined) {
    const { status, text } = await get({ path: `${pathname}ask`, method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ tool, arguments: given, file }) });
    if (status !== 200) throw new Error(`${status}: ${text}`);
    return JSON.parse(text);
  }

  return {
    url, origin, path: pathname, place: hash, pid: child.pid, exit, get, ask, events, stderr: () => stderr,
    async stop(signal = 'SIGINT') {
      child.kill(signal);
      const late = setTimeout(() => child.kill('SIGKILL'), 15_000);
      const end = await exit;
      clearTimeout(late);
      for (const stream of streams) stream.close();
      return end;
    },
  };
}
