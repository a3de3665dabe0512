// The default behaviour of the fake `lake serve`: a Lean so small that its answers can be read off the text.
//
//   goal at a line            ⊢ <the line, trimmed>; none on a blank line or one that does not start with a space
//   `-- done` in the line     the goal list is empty there
//   `-- error: TEXT`          an error with that text, over the line;  likewise `-- warning:` and `-- info:`
//   `sorry`                   the warning that Lean gives
//   `-- slow MS`              everything from here on is elaborated MS milliseconds later
//
// Message shapes follow the recordings in fixtures/lsp.

const Code = { methodNotFound: -32601, requestCancelled: -32800, contentModified: -32801, workerCrashed: -32902 };

const capabilities = {
  textDocumentSync: { openClose: true, change: 2, willSave: false, willSaveWaitUntil: false, save: { includeText: true } },
  completionProvider: { triggerCharacters: ['.'], resolveProvider: true }, hoverProvider: true, declarationProvider: true, definitionProvider: true,
  typeDefinitionProvider: true, documentHighlightProvider: true, documentSymbolProvider: true, foldingRangeProvider: true,
  codeActionProvider: { resolveProvider: true, codeActionKinds: ['quickfix', 'refactor'] },
};

export class SmallLean {
  closed = [];             // documents whose didClose was read but not handled yet
  documents = new Map();   // uri -> {version, lines, done, waiting, pending, crashed, queued, timer}

  constructor({ send, options }) {
    this.send = send;
    this.elaborateMs = options.elaborate_ms ?? 20;
  }

  uriOf(message) { return message?.params?.textDocument?.uri ?? message?.params?.uri; }
  anyUri() { return [...this.documents.keys()].at(-1); }
  textOf(message) { return this.documents.get(this.uriOf(message))?.lines.join('\n'); }

  /** A diagnostic from {line, severity?, message, ...}; lines are 0-based as on the wire. */
  diagnostic({ line = 0, end_line = line, character = 0, end_character = 1, severity = 1, message, ...rest }) {
    const range = { start: { line, character }, end: { line: end_line, character: end_character } };
    return { source: 'Lean 4', severity, range, fullRange: range, message, ...rest };
  }

  /** Follows didOpen/didChange/didClose; elaboration starts in handle(). */
  track({ method, params }) {
    const uri = params?.textDocument?.uri;
    if (method === 'textDocument/didOpen') {
      this.documents.set(uri, { version: params.textDocument.version, lines: params.textDocument.text.split('\n'), done: -1, upTo: 0, waiting: [], pending: [], crashed: false, queued: [] });
    } else if (method === 'textDocument/didChange') {
      const document = this.documents.get(uri);
      if (!document) return;
      for (const change of params.contentChanges) document.lines = apply(document.lines, change);
      document.version = params.textDocument.version;
    } else if (method === 'textDocument/didClose') {
      // Removed at once, so that an immediate didOpen starts a new life; handle() fails its pending requests.
      this.closed.push(this.documents.get(uri));
      this.documents.delete(uri);
    }
  }

  handle(message) {
    const { id, method, params } = message;
    const uri = this.uriOf(message);
    const document = this.documents.get(uri);
    switch (method) {
      case 'initialize': return this.send({ id, result: { capabilities, serverInfo: { name: 'Lean 4 Server', version: '0.3.0' } } });
      case 'initialized': return this.send({ id: 'register_lean_watcher', method: 'client/registerCapability', params: { registrations: [{ id: 'lean_watcher', method: 'workspace/didChangeWatchedFiles', registerOptions: { watchers: [{ globPattern: '**/*.lean' }, { globPattern: '**/*.ilean' }] } }] } });
      case 'shutdown': return this.send({ id, result: null });
      case 'exit': return process.exit(0);
      case 'textDocument/didOpen': return void this.elaborate(uri);   // runs concurrently with what comes next
      case 'textDocument/didChange': {
        if (!document) return undefined;
        const queued = document.queued;
        document.crashed = false;
        document.queued = [];
        this.elaborate(uri);
        for (const request of queued) this.handle(request);
        return undefined;
      }
      case 'textDocument/didClose': return this.close(uri);
      case '$/cancelRequest': {
        for (const each of this.documents.values()) {
          const index = each.waiting.findIndex(request => request.id === params.id);
          if (index >= 0) { each.waiting.splice(index, 1); return this.send({ id: params.id, error: { code: Code.requestCancelled, message: '' } }); }
        }
        return undefined;
      }
      default:
    }
    if (id === undefined) return undefined;
    if (uri && !document) return this.send({ id, error: { code: Code.contentModified, message: `Cannot process request to closed file '${uri}'` } });
    if (!uri) return this.send({ id, error: { code: Code.methodNotFound, message: `No request handler found for '${method}'` } });
    if (document.crashed) return document.queued.push(message);   // a real watchdog says nothing until the next didChange
    if (method === 'textDocument/waitForDiagnostics' || this.isAhead(document, params)) return this.park(document, message);
    return this.answer(document, message);
  }

  /** Whether a request is about a place that is not elaborated yet. */
  isAhead(document, params) { return params.position !== undefined && document.done < document.version && params.position.line >= document.upTo; }

  park(document, message) {
    document.waiting.push(message);
    this.wake(document);
  }

  wake(document) {
    const ready = request => (request.method === 'textDocument/waitForDiagnostics' ? document.done >= request.params.version : !this.isAhead(document, request.params));
    for (const request of document.waiting.filter(ready)) {
      document.waiting.splice(document.waiting.indexOf(request), 1);
      this.answer(document, request);
    }
  }

  answer(document, { id, method, params }) {
    const line = document.lines[params.position?.line] ?? '';
    const goals = !line.startsWith(' ') || !line.trim() ? null : line.includes('-- done') ? [] : [`⊢ ${line.trim()}`];
    const interactive = goal => ({ ctx: { p: '0' }, goalPrefix: '⊢ ', hyps: [], mvarId: '_uniq.1', type: { text: goal.slice(2) } });
    const answers = {
      'textDocument/waitForDiagnostics': () => ({}),
      '$/lean/plainGoal': () => goals && { goals, rendered: goals.length ? goals.map(goal => `\`\`\`lean\n${goal}\n\`\`\``).join('\n---\n') : 'no goals' },
      '$/lean/plainTermGoal': () => (goals ? { goal: goals[0] ?? '⊢ True', range: { start: params.position, end: params.position } } : null),
      '$/lean/rpc/connect': () => ({ sessionId: '1526628519719626244' }),
      '$/lean/rpc/call': () => goals && { goals: goals.map(interactive) },
      'textDocument/hover': () => null,
      'textDocument/codeAction': () => [],
      'textDocument/documentSymbol': () => this.symbols(document),
      'textDocument/foldingRange': () => [],
      'textDocument/semanticTokens/full': () => ({ data: [] }),
      'textDocument/semanticTokens/range': () => ({ data: [] }),
    };
    if (!answers[method]) return this.send({ id, error: { code: Code.methodNotFound, message: `No request handler found for '${method}'` } });
    return this.send({ id, result: answers[method]() });
  }

  symbols({ lines }) {
    const heads = lines.map((text, line) => ({ line, match: /^(theorem|example|def)\b *(\w*)/.exec(text) })).filter(head => head.match);
    return heads.map(({ line, match }, i) => {
      const end = { line: (heads[i + 1]?.line ?? lines.length) - 1, character: 0 };
      return { kind: 6, name: match[2] || match[1], range: { start: { line, character: 0 }, end }, selectionRange: { start: { line, character: 0 }, end: { line, character: match[0].length } } };
    });
  }

  /** Publishes progress and diagnostics for the document's newest version, stopping at each `-- slow MS`. */
  async elaborate(uri) {
    const document = this.documents.get(uri);
    if (!document) return;
    const { version, lines } = document;
    const current = () => this.documents.get(uri) === document && document.version === version && !document.crashed;
    document.upTo = 0;
    const items = [];
    this.progress(uri, version, [[0, lines.length]]);
    await new Promise(resolve => setTimeout(resolve, this.elaborateMs));
    // Lean announces a correct proof with a silent message.
    let proof;
    const accomplished = () => {
      if (proof?.clean) items.push({ ...this.diagnostic({ line: proof.line, end_character: lines[proof.line].length, severity: 3, message: 'Goals accomplished!' }), isSilent: true, leanTags: [2] });
    };
    for (let line = 0; line < lines.length; line++) {
      if (!current()) return;
      if (/^(theorem|example|def)\b/.test(lines[line])) {
        accomplished();
        proof = { line, clean: !lines[line].startsWith('def') };
      }
      const slow = /-- slow (\d+)/.exec(lines[line]);
      if (slow) {
        document.upTo = line;
        this.publish(uri, version, items);
        this.progress(uri, version, [[line, lines.length]]);
        this.wake(document);
        await new Promise(resolve => { setTimeout(resolve, Number(slow[1])); });
        if (!current()) return;
      }
      const said = /-- (error|warning|info): (.*)$/.exec(lines[line]);
      if (said) items.push(this.diagnostic({ line, end_character: lines[line].length, severity: { error: 1, warning: 2, info: 3 }[said[1]], message: said[2] }));
      if (proof && (said?.[1] === 'error' || /\bsorry\b/.test(lines[line]))) proof.clean = false;
      if (/\bsorry\b/.test(lines[line])) items.push(this.diagnostic({ line, end_character: lines[line].length, severity: 2, message: 'declaration uses `sorry`' }));
    }
    if (!current()) return;
    accomplished();
    document.upTo = lines.length;
    document.done = version;
    this.publish(uri, version, items);
    this.progress(uri, version, []);
    this.wake(document);
  }

  publish(uri, version, diagnostics) { this.send({ method: 'textDocument/publishDiagnostics', params: { diagnostics: [...diagnostics], uri, version } }); }
  progress(uri, version, ranges) {
    this.send({ method: '$/lean/fileProgress', params: { processing: ranges.map(([from, to]) => ({ kind: 1, range: { start: { line: from, character: 0 }, end: { line: to, character: 0 } } })), textDocument: { uri, version } } });
  }

  close(uri) {
    const document = this.closed.shift();
    if (!document) return;
    for (const { id } of [...document.waiting, ...document.queued]) this.send({ id, error: { code: Code.contentModified, message: 'File closed.' } });
    this.send({ method: 'textDocument/publishDiagnostics', params: { diagnostics: [], uri, version: document.version } });
  }

  /** What the watchdog does when a worker dies: fails what is pending, reports it at line 0, then stays silent. */
  crash(uri) {
    const document = this.documents.get(uri);
    if (!document) return;
    document.crashed = true;
    for (const { id } of document.waiting.splice(0)) this.send({ id, error: { code: Code.workerCrashed, message: `Server process for ${uri} crashed.` } });
    const zero = { line: 0, character: 0 };
    this.send({ method: '$/lean/fileProgress', params: { textDocument: { uri, version: document.version }, processing: [{ range: { start: zero, end: zero }, kind: 2 }] } });
  }
}

/** The lines after one content change; characters are UTF-16 code units, as JavaScript counts them. */
function apply(lines, { range, text }) {
  if (!range) return text.split('\n');
  const before = [...lines.slice(0, range.start.line), (lines[range.start.line] ?? '').slice(0, range.start.character)].join('\n');
  const after = [(lines[range.end.line] ?? '').slice(range.end.character), ...lines.slice(range.end.line + 1)].join('\n');
  return (before + text + after).split('\n');
}
