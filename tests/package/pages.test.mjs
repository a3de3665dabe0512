// The manual page and the completions: made from --help, and each understood by what reads it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { command, has, option, output, root, run, standIn, temporaryFolder } from './support.mjs';

const folder = temporaryFolder();
const SHELLS = ['bash', 'zsh', 'fish'];

/** Writes leanbridge.1 and a completion for each shell. */
function pagesOf(program, into) {
  fs.mkdirSync(into, { recursive: true });
  output('python3', ['-B', '-c', 'import os, sys\nsys.path.insert(0, sys.argv[1])\nimport help_pages\ntop = help_pages.read_commands([sys.argv[2]])\n' +
    'for shell, make in help_pages.COMPLETIONS.items(): open(os.path.join(sys.argv[3], shell), "w").write(make(top))\n' +
    'open(os.path.join(sys.argv[3], "leanbridge.1"), "w").write(help_pages.manual_page(top, "7.8.9", "2023-11-14"))',
  path.join(root, 'scripts/lib/packaging'), program, into]);
  return name => path.join(into, name);
}

/** What bash offers for the last word. */
const completions = (file, ...words) => completionsIn(folder, file, ...words);
const completionsIn = (cwd, file, ...words) => output('bash', ['-c', 'compopt() { :; }; source "$0"; COMP_WORDS=(leanbridge "$@"); COMP_CWORD=$#; _leanbridge; printf "%s\\n" "${COMPREPLY[@]}"',
  file, ...words], { cwd }).trim().split('\n').sort();

/** Checks the syntax of each shell that this machine has. */
function understood(page) {
  for (const shell of SHELLS) if (has(shell)) output(shell, ['-n', page(shell)]);
  if (has('groff')) {
    const { status, stderr } = run('groff', ['-man', '-ww', '-Tutf8', '-z', page('leanbridge.1')]);
    assert.deepEqual([status, stderr], [0, '']);
  }
}

describe('of a stand-in', () => {
  let page;
  before(() => { page = pagesOf(standIn(folder), path.join(folder, 'pages')); });

  test('they are well-formed', () => understood(page));

  test('the manual page has every option and command, values and examples, variables, files and exit status, in characters to copy', () => {
    const raw = fs.readFileSync(page('leanbridge.1'), 'utf8');
    const text = raw.replaceAll('\\-', '-').replaceAll('\\(aq', "'").replaceAll('\\(ti', '~');
    for (const part of ['\\fB--log-level\\fR \\fIdebug|info\\fR\nHow much: it\'s a \\eword (default: info)', '\\fB--project-root\\fR \\fIDIR\\fR', '.SS leanbridge check\nCheck many proofs',
      '\\fBleanbridge check [OPTIONS] [INPUT...]\\fR', '\\fIINPUT\\fR\nFiles; - is stdin', '\\fBleanbridge check Proofs\\fR\na folder', 'Exit status: 0 or 1.', '.SS leanbridge mcp list\nList them',
      'Arguments after -- are passed on. See share/doc/leanbridge/docs/options.md.', '.SH ENVIRONMENT\n.TP\n\\fBLEAN_PROJECT_PATH\\fR\nStands for --project-root.', '\\fBNO_COLOR\\fR', '.SH FILES',
      '\\fI~/.cache/leanbridge\\fR', '.SH EXIT STATUS', '.SH EXAMPLES\n.TP\n\\fBleanbridge check ~/Proofs\\fR'])
      assert.ok(text.includes(part), `${part}\n\nis not in\n\n${text}`);
    if (has('groff')) assert.match(output('groff', ['-man', '-Tutf8', '-P-c', '-rLL=200n', page('leanbridge.1')]).replaceAll(/.\u0008/g, ''), /leanbridge check ~\/Proofs\n +a folder of the user's/);
    for (const line of raw.split('\n')) assert.doesNotMatch(line.replaceAll(/\\./g, '').replace(/^[.].*/, ''), /[-~`']/, 'a hyphen, tilde or quote that would be printed as another character');
  });

  test('bash completes commands, options, their values, folders, files, tools and their arguments', () => {
    fs.mkdirSync(path.join(folder, 'place'));
    assert.deepEqual(completions(page('bash'), ''), ['call', 'check', 'help', 'mcp', 'view']);
    assert.deepEqual(completions(page('bash'), 'mcp', ''), ['list']);
    assert.deepEqual(completions(page('bash'), 'mcp', 'list', '--'), ['--help', '--help', '--json', '--log-file', '--log-level', '--project-root']);
    assert.deepEqual(completions(page('bash'), 'check', '--summary', ''), ['json', 'text']);
    assert.deepEqual(completions(page('bash'), 'check', '--log-level', 'd'), ['debug']);
    assert.deepEqual(completions(page('bash'), '--project-root', 'p'), ['pages', 'place']);
    assert.deepEqual(completions(page('bash'), '--log-file', 'st'), ['stand-in']);
    assert.deepEqual(completions(page('bash'), 'check', '--jobs', ''), ['']);
    assert.deepEqual(completions(page('bash'), 'check', 'stan'), ['stand-in']);
    assert.deepEqual(completions(page('bash'), 'call', ''), ['lean_goal']);
    assert.deepEqual(completions(page('bash'), 'call', 'lean_goal', 'f'), ['file_path=', 'format=json', 'format=text']);
    assert.deepEqual(completions(page('bash'), 'call', 'lean_goal', 'stan'), ['stand-in']);
    assert.deepEqual(completions(page('bash'), 'help', ''), ['call', 'check', 'help', 'lean_goal', 'mcp', 'view']);
  });

  test('a command about Lean files is offered those, and folders', () => {
    for (const name of ['of-lean/.git', 'of-lean/Sub']) fs.mkdirSync(path.join(folder, name), { recursive: true });
    for (const name of ['A.lean', 'data.json']) fs.writeFileSync(path.join(folder, 'of-lean', name), '');
    const offered = output('bash', ['-c', 'compopt() { :; }; source "$0"; COMP_WORDS=(leanbridge view ""); COMP_CWORD=2; _leanbridge; echo "${COMPREPLY[@]}"', page('bash')], { cwd: path.join(folder, 'of-lean') });
    assert.equal(offered, 'A.lean Sub\n');
    assert.match(fs.readFileSync(page('zsh'), 'utf8'), /_files -g '\*\.lean'/);
    assert.match(fs.readFileSync(page('fish'), 'utf8'), /^complete -c leanbridge -n '__leanbridge_at "view"' -f -a '\(__fish_complete_path/m);
  });

  test('what takes a revision is offered those that git names, and nothing runs that a name spells', () => {
    const help = command(['leanbridge'], 'A stand-in', 'leanbridge COMMAND', { commands: [
      command(['leanbridge', 'certify'], 'Judge', 'leanbridge certify FILE', { options: [option(['--git'], 'REVISION', 'text', 'Of a revision')] }),
      command(['leanbridge', 'diff'], 'Show', 'leanbridge diff [REVISION...]', { positionals: [{ name: 'REVISION', help: 'Before' }] })], tools: [] });
    const here = path.join(folder, 'with-git');
    const pageOf = pagesOf(standIn(folder, help, 'of-git'), path.join(here, 'pages'));
    const git = (...args) => output('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', '-c', 'init.defaultBranch=main', ...args], { cwd: here });
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'x');
    git('tag', 'v1');
    git('branch', 'side');
    git('branch', 'very$(touch${IFS}gone)');
    const offered = (...words) => completionsIn(here, pageOf('bash'), ...words);
    const all = ['HEAD', 'main', 'side', 'v1', String.raw`very\$\(touch\$\{IFS\}gone\)`];
    assert.deepEqual(offered('diff', ''), all);
    assert.deepEqual(offered('diff', 'main', 's'), ['side']);
    assert.deepEqual(offered('certify', '--git', ''), all);
    assert.deepEqual(offered('certify', 'pa'), ['pages'], 'what it judges is a file');
    assert.deepEqual(completionsIn('/', pageOf('bash'), 'diff', ''), ['HEAD'], 'and outside of a repository no word of git');
    assert.ok(!fs.existsSync(path.join(here, 'gone')));
    understood(pageOf);
    assert.match(fs.readFileSync(pageOf('zsh'), 'utf8'), /^ {4}'certify'\/--git\) compadd -- HEAD \$\{\(f\)"\$\(git for-each-ref /m);
    const fish = fs.readFileSync(pageOf('fish'), 'utf8');
    for (const start of ['"diff"\' -f', '"certify"\' -l git -x']) assert.ok(fish.includes(`${start} -a '(echo HEAD; git for-each-ref `), fish);
  });

  test('fish has an option of the program everywhere, and one of a command there', () => {
    const text = fs.readFileSync(page('fish'), 'utf8');
    assert.match(text, /^complete -c leanbridge -l log-level -x -a 'debug info' -d 'How much: it\\'s a \\\\word'$/m);
    assert.match(text, /^complete -c leanbridge -n '__leanbridge_at "mcp list"' -l json -d 'As JSON'$/m);
    assert.match(text, /^complete -c leanbridge -n '__leanbridge_at "mcp"' -a list -d 'List them'$/m);
    assert.match(text, /^complete -c leanbridge -n '__leanbridge_at "call".* -a lean_goal -d 'The goals\.'$/m);
    assert.match(text, /-a 'file_path= format=text format=json'$/m);
  });
});

test('a help of another form is refused, not left out', () => {
  const other = path.join(folder, 'other');
  fs.writeFileSync(other, '#!/bin/sh\necho "no help at all"\n', { mode: 0o755 });
  const { status, stderr } = run('python3', ['-B', path.join(root, 'scripts/lib/packaging/make.py'), '--program', other, '--version', '1', '--arch', 'x86_64', '--out', path.join(folder, 'none')],
    { env: { ...process.env, SOURCE_DATE_EPOCH: '0' } });
  assert.equal(status, 1);
  assert.match(stderr, /^package: no JSON in what leanbridge help --json prints: .*\n$/);
});

const built = path.resolve(process.env.LEANBRIDGE_BINARY ?? path.join(root, 'build/release/leanbridge'));
/** Every command of a program with what its --help names, read from the text and not from the JSON of the pages: [{words, options, commands}]. */
function commandsOf(program, words = []) {
  const lines = output(program, [...words, '--help']).split('\n');
  // Entries of sections; an option's come with its placeholder, a command's before the examples.
  const before = lines.slice(0, lines.findIndex(line => /^(Examples|Options|Arguments):$/.test(line)));
  const commands = before.map(line => /^ {2}([a-z-]+) /.exec(line)?.[1]).filter(Boolean);
  const options = lines.flatMap(line => /^ {2}((?:-\S+, )*-\S+)/.exec(line)?.[1].split(', ') ?? []).filter(name => name.startsWith('--'));
  return [{ words, options, commands }, ...commands.flatMap(name => commandsOf(program, [...words, name]))];
}

describe('of the program itself', { skip: !fs.existsSync(built) && 'it is not built' }, () => {
  let page, commands;
  before(() => {
    page = pagesOf(built, path.join(folder, 'real'));
    commands = commandsOf(built);
  });

  test('they are well-formed', () => understood(page));

  test('bash completes every command and option that --help names', () => {
    assert.ok(commands.length > 20);
    for (const { words, options, commands: below } of commands) {
      if (below.length) assert.deepEqual(completions(page('bash'), ...words, ''), [...below].sort(), words.join(' '));
      const offered = completions(page('bash'), ...words, '--');
      assert.deepEqual(options.filter(name => !offered.includes(name)), [], words.join(' '));
    }
    assert.deepEqual(completions(page('bash'), 'setup', '--host', 'c'), ['claude-code', 'claude-desktop', 'codex', 'cursor']);
    assert.ok(completions(page('bash'), '--log-level', '').includes('debug'));
  });

  test('so do the manual page, zsh and fish', () => {
    const [manual, zsh, fish] = ['leanbridge.1', 'zsh', 'fish'].map(name => fs.readFileSync(page(name), 'utf8'));
    for (const { words, options, commands: below } of commands) {
      const all = words.join(' ');
      for (const name of below) {
        assert.ok(fish.includes(`__leanbridge_at "${all}"' -a ${name} -d '`), `${all} ${name}`);
        assert.match(zsh, new RegExp(`^    '${all}'\\) .*commands=\\(.*'${name}:`, 'm'));
      }
      if (words.length && !below.length) assert.ok(manual.includes(`.SS leanbridge ${all.replaceAll('-', '\\-')}\n`), all);
      for (const name of options) {
        assert.ok(fish.includes(words.length ? `__leanbridge_at "${all}"' -l ${name.slice(2)}` : `complete -c leanbridge -l ${name.slice(2)}`) || fish.includes(` -l ${name.slice(2)} `), `${all} ${name}`);
        if (name !== '--help') assert.ok(manual.includes(`\\fB${name.replaceAll('-', '\\-')}\\fR`), `${all} ${name}`);
      }
    }
  });
});
