#pragma once
/// The edits that Lean offers for a place in a file, as an editor gets them.

#include "open_file.hpp"
#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace leanbridge::ide {

/// An edit of the file; its range refers to the text that Lean was asked about.
struct OfferedEdit {
  text::LspRange range;
  std::string new_text;
};

struct OfferedAction {
  std::string title;
  std::string kind;  ///< `quickfix`, `source.organizeImports`
  bool is_preferred = false;
  std::vector<OfferedEdit> edits;  ///< of this file; Lean's code actions touch no other
};

/// Lean's actions for a range of the current text, each with its edits. `only`: the wanted kinds; a Lean that
/// does not know them may offer others. nullopt: time ran out. InvalidArgument if the file was changed
/// meanwhile; otherwise the errors of DocumentHandle::request_at().
asio::awaitable<Result<std::optional<std::vector<OfferedAction>>>> offered_actions(
    const OpenFile& file, text::LspRange range, std::vector<std::string> only, io::CancelScope scope);

/// The text with all edits of an action. nullopt: they overlap.
std::optional<std::string> with_edits(const text::Text& text, const std::vector<OfferedEdit>& edits);

}  // namespace leanbridge::ide
