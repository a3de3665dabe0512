#pragma once
/// Reads the text of a host's configuration file, and edits plain JSON: adds, updates or removes one entry.
/// Pure.

#include "core/base/error.hpp"
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace leanbridge::app::hosts {

enum class ConfigFormat {
  Json,
  JsonWithComments,  ///< allows comments, and commas behind the last member
  Toml,
};

/// The names that lead to an entry: {"mcpServers", "lean"}.
using EntryPath = std::vector<std::string>;

/// A configuration file: its name in messages, its format and its text.
struct ConfigText {
  std::string file;
  ConfigFormat format = ConfigFormat::Json;
  std::string text;  ///< empty or white space: the file has no entries
};

/// The whole file as JSON; an empty text is {}. InvalidArgument, with file, line and column, if the host
/// could not read it either, or if it is not an object.
Result<nlohmann::json> read_document(const ConfigText& config);

/// Null if there is no value at that path.
const nlohmann::json* find_at(const nlohmann::json& document, const EntryPath& path);

/// Whether the entry has everything that `wanted` has. Codex's own program cannot set the time limit of
/// calls, so that does not count.
bool has_all_of(const nlohmann::json& entry, const nlohmann::json& wanted);

struct ConfigEdit {
  std::string text;        ///< the new text; empty: the file has become empty
  std::string difference;  ///< in the form of diff_of()
};

/// The file with `entry` at `path`, in the file's own order and indentation. Keeps members of the existing
/// entry that `entry` does not have. NotSupported for TOML, and for JSON with comments or with two members of
/// one name, which would be lost. InvalidArgument, with the place, if it cannot be parsed, or if a member on
/// the path is not an object.
Result<ConfigEdit> with_entry(const ConfigText& config, const EntryPath& path, const nlohmann::json& entry);

/// The file without the entry, and without objects around it that become empty. Errors as above.
Result<ConfigEdit> without_entry(const ConfigText& config, const EntryPath& path);

/// The changes between the texts in one place, in the form of `diff -U0`. Omits lines around an entry, and
/// lines that only get or lose a comma, since those may have other servers' secrets.
std::string diff_of(const std::string& before, const std::string& after);

/// JSON in the form that people write: one line per member.
std::string json_text(const nlohmann::json& value);

/// A TOML table with the members of `entry`, headed by `path`.
std::string toml_table(const EntryPath& path, const nlohmann::json& entry);

}  // namespace leanbridge::app::hosts
