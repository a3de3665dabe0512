#include "source_locations.hpp"

#include "core/base/json.hpp"
#include "core/base/try.hpp"
#include "core/document/file.hpp"
#include "core/lean/project.hpp"
#include "core/text/file_uri.hpp"
#include "core/text/lean_names.hpp"

#include <algorithm>

namespace leanbridge::ide {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

// Whether the path is TOOLCHAIN/src/lean/..., where TOOLCHAIN looks like a toolchain.
bool is_toolchain_source(const fs::path& path) {
  std::error_code ignored;
  for (fs::path folder = path.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
    if (folder.filename() == "lean" && folder.parent_path().filename() == "src" &&
        fs::exists(folder.parent_path().parent_path() / "lib" / "lean", ignored))
      return true;
  return false;
}

Result<text::Text> read_source(const fs::path& asked, const fs::path& root) {
  std::error_code error;
  const fs::path path = fs::weakly_canonical(asked, error);
  // A package may be in any folder; a fetched one may be a link to a copy that several projects share.
  const auto is_around = [&](const fs::path& folder) { return lean::is_within(path, folder); };
  const bool allowed =
      !error && path.extension() == ".lean" &&
      (is_toolchain_source(path) || std::ranges::any_of(lean::built_folders(root), is_around));
  if (!allowed)
    return fail(ErrorKind::OutsideProject,
                asked.string() + " is not a source of the project, its packages or the Lean toolchain.",
                "Use lean_about for the declaration.");
  TRY(auto file, document::load_file(path, path.string(), {}));
  return std::move(*file.text);
}

}  // namespace

std::optional<Place> read_place(const json& location) {
  const bool link = location.is_object() && location.contains("targetUri");
  const auto path = text::path_from_uri(text_member(location, link ? "targetUri" : "uri"));
  const auto selection = lean::read_range(member(location, link ? "targetSelectionRange" : "range"));
  if (!path || !selection) return std::nullopt;
  return Place{*path, *selection, lean::read_range(member(location, "targetRange")).value_or(*selection)};
}

std::vector<Place> read_places(const json& answer) {
  std::vector<Place> places;
  if (answer.is_object()) {
    if (const auto place = read_place(answer)) places.push_back(*place);
  } else if (answer.is_array()) {
    for (const json& location : answer)
      if (const auto place = read_place(location)) places.push_back(*place);
  }
  return places;
}

asio::awaitable<Result<const text::Text*>> Sources::text_of(fs::path path, io::CancelScope scope) {
  if (const auto document = store_->find(path); document && document->state.open())
    co_return &document->state.text();
  if (const auto known = texts_.find(path); known != texts_.end()) co_return known->second.get();
  const auto read = [path, root = store_->root()]() { return read_source(path, root); };
  auto text = co_await lean_.pool.run(read, scope);
  if (!text) co_return tl::unexpected(text.error());
  auto& kept = texts_[path];
  kept = std::make_unique<text::Text>(std::move(*text));
  co_return kept.get();
}

wire::Fields SourceLocation::fields() {
  return wire::fields<&SourceLocation::file_path, &SourceLocation::line, &SourceLocation::column,
                      &SourceLocation::end_line, &SourceLocation::end_column>();
}

asio::awaitable<SourceLocation> Sources::location(Place place, io::CancelScope scope) {
  const auto text = co_await text_of(place.path, scope);
  const auto position = [&](text::LspPosition at) {
    if (text) return (*text)->position_at(at);
    return text::Position{static_cast<int>(at.line) + 1, static_cast<int>(at.character) + 1};
  };
  const text::Position start = position(place.selection.start);
  const text::Position end = position(place.selection.end);
  co_return SourceLocation{place.path.string(), start.line, start.column, end.line, end.column};
}

asio::awaitable<std::string> module_of(std::shared_ptr<document::DocumentStore> store, fs::path path,
                                       io::CancelScope scope) {
  json params = {{"textDocument", {{"uri", text::file_uri(path)}}}};
  const auto answer =
      co_await store->server().request("$/lean/prepareModuleHierarchy", std::move(params), scope);
  co_return answer ? text_member(*answer, "name") : std::string();
}

asio::awaitable<bool> wait_for_index(document::DocumentHandle document, io::CancelScope scope) {
  co_await document.store()->report_built_references(scope);
  // Lean reads the index at the first request, which takes a while with a large library.
  constexpr auto kLimit = std::chrono::seconds(30);
  json params = {{"uri", document.document().uri}, {"version", document.state().version()}};
  const auto waited =
      co_await document.request_once("$/lean/waitForILeans", std::move(params), scope.with_timeout(kLimit));
  co_return waited.has_value();
}

SplitSignature split_signature(const std::string& signature) {
  // Blanks may occur between « and » and in the list of universes.
  std::size_t at = 0;
  bool in_universes = false;
  std::size_t end_of_name = std::string::npos;
  for (; at < signature.size(); ++at) {
    at = text::end_of_quoted(signature, at);
    const std::string_view rest = std::string_view(signature).substr(at);
    if (rest.empty()) break;
    if (rest.starts_with(".{")) in_universes = true;
    if (in_universes) end_of_name = std::min(end_of_name, at);
    if (rest[0] == '}') in_universes = false;
    if (!in_universes && (rest[0] == ' ' || rest[0] == '\n')) break;
  }
  const std::size_t first = signature.find_first_not_of(" \n", at);
  std::string type = first == std::string::npos ? std::string() : signature.substr(first);
  if (type.starts_with(": ")) type.erase(0, 2);
  return {signature.substr(0, std::min(at, end_of_name)), std::move(type)};
}

std::string hover_markdown(const json& hover) {
  const json& contents = member(hover, "contents");
  return contents.is_string() ? contents.get<std::string>() : text_member(contents, "value");
}

Hover read_hover(const json& hover) {
  // Lean's format: ```lean\nSIGNATURE\n``` \n***\n DOCSTRING \n***\n *import MODULE*
  constexpr std::string_view kOpen = "```lean\n", kClose = "\n```", kRule = "\n***\n", kImport = "*import ";
  Hover result;
  std::string rest = hover_markdown(hover);
  if (rest.starts_with(kOpen)) {
    const std::size_t close = rest.find(kClose, kOpen.size());
    if (close == std::string::npos) return result;
    result.signature = rest.substr(kOpen.size(), close - kOpen.size());
    rest = rest.substr(close + kClose.size());
  }
  if (const std::size_t at = rest.rfind(kImport); at != std::string::npos && rest.ends_with('*')) {
    result.module = rest.substr(at + kImport.size(), rest.size() - 1 - at - kImport.size());
    rest.resize(at);
  }
  if (rest.starts_with(kRule)) rest = rest.substr(kRule.size());
  if (rest.ends_with(kRule)) rest.resize(rest.size() - kRule.size());
  if (rest.find_first_not_of(" \n*") != std::string::npos) result.docstring = rest;
  return result;
}

}  // namespace leanbridge::ide
