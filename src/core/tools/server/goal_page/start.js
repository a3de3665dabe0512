/** Host variables and theme. Fonts of the host would be fetched from elsewhere, so they are not used. */
function applyContext(root, context) {
  if (context.theme === 'light' || context.theme === 'dark') {
    root.dataset.theme = context.theme;
    root.style.colorScheme = context.theme;
  }
  for (const [name, value] of Object.entries(context.styles?.variables ?? {}))
    if (/^--[a-z0-9-]+$/.test(name) && typeof value === 'string' && !/url\s*\(|image/i.test(value)) root.style.setProperty(name, value);
}

/** Buttons and keys. `actions`: by the ids of their buttons; `keys`: further keys. */
function listen(window, actions, keys = {}) {
  const { document } = window, known = { ...keys };
  // A telephone has no Escape. A click beside a dialog is one on the dialog itself.
  for (const dialog of DIALOGS.map(id => document.getElementById(id)))
    dialog.addEventListener('click', event => { if (event.target === dialog || event.target.closest('.close')) dialog.close(); });
  for (const [id, action] of Object.entries(actions)) {
    const button = document.getElementById(id);
    button.addEventListener('click', action);
    known[KEYS[id]] = action;
  }
  window.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(known, event.key)) return;
    if (DIALOGS.some(id => document.getElementById(id).open && (id !== 'keys' || event.key !== KEYS.help))) return;
    if (event.repeat && !Object.hasOwn(keys, event.key)) return;
    // Where a person reads the goals, arrows scroll them.
    if (event.key.startsWith('Arrow') && event.target?.closest?.('#panel, button')) return;
    event.preventDefault();
    known[event.key]();
  });
}
const KEYS = { previous: 'p', next: 'n', statement: 't', again: 'r', changes: 'c', message: 'm', sorry: 's', whole: 'w', follow: 'f', open: 'o', help: '?' };
const DIALOGS = ['keys', 'peek', 'files'];

function toggleKeys(document) {
  const keys = document.getElementById('keys');
  if (keys.open) keys.close();
  else keys.showModal();
}

/** Draws states, and hides unchanged hypotheses on request: {render, toggle}. `act`: what can be done, {jump, apply, copy}. */
function drawing(document, act, more = () => {}) {
  let shown, onlyChanges = false;
  let listed = {};
  const render = state => {
    shown = state;
    draw(document, state, onlyChanges, act);
    // Whoever walks through the lists by keyboard keeps the focus.
    if (listed.all !== state.all || listed.overview !== state.overview || listed.edits !== state.edits) drawLists(document, state, act);
    listed = { all: state.all, overview: state.overview, edits: state.edits };
    more(state);
  };
  const toggle = () => {
    onlyChanges = !onlyChanges;
    document.getElementById('changes').setAttribute('aria-pressed', String(onlyChanges));
    if (shown) render(shown);
  };
  return { render, toggle };
}

function start(window) {
  const { document } = window, host = window.parent;
  let size = '';
  const act = { jump: line => app.moveTo(line), apply: action => app.apply(action), copy: whole => window.navigator.clipboard.writeText(whole) };
  const { render, toggle } = drawing(document, act, state => { document.getElementById('whole').hidden = !state.canAsk; });
  const app = new App({
    post: message => host.postMessage(message, '*'), render, theme: context => applyContext(document.documentElement, context),
    wait: (end, ms) => window.setTimeout(end, ms),
  });
  window.addEventListener('message', event => { if (event.source === host) app.receive(event.data); });
  listen(window, { previous: () => app.ask(-1), next: () => app.ask(1), again: () => app.ask(0), changes: toggle, whole: () => app.askWhole(), statement: () => showStatement(document, app.call, app.file, app.line), help: () => toggleKeys(document) });

  new window.ResizeObserver(() => {
    const box = document.documentElement.getBoundingClientRect(), width = Math.ceil(box.width), height = Math.ceil(box.height);
    if (size === `${width} ${height}`) return;
    size = `${width} ${height}`;
    app.post({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { width, height } });
  }).observe(document.documentElement);
  app.start();
}

/** The same page without a host, beside the source. The address may name another file of the project, and ends with the place: ?file=A/B.lean#7:3. */
function serve(window) {
  const { document, location } = window, box = document.getElementById('source');
  let shown = {}, worked = {}, openWork;
  document.documentElement.className = 'served';
  const act = { jump: (line, column) => viewer.moveTo(line, column), apply: action => viewer.apply(action), copy: whole => window.navigator.clipboard.writeText(whole) };
  // A call about this file, through the server that the page is from.
  const ask = async (tool, given) => {
    const response = await window.fetch('ask', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ tool, arguments: given, ...(viewer.file && { file: viewer.file }) }) });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  const { render, toggle } = drawing(document, act, state => {
    document.title = state.file ? state.title : 'Lean goals';
    document.body.classList.toggle('idle', state.phase === 'idle' && !state.work?.calls.length);
    document.getElementById('follow').setAttribute('aria-pressed', String(state.follow));
    const next = document.getElementById('message');
    next.hidden = state.count === 0;
    const name = (button, what, count) => {
      button.lastChild.textContent = `${what} (${count})`;
      button.setAttribute('aria-label', `Next ${what} (${count})`);
    };
    name(next, 'message', state.count);
    const sorries = state.overview?.sorries.length ?? 0, sorry = document.getElementById('sorry');
    sorry.hidden = sorries === 0;
    name(sorry, 'sorry', sorries);
    shown = drawSource(window, box, state, shown);
    if (state.work && (worked.work !== state.work || worked.file !== viewer.file)) {
      drawWork(document, state.work, viewer.file, { select: number => viewer.selectCall(number) });
      worked = { work: state.work, file: viewer.file };
      document.getElementById('follow').lastChild.textContent = ' work';
    }
    if (openWork !== state.openWork) drawOpenWork(document, openWork = state.openWork, { open: (file, line) => viewer.openWorkAt(file, line) });
  });
  const viewer = new Viewer({
    connect: query => new window.EventSource(`events?${query}`), ask, render, wait: (end, ms) => window.setTimeout(end, ms),
    visit: file => window.history.pushState(null, '', `?file=${encodeURIComponent(file).replaceAll('%2F', '/')}`),
    remember: (line, column) => window.history.replaceState(null, '', `#${line}${column === undefined ? '' : `:${column}`}`),
  });
  const address = () => {
    const file = new window.URLSearchParams(location.search).get('file') ?? undefined, [, line, column] = /^#(\d{1,9})(?::(\d{1,9}))?$/.exec(location.hash) ?? [];
    return line === undefined ? { file } : { file, line: Math.max(1, Number(line)), column: column && Math.max(1, Number(column)) };
  };
  const up = () => viewer.move(-1), down = () => viewer.move(1), left = () => viewer.moveColumn(-1), right = () => viewer.moveColumn(1);
  const openFiles = startFiles(window, { known: (...place) => viewer.knownOf(...place), current: project => (project === viewer.state.project ? viewer.state.file : undefined), open: file => viewer.openFile(file) });
  for (const id of ['follow', 'open']) document.getElementById(id).hidden = false;
  document.getElementById('panel').tabIndex = 0;
  listen(window, {
    previous: up, next: down, again: () => viewer.listen(), changes: toggle, message: () => viewer.nextMessage(), sorry: () => viewer.nextSorry(),
    follow: () => viewer.show({ follow: !viewer.state.follow }), statement: () => showStatement(document, viewer.ask, viewer.file, viewer.state.line), open: openFiles, help: () => toggleKeys(document),
  }, {
    k: up, ArrowUp: up, j: down, ArrowDown: down, h: left, ArrowLeft: left, l: right, ArrowRight: right,
    i: () => hover.info(), d: () => hover.declare(),
    Escape: () => { if (document.getElementById('hover').hidden) viewer.moveTo(viewer.state.line, undefined); else hover.hide(); },
  });
  const hover = startHover(window, box, { ask, jump: line => viewer.moveTo(line, undefined), state: () => viewer.state });
  box.addEventListener('click', event => {
    const row = event.target.closest('.line');
    if (row && String(window.getSelection()) === '') viewer.moveTo(Number(row.id.slice(1)), undefined);
  });
  // Its lines wrap anew, or the buttons above do.
  new window.ResizeObserver(() => { const row = box.querySelector('[aria-selected="true"]'); if (row) reveal(window, row); }).observe(box);
  for (const event of ['hashchange', 'popstate']) window.addEventListener(event, () => viewer.goToAddress(address()));
  box.focus();
  viewer.start(address());
}

globalThis.goalPage = { parseGoal, compare, difference, viewOf, decodeTokens, filesFor, ageOf, withNews, sorriesOf, saidOf, factsOf, drawOpenWork, remarksIn, piecesOf, changeOf, overviewOf, proofAround, App, Viewer, draw, drawLists, remarked, applyContext, start };
if (globalThis.document) (globalThis.parent === globalThis ? serve : start)(globalThis);
