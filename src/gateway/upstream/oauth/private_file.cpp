#include "private_file.hpp"

#include "core/base/files.hpp"
#include "core/base/json.hpp"
#include "core/base/log.hpp"
#include "core/base/try.hpp"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace leanbridge::upstream {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr mode_t kOthers = S_IRWXG | S_IRWXO;
constexpr std::size_t kMaxFileBytes = 1u << 20;

tl::unexpected<Error> refused(const fs::path& path, const std::string& why, const std::string& hint) {
  return fail(ErrorKind::InvalidArgument, path.string() + " is not used: " + why + ".", hint);
}

}  // namespace

Result<void> prepare_private_folder(const fs::path& folder) {
  if (folder.empty())
    return fail(ErrorKind::NotSupported, "There is no home folder to store tokens in.",
                "Set HOME or XDG_CONFIG_HOME.");
  if (!make_private_folder(folder) && errno != EEXIST)
    return fail(ErrorKind::Internal, folder.string() + " cannot be created: " + std::strerror(errno) + ".",
                "Check the permissions of its parent folder.");
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat status {};
  if (!opened || ::fstat(opened.get(), &status) != 0)
    return refused(folder, "it is not a folder that can be opened", "Remove it.");
  if (status.st_uid != ::geteuid())
    return refused(folder, "it belongs to another user", "Take ownership of it, or set XDG_CONFIG_HOME.");
  if ((status.st_mode & kOthers) == 0) return {};
  if (::fchmod(opened.get(), S_IRWXU) != 0)
    return refused(folder, "others can enter it, and its mode cannot be changed", "Run chmod 700 on it.");
  log::warn("{} could be entered by others: its mode is 0700 now", folder.string());
  return {};
}

Result<std::optional<json>> read_private_file(const fs::path& file) {
  std::error_code error;
  if (file.empty() || !fs::exists(file.parent_path(), error)) return std::optional<json>();
  TRY_DONE(prepare_private_folder(file.parent_path()));
  const auto opened = RegularFile::open(file, RegularFile::Links::Refuse);
  if (!opened && opened.error().kind == FileProblem::Kind::Missing) return std::optional<json>();
  if (!opened) return refused(file, opened.error().why, "Remove it.");
  const struct stat& status = opened->status();
  if (status.st_uid != ::geteuid()) return refused(file, "it belongs to another user", "Remove it.");
  if ((status.st_mode & kOthers) != 0) {
    if (::fchmod(opened->descriptor(), S_IRUSR | S_IWUSR) != 0)
      return refused(file, "others can read it, and its mode cannot be changed", "Run chmod 600 on it.");
    log::warn("{} could be read by others: its mode is 0600 now. If others use this machine, log in again",
              file.string());
  }
  const auto text = opened->read(kMaxFileBytes);
  if (!text) return refused(file, text.error().why, "Remove it, and log in again.");
  json content = read_json(*text);
  if (!content.is_object()) return refused(file, "it is not a JSON object", "Remove it, and log in again.");
  return std::optional<json>(std::move(content));
}

Result<void> replace_private_file(const fs::path& file, const json& content) {
  // No other place has a rotated token, so it must survive a crash of the machine.
  if (replace_own_file(file, content.dump(2, ' ', false, json::error_handler_t::replace) + "\n")) return {};
  return fail(ErrorKind::Internal, file.string() + " was not written: " + std::strerror(errno) + ".",
              "Check the disk and the permissions of its folder.");
}

}  // namespace leanbridge::upstream
