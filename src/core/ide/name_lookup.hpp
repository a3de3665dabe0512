#pragma once
/// Looks up names in Lean: completions of a prefix, and the facts about each name.

#include "scratch_query.hpp"
#include "source_locations.hpp"

namespace leanbridge::ide {

struct Completion {
  std::string label;  ///< the text to insert
  std::string name;   ///< the constant's full name if Lean provides it, else the label
  std::string kind;   ///< LSP's word: "function", "constant", "event" for a theorem, ...
  nlohmann::json item;
};

/// The items of an answer to textDocument/completion. Best matches for `typed`, the text before the position,
/// come first: names that begin with it, those that contain it, the rest; shorter ones first.
std::vector<Completion> read_completions(const nlohmann::json& answer, const std::string& typed);

/// The identifier or part of one, including dots, that ends at a byte offset.
std::string word_before(const text::Text& text, std::size_t offset);

/// The word to complete for the names that contain a part of a name; of `Nat.`, every name in Nat.
/// InvalidArgument if it is no part of a name.
Result<std::string> word_to_complete(const std::string& part);

/// Lean's knowledge about the declaration with this full name.
struct NameInfo {
  std::string name;
  bool known = false;  ///< visible in the context
  std::string type;
  std::string module;
  std::string docstring;       ///< empty: there is none, or it is not loaded
  std::optional<Place> place;  ///< nullopt: Lean knows no source, or the place was not requested
};

/// Whether look_up() also asks where each name is defined, which takes one more request per name.
enum class DefinitionPlaces { Include, Omit };

/// Asks about all names in one scratch document, and returns them in the given order. Names that cannot be
/// written in Lean are not known.
asio::awaitable<Result<std::vector<NameInfo>>> look_up(const OpenFile& file, Context context,
                                                       std::vector<std::string> names,
                                                       DefinitionPlaces places, io::CancelScope scope);

/// Asks in any text, without a file of the user's and without definition places.
asio::awaitable<Result<std::vector<NameInfo>>> look_up(std::shared_ptr<document::DocumentStore> store,
                                                       Context context, std::vector<std::string> names,
                                                       io::CancelScope scope);

/// Lean's completions of `typed` in the context, best first.
asio::awaitable<Result<std::vector<Completion>>> complete(const OpenFile& file, Context context,
                                                          std::string typed, io::CancelScope scope);

/// A declaration in Lean's index of the project.
struct IndexedSymbol {
  std::string name;
  Place place;
};
/// The declarations that Lean's index finds for a query, in its order.
asio::awaitable<std::vector<IndexedSymbol>> indexed_symbols(std::shared_ptr<document::DocumentStore> store,
                                                            std::string query, io::CancelScope scope);

/// Whether `name` is `query`, or ends with it after some namespaces.
bool matches_name(const std::string& name, const std::string& query);

}  // namespace leanbridge::ide
