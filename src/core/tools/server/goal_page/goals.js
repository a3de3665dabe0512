// --- goals. All text is Lean's or the file's, so it gets into the page as text only.

// Keys are the words of docs/tools.md. Only proof_complete says that something is proved.
const STATUS = {
  goals: ['Goals.', 'plain'],
  closed_here: ['No goal is left here; the proof goes on.', 'plain'],
  proof_complete: ['The proof is complete.', 'good'],
  sorry: ['Not proved: no goal is left, but only thanks to a sorry.', 'warn'],
  error: ['There is an error.', 'bad'],
  no_goal_at_position: ['There is no tactic proof here.', 'quiet'],
  still_elaborating: ['Lean is still working.', 'warn'],
  unknown: ['Not known.', 'warn'],
};
// These say themselves that no goal is left.
const WITHOUT_GOALS = ['closed_here', 'proof_complete', 'sorry'];
const list = value => (Array.isArray(value) ? value : []);
const text = value => (typeof value === 'string' ? value : value === undefined || value === null ? '' : String(value));
const clock = (at = new Date()) => at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });

/** Lean's text of a goal, or a structured one: {name, notes, hypotheses: [{names, text}], target}. Indented lines continue the one above. */
function parseGoal(goal) {
  const parsed = { name: '', notes: [], hypotheses: [], target: '' };
  let add = () => {};
  for (const line of text(goal?.pretty ?? goal).split('\n')) {
    if (/^\s/.test(line)) { add(line); continue; }
    if (parsed.target !== '') { parsed.target += `\n${line}`; continue; }
    if (line.startsWith('⊢') || line.startsWith('| ')) {
      parsed.target = line;
      add = more => { parsed.target += `\n${more}`; };
    } else if (line.startsWith('case ')) {
      parsed.name = line;
      add = more => { parsed.name += `\n${more}`; };
    } else if (line.startsWith('… ') || line.startsWith('gone: ')) {
      parsed.notes.push(line);
      add = more => { parsed.notes[parsed.notes.length - 1] += `\n${more}`; };
    } else if (line !== '') {
      const hypothesis = { names: line.split(/ :/, 1)[0].split(' ').filter(Boolean), text: line };
      parsed.hypotheses.push(hypothesis);
      add = more => { hypothesis.text += `\n${more}`; };
    }
  }
  return parsed;
}

// name -> types, since a shadowed name occurs twice.
function typesOf(goal) {
  const types = new Map();
  for (const { names, text: whole } of goal.hypotheses) {
    const type = whole.slice(whole.indexOf(' :'));
    for (const name of names) types.set(name, [...(types.get(name) ?? []), type]);
  }
  return types;
}

const shared = (one, other) => {
  const types = typesOf(other);
  return one.hypotheses.reduce((sum, { names, text: whole }) => sum + names.filter(name => types.get(name)?.includes(whole.slice(whole.indexOf(' :')))).length, 0);
};

const MAX_COMPARED = 250_000;   // pairs of items; beyond that, all between the common beginning and end counts as changed

/** How two lists differ, in order: [{same: items}] or [{removed: items, added: items}]. */
function hunks(old, now) {
  const most = Math.min(old.length, now.length), found = [];
  let top = 0, bottom = 0;
  while (top < most && old[top] === now[top]) top++;
  while (bottom < most - top && old.at(-1 - bottom) === now.at(-1 - bottom)) bottom++;
  const from = old.slice(top, old.length - bottom), to = now.slice(top, now.length - bottom);
  if (top) found.push({ same: now.slice(0, top) });
  if (from.length * to.length > MAX_COMPARED) {
    found.push({ removed: from, added: to });
  } else {
    // common[i][j]: how many items from[i...] and to[j...] have in common at most
    const common = Array.from({ length: from.length + 1 }, () => new Uint32Array(to.length + 1));
    for (let i = from.length - 1; i >= 0; i--)
      for (let j = to.length - 1; j >= 0; j--) common[i][j] = from[i] === to[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    for (let i = 0, j = 0; i < from.length || j < to.length;) {
      const removed = [], added = [], same = [];
      while ((i < from.length || j < to.length) && (i === from.length || j === to.length || from[i] !== to[j])) {
        if (j === to.length || (i < from.length && common[i + 1][j] >= common[i][j + 1])) removed.push(from[i++]);
        else added.push(to[j++]);
      }
      for (; i < from.length && j < to.length && from[i] === to[j]; i++, j++) same.push(to[j]);
      if (removed.length || added.length) found.push({ removed, added });
      if (same.length) found.push({ same });
    }
  }
  if (bottom) found.push({ same: now.slice(now.length - bottom) });
  return found;
}

/** Marks what each goal of `after` has that the most similar one of `before` has not: `mark` of hypotheses ('', 'new' or 'changed'), and `gone`.
 * What has changed has `parts`: its text by difference(). */
function compare(before, after) {
  return after.map(goal => {
    // Goals that show only differences already say what has changed.
    const candidates = before.filter(each => each.notes.length === 0);
    if (candidates.length === 0 || goal.notes.length > 0)
      return { ...goal, gone: [], targetChanged: false, hypotheses: goal.hypotheses.map(each => ({ ...each, mark: '' })) };
    const named = candidates.filter(each => each.name !== '' && each.name === goal.name);
    const known = (named.length ? named : candidates).reduce((best, each) => (shared(goal, each) > shared(goal, best) ? each : best));
    const types = typesOf(known), now = typesOf(goal);
    const hypotheses = goal.hypotheses.map(each => {
      const type = each.text.slice(each.text.indexOf(' :'));
      const kinds = each.names.map(name => (!types.has(name) ? 'new' : types.get(name).includes(type) ? '' : 'changed'));
      const mark = kinds.every(kind => kind === '') ? '' : kinds.every(kind => kind === 'new') ? 'new' : 'changed';
      const earlier = mark === 'changed' && known.hypotheses.find(one => one.names.some(name => kinds[each.names.indexOf(name)] === 'changed'));
      return earlier ? { ...each, mark, parts: difference(earlier.text, each.text) } : { ...each, mark };
    });
    const targetChanged = goal.target !== known.target;
    const changes = targetChanged ? { targetChanged, targetParts: difference(known.target, goal.target) } : { targetChanged };
    return { ...goal, hypotheses, gone: [...types.keys()].filter(name => !now.has(name)), ...changes };
  });
}

const counted = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;
const lines = ranges => (list(ranges).length > 3 ? `${ranges.length} places between lines ${ranges[0]?.[0]} and ${ranges.at(-1)?.[1]}` : list(ranges).map(range => (range?.[0] === range?.[1] ? `line ${range?.[0]}` : `lines ${range?.[0]} to ${range?.[1]}`)).join(', '));

/** What to show of a CallToolResult: {status, tone, notes, context, sections: [{title, goals, empty, isPast}], messages}. */
function viewOf(result) {
  let answer = result?.structuredContent;
  if (answer === undefined) try { answer = JSON.parse(text(list(result?.content).find(part => part?.type === 'text')?.text)); } catch { answer = undefined; }
  const failed = error => ({ status: error, tone: 'bad', notes: [], context: '', sections: [], messages: [] });
  if (result?.isError) {
    const { message, hint } = answer?.error ?? {};
    const whole = text(message ?? list(result.content).map(part => text(part?.text)).join('\n')) || 'The call failed.', [first] = /^[^\n]{1,120}?[.;](?=\s)/.exec(whole) ?? [whole];
    return { ...failed(first.replace(/;$/, '.')), long: whole.slice(first.length).trim().replace(/^[a-z]/, letter => letter.toUpperCase()), notes: hint ? [text(hint)] : [] };
  }
  if (answer === null || typeof answer !== 'object') return failed('The host passed on no answer that this page can read.');

  const known = Object.hasOwn(STATUS, text(answer.status)) ? STATUS[answer.status] : [`Lean's state: ${text(answer.status) || 'not given'}.`, 'quiet'];
  let [status, tone] = known;
  if (answer.status === 'goals') status = counted(list(answer.goals ?? answer.goals_after ?? answer.goals_before).length, 'goal');
  if (answer.status === 'closed_here' && answer.reason) [status, tone] = ['No goal is left here, but the proof is not known to be complete.', 'warn'];
  const notes = [];
  if (answer.partial || answer.timed_out) {
    notes.push(answer.timed_out ? 'This is incomplete: the time was up.' : 'This is incomplete: not everything that it needs is elaborated.');
    if (tone === 'good' || tone === 'quiet') tone = 'warn';
  }
  if (list(answer.still_elaborating_lines).length) notes.push(`Lean is still working on ${lines(answer.still_elaborating_lines)}.`);
  // That Lean opened the file again is no news to a person.
  for (const note of [answer.reason, answer.hint, answer.fallback_for && 'This is from the compiler, without the language server.',
    (answer.truncated || answer.cut_to_fit) && 'Some of it was left out.'])
    if (note) notes.push(text(note));

  const messages = list(answer.items);
  if (answer.error && typeof answer.error === 'object') messages.unshift({ severity: 'error', ...answer.error });
  const goals = value => list(value).map(parseGoal);
  const sections = [];
  const add = (title, value, shown, isPast = false) => {
    if (value === undefined || value === null || (shown.length === 0 && WITHOUT_GOALS.includes(answer.status))) return;
    sections.push({ title, goals: shown, empty: 'No goal.', isPast });
  };
  const before = goals(answer.goals_before);
  add('Goals', answer.goals, compare(before, goals(answer.goals)));
  add('Goals after the line', answer.goals_after, compare(before, goals(answer.goals_after)));
  add('Goals before the line', answer.goals_before, compare([], before), true);
  return { status, tone, notes, context: text(answer.line_context).trim(), sections, messages };
}
