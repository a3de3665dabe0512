// node export-checker.mjs EXPORT
//
// The smallest kernel that the tests can do with, for an export of `leanbridge certify`: exit code 0 accepts, 1 rejects, 2 could not check.
// It finds a wrong type and an unknown name. It believes what an export says about inductive types and their recursors, and is slow:
// it is NOT a kernel that anybody should trust.
import fs from 'node:fs';
import path from 'node:path';

class Rejected extends Error {}
const reject = why => { throw new Rejected(why); };

/** Reads an export: {names, decls: Map(name, declaration)}; terms are shared objects {k, ...}. */
export function readExport(text) {
  const names = [''], levels = [{ k: 'zero' }], terms = [], decls = new Map();
  const known = (list, index, what) => list[index] ?? reject(`${what} ${index} is used before it is there`);
  const expr = index => known(terms, index, 'expression');
  const declare = (kind, value) => {
    const name = known(names, value.name, 'name');
    if (decls.has(name)) reject(`${name} is declared twice`);
    decls.set(name, { kind, name, params: value.levelParams.map(index => names[index]), type: expr(value.type), ...(value.value === undefined ? {} : { value: expr(value.value) }), raw: value });
  };
  for (const line of text.split('\n').filter(Boolean)) {
    const item = JSON.parse(line);
    if (item.in !== undefined) names[item.in] = item.str ? `${names[item.str.pre]}.${item.str.str}` : `${names[item.num.pre]}.#${item.num.i}`;
    else if (item.il !== undefined) {
      const level = index => known(levels, index, 'level');
      levels[item.il] = item.succ !== undefined ? { k: 'succ', a: level(item.succ) } : item.param !== undefined ? { k: 'param', name: names[item.param] }
        : item.max ? { k: 'max', a: level(item.max[0]), b: level(item.max[1]) } : { k: 'imax', a: level(item.imax[0]), b: level(item.imax[1]) };
    } else if (item.ie !== undefined) {
      const { bvar, sort, const: constant, app, lam, forallE, letE, proj, natVal, strVal } = item;
      terms[item.ie] = bvar !== undefined ? { k: 'bvar', i: bvar } : sort !== undefined ? { k: 'sort', level: known(levels, sort, 'level') }
        : constant ? { k: 'const', name: known(names, constant.name, 'name'), us: constant.us.map(index => known(levels, index, 'level')) }
          : app ? { k: 'app', f: expr(app.fn), a: expr(app.arg) } : lam ? { k: 'lam', t: expr(lam.type), b: expr(lam.body) }
            : forallE ? { k: 'pi', t: expr(forallE.type), b: expr(forallE.body) } : letE ? { k: 'let', t: expr(letE.type), v: expr(letE.value), b: expr(letE.body) }
              : proj ? { k: 'proj', of: names[proj.typeName], i: proj.idx, e: expr(proj.struct) } : natVal !== undefined ? { k: 'nat', n: BigInt(natVal) } : { k: 'str', s: strVal };
    } else if (item.inductive) {
      for (const kind of ['types', 'ctors', 'recs']) for (const value of item.inductive[kind]) declare(kind, value);
      for (const value of item.inductive.recs) decls.get(names[value.name]).rules = value.rules.map(rule => ({ ctor: names[rule.ctor], fields: rule.nfields, rhs: expr(rule.rhs) }));
      for (const value of item.inductive.types) decls.get(names[value.name]).ctors = value.ctors.map(index => names[index]);
      for (const value of item.inductive.ctors) decls.get(names[value.name]).induct = names[value.induct];
    } else for (const kind of ['axiom', 'def', 'thm', 'opaque', 'quot']) if (item[kind]) declare(kind, item[kind]);
  }
  return { names, decls };
}

// --- levels, normalised to {offset by parameter} where that decides; otherwise compared by trying zero and one for each parameter
const evalLevel = (level, at) => {
  switch (level.k) {
    case 'zero': return 0;
    case 'succ': return evalLevel(level.a, at) + 1;
    case 'max': return Math.max(evalLevel(level.a, at), evalLevel(level.b, at));
    case 'imax': { const b = evalLevel(level.b, at); return b === 0 ? 0 : Math.max(evalLevel(level.a, at), b); }
    default: return at(level.name);
  }
};
const paramsOf = (level, found = new Set()) => {
  if (level.k === 'param') found.add(level.name);
  for (const part of [level.a, level.b]) if (part) paramsOf(part, found);
  return found;
};
/** Levels are piecewise linear, so a few values of each parameter tell two of them apart. */
const sameLevel = (a, b) => {
  const params = [...new Set([...paramsOf(a), ...paramsOf(b)])];
  const values = [0, 1, 2, 7, 23];
  for (let code = 0; code < values.length ** params.length; ++code) {
    const at = name => values[Math.floor(code / values.length ** params.indexOf(name)) % values.length];
    if (evalLevel(a, at) !== evalLevel(b, at)) return false;
  }
  return true;
};
const substLevel = (level, map) => level.k === 'param' ? map.get(level.name) ?? level : level.a ? { ...level, a: substLevel(level.a, map), ...(level.b ? { b: substLevel(level.b, map) } : {}) } : level;

// --- terms
const PARTS = { app: ['f', 'a'], lam: ['t', 'b'], pi: ['t', 'b'], let: ['t', 'v', 'b'], proj: ['e'] };
const below = (kind, part) => part === 'b' && kind !== 'app' ? 1 : 0;
const LOOSE = new WeakMap();
const loose = term => {
  if (term.k === 'bvar') return term.i + 1;
  if (!PARTS[term.k]) return 0;
  let found = LOOSE.get(term);
  if (found === undefined) LOOSE.set(term, found = Math.max(...PARTS[term.k].map(part => loose(term[part]) - below(term.k, part)), 0));
  return found;
};
/** Replaces the loose variables from `depth` on by `leaf`. */
const mapTerm = (term, leaf, depth = 0, memo = new Map()) => {
  if (loose(term) <= depth) return term;
  if (term.k === 'bvar') return leaf(term.i, depth);
  const key = memo.get(term) ?? new Map();
  memo.set(term, key);
  if (key.has(depth)) return key.get(depth);
  const copy = { ...term };
  for (const part of PARTS[term.k]) copy[part] = mapTerm(term[part], leaf, depth + below(term.k, part), memo);
  key.set(depth, copy);
  return copy;
};
const instantiate = (body, value) => mapTerm(body, (i, depth) => i === depth ? value : { k: 'bvar', i: i - 1 });
const abstracted = (term, fvar) => {
  const go = (one, depth) => {
    if (one === fvar) return { k: 'bvar', i: depth };
    if (!PARTS[one.k]) return one;
    const copy = { ...one };
    for (const part of PARTS[one.k]) copy[part] = go(one[part], depth + below(one.k, part));
    return copy;
  };
  return go(term, 0);
};
const substParams = (term, params, us) => {
  if (params.length === 0) return term;
  const map = new Map(params.map((name, i) => [name, us[i]]));
  const memo = new Map();
  const go = one => {
    if (memo.has(one)) return memo.get(one);
    let copy = one;
    if (one.k === 'sort') copy = { k: 'sort', level: substLevel(one.level, map) };
    else if (one.k === 'const') copy = { ...one, us: one.us.map(level => substLevel(level, map)) };
    else if (PARTS[one.k]) { copy = { ...one }; for (const part of PARTS[one.k]) copy[part] = go(one[part]); }
    memo.set(one, copy);
    return copy;
  };
  return go(term);
};
const spine = term => { const args = []; while (term.k === 'app') { args.unshift(term.a); term = term.f; } return [term, args]; };
const apply = (head, args) => args.reduce((f, a) => ({ k: 'app', f, a }), head);

/** Checks the declarations of an export in their order. */
export class Checker {
  constructor({ decls }) { this.decls = decls; this.seen = new Set(); }
  checkAll() {
    for (const decl of this.decls.values()) {
      if (decl.kind === 'types' || decl.kind === 'ctors' || decl.kind === 'recs') this.seen.add(decl.name);   // a group may mention itself
    }
    for (const decl of this.decls.values()) {
      this.sortOf(decl.type);
      if (decl.value) { const type = this.infer(decl.value); if (!this.same(type, decl.type)) reject(`${decl.name} has another type than it says`); }
      this.seen.add(decl.name);
    }
  }
  decl(name) { return this.seen.has(name) ? this.decls.get(name) : reject(`unknown constant ${name}`); }
  sortOf(type) { const sort = this.whnf(this.infer(type)); return sort.k === 'sort' ? sort.level : reject('a type was expected'); }
  infer(term) {
    switch (term.k) {
      case 'sort': return { k: 'sort', level: { k: 'succ', a: term.level } };
      case 'fvar': return term.t;
      case 'nat': return { k: 'const', name: '.Nat', us: [] };
      case 'str': return { k: 'const', name: '.String', us: [] };
      case 'const': { const decl = this.decl(term.name); return decl.params.length === term.us.length ? substParams(decl.type, decl.params, term.us) : reject(`${term.name} has other universes`); }
      case 'app': {
        const f = this.whnf(this.infer(term.f));
        if (f.k !== 'pi') reject('what is applied is no function');
        return this.same(this.infer(term.a), f.t) ? instantiate(f.b, term.a) : reject('an argument has another type');
      }
      case 'lam': case 'pi': {
        const fvar = { k: 'fvar', t: term.t }, domain = this.sortOf(term.t), body = instantiate(term.b, fvar);
        if (term.k === 'pi') return { k: 'sort', level: { k: 'imax', a: domain, b: this.sortOf(body) } };
        return { k: 'pi', t: term.t, b: abstracted(this.infer(body), fvar) };
      }
      case 'let': this.sortOf(term.t); return this.same(this.infer(term.v), term.t) ? this.infer(instantiate(term.b, term.v)) : reject('a let has another type');
      case 'proj': {
        const [head, args] = spine(this.whnf(this.infer(term.e)));
        const ctors = head.k === 'const' && head.name === term.of ? this.decl(head.name).ctors : undefined;
        if (ctors?.length !== 1) reject('a projection of no structure');
        let type = substParams(this.decl(ctors[0]).type, this.decl(ctors[0]).params, head.us);
        for (const arg of args) type = instantiate(this.whnf(type).b, arg);
        for (let i = 0; i < term.i; ++i) type = instantiate(this.whnf(type).b, { k: 'proj', of: term.of, i, e: term.e });
        return this.whnf(type).t;
      }
      default: return reject('a loose variable');
    }
  }
  whnf(term) { for (;;) { const next = this.step(this.core(term)); if (!next) return this.core(term); term = next; } }
  /** Without unfolding. */
  core(term) {
    for (;;) {
      const [head, args] = spine(term);
      if (head.k === 'lam' && args.length) term = apply(instantiate(head.b, args[0]), args.slice(1));
      else if (head.k === 'let') term = apply(instantiate(head.b, head.v), args);
      else if (head.k === 'proj') {
        const [ctor, fields] = spine(this.whnf(head.e));
        const decl = ctor.k === 'const' ? this.decls.get(ctor.name) : undefined;
        if (decl?.kind !== 'ctors') return term;
        term = apply(fields[decl.raw.numParams + head.i], args);
      } else if (head.k === 'const' && this.decls.get(head.name)?.kind === 'recs') {
        const next = this.iota(head, args);
        if (!next) return term;
        term = next;
      } else if (head.k === 'const' && head.name === '.Quot.lift' && args.length >= 6) {
        const [mk, parts] = spine(this.whnf(args[5]));
        if (mk.name !== '.Quot.mk') return term;
        term = apply({ k: 'app', f: args[3], a: parts[2] }, args.slice(6));
      } else return term;
    }
  }
  iota(head, args) {
    const { raw, rules, params } = this.decls.get(head.name);
    const at = raw.numParams + raw.numMotives + raw.numMinors + raw.numIndices;
    if (args.length <= at) return undefined;
    let major = this.whnf(args[at]);
    if (major.k === 'nat') major = major.n === 0n ? { k: 'const', name: '.Nat.zero', us: [] } : { k: 'app', f: { k: 'const', name: '.Nat.succ', us: [] }, a: { k: 'nat', n: major.n - 1n } };
    let [ctor, fields] = spine(major);
    let rule = rules.find(one => one.ctor === ctor.name);
    if (!rule && rules.length === 1) {   // eta of structures, and K
      const [type, typeArgs] = spine(this.whnf(this.infer(major)));
      const decl = this.decls.get(rules[0].ctor);
      if (type.k !== 'const' || type.name !== decl.induct) return undefined;
      if (raw.k || raw.numIndices === 0) {
        rule = rules[0];
        fields = [...typeArgs.slice(0, decl.raw.numParams), ...Array.from({ length: rule.fields }, (_, i) => ({ k: 'proj', of: type.name, i, e: major }))];
        if (raw.k && !this.same(this.infer(apply({ k: 'const', name: rule.ctor, us: type.us }, fields)), this.infer(major))) return undefined;
      }
    }
    if (!rule) return undefined;
    const rhs = substParams(rule.rhs, params, head.us);
    return apply(rhs, [...args.slice(0, raw.numParams + raw.numMotives + raw.numMinors), ...fields.slice(fields.length - rule.fields), ...args.slice(at + 1)]);
  }
  /** Unfolds the head once. */
  step(term) {
    const [head, args] = spine(term);
    const decl = head.k === 'const' ? this.decls.get(head.name) : undefined;
    return decl && this.seen.has(decl.name) && (decl.kind === 'def' || decl.kind === 'thm') ? apply(substParams(decl.value, decl.params, head.us), args) : undefined;
  }
  same(a, b) {
    if (a === b) return true;
    a = this.core(a); b = this.core(b);
    for (;;) {
      if (a === b || this.alike(a, b) || this.proofs(a, b)) return true;
      const nextA = this.step(a), nextB = this.step(b);
      if (!nextA && !nextB) return this.etaSame(a, b) || this.etaSame(b, a) || this.literals(a, b) || this.literals(b, a);
      if (nextA) a = this.core(nextA);
      if (nextB) b = this.core(nextB);
    }
  }
  alike(a, b) {
    if (a === b) return true;
    if (a.k !== b.k) return false;
    switch (a.k) {
      case 'sort': return sameLevel(a.level, b.level);
      case 'nat': return a.n === b.n;
      case 'str': return a.s === b.s;
      case 'const': return a.name === b.name && a.us.every((level, i) => sameLevel(level, b.us[i]));
      case 'app': return this.alike(a.f, b.f) && this.same(a.a, b.a);
      case 'proj': return a.of === b.of && a.i === b.i && this.same(a.e, b.e);
      case 'lam': case 'pi': { const fvar = { k: 'fvar', t: a.t }; return this.same(a.t, b.t) && this.same(instantiate(a.b, fvar), instantiate(b.b, fvar)); }
      default: return false;
    }
  }
  proofs(a, b) {
    const type = this.infer(a), sort = this.whnf(this.infer(type));
    return sort.k === 'sort' && sameLevel(sort.level, { k: 'zero' }) && this.same(type, this.infer(b));
  }
  etaSame(a, b) {
    if (a.k === 'lam' && b.k !== 'lam') return this.same(a, { k: 'lam', t: a.t, b: { k: 'app', f: b, a: { k: 'bvar', i: 0 } } });
    const [head, args] = spine(a);
    const decl = head.k === 'const' ? this.decls.get(head.name) : undefined;
    if (decl?.kind !== 'ctors' || this.decls.get(decl.induct).ctors.length !== 1 || args.length !== decl.raw.numParams + decl.raw.numFields) return false;
    return this.same(this.infer(a), this.infer(b)) && args.slice(decl.raw.numParams).every((field, i) => this.same(field, { k: 'proj', of: decl.induct, i, e: b }));
  }
  literals(a, b) {
    if (a.k !== 'nat') return false;
    return this.alike(a.n === 0n ? { k: 'const', name: '.Nat.zero', us: [] } : { k: 'app', f: { k: 'const', name: '.Nat.succ', us: [] }, a: { k: 'nat', n: a.n - 1n } }, b);
  }
}

function main(file) {
  try {
    new Checker(readExport(fs.readFileSync(file, 'utf8'))).checkAll();
  } catch (error) {
    if (error instanceof Rejected) { console.error(`rejected: ${error.message}`); return 1; }
    console.error(`could not check: ${error.message}`);
    return 2;
  }
  return 0;
}

if (process.argv[1] && path.resolve(process.argv[1]) === import.meta.filename) process.exitCode = main(process.argv[2]);
