// --- the page

function draw(document, state, onlyChanges) {
  const make = (tag, className, ...children) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children);
    return element;
  };
  const row = (mark, tone, code, className = '') => make('div', `row ${className}`, make('span', mark && `mark ${tone}`, mark), make('code', '', ...code));
  // The names of a hypothesis, or the sign of a target, stand out.
  const lead = (head, className, whole) => (head !== '' && whole.startsWith(head) ? [make('span', className, head), whole.slice(head.length)] : [whole]);
  const goal = each => {
    const box = make('div', 'goal');
    if (each.name) box.append(make('div', 'name', make('code', '', each.name)));
    for (const note of each.notes) box.append(make('div', 'quiet', note));
    const kept = each.hypotheses.filter(hypothesis => !onlyChanges || hypothesis.mark !== '');
    for (const hypothesis of kept) box.append(row(hypothesis.mark, hypothesis.mark === 'new' ? 'good' : 'warn', lead(hypothesis.names.join(' '), 'names', hypothesis.text)));
    if (kept.length < each.hypotheses.length) box.append(make('div', 'quiet', `${each.hypotheses.length - kept.length} unchanged`));
    for (const name of each.gone) box.append(row('gone', 'quiet', [name], 'gone'));
    box.append(row(each.targetChanged ? 'changed' : '', 'warn', lead(each.target.slice(0, 1), 'turnstile', each.target), 'target'));
    return box;
  };
  const message = each => {
    const severity = text(each.severity) || 'info';
    const place = each.line ? ` at ${each.line}:${each.column}` : '';
    const box = make('div', `message ${['error', 'warning'].includes(severity) ? severity : ''}`, make('strong', severity === 'error' ? 'bad' : severity === 'warning' ? 'warn' : 'quiet', `${severity}${place}`), make('pre', '', text(each.message)));
    if (each.hint) box.append(make('div', 'quiet', text(each.hint)));
    return box;
  };

  const content = document.getElementById('content'), status = document.getElementById('status'), view = state.view;
  const said = { waiting: 'Waiting for the host.', asking: state.working || 'Asking Lean.', cancelled: `The call was cancelled. ${state.asked}`.trim() }[state.phase] ?? view?.status ?? '';
  document.getElementById('title').textContent = state.title;
  document.getElementById('tools').hidden = !state.canAsk;
  status.textContent = said;
  status.className = `status ${state.phase === 'asking' ? 'quiet' : view?.tone ?? 'quiet'}`;
  content.className = state.phase === 'asking' ? 'old' : '';
  content.setAttribute('aria-busy', String(state.phase === 'asking' || state.phase === 'waiting'));
  const parts = [];
  if (state.live && state.working && state.phase === 'shown') parts.push(make('p', 'quiet', state.working));
  for (const note of view?.notes ?? []) parts.push(make('p', 'warn', note));
  if (view?.context && !state.live) parts.push(make('pre', 'quiet', view.context));
  for (const section of view?.sections ?? [])
    parts.push(make('section', '', make('h2', '', section.goals.length > 1 ? `${section.title} (${section.goals.length})` : section.title),
      ...(section.goals.length ? section.goals.map(goal) : [make('p', 'quiet', section.empty)])));
  // The error of the place can be among the line's messages, too.
  const found = state.messages?.items ?? [], same = (one, other) => one.line === other.line && one.message === other.message;
  const items = [...(view?.messages ?? []).filter(each => !found.some(other => same(each, other))), ...found];
  if (items.length || state.messages?.note) parts.push(make('section', '', make('h2', '', 'Messages'), ...items.map(message), ...(state.messages?.note ? [make('p', 'warn', state.messages.note)] : [])));
  if (state.phase === 'shown' && !state.live) parts.push(make('p', 'quiet', `As of ${state.asked}.`));
  content.replaceChildren(...parts);
  document.getElementById('changes').hidden = !(view?.sections ?? []).some(section => section.goals.some(each => each.gone.length || each.hypotheses.some(hypothesis => hypothesis.mark)));
}

const REVEAL_FRAMES = 8;

/** Scrolls the row into its box. Lines far away have only estimated heights, so it looks again in the next frames. */
function reveal(window, row, frames = REVEAL_FRAMES) {
  const box = row.parentElement?.getBoundingClientRect(), { top, bottom } = row.getBoundingClientRect();
  if (!box || row.getAttribute('aria-selected') !== 'true') return;
  const distance = Math.max(box.top - top, bottom - box.bottom);
  if (distance > 0) row.scrollIntoView({ block: distance > box.height / 2 ? 'center' : 'nearest' });
  if (frames > 0) window.requestAnimationFrame(() => reveal(window, row, frames - 1));
}

/** Draws the source into the list box; `shown`: what it shows already. Returns what it shows now. */
function drawSource(window, box, state, shown) {
  const { document } = window;
  const make = (tag, className, ...children) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children);
    return element;
  };
  box.className = state.isGone || state.phase === 'lost' ? 'old' : '';
  if (shown.lines !== state.lines) {
    box.setAttribute('aria-label', `Source of ${state.file}`);
    box.style.setProperty('--digits', Math.max(2, String(state.lines?.length ?? 0).length));
    box.replaceChildren(...(state.lines ?? []).map((line, index) => {
      const row = make('div', 'line', make('span', 'flag'), make('span', 'number', String(index + 1)), make('code', '', line));
      row.id = `L${index + 1}`;
      row.setAttribute('role', 'option');
      return row;
    }), ...(state.note ? [make('p', 'warn', state.note)] : []));
    shown = { lines: state.lines };
  }
  const row = line => box.children[line - 1], count = state.lines?.length ?? 0;
  if (shown.flags !== state.flags || shown.elaborating !== state.elaborating) {
    const isWorking = line => state.elaborating.some(([first, last]) => first <= line && line <= last);
    for (let line = 1; line <= count; line++) {
      const severity = state.flags.get(line), [sign, tone] = FLAGS[severity] ?? ['', ''], flag = row(line).children[0], working = isWorking(line);
      if (flag.textContent !== sign) {
        flag.textContent = sign;
        flag.className = `flag ${tone}`;
        if (sign) { flag.setAttribute('role', 'img'); flag.setAttribute('aria-label', severity); } else { flag.removeAttribute('role'); flag.removeAttribute('aria-label'); }
      }
      if (row(line).classList.contains('working') !== working) row(line).classList.toggle('working', working);
    }
  }
  if (shown.line !== state.line || shown.column !== state.column) {
    const old = row(shown.line);
    if (old && shown.line <= count) {
      old.setAttribute('aria-selected', 'false');
      old.children[2].replaceChildren(state.lines[shown.line - 1]);
    }
    const now = row(state.line);
    if (now && state.line <= count) {
      now.setAttribute('aria-selected', 'true');
      box.setAttribute('aria-activedescendant', now.id);
      const text = [...state.lines[state.line - 1]], at = (state.column ?? 0) - 1;
      if (at >= 0) now.children[2].replaceChildren(text.slice(0, at).join(''), make('span', 'caret', text.slice(at).join('') || '\u200b'));
      reveal(window, now);
    }
  }
  return { lines: state.lines, flags: state.flags, elaborating: state.elaborating, line: state.line, column: state.column };
}
