// lean_document_proofs: every proof of a file and how it stands.

#include "leanbridge/text/tactic_places.hpp"

#include "tools/common/symbols.hpp"

namespace leanbridge::tools {

namespace {

struct FirstTactic {
  int line = 1;
  int column = 1;

  static wire::Fields fields() {
    return {wire::field<&FirstTactic::line>("line"), wire::field<&FirstTactic::column>("column")};
  }
};

struct DocumentProofItem {
  wire::Nullable<std::string> declaration;  ///< null where it has no name
  std::string kind;                         ///< its keyword
  int start_line = 1;
  int end_line = 1;
  wire::Nullable<FirstTactic> proof_start;  ///< null where it has no tactics
  ProofState state = ProofState::Unknown;
  int steps = 0;

  static wire::Fields fields() {
    return {wire::field<&DocumentProofItem::declaration>("declaration"),
            wire::field<&DocumentProofItem::kind>("kind"),
            wire::field<&DocumentProofItem::start_line>("start_line"),
            wire::field<&DocumentProofItem::end_line>("end_line"),
            wire::field<&DocumentProofItem::proof_start>("proof_start"),
            wire::field<&DocumentProofItem::state>("state"),
            wire::field<&DocumentProofItem::steps>("steps")};
  }
};

struct DocumentProofsResult {
  std::vector<DocumentProofItem> proofs;
  std::optional<std::string> reason;  ///< why not all of it is known
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&DocumentProofsResult::proofs>("proofs"),
            wire::field<&DocumentProofsResult::reason>("reason"),
            wire::flatten<&DocumentProofsResult::file>()};
  }
};

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

asio::awaitable<Result<DocumentProofsResult>> document_proofs(Environment& environment,
                                                              std::shared_ptr<mcp::Call> call,
                                                              FileParams params) {
  CO_TRY(const OpenFile file, co_await open_file(environment, call, params.file_path));
  CO_TRY(const Outline outline, co_await outline_of(file, call->scope));
  CO_TRY(const HiddenSorries hidden, co_await hidden_sorries(environment, file, call->scope));

  // From here on nothing suspends: one version of the table.
  const document::DocumentState& state = file.document().state;
  const text::Text& text = file.text();
  const auto places = text::tactic_places(text.str());
  DocumentProofsResult result;
  bool any_unknown = false;
  for (const Symbol& symbol : symbols_of(text, outline.symbols)) {
    const Steps steps = steps_of(places, symbol);
    if (symbol.keyword == "namespace" || (!is_proposition(symbol) && !steps.first)) continue;
    DocumentProofItem item;
    item.declaration = null_if_empty(symbol.name);
    item.kind = symbol.keyword;
    item.start_line = text.position_at(symbol.start).line;
    item.end_line = text.position_at(symbol.end).line;
    if (steps.first) {
      const text::Position position = text.position_at(*steps.first);
      item.proof_start = FirstTactic{position.line, position.column};
    }
    item.state = proof_state(state, symbol, hidden);
    item.steps = steps.count;
    any_unknown = any_unknown || item.state == ProofState::Unknown;
    result.proofs.push_back(std::move(item));
  }
  if (!hidden.messages_suffice && !hidden.unknown.empty())
    result.reason = hidden.why_unknown();
  else if (const auto exit = text::find_exit(text.str()))
    result.reason = not_checked_below(*exit);
  else if (any_unknown)
    result.reason = kUnannounced;
  const bool done = state.done();
  const bool timed_out = (!done && outline.timed_out) || hidden.timed_out;
  result.file = status_of(file, timed_out ? Completeness::TimedOut
                                : done    ? Completeness::Complete
                                          : Completeness::Partial);
  co_return result;
}

}  // namespace

mcp::Tool lean_document_proofs(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_document_proofs",
                    .title = "Proofs of a file",
                    .group = "query",
                    .description = "Every proof of a file: its state (proved, sorry, error, elaborating, "
                                   "unknown), lines, tactic steps. What a proved one uses may hold a sorry: "
                                   "lean_verify."},
                   document_proofs);
}

}  // namespace leanbridge::tools
