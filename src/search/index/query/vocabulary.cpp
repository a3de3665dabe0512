#include "vocabulary.hpp"

#include "core/text/word_list.hpp"
#include "words.hpp"

namespace leanbridge::index {

namespace {

// A line that begins or ends with `;` has a word or phrase and its terms; other lines are headings. Words are
// in the singular, since stems match other forms.
constexpr std::string_view kPhrases = R"(
# laws
commutative: comm; commutativity: comm; commute: comm; associative: assoc; associativity: assoc;
distributive: mul_add|add_mul|distrib; distributivity: mul_add|add_mul|distrib;
distribute over: mul_add|add_mul|distrib; distribute: distrib|mul_add|add_mul; idempotent: self|idem;
transitive: trans; transitivity: trans; symmetric: symm|comm; symmetry: symm; reflexive: refl|rfl;
reflexivity: refl|rfl; irreflexive: irrefl; antisymmetric: antisymm; antisymmetry: antisymm; asymmetric: asymm;
total: total; injective: inj|injective; injectivity: inj|injective; surjective: surj|surjective;
bijective: bij|bijective; monotone: mono|monotone; monotonicity: mono|monotone; cancel: cancel;
cancellation: cancel; identity: id|zero|one; neutral element: zero|one; itself: self; elimination: elim|of;
introduction: intro; congruence: congr; extensionality: ext|funext|propext; function extensionality: funext;
proposition extensionality: propext; propositional extensionality: propext; excluded middle: em;
contradiction: absurd|contradiction; contrapositive: mt|contrapose; induction: rec|induction;
recursion: rec|fix; strong induction: strong_rec; well founded: wf|well_founded; trichotomy: trichotomy;
decidable: decidable|dec;
# operations
addition: add; plus: add; sum: add|sum; multiplication: mul; multiply: mul; times: mul; product: mul|prod;
subtraction: sub; subtract: sub; minus: sub|neg; difference: sub|diff; division: div; divide: div|dvd;
quotient: div|quot; divisor: dvd|mod|div; divisible: dvd; divisibility: dvd; modulo: mod; modulus: mod;
remainder: mod; power: pow; exponent: pow; exponentiation: pow; square: sq|pow_two; square root: sqrt;
logarithm: log; factorial: factorial; negation: neg|not; negative: neg; negate: neg|not; inverse: inv;
absolute value: abs|nat_abs; greatest common divisor: gcd; least common multiple: lcm; maximum: max;
minimum: min; supremum: sup; infimum: inf; successor: succ|add_one; predecessor: pred; composition: comp;
compose: comp; function argument: arg; shift left: shift_left; shift right: shift_right; complement: compl|not;
conversion: to|of; coercion: coe|cast; cast: cast;
# relations
less than: lt; smaller than: lt; greater than: lt|gt; less or equal: le; less than or equal: le;
less equal: le; at most: le; greater or equal: le|ge; greater than or equal: le|ge; at least: le|ge; equal: eq;
equality: eq; not equal: ne; unequal: ne; nonzero: ne_zero; positive: pos; nonnegative: nonneg;
nonpositive: nonpos; subset: subset; sublist: sublist; permutation: perm; equivalence: equiv|iff;
equivalent: equiv|iff; if and only if: iff; implication: imp; implies: imp|of; conjunction: and;
disjunction: or; exist: exists; exists: exists; infinitely many: infinite; for all: forall; forall: forall; exclusive or: xor;
double negation: not_not|neg_neg; definitionally equal: def_eq; definitional equality: def_eq;
# numbers and structures
natural number: nat; natural: nat; naturals: nat; integer: int; rational number: rat; rational: rat;
real number: real; boolean: bool; bitvector: bit_vec; bit vector: bit_vec; character: char; finite set: finset;
hash map: hash_map; hash set: hash_set; tree map: tree_map; proposition: prop; zero: zero; one: one; two: two;
prime: prime; even: even|mod_two|two_dvd; odd: odd|mod_two; truth: true; falsity: false;
# data
membership: mem; member: mem; element: mem|elem; belong: mem; empty: empty|nil; empty list: nil;
concatenation: append; concatenate: append; duplicate: nodup|dup; no duplicate: nodup; distinct: nodup|ne;
size: size|length; cardinality: card; index: idx|index|get; lookup: get|find|lookup; first element: head;
last element: last; head: head; tail: tail; fold left: foldl; fold right: foldr; fold: foldl|foldr|fold;
delete: erase; remove: erase|remove; expression: expr; elaborate: elab; elaboration: elab; environment: env;
metavariable: mvar; free variable: fvar; universe level: level; declaration: decl; identifier: ident;
syntax: stx|syntax; definition: def|defn; theorem: thm|theorem;
)";

constexpr std::string_view kFillers =
    " a an the that this which its it are be we has have gives give every each any there such when also as "
    "about prove show find does do then what how of to in is on at by for from with over into than same "
    "after "
    "some between ";
constexpr std::string_view kUnimportant =
    " and or if iff not both two value equal number theorem statement result give lemma law ";
constexpr std::string_view kOfSentences = " is are has have iff every a an ";
constexpr std::string_view kTheorems =
    " theorem lemma law inequality identity formula formulas principle criterion test ";

}  // namespace

const Phrases& phrases() {
  static const Phrases all = [] {
    Phrases made;
    for (const std::string& entry : split(kPhrases, ';')) {
      const std::size_t colon = entry.find(": "), line = entry.rfind('\n', colon);
      if (colon == std::string::npos) continue;
      const std::size_t begin = line == std::string::npos ? 0 : line + 1;
      std::string key;
      for (const std::string& word : split(entry.substr(begin, colon - begin), ' '))
        key += (key.empty() ? "" : " ") + stem(word);
      made.emplace(std::move(key), entry.substr(colon + 2));
    }
    return made;
  }();
  return all;
}

bool is_unimportant(std::string_view word) {
  return text::contains(kUnimportant, word);
}

bool names_theorem(std::string_view word) {
  return text::contains(kTheorems, word);
}

bool makes_sentence(std::string_view word) {
  return text::contains(kOfSentences, word);
}

bool is_filler(std::string_view word) {
  return text::contains(kFillers, word);
}

bool is_informative(std::string_view term) {
  return term.size() > 1 && !is_filler(term);
}

}  // namespace leanbridge::index
