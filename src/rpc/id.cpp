#include "leanbridge/rpc/id.hpp"

#include "leanbridge/rpc/message.hpp"

#include <nlohmann/json.hpp>

namespace leanbridge::rpc {

std::optional<Id> Id::from_json(const nlohmann::json& json) {
  switch (json.type()) {
    case nlohmann::json::value_t::number_integer:
      return Id(json.get<std::int64_t>());
    case nlohmann::json::value_t::number_unsigned:
      return Id(json.get<std::uint64_t>());
    case nlohmann::json::value_t::number_float:
      return Id(json.get<double>());
    case nlohmann::json::value_t::string:
      return Id(json.get<std::string>());
    default:
      return std::nullopt;
  }
}

nlohmann::json Id::to_json() const {
  return std::visit([](const auto& value) { return nlohmann::json(value); }, value_);
}

std::string Id::to_string() const {
  return dump(to_json());
}

std::size_t Id::hash() const {
  return std::hash<Value>{}(value_);
}

}  // namespace leanbridge::rpc
