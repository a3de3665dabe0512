#pragma once
/// Questions to Lean about a place in a document or about all of it. Each waits for no more than its answer
/// needs and never returns an answer about another text than the current one.

#include "leanbridge/document/document_store.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace leanbridge::document {

/// How a wait on the table of a document ended well.
enum class Known {
  Complete,  ///< what was asked for is known
  Partial,   ///< the deadline came first: the table says what is known and what is still elaborating
};

/// Waits until all of the document is elaborated and reported (or Lean gave up at its header).
/// WorkerCrashed, Cancelled (also when the document is closed meanwhile).
asio::awaitable<Result<Known>> wait_until_done(std::shared_ptr<Document> document, io::CancelScope scope);

/// Waits until everything before the byte `offset` is elaborated and its diagnostics are reported.
asio::awaitable<Result<Known>> wait_until_reported(std::shared_ptr<Document> document, std::size_t offset,
                                                   io::CancelScope scope);

/// Waits until the range of bytes (of the current text, which must not change meanwhile) is elaborated and
/// its diagnostics are reported, whatever stands before it.
asio::awaitable<Result<Known>> wait_until_reported_between(std::shared_ptr<Document> document,
                                                           std::size_t start, std::size_t end,
                                                           io::CancelScope scope);

/// An answer and the place, in the text it is about, where it was asked.
struct PlacedAnswer {
  nlohmann::json value;
  std::size_t offset = 0;
  Version version = 0;
};

/// Asks `method` (params: textDocument, position, and those of `extra`) at a byte offset of the text of
/// `version`.
/// - Lean answers as soon as the place is elaborated; nothing else is waited for.
/// - If the text changes meanwhile the answer is dropped and the question asked again, at the place that the
/// offset has
///   become.
/// - An answer that says nothing (null, an empty list, no items or widgets) is asked again, unless Lean had
///   elaborated the place when it was asked; where Lean answers from its index, all of the document.
/// Timeout, Cancelled, WorkerCrashed, LeanUnavailable when the header failed.
asio::awaitable<Result<PlacedAnswer>> request_at(std::shared_ptr<DocumentStore> table,
                                                 std::shared_ptr<Document> document, std::string method,
                                                 std::size_t offset, Version version, nlohmann::json extra,
                                                 io::CancelScope scope);

/// The same through Lean's RPC (`$/lean/rpc/call`): `method` is the RPC method; its params are `params`, or
/// the position's where that is null. Connects where there is no living session, and once more when Lean says
/// that it has gone.
asio::awaitable<Result<PlacedAnswer>> rpc_request_at(std::shared_ptr<DocumentStore> table,
                                                     std::shared_ptr<Document> document, std::string method,
                                                     std::size_t offset, Version version,
                                                     io::CancelScope scope, nlohmann::json params = nullptr);

/// A request about the whole document (documentSymbol, ...), params: textDocument. An answer that says
/// nothing is believed of a document that is elaborated.
asio::awaitable<Result<nlohmann::json>> request_document(std::shared_ptr<DocumentStore> table,
                                                         std::shared_ptr<Document> document,
                                                         std::string method, io::CancelScope scope);

/// Lean's own words about a header that it gave up at; nullopt when it did not.
std::optional<Error> header_failure(const Document& document);

}  // namespace leanbridge::document
