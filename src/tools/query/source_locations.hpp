#pragma once
/// Places in other source files than the one of the call: what Lean answers to definition, references and
/// symbols. Private to this module.

#include "tools/common/open_file.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace leanbridge::tools {

/// A Location or LocationLink of LSP.
struct Place {
  std::filesystem::path path;
  text::LspRange selection;  ///< of the name
  text::LspRange full;       ///< of the whole declaration, where Lean tells it, else the selection
};

/// nullopt where it is neither, or not about a file.
std::optional<Place> read_place(const nlohmann::json& location);
/// The places of an answer to definition, declaration or references, in Lean's order, those that do not read
/// left out.
std::vector<Place> read_places(const nlohmann::json& answer);

/// A Place as answers have it. Lines and columns from 1, columns in code points; Lean's own (UTF-16) where
/// the file cannot be read.
struct SourceLocation {
  std::string file_path;
  int line = 1;
  int column = 1;
  int end_line = 1;
  int end_column = 1;

  static wire::Fields fields();
};

/// The texts that places are in, each read once: an open document's from its mirror, the others from the
/// disk. Only sources of the project, of its packages and of a Lean toolchain are read, whatever a place
/// says.
class Sources {
 public:
  Sources(Environment& environment, std::shared_ptr<document::DocumentStore> table)
      : environment_(environment), table_(std::move(table)) {}

  /// OutsideProject, and the errors of document::load_file(). The text lives as long as this object.
  asio::awaitable<Result<const text::Text*>> text_of(std::filesystem::path path, io::CancelScope scope);
  /// Of the selection.
  asio::awaitable<SourceLocation> location(Place place, io::CancelScope scope);

 private:
  Environment& environment_;
  std::shared_ptr<document::DocumentStore> table_;
  std::map<std::filesystem::path, std::unique_ptr<text::Text>> texts_;
};

/// The module of a source file, as Lean's index knows it; empty where it does not.
asio::awaitable<std::string> module_of(std::shared_ptr<document::DocumentStore> table,
                                       std::filesystem::path path, io::CancelScope scope);

/// Waits until Lean's index knows the document's current text, which must be elaborated; false where it does
/// not in time.
asio::awaitable<bool> wait_for_index(document::DocumentHandle document, io::CancelScope scope);

/// A name as hover tells of it.
struct Hover {
  std::string signature;  ///< the first Lean block: `Nat.add_comm (n m : Nat) : n + m = m + n`
  std::string docstring;  ///< empty where there is none, or it is not loaded
  std::string module;     ///< where it is imported from; empty for the file's own
};
Hover read_hover(const nlohmann::json& hover);
/// A signature as hover shows it, `Foo.bar.{u, v} (n : Nat) : n = n`, cut behind the name.
struct SplitSignature {
  std::string name;  ///< without the universes
  std::string type;  ///< with the binders; without the colon where it has none
};
SplitSignature split_signature(const std::string& signature);
/// The Markdown of a hover; empty where there is none.
std::string hover_markdown(const nlohmann::json& hover);

}  // namespace leanbridge::tools
