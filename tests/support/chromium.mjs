// A real Chromium without a window, driven by its DevTools protocol: no other package is needed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './bridge.mjs';
import { eventually } from './processes.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const WAIT_MS = 60_000;

/** The program, or undefined where there is none. */
export const chromium = process.env.LEANBRIDGE_TEST_CHROMIUM || NAMES.flatMap(name => process.env.PATH.split(':').map(folder => path.join(folder, name))).find(file => fs.existsSync(file));
/** Why tests that need it are skipped; false: it is there. */
export const withoutChromium = chromium ? false : 'there is no Chromium: apt-get install chromium';

/** What runs in a page or a frame, given how to ask it: {evaluate(expression), until(expression), text(selector)}. */
function evaluatorOf(ask) {
  const evaluator = {
    async evaluate(expression) {
      const { result, exceptionDetails } = await ask('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
      if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
      return result.value;
    },
    /** Waits until the expression is true (or has a truthy value, which it returns). */
    async until(expression) {
      const end = performance.now() + WAIT_MS;
      for (;;) {
        const value = await evaluator.evaluate(expression);
        if (value) return value;
        if (performance.now() > end) assert.fail(`not within ${WAIT_MS} ms: ${expression}; the page says: ${await evaluator.text()}`);
        await new Promise(resolve => { setTimeout(resolve, 50); });
      }
    },
    text: (selector = 'body') => evaluator.evaluate(`document.querySelector(${JSON.stringify(selector)}).innerText`),
  };
  return evaluator;
}

/** Starts it: {open(url, options), close()}. */
export async function startChromium() {
  const profile = temporaryFolder('chromium');
  // As root it has no sandbox; /dev/shm is small in containers. It must ask nobody for anything on its own account.
  const flags = ['--headless', '--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update',
    '--disable-sync', '--disable-default-apps', '--hide-scrollbars', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'];
  const child = spawn(chromium, flags, { stdio: ['ignore', 'ignore', 'pipe'], detached: true, env: { ...process.env, HOME: profile } });
  const exit = new Promise(resolve => child.once('close', resolve));
  let stderr = '';
  child.stderr.on('data', chunk => { stderr = (stderr + chunk).slice(-10_000); });
  const port = path.join(profile, 'DevToolsActivePort');
  const [number, address] = (await eventually(() => fs.existsSync(port) && /^\d+\n\S+/.test(fs.readFileSync(port, 'utf8')) && fs.readFileSync(port, 'utf8'), WAIT_MS, `Chromium listens: ${stderr}`)).split('\n');

  const socket = new WebSocket(`ws://127.0.0.1:${number}${address}`);
  await new Promise((resolve, reject) => { socket.onopen = resolve; socket.onerror = () => reject(new Error(`no connection to Chromium: ${stderr}`)); });
  const pending = new Map(), sessions = new Map();
  let lastId = 0;
  socket.onmessage = ({ data }) => {
    const { id, method, params, result, error, sessionId } = JSON.parse(data);
    if (id === undefined) return sessions.get(sessionId)?.(method, params);
    const { resolve, reject, asked } = pending.get(id);
    pending.delete(id);
    if (error) reject(new Error(`${asked}: ${error.message}`)); else resolve(result);
  };
  const send = (method, params = {}, sessionId = undefined) => new Promise((resolve, reject) => {
    pending.set(++lastId, { resolve, reject, asked: method });
    socket.send(JSON.stringify({ id: lastId, method, params, sessionId }));
  });

  async function open(url, { width = 1280, height = 800 } = {}) {
    const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
    const requests = [], complaints = [], frames = [], ask = (method, params) => send(method, params, sessionId);
    const hear = (method, params) => {
      if (method === 'Network.requestWillBeSent') requests.push(params.request.url);
      if (method === 'Runtime.exceptionThrown') complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
      if (method === 'Log.entryAdded') complaints.push(`${params.entry.level}: ${params.entry.text} ${params.entry.url ?? ''}`);
      if (method === 'Runtime.consoleAPICalled') complaints.push(`console.${params.type}`);
      // A sandboxed frame is a process of its own.
      if (method === 'Target.attachedToTarget') {
        const inner = params.sessionId;
        sessions.set(inner, hear);
        frames.push(evaluatorOf((name, values) => send(name, values, inner)));
        for (const domain of ['Network', 'Runtime', 'Log']) send(`${domain}.enable`, {}, inner).catch(() => {});
        send('Runtime.runIfWaitingForDebugger', {}, inner).catch(() => {});
      }
    };
    sessions.set(sessionId, hear);
    for (const domain of ['Page', 'Network', 'Runtime', 'Log', 'DOM', 'Accessibility']) await ask(`${domain}.enable`);
    await ask('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
    const page = {
      ...evaluatorOf(ask), requests, complaints, frames, ask,
      size: (toWidth, toHeight) => ask('Emulation.setDeviceMetricsOverride', { width: toWidth, height: toHeight, deviceScaleFactor: 2, mobile: false }),
      scheme: value => ask('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] }),
      async press(key, code = key) {
        const text = key.length === 1 ? { text: key } : {};
        await ask('Input.dispatchKeyEvent', { type: 'keyDown', key, code, windowsVirtualKeyCode: { Tab: 9, Enter: 13, ArrowUp: 38, ArrowDown: 40, ArrowRight: 39, Escape: 27 }[key] ?? key.toUpperCase().charCodeAt(0), ...text });
        await ask('Input.dispatchKeyEvent', { type: 'keyUp', key, code });
      },
      async click(selector) {
        const { x, y } = await page.evaluate(`(() => { const { x, y, width, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect(); return { x: x + width / 2, y: y + height / 2 }; })()`);
        for (const type of ['mousePressed', 'mouseReleased']) await ask('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
      },
      /** With a finger, at a selector or {x, y}. */
      async tap(at) {
        const { x, y } = typeof at === 'string' ? await page.evaluate(`(() => { const { x, y, width, height } = document.querySelector(${JSON.stringify(at)}).getBoundingClientRect(); return { x: x + width / 2, y: y + height / 2 }; })()`) : at;
        await ask('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
        await ask('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      },
      touch: isOn => ask('Emulation.setTouchEmulationEnabled', { enabled: isOn }),
      /** What assistive technology is told: [{role, name, ...}] in order. */
      async accessible() {
        const { nodes } = await ask('Accessibility.getFullAXTree');
        return nodes.filter(({ ignored }) => !ignored).map(({ role, name, properties = [] }) => ({ role: role.value, name: name?.value ?? '', ...Object.fromEntries(properties.map(each => [each.name, each.value.value])) }));
      },
      async screenshot(file) {
        const { data } = await ask('Page.captureScreenshot', { format: 'png' });
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.writeFileSync(file, Buffer.from(data, 'base64'));
      },
      close: () => send('Target.closeTarget', { targetId }),
    };
    await page.size(width, height);
    await ask('Page.navigate', { url });
    await page.until(`location.href === ${JSON.stringify(url)} && document.readyState === 'complete'`);
    return page;
  }

  return {
    open,
    async close() {
      send('Browser.close').catch(() => {});
      const late = setTimeout(() => { try { process.kill(-child.pid, 'SIGKILL'); } catch { /* gone */ } }, 10_000);
      await exit;
      clearTimeout(late);
      socket.close();
    },
  };
}
