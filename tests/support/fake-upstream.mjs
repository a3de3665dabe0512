// An MCP server (legacy, stdio) that behaves as its arguments say: node fake-upstream.mjs [key=value…]
//
//   tools=a,b        names of its tools; each answers its name and arguments (default: echo)
//   tool=JSON        an additional tool description, of any shape
//   prompts=a,b      names of its prompts
//   resources=a,b    URIs of its resources; the content of each is its URI; {do: "touch", uri} announces a change
//   templates=a,b    URI templates
//   completes=a,b    the values of every completion
//   pages=N          tools/list in pages of N
//   probe=exit|mute  how it reacts to server/discover (default: -32601)
//   start=crash|mute|noise   exits at once; answers nothing; prints lines that are not messages before it answers
//   meet=FOLDER,N    answers nothing until N of them have registered in the folder
//   info=JSON        its serverInfo
//   answer=JSON      the text that every tool answers
//   log=FILE         every message it gets, and its start, as JSON lines
// and by the arguments of a call: {do: "crash" | "hang" | "error" | "big" | "flood" | "add" | "remove" | "ask" (method, params) | "received" (method) | "audio" | "content" | "touch", ...}
import fs from 'node:fs';
import readline from 'node:readline';

const options = Object.fromEntries(process.argv.slice(2).map(word => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]));
const list = text => (text ? text.split(',') : []);
const describe = name => ({ name, description: `The tool ${name}. It says what it was given.`, inputSchema: { type: 'object', properties: { text: { type: 'string' } } } });
const tools = [...list(options.tools ?? 'echo').map(describe), ...process.argv.slice(2).filter(word => word.startsWith('tool=')).map(word => JSON.parse(word.slice(5)))];
const prompts = list(options.prompts).map(name => ({ name, arguments: [{ name: 'about', required: true }] }));
const resources = list(options.resources).map(uri => ({ uri, name: uri.split('/').at(-1), mimeType: 'text/plain' }));
const templates = list(options.templates).map(uriTemplate => ({ uriTemplate, name: uriTemplate }));
const pageSize = Number(options.pages ?? 1000);
const note = entry => options.log && fs.appendFileSync(options.log, `${JSON.stringify(entry)}\n`);
const send = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = value => ({ content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }] });

note({ start: process.pid, env: Object.keys(process.env), cwd: process.cwd() });
if (options.start === 'crash') { console.error('cannot read the file of keys'); process.exit(3); }

if (options.meet) {
  const [folder, count] = options.meet.split(',');
  fs.writeFileSync(`${folder}/${process.pid}`, '');
  while (fs.readdirSync(folder).length < Number(count)) await new Promise(resolve => setTimeout(resolve, 10));
}

const received = [];
const asked = new Map();
let nextId = 1;

async function call({ id, params }) {
  const { name, arguments: args = {}, _meta: meta } = params;
  const answer = result => send({ id, result });
  if (!tools.some(tool => tool.name === name)) return send({ id, error: { code: -32602, message: `Unknown tool ${name}` } });
  if (options.answer) return answer(text(options.answer));
  switch (args.do) {
    case 'crash': process.exit(7); break;
    case 'hang': return undefined;
    case 'error': return send({ id, error: { code: -32602, message: 'no such thing', data: { field: 'x' } } });
    case 'failed': return answer({ ...text('It did not work.'), isError: true });
    case 'big': return answer(text('x'.repeat(args.bytes)));
    case 'audio': return answer({ content: [{ type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' }, { type: 'resource_link', uri: 'test://x', name: 'x' }] });
    case 'content': return answer({ content: args.content });
    case 'flood': {
      for (let i = 0; i < args.lines; i++) if (!process.stderr.write(`noise ${i} ${'y'.repeat(200)}\n`)) await new Promise(resolve => process.stderr.once('drain', resolve));
      return answer(text('flooded'));
    }
    case 'progress': {
      for (let i = 1; i <= 3; i++) send({ method: 'notifications/progress', params: { progressToken: meta?.progressToken, progress: i * 50, total: 150, message: `step ${i}` } });
      return answer(text('done'));
    }
    case 'add': tools.push(describe(args.tool)); send({ method: 'notifications/tools/list_changed' }); return answer(text('added'));
    case 'changes': {
      for (let i = 0; i < args.times; i++) {
        tools.push(describe(`fresh${i}`));
        send({ method: 'notifications/tools/list_changed' });
        await new Promise(resolve => setTimeout(resolve, args.every_ms));
      }
      return answer(text('changed'));
    }
    case 'remove': tools.splice(tools.findIndex(tool => tool.name === args.tool), 1); send({ method: 'notifications/tools/list_changed' }); return answer(text('removed'));
    case 'ask': {
      const own = `s${nextId++}`;
      asked.set(own, reply => answer(text(reply)));
      return send({ id: own, method: args.method, params: args.params ?? {} });
    }
    case 'received': return answer(text(received.findLast(({ method }) => method === args.method) ?? null));
    case 'touch': send({ method: 'notifications/resources/updated', params: { uri: args.uri } }); return answer(text('touched'));
    default: return answer({ ...text({ tool: name, arguments: args }), _meta: { 'example/kept': 1 } });
  }
}

readline.createInterface({ input: process.stdin }).on('line', line => {
  const message = JSON.parse(line);
  note(message);
  received.push(message);
  const { id, method, params } = message;
  const answer = result => send({ id, result });
  if (options.start === 'mute') return undefined;
  if (!method) return asked.get(id)?.({ result: message.result, error: message.error });
  switch (method) {
    case 'server/discover':
      if (options.probe === 'exit') process.exit(1);
      return options.probe === 'mute' ? undefined : send({ id, error: { code: -32601, message: 'Method not found' } });
    case 'initialize':
      if (options.start === 'noise') process.stdout.write('Welcome to the server!\n\n{"half": \n{"not":"rpc"}\n');
      return answer({ protocolVersion: params.protocolVersion, capabilities: { tools: { listChanged: true }, ...(prompts.length && { prompts: {} }), ...((resources.length || templates.length) && { resources: { subscribe: true } }), ...(options.completes && { completions: {} }) }, serverInfo: options.info ? JSON.parse(options.info) : { name: 'fake', version: '1' } });
    case 'tools/list': {
      const from = Number(params?.cursor ?? 0);
      return answer({ tools: tools.slice(from, from + pageSize), ...(from + pageSize < tools.length && { nextCursor: String(from + pageSize) }) });
    }
    case 'prompts/list': return answer({ prompts });
    case 'prompts/get': return answer({ messages: [{ role: 'user', content: { type: 'text', text: `${params.name} about ${params.arguments?.about}` } }] });
    case 'resources/list': return answer({ resources });
    case 'resources/templates/list': return answer({ resourceTemplates: templates });
    case 'resources/read': return params.uri.endsWith('/missing') ? send({ id, error: { code: -32002, message: 'Resource not found' } }) : answer({ contents: [{ uri: params.uri, mimeType: 'text/plain', text: `content of ${params.uri}` }] });
    case 'resources/subscribe': case 'resources/unsubscribe': return answer({});
    case 'completion/complete': return answer({ completion: { values: list(options.completes).filter(value => value.startsWith(params.argument.value)), hasMore: false } });
    case 'tools/call': return call(message);
    default: return id === undefined ? undefined : send({ id, error: { code: -32601, message: 'Method not found' } });
  }
}).on('close', () => process.exit(0));
