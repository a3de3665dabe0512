#pragma once
/// The claims of one project, who works on which declaration, in a file of the cache that every leanbridge of
/// the user reads, and writes under a lock. With and without a shared server the same code decides. Blocking;
/// callable from any thread.

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/json_struct.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace leanbridge::together {

/// A client, and the process that serves it.
struct Holder {
  std::string name;          ///< the client, as it calls itself; may be empty
  int pid = 0;               ///< of the process
  std::int64_t started = 0;  ///< its start, in ticks since that of the machine: a pid is used again
  std::string connection;    ///< tells the clients of the process apart

  bool is(const Holder& other) const {
    return pid == other.pid && started == other.started && connection == other.connection;
  }
  /// "claude-code (connection 2 of process 4711)".
  std::string shown() const;

  static wire::Fields fields() {
    return wire::fields<&Holder::name, &Holder::pid, &Holder::started, &Holder::connection>();
  }
};

/// This process; without a name and a connection.
Holder own_process();
/// Whether the process of a holder still runs.
bool is_alive(const Holder& holder);

struct Claim {
  std::string declaration;  ///< its full name
  std::string file;         ///< relative to the project
  std::string why;
  Holder holder;
  std::int64_t since = 0, until = 0;  ///< in seconds since 1970

  bool is_of(const std::string& in_file, const std::string& name) const {
    return file == in_file && declaration == name;
  }

  static wire::Fields fields() {
    return {wire::field<&Claim::declaration>(), wire::field<&Claim::file>(),  wire::field<&Claim::why>(),
            wire::flatten<&Claim::holder>(),    wire::field<&Claim::since>(), wire::field<&Claim::until>()};
  }
};

/// How long a claim holds that no work renews.
inline constexpr std::int64_t kClaimSeconds = 30 * 60;

class Claims {
 public:
  /// `now` in seconds since 1970.
  explicit Claims(std::filesystem::path folder, std::function<std::int64_t()> now = seconds_now);

  /// The claims that hold, by file and declaration. None if the file is missing or damaged: a claim keeps
  /// agents from double work, and what is written is compared and swapped anyway.
  std::vector<Claim> list() const;
  /// Takes it, or renews the holder's own; one of list() that has ended since then stays ended.
  /// InvalidArgument: another client holds it; Timeout, Internal: the file cannot be written.
  Result<Claim> take(Claim wanted) const;
  /// Ends the claims for which `ends` holds, and returns them. Timeout, Internal: the file cannot be written.
  Result<std::vector<Claim>> end(const std::function<bool(const Claim&)>& ends) const;

  static std::int64_t seconds_now();

 private:
  Result<void> write(std::vector<Claim> claims) const;

  std::filesystem::path folder_;
  std::function<std::int64_t()> now_;
};

/// Keeps other processes and threads from changing the files of the folder, while the result lives. Timeout,
/// Internal: they cannot be written.
Result<Descriptor> lock_claims(const std::filesystem::path& folder);

/// "2026-11-24T16:40:00Z".
std::string shown_time(std::int64_t seconds);

/// Why others must not change it, in sentences.
std::string refusal(const Claim& claim);

}  // namespace leanbridge::together
