// --- the page

const FLAGS = { error: ['●', 'bad'], warning: ['▲', 'warn'], info: ['i', 'open'] };

/** (tag, className, ...children) => an element of the document. */
const makerOf = document => (tag, className, ...children) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
};

function draw(document, state, onlyChanges, act = {}) {
  const make = makerOf(document);
  const row = (mark, tone, code, className = '') => make('div', `row ${className}`, make('span', mark && `mark ${tone}`, mark), make('code', '', ...code));
  // The names of a hypothesis, or the sign of a target, stand out.
  const lead = (head, className, whole) => (head !== '' && whole.startsWith(head) ? [make('span', className, head), whole.slice(head.length)] : [whole]);
  // What has changed in it is marked, and where something is only gone, there is a mark without text.
  const marked = (parts, lead, className) => {
    const whole = parts.map(part => {
      if (!part.changed) return part.text;
      const mark = make('mark', part.removed ? 'cut' : '', part.text);
      if (part.removed) { mark.title = `gone: ${part.removed}`; mark.setAttribute('aria-label', mark.title); mark.setAttribute('role', 'img'); }
      return mark;
    });
    if (lead && typeof whole[0] === 'string' && whole[0].startsWith(lead)) whole.splice(0, 1, make('span', className, lead), whole[0].slice(lead.length));
    return whole;
  };
  const goal = each => {
    const box = make('div', 'goal');
    if (each.name) box.append(make('div', 'name', make('code', '', each.name)));
    for (const note of each.notes) box.append(make('div', 'quiet', note));
    const kept = each.hypotheses.filter(hypothesis => !onlyChanges || hypothesis.mark !== '');
    for (const hypothesis of kept) box.append(row(hypothesis.parts ? '' : hypothesis.mark, hypothesis.mark === 'new' ? 'good' : 'warn',
      hypothesis.parts ? marked(hypothesis.parts, hypothesis.names.join(' '), 'names') : lead(hypothesis.names.join(' '), 'names', hypothesis.text), hypothesis.parts ? 'differs' : ''));
    if (kept.length < each.hypotheses.length) box.append(make('div', 'quiet', `${each.hypotheses.length - kept.length} unchanged`));
    for (const name of each.gone) box.append(row('gone', 'quiet', [name], 'gone'));
    if (each.target) box.append(row('', '', each.targetParts ? marked(each.targetParts, each.target.slice(0, 1), 'turnstile') : lead(each.target.slice(0, 1), 'turnstile', each.target), `target ${each.targetParts ? 'differs' : ''}`));
    return box;
  };
  const message = each => {
    const severity = text(each.severity) || 'info';
    const place = each.line ? ` at ${each.line}:${each.column}` : '';
    const box = make('div', `message ${['error', 'warning'].includes(severity) ? severity : ''}`, make('strong', severity === 'error' ? 'bad' : severity === 'warning' ? 'warn' : 'quiet', `${severity}${place}`), make('pre', '', text(each.message)));
    if (each.hint) box.append(make('div', 'quiet', text(each.hint)));
    return box;
  };

  const button = (label, name, action) => {
    const element = make('button', '', label);
    element.setAttribute('aria-label', name);
    element.addEventListener('click', () => action(element));
    return element;
  };
  const suggestion = action => {
    const replacement = action.edits.map(each => each.new_text).join('\n'), box = make('div', 'message suggestion', make('pre', '', replacement.trim() || text(action.title)));
    if (act.apply) box.append(button('Apply', `Apply ${replacement}`, () => act.apply(action)));
    if (act.copy) box.append(button('Copy', `Copy ${replacement}`, element => act.copy(replacement).then(() => { element.textContent = 'Copied'; }, () => { element.textContent = 'Not allowed here'; })));
    return box;
  };

  const content = document.getElementById('content'), status = document.getElementById('status'), view = state.view;
  const said = { waiting: 'Waiting for the host.', idle: state.work ? saidOf(state.work)[0] : '', asking: state.working || 'Asking Lean.', cancelled: `The call was cancelled. ${state.asked}`.trim() }[state.phase] ?? view?.status ?? '';
  document.getElementById('title').textContent = state.title;
  for (const id of ['tools', 'statement']) document.getElementById(id).hidden = !state.canAsk;
  status.textContent = said;
  status.className = `status ${state.phase === 'asking' ? 'quiet' : view?.tone ?? 'quiet'}`;
  content.className = state.phase === 'asking' && view ? 'old' : '';
  content.setAttribute('aria-busy', String(state.phase === 'asking' || state.phase === 'waiting'));
  const parts = [];
  if (state.live && state.working && state.phase === 'shown') parts.push(make('p', 'quiet', state.working));
  if (state.live && state.working && state.phase === 'asking' && !view) parts.push(make('p', 'quiet', 'The goals of this line come as soon as Lean is there.'));
  if (state.phase === 'idle' && state.work) parts.push(...adviceOn(make, state.work));
  for (const note of view?.notes ?? []) if (note !== `Line ${state.line} has a sorry.`) parts.push(make('p', view.tone === 'quiet' ? 'quiet' : 'warn', note));
  if (view?.context && !state.live) parts.push(make('pre', 'quiet', view.context));
  const sectionsOf = isPast => (view?.sections ?? []).filter(section => section.isPast === isPast).map(section => make('section', '', make('h2', '', section.goals.length > 1 ? `${section.title} (${section.goals.length})` : section.title),
    ...(section.goals.length ? section.goals.map(goal) : [make('p', 'quiet', section.empty)])));
  const isWrong = view?.tone === 'bad';
  if (!isWrong) parts.push(...sectionsOf(false));
  // The error of the place can be among the line's messages, too.
  const found = state.messages?.items ?? [], same = (one, other) => one.line === other.line && one.message === other.message;
  const items = [...(view?.messages ?? []).filter(each => !found.some(other => same(each, other))), ...found];
  if (items.length || state.messages?.note) parts.push(make('section', '', make('h2', '', 'Messages'), ...items.map(message), ...(state.messages?.note ? [make('p', 'warn', state.messages.note)] : [])));
  const actions = state.details?.actions ?? [];
  if (actions.length || state.outcome) parts.push(make('section', '', make('h2', '', 'Suggestions'), ...actions.map(action => suggestion(action)), ...(state.outcome ? [make('p', state.outcome.tone, state.outcome.said)] : [])));
  if (isWrong) parts.push(...sectionsOf(false));
  if (state.details?.expected) parts.push(make('section', '', make('h2', '', 'Expected type'), goal({ ...state.details.expected, gone: [], hypotheses: state.details.expected.hypotheses.map(each => ({ ...each, mark: '' })) })));
  parts.push(...sectionsOf(true));
  if (state.phase === 'shown' && !state.live) parts.push(make('p', 'quiet', `As of ${state.asked}.`));
  if (view?.long) parts.unshift(make('p', 'long', view.long));
  content.replaceChildren(...parts);
  // Where the status says it, or that it is wrong, nothing is said twice.
  const around = state.phase === 'shown' && ['plain', 'quiet'].includes(view?.tone) ? proofAround(state.overview, state.line ?? 0) : undefined, proof = document.getElementById('proof');
  proof.hidden = around === undefined;
  proof.className = around?.tone ?? '';
  proof.textContent = around?.said ?? '';
  document.getElementById('changes').hidden = !(view?.sections ?? []).some(section => section.goals.some(each => each.gone.length || each.hypotheses.some(hypothesis => hypothesis.mark)));
}

const MAX_DIFF_LINES = 60;

/** The edits since the page was opened, the last one first and open, and how many sorries each has left. */
function drawEdits(make, edits, act) {
  const known = edits.filter(({ found }) => found).map(({ found }) => found.sorries.length);
  const rows = edits.map(({ when, line, hunks: changes, found }, at) => {
    const count = kind => changes.reduce((sum, each) => sum + each[kind].length, 0), of = (items, sign, className) => items.map(each => [className, `${sign} ${each}\n`]);
    const shown = changes.flatMap(({ line: from, removed, added }) => [...(changes.length > 1 ? [['quiet', `line ${from}\n`]] : []), ...of(removed, '−', 'removed'), ...of(added, '+', 'added')]);
    const summary = make('summary', '', `${when}  line ${line}  `, make('span', 'good', `+${count('added')}`), ' ', make('span', 'bad', `−${count('removed')}`), found ? `  ${found.verdict}` : '');
    const left = Math.max(0, shown.length - MAX_DIFF_LINES), open = make('button', '', `Go to line ${line}`);
    open.addEventListener('click', () => act.jump(line));
    const details = make('details', '', summary, make('pre', 'diff', ...shown.slice(0, MAX_DIFF_LINES).map(([className, whole]) => make('span', className, whole)), ...(left ? [`… ${left} more lines`] : [])), open);
    details.open = at === edits.length - 1;
    return details;
  });
  return [make('section', 'edits', make('h2', '', `Edits since this page was opened (${edits.length})`), ...(known.length ? [make('p', 'quiet', `Sorries after each: ${known.join(' → ')}`)] : []), ...rows.reverse())];
}

/** A message in one line: its first one, with what that leads to. */
function summaryOf(message) {
  const [first, ...rest] = text(message).split('\n'), more = first === 'unsolved goals' ? rest.find(line => line.startsWith('⊢')) : first.endsWith(':') ? rest[0] : undefined;
  return more ? `${first} ${more.trim()}` : first;
}

/** Draws the lists of the whole file: sorries and messages, each of which leads to its line. `act.jump` goes there. */
function drawLists(document, state, act) {
  const make = makerOf(document);
  const item = (line, column, sign, tone, ...parts) => {
    const button = make('button', 'jump', make('span', `sign ${tone}`, sign), make('span', 'number', String(line)), ...parts);
    button.addEventListener('click', () => act.jump(line, column));
    return make('li', '', button);
  };
  const section = (title, items) => make('section', '', make('h2', '', title), make('ol', '', ...items));
  const { overview } = state, all = list(state.all), parts = [];
  if (overview) parts.push(make('p', `verdict ${overview.tone}`, `Whole file: ${overview.verdict}`));
  if (overview?.sorries.length) parts.push(section(`Sorries (${overview.sorries.length})`, overview.sorries.map(each => item(each.line, undefined, '○', 'warn', make('code', '', [each.what, each.goal].filter(Boolean).join('  '))))));
  if (all.length) {
    // The tool has cut the list by importance, and so is its order.
    const isCut = state.total > all.length, ordered = isCut ? all : [...all].sort((one, other) => one.line - other.line || one.column - other.column);
    parts.push(section(isCut ? `The first ${all.length} of ${state.total.toLocaleString('en')} messages` : `All messages (${all.length})`, ordered.map(each => {
      const [sign, tone] = FLAGS[each.severity] ?? FLAGS.info;
      return item(each.line, undefined, sign, tone, make('span', 'sr', `${text(each.severity)}: `), make('code', '', summaryOf(each.message)));
    })));
  }
  if (state.edits?.length) parts.push(...drawEdits(make, state.edits, act));
  document.getElementById('lists').replaceChildren(...parts);
}
