// --- with the source, as `leanbridge view` serves the page: events about one place of one file (src/desk/view/file_view.hpp)

const rank = ({ severity }) => { const known = Object.keys(FLAGS).indexOf(severity); return known < 0 ? 9 : known; };
const MAX_EDITS = 50;

/** What an edit changes: [{line, removed, added}], with lines of the new text. */
function editHunks(before, lines) {
  let line = 1;
  const found = [];
  for (const { same, removed, added } of hunks(before, lines)) {
    if (!same) found.push({ line, removed, added });
    line += (same ?? added).length;
  }
  return found;
}

const PATIENCE_MS = 250;   // how long to keep what is about to be replaced, greyed: less flickers

class Viewer {
  /**
   * @param connect   (query) => the EventSource of a place
   * @param ask       (tool, arguments) => the result of a call about the file
   * @param render    shows the state: that of App, and {file, lines, remarks, colours, line, column, flags, working lines, follow}
   * @param remember  (line, column): keeps the place in the address
   * @param visit     (file): begins an address for another file
   */
  constructor({ connect, render, ask = () => new Promise(() => {}), remember = () => {}, visit = () => {}, wait = setTimeout, now = () => clock() }) {
    Object.assign(this, { connect, render, ask: (tool, given) => ask(tool, given).catch(() => undefined), remember, visit, wait, now });
    this.file = undefined;   // by its name or, of a call, its number; undefined: the one that the server was started with
    this.known = new Map();   // project and file -> {errors, sorries, at}
    this.turn = 0;   // of the place: events of an earlier one are dropped
    this.version = 0;
    this.messages = undefined;
    this.isPlaced = false;   // somebody has chosen the line
    this.state = {
      live: true, canAsk: true, phase: 'asking', title: 'Lean goals', project: undefined, view: undefined, working: '', asked: '', messages: undefined, count: 0,
      file: '', lines: undefined, remarks: [], colours: [], details: undefined, overview: undefined, all: [], outcome: undefined, edits: [], note: '', isGone: false, line: 1, column: undefined, follow: true, flags: new Map(), elaborating: [],
    };
  }

  show(change) {
    Object.assign(this.state, change);
    const { file, line, column } = this.state;
    this.render({ ...this.state, title: file ? `${file}:${line}${column === undefined ? '' : `:${column}`}` : 'Lean goals' });
  }

  start({ file, line, column } = {}) {
    this.file = file;
    this.isPlaced = line !== undefined;
    this.goTo(line ?? 1, column);
  }

  /** A choice of the reader's; `column` undefined: before and after the line. */
  moveTo(line, column) {
    if (this.state.work) this.show({ follow: false });
    this.place(line, column);
  }
  place(line, column) {
    this.isPlaced = true;
    const last = this.state.lines?.length ?? line;
    const near = Math.min(Math.max(1, line), Math.max(1, last));
    if (near !== this.state.line || column !== this.state.column) this.goTo(near, column);
  }
  move(down) { this.moveTo(this.state.line + down, undefined); }
  moveColumn(right) {
    const text = [...(this.state.lines?.[this.state.line - 1] ?? '')], first = text.findIndex(each => each !== ' ') + 1 || 1;
    this.moveTo(this.state.line, this.state.column === undefined ? first : Math.min(Math.max(1, this.state.column + right), text.length + 1));
  }
  nextMessage() {
    const starts = [...new Set(list(this.messages?.items).map(each => each.line))].sort((one, other) => one - other);
    const next = starts.find(line => line > this.state.line) ?? starts[0];
    if (next !== undefined) this.moveTo(next, undefined);
  }

  nextSorry() {
    const { line, overview } = this.state, starts = list(overview?.sorries).map(each => each.line);
    const next = starts.find(each => each > line) ?? starts[0];
    if (next !== undefined) this.moveTo(next, undefined);
  }

  goTo(line, column) {
    this.show({ line, column, outcome: undefined });
    if (this.isPlaced && !this.state.work) this.remember(line, column);
    this.expire();
    this.listen();
  }

  /** What is shown no longer holds: it is grey at once, and gone soon. */
  expire() {
    this.detailsOf = undefined;
    this.show({ phase: 'asking', messages: undefined, details: undefined });
    const { view } = this.state;
    if (view) this.wait(() => { if (this.state.phase === 'asking' && this.state.view === view) this.show({ view: undefined }); }, PATIENCE_MS);
  }

  listen() {
    const turn = ++this.turn, { line, column } = this.state;
    this.source?.close();
    const source = this.source = this.connect(`line=${line}${column === undefined ? '' : `&column=${column}`}&version=${this.version}${this.file ? `&file=${encodeURIComponent(this.file)}` : ''}${this.seen ? `&seen=${this.seen}` : ''}`);
    const on = (name, take) => source.addEventListener(name, event => { if (turn === this.turn) take(JSON.parse(event.data)); });
    on('text', data => this.takeText(data));
    on('messages', data => this.takeMessages(data.result));
    on('tokens', data => this.takeTokens(data));
    on('calls', data => this.takeCalls(data));
    on('open_work', data => this.takeOpenWork(data));
    on('asking', () => this.expire());
    on('goals', data => this.takeGoals(data.result));
    on('end', () => this.lost('leanbridge has ended. Start it again, and open the URL that it then prints.'));
    source.addEventListener('error', () => {
      if (turn !== this.turn) return;
      if (source.readyState === 2) this.lost('leanbridge does not know this page any more. Open the URL that it prints when it starts.');
      else this.show({ phase: 'lost', view: lost('The connection to leanbridge is lost. Trying again.'), messages: undefined });
    });
  }
  lost(why) {
    this.turn++;
    this.source.close();
    this.show({ phase: 'lost', view: lost(why), messages: undefined, elaborating: [] });
  }

  takeText({ file, project, version, text: whole, too_long: isTooLong }) {
    const before = this.state.lines, lines = isTooLong ? undefined : text(whole).split(/\r?\n/);
    this.version = version;
    let { line, column, colours, edits } = this.state;
    if (before && lines) {
      // Where the texts differ: behind `top` equal lines, before `bottom` ones.
      const most = Math.min(before.length, lines.length);
      let top = 0, bottom = 0;
      while (top < most && before[top] === lines[top]) top++;
      while (bottom < most - top && before[before.length - 1 - bottom] === lines[lines.length - 1 - bottom]) bottom++;
      // Lines that are the same keep their colours until Lean tells new ones.
      colours = lines.map((_, at) => (at < top ? colours[at] : at >= lines.length - bottom ? colours[at - lines.length + before.length] : undefined));
      if (top < lines.length || before.length !== lines.length) {
        const edit = { when: this.now(), version, line: top + 1, hunks: editHunks(before, lines), found: undefined };
        edits = [...edits.slice(1 - MAX_EDITS), edit];
        let last = Math.max(top + 1, lines.length - bottom);
        while (last > top + 1 && text(lines[last - 1]).trim() === '') last--;
        if (this.state.follow) [line, column] = [last, undefined];
        else if (line > before.length - bottom) line += lines.length - before.length;
      }
    }
    if (lines) line = Math.min(Math.max(1, line), Math.max(1, lines.length));
    const moved = line !== this.state.line || column !== this.state.column;
    this.overviewOf = undefined;
    this.known.delete(`${project}/${file}`);
    this.show({ file, project, lines, remarks: remarksIn(lines ?? []), colours, overview: undefined, edits, line, column, flags: new Map(), note: isTooLong ? 'The file is too long to be shown here.' : '' });
    if (moved) this.goTo(line, column);
    else this.expire();
  }

  takeTokens(data) {
    if (data.version !== this.version) return;
    const colours = decodeTokens(data);
    // Below the beginning that is known, lines keep what they had.
    this.show({ colours: data.complete ? colours : [...colours, ...this.state.colours.slice(colours.length)] });
  }

  // What Lean still works on changes by the second: the messages say it.
  takeGoals(result) {
    const { structuredContent: answer } = result;
    this.show({ phase: 'shown', view: viewOf({ ...result, structuredContent: answer && { ...answer, still_elaborating_lines: [] } }), messages: this.messagesHere() });
    this.askDetails();
  }

  takeMessages(result) {
    const view = viewOf(result), { structuredContent: answer = {} } = result;
    this.messages = result.isError ? { items: [], note: '' } : { items: view.messages, note: '' };
    const elaborating = list(answer.still_elaborating_lines), flags = new Map();
    const worst = [...view.messages].sort((one, other) => rank(other) - rank(one));   // later ones win
    for (const { line, severity } of worst) flags.set(line, severity);
    if (!result.isError) this.learn({ errors: view.messages.filter(({ severity }) => severity === 'error').length });
    const working = elaborating.length ? `Lean is still working on ${lines(elaborating)}.` : '';
    this.show({ isGone: result.isError === true && this.version >= 0, all: this.messages.items, total: answer.total ?? this.messages.items.length, flags, elaborating, working, count: this.messages.items.length, ...(this.state.phase === 'shown' ? { messages: this.messagesHere() } : {}) });
    this.askDetails();
    if (!result.isError && !answer.partial && !answer.timed_out && elaborating.length === 0) this.askOverview();
    else this.overviewOf = undefined;
    // Without a place, the page begins where there is something to do.
    const first = view.messages.find(({ severity }) => severity === 'error') ?? view.messages[0];
    if (!this.isPlaced && first) this.place(first.line, undefined);
  }

  /** Suggestions and the expected type, once goals and messages of the place are known. */
  async askDetails() {
    const { phase, view, line, column, messages } = this.state;
    if (phase !== 'shown' || !view || view.tone === 'bad' && view.sections.length === 0 && !messages?.items.length) return;
    const asked = JSON.stringify([this.version, line, column, view.sections.length, messages?.items.map(each => each.message)]);
    if (asked === this.detailsOf) return;
    this.detailsOf = asked;
    const details = await placeDetails(this.ask, { line, column }, view, list(messages?.items));
    if (asked === this.detailsOf) this.show({ details });
  }

  /** Sorries, and which proofs are complete, once Lean is done with the file. */
  async askOverview() {
    const { version, file } = this, asked = JSON.stringify([file, version, this.messages.items]);
    if (asked === this.overviewOf) return;
    this.overviewOf = asked;
    const [check, proofs] = await Promise.all([this.ask('lean_check_all', {}), this.ask('lean_document_proofs', {})]);
    const isOf = result => answerOf(result)?.version === version;
    if (asked !== this.overviewOf) return;
    if (!isOf(check) || !isOf(proofs)) {
      this.overviewOf = undefined;
    } else {
      const overview = overviewOf(check, proofs);
      this.learn({ sorries: overview.sorries.length });
      const { work } = this.state, points = work && [...work.points, { file, count: overview.sorries.length }];
      this.show({ overview, ...(work && { work: { ...work, points } }), edits: this.state.edits.map(each => (each.version === version ? { ...each, found: overview } : each)) });
    }
  }

  // --- other files

  /** What the page has seen of a file, for the list of files. */
  knownOf(project, file) { return this.known.get(`${project}/${file}`); }
  learn(counts) {
    const { project, file } = this.state;
    if (file) this.known.set(`${project}/${file}`, { ...this.knownOf(project, file), ...counts, at: Date.now() });
  }

  /** A choice of the reader's: another file of the project. */
  openFile(file) {
    if (this.state.work) this.show({ follow: false });
    else this.visit(file);
    this.openPlaceOf({ file });
  }
  /** The reader goes back, or edits the address. It does not follow calls of agents. */
  goToAddress({ file, line, column }) {
    if (!this.state.work && file !== this.file) this.openPlaceOf({ file, line, column });
    else if (line) this.moveTo(line, column);
  }

  // --- agents at work

  takeCalls(data) {
    const { work: before = NO_WORK, lines: known } = this.state, seen = new Set(before.calls.map(each => each.call));
    // Where an agent edits the file that is shown, the page has the lines that go.
    const replaced = ({ file, edit }) => (file === this.file && known && edit.end_line <= known.length ? known.slice(edit.start_line - 1, edit.end_line).join('\n') : undefined);
    this.seen = data.revision;
    this.file = data.shown || this.file;
    this.show({ work: withNews(before, data, replaced), ...(this.file ? {} : { phase: 'idle' }) });
    const last = list(data.calls).findLast(({ call, file }) => file && !seen.has(call));
    if (!last || !this.state.follow) return;
    // Of many calls in a moment it follows the last.
    this.target = last;
    if (this.isFollowing) return;
    this.isFollowing = true;
    this.wait(() => {
      this.isFollowing = false;
      if (this.state.follow) this.openPlaceOf(this.target);
    }, PATIENCE_MS);
  }

  // It is told again with every place.
  takeOpenWork(told) {
    if (JSON.stringify(told) !== JSON.stringify(this.state.openWork)) this.show({ openWork: told });
  }
  openWorkAt(file, line) {
    this.show({ follow: false });
    this.openPlaceOf({ file: file === this.state.file ? this.file : file, line });
  }

  selectCall(number) {
    const { work } = this.state, call = work.calls.find(each => each.call === number);
    if (!call) return;
    this.show({ follow: false, work: { ...work, selected: number === work.selected ? undefined : number } });
    if (call.file) this.openPlaceOf(call);
  }

  openPlaceOf({ file, line, column }) {
    if (file === this.file) {
      if (line !== undefined) this.place(line, column);
      return;
    }
    Object.assign(this, { file, version: 0, messages: undefined, isPlaced: line !== undefined, overviewOf: undefined });
    this.show({ file: '', lines: undefined, remarks: [], colours: [], view: undefined, overview: undefined, all: [], count: 0, edits: [], flags: new Map(), elaborating: [], working: '', note: '', isGone: false });
    this.goTo(line ?? 1, column);
  }

  async apply(action) {
    const change = changeOf(action, this.state.lines ?? []), { version } = this;
    if (!change) return;
    this.show({ outcome: { said: 'Lean checks the file with it.', tone: 'quiet' } });
    const outcome = outcomeOf(await this.ask('lean_write_proof', change));
    if (outcome.tone === 'bad' || version === this.version) this.show({ outcome });
  }

  messagesHere() {
    const { line } = this.state;
    return { items: list(this.messages?.items).filter(each => each.line <= line && line <= (each.end_line ?? each.line)), note: '' };
  }
}
const lost = status => ({ status, tone: 'bad', notes: [], context: '', sections: [], messages: [] });
