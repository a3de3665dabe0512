#include "claim_guard.hpp"

#include "core/base/hash.hpp"
#include "core/base/log.hpp"
#include "core/base/try.hpp"
#include "core/ide/symbols.hpp"
#include "core/lean/sorries.hpp"
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

ClaimGuard::ClaimGuard(fs::path cache, std::string connection, bool keeps_record)
    : cache_(std::move(cache)), connection_(std::move(connection)), keeps_record_(keeps_record) {}

Holder ClaimGuard::holder(std::uint64_t client, const std::string& caller) const {
  Holder holder = own_process();
  holder.name = text::beginning_of(text::cleaned_line(caller), kMaxName);
  holder.connection = client == 0 ? connection_ : fmt::format("{}-{:016x}", connection_, client);
  return holder;
}

Result<fs::path> ClaimGuard::folder_of(const fs::path& root) const {
  if (cache_.empty())
    return fail(ErrorKind::NotSupported, "There is no folder for remembered data, where claims are kept.",
                "Set HOME, or pass --cache-dir.");
  return cache_ / fmt::format("together-{:016x}", fnv1a(root.string()));
}

Result<Claims> ClaimGuard::claims_of(const fs::path& root) const {
  return folder_of(root).map([](const fs::path& folder) { return Claims(folder); });
}

void ClaimGuard::record(const fs::path& root, RecordLine line) const {
  if (const auto folder = folder_of(root); folder && keeps_record_) add_to_record(*folder, std::move(line));
}

void ClaimGuard::record_write(const ide::PlannedWrite& write, Deed did, const std::string& verdict) const {
  const std::string who = holder(write.client, write.caller).shown();
  for (const ide::ChangedFile& file : write.files) {
    if (!file.changes()) continue;
    const auto sorries = [](const std::string& text) { return lean::sorry_words(text).size(); };
    record(write.root, {"", who, did, file.name, changed_declarations(file.old_bytes, file.new_bytes),
                        verdict.empty() ? fmt::format("sorries {} -> {}", sorries(file.old_bytes),
                                                      sorries(file.new_bytes))
                                        : verdict});
  }
}

std::string ClaimGuard::objection(const ide::PlannedWrite& write) {
  std::string why = find_objection(write);
  if (!why.empty()) record_write(write, Deed::Refused, why);
  return why;
}

std::string ClaimGuard::find_objection(const ide::PlannedWrite& write) {
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
  const auto claims = claims_of(write.root);
  if (!claims) return "";
  const std::vector<Claim> held = claims->list();
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

void ClaimGuard::written(const ide::PlannedWrite& write) {
  record_write(write, Deed::Wrote, "");
}

asio::awaitable<std::vector<std::string>> ClaimGuard::objections(
    ide::Lean& lean, std::shared_ptr<document::DocumentStore> store, io::CancelScope scope) {
  Todo todo;
  todo.add_approved(co_await approved_now(lean, std::move(store), scope.with_timeout(kObjectionsLimit)));
  std::ranges::move(todo.not_looked_at, std::back_inserter(todo.changed_statements));
  co_return std::move(todo.changed_statements);
}

Result<Claim> ClaimGuard::take(const fs::path& root, const Claim& wanted) const {
  TRY(const Claims claims, claims_of(root));
  auto taken = claims.take(wanted);
  const Deed did = taken ? Deed::Claimed : Deed::Refused;
  const std::string why = taken ? taken->why : taken.error().message;
  record(root, {"", wanted.holder.shown(), did, wanted.file, {wanted.declaration}, why});
  return taken;
}

Result<std::vector<Claim>> ClaimGuard::end_claims(const fs::path& root, const std::string& why,
                                                  const std::function<bool(const Claim&)>& ends) const {
  TRY(const Claims claims, claims_of(root));
  TRY(auto ended, claims.end(ends));
  for (const Claim& each : ended)
    record(root, {"", each.holder.shown(), Deed::Released, each.file, {each.declaration}, why});
  return ended;
}

Result<std::vector<Claim>> ClaimGuard::release(const fs::path& root, const Holder& holder,
                                               const std::vector<std::string>& names) const {
  return end_claims(root, "", [&](const Claim& each) {
    const bool is_meant = names.empty() || std::ranges::find(names, each.declaration) != names.end();
    return is_meant && each.holder.is(holder);
  });
}

void ClaimGuard::end(const std::set<fs::path>& roots) const {
  for (const fs::path& root : roots) {
    const auto ended = end_claims(root, "its client has gone", [&](const Claim& each) {
      Holder client = each.holder;
      client.connection = client.connection.substr(0, client.connection.find('-'));
      return client.is(holder(0, ""));
    });
    if (!ended) log::warn("claims: {}", ended.error().message);
  }
}

}  // namespace leanbridge::together
