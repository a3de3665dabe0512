#include "name_lookup.hpp"

#include "bounded_parallel.hpp"
#include "core/base/json.hpp"
#include "core/base/try.hpp"
#include "core/text/lean_names.hpp"
#include "core/text/lean_quoting.hpp"

#include <algorithm>
#include <array>

namespace leanbridge::ide {

using nlohmann::json;

namespace {

constexpr std::array<const char*, 26> kKinds = {
    "",         "text",      "method", "function", "constructor",   "field",  "variable",
    "class",    "interface", "module", "property", "unit",          "value",  "enum",
    "keyword",  "snippet",   "color",  "file",     "reference",     "folder", "enum_member",
    "constant", "struct",    "event",  "operator", "type_parameter"};

std::string kind_of(const json& item) {
  const json kind = item.value("kind", json());
  const std::size_t number = kind.is_number_unsigned() ? kind.get<std::size_t>() : 0;
  return number < kKinds.size() ? kKinds[number] : "";
}

// Lean identifies a constant in `data`: in its last string, as `c` and the name, or as {"id": {"const":
// {"declName"}}}.
std::string constant_in(const json& data) {
  if (data.is_array() && !data.empty() && data.back().is_string()) {
    const auto id = data.back().get<std::string>();
    return id.size() > 1 && id[0] == 'c' ? id.substr(1) : std::string();
  }
  const json::json_pointer name("/id/const/declName");
  if (data.is_object() && data.contains(name) && data[name].is_string()) return data[name].get<std::string>();
  return {};
}

int rank(const std::string& label, const std::string& typed) {
  if (label == typed) return 0;
  if (label.starts_with(typed)) return 1;
  const std::size_t dot = label.rfind('.');
  if (dot != std::string::npos && label.compare(dot + 1, typed.size(), typed) == 0) return 2;
  return label.find(typed) != std::string::npos ? 3 : 4;
}

}  // namespace

std::vector<Completion> read_completions(const json& answer, const std::string& typed) {
  const json& items = answer.is_object() ? member(answer, "items") : answer;
  std::vector<Completion> found;
  if (!items.is_array()) return found;
  for (const json& item : items) {
    if (!member(item, "label").is_string()) continue;
    Completion completion;
    completion.label = item["label"].get<std::string>();
    if (completion.label == "-" || completion.label.empty())
      continue;  // the form in which Lean says that
                 // there is no completion
    completion.name = constant_in(member(item, "data"));
    if (completion.name.empty()) completion.name = completion.label;
    completion.kind = kind_of(item);
    completion.item = item;
    found.push_back(std::move(completion));
  }
  const std::string last(text::last_part(typed));
  const auto key = [&](const Completion& c) {
    return std::make_tuple(std::min(rank(c.label, typed), rank(c.label, last)), c.label.size(), c.label);
  };
  std::ranges::stable_sort(found, [&](const Completion& a, const Completion& b) { return key(a) < key(b); });
  return found;
}

std::string word_before(const text::Text& text, std::size_t offset) {
  constexpr std::string_view kEnds = " \t\n()[]{},:;@|=<>+-*/^";
  const std::string& source = text.str();
  std::size_t start = offset;
  while (start > 0 && kEnds.find(source[start - 1]) == std::string_view::npos) --start;
  return source.substr(start, offset - start);
}

Result<std::string> word_to_complete(const std::string& part) {
  const bool dot = part.size() > 1 && part.back() == '.';
  const auto name = text::quote_name(dot ? part.substr(0, part.size() - 1) : part);
  const bool had_to_be_quoted = name && text::has_quotes(*name) && !text::has_quotes(part);
  if (!name || had_to_be_quoted)
    return fail(ErrorKind::InvalidArgument, "'" + part.substr(0, 80) + "' is not part of a name.",
                "Pass part of a name, such as add_comm or Nat.add_; this does not search types or prose.");
  return dot ? *name + "." : *name;
}

namespace {

constexpr std::string_view kCheckCommand = "#check @_root_.";

asio::awaitable<void> ask_one(std::shared_ptr<CommandAnswers> asked,
                              std::shared_ptr<std::vector<NameInfo>> found, std::size_t command,
                              std::size_t index, DefinitionPlaces definition_places, io::CancelScope scope) {
  const OpenFile& file = asked->file();
  const std::size_t at = asked->start(command) + kCheckCommand.size();
  const document::Version version = file.document().state.version();
  const auto hover = co_await file.request_at("textDocument/hover", {at, version}, scope);
  if (hover) {
    Hover told = read_hover(hover->value);
    (*found)[index].module = std::move(told.module);
    (*found)[index].docstring = std::move(told.docstring);
  }
  if (definition_places == DefinitionPlaces::Omit) co_return;
  const auto definition = co_await file.request_at("textDocument/definition", {at, version}, scope);
  if (!definition) co_return;
  const auto places = read_places(definition->value);
  if (!places.empty()) (*found)[index].place = places.front();
}

// `own`: the user's file with which the scratch document begins; empty: there is none.
asio::awaitable<Result<std::vector<NameInfo>>> look_up_in(std::shared_ptr<document::DocumentStore> store,
                                                          Context context, std::vector<std::string> names,
                                                          DefinitionPlaces places, std::filesystem::path own,
                                                          io::CancelScope scope) {
  auto found = std::make_shared<std::vector<NameInfo>>();
  auto indices = std::make_shared<std::vector<std::size_t>>();  // of the names that are asked about
  std::vector<std::string> commands;
  for (const std::string& name : names) {
    NameInfo named;
    named.name = name;
    found->push_back(named);
    const auto spelt = text::quote_name(name);
    if (!spelt) continue;
    indices->push_back(found->size() - 1);
    commands.push_back(std::string(kCheckCommand) + *spelt);
  }
  if (commands.empty()) co_return *found;
  const auto asked =
      co_await ask_in_scratch(std::move(store), std::move(context), std::move(commands), scope);
  if (!asked) co_return tl::unexpected(asked.error());
  const auto types = co_await checked_types(*asked, scope);
  auto visible = std::make_shared<std::vector<std::size_t>>();
  for (std::size_t command = 0; command < indices->size(); ++command) {
    if ((*asked)->failed(command)) continue;
    NameInfo& named = (*found)[(*indices)[command]];
    named.known = true;
    named.type = types[command].value_or("");
    visible->push_back(command);
  }
  const auto work = [=, asked = *asked](std::size_t i) {
    const std::size_t command = (*visible)[i];
    return ask_one(asked, found, command, (*indices)[command], places, scope);
  };
  co_await for_each_at_once(visible->size(), 8, work);
  for (NameInfo& named : *found)
    if (named.place && named.place->path == (*asked)->file().document().path) named.place->path = own;
  co_return *found;
}

}  // namespace

asio::awaitable<Result<std::vector<NameInfo>>> look_up(const OpenFile& file, Context context,
                                                       std::vector<std::string> names,
                                                       DefinitionPlaces places, io::CancelScope scope) {
  return look_up_in(file.store(), std::move(context), std::move(names), places, file.document().path, scope);
}

asio::awaitable<Result<std::vector<NameInfo>>> look_up(std::shared_ptr<document::DocumentStore> store,
                                                       Context context, std::vector<std::string> names,
                                                       io::CancelScope scope) {
  return look_up_in(std::move(store), std::move(context), std::move(names), DefinitionPlaces::Omit, {},
                    scope);
}

asio::awaitable<Result<std::vector<Completion>>> complete(const OpenFile& file, Context context,
                                                          std::string typed, io::CancelScope scope) {
  std::vector<std::string> commands(1, "#check " + typed);
  const std::size_t length = commands[0].size();
  CO_TRY(const auto asked,
         co_await ask_in_scratch(file.store(), std::move(context), std::move(commands), scope));
  const OpenFile& scratch = asked->file();
  const document::Version version = scratch.document().state.version();
  CO_TRY(const auto offered,
         co_await scratch.request_at("textDocument/completion", {asked->start(0) + length, version}, scope));
  co_return read_completions(offered.value, typed);
}

asio::awaitable<std::vector<IndexedSymbol>> indexed_symbols(std::shared_ptr<document::DocumentStore> store,
                                                            std::string query, io::CancelScope scope) {
  json params = {{"query", query}};
  const auto answer = co_await store->server().request("workspace/symbol", std::move(params), scope);
  std::vector<IndexedSymbol> found;
  if (!answer || !answer->is_array()) co_return found;
  for (const json& symbol : *answer) {
    if (!symbol.is_object()) continue;
    auto place = read_place(symbol.value("location", json()));
    if (!place || document::is_scratch_path(place->path)) continue;
    found.push_back({symbol.value("name", std::string()), std::move(*place)});
  }
  co_return found;
}

bool matches_name(const std::string& name, const std::string& query) {
  return name == query ||
         (name.size() > query.size() && name.ends_with(query) && name[name.size() - query.size() - 1] == '.');
}

}  // namespace leanbridge::ide
