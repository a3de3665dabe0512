#pragma once
/// Reads theorems in the answers of any service or tool, in which each field may have several names, be
/// missing, null or of another type.

#include "core/base/json.hpp"
#include "search/sources/backend.hpp"

namespace leanbridge::search {

std::optional<double> number(const nlohmann::json& object, const char* key);
std::vector<std::string> strings(const nlohmann::json& list);
/// LeanExplore's field `dependencies`: a JSON list of names, or a text with such a list.
std::vector<std::string> dependency_names(const nlohmann::json& value);

/// An item of any of these services, or a bare name; without a name if it is neither.
Theorem read_hit(const nlohmann::json& item);
/// The items in a list, in nested lists, or in an object with a list under a usual name. nullopt: none of
/// these.
std::optional<std::vector<Theorem>> read_hits(const nlohmann::json& value);
/// Reads the items as an answer after narrow(); ServerError if there are none. `title` is the service's.
Outcome<Found> read_answer(const nlohmann::json& value, const Question& question, const std::string& title);

/// "Mathlib.Data.Nat.Basic" for "Mathlib/Data/Nat/Basic.lean".
std::string module_of_file(std::string file);

/// Whether a module is in one of the packages, written with dots or slashes. True for unknown modules.
bool in_packages(const std::string& module, const std::vector<std::string>& packages);
/// Removes hits without a name or outside the packages, and applies the limit.
void narrow(Found& found, const Question& question);
/// How many results to request so that enough remain after narrow(); at most `max`.
std::size_t wanted(const Question& question, std::size_t max);

}  // namespace leanbridge::search
