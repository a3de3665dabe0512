// --- beside the source: what a name is, and where it is declared

const HOVER_AFTER_MS = 350, LEAVE_AFTER_MS = 250;

/** The place under the pointer: {row, line, column}; undefined where there is no word. */
function placeUnder(document, x, y) {
  const caret = document.caretPositionFromPoint?.(x, y) ?? (range => range && { offsetNode: range.startContainer, offset: range.startOffset })(document.caretRangeFromPoint?.(x, y));
  const code = caret?.offsetNode.parentElement?.closest('.line > code');
  if (!code) return undefined;
  const before = document.createRange();
  before.setStart(code, 0);
  before.setEnd(caret.offsetNode, caret.offset);
  const row = code.parentElement, start = before.toString(), whole = code.textContent, next = String.fromCodePoint(whole.codePointAt(start.length) ?? 32);
  if (next.trim() === '') return undefined;
  // The line may end, or wrap, far from the pointer.
  const word = document.createRange();
  word.setStart(caret.offsetNode, caret.offset);
  word.setEnd(caret.offsetNode, caret.offset);
  const box = word.getBoundingClientRect();
  if (Math.abs(box.x - x) > 24 || y < box.top - 6 || y > box.bottom + 6) return undefined;
  return { line: Number(row.id.slice(1)), column: [...start].length + 1, box };
}

/**
 * Documentation in parts [mark, text]: code in backticks, what is strong or emphasised in stars. A star within a word or a formula, as in
 * `2*n*m` and `f^*(x)`, is none of these: a mark begins after a blank or what opens, and ends before a blank or what closes.
 */
function remarked(whole) {
  const marked = /(?<code>`[^`\n]+`)|(?<before>^|[\s\p{Ps}\p{Pi}\p{Pd}"'])(?<said>(?:\*\*(?![\s*])[^*`\n]*[^*`\s]\*\*|\*(?![\s*])[^*`\n]*[^*`\s]\*))(?=$|[\s\p{Pe}\p{Pf}\p{Pd}.,;:!?"'])/gu;
  const parts = [];
  let from = 0;
  for (const { index, 0: all, groups: { code, before = '', said = code } } of whole.matchAll(marked)) {
    const mark = /^`|^\*+/.exec(said)[0];
    parts.push(['', whole.slice(from, index) + before], [mark, said.slice(mark.length, -mark.length)]);
    from = index + all.length;
  }
  return [...parts, ['', whole.slice(from)]];
}

/** Hovers and declarations. `ask` as for placeDetails(); `jump` goes to a line; `state()` is what is shown. */
function startHover(window, box, { ask, jump, state }) {
  const { document } = window, tip = document.getElementById('hover');
  let turn = 0, timer, at;
  const make = makerOf(document);
  const inTags = { '`': 'code', '**': 'b', '*': 'i' };
  const hide = () => { turn++; window.clearTimeout(timer); tip.hidden = true; at = undefined; };

  function put(where) {
    tip.hidden = false;
    // Measured where nothing narrows it.
    tip.style.left = '0';
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(where.left, window.innerWidth - width - 4))}px`;
    tip.style.top = `${where.bottom + height + 4 < window.innerHeight ? where.bottom + 2 : Math.max(4, where.top - height - 2)}px`;
  }
  async function show({ line, column, box: where }) {
    const own = ++turn, answer = answerOf(await ask('lean_hover_info', { line, column }));
    if (own !== turn || !answer?.info) return;
    const [type, ...rest] = text(answer.info).split(/\n\*\*\*\n/);
    const open = make('button', '', 'Go to declaration');
    open.addEventListener('click', () => { hide(); declaration({ line, column, symbol: answer.symbol }); });
    tip.replaceChildren(make('pre', '', type.trim()), ...rest.filter(part => part.trim()).map(part => make('div', 'doc', ...remarked(part.trim()).map(([mark, said]) => (mark ? make(inTags[mark], '', said) : said)))), ...(answer.symbol ? [open] : []));
    put(where);
  }
  /** Jumps within the file, and shows the lines of others. */
  async function declaration({ line, column, symbol }) {
    const own = ++turn, name = symbol ?? answerOf(await ask('lean_hover_info', { line, column }))?.symbol;
    const result = name && await ask('lean_declaration_file', { symbol: name, line, column });
    if (own !== turn) return;
    const answer = answerOf(result), said = (...parts) => peekAt(document, ...parts);
    if (!answer) return said('No declaration', name ? viewOf(result).status : 'There is no name here.');
    if (answer.file_path.endsWith(`/${state().file}`)) return jump(answer.line);
    const content = text(answer.content).split('\n');
    said(`${answer.file_path}:${answer.line}`, ...content.map((each, i) => make('span', answer.start_line + i === answer.line ? 'here' : '', `${each}\n`)));
  }

  box.addEventListener('mousemove', event => {
    if (event.buttons !== 0) return;
    const place = placeUnder(document, event.clientX, event.clientY), key = place && `${place.line}:${place.column}`;
    if (key === at) return;
    window.clearTimeout(timer);
    at = key;
    timer = window.setTimeout(() => { if (place) show(place); else hide(); }, tip.hidden ? HOVER_AFTER_MS : LEAVE_AFTER_MS);
  });
  tip.addEventListener('mouseenter', () => window.clearTimeout(timer));
  for (const each of [box, tip]) each.addEventListener('mouseleave', () => { window.clearTimeout(timer); timer = window.setTimeout(hide, LEAVE_AFTER_MS); });
  box.addEventListener('scroll', hide);
  box.addEventListener('click', event => {
    const place = placeUnder(document, event.clientX, event.clientY);
    if (!event.ctrlKey && !event.metaKey) {
      hide();
      // A finger cannot point without a tap: the first one selects the line, the next one asks about a word.
      if (event.pointerType === 'touch' && place?.line === state().line) show(place);
      return;
    }
    event.stopImmediatePropagation();
    hide();
    if (place) declaration(place);
  });

  const atCaret = () => {
    const { line, column, lines } = state(), whole = text(lines?.[line - 1]);
    const row = box.children[line - 1], caret = row?.querySelector('.caret') ?? row?.children[2];
    return { line, column: column ?? [...whole.match(/^\s*/)[0]].length + 1, box: caret?.getBoundingClientRect() ?? box.getBoundingClientRect() };
  };
  return { hide, info: () => show(atCaret()), declare: () => declaration(atCaret()) };
}
