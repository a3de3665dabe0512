#pragma once
/// A key or a password: you can keep it and pass it on, but not print, log or serialise it by accident.

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace leanbridge {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string value) : value_(std::move(value)) {}

  bool empty() const { return value_.empty(); }
  /// Only for the code that sends it.
  const std::string& reveal() const { return value_; }

  friend bool operator==(const Secret&, const Secret&) = default;
  /// Prints a placeholder, for test messages. Logging a Secret does not compile.
  friend std::ostream& operator<<(std::ostream& out, const Secret& secret);

 private:
  std::string value_;
};

/// At most 256 bytes from the system. Throws std::runtime_error if it has none.
std::string random_bytes(std::size_t count);

/// 256 bits from the system, as 64 hexadecimal digits: who knows them is let in. Throws std::runtime_error if
/// the system has none.
std::string random_token();

/// Compares in a time that does not depend on where the texts differ.
bool equal_secrets(std::string_view left, std::string_view right);

/// Replaces each secret in a text from outside, which may quote what we sent. Empty secrets are skipped.
std::string without_secrets(std::string text, const std::vector<std::string>& secrets,
                            std::string_view instead = "(secret)");

}  // namespace leanbridge
