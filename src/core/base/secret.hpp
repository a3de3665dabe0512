#pragma once
/// A key or a password that can be kept and passed on, but not printed, logged or serialised by accident.

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
  /// Use it only in the code that sends the secret.
  const std::string& reveal() const { return value_; }

  friend bool operator==(const Secret&, const Secret&) = default;
  /// Prints a placeholder, for test messages. Logging a Secret does not compile.
  friend std::ostream& operator<<(std::ostream& out, const Secret& secret);

 private:
  std::string value_;
};

/// At most 256 random bytes from the system. Throws std::runtime_error if it has none.
std::string random_bytes(std::size_t count);

/// 256 random bits from the system, as 64 hexadecimal digits, for a token that grants access to its holder.
/// Throws std::runtime_error if the system has none.
std::string random_token();

/// Compares in a time that does not depend on where the texts differ.
bool equal_secrets(std::string_view left, std::string_view right);

/// Replaces each secret in a text from outside, which may quote our own messages. Skips empty secrets.
std::string without_secrets(std::string text, const std::vector<std::string>& secrets,
                            std::string_view instead = "(secret)");

}  // namespace leanbridge
