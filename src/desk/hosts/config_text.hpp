#pragma once
/// Reads the text of a host's configuration file, and edits one that is plain JSON: one entry is added,
/// updated or removed. Pure.

#include "core/base/error.hpp"
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

/// Whether the entry says all that `wanted` says. Codex's own program cannot set how long a call may take, so
/// that does not count.
bool has_all_of(const nlohmann::json& entry, const nlohmann::json& wanted);

struct ConfigEdit {
  std::string text;        ///< the new one; empty: nothing is left in the file
  std::string difference;  ///< as diff_of()
};

/// The file with `entry` at `path`, in its own order and indentation. Members that the entry has already and
/// `entry` does not name stay. NotSupported for TOML, and for JSON with comments or with two members of one
/// name, which would be lost. InvalidArgument, with the place, for what cannot be parsed and for a member on
/// the way that is no object.
Result<ConfigEdit> with_entry(const ConfigText& config, const EntryPath& path, const nlohmann::json& entry);

/// The file without it, and without the objects around it that are then empty. Errors as above.
Result<ConfigEdit> without_entry(const ConfigText& config, const EntryPath& path);

/// What changes from one text to the other in one place, as `diff -U0` shows it: no line around an entry, and
/// no line that only gets or loses a comma, since those may hold other servers' secrets.
std::string diff_of(const std::string& before, const std::string& after);

/// JSON as people write it: a line for each member.
std::string json_text(const nlohmann::json& value);

/// A TOML table with the members of `entry`, headed by `path`.
std::string toml_table(const EntryPath& path, const nlohmann::json& entry);

}  // namespace leanbridge::app::hosts
