// The tools that list the declarations of a file.

#include "core/ide/bounded_parallel.hpp"
#include "core/ide/source_locations.hpp"
#include "core/ide/symbols.hpp"
#include "core/lean/header_fault.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/tactic_places.hpp"
#include "core/tools/common/typed_tool.hpp"

namespace leanbridge::tools {

// --- lean_file_outline: imports and declarations of a file, with their types.

namespace {

struct FileOutlineParams {
  FileParams file;
  std::size_t max_declarations = 500;

  static wire::Fields fields() {
    return {wire::flatten<&FileOutlineParams::file>(),
            wire::field<&FileOutlineParams::max_declarations>().with_default().at_least(1)};
  }
};

enum class OutlineKind {
  Theorem,
  Namespace,
  Structure,
  Class,
  Example,
  Instance,
  Inductive,
  Axiom,
  Definition
};

wire::Names<OutlineKind> names_of(OutlineKind) {
  return {{OutlineKind::Theorem, "Thm"},   {OutlineKind::Namespace, "Ns"}, {OutlineKind::Structure, "Struct"},
          {OutlineKind::Class, "Class"},   {OutlineKind::Example, "Ex"},   {OutlineKind::Instance, "Inst"},
          {OutlineKind::Inductive, "Ind"}, {OutlineKind::Axiom, "Axiom"},  {OutlineKind::Definition, "Def"}};
}

struct OutlineItem {
  std::string name;
  OutlineKind kind = OutlineKind::Definition;
  int start_line = 1;
  int end_line = 1;
  wire::Nullable<std::string> type_signature;
  std::vector<OutlineItem> children;

  static wire::Fields fields() {
    return wire::fields<&OutlineItem::name, &OutlineItem::kind, &OutlineItem::start_line,
                        &OutlineItem::end_line, &OutlineItem::type_signature, &OutlineItem::children>();
  }
};

struct FileOutlineResult {
  std::vector<std::string> imports;
  std::vector<OutlineItem> declarations;
  std::size_t total_declarations = 0;
  bool truncated = false;
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&FileOutlineResult::imports>(), wire::field<&FileOutlineResult::declarations>(),
            wire::field<&FileOutlineResult::total_declarations>(),
            wire::field<&FileOutlineResult::truncated>().omit_empty(),
            wire::flatten<&FileOutlineResult::file>()};
  }
};

OutlineKind kind_of(const std::string& keyword) {
  if (text::is_theorem_keyword(keyword)) return OutlineKind::Theorem;
  if (keyword == "namespace") return OutlineKind::Namespace;
  if (keyword == "structure") return OutlineKind::Structure;
  if (keyword.starts_with("class")) return OutlineKind::Class;
  if (keyword == "example") return OutlineKind::Example;
  if (keyword == "instance") return OutlineKind::Instance;
  if (keyword == "inductive" || keyword == "coinductive") return OutlineKind::Inductive;
  if (keyword == "axiom") return OutlineKind::Axiom;
  return OutlineKind::Definition;
}

asio::awaitable<void> ask_type(document::DocumentHandle document,
                               std::shared_ptr<std::vector<Symbol>> symbols, document::Version version,
                               std::shared_ptr<std::vector<std::string>> types, std::size_t index,
                               io::CancelScope scope) {
  const Symbol& symbol = (*symbols)[index];
  if (symbol.keyword == "namespace" || symbol.keyword == "example" || symbol.name.empty()) co_return;
  const auto hover = co_await document.request_at("textDocument/hover", {symbol.name_at, version}, scope);
  if (hover) (*types)[index] = split_signature(read_hover(hover->value).signature).type;
}

OutlineItem outline_item(const text::Text& text, const Symbol& symbol, const std::string& type) {
  OutlineItem item;
  item.name = symbol.name;
  item.kind = kind_of(symbol.keyword);
  item.start_line = text.position_at(symbol.start).line;
  item.end_line = text.position_at(symbol.end).line;
  if (!type.empty()) item.type_signature = type;
  return item;
}

// Nests the symbols from `at` up to the offset `end`. The recursion is as deep as the file's namespaces.
std::vector<OutlineItem> nested(const text::Text& text, const std::vector<Symbol>& symbols,
                                const std::vector<std::string>& types, std::size_t& at, std::size_t end) {
  std::vector<OutlineItem> list;
  while (at < symbols.size() && symbols[at].start < end) {
    const Symbol& symbol = symbols[at];
    OutlineItem item = outline_item(text, symbol, types[at]);
    ++at;
    item.children = nested(text, symbols, types, at, symbol.end);
    list.push_back(std::move(item));
  }
  return list;
}

asio::awaitable<Result<FileOutlineResult>> file_outline(Environment& environment,
                                                        std::shared_ptr<mcp::Call> call,
                                                        FileOutlineParams params) {
  CO_TRY(const auto file, co_await open_file(environment, call, params.file.file_path));
  CO_TRY(const auto outline, co_await outline_of(file, call->scope));
  const bool complete = outline.symbols.is_array();

  const document::Version version = file.document().state.version();
  std::vector<Symbol> symbols = symbols_of(file.text(), outline.symbols);
  FileOutlineResult result;
  std::size_t kept = 0;
  for (const Symbol& symbol : symbols) {
    if (symbol.keyword != "namespace") ++result.total_declarations;
    if (result.total_declarations <= params.max_declarations) ++kept;
  }
  result.truncated = result.total_declarations > params.max_declarations;
  symbols.resize(kept);
  auto types = std::make_shared<std::vector<std::string>>(symbols.size());
  auto named = std::make_shared<std::vector<Symbol>>(symbols);
  const auto work = [=, document = file.handle(), scope = call->scope](std::size_t i) {
    return ask_type(document, named, version, types, i, scope);
  };
  if (complete) co_await for_each_at_once(symbols.size(), 8, work);
  if (file.document().state.version() != version) co_return changed_meanwhile(file.document().name);

  std::size_t at = 0;
  result.imports = file.document().disk.header.imported_modules();
  result.declarations = nested(file.text(), symbols, *types, at, file.text().size() + 1);
  result.file = status_of(file, outline.timed_out ? Completeness::TimedOut
                                : complete        ? Completeness::Complete
                                                  : Completeness::Partial);
  co_return result;
}

}  // namespace

mcp::Tool lean_file_outline(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_file_outline",
       .title = "Outline of a file",
       .group = "query",
       .description = "Imports and declarations of a file with types and lines, without proofs."},
      file_outline);
}

// --- lean_document_proofs: every proof of a file and its state.

namespace {

struct FirstTactic {
  int line = 1;
  int column = 1;

  static wire::Fields fields() { return wire::fields<&FirstTactic::line, &FirstTactic::column>(); }
};

struct DocumentProofItem {
  wire::Nullable<std::string> declaration;  ///< null: it has no name
  std::string kind;                         ///< its keyword
  int start_line = 1;
  int end_line = 1;
  wire::Nullable<FirstTactic> proof_start;  ///< null: it has no tactics
  ProofState state = ProofState::Unknown;
  int steps = 0;

  static wire::Fields fields() {
    return {wire::field<&DocumentProofItem::declaration>().omit_empty(),
            wire::field<&DocumentProofItem::state>(),
            wire::field<&DocumentProofItem::kind>(),
            wire::field<&DocumentProofItem::start_line>(),
            wire::field<&DocumentProofItem::end_line>(),
            wire::field<&DocumentProofItem::proof_start>().omit_empty(),
            wire::field<&DocumentProofItem::steps>().omit_empty()};
  }
};

struct DocumentProofsResult {
  std::vector<DocumentProofItem> proofs;
  std::optional<std::string> reason;  ///< why some states are unknown
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&DocumentProofsResult::proofs>(), wire::field<&DocumentProofsResult::reason>(),
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

  // No code below suspends, so the whole answer is about one version of the document.
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
  if (state.header_failed())
    result.reason = lean::read_header_fault(state.diagnostics()).why;
  else if (!hidden.messages_suffice && !hidden.unknown.empty())
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
  return make_tool(
      environment,
      {.name = "lean_document_proofs",
       .title = "Proofs of a file",
       .group = "query",
       .description =
           "One row per proof of a file: proved, sorry, error, elaborating or unknown, and its lines. A "
           "proved one may use unproved ones. Which: lean_verify.",
       .listed = false},
      document_proofs);
}

}  // namespace leanbridge::tools
