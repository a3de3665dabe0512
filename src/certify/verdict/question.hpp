#pragma once
/// The question to certify, wherever it is asked: on a command line, as a tool, in a line of a batch, in a
/// receipt. Pure, no I/O.

#include "core/base/json_struct.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace leanbridge::certify {

/// The texts to judge, with the names that lean_certify and a line of `certify --input` have for them.
struct Texts {
  std::optional<std::string> file_path;           ///< the solution's file
  std::optional<std::string> solution;            ///< or its whole text
  std::optional<std::string> challenge;           ///< a whole text
  std::optional<std::string> challenge_file;      ///< or its file
  std::optional<std::string> challenge_revision;  ///< or a revision of git, with `file_path`
  std::vector<std::string> names;                 ///< theorems; empty: all of the challenge

  static wire::Fields fields();
};

/// Why texts are no question.
struct TextsProblem {
  const char* sentence;
  const char* clause;  ///< about the line that has them
};
std::optional<TextsProblem> problem_with(const Texts& texts);

/// The terms of a verdict, which nobody who is judged may choose.
struct Terms {
  std::optional<std::vector<std::string>> axioms;  ///< instead of the standard ones
  std::vector<std::string> allowed_axioms;         ///< in addition to those
  std::optional<std::vector<std::string>> holes;   ///< absent: each definition of the challenge that is sorry
  std::vector<std::string> options;                ///< NAME=VALUE, set for every compilation
  bool without_replay = false;  ///< a solution without programs may be certified without a replay
  bool trust_packages = false;  ///< compiled packages count as they are, even without a baseline
  std::string kernel;           ///< a command to replay with; "": find one
  /// The kernels, among those that are found, that must accept: "all", a number, or names and commands.
  /// Empty: all are asked, and one acceptance is enough. In each case, a kernel that refuses prevents the
  /// verdict `certified`.
  std::vector<std::string> kernels;
  std::optional<std::string> baseline;  ///< a file made by record_baseline()
  std::int64_t memory_mb = 8192;        ///< for each run of Lean

  std::vector<std::string> all_axioms() const;
  /// The axioms beyond the standard ones.
  std::vector<std::string> more_axioms() const;

  static wire::Fields fields();  ///< those that a receipt has
};

struct Question : Texts, Terms {};

/// A flag of `leanbridge certify` that sets a member of the question.
struct Flag {
  using Member = std::variant<bool Question::*, std::int64_t Question::*, std::string Question::*,
                              std::optional<std::string> Question::*, std::vector<std::string> Question::*>;
  const char* name;
  const char* value;  ///< what follows it, in the help; "": nothing
  Member member;
  const char* help;
};
/// The flag with this name, which must exist.
const Flag& flag_named(std::string_view name);

/// The words on a command line that give a question these members, in this order.
std::vector<std::string> words_of(const Question& question, std::initializer_list<std::string_view> flags);

/// A command that asks the question about these files (CHALLENGE SOLUTION; with a revision only SOLUTION),
/// for `complete_with` to extend. It begins with `words`.
std::vector<std::string> command_of(const Question& given, std::vector<std::string> words,
                                    const std::vector<std::string>& files);

}  // namespace leanbridge::certify
