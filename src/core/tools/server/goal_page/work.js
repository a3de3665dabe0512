// --- agents at work: `leanbridge view --watch` tells of their calls (src/desk/view/work_log.hpp)

const MAX_CALLS = 200;
const MAX_POINTS = 500;
const NO_WORK = { calls: [], points: [], servers: 0, clients: 0, watchable: 0, lost: 0, selected: undefined };
const OUTCOMES = { answered: ['✓', 'good'], written: ['✎', 'good'], refused: ['✗', 'warn'], cancelled: ['–', 'quiet'], 'not seen': ['?', 'quiet'] };
const plural = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Adds news to the work: new calls, and what has become of known ones. `replaced(call)`: the lines that an edit is about to replace, if they are known. */
function withNews(work, { calls, servers, clients, watchable, lost }, replaced) {
  const known = new Map(work.calls.map(each => [each.call, each])), points = [...work.points];
  for (const call of list(calls)) {
    const before = known.get(call.call), edit = call.edit && { ...call.edit };
    if (edit && edit.removed === undefined) edit.removed = before ? before.edit.removed : replaced(call);
    known.set(call.call, { ...call, ...(edit && { edit }) });
    if (call.sorries !== undefined && before?.sorries === undefined) points.push({ file: call.file, count: call.sorries });
  }
  return { ...work, servers, clients, watchable, lost, calls: [...known.values()].slice(-MAX_CALLS), points: points.slice(-MAX_POINTS) };
}

/** How many sorries a file had, one after the other: [3, 2, 0]. */
const sorriesOf = (work, file) => work.points.filter(each => each.file === file).map(each => each.count).filter((count, at, all) => count !== all[at - 1]);

/** What is to be said about all of it. */
function saidOf({ servers, clients, watchable, calls }) {
  if (servers === 0) return ['No shared server runs.', 'quiet'];
  if (watchable === 0) return [`${plural(clients, 'agent')}, and none lets you watch.`, 'warn'];
  return [`${clients === watchable ? plural(clients, 'agent') : `${watchable} of ${plural(clients, 'agent')}`}${calls.length ? '' : '; no call yet'}`, 'quiet'];
}

/** What to do before there is something to watch, as elements. */
function adviceOn(make, { servers, watchable }) {
  // No option is cut at its hyphens.
  const command = words => make('pre', 'diff', ...words.split(' ').flatMap((word, at) => [at ? ' ' : '', make('span', 'option', word)]));
  if (servers > 0 && watchable > 0) return [make('p', 'quiet', 'The first call about a file brings that file.')];
  return [make('p', '', 'Let your host start leanbridge with these options; then this page shows the calls, files and edits of its agents.'), command('leanbridge --shared --watchable'),
    make('p', 'quiet', 'With Claude Code:'), command('claude mcp add lean -- leanbridge --shared --watchable')];
}

function drawWork(document, work, file, act) {
  const make = makerOf(document);
  // A bar for each count; none is the line below.
  const steps = counts => {
    const box = make('span', 'steps', ...counts.slice(-40).map(count => { const bar = make('i', ''); bar.style.height = `${Math.round(100 * count / Math.max(...counts))}%`; return bar; }));
    box.setAttribute('aria-hidden', 'true');
    return box;
  };
  const difference = ({ start_line: first, end_line: last, removed, added }) => {
    const linesOf = (whole, sign, className) => (whole === undefined || whole === '' ? [] : text(whole).replace(/\n$/, '').split('\n').map(line => [className, `${sign} ${line}\n`]));
    const unknown = removed === undefined && last >= first ? [['quiet', `in place of ${first === last ? `line ${first}` : `lines ${first} to ${last}`}\n`]] : [];
    const shown = [...unknown, ...linesOf(removed, '−', 'removed'), ...linesOf(added, '+', 'added')], left = Math.max(0, shown.length - MAX_DIFF_LINES);
    return make('pre', 'diff', ...shown.slice(0, MAX_DIFF_LINES).map(([className, whole]) => make('span', className, whole)), ...(left ? [`… ${left} more lines`] : []));
  };
  const row = call => {
    const { outcome, ms, line } = call, [sign, tone] = outcome === undefined ? ['…', 'open'] : OUTCOMES[outcome] ?? ['✗', 'bad'];
    const isSelected = call.call === work.selected, name = text(call.name), place = line === undefined ? '' : `:${line}`;
    const took = outcome === undefined ? 'running' : Object.hasOwn(OUTCOMES, outcome) && outcome !== 'answered' ? outcome : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
    const button = make('button', 'call', make('span', `sign ${tone}`, sign), make('span', 'quiet when', clock(new Date(call.at))),
      make('span', 'quiet', `#${call.agent}`), make('code', 'tool', ...(call.tool.startsWith('lean_') ? [make('span', 'wide', 'lean_'), call.tool.slice(5)] : [call.tool])), make('code', 'where', make('span', 'path', make('bdi', '', name)), name && place), make('span', `took ${tone === 'good' ? 'quiet' : tone}`, OUTCOMES[outcome] || outcome === undefined ? took : outcome.replace(/_/g, ' ')));
    button.dataset.call = call.call;
    button.setAttribute('aria-expanded', String(isSelected));
    button.addEventListener('click', () => act.select(call.call));
    const item = make('li', '', button);
    if (!isSelected) return item;
    if (call.reason) item.append(make('p', tone === 'good' ? 'quiet' : tone, text(call.reason)));
    if (call.edit) item.append(difference(call.edit));
    if (call.sorries !== undefined) item.append(make('p', 'quiet', call.sorries === 1 ? '1 sorry is left in the file.' : `${call.sorries || 'No'} sorries are left in the file.`));
    if (!call.edit && !call.reason && call.sorries === undefined) item.append(make('p', 'quiet', call.file ? 'Its place is shown above.' : 'It is about no file that can be shown.'));
    return item;
  };
  const box = document.getElementById('work'), focused = document.activeElement?.dataset?.call, [said, tone] = saidOf(work), counts = sorriesOf(work, file);
  // Without a file, the panel says it all.
  box.hidden = !file && work.calls.length === 0;
  const head = make('div', 'head', make('h2', '', 'At work'), make('span', tone, work.watchable ? said : `${said} Start agents with `), ...(work.watchable ? [] : [make('code', 'option', 'leanbridge --shared --watchable')]));
  if (counts.length) head.append(make('span', 'sorries', `Sorries: ${counts.slice(-8).join(' → ')}`, ...(counts.length > 1 ? [steps(counts)] : [])));
  if (work.lost) head.append(make('span', 'warn', `The list has gaps: ${plural(work.lost, 'message')} lost.`));
  const isNew = box.dataset.selected !== String(work.selected);
  box.dataset.selected = String(work.selected);
  box.replaceChildren(head, make('ol', '', ...[...work.calls].reverse().map(row)));
  if (focused) box.querySelector(`[data-call="${focused}"]`)?.focus();
  if (isNew) box.querySelector('[aria-expanded="true"]')?.closest('li').scrollIntoView({ block: 'nearest' });
}
