#pragma once
/// The declarations of a project, from its sources and its compiled modules, without Lean. Blocking.

#include "core/ide/symbols.hpp"
#include "core/olean/module_set.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::together {

/// A constant in a compiled module.
struct CompiledUses {
  std::uint32_t line = 0;      ///< from 1; 0: Lean has generated it
  std::set<std::string> uses;  ///< the names that it mentions
};
/// By full name. Reads no imports. Internal: damaged.
Result<std::map<std::string, CompiledUses>> compiled_uses(const olean::ModuleBytes& bytes);

struct Declared {
  std::string name;  ///< in full; "" for an example
  std::string file;  ///< relative to the project
  int line = 1;
  std::string statement;  ///< as written, on one line
  ide::ProofState state = ide::ProofState::Unknown;
  std::string goal = {};            ///< of its first sorry, or of the tactic that fails; "": not known
  std::set<std::string> uses = {};  ///< full names; of what is not compiled: what its words may mean
  bool has_sorry_word = false;
};

struct SurveyedFile {
  std::filesystem::path path;
  std::string name;  ///< relative to the project
  std::vector<Declared> declarations = {};
  std::filesystem::path olean = {};  ///< its compiled module, if newer than its source and all imports
  std::string unread = {};           ///< why it was not read; "": it was
};

/// The declarations of a text. Their state is Unknown, and `uses` has words.
std::vector<Declared> declared_in(const std::string& text, const std::string& file);

/// Judges the declarations of a file by their words, since neither Lean nor a compiled module tells of it.
void take_words(SurveyedFile& file, std::string why);

using Survey = std::shared_ptr<const std::vector<SurveyedFile>>;

inline constexpr std::size_t kMaxFiles = 5'000;
/// The Lean files of the project's own, in the order of their paths; at most kMaxFiles.
std::vector<SurveyedFile> survey(const std::filesystem::path& root);

}  // namespace leanbridge::together
