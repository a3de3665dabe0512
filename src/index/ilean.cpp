#include "leanbridge/base/json.hpp"
#include "leanbridge/index/readers.hpp"
#include "leanbridge/text/text.hpp"

#include "olean_names.hpp"
#include "source_members.hpp"
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>

namespace leanbridge::index {
namespace {

using nlohmann::json;

constexpr std::uint64_t kFirstVersion = 1, kLastVersion = 5;  // Lean's src/Lean/Server/References.lean

tl::unexpected<Error> not_an_ilean(const std::string& why) {
  return fail(ErrorKind::Internal, "Not an .ilean: " + why + ".",
              "The module is left out of the index; rebuild it.");
}

/// The name as users see it; nullopt for one that only Lean uses.
std::optional<Declaration> named(std::string_view name) {
  std::vector<std::string_view> parts = parts_of(name);
  if (parts.empty()) return std::nullopt;
  const auto is_number = [](std::string_view part) {
    return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
  };
  Declaration declaration;
  if (parts.front() == "_private") {
    const auto number = std::find_if(parts.begin(), parts.end(), is_number);
    if (number == parts.end()) return std::nullopt;
    parts.erase(parts.begin(), number + 1);
    declaration.is_private = true;
  }
  for (const std::string_view part : parts) {
    if (part.empty() || is_internal(part) || is_number(part)) return std::nullopt;
    declaration.name.append(declaration.name.empty() ? "" : ".").append(part);
  }
  if (declaration.name.empty()) return std::nullopt;
  return declaration;
}

/// The constant of a key of `references`: `c:Name` in version 1, `{"c":{"m":"Module","n":"Name"}}` since.
std::optional<std::string> constant_of(const std::string& key) {
  if (key.starts_with("c:")) return key.substr(2);
  const json parsed = read_json(key);
  if (!parsed.is_object()) return std::nullopt;
  const auto constant = parsed.find("c");
  if (constant == parsed.end()) return std::nullopt;
  if (constant->is_string()) return constant->get<std::string>();
  if (!constant->is_object()) return std::nullopt;
  const auto name = constant->find("n");
  if (name == constant->end() || !name->is_string()) return std::nullopt;
  return name->get<std::string>();
}

/// Two numbers of a list, from `at` on: line and UTF-16 column, both from 0.
std::optional<text::LspPosition> position(const json& list, std::size_t at) {
  if (!list.is_array() || list.size() < at + 2) return std::nullopt;
  if (!list[at].is_number_unsigned() || !list[at + 1].is_number_unsigned()) return std::nullopt;
  constexpr std::uint64_t kMost = 0x7FFFFFFE;
  const auto line = list[at].get<std::uint64_t>(), column = list[at + 1].get<std::uint64_t>();
  if (line > kMost || column > kMost) return std::nullopt;
  return text::LspPosition{static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(column)};
}

const json& member(const json& object, const char* key) {
  static const json none = json::object();
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? *found : none;
}

}  // namespace

Result<std::vector<Declaration>> read_ilean(std::string_view bytes, std::string_view source) {
  const json file = read_json(bytes);
  if (!file.is_object()) return not_an_ilean("it is no JSON object");
  const auto version = file.find("version");
  if (version == file.end() || !version->is_number_unsigned()) return not_an_ilean("it has no version");
  if (const auto number = version->get<std::uint64_t>(); number < kFirstVersion || number > kLastVersion)
    return fail(ErrorKind::NotSupported,
                "The .ilean has format version " + std::to_string(number) + "; versions 1 to 5 are known.",
                "The module is left out of the index; report its Lean version.");
  const auto module = file.find("module");
  if (module == file.end() || !module->is_string()) return not_an_ilean("it names no module");

  std::map<std::string, text::LspPosition> places;
  for (const auto& [key, info] : member(file, "references").items()) {
    if (!info.is_object() || !info.contains("definition")) continue;
    const auto place = position(info["definition"], 0);
    if (!place) continue;
    if (const auto name = constant_of(key)) places.emplace(*name, *place);
  }
  // Range and selection range, since version 4; the names are those that the text declares.
  for (const auto& [name, ranges] : member(file, "decls").items()) {
    if (const auto place = position(ranges, 4)) places.emplace(name, *place);
  }

  const std::optional<text::Text> text =
      source.empty() ? std::nullopt : std::optional<text::Text>(std::string(source));
  std::vector<Declaration> declarations;
  for (const auto& [name, place] : places) {
    auto declaration = named(name);
    if (!declaration) continue;
    declaration->module = module->get<std::string>();
    declaration->line = place.line + 1;
    if (text) declaration->column = static_cast<std::uint32_t>(text->position_at(place).column);
    declarations.push_back(std::move(*declaration));
  }
  return declarations;
}

}  // namespace leanbridge::index
