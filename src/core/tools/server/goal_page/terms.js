// --- terms as text: what has changed between two of them, by whole subterms. A text shows brackets, operators between spaces, what a
// binder reaches, and applications; that much of its tree is known, whatever notations it has.

const OPENING = '([{⟨⌊⌈⟦⟪⦃‹', CLOSING = ')]}⟩⌋⌉⟧⟫⦄›';
const WORDS = /"(?:\\.|[^"\\])*"|'(?:\\[^']+|[^'\\])'|«[^»]*»|[\p{L}\p{N}\p{M}_⁻][\p{L}\p{N}\p{M}_'.✝!?⁻]*|[([{⟨⌊⌈⟦⟪⦃‹)\]}⟩⌋⌉⟧⟫⦄›,;¬‖]|\s\|+(?=\s)|\||[^\s\p{L}\p{N}\p{M}_([{⟨⌊⌈⟦⟪⦃‹)\]}⟩⌋⌉⟧⟫⦄›|‖,;¬"«]+|\S/gsu;
// How strongly operators of Lean and Mathlib bind, the weakest first; an unknown one is like +.
const LEVELS = [[0, ', ; then else with from'], [2, '| // => ↦'], [3, ':= ←'], [4, ':'], [10, '<| ⟶ ⥤'], [20, '↔ <|>'], [25, '→'], [30, '∨ || ⊕ ⨿'], [35, '∧ && ×'],
  [50, '= ≠ < ≤ > ≥ ∈ ∉ ∋ ⊆ ⊂ ⊇ ∣ ≡ ≃ ≅ ≈ ∼ ~ == != ⋖ ⟂ ↪ ↠'], [55, '>>= >=>'], [65, '+ - ++ ∪ ⊔ :: |||'], [70, '* / % ∩ ⊓ • \\ &&&'], [75, '^ ▸'], [80, '∘ ≫ ⊗ ∆ ⇨ <$> <*> <<< >>>']];
const LEVEL_OF = new Map(LEVELS.flatMap(([level, signs]) => signs.split(' ').map(sign => [sign, level])));
const RELATION_LEVEL = 50, UNKNOWN_LEVEL = 65, LOOSE_LEVEL = 5, APPLICATION = 1000, MAX_NESTING = 200;
// Signs that stand for something themselves, and those that what follows belongs to, if it binds as strongly.
const NOUNS = new Set('⊤ ⊥ ∅ ∞ ⋯ … · □ ⋆ ★ ? ?_'.split(' ')), PREFIXES = new Map([['¬', 40], ['-', 75]]);
/** What ends the parts of a binder; its last part reaches as far as it can. */
const BINDERS = new Map([...[...'∀∃∑∏∫⋃⋂⨆⨅Σ∐⨁⨂∮Λ', '∃!'].map(sign => [sign, [[',']]]), ...['fun', 'λ'].map(sign => [sign, [['=>', '↦']]]), ['if', [['then'], ['else']]], ...['let', 'have'].map(sign => [sign, [[':='], [';']]]), ['match', [['with']]]]);

/** The words of a text: {text, start, end, isGlued: no space is before it, partner: where the bracket's other half is}. */
function wordsOf(whole) {
  const words = [...whole.matchAll(WORDS)].map(({ 0: word, index }) => ({ text: word.trim(), start: index + word.length - word.trimStart().length, end: index + word.length, isGlued: false, partner: undefined })), open = [];
  words.forEach((word, at) => {
    const before = words[at - 1], isBar = word.text === '|' || word.text === '‖', close = CLOSING.indexOf(word.text);
    word.isGlued = before?.end === word.start;
    // The same bar opens and closes: it closes what it touches.
    const isBehind = word.isGlued && (/^["'«⁻\p{L}\p{N}\p{M}_]/u.test(before.text) || before.partner < at - 1);
    if (OPENING.includes(word.text) || (isBar && !isBehind && words[at + 1]?.start === word.end)) { open.push(at); return; }
    const from = close >= 0 ? open.findLastIndex(each => words[each].text === OPENING[close]) : isBar && isBehind && words[open.at(-1)]?.text === word.text ? open.length - 1 : -1;
    if (from < 0) return;
    word.partner = open[from];
    words[open[from]].partner = at;
    open.length = from;
  });
  return words;
}

/**
 * The tree of a text: {words, root}. A node is {id, from, to}, from and to places of words, and
 * - `inner` if it is in round brackets, which only group;
 * - `level`, `parts` and `signs` if it is operands with operators of that level, or a function with its arguments;
 * - `kind` and `parts` if its parts have their places.
 * Nodes say the same if they have the same id, which `ids` hands out.
 */
function treeOf(whole, ids) {
  const words = wordsOf(whole), isBracket = at => words[at].partner > at;
  const identified = (key, node) => { if (!ids.has(key)) ids.set(key, ids.size); return { id: ids.get(key), ...node }; };
  const said = ({ from, to }) => words.slice(from, to).map(word => word.text).join(' ');
  const leaf = (from, to) => identified(said({ from, to }), { from, to });
  const placed = (kind, from, to, parts) => identified(JSON.stringify([kind, ...parts.map(part => part.id)]), { from, to, kind, parts });
  const row = (level, parts, signs) => (parts.length === 1 ? parts[0] : identified(JSON.stringify([level, parts.map(part => part.id), signs.map(said)]), { from: parts[0].from, to: parts.at(-1).to, level, parts, signs: signs.map(({ from, to }) => ({ from, to, said: said({ from, to }) })) }));

  /** What stands between spaces: {from, to, level: of an operator, prefix, binder}. */
  function piecesIn(from, to) {
    const pieces = [];
    for (let at = from, next; at < to; at = next) {
      const { text: first, isGlued } = words[at], touches = words[at + 1]?.isGlued === true && at + 1 < to;
      const prefix = touches && !(isGlued && at > from && !/^\W$/u.test(words[at - 1].text)) ? PREFIXES.get(first) : undefined, binder = BINDERS.get(first);
      next = isBracket(at) ? words[at].partner + 1 : at + 1;
      if (prefix === undefined && !/^[,;]$/.test(first))
        while (next < to && words[next].isGlued && !/^[,;]$/.test(words[next].text)) next = isBracket(next) ? words[next].partner + 1 : next + 1;
      const isSign = !/^["'«⁻\p{L}\p{N}\p{M}_([{⟨⌊⌈⟦⟪⦃‹)\]}⟩⌋⌉⟧⟫⦄›]/u.test(first) && words[at].partner === undefined && !NOUNS.has(first);
      // `→ₗ[R]` and `→+*` are arrows; `↑n` and `#s` are no operators.
      const level = prefix !== undefined || binder ? undefined : LEVEL_OF.get(first) ?? (isSign ? LEVEL_OF.get([...first][0]) ?? (next === at + 1 ? UNKNOWN_LEVEL : undefined) : undefined);
      pieces.push({ from: at, to: next, first, level, prefix, binder: next === at + 1 ? binder : undefined });
    }
    return pieces;
  }
  function piece({ from, to }, depth) {
    const parts = [];
    for (let at = from; at < to; at = parts.at(-1).to) {
      if (!isBracket(at)) { parts.push(leaf(at, at + 1)); continue; }
      const end = words[at].partner, inner = at + 1 === end ? [] : [depth < MAX_NESTING ? expression(piecesIn(at + 1, end), depth + 1) : leaf(at + 1, end)];
      parts.push(words[at].text === '(' && inner.length ? { id: inner[0].id, from: at, to: end + 1, inner: inner[0] } : placed(words[at].text, at, end + 1, inner));
    }
    return parts.length === 1 ? parts[0] : placed('together', from, to, parts);
  }
  function expression(pieces, depth) {
    const { from } = pieces[0], { to } = pieces.at(-1);
    if (depth >= MAX_NESTING) return leaf(from, to);
    const [first] = pieces, waiting = [];
    // The operators that no binder or prefix before them takes, of the weakest level.
    let reach = Infinity, weakest = Infinity, places = [], last = 0;
    pieces.forEach((each, at) => {
      if (each.binder) { waiting.unshift(...each.binder); reach = Math.min(reach, LOOSE_LEVEL); }
      if (each.prefix !== undefined) reach = Math.min(reach, each.prefix);
      if (each.level === undefined || at === last || at === pieces.length - 1) return;
      last = at + 1;
      const own = waiting.findIndex(signs => signs.includes(each.first));
      if (own >= 0) { waiting.splice(0, own + 1); return; }
      if (each.level >= reach || each.level > weakest) return;
      if (each.level < weakest) places = [];
      weakest = each.level;
      places.push(at);
    });
    const some = (start, end) => expression(pieces.slice(start, end), depth + 1);
    if (places.length) return row(weakest, [0, ...places.map(at => at + 1)].map((start, at) => (start < (places[at] ?? pieces.length) ? some(start, places[at] ?? pieces.length) : leaf(pieces[start].from, pieces[start].from))), places.map(at => pieces[at]));
    const binder = pieces.findIndex((each, at) => (each.binder || each.prefix !== undefined) && at + 1 < pieces.length);
    if (binder === 0) {
      const parts = [];
      let start = 1;
      for (const signs of first.binder ?? []) {
        const end = pieces.findIndex((each, at) => at > start && signs.includes(each.first));
        if (end < 0 || end + 1 === pieces.length) break;
        parts.push(some(start, end));
        start = end + 1;
      }
      return placed(first.first, from, to, [...parts, some(start)]);
    }
    const parts = pieces.slice(0, binder < 0 ? undefined : binder).map(each => piece(each, depth));
    if (binder > 0) parts.push(some(binder));
    return row(APPLICATION, parts, parts.slice(1).map(part => ({ from: part.from, to: part.from })));
  }
  return { words, root: words.length ? expression(piecesIn(0, words.length), 0) : leaf(0, 0) };
}

/** What has changed: {isWhole, marks: [[from, to]] of words of `now`, cuts: [[place, from, to]]: words of `old` that are gone before one of `now`}. */
function changesOf(old, now) {
  while (old.inner) old = old.inner;
  while (now.inner) now = now.inner;
  if (old.id === now.id) return { isWhole: false, marks: [], cuts: [] };
  if (now.from === now.to) return { isWhole: false, marks: [], cuts: [[now.from, old.from, old.to]] };
  const whole = { isWhole: true, marks: [[now.from, now.to]], cuts: [] }, found = [];
  for (const level of new Set([now.level, old.level].filter(each => each !== undefined))) {
    // Either may be an operand of the other.
    const [ones, others] = [old, now].map(each => [{ parts: [each], signs: [] }, ...(each.level === level ? [each] : [])]);
    for (const one of ones) for (const other of others) if (one.parts.length + other.parts.length > 2) found.push(changesInRow(level, one, other));
  }
  if (old.kind !== undefined && old.kind === now.kind && old.parts.length === now.parts.length) {
    const parts = together(now.parts.map((part, at) => changesOf(old.parts[at], part)));
    found.push({ ...parts, isWhole: parts.isWhole && now.parts.length > 1 });
  } else if (BINDERS.has(old.kind) || PREFIXES.has(old.kind)) {
    // It may be what was below the binder or the negation.
    const body = old.parts.at(-1), rest = changesOf(body, now);
    found.push({ ...rest, cuts: [[now.from, old.from, body.from], ...rest.cuts] });
  }
  const size = ({ marks }) => marks.reduce((sum, [from, to]) => sum + to - from, 0);
  return found.filter(each => !each.isWhole).reduce((best, each) => (size(each) < size(best) ? each : best), whole);
}
const together = all => ({ isWhole: all.every(each => each.isWhole), marks: all.flatMap(each => each.marks), cuts: all.flatMap(each => each.cuts) });

/** The same for operands with operators of a level, or for a function with its arguments. */
function changesInRow(level, old, now) {
  const last = now.parts.length, signs = now.signs.filter((sign, at) => sign.said !== old.signs[at]?.said).map(({ from, to }) => [from, to]);
  if (old.parts.length === last) {
    const parts = together(now.parts.map((part, at) => changesOf(old.parts[at], part)));
    // Both sides of a relation may be others, and it is still that relation.
    const inPlace = { ...parts, marks: [...parts.marks, ...signs], isWhole: parts.isWhole && (level > RELATION_LEVEL || signs.length === now.signs.length) };
    if (!parts.isWhole || last < 3) return inPlace;
  }
  const all = { isWhole: true, marks: [], cuts: [] };
  let at = 0, before = 0;
  for (const { same, removed, added } of hunks(old.parts.map(part => part.id), now.parts.map(part => part.id))) {
    const from = at, was = before, to = at += (same ?? added).length, end = before += (same ?? removed).length;
    if (same) { all.isWhole = false; continue; }
    // With what is only gone or only new goes the operator before it, or at the beginning the one behind it.
    if (from === to) all.cuts.push([now.parts[to]?.from ?? now.parts.at(-1).to, was ? old.parts[was - 1].to : old.parts[0].from, was ? old.parts[end - 1].to : old.parts[end].from]);
    else if (was === end) all.marks.push([from ? now.parts[from - 1].to : now.parts[0].from, from ? now.parts[to - 1].to : now.parts[to].from]);
    else if (to - from !== end - was) all.marks.push([now.parts[from].from, now.parts[to - 1].to]);
    else for (let i = 0; i < to - from; i++) { const part = changesOf(old.parts[was + i], now.parts[from + i]); all.marks.push(...part.marks); all.cuts.push(...part.cuts); }
  }
  return all;
}

/** The text `after` in parts: {text, changed}, and where something is only gone an empty one with `removed`. Only whole subterms are marked. */
function difference(before, after) {
  const ids = new Map(), [head, start] = [before, after].map(each => /^(?:⊢|\|)\s*/.exec(each)?.[0].length ?? 0);
  const old = treeOf(before.slice(head), ids), now = treeOf(after.slice(start), ids), { marks, cuts } = changesOf(old.root, now.root), parts = [];
  const beginning = place => start + (now.words[place]?.start ?? now.words.at(-1)?.end ?? 0);
  const edits = marks.map(([from, to]) => ({ from: beginning(from), to: start + now.words[to - 1].end, removed: '' }));
  for (const [at, [place, from, to]] of cuts.entries()) {
    const [previous, , end] = cuts[at - 1] ?? [], said = whole => before.slice(head + old.words[whole].start, head + old.words[to - 1].end);
    if (previous !== place) edits.push({ from: beginning(place), to: beginning(place), removed: said(from), cutFrom: from });
    else Object.assign(edits.at(-1), end === from ? { removed: said(edits.at(-1).cutFrom) } : { removed: `${edits.at(-1).removed} ${said(from)}`, cutFrom: from });
  }
  let at = 0;
  const add = (to, more) => { if (to > at || more?.removed) parts.push({ text: after.slice(at, to), changed: false, removed: '', ...more }); at = to; };
  for (const { from, to, removed } of edits.sort((one, other) => one.from - other.from || one.to - other.to)) {
    add(from);
    add(to, { changed: true, removed });
  }
  add(after.length);
  return parts;
}
