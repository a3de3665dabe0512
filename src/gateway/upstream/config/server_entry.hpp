#pragma once
/// Reads one server's entry, as JSON, from any format of file.

#include "gateway/upstream/config.hpp"

namespace leanbridge::upstream {

struct EntryContext {
  std::filesystem::path file;
  std::filesystem::path directory;
  Origin origin = Origin::User;
  bool needs_transport = false;       ///< do not infer it from `command` or `url`
  const Lookup* variables = nullptr;  ///< null: read the entry as written
};

/// Checks the entry and adds it to `config.servers`, or the problem to `config.problems`. Skips disabled
/// entries.
void add_entry(Config& config, const EntryContext& context, std::string name, nlohmann::json entry, int line);

/// Reads the two formats of files; problems with the file itself are added, too.
void add_toml(Config& config, const EntryContext& context, const std::string& text);
void add_json(Config& config, const EntryContext& context, const std::string& text);

}  // namespace leanbridge::upstream
