#pragma once
/// The local index as a source. Private to this module.

#include "leanbridge/search/engine.hpp"

namespace leanbridge::search {

/// What it says to one lookup.
struct LocalAnswer {
  std::vector<Hit> hits;
  std::vector<bool> printed;  ///< types that were not printed by Lean
  std::string note;           ///< that it is still being built
  std::string error;          ///< "" for an answer
  std::string status;         ///< "ok", or how it failed
  double ms = 0;
  bool cached = false;
};

Hit to_hit(const index::Declaration& declaration, double score);

/// An answer of the whole index is kept for as long as the index stays as it is.
asio::awaitable<LocalAnswer> ask_local(LocalSource local, index::Lookup lookup, io::CancelScope scope);

/// How the local index is asked in a source's stead: Loogle's by the type, the others by words, each by the
/// other where a query has only that.
std::optional<index::Lookup> lookup_instead_of(std::string_view source, const Query& query);

}  // namespace leanbridge::search
