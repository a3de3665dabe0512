#include "explore_item.hpp"

#include "leanbridge/base/ascii.hpp"
#include "leanbridge/base/json.hpp"

#include "remote.hpp"

#include <algorithm>

namespace leanbridge::search {

using nlohmann::json;

namespace {

std::optional<std::string> optional_text(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

std::optional<std::int64_t> read_id(const json& object) {
  const auto found = object.find("id");
  if (found == object.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

// The type of the statement: the text between its name and the proof.
std::string type_in(const std::string& statement, const std::string& name) {
  const std::string last = name.substr(name.rfind('.') + 1);
  const std::size_t at = statement.find(last);
  if (last.empty() || at == std::string::npos) return std::string(trimmed(statement));
  const std::size_t begin = at + last.size();
  return std::string(trimmed(std::string_view(statement).substr(begin, statement.find(":=", begin) - begin)));
}

}  // namespace

std::string file_of_module(std::string module) {
  if (module.empty()) return module;
  std::replace(module.begin(), module.end(), '.', '/');
  return module + ".lean";
}

std::string module_of_file(std::string file) {
  if (file.ends_with(".lean")) file.resize(file.size() - 5);
  std::replace(file.begin(), file.end(), '/', '.');
  return file;
}

std::uint32_t line_in_link(const std::string& link) {
  const std::size_t at = link.rfind("#L");
  if (at == std::string::npos) return 0;
  std::uint32_t line = 0;
  for (std::size_t i = at + 2; i < link.size() && link[i] >= '0' && link[i] <= '9' && line < 100'000'000; ++i)
    line = line * 10 + static_cast<std::uint32_t>(link[i] - '0');
  return line;
}

std::vector<std::string> dependency_names(const json& object) {
  const auto found = object.find("dependencies");
  if (found == object.end()) return {};
  json list = *found;
  if (list.is_string()) list = read_json(list.get_ref<const std::string&>());
  std::vector<std::string> names;
  if (list.is_array())
    for (const json& name : list)
      if (name.is_string()) names.push_back(name.get<std::string>());
  return names;
}

std::optional<ExploreItem> read_explore_item(const json& object) {
  if (!object.is_object()) return std::nullopt;
  ExploreItem item;
  item.id = read_id(object);
  item.docstring = optional_text(object, "docstring");
  if (const auto declaration = object.find("primary_declaration"); declaration != object.end()) {
    item.name =
        declaration->is_string() ? declaration->get<std::string>() : text_member(*declaration, "lean_name");
    item.source_file = text_member(object, "source_file");
    item.line = line_number(object, "range_start_line");
    item.statement = text_member(object, "statement_text");
    item.informal = optional_text(object, "informal_description");
  } else {
    item.name = text_member(object, "name");
    item.source_file = file_of_module(text_member(object, "module"));
    item.line = line_in_link(text_member(object, "source_link"));
    item.statement = text_member(object, "source_text");
    item.informal = optional_text(object, "informalization");
  }
  if (!item.id || item.name.empty()) return std::nullopt;
  return item;
}

json to_result_item(const ExploreItem& item) {
  json result = {{"primary_declaration", {{"lean_name", item.name}}},
                 {"source_file", item.source_file},
                 {"range_start_line", item.line},
                 {"statement_text", item.statement}};
  if (item.id) result["id"] = *item.id;
  if (item.docstring) result["docstring"] = *item.docstring;
  if (item.informal) result["informal_description"] = *item.informal;
  return result;
}

Hit to_hit(const ExploreItem& item) {
  Hit hit;
  hit.name = item.name;
  hit.kind = item.statement.substr(0, item.statement.find_first_of(" \n"));
  if (hit.kind.empty() || hit.kind.find_first_not_of("abcdefghijklmnopqrstuvwxyz") != std::string::npos)
    hit.kind.clear();
  hit.type = type_in(item.statement, item.name);
  hit.module = module_of_file(item.source_file);
  hit.docstring = item.docstring.value_or("");
  hit.informal = item.informal.value_or("");
  // Since version 2 it starts with a title in bold: "**Commutativity.** For all ..."
  if (hit.informal.starts_with("**"))
    if (const std::size_t end = hit.informal.find("**", 2); end != std::string::npos) {
      hit.informal_name = trimmed(hit.informal.substr(2, end - 2));
      hit.informal = std::string(trimmed(std::string_view(hit.informal).substr(end + 2)));
    }
  hit.file = item.source_file;
  hit.line = item.line;
  if (item.id) hit.id = std::to_string(*item.id);
  return hit;
}

asio::awaitable<Outcome<Found>> Explore::ask(Question question, io::CancelScope scope) {
  CO_ASK(const auto answer, co_await search(question, std::move(scope)));
  Found found;
  for (const ExploreItem& item : answer.items) found.hits.push_back(to_hit(item));
  found.note = answer.note;
  found.partial = answer.partial;
  co_return found;
}

}  // namespace leanbridge::search
