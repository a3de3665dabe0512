#pragma once
/// Random Lean files and edits of them, in ModelText's language. Every line that is made is new.

#include "random.hpp"

#include <string>

namespace leanbridge::faults {

class Texts {
 public:
  /// `crashes`: lines that kill the worker are made, too.
  Texts(Random random, bool crashes) : random_(random), crashes_(crashes) {}

  std::string file();
  /// Nothing in it is slow or kills.
  std::string harmless_file();
  /// Another text, mostly much like the one given.
  std::string edited(const std::string& text);
  /// What a module says that files import.
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
