#include "read_hits.hpp"

#include "backend_error.hpp"
#include "core/base/ascii.hpp"
#include "core/base/json.hpp"
#include "core/text/lean_names.hpp"

#include <algorithm>

namespace leanbridge::search {

using nlohmann::json;

std::optional<double> number(const json& object, const char* key) {
  const json& value = member(object, key);
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::vector<std::string> strings(const json& list) {
  std::vector<std::string> texts;
  if (list.is_array())
    for (const json& item : list)
      if (item.is_string()) texts.push_back(item.get<std::string>());
  return texts;
}

std::vector<std::string> dependency_names(const json& value) {
  return strings(value.is_string() ? read_json(value.get_ref<const std::string&>()) : value);
}

namespace {

// The first of these members that is a non-empty text, trimmed.
std::string first_text(const json& object, std::initializer_list<const char*> keys) {
  for (const char* key : keys)
    if (std::string found(trimmed(text_member(object, key))); !found.empty()) return found;
  return "";
}

// A name, given as a text or as a list of components (texts or integers).
std::string dotted(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  std::string name;
  if (!value.is_array()) return name;
  for (const json& component : value) {
    std::string part = component.is_string()           ? component.get<std::string>()
                       : component.is_number_integer() ? component.dump()
                                                       : "";
    if (part.empty()) return "";
    if (component.is_string()) part = text::as_component(text::unquoted(part));
    name += (name.empty() ? "" : ".") + part;
  }
  return name;
}

std::uint32_t line_in(const json& item) {
  auto line = number(item, "range_start_line");
  const std::string link = text_member(item, "source_link");  // "…#L7-L9"
  if (const std::size_t mark = link.find("#L"); !line && mark != link.npos)
    line = std::strtod(link.c_str() + mark + 2, nullptr);
  return line && *line >= 1 && *line < 1e9 ? static_cast<std::uint32_t>(*line) : 0;
}

// Reads the facts in the text of a declaration: its kind, and its type, which is between its name and the
// proof.
void read_source_text(Theorem& hit) {
  const std::string_view source = hit.source_text;
  const std::string_view kind = source.substr(0, source.find_first_of(" \n"));
  if (hit.kind.empty() && kind.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos)
    hit.kind = kind;
  if (!hit.signature.empty()) return;
  const std::string_view last = text::last_part(hit.name);
  const std::size_t at = source.find(last), begin = at == std::string::npos ? 0 : at + last.size();
  hit.signature = trimmed(source.substr(begin, begin == 0 ? source.npos : source.find(":=", begin) - begin));
}

constexpr const char* kLists[] = {"results", "items", "hits", "result", "theorems", "declarations"};

// Appends the items in `value`; false if it contains no list of items.
bool read_items(const json& value, std::vector<Theorem>& hits, int depth = 0) {
  constexpr int kMaxDepth = 4;
  if (depth > kMaxDepth) return false;
  if (!value.is_array()) {
    for (const char* key : kLists)
      if (const json& inner = member(value, key);
          inner.is_array() || (inner.is_object() && inner.size() == 1))
        return read_items(inner, hits, depth + 1);
    return false;
  }
  bool any = value.empty();
  for (const json& item : value) {
    const bool nested = item.is_array() ||
                        std::ranges::any_of(kLists, [&](auto key) { return member(item, key).is_array(); });
    if (nested) {
      any = read_items(item, hits, depth + 1) || any;
    } else if (Theorem hit = read_hit(item); !hit.name.empty()) {
      hits.push_back(std::move(hit));
      any = true;
    }
  }
  return any;
}

}  // namespace

Theorem read_hit(const json& item) {
  if (const json& inner = member(item, "result"); inner.is_object())
    return read_hit(inner);  // the form of
                             // LeanSearch
  Theorem hit;
  const json& declaration = member(item, "primary_declaration");
  for (const std::string& name :
       {item.is_string() ? item.get<std::string>() : "", dotted(member(item, "name")),
        first_text(item, {"formal_name", "full_name", "lean_name", "declaration"}), dotted(declaration),
        text_member(declaration, "lean_name")})
    if (hit.name.empty()) hit.name = name;
  if (!item.is_object()) return hit;
  hit.kind = text_member(item, "kind");
  hit.signature = first_text(item, {"type", "signature", "formal_type", "formal_statement"});
  const std::string file = first_text(item, {"source_file", "path"});
  for (const std::string& module :
       {dotted(member(item, "module")), dotted(member(item, "module_name")), module_of_file(file)})
    if (hit.module.empty()) hit.module = module;
  hit.docstring = first_text(item, {"docstring", "doc"});
  hit.informal_name = text_member(item, "informal_name");
  hit.informal =
      first_text(item, {"informal_description", "informalization", "description", "informal_statement"});
  hit.file = first_text(item, {"doc_url", "source_file"});
  hit.line = line_in(item);
  if (const json& id = member(item, "id"); id.is_number_integer()) hit.id = id.get<std::int64_t>();
  hit.source_text = text_member(item, item.contains("source_text") ? "source_text" : "statement_text");
  if (hit.source_text.empty()) return hit;
  // a member of LeanExplore
  if (hit.file.empty()) hit.file = file_of_module(hit.module);
  read_source_text(hit);
  // Since version 2 it starts with a title in bold: "**Commutativity.** For all ..."
  const std::size_t end = hit.informal.starts_with("**") ? hit.informal.find("**", 2) : hit.informal.npos;
  if (end != hit.informal.npos) {
    hit.informal_name = trimmed(hit.informal.substr(2, end - 2));
    hit.informal = std::string(trimmed(std::string_view(hit.informal).substr(end + 2)));
  }
  return hit;
}

std::optional<std::vector<Theorem>> read_hits(const json& value) {
  std::vector<Theorem> hits;
  return read_items(value, hits) ? std::optional(std::move(hits)) : std::nullopt;
}

Outcome<Found> read_answer(const json& value, const Question& question, const std::string& title) {
  auto hits = read_hits(value);
  if (!hits) return tl::unexpected(wrong_shape(title, "a list of results with names"));
  Found found{std::move(*hits)};
  narrow(found, question);
  return found;
}

json to_result_item(const Theorem& theorem) {
  std::string text = theorem.source_text;
  if (text.empty() && !theorem.kind.empty()) {  // a hit of the local index
    const bool has_colon = theorem.signature.find_first_of(": ") == 0;
    text = theorem.kind + " " + theorem.name + (has_colon ? " " : " : ") + theorem.signature;
  }
  json item = {{"primary_declaration", {{"lean_name", theorem.name}}},
               {"source_file", theorem.source_text.empty() ? file_of_module(theorem.module) : theorem.file},
               {"range_start_line", theorem.line},
               {"statement_text", text}};
  if (theorem.id) item["id"] = *theorem.id;
  if (!theorem.docstring.empty()) item["docstring"] = theorem.docstring;
  const std::string title = theorem.informal_name.empty() ? "" : "**" + theorem.informal_name + "** ";
  if (!theorem.informal.empty()) item["informal_description"] = title + theorem.informal;
  return item;
}

std::string file_of_module(std::string module) {
  const auto path = text::path_of_module(module);
  return path ? path->string() + ".lean" : std::string();
}

std::string module_of_file(std::string file) {
  const bool is_path = file.ends_with(".lean") || file.find('/') != std::string::npos;
  return is_path ? text::module_of_path(file) : file;
}

bool in_packages(const std::string& module, const std::vector<std::string>& packages) {
  if (module.empty() || packages.empty()) return true;
  return std::ranges::any_of(packages, [&](const std::string& package) {
    std::string prefix = module_of_file(package);
    while (prefix.ends_with('.')) prefix.pop_back();
    return (module + ".").starts_with(prefix + ".");
  });
}

void narrow(Found& found, const Question& question) {
  std::erase_if(found.hits, [&](const Theorem& hit) {
    return hit.name.empty() || !in_packages(hit.module, question.packages);
  });
  if (found.hits.size() > question.limit) found.hits.resize(question.limit);
}

std::size_t wanted(const Question& question, std::size_t max) {
  const std::size_t several = question.packages.empty() ? 1 : 4;
  return std::clamp<std::size_t>(std::min(question.limit, max) * several, 1, max);
}

}  // namespace leanbridge::search
