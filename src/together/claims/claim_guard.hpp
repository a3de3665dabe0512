#pragma once
/// Refuses writes of what another client holds, whichever tool writes.

#include "claims.hpp"
#include "core/ide/project_edit.hpp"
#include "record.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::together {

/// The full names of the declarations whose text differs between two texts of a file, and of those that only
/// one has. White space and comments around a declaration do not count.
std::vector<std::string> changed_declarations(std::string_view before, std::string_view after);

/// The claims as one client, or all clients of one kind, see them. Keeps nothing but in files, so that any
/// thread may call it. Blocking.
class ClaimGuard : public ide::WriteGuard {
 public:
  /// `cache`: the folder for remembered data; empty: there are no claims. `connection`: of the client.
  ClaimGuard(std::filesystem::path cache, std::string connection, bool keeps_record = true);

  std::string objection(const ide::PlannedWrite& write) override;
  void written(const ide::PlannedWrite& write) override;
  asio::awaitable<std::vector<std::string>> objections(ide::Lean& lean,
                                                       std::shared_ptr<document::DocumentStore> store,
                                                       io::CancelScope scope) override;

  /// The client of a call (io::CancelSource::client, io::Operation::caller).
  Holder holder(std::uint64_t client, const std::string& caller) const;
  /// Where the claims of the project and the record are. NotSupported without a cache.
  Result<std::filesystem::path> folder_of(const std::filesystem::path& root) const;
  Result<Claims> claims_of(const std::filesystem::path& root) const;
  /// As Claims::take().
  Result<Claim> take(const std::filesystem::path& root, const Claim& wanted) const;
  /// Ends claims of the holder, all if `names` is empty; returns those that it had. Errors: as Claims::end().
  Result<std::vector<Claim>> release(const std::filesystem::path& root, const Holder& holder,
                                     const std::vector<std::string>& names) const;
  /// The client is gone: ends its claims in these projects, and those of the clients that share its
  /// connection.
  void end(const std::set<std::filesystem::path>& roots) const;

 private:
  std::string find_objection(const ide::PlannedWrite& write);
  void record(const std::filesystem::path& root, RecordLine line) const;
  void record_write(const ide::PlannedWrite& write, Deed did, const std::string& verdict) const;
  Result<std::vector<Claim>> end_claims(const std::filesystem::path& root, const std::string& why,
                                        const std::function<bool(const Claim&)>& ends) const;

  const std::filesystem::path cache_;
  const std::string connection_;
  const bool keeps_record_;
};

}  // namespace leanbridge::together
