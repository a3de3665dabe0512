#include "live_declarations.hpp"

#include "tools/common/bounded_parallel.hpp"
#include "tools/common/symbols.hpp"
#include "tools/query/name_lookup.hpp"

#include <algorithm>

namespace leanbridge::tools {

using corpus::LiveDeclaration;
using corpus::LiveStatus;
using nlohmann::json;

namespace {

constexpr std::size_t kMaxDeclarations = 500;  // of a file

// What the questions about one file share. Held by each of them.
struct Asking {
  document::DocumentHandle document;
  document::Version version = 0;
  bool indexed = false;
  std::vector<Symbol> symbols;
  std::vector<LiveDeclaration> found;
};

// The constants that the declaration's text names, as Lean's index has them: those of indexed files.
asio::awaitable<void> ask_dependencies(std::shared_ptr<Asking> asking, std::size_t index,
                                       io::CancelScope scope) {
  const document::TextAnchor name_at{asking->symbols[index].name_at, asking->version};
  const auto items =
      co_await asking->document.request_at("textDocument/prepareCallHierarchy", name_at, scope);
  if (!items || !items->value.is_array() || items->value.empty()) co_return;
  json params = {{"item", items->value.front()}};
  const auto calls = co_await asking->document.store()->server().request("callHierarchy/outgoingCalls",
                                                                         std::move(params), scope);
  if (!calls || !(calls->is_array() || calls->is_null())) co_return;
  LiveDeclaration& declaration = asking->found[index];
  std::vector<std::string> names;
  for (const json& call : *calls) {
    const json to = call.is_object() ? call.value("to", json()) : json();
    const json name = to.is_object() ? to.value("name", json()) : json();
    if (name.is_string() &&
        corpus::name_key(name.get<std::string>()) != corpus::name_key(declaration.lean_decl))
      names.push_back(name.get<std::string>());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  declaration.dependencies = std::move(names);
}

asio::awaitable<void> ask_declaration(std::shared_ptr<Asking> asking, std::size_t index,
                                      io::CancelScope scope) {
  const document::TextAnchor name_at{asking->symbols[index].name_at, asking->version};
  const auto hover = co_await asking->document.request_at("textDocument/hover", name_at, scope);
  if (hover) {
    SplitSignature signature = split_signature(read_hover(hover->value).signature);
    if (!signature.name.empty()) asking->found[index].lean_decl = std::move(signature.name);
    asking->found[index].type = std::move(signature.type);
  }
  if (asking->indexed) co_await ask_dependencies(asking, index, scope);
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
    case ProofState::Unknown:
      break;
  }
  return LiveStatus::Unknown;
}

// Fields, constructors and what else Lean makes of other declarations are in no outline.
asio::awaitable<void> ask_unwritten(const OpenFile& file, std::vector<std::string> names,
                                    corpus::LiveFile& live, io::CancelScope scope) {
  std::erase_if(names, [&](const std::string& name) {
    return std::any_of(live.declarations.begin(), live.declarations.end(), [&](const LiveDeclaration& known) {
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
    declaration.type = named.type;
    live.declarations.push_back(std::move(declaration));
  }
}

// The namespaces of the outline, where Lean does not tell the full name.
std::string full_name(const std::vector<Symbol>& symbols, std::size_t index) {
  std::string name = symbols[index].name;
  if (name.starts_with("_root_.")) return name.substr(std::string_view("_root_.").size());
  for (std::size_t i = index; i-- > 0;)
    if (symbols[i].keyword == "namespace" && symbols[i].end >= symbols[index].end)
      name = symbols[i].name + "." + name;
  return name;
}

std::shared_ptr<Asking> begin(const OpenFile& file, const json& outline, const HiddenSorries& hidden) {
  auto asking = std::make_shared<Asking>(Asking{file.handle(), file.state().version(), false, {}, {}});
  const std::vector<Symbol> symbols = symbols_of(file.text(), outline);
  for (std::size_t i = 0; i < symbols.size() && asking->symbols.size() < kMaxDeclarations; ++i) {
    const Symbol& symbol = symbols[i];
    if (symbol.name.empty() || symbol.keyword == "namespace" || symbol.keyword == "example") continue;
    LiveDeclaration declaration;
    declaration.lean_decl = full_name(symbols, i);
    declaration.kind = symbol.keyword;
    declaration.status = status_of(file.document().state, symbol, hidden);
    declaration.start_line = file.text().position_at(symbol.start).line;
    declaration.end_line = file.text().position_at(symbol.end).line;
    asking->symbols.push_back(symbol);
    asking->found.push_back(std::move(declaration));
  }
  return asking;
}

}  // namespace

asio::awaitable<Result<LiveAnswer>> ask_live(Environment& environment, std::shared_ptr<mcp::Call> call,
                                             std::filesystem::path path, std::string file_path,
                                             std::vector<std::string> expected) {
  LiveAnswer answer;
  answer.file.file_path = std::move(file_path);
  const auto give_up = [&](const Error& error) -> Result<LiveAnswer> {
    if (error.kind == ErrorKind::Cancelled) return tl::unexpected(error);
    answer.file.exists = error.kind != ErrorKind::FileNotFound;
    answer.timed_out = error.kind == ErrorKind::Timeout;
    answer.file.complete = false;
    answer.error = error;
    return answer;
  };
  const auto file = co_await open_file(environment, call, path.string());
  if (!file) co_return give_up(file.error());
  const auto outline = co_await outline_of(*file, call->scope);
  if (!outline) co_return give_up(outline.error());
  answer.version = file->document().state.version();
  if (const auto failure = file->header_failure()) co_return give_up(*failure);
  answer.timed_out = outline->timed_out;
  answer.file.complete = outline->symbols.is_array();
  const bool indexed = answer.file.complete && co_await wait_for_index(file->handle(), call->scope);
  const auto hidden = co_await hidden_sorries(environment, *file, call->scope);
  if (!hidden) co_return give_up(hidden.error());
  answer.timed_out = answer.timed_out || hidden->timed_out;
  const auto asking = begin(*file, outline->symbols, *hidden);
  asking->indexed = indexed;
  const auto work = [asking, scope = call->scope](std::size_t i) {
    return ask_declaration(asking, i, scope);
  };
  if (answer.file.complete) co_await for_each_at_once(asking->found.size(), 8, work);
  if (file->document().state.version() != answer.version || asking->version != answer.version)
    co_return give_up(
        Error(ErrorKind::InvalidArgument, file->document().name + " changed meanwhile.", "Call again."));
  answer.file.declarations = std::move(asking->found);
  if (answer.file.complete) co_await ask_unwritten(*file, std::move(expected), answer.file, call->scope);
  co_return answer;
}

}  // namespace leanbridge::tools
