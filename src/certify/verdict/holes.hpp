#pragma once
/// Definitions that a challenge leaves open and a solution fills in. Private to this module.

#include "core/olean/constant_reader.hpp"

#include <optional>
#include <set>
#include <string>

namespace leanbridge::certify {

/// The keys of the challenge's own definitions that are marked as open: behind its parameters, the value is
/// sorry alone.
std::set<std::string> open_definitions(olean::ModuleSet& challenge);

/// Why the way in which these holes are filled is unacceptable, as a sentence. nullopt: their values can be
/// read. `theorem` is the solution's, and rests on them.
std::optional<std::string> objection_to_filling(olean::ModuleSet& solution, olean::ConstantId theorem,
                                                const std::set<std::string>& holes);

}  // namespace leanbridge::certify
