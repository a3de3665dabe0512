#include "config_file.hpp"

#include "leanbridge/base/files.hpp"
#include "leanbridge/search/config.hpp"

#include <nlohmann/json.hpp>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

namespace leanbridge::search {

namespace {

// The value as the text that a flag would have; nothing for a date or an array.
std::optional<std::string> text_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (node.is_boolean() || node.is_number()) {
    std::ostringstream out;
    node.visit([&](const auto& value) {
      if constexpr (toml::is_boolean<decltype(value)> || toml::is_number<decltype(value)>)
        out << std::boolalpha << value.get();
    });
    return out.str();
  }
  const auto* table = node.as_table();
  if (!table) return std::nullopt;
  nlohmann::json object = nlohmann::json::object();
  for (const auto& [key, value] : *table) {
    const auto* text = value.as_string();
    if (!text) return std::nullopt;
    object[std::string(key.str())] = text->get();
  }
  return object.dump();
}

class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  /// `prefix` is the name of the table below `search`, with a dot, or empty.
  Result<void> read(const toml::table& table, const std::string& prefix) {
    for (const auto& [name, node] : table) {
      const std::string key = prefix + std::string(name.str());
      const auto& all = settings();
      const auto is_key = [&](const Setting& setting) { return setting.key == key; };
      const auto in_table = [&](const Setting& setting) { return setting.key.starts_with(key + "."); };
      if (std::any_of(all.begin(), all.end(), is_key)) {
        auto value = text_of(node);
        if (!value) return complain(node, key, "has a value of a kind that no setting has");
        entries.push_back({place(node, key), key, std::move(*value)});
      } else if (const auto* inner = node.as_table();
                 inner && std::any_of(all.begin(), all.end(), in_table)) {
        if (auto done = read(*inner, key + "."); !done) return done;
      } else {
        return complain(node, key, "is no setting");
      }
    }
    return {};
  }
  tl::unexpected<Error> complain(const toml::node& node, const std::string& key,
                                 const std::string& what) const {
    return fail(ErrorKind::InvalidArgument, place(node, key) + " " + what + ".",
                "All settings are in docs/search.md.");
  }
  std::string place(const toml::node& node, const std::string& key) const {
    return file_ + ":" + std::to_string(node.source().begin.line) + ": search." + key;
  }

  std::vector<ConfigEntry> entries;

 private:
  std::string file_;
};

}  // namespace

Result<std::vector<ConfigEntry>> read_config_file(const std::filesystem::path& file, bool required) {
  const auto content = read_regular_file(file, kMaxConfigurationSize);
  if (!content && !required && content.error().kind == FileProblem::Kind::Missing)
    return std::vector<ConfigEntry>();
  if (!content)
    return fail(ErrorKind::InvalidArgument,
                "The configuration " + file.string() + " cannot be read: " + content.error().why + ".");
  toml::table table;
  try {
    table = toml::parse(*content, file.string());
  } catch (const toml::parse_error& bad) {
    return fail(ErrorKind::InvalidArgument, file.string() + ":" + std::to_string(bad.source().begin.line) +
                                                ": no TOML: " + std::string(bad.description()));
  }
  Reader reader(file.string());
  for (const auto& [name, node] : table) {
    const auto* inner = node.as_table();
    if (name.str() != "search" || !inner)
      return fail(ErrorKind::InvalidArgument,
                  file.string() + ":" + std::to_string(node.source().begin.line) + ": " +
                      std::string(name.str()) + " is no section of the configuration.",
                  "Settings of search stand below [search].");
    if (auto done = reader.read(*inner, ""); !done) return tl::unexpected(done.error());
  }
  return std::move(reader.entries);
}

}  // namespace leanbridge::search
