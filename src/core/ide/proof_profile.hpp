#pragma once
/// The time that a declaration takes, by line and by category, as Lean's profiler reports it.

#include "core/lean/profile.hpp"
#include "scratch_elaboration.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::ide {

struct ProfileQuestion {
  FileParams file;
  int line = 1;  ///< of the declaration
  int top_n = 5;
  double timeout = 60;

  static wire::Fields fields() {
    return {wire::flatten<&ProfileQuestion::file>(), wire::field<&ProfileQuestion::line>().at_least(1),
            wire::field<&ProfileQuestion::top_n>("Slowest lines").with_default().at_least(0),
            wire::field<&ProfileQuestion::timeout>("Seconds").with_default().at_least(0)};
  }
};

struct ProofProfile {
  std::string declaration;
  wire::Nullable<double> ms;          ///< in total; null: nothing was measured, see `reason`
  std::vector<lean::LineTime> lines;  ///< of the file, slowest first
  std::map<std::string, double> categories;
  std::optional<std::string> reason;
  TrialStatus status;

  static wire::Fields fields() {
    return {wire::field<&ProofProfile::declaration>().unlisted().omit_empty(),
            wire::field<&ProofProfile::ms>(),
            wire::field<&ProofProfile::lines>(),
            wire::field<&ProofProfile::categories>(),
            wire::field<&ProofProfile::reason>(),
            wire::flatten<&ProofProfile::status>()};
  }
};

/// Of the declaration at a line, elaborated in a copy of the file up to its end. Errors: InvalidArgument if
/// there is none; those of open_place() and elaborate_text().
asio::awaitable<Result<ProofProfile>> profile_proof(Lean& lean, std::shared_ptr<io::Operation> operation,
                                                    ProfileQuestion question);

}  // namespace leanbridge::ide
