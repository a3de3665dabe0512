#include "live_declarations.hpp"

#include "core/base/json.hpp"
#include "core/ide/bounded_parallel.hpp"
#include "core/ide/name_lookup.hpp"
#include "core/ide/symbols.hpp"
#include "core/lean/project.hpp"

#include <algorithm>

namespace leanbridge::tools {

using corpus::LiveDeclaration;
using corpus::LiveStatus;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxDeclarations = 500;  // in one file

// State shared by the requests about one file, each of which holds a reference.
struct FileQuery {
  document::DocumentHandle document;
  document::Version version = 0;
  bool indexed = false;
  std::vector<Symbol> symbols;
  std::vector<LiveDeclaration> found;
};

// The constants named in the declaration, from Lean's index; only those of indexed files.
asio::awaitable<void> ask_dependencies(std::shared_ptr<FileQuery> query, std::size_t index,
                                       io::CancelScope scope) {
  const document::TextAnchor name_at{query->symbols[index].name_at, query->version};
  const auto items = co_await query->document.request_at("textDocument/prepareCallHierarchy", name_at, scope);
  if (!items || !items->value.is_array() || items->value.empty()) co_return;
  json params = {{"item", items->value.front()}};
  const auto calls =
      co_await query->document.request_once("callHierarchy/outgoingCalls", std::move(params), scope);
  if (!calls || !(calls->is_array() || calls->is_null())) co_return;
  LiveDeclaration& declaration = query->found[index];
  std::vector<std::string> names;
  for (const json& call : *calls) {
    const json& name = member(member(call, "to"), "name");
    if (name.is_string() &&
        corpus::name_key(name.get<std::string>()) != corpus::name_key(declaration.lean_decl))
      names.push_back(name.get<std::string>());
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  declaration.dependencies = std::move(names);
}

asio::awaitable<void> ask_declaration(std::shared_ptr<FileQuery> query, std::size_t index,
                                      io::CancelScope scope) {
  const document::TextAnchor name_at{query->symbols[index].name_at, query->version};
  const auto hover = co_await query->document.request_at("textDocument/hover", name_at, scope);
  if (hover) {
    SplitSignature signature = split_signature(read_hover(hover->value).signature);
    if (!signature.name.empty()) query->found[index].lean_decl = std::move(signature.name);
    if (!signature.type.empty()) query->found[index].type = std::move(signature.type);
  }
  if (query->indexed) co_await ask_dependencies(query, index, scope);
}

LiveStatus status_of(const document::DocumentState& state, const Symbol& symbol,
                     const HiddenSorries& hidden) {
  switch (proof_state(state, symbol, hidden)) {
    case ProofState::Proved:
      return LiveStatus::Proved;
    case ProofState::Sorry:
      return LiveStatus::Sorry;
    case ProofState::Error:
      return LiveStatus::Error;
    case ProofState::Elaborating:
      return LiveStatus::Elaborating;
    case ProofState::NotReached:
    case ProofState::Unknown:
      break;
  }
  return LiveStatus::Unknown;
}

// Looks up names that are not in the outline, such as fields, constructors and other declarations that Lean
// derives.
asio::awaitable<void> ask_unwritten(const OpenFile& file, std::vector<std::string> names,
                                    corpus::LiveFile& live, io::CancelScope scope) {
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::any_of(live.declarations, [&](const LiveDeclaration& known) {
      return corpus::name_key(known.lean_decl) == corpus::name_key(name);
    });
  });
  if (names.empty()) co_return;
  const auto answers = co_await look_up(file, whole_context(file), names, DefinitionPlaces::Omit, scope);
  if (!answers) {
    live.complete = false;
    co_return;
  }
  for (const NameInfo& named : *answers) {
    if (!named.known || !named.module.empty()) {
      live.not_here.push_back(named.name);
      continue;
    }
    LiveDeclaration declaration;
    declaration.lean_decl = named.name;
    if (!named.type.empty()) declaration.type = named.type;
    live.declarations.push_back(std::move(declaration));
  }
}

// The full name by the namespaces of the outline, used unless Lean tells it.
std::string full_name(const std::vector<Symbol>& symbols, std::size_t index) {
  std::string name = symbols[index].name;
  if (name.starts_with("_root_.")) return name.substr(std::string_view("_root_.").size());
  for (std::size_t i = index; i-- > 0;)
    if (symbols[i].keyword == "namespace" && symbols[i].end >= symbols[index].end)
      name = symbols[i].name + "." + name;
  return name;
}

std::shared_ptr<FileQuery> begin(const OpenFile& file, const json& outline, const HiddenSorries& hidden) {
  auto query = std::make_shared<FileQuery>(FileQuery{file.handle(), file.state().version(), false, {}, {}});
  const std::vector<Symbol> symbols = symbols_of(file.text(), outline);
  for (std::size_t i = 0; i < symbols.size() && query->symbols.size() < kMaxDeclarations; ++i) {
    const Symbol& symbol = symbols[i];
    if (symbol.name.empty() || symbol.keyword == "namespace" || symbol.keyword == "example") continue;
    LiveDeclaration declaration;
    declaration.lean_decl = full_name(symbols, i);
    if (!symbol.keyword.empty()) declaration.kind = symbol.keyword;
    declaration.proof_status = status_of(file.document().state, symbol, hidden);
    declaration.start_line = file.text().position_at(symbol.start).line;
    declaration.end_line = file.text().position_at(symbol.end).line;
    query->symbols.push_back(symbol);
    query->found.push_back(std::move(declaration));
  }
  return query;
}

// Resolves a card's path, which is relative to the folder of the corpus. It must stay in that folder, because
// cards are untrusted.
Result<fs::path> path_of(const fs::path& root, const std::string& file_path) {
  const auto outside = [&] {
    return fail(ErrorKind::OutsideProject, file_path + " is outside the folder of the corpus.",
                "Use lean_file_outline to read this file.");
  };
  if (file_path.find('\0') != std::string::npos || root.empty()) return outside();
  std::error_code error;
  const fs::path folder = fs::canonical(root, error);
  const fs::path path = error ? fs::path() : fs::weakly_canonical(folder / file_path, error);
  if (error || !lean::is_within(path, folder)) return outside();
  return path;
}

std::vector<std::string> names_in(const corpus::Paper& paper, const std::string& file_path) {
  std::vector<std::string> names;
  for (const corpus::Card& card : paper.cards)
    if (card.lean_decl && card.file_path && corpus::with_slashes(*card.file_path) == file_path)
      names.push_back(*card.lean_decl);
  return names;
}

}  // namespace

asio::awaitable<Result<LiveAnswer>> ask_live(Environment& environment, std::shared_ptr<mcp::Call> call,
                                             const PublishedPaper& published, std::string file_path) {
  LiveAnswer answer;
  answer.file.file_path = file_path;
  const auto give_up = [&](const Error& error) -> Result<LiveAnswer> {
    if (error.kind == ErrorKind::Cancelled) return tl::unexpected(error);
    answer.file.exists = error.kind != ErrorKind::FileNotFound;
    answer.timed_out = error.kind == ErrorKind::Timeout;
    answer.file.complete = false;
    answer.error = LiveFailure{std::string(wire_name(error.kind)), error.message, error.hint};
    return answer;
  };
  const auto path = path_of(published.root, file_path);
  if (!path) co_return give_up(path.error());
  const auto file = co_await open_file(environment, call, path->string());
  if (!file) co_return give_up(file.error());
  const auto outline = co_await outline_of(*file, call->scope);
  if (!outline) co_return give_up(outline.error());
  const document::Version version = file->document().state.version();
  if (version > 0) answer.version = version;
  if (const auto failure = file->header_failure()) co_return give_up(*failure);
  answer.timed_out = outline->timed_out;
  answer.file.complete = outline->symbols.is_array();
  const bool indexed = answer.file.complete && co_await wait_for_index(file->handle(), call->scope);
  const auto hidden = co_await hidden_sorries(environment, *file, call->scope);
  if (!hidden) co_return give_up(hidden.error());
  answer.timed_out = answer.timed_out || hidden->timed_out;
  const auto query = begin(*file, outline->symbols, *hidden);
  query->indexed = indexed;
  const auto work = [query, scope = call->scope](std::size_t i) { return ask_declaration(query, i, scope); };
  if (answer.file.complete) co_await for_each_at_once(query->found.size(), 8, work);
  if (file->document().state.version() != version || query->version != version)
    co_return give_up(Error(ErrorKind::InvalidArgument, file->document().name + " changed during the call.",
                            "Call again."));
  answer.file.declarations = std::move(query->found);
  if (answer.file.complete)
    co_await ask_unwritten(*file, names_in(published.paper, file_path), answer.file, call->scope);
  co_return answer;
}

}  // namespace leanbridge::tools
