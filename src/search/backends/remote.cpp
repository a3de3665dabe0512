#include "remote.hpp"

#include "leanbridge/base/ascii.hpp"
#include "leanbridge/base/json.hpp"
#include "leanbridge/base/secret.hpp"
#include "leanbridge/text/untrusted.hpp"

#include "explore_item.hpp"

#include <algorithm>

namespace leanbridge::search {

using nlohmann::json;

namespace {
constexpr std::size_t kMaxParsedOnLoop = 256u << 10;  // bytes of JSON: a few milliseconds
}

std::optional<std::string> Remote::disabled_because() const {
  if (!endpoint_.enabled) return title_ + " is disabled in the configuration.";
  if (!offline_) return std::nullopt;
  // The default is on the internet; reading an address would load libcurl.
  if (!endpoint_.is_default) {
    const auto origin = http::origin_of(endpoint_.url);
    if (origin && origin->loopback()) return std::nullopt;
  }
  return "The network is disabled (offline).";
}

asio::awaitable<Outcome<json>> Remote::get(std::string url, io::CancelScope scope) const {
  http::Request request;
  request.url = std::move(url);
  co_return co_await call(std::move(request), std::move(scope));
}

asio::awaitable<Outcome<json>> Remote::post(std::string url, json body, io::CancelScope scope) const {
  http::Request request;
  request.method = "POST";
  request.url = std::move(url);
  request.headers = {{"Content-Type", "application/json"}};
  request.body = body.dump(-1, ' ', false, json::error_handler_t::replace);
  co_return co_await call(std::move(request), std::move(scope));
}

asio::awaitable<Outcome<json>> Remote::call(http::Request request, io::CancelScope scope) const {
  if (auto why = disabled_because()) co_return tl::unexpected(problem(Failure::Unavailable, std::move(*why)));
  request.headers.emplace_back("Accept", "application/json");
  for (const auto& [name, value] : endpoint_.headers) request.headers.emplace_back(name, value.reveal());
  const io::CancelScope limit = scope.with_timeout(endpoint_.timeout);
  auto answer = co_await network_.client.send(std::move(request), limit);
  if (!answer) co_return tl::unexpected(problem_of(answer.error(), title_));
  if (answer->status < 200 || answer->status > 299)
    co_return tl::unexpected(without_secrets(problem_of(*answer, title_)));
  co_return co_await read(std::move(answer->body), limit);
}

asio::awaitable<Outcome<json>> Remote::read(std::string body, io::CancelScope scope) const {
  json value;
  if (body.size() <= kMaxParsedOnLoop) {
    value = text::cleaned_json(read_json(body));
  } else {
    auto work = [body = std::move(body)]() -> Result<json> { return text::cleaned_json(read_json(body)); };
    auto parsed = co_await network_.pool.run(std::move(work), scope);
    if (!parsed) {
      const bool cancelled = parsed.error().kind == ErrorKind::Cancelled;
      co_return tl::unexpected(problem(cancelled ? Failure::Cancelled : Failure::Timeout,
                                       "Reading the answer of " + title_ + " timed out."));
    }
    value = std::move(*parsed);
  }
  if (value.is_discarded())
    co_return tl::unexpected(problem(Failure::ServerError, title_ + " did not return JSON.",
                                     "The URL may be that of a web page, or a proxy may have answered."));
  co_return value;
}

// Servers may quote the headers that they reject.
Problem Remote::without_secrets(Problem problem) const {
  std::vector<std::string> secrets;
  for (const auto& [name, value] : endpoint_.headers) {
    const std::string& secret = value.reveal();
    secrets.push_back(secret.starts_with("Bearer ") ? secret.substr(7) : secret);
  }
  problem.message = leanbridge::without_secrets(std::move(problem.message), secrets, "…");
  return problem;
}

std::string trimmed_text(const json& object, const char* key) {
  return std::string(trimmed(text_member(object, key)));
}

std::string first_text(const json& object, std::initializer_list<const char*> keys) {
  for (const char* key : keys)
    if (std::string found = trimmed_text(object, key); !found.empty()) return found;
  return "";
}

std::optional<double> number(const json& object, const char* key) {
  if (!object.is_object()) return std::nullopt;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::optional<double> score_of(const json& item) {
  if (const auto score = number(item, "score")) return score;
  if (const auto distance = number(item, "distance")) return -*distance;
  return std::nullopt;
}

std::uint32_t line_number(const json& object, const char* key) {
  const auto value = number(object, key);
  return value && *value >= 1 && *value < 1e9 ? static_cast<std::uint32_t>(*value) : 0;
}

std::string dotted(const json& object, const char* key) {
  if (!object.is_object()) return "";
  const auto found = object.find(key);
  if (found == object.end()) return "";
  if (found->is_string()) return found->get<std::string>();
  if (!found->is_array()) return "";
  std::string name;
  for (const json& component : *found) {
    std::string part;
    if (component.is_string())
      part = component.get<std::string>();
    else if (component.is_number_integer())
      part = component.dump();
    if (part.empty()) return "";
    // Components are unquoted.
    if (part.find_first_of(". \t") != std::string::npos && !part.starts_with("«")) part = "«" + part + "»";
    name += (name.empty() ? "" : ".") + part;
  }
  return name;
}

const json& member(const json& object, const char* key) {
  static const json none;
  if (!object.is_object()) return none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}

Hit read_hit(const json& item) {
  Hit hit;
  if (item.is_string()) {
    hit.name = item.get<std::string>();
    return hit;
  }
  if (!item.is_object()) return hit;
  if (const json& inner = member(item, "result"); inner.is_object()) {  // LeanSearch's record
    hit = read_hit(inner);
  } else {
    hit.name = dotted(item, "name");
    if (hit.name.empty())
      hit.name = first_text(item, {"formal_name", "full_name", "lean_name", "declaration"});
    if (hit.name.empty()) hit.name = text_member(member(item, "primary_declaration"), "lean_name");
    hit.kind = text_member(item, "kind");
    hit.type = first_text(item, {"type", "signature", "formal_type"});
    hit.module = dotted(item, "module");
    if (hit.module.empty()) hit.module = dotted(item, "module_name");
    if (hit.module.empty()) hit.module = module_of_file(first_text(item, {"path", "source_file"}));
    hit.docstring = first_text(item, {"docstring", "doc"});
    hit.informal_name = text_member(item, "informal_name");
    hit.informal = first_text(item, {"informal_description", "informalization", "description"});
    hit.file = text_member(item, "doc_url");
    hit.line = line_number(item, "range_start_line");
  }
  hit.score = score_of(item);
  return hit;
}

std::vector<std::string> strings(const json& object, const char* key) {
  std::vector<std::string> list;
  if (!object.is_object()) return list;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return list;
  for (const json& item : *found)
    if (item.is_string()) list.push_back(item.get<std::string>());
  return list;
}

bool in_packages(const std::string& module, const std::vector<std::string>& packages) {
  if (module.empty() || packages.empty()) return true;
  return std::any_of(packages.begin(), packages.end(), [&](std::string package) {
    if (package.ends_with(".lean")) package.resize(package.size() - 5);
    std::replace(package.begin(), package.end(), '/', '.');
    while (package.ends_with('.')) package.pop_back();
    return module == package || module.starts_with(package + ".");
  });
}

void narrow(Found& found, const Question& question) {
  std::erase_if(found.hits, [&](const Hit& hit) {
    return hit.name.empty() || !in_packages(hit.module, question.packages);
  });
  if (found.hits.size() > question.limit) found.hits.resize(question.limit);
}

std::size_t wanted(const Question& question, std::size_t max) {
  const std::size_t several = question.packages.empty() ? 1 : 4;
  return std::clamp<std::size_t>(std::min(question.limit, max) * several, 1, max);
}

}  // namespace leanbridge::search
