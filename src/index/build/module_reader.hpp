#pragma once
/// One module from its files: what source, `.ilean` and `.olean` say of it, joined by name.

#include "leanbridge/index/readers.hpp"

#include "index/store/store.hpp"
#include "layout.hpp"

namespace leanbridge::index {

/// Of the module's files: paths, times and sizes.
std::string stamp_of(const ModuleFiles& files);
/// Of their contents; "" where one cannot be read.
std::string hash_of(const ModuleFiles& files);

/// Never fails: what cannot be read is said in Module::problem. The record is left to the caller.
Module read_module(const ModuleFiles& files, const BinderTable& binders);

/// Joins what the three say. Lean's names and types count; the source adds the text as written, documentation
/// and places. A name that only the source has is dropped where `olean_is_newer`: Lean has read that text and
/// does not know it.
std::vector<Declaration> join(std::vector<Declaration> olean, std::vector<Declaration> ilean,
                              std::vector<Declaration> source, bool olean_is_newer);

}  // namespace leanbridge::index
