#pragma once
/// The declarations of a project, its packages and its toolchain, searched without a network and without Lean.

#include "leanbridge/index/declaration.hpp"
#include "leanbridge/io/condition.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::index {

/// What is looked for. Parts that are empty do not matter; all that are given count towards the score.
struct Lookup {
  std::string words;                   ///< prose, a part of a name, or both: cut and translated by the index
  std::vector<std::string> constants;  ///< names (full, or their last parts) that the type mentions
  std::string conclusion;              ///< the head of the conclusion, full or last part
  std::string glob;                    ///< `Nat.*`, `*.add_comm`: names must match it
  std::vector<std::string> packages;   ///< first components or prefixes of modules (`Mathlib`, `Init.Data`); empty: all
  std::size_t limit = 20;
};

struct Found {
  Declaration declaration;
  double score = 0;  ///< 0..1 within this answer: 1 is an exact name
};

struct Matches {
  std::vector<Found> found;  ///< best first
  bool complete = true;      ///< false while the index is still being built: there may be more
};

/// How far the index is.
struct IndexStatus {
  enum class State { Absent, Building, Ready, Failed };
  struct Part {
    std::string name;  ///< "project" or the toolchain's name
    std::filesystem::path database;
    State state = State::Absent;
    std::size_t declarations = 0;
    std::size_t modules = 0;
    std::size_t modules_total = 0;  ///< while building
    std::uint64_t bytes = 0;        ///< on disk
    std::string problem;            ///< what failed, or was skipped and why
  };
  std::vector<Part> parts;
};

}  // namespace leanbridge::index
