#include "hashes.hpp"

#include "leanbridge/base/files.hpp"
#include "leanbridge/base/json.hpp"
#include "leanbridge/base/sha256.hpp"

#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include <chrono>

namespace leanbridge::certify {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* kFormat = "leanbridge_baseline";
constexpr int kFormatVersion = 1;
constexpr std::size_t kMaxBaseline = std::size_t{256} << 20U;  // bytes
constexpr std::size_t kMaxFiles = 200'000;

Result<void> add_hash(const fs::path& folder, const fs::path& file, FileHashes& hashes) {
  auto hash = sha256_of_file(file);
  if (!hash) return tl::unexpected(hash.error().to_error(file.string()));
  hashes.emplace(file.lexically_relative(folder).generic_string(), std::move(*hash));
  return {};
}

bool is_part_of_module(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.ends_with(".olean") || name.ends_with(".olean.server") || name.ends_with(".olean.private");
}

}  // namespace

Result<FileHashes> hashes_of_module(const fs::path& folder, const fs::path& olean) {
  FileHashes hashes;
  for (const char* const extension : {"", ".server", ".private"}) {
    const fs::path part = olean.string() + extension;
    std::error_code ignored;
    if (!hashes.empty() && !fs::exists(part, ignored)) continue;
    if (auto added = add_hash(folder, part, hashes); !added) return tl::unexpected(added.error());
  }
  return hashes;
}

Result<FileHashes> hashes_below(const fs::path& folder) {
  FileHashes hashes;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!is_part_of_module(entry->path())) continue;
    if (hashes.size() == kMaxFiles)
      return fail(ErrorKind::NotSupported, folder.string() + " has more than 200,000 compiled files.");
    if (auto added = add_hash(folder, entry->path(), hashes); !added) return tl::unexpected(added.error());
  }
  if (error)
    return fail(ErrorKind::Internal, folder.string() + " cannot be listed: " + error.message() + ".");
  return hashes;
}

Result<FileHashes> hashes_of_programs(const fs::path& sysroot, const fs::path& lean) {
  FileHashes hashes;
  if (auto added = add_hash(sysroot, lean, hashes); !added) return tl::unexpected(added.error());
  for (const char* const folder : {"lib", "lib/lean"}) {
    std::error_code error;
    for (fs::directory_iterator entry(sysroot / folder, error), end; !error && entry != end;
         entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      std::error_code ignored;
      if (name.find(".so") == std::string::npos || !entry->is_regular_file(ignored)) continue;
      if (auto added = add_hash(sysroot, entry->path(), hashes); !added) return tl::unexpected(added.error());
    }
  }
  return hashes;
}

std::string hash_of(const FileHashes& hashes) {
  Sha256 digest;
  for (const auto& [name, hash] : hashes) digest.add(hash + "  " + name + "\n");
  return digest.finish();
}

Result<Baseline> Baseline::load(const fs::path& file) {
  const auto text = read_regular_file(file, kMaxBaseline);
  if (!text) return tl::unexpected(text.error().to_error(file.string()));
  const json record = json::parse(*text, nullptr, false);
  const auto not_one = [&] {
    return fail(
        ErrorKind::InvalidArgument, file.string() + " is not a baseline.",
        "Write one with `leanbridge certify --record-baseline FILE`, before an agent works in the project.");
  };
  if (!record.is_object() || record.value(kFormat, json()) != kFormatVersion) return not_one();
  Baseline baseline;
  for (const auto& [name, hashes] :
       {std::pair{"programs", &baseline.programs}, std::pair{"toolchain", &baseline.toolchain},
        std::pair{"modules", &baseline.modules}}) {
    const auto member = record.find(name);
    if (member == record.end() || !member->is_object()) return not_one();
    for (const auto& [path, hash] : member->items()) {
      if (!hash.is_string()) return not_one();
      hashes->emplace(path, hash.get<std::string>());
    }
  }
  return baseline;
}

json Baseline::to_json() const {
  return {{kFormat, kFormatVersion}, {"programs", programs}, {"toolchain", toolchain}, {"modules", modules}};
}

bool changed_since(const fs::path& file, std::int64_t time) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return true;
  return std::int64_t{status.st_ctim.tv_sec} * 1'000'000'000 + status.st_ctim.tv_nsec >= time;
}

std::int64_t system_time() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace leanbridge::certify
