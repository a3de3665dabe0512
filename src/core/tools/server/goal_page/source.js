// --- the source: its colours, and the list box that shows it

const COLOURS = { keyword: 'keyword', variable: 'variable', parameter: 'variable', property: 'property', function: 'function', method: 'function', namespace: 'type', type: 'type', class: 'type', struct: 'type', enum: 'type',
  enumMember: 'property', macro: 'keyword', leanSorryLike: 'sorry', string: 'string', number: 'number', comment: 'comment' };

/** Lean's semantic tokens by line: lines[i] has [start, end, colour] in UTF-16 units. */
function decodeTokens({ types, data }) {
  const byLine = [], numbers = list(data);
  let line = 0, start = 0;
  for (let at = 0; at + 4 < numbers.length; at += 5) {
    const [down, right, length, type] = numbers.slice(at, at + 4);
    line += down;
    start = down ? right : start + right;
    const colour = Object.hasOwn(COLOURS, text(types?.[type])) ? COLOURS[types[type]] : '';
    if (colour && line < 1e6) (byLine[line] ??= []).push([start, start + length, colour]);
  }
  return byLine;
}

/** Comments and strings, of which Lean says nothing, by line as decodeTokens() has them. A comment may contain others. */
function remarksIn(lines) {
  let depth = 0, isString = false;
  return lines.map(line => {
    const found = [];
    let from = 0, at = 0;
    const end = (to, colour) => { found.push([from, to, colour]); };
    for (;;) {
      const signs = isString ? /\\.|"/g : depth > 0 ? /\/-|-\//g : /--|\/-|"/g;
      signs.lastIndex = at;
      const next = signs.exec(line);
      if (!next) break;
      const [sign] = next, wasOutside = depth === 0 && !isString;
      at = next.index + sign.length;
      if (sign === '/-') depth++;
      else if (sign === '-/') depth--;
      else if (sign === '"' && (isString || line[next.index - 1] !== "'")) isString = !isString;
      if (wasOutside) from = next.index;
      if (sign === '--') at = line.length;
      if (sign === '--' || sign === '-/' && depth === 0) end(at, 'comment');
      else if (sign === '"' && !isString && !wasOutside) end(at, 'string');
    }
    if (depth > 0 || isString) end(line.length, isString ? 'string' : 'comment');
    return found;
  });
}

/** The line in pieces [text, colour]: remarks first, then words. */
function piecesOf(line, remarks = [], words = []) {
  const free = words.filter(([start, end]) => !remarks.some(([from, to]) => start < to && from < end));
  const pieces = [];
  let at = 0;
  for (const [start, end, colour] of [...remarks, ...free].sort((one, other) => one[0] - other[0])) {
    if (start < at || end <= start || end > line.length) continue;
    if (start > at) pieces.push([line.slice(at, start), '']);
    pieces.push([line.slice(start, end), colour]);
    at = end;
  }
  if (at < line.length || pieces.length === 0) pieces.push([line.slice(at), '']);
  return pieces;
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
  const make = makerOf(document);
  // The text of a line in its colours; what is behind the caret's offset `cut`, if any, is its own part.
  const painted = (line, cut = -1) => {
    const pieces = piecesOf(state.lines[line - 1], state.remarks[line - 1], state.colours[line - 1]), before = [], behind = [];
    let at = 0;
    for (const [piece, colour] of pieces) {
      const own = cut < 0 ? piece.length : Math.min(Math.max(0, cut - at), piece.length);
      for (const [half, into] of [[piece.slice(0, own), before], [piece.slice(own), behind]])
        if (half) into.push(colour ? make('span', `t-${colour}`, half) : half);
      at += piece.length;
    }
    return cut < 0 ? before : [...before, make('span', 'caret', ...(behind.length ? behind : ['\u200b']))];
  };
  box.className = state.isGone || state.phase === 'lost' ? 'old' : '';
  if (shown.lines !== state.lines) {
    box.setAttribute('aria-label', `Source of ${state.file}`);
    box.style.setProperty('--digits', Math.max(2, String(state.lines?.length ?? 0).length));
    box.replaceChildren(...(state.lines ?? []).map((line, index) => {
      const code = make('code', '', ...painted(index + 1)), row = make('div', 'line', make('span', 'flag'), make('span', 'number', String(index + 1)), code);
      code.style.setProperty('--indent', line.search(/[^ ]|$/));
      row.id = `L${index + 1}`;
      row.setAttribute('role', 'option');
      return row;
    }), ...(state.note ? [make('p', 'warn', state.note)] : []));
    shown = { lines: state.lines, colours: state.colours, revealed: undefined };
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
  if (shown.colours !== state.colours) {
    for (let line = 1; line <= count; line++) row(line).children[2].replaceChildren(...painted(line));
    shown = { ...shown, line: undefined };
  }
  if (shown.line !== state.line || shown.column !== state.column) {
    const old = box.querySelector('[aria-selected="true"]');
    if (old) {
      old.setAttribute('aria-selected', 'false');
      if (shown.line) old.children[2].replaceChildren(...painted(shown.line));
    }
    const now = row(state.line);
    if (now && state.line <= count) {
      now.setAttribute('aria-selected', 'true');
      box.setAttribute('aria-activedescendant', now.id);
      if (state.column !== undefined) now.children[2].replaceChildren(...painted(state.line, [...state.lines[state.line - 1]].slice(0, state.column - 1).join('').length));
      if (shown.line !== undefined || shown.revealed !== state.lines) reveal(window, now);
    }
  }
  return { lines: state.lines, flags: state.flags, elaborating: state.elaborating, line: state.line, column: state.column, colours: state.colours, revealed: state.lines };
}
