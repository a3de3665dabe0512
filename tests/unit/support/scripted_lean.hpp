#pragma once
/// A Lean that answers at once, by a table: the texts that it has come from the messages of the bridge, and
/// what it says of them from the test.

#include "core/text/text.hpp"
#include "support/fake_lake.hpp"
#include <nlohmann/json.hpp>

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::test {

class ScriptedLean {
 public:
  using json = nlohmann::json;
  using Goals = std::optional<std::vector<std::string>>;  ///< nullopt: no tactic state

  /// A message about a fragment, where it first stands in a text; none if it does not.
  struct Message {
    std::string at;
    std::string text;
    int severity = 1;
    std::vector<int> tags = {};
    bool silent = false;
  };
  /// The message that a theorem is proved.
  static Message proved(std::string at) { return {std::move(at), "Goals accomplished!", 3, {2}, true}; }

  /// The goals from where a fragment first stands, to the next one. Before the first: no tactic state.
  std::vector<std::pair<std::string, Goals>> goals;
  std::vector<Message> messages;
  /// Decides about a text instead of `messages`, if it is set.
  std::function<std::vector<Message>(const std::string& text)> says;
  /// Answers of other methods, by the text and the params.
  std::map<std::string, std::function<json(const std::string& text, const json& params)>> answers;
  /// The first and last line, from 0, of parts of a text that Lean never finishes.
  std::function<std::vector<std::pair<int, int>>(const std::string& text)> unfinished =
      [](const std::string& /*text*/) { return std::vector<std::pair<int, int>>(); };
  /// Texts that end their worker.
  std::function<bool(const std::string& text)> crashes = [](const std::string& /*text*/) { return false; };
  /// Texts at whose header Lean gives up.
  std::function<bool(const std::string& text)> fails_at_header = [](const std::string& /*text*/) {
    return false;
  };
  /// Questions about goals wait for release().
  bool holds = false;

  std::size_t held() const { return held_.size(); }
  void release(FakeServer& server) {
    holds = false;
    for (; !held_.empty(); held_.pop_front()) receive(server, held_.front());
  }
  /// The newest texts, by URI.
  const std::map<std::string, std::string>& texts() const { return texts_; }

  void receive(FakeServer& server, const json& message) {
    FakeLake::well_behaved(server, message);
    const std::string method = message.value("method", "");
    if (!message.contains("params") || !message["params"].is_object()) return;
    const json& params = message["params"];
    const json document = params.value("textDocument", json::object());
    const std::string uri = document.value("uri", params.value("uri", ""));
    if (method == "textDocument/didOpen") {
      texts_[uri] = document["text"].get<std::string>();
      elaborate(server, uri, document["version"]);
    } else if (method == "textDocument/didChange") {
      for (const json& change : params["contentChanges"]) edit(texts_[uri], change);
      elaborate(server, uri, document["version"]);
    } else if (message.contains("id") && texts_.contains(uri)) {
      const bool is_about_goals = method == "$/lean/plainGoal" || method == "$/lean/rpc/call";
      if (is_about_goals && holds)
        held_.push_back(message);
      else if (crashes(texts_[uri]))
        server.refuse(message, -32902, "the worker crashed");
      else if (method != "textDocument/waitForDiagnostics" || unfinished(texts_[uri]).empty())
        server.reply(message, answer(method, texts_[uri], params));
    }
  }

 private:
  static std::size_t offset_of(const std::string& text, const json& position) {
    return text::Text(text).offset_at(
        {position["line"].get<std::uint32_t>(), position["character"].get<std::uint32_t>()});
  }
  static json position_of(const text::Text& text, std::size_t offset) {
    const text::LspPosition at = text.lsp_position_at(offset);
    return {{"line", at.line}, {"character", at.character}};
  }
  static void edit(std::string& text, const json& change) {
    if (!change.contains("range")) {
      text = change["text"].get<std::string>();
      return;
    }
    const std::size_t begin = offset_of(text, change["range"]["start"]);
    text.replace(begin, offset_of(text, change["range"]["end"]) - begin, change["text"].get<std::string>());
  }

  void elaborate(FakeServer& server, const std::string& uri, const json& version) {
    const text::Text text(texts_[uri]);
    if (crashes(text.str())) return server.progress(uri, version.get<std::int64_t>(), {{0, 0}}, 2);
    json items = json::array();
    for (const Message& each : says ? says(text.str()) : messages) {
      const std::size_t at = text.str().find(each.at);
      if (at == std::string::npos) continue;
      const json range = {{"start", position_of(text, at)}, {"end", position_of(text, at + each.at.size())}};
      items.push_back({{"range", range},
                       {"fullRange", range},
                       {"severity", each.severity},
                       {"message", each.text},
                       {"leanTags", each.tags},
                       {"isSilent", each.silent}});
    }
    server.notify("textDocument/publishDiagnostics",
                  {{"uri", uri}, {"version", version}, {"diagnostics", std::move(items)}});
    if (fails_at_header(text.str())) return server.progress(uri, version.get<std::int64_t>(), {{0, 0}}, 2);
    server.progress(uri, version.get<std::int64_t>(), unfinished(text.str()));
  }

  json answer(const std::string& method, const std::string& text, const json& params) const {
    if (const auto known = answers.find(method); known != answers.end()) return known->second(text, params);
    if (method == "$/lean/rpc/connect") return {{"sessionId", "1"}};
    const bool is_plain = method == "$/lean/plainGoal";
    if (method == "textDocument/waitForDiagnostics") return json::object();
    if (!is_plain && method != "$/lean/rpc/call") return nullptr;
    const json& place = params.contains("position") ? params["position"] : params["params"]["position"];
    const Goals found = goals_at(text, offset_of(text, place));
    if (!found) return nullptr;
    json items = json::array();
    for (const std::string& goal : *found)
      if (is_plain)
        items.push_back(goal);
      else
        items.push_back({{"hyps", json::array()}, {"type", {{"text", goal}}}, {"goalPrefix", "⊢ "}});
    return {{"rendered", ""}, {"goals", std::move(items)}};
  }

  Goals goals_at(const std::string& text, std::size_t offset) const {
    Goals found;
    std::size_t latest = 0;
    for (const auto& [fragment, here] : goals) {
      const std::size_t at = text.find(fragment);
      if (at == std::string::npos || at > offset || at < latest) continue;
      latest = at;
      found = here;
    }
    return found;
  }

  std::map<std::string, std::string> texts_;
  std::deque<json> held_;
};

}  // namespace leanbridge::test
