#include "claims.hpp"

#include "core/base/json.hpp"
#include "core/base/try.hpp"
#include "core/base/utc_time.hpp"
#include "core/platform/processes.hpp"
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <tuple>

namespace leanbridge::together {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr auto kLockLimit = std::chrono::seconds(5);

tl::unexpected<Error> cannot_write(const fs::path& file) {
  return fail(ErrorKind::Internal,
              "The claims in " + file.string() + " cannot be written: " + std::strerror(errno) + ".",
              "Is the cache's folder writable? --cache-dir names another one.");
}

}  // namespace

std::string Holder::shown() const {
  return (name.empty() ? "Another client" : name) + " (connection " + connection + " of process " +
         std::to_string(pid) + ")";
}

Holder own_process() {
  static const Holder own{"", ::getpid(), platform::started_at(::getpid()), ""};
  return own;
}

bool is_alive(const Holder& holder) {
  return holder.pid > 0 && platform::started_at(holder.pid) == holder.started;
}

std::string shown_time(std::int64_t seconds) {
  return utc_time(std::chrono::system_clock::time_point(std::chrono::seconds(seconds)));
}

std::string refusal(const Claim& claim) {
  return claim.declaration + " in " + claim.file + " is held by " + claim.holder.shown() + " since " +
         shown_time(claim.since) + (claim.why.empty() ? "" : ", who says: " + claim.why) +
         ". The claim ends at " + shown_time(claim.until) +
         " unless work on it goes on; take another declaration.";
}

std::int64_t Claims::seconds_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

Claims::Claims(fs::path folder, std::function<std::int64_t()> now)
    : folder_(std::move(folder)), now_(std::move(now)) {}

std::vector<Claim> Claims::list() const {
  std::vector<Claim> claims;
  const auto text = read_regular_file(folder_ / "claims.json", kMaxConfigurationSize);
  if (!text) return claims;
  const json all = read_json(*text);
  for (const json& each : all.is_array() ? all : json::array()) {
    Claim claim;
    if (each.is_object()) wire::read_fitting(each, claim);
    // A claim from the future would hold for longer than one can be taken.
    const bool holds = claim.until > now_() && claim.until <= now_() + kClaimSeconds;
    if (holds && !claim.declaration.empty() && is_alive(claim.holder)) claims.push_back(std::move(claim));
  }
  return claims;
}

Result<Descriptor> lock_claims(const fs::path& folder) {
  const fs::path file = folder / "claims.json";
  if (!make_private_folder(folder)) return cannot_write(file);
  const auto deadline = std::chrono::steady_clock::now() + kLockLimit;
  Descriptor lock =
      lock_file(folder / "claims.lock", [&] { return std::chrono::steady_clock::now() > deadline; });
  if (!lock && errno == EWOULDBLOCK)
    return fail(ErrorKind::Timeout, "Another process keeps the claims in " + file.string() + " locked.",
                "Call again.");
  if (!lock) return cannot_write(file);
  return lock;
}

Result<void> Claims::write(std::vector<Claim> claims) const {
  const fs::path file = folder_ / "claims.json";
  std::ranges::sort(claims, {}, [](const Claim& each) { return std::tie(each.file, each.declaration); });
  const std::string text = wire::write(claims).dump(0, ' ', false, json::error_handler_t::replace) + "\n";
  if (!replace_own_file(file, text)) return cannot_write(file);
  return {};
}

Result<Claim> Claims::take(Claim wanted) const {
  const bool was_held = std::exchange(wanted.since, now_()) != 0;
  wanted.until = wanted.since + kClaimSeconds;
  TRY(const Descriptor lock, lock_claims(folder_));
  std::vector<Claim> claims = list();
  const auto found = std::ranges::find_if(
      claims, [&](const Claim& each) { return each.is_of(wanted.file, wanted.declaration); });
  if (found == claims.end() && was_held) return wanted;
  if (found != claims.end()) {
    if (!found->holder.is(wanted.holder))
      return fail(ErrorKind::InvalidArgument, refusal(*found), "lean_todo shows what nobody holds.");
    wanted.since = found->since;
    if (wanted.why.empty()) wanted.why = found->why;
    claims.erase(found);
  }
  claims.push_back(wanted);
  TRY_DONE(write(std::move(claims)));
  return wanted;
}

Result<std::vector<Claim>> Claims::end(const std::function<bool(const Claim&)>& ends) const {
  TRY(const Descriptor lock, lock_claims(folder_));
  std::vector<Claim> claims = list(), ended;
  std::ranges::copy_if(claims, std::back_inserter(ended), ends);
  if (ended.empty()) return ended;
  std::erase_if(claims, ends);
  TRY_DONE(write(std::move(claims)));
  return ended;
}

}  // namespace leanbridge::together
