#include "statement_terms.hpp"

#include "core/base/hash.hpp"
#include "core/olean/notation.hpp"
#include "core/text/lean_names.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace leanbridge::index {

using olean::notation_letters;
using olean::older_name;
using olean::order_of_sets;

namespace {

using NodeKind = TermNode::Kind;

constexpr int kMaxPathDepth = 3;
constexpr std::size_t kMaxPlaces = 24, kMaxPairs = 16, kMaxEdges = 40,
                      kMaxPremiseHeads = 6;  // in a statement
constexpr std::size_t kMaxConditions = 14;   // in a pattern

// A hash of 40 bits, as eight letters and digits.
std::string hashed(char kind, std::string_view text) {
  constexpr std::string_view kDigits = "abcdefghijklmnopqrstuvwxyz234567";
  std::uint64_t hash = fnv1a(text);
  hash ^= hash >> 40U;
  std::string term(1, kind);
  for (int i = 0; i < 8; ++i, hash >>= 5U) term += kDigits[hash & 31U];
  return term;
}

/// The key of a node in terms; "": it has none.
std::string known_as(const TypeTerm& statement, NodeId node) {
  switch (statement.at(node).kind) {
    case NodeKind::Constant:
      if (!statement.at(node).full) return "~" + std::string(text::last_part(statement.symbol_of(node)));
      return statement.symbol_of(node);
    case NodeKind::Field:
      return "~" + statement.symbol_of(node);
    case NodeKind::Literal:
      return "=" + statement.symbol_of(node);
    case NodeKind::Variable:
      return "*";
    default:
      return "";
  }
}

// Whether the node has two forms: `n + 1` and `Nat.succ n` match each other, as do 0 and Nat.zero, but have
// different terms.
bool has_two_forms(const TypeTerm& statement, NodeId node) {
  const TermNode& at = statement.at(node);
  if (at.kind == NodeKind::Literal) return statement.symbol_of(node) == "0";
  if (at.kind != NodeKind::Constant) return false;
  const std::string& name = statement.symbol_of(node);
  if (name == "Nat.succ" || name == "Nat.zero" || name == "↑") return true;
  if (name != "HAdd.hAdd" || at.count == 0) return false;
  const NodeId last = statement.arguments_of(node).back();
  return statement.at(last).kind == NodeKind::Literal && statement.symbol_of(last) == "1";
}

// A constant of a pattern, and the constant that means the same for sets.
Terms forms_of(const std::string& name) {
  Terms forms{name};
  if (const std::string_view order = order_of_sets(name); !order.empty()) forms.emplace_back(order);
  return forms;
}

// The possible keys of a node of a pattern: a type that was read as written has only the last part of a name,
// and some terms have two forms. Empty: unknown.
Terms heads_of(const TypeTerm& statement, NodeId node) {
  const TermNode& at = statement.at(node);
  const std::string head = known_as(statement, node);
  if (at.kind == NodeKind::Literal) return head == "=0" ? Terms{head, "Nat.zero"} : Terms{head};
  if (at.kind != NodeKind::Constant || !at.full || head == "↑") return {};
  Terms heads = forms_of(head);
  heads.push_back("~" + std::string(text::last_part(head)));
  if (has_two_forms(statement, node)) {
    const Terms forms = head == "Nat.zero" ? Terms{"=0"} : Terms{"HAdd.hAdd", "Nat.succ", "~succ"};
    heads.insert(heads.end(), forms.begin(), forms.end());
  }
  return heads;
}

std::string place_term(const std::string& path, std::string_view head) {
  return hashed('/', path + "|" + std::string(head));
}
std::string pair_term(const std::string& one, const std::string& other) {
  return hashed('%', one + "=" + other);
}
std::string edge_term(std::string_view parent, std::size_t argument, std::string_view child) {
  return hashed('>', std::string(parent) + "|" + std::to_string(argument) + "|" + std::string(child));
}
// The term of a name that was read as written. Its number of implicit arguments is unknown, and so are the
// places below it.
std::string open_term(std::string_view constant) {
  return hashed('?', text::last_part(constant));
}
std::string premise_term(std::string_view head) {
  return hashed(':', head);
}
Terms premise_terms(const Terms& heads) {
  Terms terms;
  for (const std::string& head : heads) terms.push_back(premise_term(head));
  return terms;
}

// Every statement with a notation has the notation's implicit arguments.
bool is_shown(const TypeTerm& statement, NodeId node, std::size_t argument) {
  const std::string_view letters = notation_letters(statement.symbol_of(node));
  return argument >= letters.size() || letters[argument] == 'e';
}

struct TermPlace {
  std::string path;
  NodeId node = 0;
};

// The nodes of a term down to a depth, by their path of argument numbers.
void collect_places(const TypeTerm& statement, NodeId node, const std::string& path, int depth,
                    std::vector<TermPlace>& places) {
  const TermNode& at = statement.at(node);
  if (at.kind == NodeKind::Hole || places.size() >= kMaxPlaces) return;
  places.push_back({path, node});
  if (at.kind != NodeKind::Constant || !at.full || depth >= kMaxPathDepth) return;
  const auto arguments = statement.arguments_of(node);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (is_shown(statement, node, i))
      collect_places(statement, arguments[i], path + "." + std::to_string(i), depth + 1, places);
}

std::vector<TermPlace> places_in_conclusion(const TypeTerm& statement) {
  std::vector<TermPlace> places;
  collect_places(statement, statement.conclusion, "", 0, places);
  return places;
}

// The terms of a statement that was read as written, in place of the terms that other statements have below
// one of these constants.
Terms open_above(const TypeTerm& statement, const std::vector<TermPlace>& places, const std::string& path) {
  Terms terms;
  for (const TermPlace& above : places) {
    const TermNode& at = statement.at(above.node);
    const bool is_above =
        path.size() > above.path.size() && path.starts_with(above.path) && path[above.path.size()] == '.';
    if (is_above && at.kind == NodeKind::Constant &&
        notation_letters(statement.symbol_of(above.node)).empty())
      terms.push_back(open_term(statement.symbol_of(above.node)));
  }
  return terms;
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

// The pairs of places that have the same variable.
Pairs pairs_of(const TypeTerm& statement, const std::vector<TermPlace>& places) {
  std::map<std::uint32_t, std::vector<std::string>> by_variable;
  for (const TermPlace& place : places)
    if (statement.at(place.node).kind == NodeKind::Variable && statement.at(place.node).count == 0)
      by_variable[statement.at(place.node).number].push_back(place.path);
  Pairs pairs;
  for (const auto& [variable, paths] : by_variable)
    for (std::size_t i = 0; i < paths.size(); ++i)
      for (std::size_t j = i + 1; j < paths.size() && pairs.size() < kMaxPairs; ++j)
        pairs.emplace_back(paths[i], paths[j]);
  return pairs;
}

template <class Use>
void each_edge(const TypeTerm& statement, NodeId node, Use use, int depth = 0) {
  if (depth > 30) return;
  const TermNode& at = statement.at(node);
  const auto arguments = statement.arguments_of(node);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (at.kind == NodeKind::Constant && at.full && is_shown(statement, node, i)) use(node, i, arguments[i]);
    each_edge(statement, arguments[i], use, depth + 1);
  }
}

// The places without those below a node with two forms, which are elsewhere in the other form.
std::vector<TermPlace> fixed_places(const TypeTerm& statement) {
  const auto places = places_in_conclusion(statement);
  std::vector<TermPlace> fixed;
  for (const TermPlace& place : places) {
    const bool moves = std::ranges::any_of(places, [&](const TermPlace& other) {
      return has_two_forms(statement, other.node) && place.path.size() > other.path.size() &&
             place.path.starts_with(other.path) && place.path[other.path.size()] == '.';
    });
    if (!moves) fixed.push_back(place);
  }
  return fixed;
}

bool is_variable(const TypeTerm& statement, NodeId node) {
  return statement.at(node).kind == NodeKind::Variable;
}

void add(TermConditions& all, Terms any) {
  if (!any.empty() && all.size() < kMaxConditions) all.push_back(std::move(any));
}

TermConditions general_conditions(const TypeTerm& statement) {
  TermConditions all;
  for (const TermPlace& place : fixed_places(statement)) {
    Terms any;
    for (const std::string& head : heads_of(statement, place.node))
      any.push_back(place_term(place.path, head));
    if (any.empty() && !is_variable(statement, place.node)) continue;
    // A variable there or above it fits, too.
    for (std::string path = place.path; !path.empty(); path.resize(path.rfind('.')))
      any.push_back(place_term(path, "*"));
    add(all, std::move(any));
  }
  return all;
}

// Adds names of which only the last part is known: fields, and names that depend on open namespaces.
void add_open_names(const TypeTerm& statement, NodeId node, TermConditions& all) {
  const TermNode& at = statement.at(node);
  const bool named = at.kind == NodeKind::Field || (at.kind == NodeKind::Constant && !at.full);
  if (named && statement.symbol_of(node) != "↑")
    add(all, {"~" + std::string(text::last_part(statement.symbol_of(node)))});
  for (const NodeId argument : statement.arguments_of(node)) add_open_names(statement, argument, all);
}

void add_edges(const TypeTerm& statement, NodeId root, TermConditions& all) {
  each_edge(statement, root, [&](NodeId parent, std::size_t argument, NodeId child) {
    if (has_two_forms(statement, parent) || has_two_forms(statement, child)) return;
    Terms any;
    for (const std::string& form : forms_of(statement.symbol_of(parent)))
      for (const std::string& head : heads_of(statement, child))
        any.push_back(edge_term(form, argument, head));
    if (!any.empty() && notation_letters(statement.symbol_of(parent)).empty())
      any.push_back(open_term(statement.symbol_of(parent)));
    add(all, std::move(any));
  });
}

TermConditions conclusion_conditions(const TypeTerm& statement, bool has_holes, bool same_form) {
  TermConditions all;
  const auto fixed = fixed_places(statement);
  for (const TermPlace& place : fixed) {
    Terms any;
    for (const std::string& head : heads_of(statement, place.node))
      any.push_back(place_term(place.path, head));
    if (any.empty() && same_form && is_variable(statement, place.node))
      any.push_back(place_term(place.path, "*"));
    if (!any.empty())
      for (std::string& term : open_above(statement, fixed, place.path)) any.push_back(std::move(term));
    add(all, std::move(any));
  }
  add_open_names(statement, statement.conclusion, all);
  const bool open = is_variable(statement, statement.conclusion);
  if (has_holes || same_form || open)
    for (const std::uint32_t premise : premises_of(statement)) {
      const NodeId type = statement.variables[premise].type;
      if (statement.at(type).kind == NodeKind::Constant && statement.at(type).full)
        add(all, premise_terms(forms_of(statement.symbol_of(type))));
      if (open) add_edges(statement, type, all);
    }
  if (same_form)
    for (const auto& [one, other] : pairs_of(statement, fixed)) {
      Terms any{pair_term(one, other)};
      for (const std::string& path : {one, other})
        for (std::string& term : open_above(statement, fixed, path)) any.push_back(std::move(term));
      all.push_back(std::move(any));
    }
  return all;
}

// The terms for a constant that the type mentions, in all forms that are equal in statements.
Terms mention_of(const std::string& name) {
  Terms any{constant_terms({name}, "").front()};
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kForms = {
      {{"LT.lt", "GT.gt"},
       {"LE.le", "GE.ge"},
       {"Eq", "Ne"},
       {"Not", "Ne"},
       {"HAdd.hAdd", "Nat.succ"},
       {"HasSubset.Subset", "Superset"},
       {"HasSSubset.SSubset", "SSuperset"}}};
  const auto or_of = [&](std::string_view other) {
    if (!other.empty()) any.push_back(constant_terms({std::string(other)}, "").front());
  };
  for (const auto& [form, other] : kForms)
    if (name == form) or_of(other);
  or_of(order_of_sets(name));
  or_of(older_name(name));
  return any;
}

TermConditions conditions_anywhere(const TypeTerm& statement, NodeId root) {
  TermConditions all;
  add_edges(statement, root, all);
  const bool no_edge = all.empty();
  add_open_names(statement, root, all);
  std::vector<NodeId> todo{root};
  while (no_edge && !todo.empty() && all.size() < kMaxConditions) {
    const NodeId node = todo.back();
    todo.pop_back();
    const TermNode& at = statement.at(node);
    const bool told = at.kind == NodeKind::Constant && at.full;
    if (told && statement.symbol_of(node) != "Nat.zero" && statement.symbol_of(node) != "Nat.succ")
      add(all, mention_of(statement.symbol_of(node)));
    const auto arguments = statement.arguments_of(node);
    todo.insert(todo.end(), arguments.begin(), arguments.end());
  }
  return all;
}

}  // namespace

Terms statement_terms(const TypeTerm& statement) {
  Terms terms;
  const auto places = places_in_conclusion(statement);
  for (const TermPlace& place : places)
    if (const std::string head = known_as(statement, place.node); !head.empty())
      terms.push_back(place_term(place.path, head));
  for (const auto& [one, other] : pairs_of(statement, places)) terms.push_back(pair_term(one, other));
  std::size_t open = 0;
  for (const TermNode& node : statement.nodes) {
    const bool named = node.kind == NodeKind::Field || (node.kind == NodeKind::Constant && !node.full);
    if (!named || open++ >= kMaxEdges) continue;
    const std::string& name = statement.symbols[node.number];
    terms.push_back("~" + std::string(text::last_part(name)));
    if (node.count > 0) terms.push_back(open_term(name));
  }
  std::size_t edges = 0;
  const auto add_edges_of = [&](NodeId root) {
    each_edge(statement, root, [&](NodeId parent, std::size_t argument, NodeId child) {
      const NodeKind kind = statement.at(child).kind;
      if ((kind != NodeKind::Constant && kind != NodeKind::Literal && kind != NodeKind::Field) ||
          edges >= kMaxEdges)
        return;
      ++edges;
      terms.push_back(edge_term(statement.symbol_of(parent), argument, known_as(statement, child)));
    });
  };
  add_edges_of(statement.conclusion);
  std::size_t heads = 0;
  for (const TermVariable& variable : statement.variables) {
    if (variable.letter == 'c') continue;
    add_edges_of(variable.type);
    if (statement.at(variable.type).kind == NodeKind::Constant && variable.letter == 'e' &&
        heads < kMaxPremiseHeads) {
      ++heads;
      terms.push_back(premise_term(statement.symbol_of(variable.type)));
    }
  }
  return terms;
}

TermConditions conditions_for(const WrittenStatement& pattern, Wanted wanted) {
  const TypeTerm& statement = pattern.statement;
  switch (wanted) {
    case Wanted::SameForm:
      return conclusion_conditions(statement, pattern.has_holes, true);
    case Wanted::Conclusion:
      return conclusion_conditions(statement, pattern.has_holes, false);
    case Wanted::General:
      return general_conditions(statement);
    case Wanted::Anywhere:
      return conditions_anywhere(statement, pattern.unopened);
  }
  return {};
}

}  // namespace leanbridge::index
