// Builds programs with mutants. Everything from a finished build is reused except the objects that read a patched file: these are
// compiled from the copy of the tree and come before the libraries on the link command, so that the library's own objects are not used. A
// mutant costs an object and a link: a few seconds in the build debug, the sixteen files of a unity object in the build release.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './mutants.mjs';
import { run } from './mutant-run.mjs';

// A compiler does finish, but late on a busy machine.
const LIMIT_MS = 60 * 60_000;

/** The path of a target's program below the build folder. */
const programOf = target => (target === 'leanbridge' ? target : `tests/${target}`);

export class Builder {
  /** `preset`: release or debug. */
  constructor(preset) {
    this.name = `build/${preset}`;
    this.build = path.join(root, this.name);
    // A mutant runs once, so it is hardly optimised. With -O0 the precompiled headers of the release build would not fit.
    this.quickly = preset === 'release' ? ' -O1 -mllvm -inline-threshold=10' : '';
  }

  ninja(...args) {
    return execFileSync('ninja', ['-C', this.build, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
  }

  /** For each object, the files of ours that were read for it, relative to the tree, according to ninja. */
  readDependencies() {
    const all = new Map();
    let files;
    for (const line of this.ninja('-t', 'deps').split('\n')) {
      const head = /^(\S.*): #deps /.exec(line);
      if (head) all.set(head[1], files = new Set());
      else if (line.startsWith('    ')) files.add(path.relative(root, path.resolve(this.build, line.slice(4))));
    }
    return all;
  }

  /** Brings the programs up to date; everything else builds on the result. */
  async prepare(targets) {
    const { status, output } = await run('cmake', ['--build', this.build, '--target', ...targets], { cwd: root, limitMs: LIMIT_MS });
    if (status !== 0) throw new Error(`the build without mutants fails: cmake --build ${this.name} --target ${targets.join(' ')}\n${output.slice(-4000)}`);
    this.dependencies = this.readDependencies();
    this.commands = new Map(JSON.parse(fs.readFileSync(path.join(this.build, 'compile_commands.json'), 'utf8'))
      .map(({ command }) => [/ -o (\S+)/.exec(command)[1], command]));
  }

  /** The objects of a program that read one of the files. */
  objectsOf(target, files) {
    const inputs = new Set(this.ninja('-t', 'inputs', programOf(target)).split('\n'));
    return [...this.dependencies].filter(([object, read]) => inputs.has(object) && /\.(cpp|cxx)\.o$/.test(object) && files.some(file => read.has(file))).map(([object]) => object);
  }

  /**
   * The programs of `targets` from a copy of the tree as it is now, in `folder`: {programs} or {problem}. `files` are those that differ.
   */
  async make(tree, targets, files, folder) {
    fs.mkdirSync(folder, { recursive: true });
    const objects = [...new Set(targets.flatMap(target => this.objectsOf(target, files)))];
    if (!objects.length) return { problem: `${files.join(', ')}: no object of ${targets.join(', ')} reads it` };
    const shell = command => run('/bin/sh', ['-c', `exec ${command}`], { cwd: this.build, limitMs: LIMIT_MS });
    const compiled = await Promise.all(objects.map(object => shell(this.compiling(this.commands.get(object), tree, folder, object))));
    const broken = compiled.find(({ status }) => status !== 0);
    if (broken) return { problem: `it does not compile:\n${broken.output.split('\n').filter(line => / error: /.test(line)).slice(0, 5).join('\n') || broken.output.slice(-2000)}` };
    const linked = await Promise.all(targets.map(target => shell(this.linking(target, this.objectsOf(target, files), folder))));
    const unlinked = linked.find(({ status }) => status !== 0);
    return unlinked ? { problem: `it does not link:\n${unlinked.output.slice(-2000)}` } : { programs: Object.fromEntries(targets.map(target => [target, path.join(folder, target)])) };
  }

  /** The build's command for an object, applied to the copy. */
  compiling(command, tree, folder, object) {
    const given = / -c (\S+)$/.exec(command)[1];
    const isUnity = given.startsWith(`${this.build}/`);
    const source = isUnity ? `${mutated(folder, object)}.cxx` : moved(given, tree);
    if (isUnity) fs.writeFileSync(source, moved(fs.readFileSync(given, 'utf8'), tree));
    // A test's fixtures stay where they are. A mutant may leave something unused.
    return moved(command.replaceAll(`${root}/fixtures`, '@fixtures@'), tree).replaceAll('@fixtures@', `${root}/fixtures`)
      .replace(/ -o \S+/, `${this.quickly} -o ${mutated(folder, object)}`).replace(/ -c \S+$/, ` -w -c ${source}`);
  }

  /** The build's link command for a program, with these objects taken from the folder. */
  linking(target, objects, folder) {
    const words = this.ninja('-t', 'commands', programOf(target)).trim().split('\n').at(-1).replace(/^: && /, '').replace(/ && :$/, '').split(' ');
    words.splice(words.indexOf('-o') + 1, 1, path.join(folder, target), '-Wl,--strip-debug');
    const all = words.map(word => (objects.includes(word) ? mutated(folder, word) : word));
    all.splice(all.findIndex(word => word.endsWith('.a')), 0, ...objects.filter(object => !words.includes(object)).map(object => mutated(folder, object)));
    return all.join(' ');
  }
}

const mutated = (folder, object) => path.join(folder, `${object.replaceAll('/', '_')}`);

// Paths below the build folder stay: precompiled headers contain only third-party files.
const moved = (text, tree) => text.replaceAll(`${root}/`, `${tree}/`).replaceAll(`${tree}/build/`, `${root}/build/`);
