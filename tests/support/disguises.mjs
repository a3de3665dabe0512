// Lean files of honest and dishonest declarations, generated from a seed. The right verdict follows from how each was made, and is also
// checked against what Lean compiled (tests/e2e/differential.test.mjs).
//
// Of a declaration, `sorry` says that its own term contains one; `rests` says that it, or something it uses, does. `example`s have no name.
import { randomFrom } from './soak-files.mjs';

export const LAKEFILE = silent => `name = "differential"\ndefaultTargets = ["Gen"]\n${silent ? '\n[leanOptions]\nwarn.sorry = false\n' : ''}
[[lean_lib]]\nname = "Gen"\nglobs = ["Gen.+"]\n`;

/** Imported by some files: lemmas that contain a sorry, and macros that hide one. */
export const HELPERS = {
  'Gen/Open.lean': 'theorem openLemma : 1 = 2 := sorry\ntheorem closedLemma : 1 = 1 := rfl\n',
  'Gen/Hiding.lean': 'macro "hush" : tactic => `(tactic| set_option warn.sorry false in as_aux_lemma => sorry)\n' +
    'macro "silently " "theorem " n:ident : command => `(command| set_option warn.sorry false in theorem $n : 1 = 2 := sorry)\n',
  'Gen/Plain.lean': 'theorem plain : 2 = 2 := rfl\n',
};

/** "Proofs" of 1 = 2, as terms; `needs`: what must be declared above or imported. */
const DISHONEST = [
  { term: 'sorry' }, { term: 'by sorry' }, { term: 'by exact sorry' }, { term: 'sorryAx _ true' }, { term: 'by stop rfl' }, { term: 'by admit' },
  { term: 'by\n  have h : 1 = 2 := sorry\n  exact h' }, { term: 'by first | sorry | rfl' }, { term: 'show 1 = 2 from id sorry' },
  { term: 'let x : 1 = 2 := sorry; x' }, { term: 'helper where helper : 1 = 2 := sorry' }, { term: 'by as_aux_lemma => sorry' },
  { term: 'by set_option warn.sorry false in as_aux_lemma => sorry' },
  { term: 'by qed', above: 'macro "qed" : tactic => `(tactic| sorry)\n' },
  { term: '⊠', above: 'notation "⊠" => sorryAx _ true\n' },
  { term: 'by hush', imports: 'Gen.Hiding' },
  { term: 'by decide', guard: '#guard_msgs (drop error) in\n' },
  { term: '(fun (h : 1 = 2) => h) (by sorry)' },
];
/** Proofs of 1 = 1, some of which look worse than they are. */
const HONEST = [
  { term: 'rfl' }, { term: 'by rfl' }, { term: 'by\n  -- sorry, this is all\n  exact rfl' }, { term: 'by\n  have h : 1 = 1 := rfl\n  exact h' },
  { term: 'helper where helper : 1 = 1 := rfl' }, { term: 'by first | rfl | sorry' }, { term: 'by done_', above: 'macro "done_" : tactic => `(tactic| rfl)\n' },
  { term: 'by set_option warn.sorry true in rfl' }, { term: 'let s := "sorry"; (fun _ : String => rfl) s' },
];

const WRAPS = [
  text => text, text => text, text => `/-- sorry -/\n${text}`, text => `section\n${text}end\n`, text => `set_option warn.sorry false in\n${text}`,
  text => `set_option linter.all false in\n${text}`,
];

/** One file: `text`, `declarations` [{name, sorry, rests}], `examples` (how many are dishonest), `silent` (whether the lakefile must turn off warnings about sorries). */
export function generate(seed) {
  const random = randomFrom(seed * 7919 + 1);
  const silent = random.chance(0.15);
  const declarations = [];
  const imports = new Set(random.chance(0.5) ? ['Gen.Plain'] : []);
  let above = random.chance(0.2) ? 'set_option warn.sorry false\n' : '';
  let body = '', examples = 0;
  const namespace = random.chance(0.4) ? random.pick(['A', 'A.B', '«odd name»']) : '';
  const count = 2 + random.below(4);   // the first one always has a name
  for (let i = 0; i < count; i++) {
    const bad = random.chance(0.45);
    const { term, above: needed = '', guard = '', imports: imported } = random.pick(bad ? DISHONEST : HONEST);
    if (imported) imports.add(imported);
    if (!above.includes(needed)) above += needed;
    const name = random.pick(['t', 'sorry_free', 'x₁', '«two words»']) + (random.chance(0.5) ? '' : `.z${i}`);
    if (declarations.some(other => other.local === name)) continue;
    const statement = `: 1 = ${bad ? 2 : 1}`;
    if (i > 0 && random.chance(0.12) && !term.includes('where') && !guard) {
      body += random.pick(WRAPS)(`example ${statement} := ${term}\n`);
      examples += bad ? 1 : 0;
      continue;
    }
    const full = namespace ? `${namespace}.${name}` : name;
    body += (guard ? text => text : random.pick(WRAPS))(`${guard}theorem ${name} ${statement} := ${term}\n`);
    declarations.push({ local: name, name: full, sorry: bad, rests: bad });
  }
  const used = random.chance(0.5) && declarations.length ? random.pick(declarations) : undefined;
  if (used) {
    body += `theorem follows : (${used.sorry ? '1 = 2' : '1 = 1'}) ∨ False := Or.inl ${used.local}\n`;
    declarations.push({ local: 'follows', name: namespace ? `${namespace}.follows` : 'follows', sorry: false, rests: used.rests });
  }
  if (random.chance(0.25)) {
    imports.add('Gen.Open');
    body += 'theorem imported : 1 = 2 := openLemma\n';
    declarations.push({ local: 'imported', name: namespace ? `${namespace}.imported` : 'imported', sorry: false, rests: true });
  }
  if (random.chance(0.2)) {
    body += 'def hole : Nat := sorry\ntheorem aboutHole : hole = hole := rfl\n';
    for (const [local, sorry] of [['hole', true], ['aboutHole', false]])
      declarations.push({ local, name: namespace ? `${namespace}.${local}` : local, sorry, rests: true, isDefinition: local === 'hole' });
  }
  if (random.chance(0.2)) {
    imports.add('Gen.Hiding');
    body += 'silently theorem quiet\n';
    declarations.push({ local: 'quiet', name: namespace ? `${namespace}.quiet` : 'quiet', sorry: true, rests: true, fromMacro: true });
  }
  const lies = random.chance(0.15) ? 'macro "#print" "axioms" n:ident : command => `(command| #check $n)\n' : '';
  if (namespace) body = `namespace ${namespace}\n${body}end ${namespace}\n`;
  return { text: `${[...imports].map(module => `import ${module}\n`).join('')}${above}${lies}${body}`, declarations, examples, silent, lies: lies !== '' };
}
