#pragma once
/// The declarations of a paper's file as Lean knows them now. Private to this module.

#include "corpus/records/comparison.hpp"
#include "corpus_paper.hpp"

namespace leanbridge::tools {

struct LiveFailure {
  std::string kind;  ///< a word of wire_name(ErrorKind)
  std::string message;
  std::string hint;

  static wire::Fields fields() {
    return wire::fields<&LiveFailure::kind, &LiveFailure::message, &LiveFailure::hint>();
  }
};

struct LiveAnswer {
  corpus::LiveFile file;
  wire::Nullable<document::Version> version;
  std::optional<LiveFailure> error;  ///< why Lean's answer is missing or incomplete
  bool timed_out = false;

  static wire::Fields fields() {
    return {wire::flatten<&LiveAnswer::file>(), wire::field<&LiveAnswer::version>(),
            wire::field<&LiveAnswer::error>()};
  }
};

/// Asks Lean about a file that the cards call `file_path`: its declarations with their types, proof status
/// and dependencies. Names that the cards expect in it and that are not written there are looked up by name.
/// Returns the error Cancelled; other errors are in the answer.
asio::awaitable<Result<LiveAnswer>> ask_live(Environment& environment, std::shared_ptr<mcp::Call> call,
                                             const PublishedPaper& published, std::string file_path);

}  // namespace leanbridge::tools
