// Checks MCP messages against the JSON schema of their protocol revision.
//
// The schemas are the specification's own. They are taken from the bundle of the official conformance suite in
// node_modules, so that they carry the integrity hash of the lock file and are not copied into this repository.
// That suite starts at 2025-03-26; for 2024-11-05 the schema of 2025-03-26 is narrowed (see narrowTo20241105).
import fs from 'node:fs';
import vm from 'node:vm';
import { createRequire } from 'node:module';

const require = createRequire(new URL('../e2e/package.json', import.meta.url));
const Ajv = require('ajv').default;
const Ajv2020 = require('ajv/dist/2020.js').default;
const addFormats = require('ajv-formats').default;

export const LEGACY_REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
export const MODERN_REVISIONS = ['2026-07-28'];
export const REVISIONS = [...LEGACY_REVISIONS, ...MODERN_REVISIONS];

/** A definition that exists in one revision and in none before it tells which schema a bundled literal is. */
const FIRST_SEEN = [['2026-07-28', 'DiscoverRequest'], ['2025-11-25', 'TaskMetadata'], ['2025-06-18', 'ElicitRequest'], ['2025-03-26', 'AudioContent']];

/** The source of the object literal that starts at `start`: braces are counted outside of string literals. */
function objectLiteral(source, start) {
  let depth = 0;
  for (let i = start; i < source.length; i++) {
    const c = source[i];
    if (c === '"' || c === "'" || c === '`') {
      for (i++; source[i] !== c; i++) if (source[i] === '\\') i++;
    } else if (c === '{') depth++;
    else if (c === '}' && --depth === 0) return source.slice(start, i + 1);
  }
  throw new Error('unbalanced object literal in the conformance bundle');
}

function bundledSchemas() {
  const source = fs.readFileSync(new URL('../e2e/node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url), 'utf8');
  const schemas = new Map();
  for (const match of source.matchAll(/=(?=\{\$schema:`https?:)/g)) {
    const schema = vm.runInNewContext(`(${objectLiteral(source, match.index + 1)})`);
    const definitions = schema.$defs ?? schema.definitions;
    if (!definitions?.JSONRPCMessage) continue;
    const [revision] = FIRST_SEEN.find(([, name]) => name in definitions) ?? [];
    if (!revision || schemas.has(revision)) throw new Error('the conformance bundle no longer holds one schema per revision');
    schemas.set(revision, JSON.parse(JSON.stringify(schema)));
  }
  for (const [revision] of FIRST_SEEN) if (!schemas.has(revision)) throw new Error(`no schema for ${revision} in the conformance bundle`);
  schemas.set('2024-11-05', narrowTo20241105(schemas.get('2025-03-26')));
  return schemas;
}

/** 2025-03-26 added audio content and batches; what else it added are optional fields that older clients ignore. */
function narrowTo20241105(schema) {
  const narrowed = structuredClone(schema);
  const dropAudio = node => {
    if (Array.isArray(node)) return node.filter(item => item?.$ref !== '#/definitions/AudioContent').map(dropAudio);
    if (node && typeof node === 'object') return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, dropAudio(value)]));
    return node;
  };
  const definitions = dropAudio(narrowed.definitions);
  for (const name of ['AudioContent', 'JSONRPCBatchRequest', 'JSONRPCBatchResponse']) delete definitions[name];
  definitions.JSONRPCMessage = { anyOf: definitions.JSONRPCMessage.anyOf.filter(item => item.$ref && !item.$ref.includes('Batch')) };
  return { ...narrowed, definitions };
}

const RESULT_OF = {
  'initialize': 'InitializeResult', 'ping': 'EmptyResult', 'server/discover': 'DiscoverResult', 'logging/setLevel': 'EmptyResult',
  'tools/list': 'ListToolsResult', 'tools/call': 'CallToolResult', 'prompts/list': 'ListPromptsResult', 'prompts/get': 'GetPromptResult',
  'resources/list': 'ListResourcesResult', 'resources/templates/list': 'ListResourceTemplatesResult', 'resources/read': 'ReadResourceResult',
  'resources/subscribe': 'EmptyResult', 'resources/unsubscribe': 'EmptyResult', 'completion/complete': 'CompleteResult',
  'subscriptions/listen': 'SubscriptionsListenResult',
  'roots/list': 'ListRootsResult', 'sampling/createMessage': 'CreateMessageResult', 'elicitation/create': 'ElicitResult',
};

const engines = new Map();

/** The one Ajv of this kind with these options: each compiles the schema of schemas before anything else, which takes it 20 ms. */
function engine(Kind, options) {
  const key = `${Kind.name} ${JSON.stringify(options)}`;
  if (!engines.has(key)) engines.set(key, addFormats(new Kind({ ...options, allErrors: true })));
  return engines.get(key);
}

let schemas;
const validators = new Map();

function validator(revision, definition) {
  schemas ??= bundledSchemas();
  const schema = schemas.get(revision);
  if (!schema) throw new Error(`no schema for revision ${revision}`);
  const key = schema.$defs ? '$defs' : 'definitions';
  if (!schema[key][definition]) throw new Error(`revision ${revision} knows no ${definition}`);
  const name = `${revision}#/${key}/${definition}`;
  if (!validators.has(name)) {
    // Not strict: the specification's schemas use annotations ajv has no opinion on.
    const ajv = engine(schema.$defs ? Ajv2020 : Ajv, { strict: false, validateSchema: false });
    if (!ajv.schemas[revision]) ajv.addSchema(schema, revision);
    validators.set(name, ajv.getSchema(name));
  }
  return validators.get(name);
}

function check(revision, definition, value, what) {
  const validate = validator(revision, definition);
  if (validate(value)) return;
  const errors = validate.errors.slice(0, 6).map(error => `  ${error.instancePath || '/'} ${error.message} ${JSON.stringify(error.params)}`);
  throw new Error(`${what} is not a valid ${definition} of ${revision}:\n${errors.join('\n')}\n  in ${JSON.stringify(value).slice(0, 600)}`);
}

/** Throws unless the value is a task of the extension io.modelcontextprotocol/tasks, whose schema the bundle does not have. */
function checkTask({ taskId, status, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs, statusMessage = '' }, what) {
  const fits = typeof taskId === 'string' && ['working', 'input_required', 'completed', 'failed', 'cancelled'].includes(status) && [createdAt, lastUpdatedAt].every(time => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time))
    && [ttlMs, pollIntervalMs].every(ms => Number.isInteger(ms) && ms > 0) && typeof statusMessage === 'string';
  if (!fits) throw new Error(`${what} is not a valid task`);
}

/** The definition in the given union whose `method` is the message's. */
function definitionFor(revision, union, method) {
  schemas ??= bundledSchemas();
  const definitions = schemas.get(revision).$defs ?? schemas.get(revision).definitions;
  for (const { $ref } of definitions[union]?.anyOf ?? []) {
    const name = $ref.split('/').pop();
    if (definitions[name].properties?.method?.const === method) return name;
  }
  return undefined;
}

/**
 * Throws unless `message` is a valid message of `revision`.
 * @param revision   one of REVISIONS
 * @param direction  'server' or 'client': who sent it
 * @param request    for a response: the request it answers, if known
 */
export function validate(revision, direction, message, { request } = {}) {
  const side = direction === 'server' ? 'Server' : 'Client';
  const modern = MODERN_REVISIONS.includes(revision);
  if (Array.isArray(message)) throw new Error('a batch; batches are never emitted');
  if (message === null || typeof message !== 'object') throw new Error(`not an object: ${JSON.stringify(message)}`);
  if (message.jsonrpc !== '2.0') throw new Error(`jsonrpc is not "2.0": ${JSON.stringify(message).slice(0, 200)}`);
  if (message.method !== undefined) {
    const isRequest = 'id' in message;
    if (isRequest && modern && direction === 'server') throw new Error(`the server wrote a request (${message.method}); there are none in ${revision}`);
    check(revision, isRequest ? 'JSONRPCRequest' : 'JSONRPCNotification', message, message.method);
    if (modern && direction === 'server' && message.method === 'notifications/tasks') return checkTask(message.params, message.method);
    const definition = definitionFor(revision, `${side}${isRequest ? 'Request' : 'Notification'}`, message.method);
    if (!definition) throw new Error(`${direction} may not send ${message.method} in ${revision}`);
    return check(revision, definition, message, message.method);
  }
  if (('result' in message) === ('error' in message)) throw new Error(`not exactly one of result and error: ${JSON.stringify(message).slice(0, 200)}`);
  const label = `the answer to ${request?.method ?? `id ${JSON.stringify(message.id)}`}`;
  if ('error' in message) {
    // An unreadable message has no id. Older revisions' schemas still ask for one; leaving it out is the later, precise rule.
    const unreadable = !('id' in message) && [-32700, -32600].includes(message.error?.code);
    const of = unreadable && !modern ? '2025-11-25' : revision;
    const later = of === '2025-11-25' || modern;
    check(of, later ? 'JSONRPCErrorResponse' : 'JSONRPCError', message, label);
    if (message.error.code === -32022) check('2026-07-28', 'UnsupportedProtocolVersionError', message, label);
    return undefined;
  }
  check(revision, 'JSONRPCResponse', message, label);
  // Instead of its answer, a modern server may return what it needs for it.
  const asks = modern && message.result?.resultType === 'input_required' && ['tools/call', 'prompts/get', 'resources/read'].includes(request?.method);
  // Or a task, where the client knows them.
  if (modern && message.result?.resultType === 'task' && request?.method === 'tools/call') return checkTask(message.result, label);
  const definition = asks ? 'InputRequiredResult' : RESULT_OF[request?.method];
  return definition && check(revision, definition, message.result, label);
}

const toolChecks = new Map();   // JSON text of a schema -> its check; every bridge of a test process offers the same schemas

/** A reusable check of values against a tool's schema (draft 2020-12 unless it names another). Throws if that is not a schema. */
export function compileToolSchema(schema) {
  const key = JSON.stringify(schema);
  if (!toolChecks.has(key)) toolChecks.set(key, compile(schema));
  return toolChecks.get(key);
}

function compile(schema) {
  const draft07 = typeof schema.$schema === 'string' && schema.$schema.includes('draft-07');
  const check = engine(draft07 ? Ajv : Ajv2020, { strict: true, strictRequired: false, allowUnionTypes: true }).compile(schema);
  return value => (check(value) ? [] : check.errors.map(error => `${error.instancePath || '/'} ${error.message} ${JSON.stringify(error.params)}`));
}
