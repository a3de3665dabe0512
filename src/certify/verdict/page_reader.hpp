#pragma once
/// Puts the page about theorems together. Private to this module.

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

/// What a solution has filled in, by the keys, then what that names of the solution and of the project.
/// Errors: Internal (damaged), NotSupported (more than a person reads). Blocking.
Result<std::vector<PageItem>> read_fillings(olean::ModuleSet& solution, const std::vector<std::string>& holes,
                                            const std::function<bool(const olean::SetModule&)>& is_project);

}  // namespace leanbridge::certify
