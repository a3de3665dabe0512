#include "module_reader.hpp"

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/hash.hpp"
#include "core/base/try.hpp"
#include "core/platform/files.hpp"
#include "search/index/readers.hpp"
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <unordered_map>

namespace leanbridge::index {

namespace fs = std::filesystem;

namespace {

// The largest files to read, in bytes: several times the largest in Lean and Mathlib. Larger ones are
// skipped.
constexpr std::size_t kMaxSourceBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxIleanBytes = std::size_t{32} << 20;
constexpr std::size_t kMaxOleanBytes = std::size_t{256} << 20;

// FileNotFound: unreadable, not a regular file, or larger than `max` bytes.
Result<std::string> load_bytes(const fs::path& path, std::size_t max) {
  auto bytes = read_regular_file(path, max);
  if (bytes) return std::move(*bytes);
  return fail(ErrorKind::FileNotFound, path.string() + " cannot be read: " + bytes.error().why + ".");
}

/// The file, and its `.server` part with docstrings and positions. The `.private` part, which has most of a
/// library's bytes, contains only proofs and private names, and is not read.
struct Parts {
  std::vector<std::string> bytes;
  std::vector<std::string_view> views;
};

Result<Parts> load_parts(const std::filesystem::path& path) {
  Parts parts;
  TRY(auto exported, load_bytes(path, kMaxOleanBytes));
  parts.bytes.push_back(std::move(exported));
  std::error_code error;
  const std::filesystem::path server = path.string() + ".server";
  if (std::filesystem::exists(server, error)) {
    if (auto bytes = load_bytes(server, kMaxOleanBytes)) parts.bytes.push_back(std::move(*bytes));
  }
  for (const std::string& bytes : parts.bytes) parts.views.emplace_back(bytes);
  return parts;
}

Error about(const std::filesystem::path& path, Error error) {
  error.message = path.string() + ": " + error.message;
  return error;
}

}  // namespace

Result<std::vector<Declaration>> load_source(const std::filesystem::path& path, std::string module) {
  TRY(const auto bytes, load_bytes(path, kMaxSourceBytes));
  return read_source(bytes, std::move(module), path.string());
}

Result<std::vector<Declaration>> load_ilean(const std::filesystem::path& path) {
  TRY(const auto bytes, load_bytes(path, kMaxIleanBytes));
  auto read = read_ilean(bytes);
  if (!read) return tl::unexpected(about(path, read.error()));
  return read;
}

Result<OleanModule> load_olean(const std::filesystem::path& path, std::string module,
                               const olean::BinderTable& binders) {
  TRY(const auto parts, load_parts(path));
  auto read = read_olean(parts.views, std::move(module), binders);
  if (!read) return tl::unexpected(about(path, read.error()));
  return read;
}

Result<void> load_binders(const std::filesystem::path& path, olean::BinderTable& binders) {
  TRY(const auto parts, load_parts(path));
  auto read = read_binders(parts.views, binders);
  if (!read) return tl::unexpected(about(path, read.error()));
  return read;
}

namespace {

std::string stamp_of(const fs::path& file) {
  struct stat status = {};
  if (file.empty() || ::stat(file.c_str(), &status) != 0) return "-";
  return file.string() + "," + std::to_string(platform::modified_ns(status)) + "," +
         std::to_string(status.st_size);
}

// FNV-1a, eight bytes at a time: good enough to notice changes.
bool add_to_hash(const fs::path& file, std::uint64_t& hash) {
  if (file.empty()) return true;
  const auto opened = RegularFile::open(file);
  // Files that are too large are not indexed, so their content does not matter.
  if (!opened || opened->status().st_size > static_cast<off_t>(kMaxOleanBytes)) return false;
  std::string buffer(1u << 16, '\0');
  constexpr std::uint64_t kPrime = 0x100000001b3;
  for (std::size_t all = 0; all <= kMaxOleanBytes;) {
    const auto count = opened->read_some(buffer.data(), buffer.size());
    if (!count) return false;
    if (*count == 0) return true;
    const std::size_t size = *count;
    all += size;
    std::fill(buffer.begin() + static_cast<std::ptrdiff_t>(size), buffer.end(), '\0');
    for (std::size_t at = 0; at < size; at += 8) {
      std::uint64_t word = 0;
      buffer.copy(reinterpret_cast<char*>(&word), 8, at);
      hash = (hash ^ word) * kPrime;
      hash ^= hash >> 29;
    }
    hash = (hash ^ size) * kPrime;
  }
  return false;
}

bool is_newer(const fs::path& file, const fs::path& than) {
  std::error_code error;
  const auto time = fs::last_write_time(file, error);
  if (error) return false;
  const auto other = fs::last_write_time(than, error);
  return !error && time >= other;
}

void note(std::string& problem, const Error& error) {
  if (!problem.empty()) problem += "; ";
  problem += error.message;
}

// `declaration` comes from Lean, `written` from the source.
void add_text(Declaration& declaration, Declaration&& written) {
  if (written.generated) {  // only its name was derived
    if (declaration.docstring.empty()) declaration.docstring = std::move(written.docstring);
    return;
  }
  if (!written.kind.empty()) declaration.kind = std::move(written.kind);
  if (written.line > 0) {
    declaration.line = written.line;
    declaration.column = written.column;
  }
  if (!written.signature.empty()) {
    declaration.signature = std::move(written.signature);
    declaration.approximate = false;
  }
  if (!written.docstring.empty()) declaration.docstring = std::move(written.docstring);
  if (declaration.constants.empty()) declaration.constants = std::move(written.constants);
  if (declaration.conclusion.empty()) declaration.conclusion = std::move(written.conclusion);
  declaration.generated = false;
  declaration.is_private = declaration.is_private || written.is_private;
  declaration.deprecated = declaration.deprecated || written.deprecated;
}

}  // namespace

std::string stamp_of(const ModuleFiles& files) {
  return stamp_of(files.source) + "|" + stamp_of(files.ilean) + "|" + stamp_of(files.olean);
}

std::string hash_of(const ModuleFiles& files) {
  std::uint64_t hash = kHashSeed;
  for (const fs::path* file : {&files.source, &files.ilean, &files.olean})
    if (!add_to_hash(*file, hash)) return "";
  return std::to_string(hash);
}

std::vector<Declaration> join(std::vector<Declaration> olean, std::vector<Declaration> ilean,
                              std::vector<Declaration> source, bool olean_is_newer) {
  std::vector<Declaration> all = std::move(olean);
  const bool lean_knows = !all.empty() && olean_is_newer;
  std::unordered_map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < all.size(); ++i) place.emplace(all[i].name, i);
  const bool no_olean = all.empty();
  for (Declaration& declaration : ilean) {
    const auto found = place.find(declaration.name);
    if (found != place.end()) {
      Declaration& known = all[found->second];
      known.line = declaration.line;
      known.column = declaration.column;
      if (known.kind.empty()) known.kind = std::move(declaration.kind);
    } else if (no_olean) {
      place.emplace(declaration.name, all.size());
      all.push_back(std::move(declaration));
    }
  }
  for (Declaration& declaration : source) {
    const auto found = place.find(declaration.name);
    if (found != place.end()) {
      add_text(all[found->second], std::move(declaration));
    } else if (!lean_knows || declaration.is_private) {
      place.emplace(declaration.name, all.size());
      all.push_back(std::move(declaration));
    }
  }
  return all;
}

// The title at the beginning of Mathlib's files, after the imports: `/-! # Fermat's last theorem`.
static std::string heading_of(std::string_view source) {
  const std::size_t comment = source.find("/-!");
  if (comment == std::string_view::npos) return "";
  const std::size_t begin = source.find_first_not_of(" \t\r\n", comment + 3);
  if (begin == std::string_view::npos || source[begin] != '#') return "";
  const std::string_view line = source.substr(begin, source.find('\n', begin) - begin);
  return std::string(line.substr(std::min(line.find_first_not_of("# "), line.size())));
}

Module read_module(const ModuleFiles& files, const olean::BinderTable& binders) {
  Module module;
  module.name = files.name;
  module.file = files.source.string();
  std::vector<Declaration> olean, ilean, source;
  if (!files.olean.empty()) {
    if (auto read = load_olean(files.olean, files.name, binders))
      olean = std::move(read->declarations);
    else
      note(module.problem, read.error());
  }
  if (!files.ilean.empty()) {
    if (auto read = load_ilean(files.ilean))
      ilean = std::move(*read);
    else
      note(module.problem, read.error());
  }
  if (!files.source.empty()) {
    if (const auto bytes = load_bytes(files.source, kMaxSourceBytes)) {
      source = read_source(*bytes, files.name, module.file);
      module.heading = heading_of(*bytes);
    } else {
      note(module.problem, bytes.error());
    }
  }
  const bool newer = !files.olean.empty() && !files.source.empty() && is_newer(files.olean, files.source);
  module.declarations = join(std::move(olean), std::move(ilean), std::move(source), newer);
  return module;
}

}  // namespace leanbridge::index
