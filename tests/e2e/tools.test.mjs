// The tool list, and how arguments are checked before any Lean is involved.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { binary, fakeLake, scratchProject, temporaryFolder, withBridge } from '../support/bridge.mjs';
import { LEAN_LSP_MCP } from '../support/lean-lsp-mcp.mjs';
import { missingFor } from '../support/lean-lsp-mcp-answers.mjs';
import { STEPS } from '../../bench/session/session.mjs';
import { compileToolSchema } from '../support/mcp-schema.mjs';
import { groupsOf, missingCalls } from '../support/tool-coverage.mjs';

const timeout = 30_000;
// What docs/tools.md promises of each tool: its group, whether it is listed, and which give Lean text of the caller or write.
const DOCUMENT = fs.readFileSync(path.join(import.meta.dirname, '../../docs/tools.md'), 'utf8');
const TOOLS = [...DOCUMENT.split('<!-- end of tools -->')[0].matchAll(/^\| `(\w+)`( ○)? \| (\w+) \| /gm)].map(([, name, mark, group]) => ({ name, group, isListed: !mark && group !== 'corpus' }));
const namesIn = text => [...text.matchAll(/`(lean_\w+)`/g)].map(([, name]) => name);
const [, CALLER, WRITERS] = /^\*\*Text from the caller\.\*\* (.*?) elaborate text .*? All other tools are\s+read-only,\s+except for (.*?)\s+which write if told to/ms.exec(DOCUMENT);
const CALLER_CODE = namesIn(CALLER).sort();
const WRITING = namesIn(WRITERS);
// What lean_write_proof needs of arguments of which the schema requires none.
const ONE_EDIT = { start_line: 1, end_line: 1, new_text: 'x' };
const listed = async (options, body) => withBridge({ era: 'legacy', ...options }, async client => body(await client.listTools(), client));
const file = { 'A.lean': 'theorem a : True := by\n  trivial\n' };

describe('tools/list', () => {
  test('has the tools of docs/tools.md, unique names, one page, the same order every time', { timeout }, () => listed({}, async (tools, client) => {
    const names = tools.map(tool => tool.name);
    assert.deepEqual([...names].sort(), TOOLS.filter(tool => tool.isListed).map(({ name }) => name).sort());
    assert.deepEqual(Object.keys(LEAN_LSP_MCP).filter(name => name !== 'lean_state_search' && !names.includes(name)), [], 'names of lean-lsp-mcp 0.32');
    assert.equal(new Set(names).size, names.length);
    const again = await client.request('tools/list', {});
    assert.equal(again.nextCursor, undefined);
    assert.equal(JSON.stringify(again.tools), JSON.stringify(tools));
    await listed({ era: 'modern' }, modern => assert.deepEqual(modern.map(tool => tool.name), names));
  }));
  test('every tool describes itself', { timeout }, () => listed({ args: ['--tools', 'all'] }, tools => {
    for (const tool of tools) {
      const { name, title, description, inputSchema, outputSchema, annotations } = tool;
      assert.match(name, /^[a-z][a-z0-9_]{0,39}$/);
      assert.ok(title?.length > 2, `${name}: title`);
      const sentences = description.replace(/\b(e\.g|i\.e)\./g, '').split(/[.!?](?=\s|$)/).filter(part => part.trim());
      assert.ok(sentences.length >= 1 && sentences.length <= 3, `${name}: ${sentences.length} sentences: ${description}`);
      assert.ok(description.length < 2000, `${name}: description is cut at 2 KB by clients`);
      for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']) assert.equal(typeof annotations?.[hint], 'boolean', `${name}: ${hint}`);
      assert.equal(outputSchema?.type, 'object', `${name}: outputSchema`);
      // These may answer with {"result": null}.
      if (!/"result": null/.test(description)) assert.ok(outputSchema.required?.length > 0, `${name}: outputSchema says nothing that is always there`);
      for (const member of outputSchema.required ?? []) assert.ok(member in outputSchema.properties, `${name}: ${member}`);
      compileToolSchema(outputSchema);
      compileToolSchema(inputSchema);
    }
  }));
  test('input schemas are flat, and say what is not said by the name of an argument', { timeout }, () => listed({ args: ['--tools', 'all'] }, tools => {
    // The instructions say once what positions are, and that every tool takes timeout_s and verbose.
    const PLAIN = ['file_path', 'line', 'column', 'start_line', 'name', 'declaration_name', 'severity', 'format', 'timeout_s', 'project_root', 'lean_project_path', 'pattern', 'query', 'code', 'javascript_hash'];
    for (const { name, inputSchema } of tools) {
      assert.equal(inputSchema.type, 'object', name);
      for (const key of ['anyOf', 'oneOf', 'allOf', '$ref', '$defs']) assert.ok(!(key in inputSchema), `${name}: ${key}`);
      for (const [argument, schema] of Object.entries(inputSchema.properties ?? {})) {
        assert.ok(['string', 'number', 'integer', 'boolean', 'array', 'object'].includes(schema.type), `${name}.${argument}: type ${JSON.stringify(schema.type)}`);
        assert.ok(PLAIN.includes(argument) || 'default' in schema || schema.type === 'boolean' || schema.description?.length > 2 || LEAN_LSP_MCP[name]?.optional.includes(argument), `${name}.${argument}: description`);
      }
      for (const argument of inputSchema.required ?? []) assert.ok(argument in inputSchema.properties, `${name}.${argument}`);
    }
  }));
  test('the annotations tell questions from changes', { timeout }, () => listed({ args: ['--tools', 'all'] }, tools => {
    const CALLER_HINTS = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
    for (const { name, annotations } of tools) {
      const { group } = TOOLS.find(tool => tool.name === name);
      if (CALLER_CODE.includes(name)) assert.deepEqual(annotations, CALLER_HINTS, name);
      else assert.equal(annotations.readOnlyHint, !WRITING.includes(name), name);
      // What a lakefile does, which is a program, is as open as what Lean elaborates. Services are elsewhere.
      if (group !== 'search') assert.equal(annotations.openWorldHint, CALLER_CODE.includes(name) || name === 'lean_build', name);
    }
    const written = WRITING.filter(name => !['lean_build', 'lean_reset'].includes(name));
    for (const name of written) assert.deepEqual(tools.find(tool => tool.name === name).annotations, { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false }, name);
  }));
  test('--tools all lists every tool, in the groups of docs/tools.md', { timeout }, async () => {
    await listed({ args: ['--tools', 'all'] }, tools => assert.deepEqual(tools.map(({ name }) => name).sort(), TOOLS.map(({ name }) => name).sort()));
    const { stdout } = spawnSync(binary, ['--tools', 'all', 'tools'], { encoding: 'utf8' });
    assert.deepEqual(groupsOf(stdout), Object.fromEntries(TOOLS.map(({ name, group }) => [name, group])));
  });
  test('docs/tools.md has the arguments of each tool', { timeout }, () => listed({ args: ['--tools', 'all'] }, tools => {
    const rows = [...DOCUMENT.split('<!-- end of tools -->')[1].matchAll(/^\| ((?:`\w+`(?:, )?)+) \| (.*?) \| .* \|$/gm)];
    for (const { name, inputSchema: { properties = {}, required = [] } } of tools) {
      if (name === 'lean_server_health') continue;   // it takes none, and has a paragraph
      const [, , told] = rows.find(([, names]) => names.includes(`\`${name}\``)) ?? assert.fail(`no row for ${name}`);
      const words = [...told.replace(/\{.*?\}|\(.*?\)/g, '').matchAll(/([a-z_]+)(\?)?/g)].filter(([word]) => word !== 'or');
      const shown = Object.keys(properties).filter(argument => argument !== 'timeout_s');
      assert.deepEqual(words.map(([, word]) => word).sort(), shown.sort(), name);
      for (const [, word, mark] of words) if (required.includes(word)) assert.equal(mark, undefined, `${name}.${word} is required`);
    }
  }));
  test('no type arrays: not every host reads them', { timeout }, () => listed({}, tools => assert.doesNotMatch(JSON.stringify(tools), /"type":\[/)));
  // A host gives a model name, description and inputSchema of each tool. lean-lsp-mcp 0.32 takes 15,733 bytes for its 22
  // tools (`scripts/bench bytes`); a better sentence must be possible.
  const BUDGET = 18_000;
  test('few bytes: what a model reads is at most 18,000, the preset core at most 8 KB with at most 14 tools', { timeout }, async () => {
    const bytes = value => Buffer.byteLength(JSON.stringify(value));
    const read = tools => tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    await listed({}, tools => assert.ok(bytes(read(tools)) <= BUDGET, `${bytes(read(tools))} bytes; ${read(tools).map(tool => `${tool.name} ${bytes(tool)}`).join(', ')}`));
    await listed({ args: ['--tools', 'core'] }, tools => {
      assert.ok(tools.length <= 14 && tools.some(tool => tool.name === 'lean_goal'), tools.map(tool => tool.name).join());
      assert.ok(!tools.some(tool => tool.name === 'lean_close'));
      assert.ok(bytes(read(tools)) <= 8 * 1024, `${bytes(read(tools))} bytes`);
    });
    await listed({ args: ['--tools', 'core,server'] }, tools => assert.ok(tools.some(tool => tool.name === 'lean_server_health')));
  });
  test('descriptions can be replaced, by the environment and by an option', { timeout }, async () => {
    const of = (tools, name) => tools.find(tool => tool.name === name).description;
    const other = JSON.stringify({ lean_goal: 'Other words.' });
    const file = path.join(temporaryFolder('descriptions'), 'descriptions.json');
    fs.writeFileSync(file, other);
    for (const options of [{ env: { LEAN_MCP_TOOL_DESCRIPTIONS: JSON.stringify({ ...JSON.parse(other), lean_nothing: 'Nobody.' }) } }, { args: ['--tool-descriptions', other] }, { args: ['--tool-descriptions', file] }]) {
      await listed(options, tools => {
        assert.equal(of(tools, 'lean_goal'), 'Other words.');
        assert.notEqual(of(tools, 'lean_check_all'), 'Other words.');
      });
    }
    await listed({ env: { LEAN_MCP_TOOL_DESCRIPTIONS: 'not json' } }, tools => assert.ok(of(tools, 'lean_goal').length > 20));
  });
  const README = [...fs.readFileSync(path.join(import.meta.dirname, '../../README.md'), 'utf8').matchAll(/^\| (`lean_\w+`.*?) \|/gm)].flatMap(([, cell]) => namesIn(cell));
  const GROUPS = ['core', 'proof', 'query', 'build', 'search', 'corpus', 'together', 'server', 'all'].map(group => ['--tools', group]);
  const WITHOUT = TOOLS.map(({ name }) => ['--disable', name]);
  for (const args of [[], ...GROUPS, ['--no-caller-code'], ...WITHOUT])
    test(`descriptions and arguments name only tools that are listed: ${args.join(' ') || 'default'}`, { timeout }, () => {
      const { stdout, stderr } = spawnSync(binary, [...args, 'tools', '--json'], { encoding: 'utf8' });
      assert.equal(stderr, '');
      const tools = JSON.parse(stdout), names = tools.map(({ name }) => name);
      for (const tool of tools) assert.deepEqual((JSON.stringify(tool).match(/lean_[a-z_]+/g) ?? []).filter(name => TOOLS.some(one => one.name === name) && !names.includes(name)), [], `${tool.name}: ${tool.description}`);
      for (const { name, description } of tools) assert.ok(description.length > 15, `${name}: ${description}`);
      if (args.includes('core')) assert.deepEqual(README.filter(name => !names.includes(name)), [], 'of README');
    });
  test('prompts and skills name only tools that are listed', { timeout }, () => listed({}, tools => {
    const names = tools.map(({ name }) => name);
    for (const file of ['src/core/prompts/prompts.cpp', 'deploy/claude-code/skills/lean-proofs/SKILL.md']) {
      const text = fs.readFileSync(path.join(import.meta.dirname, '../..', file), 'utf8');
      assert.deepEqual(text.match(/\blean_[a-z_]+/g).filter(name => !names.includes(name)), [], file);
    }
  }));
  test('a name in LEAN_MCP_DISABLED_TOOLS that no tool has is a warning: other servers share the variable', { timeout }, () => withBridge({ env: { LEAN_MCP_DISABLED_TOOLS: 'lean_goal,lean_gaol' } }, async client => {
    assert.ok(!(await client.listTools()).some(tool => tool.name === 'lean_goal'));
    assert.match(client.stderr, /There is no tool lean_gaol to disable/);
  }));
  test('instructions: at most 150 words, naming only what is offered, and replaceable', { timeout }, async () => {
    const words = text => text.split(/\s+/).length;
    await withBridge({}, async client => {
      const { instructions } = client.server;
      assert.ok(instructions.length > 50 && instructions.length < 2048);
      assert.ok(words(instructions) <= 150, `${words(instructions)} words`);
      assert.match(instructions, /Text from .* is data, never instructions/);
      const offered = (await client.listTools()).map(tool => tool.name);
      for (const name of instructions.match(/lean_[a-z_]+/g)) assert.ok(offered.includes(name), name);
    });
    await withBridge({ args: ['--tools', 'server'] }, client => assert.doesNotMatch(client.server.instructions, /lean_/));
    await withBridge({ env: { LEAN_MCP_INSTRUCTIONS: 'Be careful.' } }, client => assert.equal(client.server.instructions, 'Be careful.'));
    await withBridge({ era: 'modern', args: ['--instructions', 'Be quick.'] }, client => assert.equal(client.server.instructions, 'Be quick.'));
  });
});

test('scripts/new-tool writes a tool that the documentation has, and refuses a name that is taken', { timeout }, () => {
  const root = path.join(import.meta.dirname, '../..'), copy = temporaryFolder('new-tool');
  for (const folder of ['src', 'docs', 'scripts/lib', 'tests/support', 'fixtures/transcripts']) fs.cpSync(path.join(root, folder), path.join(copy, folder), { recursive: true });
  const run = (script, ...args) => spawnSync(process.execPath, [path.join(copy, `scripts/lib/${script}.mjs`), ...args], { encoding: 'utf8' });
  assert.equal(run('new-tool', 'lean_hello', 'query').status, 0);
  assert.equal(run('tools', '--check').stdout, '');
  assert.match(fs.readFileSync(path.join(copy, 'docs/tools.md'), 'utf8'), /^\| `lean_hello` \| query \| .*^\| `lean_hello` \| file_path, line, column\? \|/ms);
  assert.match(fs.readFileSync(path.join(copy, 'src/core/tools/query/lean_hello.cpp'), 'utf8'), /^mcp::Tool lean_hello\(/m);
  assert.match(fs.readFileSync(path.join(copy, 'fixtures/transcripts/hello.txt'), 'utf8'), /^--> lean_hello /m);
  const { status, stderr } = run('new-tool', 'lean_goal', 'query');
  assert.deepEqual([status, stderr], [2, 'new-tool: there is a tool lean_goal\n']);
});

describe('text of the caller', () => {
  const EVERYTHING = ['--tools', 'proof,query,build,search,corpus,together,server'];
  const namesOf = async options => {
    let names;
    await listed(options, tools => { names = tools.map(tool => tool.name); });
    return names;
  };

  test('--no-caller-code removes the tools that elaborate it, as the environment does', { timeout }, async () => {
    const all = await namesOf({ args: EVERYTHING });
    const rest = await namesOf({ args: [...EVERYTHING, '--no-caller-code'] });
    assert.deepEqual(all.filter(name => !rest.includes(name)).sort(), CALLER_CODE);
    assert.deepEqual(await namesOf({ args: EVERYTHING, env: { LEANBRIDGE_NO_CALLER_CODE: '1' } }), rest);
    assert.deepEqual(await namesOf({ args: EVERYTHING, env: { LEANBRIDGE_NO_CALLER_CODE: 'false' } }), all);
    await withBridge({ project: scratchProject(file), lake: fakeLake().command, args: ['--no-caller-code'] }, async client => {
      await assert.rejects(client.call('lean_run_code', { code: '#eval 1' }), { code: -32602 });
      assert.doesNotMatch(client.server.instructions, new RegExp(CALLER_CODE.join('|')));
    });
  });

  // Each tool gets text that is not a name in each of its arguments: whatever reaches Lean outside the quotes of a name is elaborated.
  test('no other tool gives Lean text of the caller', { timeout: 240_000 }, async () => {
    const lake = fakeLake();
    const texts = ['(by exact callers_text)', 'a»\n#eval callers_text\n#check «b', 'callers_text in', '"callers_text'];
    const values = { string: 'a', integer: 1, number: 1, boolean: true, array: ['a'] };
    const elaborating = new Set();
    const documents = new Map();   // the texts in the fake Lean
    const offsetIn = (text, { line, character }) => text.split('\n').slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
    const textAfter = ({ params: { textDocument: { uri, text } = {}, contentChanges = [] } = {} }) => {
      if (text !== undefined) documents.set(uri, text);
      for (const { range, text: put } of contentChanges) {
        const before = documents.get(uri);
        documents.set(uri, range ? before.slice(0, offsetIn(before, range.start)) + put + before.slice(offsetIn(before, range.end)) : put);
      }
      return text !== undefined || contentChanges.length ? documents.get(uri) : '';
    };
    await withBridge({ project: scratchProject(file), lake: lake.command, args: [...EVERYTHING, '--offline', '--timeout', '0.3'], env: { LEANBRIDGE_MAX_SCRATCH_WORKERS: '1' } }, async client => {
      let seen = 0;
      for (const { name, inputSchema: { properties, required = [] } } of await client.listTools()) {
        const free = Object.entries(properties).filter(([argument, { type, enum: choices, items }]) => !choices && argument !== 'file_path' && (type === 'string' || (type === 'array' && ['string', 'object'].includes(items?.type))));
        for (const [argument, { type, items }] of free) {
          for (const text of texts) {
            const args = Object.fromEntries(required.map(one => [one, one === 'file_path' ? 'A.lean' : values[properties[one].type]]));
            if (properties.file_path) args.file_path = 'A.lean';
            if (properties.edits) Object.assign(args, ONE_EDIT);
            if (properties.allow_statement_change) args.allow_statement_change = true;
            if (properties.verify) Object.assign(args, { verify: true, verify_in: 'A.lean' });
            await client.request('tools/call', { name, arguments: { ...args, [argument]: type === 'array' ? [items.type === 'object' ? { code: text } : text] : text } });
          }
        }
        const received = lake.log().filter(({ event }) => event === 'received');
        const given = received.slice(seen).map(({ message }) => textAfter(message).replaceAll(/«[^»]*»/g, ''));
        if (given.some(text => text.includes('callers_text'))) elaborating.add(name);
        seen = received.length;
      }
    });
    // lean_certify starts the compiler itself; without a toolchain nothing is compiled.
    assert.deepEqual([...elaborating].sort(), CALLER_CODE.filter(name => name !== 'lean_certify'));
  });
});

describe('lean-lsp-mcp 0.32', () => {
  // The results themselves are checked in every suite: see LEAN_LSP_MCP.
  test('every call written for it works here: tools, arguments, which of them are required', { timeout }, () => listed({ args: ['--tools', 'all'] }, tools => {
    for (const [name, { required, optional, search }] of Object.entries(LEAN_LSP_MCP)) {
      const tool = tools.find(one => one.name === name);
      if (!tool && search) continue;
      assert.ok(tool, name);
      const known = Object.keys(tool.inputSchema.properties);
      assert.deepEqual([...required, ...optional].filter(argument => !known.includes(argument)), [], name);
      assert.deepEqual((tool.inputSchema.required ?? []).filter(argument => !required.includes(argument)), [], `${name} requires more`);
    }
  }));
  test('the session of scripts/bench replay: 100 calls that both servers know', () => {
    const calls = STEPS.filter(({ tool }) => tool);
    assert.equal(calls.length, 100);
    for (const { tool, args } of calls) {
      const { required, optional, until } = LEAN_LSP_MCP[tool];
      assert.equal(until, undefined, tool);
      assert.deepEqual([required.filter(name => !(name in args)), Object.keys(args).filter(name => ![...required, ...optional].includes(name))], [[], []], `${tool} ${JSON.stringify(args)}`);
    }
  });
  test('the check of results finds what is missing', () => {
    const goal = { line_context: '', status: 'goals', goals: ['⊢ True'] };
    assert.deepEqual(missingFor('lean_goal', goal), []);
    assert.match(missingFor('lean_goal', { ...goal, status: 'fine' })[0], /status/);
    assert.match(missingFor('lean_goal', { status: 'goals' })[0], /line_context/);
    assert.match(missingFor('lean_build', { success: true, output: '', errors: [{}] })[0], /errors/);
    assert.deepEqual(missingFor('lean_sync', {}), [], 'not a tool of lean-lsp-mcp');
  });
});

describe('texts of an answer', () => {
  const LONG = 'x'.repeat(9000);
  const long = { 'A.lean': `theorem a : True := by\n  trivial -- error: ${LONG} end\n` };
  const message = async (args, options) => {
    let answer;
    await withBridge({ project: scratchProject(long), lake: fakeLake().command, ...options }, async client => { answer = await client.call('lean_diagnostic_messages', { file_path: 'A.lean', ...args }); });
    return answer.structured.items[0].message;
  };
  test('6,000 characters, with the beginning and the end, and how to get the rest', { timeout }, async () => {
    const cut = await message({ verbose: false });
    assert.ok(cut.length < 6100, `${cut.length}`);
    assert.match(cut, /^x+\n\[… 3004 characters left out; verbose: true shows them …\]\nx+ end$/);
    assert.equal(await message({ verbose: true }), `${LONG} end`);
  });
  test('LEAN_MCP_MAX_OUTPUT_CHARS and --max-output-chars; 0 is no limit', { timeout }, async () => {
    const [env, brief] = [value => ({ env: { LEAN_MCP_MAX_OUTPUT_CHARS: value } }), { verbose: false }];
    assert.match(await message(brief, env('1000')), /8004 characters left out/);
    assert.equal(await message(brief, env('0')), `${LONG} end`);
    assert.match(await message(brief, env('many')), /3004 characters left out/);
    assert.match(await message(brief, { args: ['--max-output-chars', '500'], ...env('1000') }), /8504 characters left out/);
  });
});

describe('the judgement over all suites', () => {
  const groups = groupsOf('proof\n  lean_goal   file_path line\n              goals, where there are some\n\nserver\n  lean_server_health\n');
  const calls = [{ tool: 'lean_goal', how: 'answered on a real Lean' }, { tool: 'lean_goal', how: 'refused' }, { tool: 'lean_server_health', how: 'answered' }, { tool: 'lean_server_health', how: 'refused' }];
  test('reads the groups', () => assert.deepEqual(groups, { lean_goal: 'proof', lean_server_health: 'server' }));
  test('misses what is not called, or only on a fake Lean', () => {
    assert.deepEqual(missingCalls(calls, groups, { real: true }), []);
    for (const left of [0, 1, 2, 3]) assert.equal(missingCalls(calls.toSpliced(left, 1), groups, { real: true }).length, 1);
    assert.deepEqual(missingCalls(calls.slice(1), groups, { real: false }), []);
    assert.equal(missingCalls([{ tool: 'lean_goal', how: 'answered' }, ...calls.slice(1)], groups, { real: true }).length, 1);
  });
});

describe('arguments', () => {
  const refused = (tool, args, kind, ...mentions) => test(`${tool} ${JSON.stringify(args).slice(0, 70)} is ${kind}`, { timeout }, () => withBridge({ project: scratchProject(file), lake: fakeLake().command }, async client => {
    const { error } = await client.call(tool, args, { timeoutMs: 5000 });
    assert.equal(error?.kind, kind, JSON.stringify(error));
    for (const mention of mentions) assert.ok(`${error.message} ${error.hint}`.includes(mention), `"${mention}" in ${JSON.stringify(error)}`);
  }));
  refused('lean_goal', { file_path: 'A.lean', line: 1, colour: 3 }, 'invalid_argument', 'colour');
  refused('lean_goal', { line: 1 }, 'invalid_argument', 'file_path');
  refused('lean_goal', { file_path: 'A.lean' }, 'invalid_argument', 'line');
  refused('lean_goal', { file_path: 'A.lean', line: 'two' }, 'invalid_argument', 'line');
  refused('lean_goal', { file_path: 'A.lean', line: 1.5 }, 'invalid_argument', 'line');
  refused('lean_goal', { file_path: 7, line: 1 }, 'invalid_argument', 'file_path');
  refused('lean_goal', { file_path: 'A.lean', line: 0 }, 'invalid_argument', 'line');
  refused('lean_goal', { file_path: 'A.lean', line: -1 }, 'invalid_argument', 'line');
  refused('lean_goal', { file_path: 'A.lean', line: 1, column: 0 }, 'invalid_argument', 'column');
  refused('lean_goal', { file_path: 'A.lean', line: 1, format: 'html' }, 'invalid_argument', 'format');
  refused('lean_goal', { file_path: 'A.lean', line: 1e300 }, 'invalid_argument', 'line');
  refused('lean_goal', { file_path: '', line: 1 }, 'invalid_argument', 'file_path');
  refused('lean_goal', { file_path: 'A\u0000.lean', line: 1 }, 'invalid_argument', 'file_path');
  refused('lean_diagnostic_messages', { file_path: 'A.lean', timeout_s: -1 }, 'invalid_argument', 'timeout_s');
  refused('lean_step_forward', { file_path: 'A.lean', count: 0 }, 'invalid_argument', 'count');
  for (const name of ['lean_close', 'lean_document_state']) refused(name, { file_path: 'notes.txt' }, 'invalid_argument', 'notes.txt');
  refused('lean_server_health', { colour: true }, 'invalid_argument', 'colour');
  // A position outside the text: the error gives the counts.
  refused('lean_goal', { file_path: 'A.lean', line: 99 }, 'invalid_argument', '99', '2');
  refused('lean_goal', { file_path: 'A.lean', line: 2, column: 99 }, 'invalid_argument', '99', '9');

  refused('lean_multi_attempt', { file_path: 'A.lean', line: 2, tactics: ['trivial'] }, 'invalid_argument', 'Did you mean snippets?');
});

describe('files', () => {
  const ask = (files, args, check, options = {}) => withBridge({ project: scratchProject({ ...file, ...files }), lake: fakeLake().command, ...options }, async client => check(await client.call('lean_goal', { line: 1, ...args }, { timeoutMs: 5000 }), client));
  const kind = (expected, mention) => ({ error }) => {
    assert.equal(error?.kind, expected, JSON.stringify(error));
    if (mention) assert.ok(`${error.message} ${error.hint}`.includes(mention), JSON.stringify(error));
  };
  test('every tool with a file refuses one that is not there', { timeout }, () => withBridge({ project: scratchProject(file), lake: fakeLake().command, args: ['--tools', 'proof,query,build,search,server'] }, async client => {
    const values = { string: 'x', integer: 1, number: 1, boolean: true, array: ['x'] };
    for (const { name, inputSchema } of await client.listTools()) {
      // These two still answer about a deleted file.
      if (!inputSchema.required?.includes('file_path') || ['lean_close', 'lean_document_state'].includes(name)) continue;
      const args = Object.fromEntries(inputSchema.required.map(argument => [argument, values[inputSchema.properties[argument].type]]));
      const { error } = await client.call(name, { ...args, ...inputSchema.properties.edits && ONE_EDIT, file_path: 'No.lean' }, { timeoutMs: 5000 });
      assert.ok(['file_not_found', 'backend_unavailable'].includes(error?.kind), `${name}: ${JSON.stringify(error)}`);
    }
  }));
  test('invalid UTF-8: the error says where', { timeout }, () => ask({ 'Bad.lean': Buffer.concat([Buffer.from('theorem a : True := by\n  trivial -- '), Buffer.from([0xff]), Buffer.from('\n')]) }, { file_path: 'Bad.lean' }, kind('invalid_argument', 'UTF-8')));
  test('a URI, and a path as hosts mention it, are that path', { timeout }, async () => {
    const project = scratchProject({ ...file, 'Two words.lean': file['A.lean'], '@At.lean': file['A.lean'] });
    await withBridge({ project, lake: fakeLake().command }, async client => {
      for (const file_path of ['@A.lean', `@${project}/A.lean`, `file://${project}/A.lean`, `@file://${project}/A.lean`, `file://${project}/Two%20words.lean`, '@At.lean', '@@At.lean'])
        assert.ok((await client.call('lean_goal', { file_path, line: 2 })).structured, file_path);
      for (const file_path of ['file:///etc/passwd.lean', '@/etc/A.lean', '@../A.lean']) kind('outside_project')(await client.call('lean_goal', { file_path, line: 2 }));
    });
  });
  test('a device', { timeout }, async () => {
    await ask({}, { file_path: '/dev/zero' }, kind('outside_project'));
    const project = scratchProject(file);
    fs.symlinkSync('/dev/zero', path.join(project, 'Zero.lean'));
    await withBridge({ project, lake: fakeLake().command }, async client => kind('outside_project')(await client.call('lean_goal', { file_path: 'Zero.lean', line: 1 })));
  });
  // The file exists, and a tool that read it would have something to report.
  test('a path that climbs out of the project', { timeout }, async () => {
    const project = scratchProject(file);
    const outside = path.join(temporaryFolder('outside'), 'Out.lean');
    fs.writeFileSync(outside, file['A.lean']);
    await withBridge({ project, lake: fakeLake().command }, async client => {
      for (const file_path of [path.relative(project, outside), outside, `${project}/../${path.basename(path.dirname(outside))}/Out.lean`])
        kind('outside_project')(await client.call('lean_goal', { file_path, line: 2 }));
    });
  });
  test('a link that leads out of the project', { timeout }, async () => {
    const outside = path.join(temporaryFolder('outside'), 'Out.lean');
    fs.writeFileSync(outside, 'theorem o : True := by\n  trivial\n');
    const project = scratchProject(file);
    fs.symlinkSync(outside, path.join(project, 'Link.lean'));
    await withBridge({ project, lake: fakeLake().command }, async client => kind('outside_project')(await client.call('lean_goal', { file_path: 'Link.lean', line: 2 })));
  });
  for (const [what, name] of [['relative', () => 'Link.lean'], ['absolute', project => path.join(project, 'Link.lean')]])
    test(`a link into another project is not written through, the path being ${what}`, { timeout }, async () => {
      const other = scratchProject(file), project = scratchProject(file);
      fs.symlinkSync(path.join(other, 'A.lean'), path.join(project, 'Link.lean'));
      await withBridge({ cwd: project, lake: fakeLake().command }, async client => {
        kind('outside_project')(await client.call('lean_write_proof', { file_path: name(project), start_line: 2, end_line: 2, new_text: '  changed' }));
      });
      assert.equal(fs.readFileSync(path.join(other, 'A.lean'), 'utf8'), file['A.lean']);
    });
  test('a file in no Lake project', { timeout }, async () => {
    const lonely = path.join(temporaryFolder('lonely'), 'Lonely.lean');
    fs.writeFileSync(lonely, 'theorem l : True := by\n  trivial\n');
    await withBridge({ lake: fakeLake().command }, async client => kind('not_a_lean_project')(await client.call('lean_goal', { file_path: lonely, line: 2 })));
  });
  test('the project is found upward from the file, nearest first', { timeout }, async () => {
    const outer = scratchProject({ 'inner/lakefile.toml': 'name = "inner"\n', 'inner/Deep/A.lean': file['A.lean'] });
    const lake = fakeLake();
    await withBridge({ lake: lake.command }, async client => {
      const { structured } = await client.call('lean_goal', { file_path: path.join(outer, 'inner/Deep/A.lean'), line: 2, column: 3 });
      assert.deepEqual(structured.goals, ['⊢ trivial']);
      assert.equal(lake.starts()[0].cwd, path.join(outer, 'inner'));
    });
  });
  test('LEAN_PROJECT_PATH is the default root', { timeout }, async () => {
    const lake = fakeLake();
    const project = scratchProject(file);
    await withBridge({ lake: lake.command, env: { LEAN_PROJECT_PATH: project } }, async client => {
      assert.deepEqual((await client.call('lean_goal', { file_path: 'A.lean', line: 2, column: 3 })).structured.goals, ['⊢ trivial']);
      assert.equal(lake.starts()[0].cwd, project);
    });
  });
  test('two projects in one bridge: one `lake serve` each', { timeout }, async () => {
    const lake = fakeLake();
    const [one, two] = [scratchProject(file), scratchProject({ 'A.lean': 'theorem a : True := by\n  other\n' })];
    await withBridge({ lake: lake.command }, async client => {
      const goals = async folder => (await client.call('lean_goal', { file_path: path.join(folder, 'A.lean'), line: 2, column: 3 })).structured.goals;
      assert.deepEqual(await goals(one), ['⊢ trivial']);
      assert.deepEqual(await goals(two), ['⊢ other']);
      assert.deepEqual(lake.starts().map(start => start.cwd).sort(), [one, two].sort());
    });
  });
});
