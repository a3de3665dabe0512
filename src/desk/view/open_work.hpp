#pragma once
/// The open work of a project, who holds it, and the end of the record (src/together), for the page of
/// `leanbridge view --watch`. It asks no Lean: what is not compiled is told by its words.

#include "core/ide/lean.hpp"
#include "together/claims/record.hpp"
#include "together/work/todo.hpp"
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace leanbridge::app {

/// The section of the page: the members of a Todo, and {record: {all, lines}} with the newest line first.
/// Items that somebody holds have {holder, why, since: seconds since 1970}. Both lists are cut, and `open`
/// and `all` count all. Empty: nothing is open, and nothing has been recorded. Pure.
nlohmann::json shown_work(together::Todo todo, const std::vector<together::Claim>& claims,
                          const std::vector<together::RecordLine>& record);

/// One look at the disk.
struct WorkOnDisk {
  /// Tell apart the states of what a survey reads, and of claims and record.
  std::uint64_t sources = 0, deeds = 0;
  together::Survey survey;  ///< null: nothing that it reads has changed, or the last one has just been made
  std::vector<together::Claim> claims;
  std::chrono::steady_clock::time_point survey_after = {};
};
/// The look after `before`. Sources and compiled modules are read only if one of them has changed. `folder`:
/// of the claims. Blocking.
WorkOnDisk look_at_disk(const std::filesystem::path& root, const std::filesystem::path& folder,
                        WorkOnDisk before);

/// Belongs to the loop's thread. Owned by shared_ptr: its coroutines keep it alive.
class OpenWork : public std::enable_shared_from_this<OpenWork> {
 public:
  /// `folder`: of the project's claims (together::ClaimGuard::folder_of). `lean` outlives it.
  OpenWork(ide::Lean& lean, std::shared_ptr<document::DocumentStore> project, std::filesystem::path folder)
      : lean_(lean), project_(std::move(project)), folder_(std::move(folder)) {}

  /// Looks at the disk, on the pool, unless that was a moment ago. Of several that ask, one looks, and the
  /// others wait for it.
  asio::awaitable<void> refresh(io::CancelScope scope);
  /// As shown_work(), when it was last refreshed.
  const nlohmann::json& shown() const { return shown_; }
  const std::shared_ptr<document::DocumentStore>& project() const { return project_; }

 private:
  asio::awaitable<void> look_again();

  ide::Lean& lean_;
  const std::shared_ptr<document::DocumentStore> project_;
  const std::filesystem::path folder_;
  WorkOnDisk seen_;
  together::Todo todo_;  // of the last survey
  nlohmann::json shown_ = nlohmann::json::object();
  bool is_looking_ = false;
  io::Clock::time_point look_after_ = {};
  io::Condition looked_;
};

}  // namespace leanbridge::app
