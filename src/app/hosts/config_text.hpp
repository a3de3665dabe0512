#pragma once
/// Edits the text of a host's configuration file: one entry is added, updated or removed; everything else
/// stays as it is written, comments included. Pure.

#include "leanbridge/base/error.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace leanbridge::app::hosts {

enum class ConfigFormat {
  Json,
  JsonWithComments,  ///< comments, and commas behind the last member
  Toml,
};

/// The names that lead to an entry: {"mcpServers", "lean"}.
using EntryPath = std::vector<std::string>;

/// A configuration file: what it is called in messages, and how it is written.
struct ConfigText {
  std::string file;
  ConfigFormat format = ConfigFormat::Json;
  std::string text;  ///< empty, or white space: a file without entries
};

/// The whole file as JSON; an empty text is {}. InvalidArgument, with file, line and column, if the host
/// could not read it either, or if it is not an object.
Result<nlohmann::json> read_document(const ConfigText& config);

/// Null if there is nothing at that path.
const nlohmann::json* find_at(const nlohmann::json& document, const EntryPath& path);

/// The text with `entry` at `path`. Members that the entry has already and `entry` does not name stay. The
/// same text if nothing differs. InvalidArgument, with the place, for what cannot be parsed, a name that
/// occurs twice, a member on the way that is no object, and a TOML entry that is not written as a table of
/// its own.
Result<std::string> with_entry(const ConfigText& config, const EntryPath& path, const nlohmann::json& entry);

/// The text without it, and without the objects around it that are then empty; empty if nothing is left. The
/// same text if there is no such entry. Errors as above.
Result<std::string> without_entry(const ConfigText& config, const EntryPath& path);

/// What changes from one text to the other, as `diff -U0` shows it: no line around an entry, and no line that
/// only gets or loses a comma, since those may hold other servers' secrets.
std::string diff_of(const std::string& before, const std::string& after);

/// JSON as people write it: a line for each member, lists on one line.
std::string json_text(const nlohmann::json& value);

/// A TOML table with the members of `entry`, headed by `path`.
std::string toml_table(const EntryPath& path, const nlohmann::json& entry);

}  // namespace leanbridge::app::hosts
