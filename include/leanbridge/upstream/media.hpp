#pragma once
/// Images, audio and resources of a tool's result, written to files for those who can look at files only.

#include "leanbridge/base/enum_names.hpp"
#include "leanbridge/base/error.hpp"

#include <nlohmann/json.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::upstream {

/// What a block of content holds beside text. Pure.
struct Media {
  enum class Kind { Image, Audio, Resource };
  Kind kind = Kind::Resource;
  std::string mime_type;  ///< as the server says; may be empty
  std::string uri;        ///< of a resource
  std::string bytes;      ///< decoded
};
wire::Names<Media::Kind> names_of(Media::Kind);
/// nullopt for a block of another kind. InvalidArgument where its data is no base64. Beside `data` and
/// `mimeType` it takes `data.data` and `mime_type`, which some servers send.
Result<std::optional<Media>> media_of(const nlohmann::json& block);

/// Whether `content` has such blocks at all.
bool holds_media(const nlohmann::json& content);

/// One block of a result that was written, or could not be.
struct SavedMedia {
  std::size_t block = 0;  ///< index in `content`
  std::filesystem::path file;
  std::string problem;  ///< why there is no file; empty where there is one
};

class MediaFolder {
 public:
  /// More than that is not written by one process: nobody looks after the folder while a session runs.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

  explicit MediaFolder(const std::filesystem::path& folder, std::uint64_t most_bytes = kMostBytes);

  /// Writes what `content` holds into new files of mode 0600 named after `source`, kind and type; nothing is
  /// overwritten, no link followed. The folder is made with mode 0700 where there is none; one that others
  /// can write to, or that is somebody else's, is refused. Blocking; from any thread.
  std::vector<SavedMedia> save(const nlohmann::json& content, const std::string& source);

 private:
  Result<std::filesystem::path> write(const Media& media, const std::string& source);

  std::filesystem::path folder_;  ///< absolute
  std::atomic<std::uint64_t> bytes_left_;
};

/// The result with a text block more that says where its media are; unchanged where `saved` is empty.
nlohmann::json with_paths(nlohmann::json result, const std::vector<SavedMedia>& saved);

}  // namespace leanbridge::upstream
