#pragma once
/// LeanExplore, by its service or its data on this disk: besides search, statements by id and what they rest
/// on.

#include "leanbridge/search/backend.hpp"

#include <nlohmann/json_fwd.hpp>

namespace leanbridge::search {

/// One statement. Both versions of LeanExplore are brought into this form, which is the first version's.
struct ExploreItem {
  std::optional<std::int64_t> id;  ///< nothing: only the name is known
  std::string name;
  std::string source_file;  ///< "Mathlib/Data/Nat/Basic.lean"
  std::uint32_t line = 0;   ///< 1-based; 0: not known
  std::string statement;
  std::optional<std::string> docstring;
  std::optional<std::string> informal;
};

struct ExploreAnswer {
  std::vector<std::string> packages_applied;
  std::vector<ExploreItem> items;  ///< best first
  std::size_t candidates = 0;      ///< that were looked at, where it is said; else as many as items
  std::string note;                ///< the version of the data
};

class Explore : public Backend {
 public:
  virtual asio::awaitable<Outcome<ExploreAnswer>> search(Question question, io::CancelScope scope) = 0;
  /// Nothing: there is no such id.
  virtual asio::awaitable<Outcome<std::optional<ExploreItem>>> get_by_id(std::int64_t id,
                                                                         io::CancelScope scope) = 0;
  virtual asio::awaitable<Outcome<std::optional<std::vector<ExploreItem>>>> get_dependencies(
      std::int64_t id, io::CancelScope scope) = 0;
  asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) override;
};

/// LeanExplore's ResultItem, as its first MCP server gave it.
nlohmann::json to_result_item(const ExploreItem& item);

Hit to_hit(const ExploreItem& item);

}  // namespace leanbridge::search
