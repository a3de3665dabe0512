#pragma once
/// The question to a search, and its answer, as clients of lean_theorem_search see them. Pure.

#include "engine.hpp"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace leanbridge::search {

/// One question, in one or several phrasings.
struct SearchQuestion {
  std::string query;
  std::vector<std::string> queries;  ///< other phrasings of the query
  std::optional<std::string> type_pattern;
  std::vector<std::string> sources;   ///< empty: all
  std::vector<std::string> packages;  ///< empty: all
  std::size_t limit = 8;

  static wire::Fields fields();
};

/// A goal that the theorems are for.
struct AskedGoal {
  std::string text;  ///< in Lean's format
  /// The goal's declaration and the declarations below it in the file, which cannot prove it.
  std::set<std::string> not_before;
};

/// The phrasings; the first is the query, combined with the type pattern and the goal if given.
/// InvalidArgument: there are too many, or nothing is asked.
Result<std::vector<SearchRequest>> requests_for(SearchQuestion asked, std::optional<AskedGoal> goal,
                                                const std::filesystem::path& project);

struct TheoremLocation {
  std::string file_path;
  wire::Nullable<std::size_t> line;

  static wire::Fields fields() { return wire::fields<&TheoremLocation::file_path, &TheoremLocation::line>(); }
};

struct TheoremItem {
  std::string name;
  wire::Nullable<std::string> type;
  wire::Nullable<std::string> module;
  wire::Nullable<TheoremLocation> location;
  std::vector<std::string> sources;
  double confidence = 0;
  std::optional<std::string> kind;
  std::optional<std::string> docstring;
  std::optional<std::string> informal;
  std::optional<std::vector<std::size_t>> found_by;  ///< as Theorem::found_by
  std::optional<std::string> score;                  ///< the parts of the local index's score
  std::optional<bool> type_is_printed;               ///< true if the type was not printed by Lean, else
                                                     ///< absent
  std::optional<bool> in_environment;                ///< if Lean was asked

  static wire::Fields fields();
};

struct ShownAnswer {
  std::vector<TheoremItem> results;  ///< best first
  std::string searched;              ///< the sources on one line
  std::size_t total = 0;
  bool truncated = false;
  std::optional<std::string> try_this;                  ///< the proof that exact? suggests for the goal
  std::optional<std::string> note;                      ///< for the local index: the limits of its results
  std::optional<std::vector<std::string>> suggestions;  ///< queries that sources suggest instead

  static wire::Fields fields();
};

/// Paths are shown as in the project at `root`. `unusable`: how many of the results were left out since.
ShownAnswer shown(const SearchAnswer& answer, const std::filesystem::path& root, std::size_t unusable);

/// The path relative to the project if the file is in it. "" stays "".
std::string shown_path(const std::string& file, const std::filesystem::path& root);

}  // namespace leanbridge::search
