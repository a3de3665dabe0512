#include "gateway/upstream/trust.hpp"

#include "core/base/files.hpp"
#include "core/base/json.hpp"
#include "core/base/log.hpp"
#include "core/base/try.hpp"
#include "core/platform/program.hpp"
#include "gateway/upstream/oauth/private_file.hpp"
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace leanbridge::upstream {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kFileHint = "Correct or remove the file, then give consent again.";

json consent(const ServerConfig& server, const fs::path& workspace) {
  return {{"workspace", workspace.string()}, {"name", server.name}, {"definition", server.definition}};
}

// A lock on the folder. Concurrent commands must not lose each other's changes, above all the removal of a
// consent. It locks the folder, since each change replaces the file. If there is no folder, there are no
// consents to lose.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder)
      : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (folder_) ::flock(folder_.get(), LOCK_EX);
  }

 private:
  Descriptor folder_;
};

// Hosts' files usually have this program. If it started itself as its own server, it would go on doing so
// endlessly. Another copy, by whose name or launcher a host starts it, is the same server.
bool is_this_program(const ServerConfig& server, const Lookup& variables) {
  if (server.transport != TransportKind::Stdio) return false;
  const std::string name = fs::path(server.command).filename().string();
  if (name == "leanbridge" ||
      ((name == "npx" || name == "uvx") && std::ranges::find(server.args, "leanbridge") != server.args.end()))
    return true;
  const fs::path self = platform::program_path();
  if (self.empty()) return false;
  const auto same = [&](const fs::path& candidate) {
    std::error_code ignored;
    return fs::equivalent(candidate, self, ignored);
  };
  if (server.command.find('/') != std::string::npos) return same(server.directory / server.command);
  std::string path = variables("PATH").value_or("");
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t colon = std::min(path.find(':', start), path.size());
    const fs::path candidate = fs::path(path.substr(start, colon - start)) / server.command;
    std::error_code ignored;
    if (fs::exists(candidate, ignored)) return same(candidate);
    start = colon + 1;
  }
  return false;
}

}  // namespace

Selection Selection::parse(const std::string& text) {
  Selection selection;
  std::string word;
  for (const char c : text + ",") {
    if (c != ',') {
      word += c;
      continue;
    }
    if (word == "none")
      selection.mode = Mode::None;
    else if (word == "all")
      selection.mode = selection.mode == Mode::None ? Mode::None : Mode::All;
    else if (!word.empty())
      selection.names.insert(word);
    word.clear();
  }
  return selection;
}

fs::path TrustFile::default_path(const Lookup& variables) {
  const fs::path folder = config_folder(variables);
  return folder.empty() ? folder : folder / "trusted-servers.json";
}

Result<json> TrustFile::read() const {
  if (file_.empty()) return json::array();
  const auto file = RegularFile::open(file_);
  if (!file && file.error().kind == FileProblem::Kind::Missing) return json::array();
  if (!file) return tl::unexpected(file.error().to_error(file_.string()));
  // Anybody who can write to the folder can replace the file.
  if (!make_private_folder(file_.parent_path()))
    return fail(ErrorKind::InvalidArgument,
                "Ignoring " + file_.string() + ": its folder can be written by others.",
                "Check what the file says, then run chmod 700 on the folder.");
  const struct stat& status = file->status();
  if ((status.st_uid != ::geteuid() && status.st_uid != 0) || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return fail(ErrorKind::InvalidArgument, "Ignoring " + file_.string() + ": it can be written by others.",
                "Check what it says, then run chmod 600 on it.");
  const auto text = file->read(kMaxConfigurationSize);
  if (!text) return tl::unexpected(text.error().to_error(file_.string()));
  const json document = read_json(*text);
  if (!document.is_object() || !document.contains("trusted") || !document["trusted"].is_array())
    return fail(ErrorKind::InvalidArgument, file_.string() + " is not {\"trusted\": [...]}.", kFileHint);
  return document["trusted"];
}

Result<void> TrustFile::write(const json& entries) const {
  return replace_private_file(file_, {{"trusted", entries}});
}

bool TrustFile::allows(const ServerConfig& server, const fs::path& workspace) const {
  const auto entries = read();
  return entries && std::ranges::find(*entries, consent(server, workspace)) != entries->end();
}

std::string TrustFile::problem() const {
  const auto entries = read();
  return entries ? "" : entries.error().message + " " + entries.error().hint;
}

Result<void> TrustFile::add(const ServerConfig& server, const fs::path& workspace) {
  if (file_.empty())
    return fail(ErrorKind::NotSupported, "There is no home folder to store the consent in.", "Set HOME.");
  if (!make_private_folder(file_.parent_path()))
    return fail(ErrorKind::Internal, "The folder " + file_.parent_path().string() + " cannot be created.",
                "Check the permissions of its parent folder.");
  const FolderLock lock(file_.parent_path());
  TRY(auto entries, read());
  const json entry = consent(server, workspace);
  if (std::ranges::find(entries, entry) != entries.end()) return {};
  entries.push_back(entry);
  return write(entries);
}

Result<bool> TrustFile::remove(const std::string& name, const fs::path& workspace) {
  const FolderLock lock(file_.parent_path());
  TRY(auto entries, read());
  json kept = json::array();
  for (const json& entry : entries) {
    const bool meant = entry.is_object() && entry.value("name", json()) == json(name) &&
                       entry.value("workspace", json()) == json(workspace.string());
    if (!meant) kept.push_back(entry);
  }
  if (kept.size() == entries.size()) return false;
  TRY_DONE(write(kept));
  return true;
}

AllowedServers load_allowed(const fs::path& workspace, const fs::path& user_home, const Selection& selection,
                            const TrustFile& trust, const Lookup& variables) {
  AllowedServers result;
  if (selection.mode == Selection::Mode::None) return result;
  ConfigSources sources;
  sources.workspace = workspace;
  sources.user_home = user_home;
  sources.variables = variables;
  sources.allowed = [&](const ServerConfig& server) {
    return selection.mode == Selection::Mode::All || selection.names.contains(server.name) ||
           trust.allows(server, workspace);
  };
  sources.refused = [&](ServerConfig server) {
    if (!is_this_program(server, variables)) result.without_consent.push_back(std::move(server));
  };
  result.config = load_config(sources);
  std::erase_if(result.config.servers,
                [&](const ServerConfig& server) { return is_this_program(server, variables); });
  if (std::string problem = trust.problem(); !problem.empty())
    result.config.problems.push_back({"", trust.path(), 0, std::move(problem), ""});
  return result;
}

}  // namespace leanbridge::upstream
