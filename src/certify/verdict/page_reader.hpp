#pragma once
/// Assembles the page about theorems. Private to this module.

#include "fingerprint.hpp"
#include "page.hpp"

#include <functional>
#include <string>
#include <vector>

namespace leanbridge::certify {

/// The page about these theorems of a set, by their keys. Errors: Internal (damaged), NotSupported (too much
/// below them). Blocking.
Result<Page> read_page(olean::ModuleSet& set, const std::vector<std::string>& theorems,
                       const std::function<bool(const olean::SetModule&)>& is_project);

/// The definitions that a solution has filled in, by their keys, followed by the constants of the solution
/// and the project that they name. Errors: Internal (damaged), NotSupported (more than a person can read).
/// Blocking.
Result<std::vector<PageItem>> read_fillings(olean::ModuleSet& solution, const std::vector<std::string>& holes,
                                            const std::function<bool(const olean::SetModule&)>& is_project);

}  // namespace leanbridge::certify
