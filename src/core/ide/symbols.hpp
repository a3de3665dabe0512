#pragma once
/// The declarations of a file, from Lean's outline and the text combined.

#include "hidden_sorries.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::ide {

struct Symbol {
  std::string name;     ///< with the enclosing namespaces; empty for an example or unnamed instance
  std::string keyword;  ///< "theorem", "def", ...; "namespace"
  std::size_t start = 0;
  std::size_t end = 0;                                       ///< byte offset just after its last token
  std::size_t name_at = 0;                                   ///< where to ask for its hover
  bool from_lean = false;                                    ///< in Lean's outline; false: only in the text
  std::optional<std::pair<std::size_t, std::size_t>> block;  ///< bytes of the `mutual` block around it
};

/// All declarations in order, containers before their contents, without sections. `outline` is the answer to
/// textDocument/documentSymbol, or null. It lacks the commands that libraries define (`lemma`), which come
/// from the text.
std::vector<Symbol> symbols_of(const text::Text& text, const nlohmann::json& outline);
/// The declarations that the text alone shows, without containers.
std::vector<Symbol> symbols_in(const text::Text& text);

/// A theorem, a lemma, or an example (which may be no proposition).
bool is_proposition(const Symbol& symbol);
/// A theorem in Lean's outline that Lean, though done, has neither announced as proved nor reported as wrong:
/// a macro may have put something else in its place.
bool is_unannounced(const document::DocumentState& state, const Symbol& symbol);
inline constexpr const char* kUnannounced =
    "Lean has not announced that it is proved: a macro may have put something else in its place.";
/// The unannounced theorems of an elaborated document. Every verdict on a text asks for them: Lean may drop
/// an error, so its silence proves nothing. Fetches Lean's outline only if the text has a theorem without
/// announcement.
asio::awaitable<Result<std::vector<Symbol>>> unannounced_theorems(document::DocumentHandle document,
                                                                  io::CancelScope scope);
/// A sentence about an unannounced theorem.
std::string unannounced_reason(const Symbol& symbol);

struct Outline {
  nlohmann::json symbols;  ///< for symbols_of(); null: not known
  bool timed_out = false;
};
/// Waits until the whole file is elaborated, and asks for Lean's outline.
asio::awaitable<Result<Outline>> outline_of(const OpenFile& file, io::CancelScope scope);
/// The types of declarations of the current text, as Lean's hovers show them; empty where there is none.
asio::awaitable<std::vector<std::string>> types_of(document::DocumentHandle document,
                                                   std::vector<Symbol> symbols, io::CancelScope scope);

/// The state of a declaration. Proved: for a definition, accepted. Unknown: Lean may not report a sorry, and
/// the compiled file does not show it either.
enum class ProofState {
  Proved,
  Sorry,
  Error,
  Elaborating,
  NotReached,  ///< the file is not at fault: an import does not compile, or Lake cannot load the project
  Unknown
};
wire::Names<ProofState> names_of(ProofState);

/// The state according to Lean's messages so far. It covers the declaration's own proof: a declaration that
/// the proof uses may contain a sorry.
ProofState proof_state(const document::DocumentState& state, const Symbol& symbol,
                       const HiddenSorries& hidden);

}  // namespace leanbridge::ide
