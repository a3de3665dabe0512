#pragma once
/// Refuses writes of what another client holds, whichever tool writes.

#include "claims.hpp"
#include "core/ide/project_edit.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::together {

/// The full names of the declarations whose text differs between two texts of a file, and of those that only
/// one has. White space and comments around a declaration do not count.
std::vector<std::string> changed_declarations(std::string_view before, std::string_view after);

/// The claims as one client, or all clients of one kind, see them. Callable from any thread.
class ClaimGuard : public ide::WriteGuard {
 public:
  /// `cache`: the folder for remembered data; empty: there are no claims. `connection`: of the client.
  ClaimGuard(std::filesystem::path cache, std::string connection);

  std::string objection(const ide::PlannedWrite& write) override;
  void written(const ide::PlannedWrite& write) override;
  asio::awaitable<std::vector<std::string>> objections(ide::Lean& lean,
                                                       std::shared_ptr<document::DocumentStore> store,
                                                       io::CancelScope scope) override;

  /// The client of a call (io::CancelSource::client, io::Operation::caller).
  Holder holder(std::uint64_t client, const std::string& caller) const;
  /// NotSupported without a cache.
  Result<Claims> claims_of(const std::filesystem::path& root) const;
  /// Takes a claim; the end of the client ends it. Errors: as Claims::take(); Cancelled after end().
  Result<Claim> take(const std::filesystem::path& root, Claim wanted);
  /// The client is gone: ends its claims.
  void end();

 private:
  const std::filesystem::path cache_;
  const std::string connection_;
  std::mutex mutex_;
  std::set<std::filesystem::path> used_;  // projects with claims of the client
  bool ended_ = false;
};

}  // namespace leanbridge::together
