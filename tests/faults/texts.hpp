#pragma once
/// Random Lean files and edits of them, in ModelText's language. No line is generated twice.

#include "random.hpp"

#include <string>

namespace leanbridge::faults {

class Texts {
 public:
  /// `crashes`: also generates lines that kill the worker.
  Texts(Random random, bool crashes) : random_(random), crashes_(crashes) {}

  std::string file();
  /// A text with nothing that is slow or kills the worker.
  std::string harmless_file();
  /// Another text, mostly similar to the given one.
  std::string edited(const std::string& text);
  /// The text of a module for files to import.
  std::string module(bool may_be_broken);
  /// One or two lines for a proof.
  std::string snippet();
  std::string theorem();
  std::string term() { return word("x"); }

 private:
  std::string tactic();
  std::string word(const char* prefix) { return prefix + std::to_string(++words_); }

  Random random_;
  bool crashes_;
  bool harmless_ = false;
  int words_ = 0;
};

}  // namespace leanbridge::faults
