#pragma once
/// Types as trees, the common form of patterns, of types in an `.olean`, and of written types. Pure values.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::index {

/// An index into TypeTerm::nodes.
using NodeId = std::uint32_t;

struct TermNode {
  enum class Kind : std::uint8_t {
    Hole,      ///< any term: `_`, and parts that are left out, such as instances
    Variable,  ///< `number` is the index of a variable of the statement
    Bound,     ///< bound by a lambda or ∀ within the term; `number` counts from the innermost
    Constant,  ///< `number` is a symbol
    Field,     ///< a field of its first argument, whose type is not known yet: `.length`; `number` is a
               ///< symbol
    Literal,   ///< a number or string; `number` is a symbol
    Lambda,    ///< its argument is the body
    Pi         ///< domain and body
  };
  Kind kind = Kind::Hole;
  /// For a Constant: it has all arguments, including implicit ones. Written terms have explicit arguments
  /// only.
  bool full = false;
  std::uint32_t number = 0;
  std::uint32_t first = 0;  ///< the arguments, in TypeTerm::arguments
  std::uint32_t count = 0;
};

/// How an argument is passed: 'e' explicit, 'i' implicit, 'c' class instance; 'f' marks a free variable,
/// which is not an argument.
using BinderLetter = char;

struct TermVariable {
  BinderLetter letter = 'e';
  NodeId type = 0;        ///< a Hole if unknown
  std::string name = {};  ///< as written; "" in a statement that was read from its stored text
};

/// `(a : A) {b : B} : conclusion`. Node 0 is a Hole.
struct TypeTerm {
  std::vector<TermNode> nodes{TermNode{}};
  std::vector<NodeId> arguments;
  std::vector<std::string> symbols;
  std::vector<TermVariable> variables;
  NodeId conclusion = 0;

  const TermNode& at(NodeId node) const { return nodes[node]; }
  std::span<const NodeId> arguments_of(NodeId node) const {
    return std::span(arguments).subspan(nodes[node].first, nodes[node].count);
  }
  const std::string& symbol_of(NodeId node) const { return symbols[nodes[node].number]; }
  bool is_constant(NodeId node, std::string_view name) const {
    return nodes[node].kind == TermNode::Kind::Constant && symbol_of(node) == name;
  }

  std::uint32_t symbol(std::string_view text);
  NodeId add(TermNode::Kind kind, std::uint32_t number, std::span<const NodeId> given = {});
  /// A constant in the standard form of all statements: `>` becomes `<`, `≠` becomes `¬ =`. Without its
  /// implicit arguments unless `full`.
  NodeId constant(std::string_view name, std::vector<NodeId> given, bool full);
  /// A copy of a term, in which `change` may rewrite each node that is bound outside of `depth` binders.
  NodeId copied(NodeId node, const std::function<void(TermNode&, std::uint32_t depth)>& change,
                std::uint32_t depth = 0);
  /// Makes a lambda; `fun x => f x` becomes `f`.
  NodeId lambda(NodeId body);
};

/// The symbol of a number, or of a string with its quotes, without the characters that to_text() reserves.
std::string literal_symbol(std::string_view literal);

/// The letters of a declaration with this type, which are those of its leading binders.
std::string letters_of(const TypeTerm& statement);

/// The number of meaningful nodes, for comparing sizes.
std::size_t size_of(const TypeTerm& statement, NodeId node);
/// The variables whose types are the premises: no other part depends on them. With `unread`, includes
/// variables whose type could not be read.
std::vector<std::uint32_t> premises_of(const TypeTerm& statement, bool unread = false);

/// Converts a type to text for storage, and back: `{Nat} <(LE.le Nat _ #0 #0)> : (Eq Nat #0 #0)`. Damaged
/// text gives nullopt.
std::string to_text(const TypeTerm& statement);
std::optional<TypeTerm> statement_from_text(std::string_view text);

/// The letters of a constant; nullopt: unknown.
using LettersOf = std::function<std::optional<std::string>(const std::string&)>;

/// Gives the constants all their arguments, with node 0 for implicit ones, if their letters are known.
/// Constants with notation always have known letters.
TypeTerm completed(const TypeTerm& statement, const LettersOf& letters = nullptr);

}  // namespace leanbridge::index
