// The tools that list the declarations of a file.

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

enum class OutlineKind { Thm, Ns, Struct, Class, Ex, Inst, Ind, Axiom, Def };

wire::Names<OutlineKind> names_of(OutlineKind) {
  return {{OutlineKind::Thm, "Thm"},     {OutlineKind::Ns, "Ns"},       {OutlineKind::Struct, "Struct"},
          {OutlineKind::Class, "Class"}, {OutlineKind::Ex, "Ex"},       {OutlineKind::Inst, "Inst"},
          {OutlineKind::Ind, "Ind"},     {OutlineKind::Axiom, "Axiom"}, {OutlineKind::Def, "Def"}};
}

struct OutlineItem {
  std::string name;
  OutlineKind kind = OutlineKind::Def;
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
  if (text::is_theorem_keyword(keyword)) return OutlineKind::Thm;
  if (keyword == "namespace") return OutlineKind::Ns;
  if (keyword == "structure") return OutlineKind::Struct;
  if (keyword.starts_with("class")) return OutlineKind::Class;
  if (keyword == "example") return OutlineKind::Ex;
  if (keyword == "instance") return OutlineKind::Inst;
  if (keyword == "inductive" || keyword == "coinductive") return OutlineKind::Ind;
  if (keyword == "axiom") return OutlineKind::Axiom;
  return OutlineKind::Def;
}

// Nests the symbols from `at` up to the offset `end`. The recursion is as deep as the file's namespaces.
std::vector<OutlineItem> nested(const text::Text& text, const std::vector<Symbol>& symbols,
                                const std::vector<std::string>& types, std::size_t& at, std::size_t end) {
  std::vector<OutlineItem> list;
  while (at < symbols.size() && symbols[at].start < end) {
    const std::string& type = types[at];
    const Symbol& symbol = symbols[at++];
    list.push_back({symbol.name, kind_of(symbol.keyword), text.position_at(symbol.start).line,
                    text.position_at(symbol.end).line, null_if_empty(type),
                    nested(text, symbols, types, at, symbol.end)});
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
  FileOutlineResult result;
  std::vector<Symbol> symbols;
  for (Symbol& symbol : symbols_of(file.text(), outline.symbols)) {
    if (symbol.keyword != "namespace") ++result.total_declarations;
    if (result.total_declarations <= params.max_declarations) symbols.push_back(std::move(symbol));
  }
  result.truncated = result.total_declarations > params.max_declarations;
  std::vector<std::string> types(symbols.size());
  if (complete) types = co_await types_of(file.handle(), symbols, call->scope);
  if (file.document().state.version() != version) co_return changed_meanwhile(file.document().name);

  std::size_t at = 0;
  result.imports = file.document().disk.header.imported_modules();
  result.declarations = nested(file.text(), symbols, types, at, file.text().size() + 1);
  result.file = status_of(file, late_if(outline.timed_out, complete));
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

// Where the tactics of a declaration begin.
std::vector<std::size_t> steps_of(const std::vector<text::TacticPlace>& places, const Symbol& symbol) {
  std::vector<std::size_t> steps;
  for (const auto& [offset, kind, asked_at, proof] : places)
    if (kind != text::TacticPlace::Kind::End && symbol.start <= offset && offset < symbol.end)
      steps.push_back(offset);
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
    const auto steps = steps_of(places, symbol);
    if (symbol.keyword == "namespace" || (!is_proposition(symbol) && steps.empty())) continue;
    wire::Nullable<FirstTactic> first;
    if (!steps.empty()) {
      const text::Position position = text.position_at(steps.front());
      first = FirstTactic{position.line, position.column};
    }
    result.proofs.push_back({null_if_empty(symbol.name), symbol.keyword, text.position_at(symbol.start).line,
                             text.position_at(symbol.end).line, first, proof_state(state, symbol, hidden),
                             static_cast<int>(steps.size())});
    any_unknown = any_unknown || result.proofs.back().state == ProofState::Unknown;
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
  result.file = status_of(file, late_if((!done && outline.timed_out) || hidden.timed_out, done));
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
