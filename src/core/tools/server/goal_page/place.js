// --- what is asked beside the goals: suggestions, the expected type, the whole file. `ask(tool, arguments)` gives the result of a call.

const answerOf = result => (result && !result.isError && typeof result.structuredContent === 'object' && result.structuredContent) || undefined;

/** Of a place that shows `view` and `messages`: {expected: a goal or undefined, actions: [{title, edits}]}. */
async function placeDetails(ask, { line, column }, view, messages) {
  const isTerm = column !== undefined || view.sections.length === 0;
  const [term, offered] = await Promise.all([
    isTerm ? ask('lean_term_goal', column === undefined ? { line } : { line, column }) : undefined,
    messages.length ? ask('lean_code_actions', { line }) : undefined,
  ]);
  const expected = answerOf(term)?.expected_type;
  return { expected: expected ? parseGoal(expected) : undefined, actions: list(answerOf(offered)?.actions).filter(({ edits }) => list(edits).length > 0) };
}

/** What lean_write_proof is to do for an action: whole lines, and what they replace. undefined: `lines` are not enough of the file. */
function changeOf({ edits }, lines) {
  const first = Math.min(...edits.map(each => each.start_line)), last = Math.max(...edits.map(each => each.end_line));
  const old = Array.from({ length: last - first + 1 }, (_, at) => lines[first - 1 + at]);
  if (old.some(line => line === undefined)) return undefined;
  let whole = old.join('\n');
  // Columns count code points.
  const offset = (line, column) => old.slice(0, line - first).reduce((sum, each) => sum + each.length + 1, 0) + [...old[line - first]].slice(0, column - 1).join('').length;
  for (const each of [...edits].sort((one, other) => other.start_line - one.start_line || other.start_column - one.start_column))
    whole = whole.slice(0, offset(each.start_line, each.start_column)) + each.new_text + whole.slice(offset(each.end_line, each.end_column));
  return { start_line: first, end_line: last, new_text: whole, expected: old.join('\n') };
}

/** What became of a change, in words: {said, tone}. */
function outcomeOf(result) {
  const answer = answerOf(result);
  if (answer?.written) return { said: 'Written to the file.', tone: 'quiet' };
  const objection = list(answer?.diagnostics)[0]?.message;
  return { said: `Not written: ${[answer?.reason, objection].filter(Boolean).map(text).join(' ') || viewOf(result).status}`, tone: 'bad' };
}

/** The whole file from lean_check_all and lean_document_proofs: {verdict, tone, sorries: [{line, what, goal}], proofs}. */
function overviewOf(checked, proofs) {
  const check = answerOf(checked);
  if (!check) return undefined;
  const count = (number, what, plural) => (number ? [number === 1 ? `1 ${what}` : `${number} ${plural}`] : []);
  const [verdict, tone] = check.success === true ? ['all proved', 'good'] : [
    [...count(check.error_count, 'error', 'errors'), ...count(check.sorry_count, 'sorry', 'sorries')].join(', ') || `not known to be proved${check.reason ? `: ${text(check.reason)}` : ''}`,
    check.error_count ? 'bad' : 'warn',
  ];
  const sorries = list(check.unfinished).filter(({ reason }) => reason === 'sorry')
    .map(({ line, declaration, goals }) => ({ line, what: text(declaration), goal: parseGoal(list(goals)[0] ?? '').target.replace(/\s+/g, ' ') }));
  return { verdict, tone, sorries, proofs: list(answerOf(proofs)?.proofs) };
}

const PROOF_STATES = { proved: ['is proved', 'good'], sorry: ['has a sorry', 'warn'], error: ['has an error', 'bad'], elaborating: ['is being elaborated', 'quiet'], unknown: ['is not known to be proved', 'warn'] };
/** Of the proof around the line: {said, tone}; undefined without one. */
function proofAround(overview, line) {
  const found = overview?.proofs.findLast(({ start_line: first, end_line: last }) => first <= line && line <= last);
  const [said, tone] = Object.hasOwn(PROOF_STATES, text(found?.state)) ? PROOF_STATES[found.state] : [];
  return said && { said: `${text(found.declaration) || `The ${text(found.kind)}`} ${said}.`, tone };
}
