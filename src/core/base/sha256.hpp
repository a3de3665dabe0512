#pragma once
/// SHA-256 of texts and files, as 64 lower-case hexadecimal digits. Callable from any thread.

#include "files.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace leanbridge {

/// A digest of bytes that come in pieces.
class Sha256 {
 public:
  Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;
  ~Sha256();

  void add(std::string_view bytes);
  /// The digest of everything added. Call it once.
  std::string finish();
  /// Returns the digest as 32 bytes. Call it in place of finish().
  std::string finish_bytes();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string sha256_of(std::string_view bytes);

/// Reads the whole file. Blocking.
FileResult<std::string> sha256_of_file(const std::filesystem::path& path);

}  // namespace leanbridge
