#pragma once
/// Consent to servers named by workspace files. Such a file comes with the project, from an unknown author,
/// and names programs to run and addresses to send data to, so none of its servers is used before the user
/// consents. Decision 7.

#include "config.hpp"

#include <filesystem>
#include <set>
#include <string>

namespace leanbridge::upstream {

/// The value of --upstream.
struct Selection {
  enum class Mode {
    Trusted,  ///< servers that need no consent or have it, and `names`
    All,      ///< also all other servers of the workspace
    None,     ///< no server at all
  };
  Mode mode = Mode::Trusted;
  std::set<std::string> names;  ///< workspace servers to use without further consent

  /// Parses "none", "all", or names separated by commas. Empty: only servers that need no consent or have it.
  static Selection parse(const std::string& text);
};

/// The user's list of consents: `trusted-servers.json` in $XDG_CONFIG_HOME/leanbridge, else
/// ~/.config/leanbridge. Consent covers one entry as written in one workspace; a changed entry needs new
/// consent.
class TrustFile {
 public:
  explicit TrustFile(std::filesystem::path file) : file_(std::move(file)) {}
  /// The path for this user, or empty without a home.
  static std::filesystem::path default_path(const Lookup& variables = environment_variable);

  /// Whether the list has this consent. A file that is missing, broken or writable by others contains no
  /// consent; problem() reports the latter two.
  bool allows(const ServerConfig& server, const std::filesystem::path& workspace) const;
  /// Why the file is ignored; empty if it is used or missing.
  std::string problem() const;
  /// Adds a consent. The file gets mode 0600, its folder 0700.
  Result<void> add(const ServerConfig& server, const std::filesystem::path& workspace);
  /// Removes every consent to servers of that name in the workspace. False if there was none.
  Result<bool> remove(const std::string& name, const std::filesystem::path& workspace);

  const std::filesystem::path& path() const { return file_; }

 private:
  Result<nlohmann::json> read() const;
  Result<void> write(const nlohmann::json& entries) const;
  std::filesystem::path file_;
};

/// The servers that may be used with a workspace, and those dropped for lack of consent.
struct AllowedServers {
  Config config;
  std::vector<ServerConfig> without_consent;
};
AllowedServers load_allowed(const std::filesystem::path& workspace, const std::filesystem::path& user_home,
                            const Selection& selection, const TrustFile& trust,
                            const Lookup& variables = environment_variable);

}  // namespace leanbridge::upstream
