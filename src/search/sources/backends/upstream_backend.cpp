// Search tools of other MCP servers differ in names, arguments and answers, and these change. So requests
// follow the tool's schema, and answers are searched for the fields of a theorem.

#include "search/sources/upstream_backend.hpp"

#include "backend_error.hpp"
#include "core/base/json.hpp"
#include "core/text/untrusted.hpp"
#include "read_hits.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace leanbridge::search {

using nlohmann::json;

namespace {

const std::map<std::string, std::vector<std::string>> kUsualNames = {
    {"leansearch", {"lean_leansearch", "leansearch", "leansearch_search", "search_leansearch", "search"}},
    {"loogle", {"lean_loogle", "loogle", "loogle_search", "search_loogle", "search"}},
    {"leanexplore", {"search", "lean_explore", "leanexplore", "leanexplore_search", "search_summary"}},
    {"leanfinder", {"lean_leanfinder", "leanfinder", "lean_finder", "search"}},
};

constexpr std::array kTextArguments = {"query",  "q",       "queries",      "text",
                                       "search", "pattern", "search_query", "type"};
constexpr std::array kLimitArguments = {"num_results", "limit", "max_results", "n", "k", "count", "top_k"};

class UpstreamBackend final : public Backend {
 public:
  explicit UpstreamBackend(UpstreamTool tool)
      : tool_(std::move(tool)), name_(tool_.service + "@" + tool_.server) {}

  std::string_view name() const override { return name_; }
  bool remote() const override { return true; }
  std::string identity() const override { return tool_.identity; }
  std::optional<Problem> disabled_because() const override {
    if (tool_.disabled) return problem(Failure::Offline, "The network is disabled (--offline).");
    return std::nullopt;
  }

  asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) override {
    CO_ASK(const auto offered, co_await tool_.offer(scope));
    const json* tool = choose_tool(offered, tool_);
    if (!tool) co_return tl::unexpected(no_tool());
    constexpr std::size_t kMaxResults = 100;
    auto arguments = arguments_for(*tool, question.text, wanted(question, kMaxResults));
    if (!arguments)
      co_return tl::unexpected(
          problem(Failure::ServerError,
                  "The tool " + text_member(*tool, "name") + " of " + tool_.server + " takes no text.",
                  "Set search_tool to another one."));
    CO_ASK(const auto result, co_await tool_.call(text_member(*tool, "name"), std::move(*arguments), scope));
    co_return read(result, question);
  }

 private:
  Problem no_tool() const {
    return problem(
        Failure::ServerError,
        tool_.tool.empty() ? "The server " + tool_.server + " has no known search tool."
                           : "The server " + tool_.server + " has no tool " + tool_.tool + ".",
        "Set search_tool in its entry; `leanbridge mcp tools " + tool_.server + "` lists its tools.");
  }

  Outcome<Found> read(const json& result, const Question& question) const {
    if (is_true(result, "isError")) {
      const json& content = member(result, "content");
      const json first = content.is_array() && !content.empty() ? content.front() : json();
      const std::string said = one_line(text_member(first, "text"));
      return tl::unexpected(
          problem(Failure::ServerError, name_ + " failed: " + (said.empty() ? "no reason given." : said)));
    }
    auto hits = read_upstream_hits(result);
    if (!hits) return tl::unexpected(wrong_shape(name_, "a list of results"));
    Found found{std::move(*hits)};
    narrow(found, question);
    return found;
  }

  UpstreamTool tool_;
  std::string name_;
};

}  // namespace

const std::vector<std::string>& upstream_services() {
  static const std::vector<std::string> services = {"leanexplore", "leanfinder", "leansearch", "loogle"};
  return services;
}

const json* choose_tool(const std::vector<json>& offered, const UpstreamTool& wanted) {
  std::vector<std::string> names{wanted.tool};
  if (wanted.tool.empty() && kUsualNames.contains(wanted.service)) names = kUsualNames.at(wanted.service);
  for (const std::string& name : names)
    for (const json& tool : offered)
      if (text_member(tool, "name") == name) return &tool;
  return wanted.tool.empty() && offered.size() == 1 ? &offered.front() : nullptr;
}

std::optional<json> arguments_for(const json& tool, const std::string& text, std::size_t limit) {
  const json& schema = member(tool, "inputSchema");
  const json& properties = member(schema, "properties");
  const auto first_of = [&](const auto& names) -> std::string {
    const auto known =
        std::ranges::find_if(names, [&](const char* name) { return properties.contains(name); });
    return known == names.end() ? "" : *known;
  };
  std::string place = first_of(kTextArguments);
  const json& required = member(schema, "required");
  if (place.empty() && required.is_array() && required.size() == 1 && required.front().is_string())
    place = required.front().get<std::string>();
  if (place.empty()) return std::nullopt;
  const bool as_list = member(member(properties, place), "type") == json("array");
  json arguments = {{place, as_list ? json::array({text}) : json(text)}};
  if (const std::string name = first_of(kLimitArguments); !name.empty()) {
    const auto most = number(properties[name], "maximum");
    if (most && *most >= 1 && *most < static_cast<double>(limit)) limit = static_cast<std::size_t>(*most);
    arguments[name] = limit;
  }
  return arguments;
}

std::optional<std::vector<Theorem>> read_upstream_hits(const json& result) {
  if (const json& structured = member(result, "structuredContent"); !structured.is_null())
    if (auto hits = read_hits(text::cleaned_json(structured))) return hits;
  const json& content = member(result, "content");
  if (!content.is_array()) return std::nullopt;
  // Some servers send a list in one text, others one text per item.
  json items = json::array();
  for (const json& block : content)
    if (json value = text::cleaned_json(read_json(text_member(block, "text"))); !value.is_discarded())
      items.push_back(std::move(value));
  if (items.empty() && !content.empty()) return std::nullopt;
  return read_hits(items);
}

std::unique_ptr<Backend> make_upstream_backend(UpstreamTool tool) {
  return std::make_unique<UpstreamBackend>(std::move(tool));
}

}  // namespace leanbridge::search
