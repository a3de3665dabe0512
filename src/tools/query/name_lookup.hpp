#pragma once
/// Many names at once: what Lean offers for a beginning, and what it says of each. Private to this module.

#include "source_locations.hpp"
#include "tools/common/scratch_query.hpp"

namespace leanbridge::tools {

struct Completion {
  std::string label;  ///< what to insert
  std::string name;   ///< of the constant, in full, where Lean tells it; else the label
  std::string kind;   ///< LSP's word: "function", "constant", "event" for a theorem, ...
  nlohmann::json item;
};

/// The items of an answer to textDocument/completion, best for `typed` (what stands before the place) first:
/// those that begin with it, those that hold it, the rest; the short ones first.
std::vector<Completion> read_completions(const nlohmann::json& answer, const std::string& typed);

/// The identifier, or the beginning of one, that ends at a byte offset: with its dots.
std::string word_before(const text::Text& text, std::size_t offset);

/// What Lean says of a declaration, by its full name.
struct Named {
  std::string name;
  bool known = false;  ///< visible in the context
  std::string type;
  std::string module;
  std::string docstring;       ///< empty where there is none, or it is not loaded
  std::optional<Place> place;  ///< nullopt where Lean knows of no source, or it was not asked for
};

/// Asks about all names in one scratch document. In the order given; names that cannot be written are not
/// known.
asio::awaitable<Result<std::vector<Named>>> look_up(const OpenFile& file, Context context,
                                                    std::vector<std::string> names, bool with_places,
                                                    io::CancelScope scope);

/// The same without a file of the user's, in any text; places are not asked for.
asio::awaitable<Result<std::vector<Named>>> look_up(std::shared_ptr<document::DocumentStore> table,
                                                    Context context, std::vector<std::string> names,
                                                    io::CancelScope scope);

/// What Lean offers in the context for a word that begins, or is, `typed`, best first.
asio::awaitable<Result<std::vector<Completion>>> complete(const OpenFile& file, Context context,
                                                          std::string typed, io::CancelScope scope);

/// The declarations of the project that Lean's index finds for a query, in its order.
struct Indexed {
  std::string name;
  Place place;
};
asio::awaitable<std::vector<Indexed>> indexed_symbols(std::shared_ptr<document::DocumentStore> table,
                                                      std::string query, io::CancelScope scope);

/// Is `name` what `asked` means: the same, or the same after some namespaces?
bool is_named(const std::string& name, const std::string& asked);

}  // namespace leanbridge::tools
