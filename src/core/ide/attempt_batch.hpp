#pragma once
/// Workers that try attempts at one place of a file. Private to this module.

#include "trials.hpp"

namespace leanbridge::ide {

/// Where the snippets go.
struct AttemptSite {
  std::shared_ptr<document::DocumentStore> store;
  std::filesystem::path file;  ///< the user's
  std::string before;          ///< the file's text up to the place
  std::string rest;            ///< the text that completes the declaration's `mutual` block

  text::AttemptText text_of(const Attempt& attempt) const {
    return text::attempt_text(before, before.size(), attempt.text(), rest);
  }
};

/// Fills in what Lean says of each attempt. Errors only if all are affected: Lean unavailable, cancelled.
asio::awaitable<Result<std::vector<Attempt>>> try_in_scratch(std::shared_ptr<io::Operation> operation,
                                                             AttemptSite site, std::vector<Attempt> attempts,
                                                             TrialLimits limits);

}  // namespace leanbridge::ide
