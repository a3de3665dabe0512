#pragma once
/// What the editors of both formats share. Private to config_text.hpp.

#include "config_text.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::app::hosts {

inline constexpr std::size_t npos = std::string::npos;
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

struct Edit {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string replacement;
};

/// `edits` are in order and do not overlap.
std::string edited(const std::string& text, const std::vector<Edit>& edits);

/// The error about the character at `at`.
tl::unexpected<Error> refused(const ConfigText& config, std::size_t at, const std::string& what);

bool is_blank(std::string_view text);
inline bool is_space(char c) {
  return c == ' ' || c == '\t';
}
/// How the text ends its lines.
std::string newline_of(const std::string& text);
std::string dumped(const nlohmann::json& value);

/// For TOML, as in config_text.hpp. `entry` is not yet in the file as it should be.
Result<nlohmann::json> read_toml_text(const ConfigText& config);
Result<std::string> with_toml_entry(ConfigText config, const EntryPath& path, const nlohmann::json& entry);
Result<std::string> without_toml_entry(const ConfigText& config, const EntryPath& path);

}  // namespace leanbridge::app::hosts
