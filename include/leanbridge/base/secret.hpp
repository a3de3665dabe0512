#pragma once
/// A key or a password: it can be kept and passed on, but not printed, logged or made JSON by accident.

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
  /// For the one place that sends it.
  const std::string& reveal() const { return value_; }

  friend bool operator==(const Secret&, const Secret&) = default;
  /// For test messages; log lines do not take one at all.
  friend std::ostream& operator<<(std::ostream& out, const Secret& secret);

 private:
  std::string value_;
};

/// For texts of others that may quote what they were sent: each secret is replaced. Empty ones are passed
/// over.
std::string without_secrets(std::string text, const std::vector<std::string>& secrets,
                            std::string_view instead = "(secret)");

}  // namespace leanbridge
