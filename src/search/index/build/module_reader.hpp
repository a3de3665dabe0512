#pragma once
/// Reads a module from its source, `.ilean` and `.olean`, and joins the declarations by name.

#include "layout.hpp"
#include "search/index/readers.hpp"
#include "search/index/store/store.hpp"

namespace leanbridge::index {

/// Identifies the state of the module's files: paths, times and sizes.
std::string stamp_of(const ModuleFiles& files);
/// Hashes the contents of the files; "" if one cannot be read.
std::string hash_of(const ModuleFiles& files);

/// Reads a module. Never fails: Module::problem names the files that cannot be read. The caller sets the
/// record.
Module read_module(const ModuleFiles& files, const olean::BinderTable& binders);

/// Joins the three lists. Lean's names and types win; the source adds the text as written, docstrings and
/// positions. If `olean_is_newer`, drops names that only the source has: Lean has read that text and does not
/// know them.
std::vector<Declaration> join(std::vector<Declaration> olean, std::vector<Declaration> ilean,
                              std::vector<Declaration> source, bool olean_is_newer);

}  // namespace leanbridge::index
