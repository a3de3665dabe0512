// --- the conversation with the host: JSON-RPC, of which messages in and out are objects

const NOTHING_ASKED = { details: undefined, overview: undefined, all: [], outcome: undefined };

class App {
  /**
   * @param post    sends a message to the host
   * @param render  shows the state: {phase, title, view, messages, busy, canAsk}
   * @param theme   applies a host context
   */
  constructor({ post, render, theme = () => {}, wait = setTimeout, now = () => clock() }) {
    Object.assign(this, { post, render, theme, wait, now });
    this.pending = new Map();   // id -> {resolve, reject}
    this.lastId = 0;
    this.turn = 0;              // of the shown state: answers to earlier questions are dropped
    this.tool = 'lean_goal';
    this.canAsk = false;
    this.arguments = undefined;
    this.state = { phase: 'waiting', view: undefined, messages: undefined, ...NOTHING_ASKED, asked: '' };
  }

  async start() {
    try {
      const host = await this.request('ui/initialize', {
        protocolVersion: '2026-01-26', appInfo: { name: 'leanbridge goals', version: '1' },
        appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
      }, 60_000);
      this.canAsk = typeof host?.hostCapabilities?.serverTools === 'object';
      this.context(host?.hostContext);
      this.tool = text(host?.hostContext?.toolInfo?.tool?.name) || this.tool;
      this.post({ jsonrpc: '2.0', method: 'ui/notifications/initialized', params: {} });
      this.show({});
    } catch (error) {
      this.show({ phase: 'failed', view: viewOf({ isError: true, content: [{ type: 'text', text: `The host did not start this page: ${error.message}` }] }) });
    }
  }

  request(method, params, limitMs = 130_000) {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.wait(() => { if (this.pending.delete(id)) reject(new Error('no answer from the host')); }, limitMs);
      this.post({ jsonrpc: '2.0', id, method, params });
    });
  }

  receive(message) {
    if (message === null || typeof message !== 'object' || message.jsonrpc !== '2.0') return;
    const { id, method, params } = message;
    if (method === undefined) {
      const waiting = this.pending.get(id);
      this.pending.delete(id);
      if (message.error) waiting?.reject(new Error(text(message.error.message) || 'the host refused'));
      else waiting?.resolve(message.result);
    } else if (id !== undefined) {
      const known = method === 'ping' || method === 'ui/resource-teardown';
      this.post({ jsonrpc: '2.0', id, ...(known ? { result: {} } : { error: { code: -32601, message: `Unknown method ${text(method)}.` } }) });
    } else if (method === 'ui/notifications/tool-input') {
      this.arguments = params?.arguments ?? {};
      this.turn++;
      this.show({ phase: 'asking', view: undefined, messages: undefined, ...NOTHING_ASKED });
    } else if (method === 'ui/notifications/tool-result') {
      this.turn++;
      this.answered(params);
    } else if (method === 'ui/notifications/tool-cancelled') {
      this.turn++;
      this.show({ phase: 'cancelled', view: undefined, messages: undefined, ...NOTHING_ASKED, asked: text(params?.reason) });
    } else if (method === 'ui/notifications/host-context-changed') {
      this.context(params);
    }
  }

  context(context) {
    if (context && typeof context === 'object') this.theme(context);
  }

  get file() { return text(this.arguments?.file_path ?? this.arguments?.file); }
  get line() { return Number(this.arguments?.line) || 0; }
  get title() {
    const column = this.arguments?.column ?? this.arguments?.col;
    return this.file ? `${this.file}:${this.line}${column === undefined || column === null ? '' : `:${column}`}` : 'Lean goals';
  }

  show(change) {
    Object.assign(this.state, change);
    this.render({ ...this.state, title: this.title, line: this.line, canAsk: this.canAsk && this.file !== '' && this.line > 0 });
  }

  answered(result) {
    this.lineText = answerOf(result)?.line_context;
    this.show({ phase: 'shown', view: viewOf(result), messages: undefined, ...NOTHING_ASKED, asked: this.now() });
    if (this.canAsk && this.file && this.line && !result?.isError) this.askMessages();
  }

  /** Asks for the goals again, of the line so many further down. What was shown is gone at once: it may be stale. */
  async ask(down = 0) {
    if (!this.canAsk || !this.file || !this.line) return;
    const { since, ...asked } = this.arguments;   // the whole goals: nobody here knows those of an earlier line
    if (down !== 0) {
      asked.line = Math.max(1, this.line + down);
      for (const name of ['column', 'col']) delete asked[name];
    }
    this.arguments = asked;
    const turn = ++this.turn;
    this.show({ phase: 'asking', view: undefined, messages: undefined, ...NOTHING_ASKED });
    let result;
    try {
      result = await this.request('tools/call', { name: this.tool, arguments: this.arguments });
    } catch (error) {
      result = { isError: true, content: [{ type: 'text', text: `The host did not pass the question on: ${error.message}` }] };
    }
    if (turn === this.turn) this.answered(result);
  }

  // The line's messages, which the answer about goals does not have.
  async askMessages() {
    const turn = this.turn;
    let found;
    try {
      const result = await this.request('tools/call', {
        name: this.tool.replace(/lean_goal$/, 'lean_diagnostic_messages'), arguments: { file_path: this.file, start_line: this.line, end_line: this.line },
      });
      const view = viewOf(result);
      found = result?.isError ? { items: [], note: `The messages of this line are not known: ${view.status}` } : { items: view.messages, note: view.notes.join(' ') };
    } catch (error) {
      found = { items: [], note: `The messages of this line are not known: ${error.message}` };
    }
    if (turn !== this.turn) return;
    this.show({ messages: found });
    const column = this.arguments?.column ?? this.arguments?.col ?? undefined;
    const details = await placeDetails(this.call, { line: this.line, column }, this.state.view, found.items);
    if (turn === this.turn) this.show({ details });
  }

  /** A call about the file, by the names that the host knows. */
  call = (tool, given) => this.request('tools/call', { name: this.tool.replace(/lean_goal$/, tool), arguments: { file_path: this.file, ...given } }).catch(() => undefined);

  async askWhole() {
    const { turn } = this;
    const [check, proofs] = await Promise.all([this.call('lean_check_all', { goals: true }), this.call('lean_document_proofs', {})]);
    if (turn === this.turn) this.show({ overview: overviewOf(check, proofs), all: list(answerOf(check)?.items) });
  }

  /** Shows the goals of another line. */
  moveTo(line) { this.ask(line - this.line); }

  async apply(action) {
    const lines = [], { turn } = this;
    lines[this.line - 1] = this.lineText;
    const change = changeOf(action, lines);
    this.show({ outcome: change ? { said: 'Lean checks the file with it.', tone: 'quiet' } : { said: 'It is more than this line: copy it.', tone: 'bad' } });
    if (!change) return;
    const outcome = outcomeOf(await this.call('lean_write_proof', { ...change, allow_sorry: true }));
    if (turn !== this.turn) return;
    if (outcome.tone !== 'bad') await this.ask(0);
    this.show({ outcome });
  }
}
