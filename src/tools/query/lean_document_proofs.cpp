// lean_document_proofs: every proof of a file and how it stands.

#include "leanbridge/text/tactic_places.hpp"

#include "tools/common/symbols.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

struct Steps {
  int count = 0;
  std::optional<std::size_t> first;
};

Steps steps_of(const std::vector<text::TacticPlace>& places, const Symbol& symbol) {
  Steps steps;
  for (const text::TacticPlace& place : places) {
    if (place.offset < symbol.start || place.offset >= symbol.end ||
        place.kind == text::TacticPlace::Kind::End)
      continue;
    if (!steps.first) steps.first = place.offset;
    ++steps.count;
  }
  return steps;
}

Answer answer_document_proofs(Environment& environment, std::shared_ptr<mcp::Call> call,
                              mcp::Arguments arguments) {
  const auto file = co_await open_file(environment, call, arguments);
  if (!file) co_return tl::unexpected(file.error());
  const auto outline = co_await outline_of(*file, call->scope);
  if (!outline) co_return tl::unexpected(outline.error());
  const auto hidden = co_await hidden_sorries(environment, *file, call->scope);
  if (!hidden) co_return tl::unexpected(hidden.error());

  // From here on nothing suspends: one version of the table.
  const document::DocumentState& state = file->document().state;
  const text::Text& text = file->text();
  const auto places = text::tactic_places(text.str());
  json proofs = json::array();
  bool any_unknown = false;
  for (const Symbol& symbol : symbols_of(text, outline->symbols)) {
    const Steps steps = steps_of(places, symbol);
    if (symbol.keyword == "namespace" || (!is_proposition(symbol) && !steps.first)) continue;
    const std::string_view proof = proof_state(state, symbol, *hidden);
    any_unknown = any_unknown || proof == "unknown";
    json start;
    if (steps.first) {
      const text::Position position = text.position_at(*steps.first);
      start = {{"line", position.line}, {"column", position.column}};
    }
    proofs.push_back({{"declaration", symbol.name.empty() ? json() : json(symbol.name)},
                      {"kind", symbol.keyword},
                      {"start_line", text.position_at(symbol.start).line},
                      {"end_line", text.position_at(symbol.end).line},
                      {"proof_start", std::move(start)},
                      {"state", proof},
                      {"steps", steps.count}});
  }
  json result = {{"proofs", std::move(proofs)}};
  if (!hidden->messages_suffice && !hidden->unknown.empty())
    result["reason"] = hidden->why_unknown();
  else if (const auto exit = text::find_exit(text.str()))
    result["reason"] = not_checked_below(*exit);
  else if (any_unknown)
    result["reason"] = kUnannounced;
  const bool done = state.done();
  co_return finish(std::move(result), *file, !done || hidden->timed_out,
                   (!done && outline->timed_out) || hidden->timed_out);
}

}  // namespace

mcp::Tool lean_document_proofs(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_document_proofs";
  tool.title = "Proofs of a file";
  tool.group = "query";
  tool.description =
      "Every proof of a file: its state (proved, sorry, error, elaborating, unknown), lines, tactic steps. "
      "What a proved one uses may hold a sorry: lean_verify.";
  tool.arguments = {file_argument()};
  answers(tool, {{"proofs", schema::list({})}}, {"proofs"});
  tool.handler = bind_handler(environment, answer_document_proofs);
  return tool;
}

}  // namespace leanbridge::tools
