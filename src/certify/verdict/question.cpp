#include "question.hpp"

#include "core/lean/axioms.hpp"
#include "core/text/word_list.hpp"

#include <algorithm>
#include <type_traits>

namespace leanbridge::certify {

wire::Fields Texts::fields() {
  return {wire::field<&Texts::file_path>("The solution"),
          wire::field<&Texts::solution>("Its text, instead"),
          wire::field<&Texts::challenge>("Text with imports; theorems end in sorry"),
          wire::field<&Texts::challenge_file>("Or its file"),
          wire::field<&Texts::challenge_revision>("Or file_path in this git revision"),
          wire::field<&Texts::names>("Default: all").with_default()};
}

std::optional<TextsProblem> problem_with(const Texts& texts) {
  if (texts.file_path.has_value() == texts.solution.has_value())
    return TextsProblem{"The solution is file_path or the text solution: pass one of them.",
                        "it needs either `file_path` or `solution`"};
  const int challenges = int{texts.challenge.has_value()} + int{texts.challenge_file.has_value()} +
                         int{texts.challenge_revision.has_value()};
  if (challenges != 1)
    return TextsProblem{"Exactly one challenge is needed.",
                        "it needs exactly one of `challenge`, `challenge_file` and `challenge_revision`"};
  if (texts.challenge_revision && !texts.file_path)
    return TextsProblem{"challenge_revision is about a file, which file_path must name.",
                        "`challenge_revision` needs `file_path`"};
  return std::nullopt;
}

std::vector<std::string> Terms::all_axioms() const {
  std::vector<std::string> all = axioms.value_or(lean::standard_axioms());
  all.insert(all.end(), allowed_axioms.begin(), allowed_axioms.end());
  return all;
}

std::vector<std::string> Terms::more_axioms() const {
  std::vector<std::string> more = allowed_axioms;
  for (const std::string& axiom : axioms.value_or(std::vector<std::string>()))
    if (!text::contains(lean::standard_axioms(), axiom)) more.push_back(axiom);
  return more;
}

wire::Fields Terms::fields() {
  return wire::fields<&Terms::allowed_axioms, &Terms::holes, &Terms::options, &Terms::without_replay,
                      &Terms::trust_packages, &Terms::kernel, &Terms::baseline, &Terms::memory_mb>();
}

const Flag& flag_named(std::string_view name) {
  using Q = Question;
  static const std::vector<Flag> kFlags = {
      {"--git", "REVISION", &Q::challenge_revision, "The challenge is SOLUTION as it was in this revision"},
      {"--name", "NAME", &Q::names, "Judge only this theorem (repeatable; default: all of the challenge)"},
      {"--allow-axiom", "NAME", &Q::allowed_axioms,
       "Also allow this axiom (repeatable; propext, Quot.sound and Classical.choice are allowed)"},
      {"--option", "NAME=VALUE", &Q::options, "Set a Lean option for all files (repeatable)"},
      {"--kernel", "COMMAND", &Q::kernel,
       "Replay the proofs with COMMAND MODULE... (default: leanchecker of the toolchain, or lean4checker)"},
      {"--kernels", "all|N|NAMES", &Q::kernels,
       "Which kernels must all accept: all that are found, the first N, or these (NAME,NAME; a command reads "
       "an export)"},
      {"--without-replay", "", &Q::without_replay,
       "Certify without a replay what has no program that could have bypassed the kernel"},
      {"--baseline", "FILE", &Q::baseline, "Compare all imports with this record of an earlier build"},
      {"--trust-packages", "", &Q::trust_packages,
       "Accept the compiled files of packages without a baseline"},
      {"--memory", "MB", &Q::memory_mb, "Memory for each run of Lean (default: 8192)"}};
  return *std::ranges::find_if(kFlags, [&](const Flag& flag) { return flag.name == name; });
}

std::vector<std::string> words_of(const Question& question, std::initializer_list<std::string_view> flags) {
  std::vector<std::string> words;
  for (const std::string_view name : flags) {
    const auto add = [&](const std::string& value) {
      if (!value.empty()) words.insert(words.end(), {std::string(name), value});
    };
    const auto add_member = [&](auto member) {
      const auto& value = question.*member;
      using Value = std::decay_t<decltype(value)>;
      if constexpr (std::is_same_v<Value, bool>) {
        if (value) words.emplace_back(name);
      } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
        for (const std::string& each : value) add(each);
      } else if constexpr (std::is_same_v<Value, std::optional<std::string>>) {
        add(value.value_or(""));
      } else if constexpr (std::is_same_v<Value, std::string>) {
        add(value);
      } else {
        add(std::to_string(value));
      }
    };
    std::visit(add_member, flag_named(name).member);
  }
  return words;
}

std::vector<std::string> command_of(const Question& given, std::vector<std::string> words,
                                    const std::vector<std::string>& files) {
  const auto add = [&](const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  Question question = given;
  question.allowed_axioms = given.more_axioms();
  add(words_of(question, {"--git"}));
  add(files);
  add(words_of(question, {"--name", "--allow-axiom", "--option", "--baseline", "--trust-packages"}));
  return words;
}

}  // namespace leanbridge::certify
