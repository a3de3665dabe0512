#pragma once
/// The verdict about two compiled modules from hand-made terms.

#include "certify/verdict/image.hpp"
#include "certify/verdict/judge.hpp"
#include "core/olean/modules.hpp"
#include <catch2/catch.hpp>

#include <string>

namespace leanbridge::test {

class JudgedModules : public ModuleFolder {
 public:
  Result<certify::Findings> judge(const MakeModule& challenge, const MakeModule& solution,
                                  const certify::Rules& question = {}) const {
    auto left = open(challenge);
    auto right = open(solution);
    if (!left) return tl::unexpected(left.error());
    if (!right) return tl::unexpected(right.error());
    return certify::judge(*left, *right, question);
  }
  /// What is said of all names if it is the same, or why the first one is refused or incomplete.
  std::string verdict(const MakeModule& challenge, const MakeModule& solution,
                      const certify::Rules& question = {}) const {
    const auto findings = judge(challenge, solution, question);
    if (!findings) return "error: " + findings.error().message;
    if (findings->refused) return *findings->refused;
    for (const certify::NameVerdict& name : findings->names)
      if (name.verdict == certify::Outcome::Refused || name.verdict == certify::Outcome::Incomplete ||
          name.verdict != findings->names.front().verdict)
        return name.name + ": " + name.reason;
    return findings->names.empty() ? "nothing" : wire::name_of(findings->names.front().verdict);
  }
};

}  // namespace leanbridge::test
