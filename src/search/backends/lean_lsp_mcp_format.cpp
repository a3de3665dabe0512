// The items of lean-lsp-mcp's tools, whose users expect every field where it was.

#include "leanbridge/search/backends.hpp"

#include <nlohmann/json.hpp>

namespace leanbridge::search {

using nlohmann::json;

namespace {

json or_null(const std::string& text) {
  return text.empty() ? json() : json(text);
}

}  // namespace

json drop_in_item(std::string_view backend, const Hit& hit) {
  if (backend == "leansearch")
    return {{"name", hit.name},
            {"module_name", hit.module},
            {"kind", or_null(hit.kind)},
            {"type", or_null(hit.type)}};
  if (backend == "loogle") return {{"name", hit.name}, {"type", hit.type}, {"module", hit.module}};
  if (backend == "leanfinder")
    return {{"formal_name", hit.name}, {"informal_name", hit.informal_name},
            {"kind", hit.kind},        {"type", hit.type},
            {"path", hit.module},      {"informal_description", hit.informal}};
  return {{"name", hit.name}};  // state_search and hammer
}

}  // namespace leanbridge::search
