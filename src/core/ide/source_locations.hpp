#pragma once
/// Places in any source file, as Lean returns them for definitions, references and symbols; the text of a
/// hover.

#include "open_file.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace leanbridge::ide {

/// An LSP Location or LocationLink.
struct Place {
  std::filesystem::path path;
  text::LspRange selection;  ///< the name
  text::LspRange full;       ///< the whole declaration if Lean provides it, else the selection
};

/// Reads a Location or LocationLink. nullopt: it is neither, or has no file URI.
std::optional<Place> read_place(const nlohmann::json& location);
/// The places in an answer to definition, declaration or references, in Lean's order, without invalid ones.
std::vector<Place> read_places(const nlohmann::json& answer);

/// A Place in a tool's answer. Lines and columns from 1; columns in code points, or in UTF-16 units if the
/// file cannot be read.
struct SourceLocation {
  std::string file_path;
  int line = 1;
  int column = 1;
  int end_line = 1;
  int end_column = 1;

  static wire::Fields fields();
};

/// Source texts, each read once: open documents from memory, others from disk. Refuses files outside the
/// project, its packages and the Lean toolchain, whatever Lean answered.
class Sources {
 public:
  Sources(Lean& lean, std::shared_ptr<document::DocumentStore> store)
      : lean_(lean), store_(std::move(store)) {}

  /// The text lives as long as this object. Errors: OutsideProject and those of document::load_file().
  asio::awaitable<Result<const text::Text*>> text_of(std::filesystem::path path, io::CancelScope scope);
  /// The location of the selection.
  asio::awaitable<SourceLocation> location(Place place, io::CancelScope scope);

 private:
  Lean& lean_;
  std::shared_ptr<document::DocumentStore> store_;
  std::map<std::filesystem::path, std::unique_ptr<text::Text>> texts_;
};

/// The module of a source file according to Lean's index; empty: unknown.
asio::awaitable<std::string> module_of(std::shared_ptr<document::DocumentStore> store,
                                       std::filesystem::path path, io::CancelScope scope);

/// Waits until Lean's index has the document's current text, which must be elaborated. False: not in time.
asio::awaitable<bool> wait_for_index(document::DocumentHandle document, io::CancelScope scope);

/// A hover on a name.
struct Hover {
  std::string signature;  ///< the first Lean block: `Nat.add_comm (n m : Nat) : n + m = m + n`
  std::string docstring;  ///< empty: there is none, or it is not loaded
  std::string module;     ///< the module to import it from; empty for the file's own names
};
Hover read_hover(const nlohmann::json& hover);
/// A hover's signature, `Foo.bar.{u, v} (n : Nat) : n = n`, split after the name.
struct SplitSignature {
  std::string name;  ///< without the universes
  std::string type;  ///< with the binders; without a leading colon
};
SplitSignature split_signature(const std::string& signature);
/// The Markdown of a hover; empty: there is none.
std::string hover_markdown(const nlohmann::json& hover);

}  // namespace leanbridge::ide
