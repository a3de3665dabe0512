#pragma once
/// A document as its users have it: questions to Lean about a place in it or about all of it. Each waits for
/// no more than its answer needs and never returns an answer about another text than the current one.

#include "leanbridge/document/document_store.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace leanbridge::document {

/// How a wait on a document ended well.
enum class WaitOutcome {
  Complete,  ///< what was asked for is known
  Partial,   ///< the deadline came first: the state says what is known and what is still elaborating
};

/// An answer and the place, in the text it is about, where it was asked.
struct PlacedAnswer {
  nlohmann::json value;
  std::size_t offset = 0;
  Version version = 0;
};

/// A document and the store that it belongs to: all that is asked of a document goes through it. Cheap to
/// copy; what was asked keeps both alive. Belongs to the loop's thread.
class DocumentHandle {
 public:
  DocumentHandle(std::shared_ptr<DocumentStore> store, std::shared_ptr<Document> document)
      : store_(std::move(store)), document_(std::move(document)) {}

  const std::shared_ptr<DocumentStore>& store() const { return store_; }
  Document& document() const { return *document_; }
  const std::shared_ptr<Document>& share() const { return document_; }
  const DocumentState& state() const { return document_->state; }
  const text::Text& text() const { return document_->state.text(); }
  /// A byte offset of the current text, to be found again after edits.
  TextAnchor anchor(std::size_t offset) const { return state().anchor(offset); }
  /// Where the anchor is now; the end of the text where that is not known any more.
  std::size_t resolve(const TextAnchor& anchor) const {
    return state().resolve(anchor).value_or(text().size());
  }

  /// Asks `method` (params: textDocument, position, and those of `extra`) at a place.
  /// - Lean answers as soon as the place is elaborated; nothing else is waited for.
  /// - If the text changes meanwhile the answer is dropped and the question asked again, at the place that
  /// the
  ///   anchor has become.
  /// - An answer that says nothing (null, an empty list, no items or widgets) is asked again, unless Lean had
  ///   elaborated the place when it was asked; where Lean answers from its index, all of the document.
  /// Timeout, Cancelled, WorkerCrashed, LeanUnavailable when the header failed.
  asio::awaitable<Result<PlacedAnswer>> request_at(std::string method, TextAnchor at, io::CancelScope scope,
                                                   nlohmann::json extra = nullptr) const;
  /// The same through Lean's RPC (`$/lean/rpc/call`): `method` is the RPC method; its params are `params`, or
  /// the position's where that is null. Connects where there is no living session, and once more when Lean
  /// says that it has gone.
  asio::awaitable<Result<PlacedAnswer>> rpc_request_at(std::string method, TextAnchor at,
                                                       io::CancelScope scope,
                                                       nlohmann::json params = nullptr) const;
  /// A request about the whole document (documentSymbol, ...), params: textDocument. An answer that says
  /// nothing is believed of a document that is elaborated.
  asio::awaitable<Result<nlohmann::json>> request(std::string method, io::CancelScope scope) const;

  /// Waits until all of the document is elaborated and reported (or Lean gave up at its header).
  /// WorkerCrashed, Cancelled (also when the document is closed meanwhile).
  asio::awaitable<Result<WaitOutcome>> wait_until_done(io::CancelScope scope) const;
  /// Waits until everything before the byte `offset` is elaborated and its diagnostics are reported.
  asio::awaitable<Result<WaitOutcome>> wait_until_reported(std::size_t offset, io::CancelScope scope) const;
  /// Waits until the range of bytes (of the current text, which must not change meanwhile) is elaborated and
  /// its diagnostics are reported, whatever stands before it.
  asio::awaitable<Result<WaitOutcome>> wait_until_reported_between(std::size_t start, std::size_t end,
                                                                   io::CancelScope scope) const;

  /// Lean's own words about a header that it gave up at; nullopt when it did not.
  std::optional<Error> header_failure() const;

 private:
  std::shared_ptr<DocumentStore> store_;
  std::shared_ptr<Document> document_;
};

}  // namespace leanbridge::document
