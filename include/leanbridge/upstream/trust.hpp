#pragma once
/// Consent to the servers that a workspace file names. Such a file comes with the project, from whoever wrote
/// it, and names programs to run and addresses to send data to: none is used before the user has said so.
/// Decision 7.

#include "leanbridge/upstream/config.hpp"

#include <filesystem>
#include <set>
#include <string>

namespace leanbridge::upstream {

/// What --upstream says.
struct Selection {
  enum class Mode {
    Trusted,  ///< what needs no consent, what has it, and `names`
    All,      ///< all servers of the workspace, too
    None,     ///< no server at all
  };
  Mode mode = Mode::Trusted;
  std::set<std::string> names;  ///< servers of the workspace

  /// Of "none", "all", or names separated by commas; empty: only what needs no consent or has it.
  static Selection parse(const std::string& text);
};

/// The user's list of consents: `trusted-servers.json` in $XDG_CONFIG_HOME/leanbridge, else
/// ~/.config/leanbridge. A consent is to one entry as it is written in one workspace: an entry that changes
/// needs a new one.
class TrustFile {
 public:
  explicit TrustFile(std::filesystem::path file) : file_(std::move(file)) {}
  /// Where it is for this user; empty where there is no home.
  static std::filesystem::path default_path(const Lookup& variables = environment_variable);

  /// Reads the file. A file that is missing, broken, or writable by others holds no consent; `problem` says
  /// so for the latter two.
  bool allows(const ServerConfig& server, const std::filesystem::path& workspace) const;
  /// Why the file is not heeded; empty where it is, or is not there.
  std::string problem() const;
  /// Adds a consent; the file gets mode 0600, its folder 0700.
  Result<void> add(const ServerConfig& server, const std::filesystem::path& workspace);
  /// Takes back every consent to a server of that name in the workspace. False: there was none.
  Result<bool> remove(const std::string& name, const std::filesystem::path& workspace);

  const std::filesystem::path& path() const { return file_; }

 private:
  Result<nlohmann::json> read() const;
  Result<void> write(const nlohmann::json& entries) const;
  std::filesystem::path file_;
};

/// The servers of a workspace that may be used, and what was left out for want of consent.
struct Allowed {
  Config config;
  std::vector<ServerConfig> without_consent;
};
Allowed load_allowed(const std::filesystem::path& workspace, const std::filesystem::path& user_home,
                     const Selection& selection, const TrustFile& trust,
                     const Lookup& variables = environment_variable);

}  // namespace leanbridge::upstream
