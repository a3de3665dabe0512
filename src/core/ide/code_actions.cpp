#include "code_actions.hpp"

#include "core/base/json.hpp"
#include "core/base/try.hpp"

#include <algorithm>

namespace leanbridge::ide {

using nlohmann::json;

namespace {

void add_edits(const json& edits, std::vector<OfferedEdit>& out) {
  if (!edits.is_array()) return;
  for (const json& edit : edits)
    if (const auto range = lean::read_range(member(edit, "range")))
      out.push_back({*range, edit.value("newText", "")});
}

std::vector<OfferedEdit> edits_of(const json& action) {
  std::vector<OfferedEdit> edits;
  const json& edit = member(action, "edit");
  if (!edit.is_object()) return edits;
  for (const json& change : edit.value("documentChanges", json::array()))
    add_edits(member(change, "edits"), edits);
  const json changes = edit.value("changes", json::object());
  for (const json& of_file : changes) add_edits(of_file, edits);
  return edits;
}

}  // namespace

asio::awaitable<Result<std::optional<std::vector<OfferedAction>>>> offered_actions(
    const OpenFile& file, text::LspRange range, std::vector<std::string> only, io::CancelScope scope) {
  const document::Version version = file.document().state.version();
  json extra = {{"range", lean::to_json(range)}, {"context", {{"diagnostics", json::array()}}}};
  if (!only.empty()) extra["context"]["only"] = only;
  const document::TextAnchor anchor{file.text().offset_at(range.end), version};
  CO_TRY(auto offered,
         in_time(co_await file.request_at("textDocument/codeAction", anchor, scope, std::move(extra))));
  if (!offered) co_return std::nullopt;
  if (offered->version != version)  // the range and the edits refer to the old text
    co_return changed_meanwhile(file.document().name);
  std::vector<OfferedAction> actions;
  if (!offered->value.is_array()) co_return actions;
  for (json& action : offered->value) {
    if (!action.is_object()) continue;
    if (!action.contains("edit") && action.contains("data")) {
      json whole = action;
      auto resolved = co_await file.request_once("codeAction/resolve", std::move(whole), scope);
      if (resolved && resolved->is_object()) action = std::move(*resolved);
    }
    actions.push_back({action.value("title", ""), action.value("kind", ""),
                       action.value("isPreferred", false), edits_of(action)});
  }
  co_return actions;
}

std::optional<std::string> with_edits(const text::Text& text, const std::vector<OfferedEdit>& edits) {
  struct Replacement {
    std::size_t begin, end;
    const std::string* text;
  };
  std::vector<Replacement> all;
  for (const OfferedEdit& edit : edits)
    all.push_back({text.offset_at(edit.range.start), text.offset_at(edit.range.end), &edit.new_text});
  // Insertions at one place come in the order of the list.
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.begin < b.begin; });
  std::string result;
  std::size_t at = 0;
  for (const Replacement& each : all) {
    if (each.begin < at || each.end < each.begin) return std::nullopt;
    result.append(text.str(), at, each.begin - at).append(*each.text);
    at = each.end;
  }
  return result.append(text.str(), at, std::string::npos);
}

}  // namespace leanbridge::ide
