#include "name_lookup.hpp"

#include "leanbridge/text/lean_quoting.hpp"

#include "tools/common/bounded_parallel.hpp"

namespace leanbridge::tools {

using nlohmann::json;

namespace {

constexpr std::string_view kCheck = "#check @_root_.";

asio::awaitable<void> ask_one(std::shared_ptr<Asked> asked, std::shared_ptr<std::vector<Named>> found,
                              std::size_t command, std::size_t index, bool with_place,
                              io::CancelScope scope) {
  const OpenFile& file = asked->file();
  const std::size_t at = asked->start(command) + kCheck.size();
  const document::Version version = file.document().state.version();
  const auto hover = co_await file.request_at("textDocument/hover", {at, version}, scope);
  if (hover) {
    Hover told = read_hover(hover->value);
    (*found)[index].module = std::move(told.module);
    (*found)[index].docstring = std::move(told.docstring);
  }
  if (!with_place) co_return;
  const auto definition = co_await file.request_at("textDocument/definition", {at, version}, scope);
  if (!definition) co_return;
  const auto places = read_places(definition->value);
  if (!places.empty()) (*found)[index].place = places.front();
}

// `own`: the user's file, whose beginning is that of the scratch document; empty: there is none.
asio::awaitable<Result<std::vector<Named>>> look_up_in(std::shared_ptr<document::DocumentStore> table,
                                                       Context context, std::vector<std::string> names,
                                                       bool with_places, std::filesystem::path own,
                                                       io::CancelScope scope) {
  auto found = std::make_shared<std::vector<Named>>();
  auto indices = std::make_shared<std::vector<std::size_t>>();  // of the names that are asked about
  std::vector<std::string> commands;
  for (const std::string& name : names) {
    Named named;
    named.name = name;
    found->push_back(named);
    const auto spelt = text::quote_name(name);
    if (!spelt) continue;
    indices->push_back(found->size() - 1);
    commands.push_back(std::string(kCheck) + *spelt);
  }
  if (commands.empty()) co_return *found;
  const auto asked =
      co_await ask_in_scratch(std::move(table), std::move(context), std::move(commands), scope);
  if (!asked) co_return tl::unexpected(asked.error());
  const auto types = co_await checked_types(*asked, scope);
  auto visible = std::make_shared<std::vector<std::size_t>>();
  for (std::size_t command = 0; command < indices->size(); ++command) {
    if ((*asked)->failed(command)) continue;
    Named& named = (*found)[(*indices)[command]];
    named.known = true;
    named.type = types[command].value_or("");
    visible->push_back(command);
  }
  const auto work = [=, asked = *asked](std::size_t i) {
    const std::size_t command = (*visible)[i];
    return ask_one(asked, found, command, (*indices)[command], with_places, scope);
  };
  co_await for_each_at_once(visible->size(), 8, work);
  for (Named& named : *found)
    if (named.place && named.place->path == (*asked)->file().document().path) named.place->path = own;
  co_return *found;
}

}  // namespace

asio::awaitable<Result<std::vector<Named>>> look_up(const OpenFile& file, Context context,
                                                    std::vector<std::string> names, bool with_places,
                                                    io::CancelScope scope) {
  return look_up_in(file.store(), std::move(context), std::move(names), with_places, file.document().path,
                    scope);
}

asio::awaitable<Result<std::vector<Named>>> look_up(std::shared_ptr<document::DocumentStore> table,
                                                    Context context, std::vector<std::string> names,
                                                    io::CancelScope scope) {
  return look_up_in(std::move(table), std::move(context), std::move(names), false, {}, scope);
}

asio::awaitable<Result<std::vector<Completion>>> complete(const OpenFile& file, Context context,
                                                          std::string typed, io::CancelScope scope) {
  std::vector<std::string> commands(1, "#check " + typed);
  const std::size_t length = commands[0].size();
  const auto asked = co_await ask_in_scratch(file.store(), std::move(context), std::move(commands), scope);
  if (!asked) co_return tl::unexpected(asked.error());
  const OpenFile& scratch = (*asked)->file();
  const document::Version version = scratch.document().state.version();
  const auto offered =
      co_await scratch.request_at("textDocument/completion", {(*asked)->start(0) + length, version}, scope);
  if (!offered) co_return tl::unexpected(offered.error());
  co_return read_completions(offered->value, typed);
}

asio::awaitable<std::vector<Indexed>> indexed_symbols(std::shared_ptr<document::DocumentStore> table,
                                                      std::string query, io::CancelScope scope) {
  json params = {{"query", query}};
  const auto answer = co_await table->server().request("workspace/symbol", std::move(params), scope);
  std::vector<Indexed> found;
  if (!answer || !answer->is_array()) co_return found;
  for (const json& symbol : *answer) {
    if (!symbol.is_object()) continue;
    auto place = read_place(symbol.value("location", json()));
    if (!place || document::is_scratch_path(place->path)) continue;
    found.push_back({symbol.value("name", std::string()), std::move(*place)});
  }
  co_return found;
}

bool is_named(const std::string& name, const std::string& asked) {
  return name == asked ||
         (name.size() > asked.size() && name.ends_with(asked) && name[name.size() - asked.size() - 1] == '.');
}

}  // namespace leanbridge::tools
