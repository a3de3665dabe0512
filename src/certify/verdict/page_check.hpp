#pragma once
/// Has Lean read a page back: what it shows is a text, and only Lean knows which term that is. Private to
/// this module.

#include "compiled_text.hpp"
#include "inputs.hpp"
#include "page.hpp"

#include <string>
#include <vector>

namespace leanbridge::certify {

/// Compiles the page's lines above the challenge, whose compiled file is `parts`, and compares the terms.
/// Lines that are another term, or that Lean does not understand, get it in full (PageItem::in_full).
/// Page::not_read says why none was compared. Lean runs as for the challenge, at most a minute and a third of
/// the time that is left. Errors: Cancelled, and those of files of ours.
asio::awaitable<Result<Page>> read_back(const Job& job, const Inputs& inputs, SharedSet challenge,
                                        std::vector<std::string> parts, Page page);

}  // namespace leanbridge::certify
