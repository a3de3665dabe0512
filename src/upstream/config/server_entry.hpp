#pragma once
/// One server's entry, from whichever form of file, as JSON.

#include "leanbridge/upstream/config.hpp"

namespace leanbridge::upstream {

struct EntryContext {
  std::filesystem::path file;
  std::filesystem::path directory;
  Origin origin = Origin::User;
  bool needs_transport = false;       ///< it is not concluded from `command` or `url`
  const Lookup* variables = nullptr;  ///< null: the entry is read as it is written
};

/// Checks the entry and adds it to `config.servers`, or tells of it in `config.problems`. A disabled one is
/// left out.
void add_entry(Config& config, const EntryContext& context, std::string name, nlohmann::json entry, int line);

/// The number of the line that holds this byte, 1-based.
int line_of(const std::string& text, std::size_t byte);

/// The two forms of files; problems with the file itself are added, too.
void add_toml(Config& config, const EntryContext& context, const std::string& text);
void add_json(Config& config, const EntryContext& context, const std::string& text);

}  // namespace leanbridge::upstream
