#include "gateway/upstream/media.hpp"

#include "core/base/files.hpp"
#include "core/base/try.hpp"
#include "gateway/encoding/base64.hpp"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace leanbridge::upstream {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::size_t kMaxStem = 80;  // bytes
constexpr int kMaxFilesPerName = 10'000;

struct Extension {
  std::string_view mime_type;
  std::string_view extension;
};
// File extensions, none of which a desktop would execute.
constexpr Extension kExtensions[] = {
    {"image/png", ".png"},         {"image/jpeg", ".jpg"},      {"image/jpg", ".jpg"},
    {"image/gif", ".gif"},         {"image/webp", ".webp"},     {"image/svg+xml", ".svg"},
    {"image/avif", ".avif"},       {"image/bmp", ".bmp"},       {"image/tiff", ".tiff"},
    {"audio/wav", ".wav"},         {"audio/x-wav", ".wav"},     {"audio/mpeg", ".mp3"},
    {"audio/mp3", ".mp3"},         {"audio/ogg", ".ogg"},       {"audio/flac", ".flac"},
    {"audio/webm", ".webm"},       {"audio/mp4", ".m4a"},       {"text/plain", ".txt"},
    {"text/markdown", ".md"},      {"text/html", ".html"},      {"text/csv", ".csv"},
    {"application/json", ".json"}, {"application/pdf", ".pdf"}, {"application/xml", ".xml"},
    {"application/zip", ".zip"},   {"application/gzip", ".gz"},
};

std::string extension_of(const Media& media) {
  const std::string type = media.mime_type.substr(0, media.mime_type.find(';'));
  for (const Extension& known : kExtensions)
    if (known.mime_type == type) return std::string(known.extension);
  return type.starts_with("text/") ? ".txt" : ".bin";
}

// The letters and digits of a name: a single shell word without hidden characters.
std::string file_word(std::string_view text) {
  std::string word;
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (plain)
      word += c;
    else if (!word.empty() && word.back() != '-')
      word += '-';
  }
  while (!word.empty() && word.back() == '-') word.pop_back();
  word.resize(std::min(word.size(), kMaxStem / 2));
  return word;
}

// `report` of `file:///a/report.pdf?x=1`.
std::string last_part(std::string uri) {
  uri.resize(std::min(uri.find_first_of("?#"), uri.size()));
  const std::string part = uri.substr(uri.find_last_of('/') + 1);
  return part.substr(0, part.find_last_of('.'));
}

// Decodes base64. Servers break lines and leave the padding out.
std::optional<std::string> bytes_of_base64(std::string_view text) {
  std::string whole;
  for (const char c : text)
    if (c != '\n' && c != '\r' && c != ' ') whole += c;
  while (whole.size() % 4 != 0 && whole.size() % 4 != 1) whole += '=';
  return from_base64(whole);
}

std::string string_member(const json& object, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (object.contains(name) && object[name].is_string()) return object[name].get<std::string>();
  return "";
}

std::optional<Media::Kind> kind_of(const json& block) {
  const std::string type = string_member(block, {"type"});
  for (const auto& [kind, name] : names_of(Media::Kind()))
    if (type == name) return kind;
  return std::nullopt;
}

Result<std::optional<Media>> decoded(Media media, const std::string& base64) {
  auto bytes = bytes_of_base64(base64);
  if (!bytes)
    return fail(ErrorKind::InvalidArgument,
                std::string("The data of the ") + wire::name_of(media.kind) + " is not base64.");
  media.bytes = std::move(*bytes);
  return std::optional(std::move(media));
}

std::string reason() {
  return std::strerror(errno);
}

Result<int> open_private(const fs::path& folder) {
  if (!ensure_folder(folder) && errno != EEXIST)
    return fail(ErrorKind::InvalidArgument,
                "The folder " + folder.string() + " cannot be created: " + reason() + ".");
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return fail(ErrorKind::InvalidArgument,
                "The folder " + folder.string() + " cannot be opened: " + reason() + ".");
  struct stat status {};
  if (::fstat(fd, &status) != 0 || status.st_uid != ::geteuid() ||
      (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    ::close(fd);
    return fail(ErrorKind::InvalidArgument,
                "The folder " + folder.string() + " is not private: others can write to it, or own it.",
                "Choose a folder of your own, or a new one inside it.");
  }
  return fd;
}

}  // namespace

wire::Names<Media::Kind> names_of(Media::Kind) {
  return {{Media::Kind::Image, "image"}, {Media::Kind::Audio, "audio"}, {Media::Kind::Resource, "resource"}};
}

Result<std::optional<Media>> media_of(const json& block) {
  if (!block.is_object()) return std::nullopt;
  const auto kind = kind_of(block);
  if (!kind) return std::nullopt;
  if (*kind != Media::Kind::Resource) {
    Media media{*kind, string_member(block, {"mimeType", "mime_type"}), "", ""};
    const json data = block.value("data", json());
    return decoded(std::move(media),
                   data.is_object() ? string_member(data, {"data"}) : string_member(block, {"data"}));
  }
  if (!block.contains("resource") || !block["resource"].is_object()) return std::nullopt;
  const json& resource = block["resource"];
  Media media{*kind, string_member(resource, {"mimeType", "mime_type"}), string_member(resource, {"uri"}),
              ""};
  if (resource.contains("blob")) return decoded(std::move(media), string_member(resource, {"blob"}));
  media.bytes = string_member(resource, {"text"});
  if (media.mime_type.empty()) media.mime_type = "text/plain";
  return std::optional(std::move(media));
}

bool holds_media(const json& content) {
  return content.is_array() && std::ranges::any_of(content, [](const json& block) {
           return block.is_object() && kind_of(block).has_value();
         });
}

MediaFolder::MediaFolder(const fs::path& folder, std::uint64_t max_bytes) : bytes_left_(max_bytes) {
  folder_ = absolute_path(folder);
  if (!folder_.has_filename()) folder_ = folder_.parent_path();  // `folder/` has no file name
}

Result<fs::path> MediaFolder::write(const Media& media, const std::string& source) {
  TRY(auto opened, open_private(folder_));
  const Descriptor folder(opened);
  std::uint64_t left = bytes_left_;
  do {
    if (media.bytes.size() > left)
      return fail(ErrorKind::NotSupported,
                  "The limit of this process for media in " + folder_.string() + " is reached.");
  } while (!bytes_left_.compare_exchange_weak(left, left - media.bytes.size()));
  const std::string part = media.kind == Media::Kind::Resource ? file_word(last_part(media.uri)) : "";
  std::string stem = file_word(source);
  stem += (stem.empty() ? "" : "-") + (part.empty() ? wire::name_of(media.kind) : part);
  for (int number = 1; number <= kMaxFilesPerName; ++number) {
    const std::string name = stem + "-" + std::to_string(number) + extension_of(media);
    const Descriptor file(::openat(folder.get(), name.c_str(),
                                   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!file && errno == EEXIST) continue;
    if (file && write_all(file.get(), media.bytes)) return folder_ / name;
    const std::string why = reason();
    if (file) ::unlinkat(folder.get(), name.c_str(), 0);
    return fail(ErrorKind::Internal,
                name + " could not be written to " + folder_.string() + ": " + why + ".");
  }
  return fail(ErrorKind::NotSupported,
              "There are already " + std::to_string(kMaxFilesPerName) + " files named " + stem + " in " +
                  folder_.string() + ".",
              "Remove those you do not need.");
}

std::vector<SavedMedia> MediaFolder::save(const json& content, const std::string& source) {
  std::vector<SavedMedia> saved;
  if (!content.is_array()) return saved;
  for (std::size_t i = 0; i < content.size(); ++i) {
    const auto media = media_of(content[i]);
    if (media && !*media) continue;
    const Result<fs::path> file = media ? write(**media, source) : tl::unexpected(media.error());
    if (file)
      saved.push_back({i, *file, ""});
    else
      saved.push_back(
          {i, {}, file.error().message + (file.error().hint.empty() ? "" : " " + file.error().hint)});
  }
  return saved;
}

json with_paths(json result, const std::vector<SavedMedia>& saved) {
  if (saved.empty()) return result;
  std::string text;
  for (const SavedMedia& one : saved) {
    const std::string type = result["content"][one.block].value("type", "");
    text += text.empty() ? "" : "\n";
    text += one.problem.empty() ? "[" + type + " saved to " + one.file.string() + "]"
                                : "[" + type + " not saved: " + one.problem + "]";
  }
  result["content"].push_back({{"type", "text"}, {"text", std::move(text)}});
  return result;
}

}  // namespace leanbridge::upstream
