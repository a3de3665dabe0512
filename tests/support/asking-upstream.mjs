// A modern MCP server on stdio whose tools ask for input: node asking-upstream.mjs
//
//   name       asks the user for a name, and greets it
//   rounds     asks twice, with a state in between, and counts the ids of its requests
//   model      needs the client's model; refuses without it
//   declared   answers with what the client declared
// and the prompt `about`, which asks for its subject, and the resource test://asking/{id}, which asks for permission.
import readline from 'node:readline';

const META = 'io.modelcontextprotocol/';
const form = (message, name) => ({ method: 'elicitation/create', params: { mode: 'form', message, requestedSchema: { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] } } });
const content = words => ({ content: [{ type: 'text', text: words }] });
const asks = (inputRequests, requestState) => ({ resultType: 'input_required', inputRequests, ...(requestState && { requestState }) });
const given = (params, key) => params.inputResponses?.[key]?.content;

const rounds = new Set();

const TOOLS = {
  name: params => (given(params, 'who') ? content(`Hello, ${given(params, 'who').name}!`) : asks({ who: form('What is your \u001b[31mname?', 'name') })),
  rounds: (params, id) => {
    rounds.add(id);
    if (params.requestState === 'second') return content(`both: ${given(params, 'two')?.b}, asked as ${rounds.size}`);
    return params.requestState === 'first' ? asks({ two: form('And then?', 'b') }, 'second') : asks({ one: form('First?', 'a') }, 'first');
  },
  model: params => (params._meta[`${META}clientCapabilities`].sampling ? content('There is one.') : { error: { code: -32021, message: 'No model.', data: { requiredCapabilities: { sampling: {} } } } }),
  declared: params => content(JSON.stringify(params._meta[`${META}clientCapabilities`])),
};

readline.createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const send = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`);
  const answer = result => (result.error ? send(result) : send({ result: { resultType: 'complete', ...result, _meta: { [`${META}serverInfo`]: { name: 'asking', version: '1' } } } }));
  const listed = more => answer({ ttlMs: 0, cacheScope: 'private', ...more });
  switch (method) {
    case 'server/discover': return listed({ supportedVersions: ['2026-07-28'], capabilities: { tools: {}, prompts: {}, resources: {} } });
    case 'tools/list': return listed({ tools: Object.keys(TOOLS).map(name => ({ name, inputSchema: { type: 'object' } })) });
    case 'prompts/list': return listed({ prompts: [{ name: 'about' }] });
    case 'resources/list': return listed({ resources: [] });
    case 'resources/templates/list': return listed({ resourceTemplates: [{ uriTemplate: 'test://asking/{id}', name: 'asking' }] });
    case 'tools/call': return answer(TOOLS[params.name](params, id));
    case 'prompts/get': return answer(given(params, 'what') ? { messages: [{ role: 'user', content: { type: 'text', text: `About ${given(params, 'what').subject}.` } }] } : asks({ what: form('About what?', 'subject') }));
    case 'resources/read': return given(params, 'leave') ? listed({ contents: [{ uri: params.uri, text: 'allowed' }] }) : answer(asks({ leave: form('May I?', 'yes') }));
    default: return send({ error: { code: -32601, message: 'Method not found' } });
  }
}).on('close', () => process.exit(0));
