#include "symbols.hpp"

#include "bounded_parallel.hpp"
#include "core/base/try.hpp"
#include "core/lean/header_fault.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/text/lean_quoting.hpp"
#include "core/text/mutual_blocks.hpp"
#include "messages.hpp"
#include "source_locations.hpp"

#include <algorithm>

namespace leanbridge::ide {

using nlohmann::json;

namespace {

// In the text, a declaration extends to the next command; its code ends before white space and comments.
std::size_t end_of_code(const std::string& source, std::size_t start, std::size_t end) {
  text::LeanLexer lexer(std::string_view(source).substr(start, end - start));
  std::size_t last = start;
  while (const auto token = lexer.next())
    if (!text::is_comment(token->kind)) last = start + token->end;
  return last;
}

}  // namespace

std::vector<Symbol> symbols_in(const text::Text& text) {
  std::vector<Symbol> found;
  const auto blocks = text::mutual_blocks(text.str());
  for (const text::NamedDeclaration& declared : text::named_declarations(text.str())) {
    const text::DeclarationSite& site = declared.site;
    Symbol symbol;
    symbol.name = declared.full_name;
    symbol.keyword = site.keyword;
    symbol.start = site.start;
    symbol.end = end_of_code(text.str(), site.start, site.end);
    const std::size_t name =
        site.name.empty() ? std::string::npos : text.str().find(site.name, site.keyword_offset);
    symbol.name_at = name == std::string::npos ? site.keyword_offset : name;
    for (const text::MutualBlock& block : blocks)
      if (block.begin <= site.start && site.start < block.end) symbol.block = {block.begin, block.end};
    found.push_back(std::move(symbol));
  }
  return found;
}

namespace {

/// `prefix`: the enclosing namespaces, each followed by a dot.
void collect(const text::Text& text, const json& outline, const std::string& prefix,
             std::vector<Symbol>& found) {
  constexpr int kNamespace = 3;
  if (!outline.is_array()) return;
  for (const json& item : outline) {
    if (!item.is_object()) continue;
    std::string inside = prefix;
    const auto range = lean::read_range(item.value("range", json()));
    const auto selection = lean::read_range(item.value("selectionRange", json()));
    if (range && selection) {
      Symbol symbol;
      symbol.name = item.value("name", std::string());
      symbol.name.resize(symbol.name.find_last_not_of(" \n") + 1);  // the name of an instance is a piece of
                                                                    // its text
      symbol.start = text.offset_at(range->start);
      symbol.end = text.offset_at(range->end);
      symbol.name_at = text.offset_at(selection->start);
      symbol.from_lean = true;
      const bool container = item.value("kind", 0) == kNamespace;
      if (container) symbol.keyword = "namespace";
      // Sections are containers, too, but no part of names.
      if (!container || text.str().compare(symbol.start, 9, "namespace") == 0) {
        constexpr std::string_view kRoot = "_root_.";
        if (container) inside += symbol.name + ".";
        if (symbol.name.starts_with(kRoot))
          symbol.name.erase(0, kRoot.size());
        else if (!container && text::is_lean_name(symbol.name))  // the name of an instance may be a piece of
                                                                 // its text
          symbol.name.insert(0, prefix);
        found.push_back(std::move(symbol));
      }
    }
    if (item.contains("children")) collect(text, item["children"], inside, found);
  }
}

}  // namespace

std::vector<Symbol> symbols_of(const text::Text& text, const json& outline) {
  std::vector<Symbol> found;
  collect(text, outline, "", found);
  for (Symbol& seen : symbols_in(text)) {
    const auto same = std::ranges::find_if(found, [&](const Symbol& known) {
      return known.keyword != "namespace" && known.start < seen.end && seen.start < known.end;
    });
    if (same == found.end()) {
      found.push_back(std::move(seen));
    } else if (same->keyword.empty()) {
      same->keyword = seen.keyword;
      if (!seen.name.empty())
        same->name = std::move(seen.name);
      else if (same->name.starts_with("<"))
        same->name.clear();
    }
  }
  std::ranges::stable_sort(found, [](const Symbol& a, const Symbol& b) {
    return a.start != b.start ? a.start < b.start : a.end > b.end;
  });
  return found;
}

asio::awaitable<Result<Outline>> outline_of(const OpenFile& file, io::CancelScope scope) {
  CO_TRY(const auto known, co_await file.wait_until_done(scope));
  Outline outline;
  outline.timed_out = known == document::WaitOutcome::Partial;
  if (outline.timed_out) co_return outline;
  auto symbols = co_await file.request("textDocument/documentSymbol", scope);
  if (symbols) outline.symbols = std::move(*symbols);
  co_return outline;
}

namespace {

struct TypesAsked {
  document::DocumentHandle document;
  document::Version version;
  std::vector<Symbol> symbols;
  std::vector<std::string> types;
};

asio::awaitable<void> ask_type(std::shared_ptr<TypesAsked> asked, std::size_t index, io::CancelScope scope) {
  const Symbol& symbol = asked->symbols[index];
  if (symbol.keyword == "namespace" || symbol.keyword == "example" || symbol.name.empty()) co_return;
  const auto hover =
      co_await asked->document.request_at("textDocument/hover", {symbol.name_at, asked->version}, scope);
  if (hover) asked->types[index] = split_signature(read_hover(hover->value).signature).type;
}

}  // namespace

asio::awaitable<std::vector<std::string>> types_of(document::DocumentHandle document,
                                                   std::vector<Symbol> symbols, io::CancelScope scope) {
  const std::size_t count = symbols.size();
  const document::Version version = document.state().version();
  auto asked = std::make_shared<TypesAsked>(
      TypesAsked{std::move(document), version, std::move(symbols), std::vector<std::string>(count)});
  co_await for_each_at_once(count, 8, [=](std::size_t i) { return ask_type(asked, i, scope); });
  co_return std::move(asked->types);
}

bool is_proposition(const Symbol& symbol) {
  return text::is_theorem_keyword(symbol.keyword) || symbol.keyword == "example";
}

namespace {

ProofState state_in_messages(const document::DocumentState& state, const Symbol& symbol) {
  const Messages all(state);
  const Messages here = all.within(symbol.start, symbol.end + 1);
  if (here.errors().any()) return ProofState::Error;
  if (here.sorries().any()) return ProofState::Sorry;
  // Lean announces a proof without error and sorry with a silent message.
  if (here.announcements().any()) return ProofState::Proved;
  if (state.header_failed())
    return lean::read_header_fault(state.diagnostics()).elsewhere ? ProofState::NotReached
                                                                  : ProofState::Error;
  if (!state.done()) return ProofState::Elaborating;
  // Lean does not announce definitions. It does announce theorems: without an announcement it proved
  // something else, such as the output of a macro.
  if (is_proposition(symbol)) return ProofState::Unknown;
  if (symbol.from_lean) return ProofState::Proved;
  // Lean's outline may lack declarations of a `mutual` block. They are accepted together or not at all.
  if (!symbol.block) return ProofState::Unknown;
  const bool block_failed = all.within(symbol.block->first, symbol.block->second).errors().any();
  return block_failed ? ProofState::Error : ProofState::Proved;
}

}  // namespace

wire::Names<ProofState> names_of(ProofState) {
  return {{ProofState::Proved, "proved"},
          {ProofState::Sorry, "sorry"},
          {ProofState::Error, "error"},
          {ProofState::Elaborating, "elaborating"},
          {ProofState::NotReached, "not_reached"},
          {ProofState::Unknown, "unknown"}};
}

bool is_unannounced(const document::DocumentState& state, const Symbol& symbol) {
  return symbol.from_lean && is_proposition(symbol) && symbol.keyword != "example" &&
         state_in_messages(state, symbol) == ProofState::Unknown;
}

namespace {

// Whether each theorem of the text has been announced as proved. If one has not, Lean's outline must tell
// whether it is a theorem.
bool all_announced(const document::DocumentState& state) {
  const Messages announcements = Messages(state).announcements();
  for (const text::DeclarationSite& site : text::declarations(state.text().str()))
    if (text::is_theorem_keyword(site.keyword) && !announcements.within(site.start, site.end).any())
      return false;
  return true;
}

}  // namespace

std::string unannounced_reason(const Symbol& symbol) {
  return symbol.name + ": " + kUnannounced;
}

asio::awaitable<Result<std::vector<Symbol>>> unannounced_theorems(document::DocumentHandle document,
                                                                  io::CancelScope scope) {
  std::vector<Symbol> unannounced;
  if (document.state().header_failed() || all_announced(document.state())) co_return unannounced;
  CO_TRY(const auto outline, co_await document.request("textDocument/documentSymbol", scope));
  for (Symbol& symbol : symbols_of(document.text(), outline))
    if (is_unannounced(document.state(), symbol)) unannounced.push_back(std::move(symbol));
  co_return unannounced;
}

ProofState proof_state(const document::DocumentState& state, const Symbol& symbol,
                       const HiddenSorries& hidden) {
  const ProofState reported = state_in_messages(state, symbol);
  if (reported != ProofState::Proved && reported != ProofState::Unknown) return reported;
  const int first = state.text().position_at(symbol.start).line;
  const int last = state.text().position_at(symbol.end).line;
  switch (hidden.about(first, last, symbol.keyword != "example")) {
    case HiddenSorries::Answer::Sorry:
      return ProofState::Sorry;
    case HiddenSorries::Answer::Unknown:
      return ProofState::Unknown;
    case HiddenSorries::Answer::No:
      break;
  }
  return reported;
}

}  // namespace leanbridge::ide
