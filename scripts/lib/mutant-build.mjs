// Programs with mutants in them. Of the build with sanitizers everything is taken as it is, but for the objects that read a patched file:
// these are compiled from the copy of the tree, and stand before the libraries in the command that links, so that the library's own are
// not asked for. A mutant costs a file of a unity build and a link.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './mutants.mjs';
import { inParallel, run } from './mutant-run.mjs';

export const build = path.join(root, 'build/asan');

const ninja = (...args) => execFileSync('ninja', ['-C', build, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });

/** What ninja knows of each object: the files of ours that were read for it, relative to the tree. */
function readDependencies() {
  const all = new Map();
  let files;
  for (const line of ninja('-t', 'deps').split('\n')) {
    const head = /^(\S.*): #deps /.exec(line);
    if (head) all.set(head[1], files = new Set());
    else if (line.startsWith('    ')) files.add(path.relative(root, path.resolve(build, line.slice(4))));
  }
  return all;
}

/** Where a target's program is, below the build folder. */
const programOf = target => (target === 'leanbridge' || target.startsWith('fuzz_') ? target : `tests/${target}`);

export class Builder {
  constructor(tree, jobs) {
    this.tree = tree;
    this.jobs = jobs;
  }

  /** Brings the programs themselves up to date; the rest stands on what this leaves. */
  async prepare(targets) {
    const { status, output } = await run('cmake', ['--build', build, '--target', ...targets], { cwd: root });
    if (status !== 0) throw new Error(`the build without mutants fails: cmake --build build/asan --target ${targets.join(' ')}\n${output.slice(-4000)}`);
    this.dependencies = readDependencies();
    this.commands = new Map(JSON.parse(fs.readFileSync(path.join(build, 'compile_commands.json'), 'utf8'))
      .map(({ command }) => [/ -o (\S+)/.exec(command)[1], command]));
  }

  /** The objects of a program that read one of the files. */
  objectsOf(target, files) {
    const inputs = new Set(ninja('-t', 'inputs', programOf(target)).split('\n'));
    return [...this.dependencies].filter(([object, read]) => inputs.has(object) && /\.(cpp|cxx)\.o$/.test(object) && files.some(file => read.has(file))).map(([object]) => object);
  }

  /** The command of the build, about the copy. The precompiled headers are other projects' alone, and stay. */
  #about(command, folder, object) {
    const unity = / -c (\S+)$/.exec(command)[1];
    const source = unity.startsWith(`${build}/`) ? path.join(folder, `${object.replaceAll('/', '_')}.cxx`) : this.#moved(unity);
    if (unity.startsWith(`${build}/`)) fs.writeFileSync(source, this.#moved(fs.readFileSync(unity, 'utf8')));
    const fixtures = `${root}/fixtures`;
    return this.#moved(command.replaceAll(fixtures, '@fixtures@')).replaceAll('@fixtures@', fixtures)
      .replace(/ -o \S+/, ` -o ${path.join(folder, `${object.replaceAll('/', '_')}.o`)}`).replace(/ -c \S+$/, ` -w -c ${source}`);
  }

  #moved(text) {
    return text.replaceAll(`${root}/`, `${this.tree}/`).replaceAll(`${this.tree}/build/`, `${root}/build/`);
  }

  /**
   * The programs of `targets` from the tree as it is now, in `folder`: {programs, problem}. `files` are those that differ.
   */
  async make(targets, files, folder) {
    fs.mkdirSync(folder, { recursive: true });
    const objects = [...new Set(targets.flatMap(target => this.objectsOf(target, files)))];
    if (!objects.length) return { problem: `${files.join(', ')}: no object of ${targets.join(', ')} reads it` };
    const compiled = await inParallel(this.jobs, objects, object => run('/bin/sh', ['-c', `exec ${this.#about(this.commands.get(object), folder, object)}`], { cwd: build }));
    const broken = compiled.find(({ status }) => status !== 0);
    if (broken) return { problem: `it does not compile:\n${broken.output.split('\n').filter(line => / error: /.test(line)).slice(0, 5).join('\n') || broken.output.slice(-2000)}` };
    const programs = {};
    const linked = await inParallel(this.jobs, targets, target => {
      const program = programs[target] = path.join(folder, target);
      const own = this.objectsOf(target, files);
      const words = ninja('-t', 'commands', programOf(target)).trim().split('\n').at(-1).replace(/^: && /, '').replace(/ && :$/, '').split(' ');
      const changed = object => path.join(folder, `${object.replaceAll('/', '_')}.o`);
      words[words.indexOf('-o') + 1] = program;
      const direct = words.map(word => (own.includes(word) ? changed(word) : word));
      const added = own.filter(object => !words.includes(object)).map(changed);
      direct.splice(direct.findIndex(word => word.endsWith('.a')), 0, ...added);
      return run('/bin/sh', ['-c', `exec ${direct.join(' ')}`], { cwd: build });
    });
    const unlinked = linked.find(({ status }) => status !== 0);
    return unlinked ? { problem: `it does not link:\n${unlinked.output.slice(-2000)}` } : { programs };
  }
}
