#pragma once
/// Puts the page about theorems together. Private to this module.

#include "leanbridge/certify/page.hpp"

#include "fingerprint.hpp"

#include <functional>
#include <string>
#include <vector>

namespace leanbridge::certify {

/// The page about these theorems of a set, by their keys. Errors: Internal (damaged), NotSupported (too much
/// below them). Blocking.
Result<Page> read_page(index::ModuleSet& set, const std::vector<std::string>& theorems,
                       const std::function<bool(const index::SetModule&)>& is_project);

}  // namespace leanbridge::certify
