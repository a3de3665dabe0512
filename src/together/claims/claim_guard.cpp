#include "claim_guard.hpp"

#include "core/base/hash.hpp"
#include "core/base/log.hpp"
#include "core/base/try.hpp"
#include "core/ide/symbols.hpp"
#include "core/text/lines.hpp"
#include "core/text/untrusted.hpp"
#include "core/text/utf8.hpp"
#include "together/work/todo.hpp"
#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace leanbridge::together {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxName = 60;  // bytes
constexpr auto kObjectionsLimit = std::chrono::minutes(1);

// By name: several have one name only if they are private or wrong.
std::map<std::string, std::string> texts_in(std::string_view bytes) {
  const text::Text source(text::normalise_newlines(std::string(bytes)).text);
  std::map<std::string, std::string> texts;
  for (const ide::Symbol& each : ide::symbols_in(source))
    if (!each.name.empty()) texts[each.name] += source.str().substr(each.start, each.end - each.start) + '\n';
  return texts;
}

}  // namespace

std::vector<std::string> changed_declarations(std::string_view before, std::string_view after) {
  const auto old_texts = texts_in(before), new_texts = texts_in(after);
  std::vector<std::string> changed;
  for (const auto& [name, old_text] : old_texts) {
    const auto now = new_texts.find(name);
    if (now == new_texts.end() || now->second != old_text) changed.push_back(name);
  }
  for (const auto& [name, new_text] : new_texts)
    if (!old_texts.contains(name)) changed.push_back(name);
  return changed;
}

ClaimGuard::ClaimGuard(fs::path cache, std::string connection)
    : cache_(std::move(cache)), connection_(std::move(connection)) {}

Holder ClaimGuard::holder(std::uint64_t client, const std::string& caller) const {
  Holder holder = own_process();
  holder.name = text::beginning_of(text::cleaned_line(caller), kMaxName);
  holder.connection = client == 0 ? connection_ : fmt::format("{}-{:016x}", connection_, client);
  return holder;
}

Result<Claims> ClaimGuard::claims_of(const fs::path& root) const {
  if (cache_.empty())
    return fail(ErrorKind::NotSupported, "There is no folder for remembered data, where claims are kept.",
                "Set HOME, or pass --cache-dir.");
  return Claims(cache_ / fmt::format("together-{:016x}", fnv1a(root.string())));
}

std::string ClaimGuard::objection(const ide::PlannedWrite& write) {
  const auto approvals = approvals_of(write.root);
  if (!approvals) return approvals.error().message + " " + approvals.error().hint;
  if (!approvals->empty()) {
    std::vector<text::SourceReading> before, after;
    for (const ide::ChangedFile& file : write.files) {
      before.push_back(text::read_declarations(file.name, file.old_bytes));
      after.push_back(text::read_declarations(file.name, file.new_bytes));
    }
    const auto found = touched(*approvals, text::source_changes(before, after));
    if (!found.empty()) return found.front() + " A person may edit it, and run `leanbridge approve`.";
  }
  auto claims = claims_of(write.root);
  if (!claims) return "";
  const std::vector<Claim> held = claims->list();
  if (held.empty()) return "";
  const Holder self = holder(write.client, write.caller);
  for (const ide::ChangedFile& file : write.files) {
    const auto is_here = [&](const Claim& each) { return each.file == file.name; };
    if (!file.changes() || std::ranges::none_of(held, is_here)) continue;
    const std::vector<std::string> changed = changed_declarations(file.old_bytes, file.new_bytes);
    for (const Claim& each : held) {
      if (!is_here(each) || std::ranges::find(changed, each.declaration) == changed.end()) continue;
      if (!each.holder.is(self)) return refusal(each);
      // The attempt is work, whatever Lean says to it.
      if (const auto renewed = claims->take(each); !renewed) log::warn("claims: {}", renewed.error().message);
    }
  }
  return "";
}

void ClaimGuard::written(const ide::PlannedWrite& /*write*/) {}

asio::awaitable<std::vector<std::string>> ClaimGuard::objections(
    ide::Lean& lean, std::shared_ptr<document::DocumentStore> store, io::CancelScope scope) {
  Todo todo;
  todo.add_approved(co_await approved_now(lean, std::move(store), scope.with_timeout(kObjectionsLimit)));
  std::ranges::move(todo.not_looked_at, std::back_inserter(todo.changed_statements));
  co_return std::move(todo.changed_statements);
}

Result<Claim> ClaimGuard::take(const fs::path& root, Claim wanted) {
  TRY(Claims claims, claims_of(root));
  const std::lock_guard lock(mutex_);  // end() must find all that was taken
  if (ended_) return call_cancelled();
  used_.insert(root);
  return claims.take(std::move(wanted));
}

void ClaimGuard::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  for (const fs::path& root : std::exchange(used_, {}))
    if (auto claims = claims_of(root))
      if (const auto ended = claims->end(holder(0, "")); !ended)
        log::warn("claims: {}", ended.error().message);
}

}  // namespace leanbridge::together
