#pragma once
/// The id of a JSON-RPC request.

#include <nlohmann/json_fwd.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace leanbridge::rpc {

/// A string or a number, kept with its JSON type: 0, "0" and 0.0 are three ids. Integers may be any int64 or
/// uint64. Fractions are legal JSON-RPC though discouraged, and are kept. There is no null id: where an id
/// may be missing, it is std::optional<Id>.
class Id {
 public:
  template <std::integral Integer>
    requires(!std::same_as<Integer, bool> && !std::same_as<Integer, char>)
  explicit Id(Integer value) : value_(canonical(value)) {}
  explicit Id(double value) : value_(value) {}
  explicit Id(std::string value) : value_(std::move(value)) {}
  explicit Id(const char* value) : value_(std::string(value)) {}

  /// nullopt for null, booleans, arrays and objects.
  static std::optional<Id> from_json(const nlohmann::json& json);
  nlohmann::json to_json() const;
  /// As in JSON: `7`, `"seven"`. For logs.
  std::string to_string() const;

  std::size_t hash() const;
  friend bool operator==(const Id&, const Id&) = default;

 private:
  using Value = std::variant<std::int64_t, std::uint64_t, double, std::string>;

  template <std::integral Integer>
  static Value canonical(Integer value) {  // uint64 only for what int64 cannot hold: 1 is one value, not two
    if (std::in_range<std::int64_t>(value)) return static_cast<std::int64_t>(value);
    return static_cast<std::uint64_t>(value);
  }

  Value value_;
};

}  // namespace leanbridge::rpc

template <>
struct std::hash<leanbridge::rpc::Id> {
  std::size_t operator()(const leanbridge::rpc::Id& id) const noexcept { return id.hash(); }
};
