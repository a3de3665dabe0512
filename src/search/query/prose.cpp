#include "prose.hpp"

#include "leanbridge/base/ascii.hpp"

#include "lean_terms.hpp"
#include "type_pattern.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::search {

namespace {

enum class Sense { Operation, Relation, Function, Law, Type };

enum class LawKind {
  Commutative,
  Associative,
  Idempotent,
  Neutral,
  Distributive,
  Cancellative,
  Transitive,
  Reflexive,
  Antisymmetric,
  Irreflexive,
  Symmetric,
  Twice,  ///< applied twice, it changes nothing
  Other
};

/// Something that prose can mention, and how Lean writes it.
struct Notion {
  std::string_view phrases;  ///< singular, in lower case, separated by `|`
  Sense sense;
  std::string_view part;          ///< of names; of a Type: the namespace
  std::string_view written = {};  ///< with %a and %b for the operands; %a alone for a Function
  std::string_view space = {};    ///< of a Function: its namespace; "": none
  LawKind law = LawKind::Other;
};

constexpr Notion kNotions[] = {
    {"addition|plus|sum|adding", Sense::Operation, "add", "%a + %b"},
    {"multiplication|product|multiplying", Sense::Operation, "mul", "%a * %b"},
    {"subtraction|minus|subtracting", Sense::Operation, "sub", "%a - %b"},
    {"division|quotient", Sense::Operation, "div", "%a / %b"},
    {"modulo|remainder", Sense::Operation, "mod", "%a % %b"},
    {"conjunction", Sense::Operation, "and", "%a ∧ %b"},
    {"disjunction", Sense::Operation, "or", "%a ∨ %b"},
    {"append|appending|appended|concatenation|concatenating|concatenated", Sense::Operation, "append",
     "%a ++ %b"},
    {"union", Sense::Operation, "union", "%a ∪ %b"},
    {"intersection", Sense::Operation, "inter", "%a ∩ %b"},
    {"minimum", Sense::Operation, "min", "min %a %b"},
    {"maximum", Sense::Operation, "max", "max %a %b"},
    {"greatest common divisor|gcd", Sense::Operation, "gcd", "Nat.gcd %a %b"},
    {"least common multiple|lcm", Sense::Operation, "lcm", "Nat.lcm %a %b"},
    {"composition", Sense::Operation, "comp", "%a ∘ %b"},

    {"less or equal|less than or equal|at most", Sense::Relation, "le", "%a ≤ %b"},
    {"less than|smaller than", Sense::Relation, "lt", "%a < %b"},
    {"divisibility|divide", Sense::Relation, "dvd", "%a ∣ %b"},
    {"subset|inclusion", Sense::Relation, "subset", "%a ⊆ %b"},
    {"equality", Sense::Relation, "eq", "%a = %b"},

    {"length", Sense::Function, "length", "List.length %a", "List"},
    {"reverse|reversing|reversal", Sense::Function, "reverse", "List.reverse %a", "List"},
    {"map|mapping", Sense::Function, "map", "List.map ?f %a", "List"},
    {"filter|filtering", Sense::Function, "filter", "List.filter ?p %a", "List"},
    {"successor", Sense::Function, "succ", "Nat.succ %a", "Nat"},
    {"negation|negating", Sense::Function, "neg", "-%a"},

    {"commutative|commutativity|commute", Sense::Law, "comm", "", "", LawKind::Commutative},
    {"associative|associativity", Sense::Law, "assoc", "", "", LawKind::Associative},
    {"idempotent|idempotence", Sense::Law, "self", "", "", LawKind::Idempotent},
    {"identity|neutral element|neutral", Sense::Law, "", "", "", LawKind::Neutral},
    {"distributive|distributivity|distribute", Sense::Law, "distrib", "", "", LawKind::Distributive},
    {"cancellation|cancel|cancellative", Sense::Law, "cancel", "", "", LawKind::Cancellative},
    {"transitive|transitivity", Sense::Law, "trans", "", "", LawKind::Transitive},
    {"reflexive|reflexivity", Sense::Law, "refl", "", "", LawKind::Reflexive},
    {"antisymmetric|antisymmetry", Sense::Law, "antisymm", "", "", LawKind::Antisymmetric},
    {"irreflexive|irreflexivity", Sense::Law, "irrefl", "", "", LawKind::Irreflexive},
    {"symmetric|symmetry", Sense::Law, "symm", "", "", LawKind::Symmetric},
    {"twice|double|involutive", Sense::Law, "", "", "", LawKind::Twice},
    {"injective|injectivity", Sense::Law, "inj"},

    {"natural number|natural", Sense::Type, "Nat"},
    {"integer", Sense::Type, "Int"},
    {"rational number|rational", Sense::Type, "Rat"},
    {"real number|real", Sense::Type, "Real"},
    {"list", Sense::Type, "List"},
    {"array", Sense::Type, "Array"},
    {"finite set|finset", Sense::Type, "Finset"},
    {"set", Sense::Type, "Set"},
};

// The element that leaves the other operand as it is.
struct Neutral {
  std::string_view operation, written, part;
};
constexpr Neutral kNeutral[] = {
    {"add", "0", "zero"},    {"mul", "1", "one"},      {"sub", "0", "zero"},    {"div", "1", "one"},
    {"and", "True", "true"}, {"or", "False", "false"}, {"append", "[]", "nil"}, {"union", "∅", "empty"},
};

// The types whose name is all that a pattern has to say about them.
constexpr std::string_view kNumbers[] = {"Nat", "Int", "Rat", "Real"};

// --- finding notions in a text

// A plural ends with a single s.
std::string singular(std::string word) {
  constexpr std::size_t kMinPlural = 4;  // not `is`, `its`
  if (word.size() >= kMinPlural && word.ends_with('s') && !word.ends_with("ss")) word.pop_back();
  return word;
}

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(singular(lower_case(std::exchange(word, ""))));
  };
  for (const char c : text) {
    if (std::isalpha(static_cast<unsigned char>(c)))
      word += c;
    else
      end_word();
  }
  end_word();
  return words;
}

// Removes and returns what precedes the separator.
std::string_view next_of(std::string_view& list, char separator) {
  const std::size_t end = std::min(list.find(separator), list.size());
  const std::string_view item = list.substr(0, end);
  list.remove_prefix(std::min(end + 1, list.size()));
  return item;
}

// The number of words of the phrase if it stands at `at`; otherwise 0.
std::size_t size_of_phrase(const std::vector<std::string>& words, std::size_t at, std::string_view phrase) {
  std::size_t size = 0;
  for (; !phrase.empty(); ++size)
    if (at + size >= words.size() || words[at + size] != next_of(phrase, ' ')) return 0;
  return size;
}

// The notions that a text mentions, in its order; of two that begin at the same word, the longer.
std::vector<const Notion*> notions_in(const std::vector<std::string>& words) {
  std::vector<const Notion*> found;
  for (std::size_t at = 0; at < words.size();) {
    const Notion* best = nullptr;
    std::size_t longest = 0;
    for (const Notion& notion : kNotions)
      for (std::string_view phrases = notion.phrases; !phrases.empty();)
        if (const std::size_t size = size_of_phrase(words, at, next_of(phrases, '|')); size > longest) {
          longest = size;
          best = &notion;
        }
    if (best) found.push_back(best);
    at += std::max<std::size_t>(longest, 1);
  }
  return found;
}

// --- what they say together

std::string filled(std::string_view written, std::string_view left, std::string_view right) {
  std::string term;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const std::string_view rest = written.substr(i);
    const bool is_left = rest.starts_with("%a");
    if (!is_left && !rest.starts_with("%b")) {
      term += written[i];
      continue;
    }
    term += is_left ? left : right;
    ++i;
  }
  return term;
}

// The term as an operand; `- -a`, since `--` begins a comment.
std::string bracketed(std::string_view term) {
  if (term.starts_with('-')) return " " + std::string(term);
  return term.find(' ') == std::string_view::npos ? std::string(term) : "(" + std::string(term) + ")";
}

std::string applied(const Notion& notion, std::string_view left, std::string_view right = {}) {
  return filled(notion.written, bracketed(left), bracketed(right));
}

bool joins_propositions(const Notion& operation) {
  return operation.part == "and" || operation.part == "or";
}

// Without the brackets that the notation implies, as Lean prints it.
std::string associativity(const Notion& operation) {
  const std::string left = applied(operation, "a", "b"), right = applied(operation, "b", "c");
  const bool infix = operation.written.starts_with("%a ");
  const bool to_the_right = joins_propositions(operation) || operation.part == "comp";
  const std::string first =
      infix && !to_the_right ? filled(operation.written, left, "c") : applied(operation, left, "c");
  const std::string second =
      infix && to_the_right ? filled(operation.written, "a", right) : applied(operation, "a", right);
  return first + (joins_propositions(operation) ? " ↔ " : " = ") + second;
}

/// What the notions say.
struct Reading {
  std::string statement;           ///< with the variables a, b, c; "": unknown
  std::vector<std::string> parts;  ///< of the theorem's name, in order
  std::vector<std::string> names;  ///< without namespace; empty: the parts
};

Reading neutrality(const Notion& operation) {
  Reading reading;
  for (const Neutral& neutral : kNeutral) {
    if (neutral.operation != operation.part) continue;
    const std::string part(operation.part), zero(neutral.part);
    reading.statement =
        applied(operation, "a", neutral.written) + (joins_propositions(operation) ? " ↔ a" : " = a");
    reading.parts = {part, zero};
    reading.names = {part + "_" + zero, zero + "_" + part};
  }
  return reading;
}

Reading distributivity(const Notion& operation, const Notion* other) {
  const std::string part(operation.part);
  Reading reading;
  reading.parts = {part, "distrib"};
  if (!other) return reading;
  if (part == "mul" && other->part == "add") {
    reading.statement = "a * (b + c) = a * b + a * c";
    reading.parts = {"mul", "add"};
    reading.names = {"mul_add", "left_distrib", "add_mul"};
  } else if (joins_propositions(operation)) {
    reading.statement = applied(operation, "a", applied(*other, "b", "c")) + " ↔ " +
                        applied(*other, applied(operation, "a", "b"), applied(operation, "a", "c"));
    reading.parts = {part, std::string(other->part), "left"};
  }
  return reading;
}

Reading law_of_operation(const Notion& law, const Notion* operation, const Notion* other) {
  Reading reading;
  reading.parts = {std::string(operation->part), std::string(law.part)};
  const std::string equals = joins_propositions(*operation) ? " ↔ " : " = ";
  switch (law.law) {
    case LawKind::Commutative:
      reading.statement = applied(*operation, "a", "b") + equals + applied(*operation, "b", "a");
      break;
    case LawKind::Associative:
      reading.statement = associativity(*operation);
      break;
    case LawKind::Idempotent:
      reading.statement = applied(*operation, "a", "a") + equals + "a";
      break;
    case LawKind::Neutral:
      return neutrality(*operation);
    case LawKind::Distributive:
      // "Multiplication distributes over addition", in either order.
      if (other && operation->part == "add") std::swap(operation, other);
      return distributivity(*operation, other);
    case LawKind::Cancellative:  // `sub_add_cancel`
      if (other) reading.parts.insert(reading.parts.begin() + 1, std::string(other->part));
      break;
    default:
      break;
  }
  return reading;
}

Reading law_of_relation(const Notion& law, const Notion& relation) {
  const auto holds = [&](std::string_view left, std::string_view right) {
    return applied(relation, left, right);
  };
  Reading reading;
  reading.parts = {std::string(relation.part), std::string(law.part)};
  switch (law.law) {
    case LawKind::Transitive:
      reading.statement = holds("a", "b") + " → " + holds("b", "c") + " → " + holds("a", "c");
      break;
    case LawKind::Reflexive:
      reading.statement = holds("a", "a");
      break;
    case LawKind::Antisymmetric:
      reading.statement = holds("a", "b") + " → " + holds("b", "a") + " → a = b";
      break;
    case LawKind::Irreflexive:
      reading.statement = "¬" + bracketed(holds("a", "a"));
      break;
    case LawKind::Symmetric:
      reading.statement = holds("a", "b") + " → " + holds("b", "a");
      break;
    default:
      break;
  }
  return reading;
}

// "The length of an append", "the reverse of a reverse".
Reading function_of(const Notion& function, const Notion& argument) {
  Reading reading;
  reading.parts = {std::string(function.part), std::string(argument.part)};
  reading.statement = applied(function, applied(argument, "a", "b"));
  if (&function == &argument) reading.statement += " = a";
  return reading;
}

Reading law_of_function(const Notion& law, const Notion& function) {
  if (law.law == LawKind::Twice) return function_of(function, function);
  Reading reading;
  reading.parts = {std::string(function.part), std::string(law.part)};
  return reading;
}

const Notion* first_of(const std::vector<const Notion*>& found, Sense sense, std::size_t which = 0) {
  for (const Notion* notion : found)
    if (notion->sense == sense && which-- == 0) return notion;
  return nullptr;
}

Reading reading_of(const std::vector<const Notion*>& found) {
  const Notion* const law = first_of(found, Sense::Law);
  const Notion* const function = first_of(found, Sense::Function);
  const Notion* const operation = first_of(found, Sense::Operation);
  const Notion* const relation = first_of(found, Sense::Relation);
  if (function && law) return law_of_function(*law, *function);
  if (law && operation) return law_of_operation(*law, operation, first_of(found, Sense::Operation, 1));
  if (law && relation) return law_of_relation(*law, *relation);
  if (!function) return {};
  const auto argument = std::find_if(
      std::find(found.begin(), found.end(), function) + 1, found.end(),
      [](const Notion* one) { return one->sense == Sense::Operation || one->sense == Sense::Function; });
  return argument == found.end() ? Reading() : function_of(*function, **argument);
}

// --- the forms

// The single letters among a, b and c that stand alone, in order of appearance.
std::string variables_of(const std::string& statement) {
  std::string variables;
  for (const TermToken& token : term_tokens(statement))
    if (token.kind == TermToken::Kind::Word && token.text.size() == 1 &&
        std::string_view("abc").find(token.text) != std::string_view::npos &&
        variables.find(token.text) == std::string::npos)
      variables += token.text;
  return variables;
}

TypePattern statement_about(const std::string& statement, const std::string& type) {
  if (std::find(std::begin(kNumbers), std::end(kNumbers), type) == std::end(kNumbers))
    return pattern_of(term_tokens(statement));
  std::string binders;
  for (const char variable : variables_of(statement)) binders += std::string(" ") + variable;
  return pattern_of(term_tokens("∀" + binders + " : " + type + ", " + statement));
}

}  // namespace

ProseForms prose_forms(std::string_view text) {
  const auto found = notions_in(words_in(text));
  Reading reading = reading_of(found);
  std::erase(reading.parts, "");
  ProseForms forms;
  if (reading.parts.size() < 2) return forms;
  const Notion* const function = first_of(found, Sense::Function);
  const std::string own(function ? function->space : std::string_view());
  const Notion* const type = first_of(found, Sense::Type);
  const std::string space = type ? std::string(type->part) : own;
  // `List.length` says nothing about arrays.
  if (!reading.statement.empty() && (own.empty() || own == space))
    forms.type = statement_about(reading.statement, space);
  if (forms.type && forms.type->loogle.empty()) forms.type.reset();
  const std::string before = space.empty() ? "" : space + ".";
  std::string name;
  forms.glob = before;
  for (const std::string& part : reading.parts) {
    name += (name.empty() ? "" : "_") + part;
    forms.glob += "*" + part;
  }
  forms.glob += "*";
  if (reading.names.empty()) reading.names.push_back(std::move(name));
  for (const std::string& each : reading.names) forms.names.push_back(before + each);
  return forms;
}

}  // namespace leanbridge::search
