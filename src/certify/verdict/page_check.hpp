#pragma once
/// Lets Lean read a page back: the page shows texts, and only Lean knows which terms they are. Private to
/// this module.

#include "compiled_text.hpp"
#include "inputs.hpp"
#include "page.hpp"

#include <string>
#include <vector>

namespace leanbridge::certify {

/// Compiles the page's lines behind the challenge, whose compiled file is `parts`, and compares the terms.
/// Lines that Lean reads as another term, or does not understand, get the term in full (PageItem::in_full).
/// Page::not_read tells why no line was compared. Lean runs as for the challenge, for at most a minute and a
/// third of the remaining time. Errors: Cancelled, and errors of our own files.
asio::awaitable<Result<Page>> read_back(const Job& job, const Inputs& inputs, SharedSet challenge,
                                        std::vector<std::string> parts, Page page);

}  // namespace leanbridge::certify
