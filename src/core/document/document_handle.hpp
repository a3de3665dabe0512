#pragma once
/// Requests to Lean about one place of a document or the whole of it. Each waits for no more than its answer
/// needs, and never returns an answer about a text that is no longer current.

#include "document_store.hpp"
#include <nlohmann/json.hpp>

#include <string>

namespace leanbridge::document {

/// The successful outcomes of a wait on a document.
enum class WaitOutcome {
  Complete,  ///< everything requested is known
  Partial,   ///< the deadline came first; the state tells which lines are still elaborating
};

/// An answer, with the place it is about and the version of the text.
struct PlacedAnswer {
  nlohmann::json value;
  std::size_t offset = 0;
  Version version = 0;
};

/// A document and its store; every request about a document goes through a handle. Cheap to copy; requests
/// under way keep both alive. Belongs to the loop's thread.
class DocumentHandle {
 public:
  DocumentHandle(std::shared_ptr<DocumentStore> store, std::shared_ptr<Document> document)
      : store_(std::move(store)), document_(std::move(document)) {}

  const std::shared_ptr<DocumentStore>& store() const { return store_; }
  Document& document() const { return *document_; }
  const std::shared_ptr<Document>& share() const { return document_; }
  const DocumentState& state() const { return document_->state; }
  const text::Text& text() const { return document_->state.text(); }
  /// Remembers a byte offset of the current text, to be resolved after edits.
  TextAnchor anchor(std::size_t offset) const { return state().anchor(offset); }
  /// The offset of the anchor in the current text, or the end of the text if its version is too old to tell.
  std::size_t resolve(const TextAnchor& anchor) const {
    return state().resolve(anchor).value_or(text().size());
  }

  /// Sends `method` about a place. The params are textDocument, position and the members of `extra`.
  /// - Lean answers as soon as the place is elaborated; this waits for nothing else.
  /// - If the text changes meanwhile, the answer is dropped and the request repeated at the resolved anchor.
  /// - An empty answer (null, an empty list, no items or widgets) is reliable only if Lean had elaborated the
  ///   place when it was asked; for methods that Lean answers from its index, the whole document. Otherwise
  ///   the request is repeated once it has. Errors: Timeout, Cancelled, WorkerCrashed; LeanUnavailable if the
  ///   header failed.
  asio::awaitable<Result<PlacedAnswer>> request_at(std::string method, TextAnchor at, io::CancelScope scope,
                                                   nlohmann::json extra = nullptr) const;
  /// Like request_at(), through Lean's RPC (`$/lean/rpc/call`): `method` is the RPC method; its params are
  /// `params`, or the position if that is null. Connects if there is no live session, and once more if Lean
  /// says that the session is gone.
  asio::awaitable<Result<PlacedAnswer>> rpc_request_at(std::string method, TextAnchor at,
                                                       io::CancelScope scope,
                                                       nlohmann::json params = nullptr) const;
  /// Sends a request about the whole document (documentSymbol, ...), params: textDocument. An empty answer is
  /// reliable only if the document is elaborated; otherwise the request is repeated.
  asio::awaitable<Result<nlohmann::json>> request(std::string method, io::CancelScope scope) const;
  /// Sends a request with params of its own, about Lean's messages on the present text, and returns Lean's
  /// answer as it comes. The wait also ends (Cancelled) when the text changes or its worker ends.
  asio::awaitable<lean::Reply> request_once(std::string method, nlohmann::json params,
                                            io::CancelScope scope) const;

  /// Waits until the whole document is elaborated and reported (or Lean gave up at its header).
  /// Errors: WorkerCrashed; Cancelled, also if the document is closed meanwhile.
  asio::awaitable<Result<WaitOutcome>> wait_until_done(io::CancelScope scope) const;
  /// Waits until everything before the byte `offset` is elaborated and its diagnostics are reported.
  asio::awaitable<Result<WaitOutcome>> wait_until_reported(std::size_t offset, io::CancelScope scope) const;
  /// Waits until the range of bytes is elaborated and its diagnostics are reported, whether or not the text
  /// before it is. The text must not change meanwhile.
  asio::awaitable<Result<WaitOutcome>> wait_until_reported_between(std::size_t start, std::size_t end,
                                                                   io::CancelScope scope) const;

  /// An error that quotes Lean if it gave up at the header; otherwise nullopt.
  std::optional<Error> header_failure() const;

 private:
  std::shared_ptr<DocumentStore> store_;
  std::shared_ptr<Document> document_;
};

}  // namespace leanbridge::document
