#pragma once
/// The declarations of a file as Lean and the text together tell them. Private to this module.

#include "hidden_sorries.hpp"

#include <string>
#include <vector>

namespace leanbridge::tools {

struct Symbol {
  std::string name;     ///< as written; empty for an example or an unnamed instance
  std::string keyword;  ///< "theorem", "def", ...; "namespace"
  std::size_t start = 0;
  std::size_t end = 0;      ///< byte offset just past its last token
  std::size_t name_at = 0;  ///< where hover tells of it
  bool from_lean = false;   ///< in Lean's own outline; false: seen in the text only
};

/// All of them in order, containers before what they contain; sections are left out. `outline`: the answer to
/// textDocument/documentSymbol, or null. Lean leaves out commands that libraries define (`lemma`): those come
/// from the text.
std::vector<Symbol> symbols_of(const text::Text& text, const nlohmann::json& outline);

/// A theorem, a lemma, or an example, which may be something else.
bool is_proposition(const Symbol& symbol);
/// A theorem of Lean's outline of which, though all is elaborated, Lean has said neither that it is proved
/// nor what is wrong with it: it has elaborated something else in its place.
bool is_unannounced(const document::DocumentState& state, const Symbol& symbol);
inline constexpr const char* kUnannounced =
    "Lean has not announced that it is proved: a macro may have put something else in its place.";

struct Outline {
  nlohmann::json symbols;  ///< for symbols_of(); null where Lean has not told
  bool timed_out = false;
};
/// Lean's own outline of the file, once all of it is elaborated.
asio::awaitable<Result<Outline>> outline_of(const OpenFile& file, io::CancelScope scope);

/// How a declaration stands. Proved, of a definition: accepted. Unknown: Lean may keep silent about sorry,
/// and what it compiled tells nothing.
enum class ProofState { Proved, Sorry, Error, Elaborating, Unknown };
wire::Names<ProofState> names_of(ProofState);

/// By what Lean has said so far. The declaration's own proof is meant: what that uses may hold a sorry.
ProofState proof_state(const document::DocumentState& state, const Symbol& symbol,
                       const HiddenSorries& hidden);

}  // namespace leanbridge::tools
