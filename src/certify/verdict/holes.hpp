#pragma once
/// Definitions that a challenge leaves open and a solution fills in. Private to this module.

#include "core/olean/constant_reader.hpp"

#include <optional>
#include <set>
#include <string>

namespace leanbridge::certify {

/// The keys of the challenge's own definitions that are marked as open: below its parameters, the value is
/// sorry and nothing else.
std::set<std::string> open_definitions(olean::ModuleSet& challenge);

/// Why nobody could rely on how these holes are filled, as a sentence. nullopt: their values are there to be
/// read. `theorem` is the solution's, and rests on them.
std::optional<std::string> objection_to_filling(olean::ModuleSet& solution, olean::ConstantId theorem,
                                                const std::set<std::string>& holes);

}  // namespace leanbridge::certify
