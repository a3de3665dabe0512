#pragma once
/// Saves images, audio and resources of a tool's result to files, for clients that can only open files.

#include "core/base/enum_names.hpp"
#include "core/base/error.hpp"
#include <nlohmann/json.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::upstream {

/// The non-text content of a block.
struct Media {
  enum class Kind { Image, Audio, Resource };
  Kind kind = Kind::Resource;
  std::string mime_type;  ///< according to the server; may be empty
  std::string uri;        ///< of a resource
  std::string bytes;      ///< decoded
};
wire::Names<Media::Kind> names_of(Media::Kind);
/// nullopt for other kinds of blocks. InvalidArgument if the data is not base64. Besides `data` and
/// `mimeType` it accepts `data.data` and `mime_type`, which some servers send.
Result<std::optional<Media>> media_of(const nlohmann::json& block);

/// Whether `content` has blocks with media.
bool holds_media(const nlohmann::json& content);

/// A block that was saved, or the reason why it was not.
struct SavedMedia {
  std::size_t block = 0;  ///< index in `content`
  std::filesystem::path file;
  std::string problem;  ///< why there is no file, or ""
};

class MediaFolder {
 public:
  /// The limit per process, since the folder grows unobserved while a session runs.
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;

  explicit MediaFolder(const std::filesystem::path& folder, std::uint64_t max_bytes = kMaxBytes);

  /// Writes the media in `content` to new files of mode 0600 named after `source`, kind and type, without
  /// overwriting or following links. Creates the folder with mode 0700; refuses a folder that others own or
  /// can write to. Blocking; any thread.
  std::vector<SavedMedia> save(const nlohmann::json& content, const std::string& source);

 private:
  Result<std::filesystem::path> write(const Media& media, const std::string& source);

  std::filesystem::path folder_;  ///< absolute
  std::atomic<std::uint64_t> bytes_left_;
};

/// Adds a text block with the files' paths to the result; no change if `saved` is empty.
nlohmann::json with_paths(nlohmann::json result, const std::vector<SavedMedia>& saved);

}  // namespace leanbridge::upstream
