#include "skill.hpp"

#include "core/base/json.hpp"
#include "core/base/sha256.hpp"
#include "core/base/try.hpp"

#include <string_view>
#include <utility>

namespace leanbridge::mcp {

using nlohmann::json;

namespace {

constexpr std::string_view kFence = "---\n";

Result<json> read_frontmatter(std::string_view text) {
  const auto invalid = [](const std::string& what) {
    return fail(ErrorKind::InvalidArgument, "SKILL.md: " + what);
  };
  json all = json::object();
  if (!text.starts_with(kFence)) return invalid("no frontmatter.");
  for (text.remove_prefix(kFence.size()); !text.starts_with(kFence);) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return invalid("the frontmatter does not end.");
    const std::string_view line = text.substr(0, end);
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos || line.front() == ' ')
      return invalid("not KEY: VALUE: " + std::string(line));
    const std::string_view value = line.substr(colon + 2);
    json read = value.starts_with('"') ? json::parse(value, nullptr, false) : json(value);
    if (!read.is_string()) return invalid("not a string: " + std::string(line));
    all[std::string(line.substr(0, colon))] = std::move(read);
    text.remove_prefix(end + 1);
  }
  for (const char* required : {"name", "description"})
    if (text_member(all, required).empty()) return invalid(std::string("no ") + required + ".");
  return all;
}

// Owns the text that it returns, because the coroutine's frame may outlive the function object that started
// it.
asio::awaitable<Result<json>> read_text(std::string text) {
  co_return json(std::move(text));
}

}  // namespace

std::string Skill::uri() const {
  return "skill://" + text_member(frontmatter, "name") + "/SKILL.md";
}

Result<Skill> read_skill(std::string text) {
  TRY(auto frontmatter, read_frontmatter(text));
  return Skill{std::move(frontmatter), std::move(text)};
}

json describe(const Skill& skill) {
  const json file = {
      {"uri", skill.uri()}, {"digest", "sha256:" + sha256_of(skill.text)}, {"size", skill.text.size()}};
  return {{"uri", skill.uri()}, {"frontmatter", skill.frontmatter}, {"resources", json::array({file})}};
}

Resource resource_of(const Skill& skill) {
  const std::string name = text_member(skill.frontmatter, "name");
  return {skill.uri(),
          name,
          "Skill " + name,
          text_member(skill.frontmatter, "description"),
          [text = skill.text](std::shared_ptr<Call>, std::string) { return read_text(text); },
          {},
          "text/markdown"};
}

}  // namespace leanbridge::mcp
