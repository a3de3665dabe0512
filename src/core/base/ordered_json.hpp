#pragma once
/// JSON text whose members are in the order of a struct's fields, for readers that read from the top.

#include "json_struct.hpp"

#include <string>

namespace leanbridge::wire {

/// Compact. Members without a field come last, in the order of their names. Invalid UTF-8 is replaced.
std::string dump_in_order(const nlohmann::json& object, const Fields& fields);

}  // namespace leanbridge::wire
