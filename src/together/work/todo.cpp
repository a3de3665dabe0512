#include "todo.hpp"

#include "core/base/try.hpp"
#include "core/ide/file_checks.hpp"
#include "core/lean/project.hpp"
#include "core/text/lean_names.hpp"
#include "core/text/utf8.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace leanbridge::together {

namespace fs = std::filesystem;
using ide::ProofState;

namespace {

constexpr std::size_t kMaxAsked = 10;  // files: each is a worker of Lean
constexpr std::size_t kMaxGoal = 100;  // bytes of a goal that is shown
constexpr std::size_t kMaxNeeds = 3, kMaxNamed = 6;

std::string shown_goal(const Declared& declared) {
  std::string goal = declared.goal;
  // Of a goal, the hypotheses are in lines above.
  if (const std::size_t turnstile = goal.rfind("⊢"); turnstile != goal.npos) goal.erase(0, turnstile);
  std::ranges::replace(goal, '\n', ' ');
  if (goal.empty()) goal = declared.statement;
  if (goal.size() <= kMaxGoal) return goal;
  return std::string(text::beginning_of(goal, kMaxGoal)) + "…";
}

using Users = std::vector<std::vector<std::size_t>>;

// The users of each declaration, by places in the list.
Users users_of(const std::vector<const Declared*>& all) {
  std::unordered_map<std::string, std::size_t> by_name;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!all[i]->name.empty()) by_name.emplace(all[i]->name, i);
  Users users(all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::string name : all[i]->uses) {
      // `A.rec` is of `A`.
      while (!by_name.contains(name) && !name.empty()) name.resize(text::namespace_of(name).size());
      if (!name.empty() && by_name[name] != i) users[by_name[name]].push_back(i);
    }
  return users;
}

// All that rest on a declaration, directly or not, without itself.
std::vector<std::size_t> above(const Users& users, std::size_t start) {
  std::vector<std::size_t> found = {start};
  std::vector<bool> seen(users.size());
  seen[start] = true;
  for (std::size_t next = 0; next < found.size(); ++next)
    for (const std::size_t user : users[found[next]]) {
      if (!seen[user]) found.push_back(user);
      seen[user] = true;
    }
  found.erase(found.begin());
  return found;
}

ProofState state_of(ide::UnfinishedReason reason) {
  using Reason = ide::UnfinishedReason;
  return reason == Reason::Error              ? ProofState::Error
         : reason == Reason::Sorry            ? ProofState::Sorry
         : reason == Reason::StillElaborating ? ProofState::Elaborating
                                              : ProofState::Unknown;
}

void take_verdict(SurveyedFile& file, const ide::FileVerdict& verdict) {
  if (verdict.state == ProofState::NotReached)
    return take_words(file, verdict.reason.value_or("an import of it does not compile"));
  for (Declared& each : file.declarations) each.state = ProofState::Proved;
  for (const ide::UnfinishedItem& item : verdict.unfinished) {
    Declared* found = nullptr;
    for (Declared& each : file.declarations)
      if (item.declaration ? each.name == *item.declaration : each.line <= item.line) found = &each;
    if (!found && item.line > 0) {  // a macro's, or in no declaration
      file.declarations.push_back({item.declaration ? *item.declaration : "", file.name, item.line, ""});
      found = &file.declarations.back();
      found->state = ProofState::Proved;
    }
    if (!found || found->state == ProofState::Error) continue;
    const bool is_first = found->state == ProofState::Proved;
    found->state = state_of(item.reason);
    if (is_first && item.goals && !item.goals->empty()) found->goal = item.goals->front();
    if (is_first) found->line = item.line;
  }
  if (verdict.file.partial) file.unread = "Lean has not finished it in time";
}

// "A.lean and 2 more: reason" for three lines "FILE: reason": a broken file has many importers.
std::vector<std::string> by_reason(const std::vector<std::string>& lines) {
  std::vector<std::string> firsts;
  std::map<std::string, std::size_t> count;
  const auto reason = [](const std::string& line) {
    return line.substr(std::min(line.find(": "), line.size()));
  };
  for (const std::string& line : lines)
    if (count[reason(line)]++ == 0) firsts.push_back(line);
  for (std::string& line : firsts)
    if (const std::size_t others = count[reason(line)] - 1; others > 0)
      line.insert(line.size() - reason(line).size(), " and " + std::to_string(others) + " more");
  return firsts;
}

}  // namespace

wire::Fields TodoItem::fields() {
  return {wire::field<&TodoItem::declaration>(),
          wire::field<&TodoItem::at>(),
          wire::field<&TodoItem::ready>().omit_empty(),
          wire::field<&TodoItem::state>().omit_value("sorry"),
          wire::field<&TodoItem::goal>(),
          wire::field<&TodoItem::needs>(),
          wire::field<&TodoItem::waiting>().omit_empty(),
          wire::field<&TodoItem::approved>(),
          wire::field<&TodoItem::held_by>()};
}

wire::Fields Todo::fields() {
  return {wire::field<&Todo::open>(),
          wire::field<&Todo::ready>(),
          wire::field<&Todo::items>(),
          wire::field<&Todo::changed_statements>().unlisted().omit_empty(),
          wire::field<&Todo::truncated>().unlisted().omit_empty(),
          wire::field<&Todo::partial>().unlisted().omit_empty(),
          wire::field<&Todo::not_looked_at>().unlisted().omit_empty()};
}

Todo todo_of(const std::vector<SurveyedFile>& files, const std::vector<Claim>& claims) {
  Todo todo;
  std::vector<const Declared*> all;
  for (const SurveyedFile& file : files) {
    if (!file.unread.empty()) todo.not_looked_at.push_back(file.name + ": " + file.unread);
    for (const Declared& each : file.declarations) all.push_back(&each);
  }
  const Users users = users_of(all);
  const auto is_open = [&](std::size_t i) { return all[i]->state != ProofState::Proved; };
  std::map<std::size_t, TodoItem> items;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_open(i)) continue;
    const Declared& each = *all[i];
    items[i] = {each.name, each.file + ":" + std::to_string(each.line), true, each.state, shown_goal(each)};
    for (const Claim& claim : claims)
      if (claim.is_of(each.file, each.name))
        items[i].held_by =
            claim.holder.name + " " + claim.holder.connection + (claim.why.empty() ? "" : ": ") + claim.why;
  }
  for (auto& [i, item] : items) {
    const std::vector<std::size_t> waiting = above(users, i);
    item.waiting = waiting.size();
    for (const std::size_t user : waiting) {
      const auto open = items.find(user);
      if (open == items.end()) continue;
      open->second.ready = false;
      if (!open->second.needs) open->second.needs.emplace();
      open->second.needs->push_back(all[i]->name);
    }
  }
  for (auto& [i, item] : items) todo.items.push_back(std::move(item));
  std::ranges::stable_sort(todo.items, [](const TodoItem& a, const TodoItem& b) {
    return std::tuple(!a.ready, b.waiting) < std::tuple(!b.ready, a.waiting);
  });
  todo.partial = !todo.not_looked_at.empty();
  todo.open = todo.items.size();
  todo.ready = static_cast<std::size_t>(std::ranges::count_if(todo.items, &TodoItem::ready));
  return todo;
}

void Todo::add_approved(const ApprovedNow& all) {
  const auto& [approved, now] = all;
  if (!approved) not_looked_at.push_back(approved.error().message);
  for (const ApprovedStatement& then : approved.value_or(Approvals())) {
    const auto found = now.find(then.declaration);
    const bool is_known = found != now.end() && found->second;
    const bool is_same = is_known && found->second->sha256 == then.sha256;
    for (TodoItem& item : items)
      if (is_known && item.declaration == then.declaration) item.approved = is_same;
    if (!is_known)
      not_looked_at.push_back("the approved statement of " + then.declaration + ": not compiled");
    if (is_known && !is_same)
      changed_statements.push_back("The statement of " + then.declaration +
                                   ", or what it means, is not the approved one.");
  }
  partial = !not_looked_at.empty();
}

void shorten(Todo& todo, std::size_t most_bytes) {
  todo.not_looked_at = by_reason(todo.not_looked_at);
  const auto size = [](const auto& value) { return wire::write(value, wire::Detail::Brief).dump().size(); };
  for (std::vector<std::string>* list : {&todo.not_looked_at, &todo.changed_statements}) {
    if (list->size() <= kMaxNamed) continue;
    const std::string more = "and " + std::to_string(list->size() - kMaxNamed) + " more";
    list->resize(kMaxNamed);
    list->push_back(more);
  }
  for (TodoItem& item : todo.items)
    if (item.needs && item.needs->size() > kMaxNeeds) item.needs->resize(kMaxNeeds);
  std::size_t bytes = size(todo);
  for (auto item = todo.items.rbegin(); item != todo.items.rend() && bytes > most_bytes; ++item) {
    bytes -= size(*item);
    item->goal.reset();
    bytes += size(*item);
  }
  if (bytes <= most_bytes) return;
  todo.truncated = true;
  bytes = size(todo);
  for (; bytes > most_bytes && !todo.items.empty(); todo.items.pop_back())
    bytes -= std::min(bytes, size(todo.items.back()) + 1);
}

asio::awaitable<Result<Survey>> look_at_work(ide::Lean& lean, std::shared_ptr<io::Operation> operation,
                                             std::shared_ptr<document::DocumentStore> store) {
  const auto read = [root = store->root()]() -> Result<std::vector<SurveyedFile>> { return survey(root); };
  CO_TRY(auto files, co_await lean.pool.run(read, operation->scope));
  std::vector<SurveyedFile*> unknown;
  for (SurveyedFile& file : files)
    if (file.olean.empty() && file.unread.empty() && !file.declarations.empty()) unknown.push_back(&file);
  // A file that Lean has open costs no worker.
  std::ranges::stable_partition(unknown, [&](SurveyedFile* file) {
    const auto document = store->find(file->path);
    return document && document->state.done();
  });
  std::size_t asked = 0;
  for (SurveyedFile* file : unknown) {
    if (operation->scope.cancel->cancelled()) co_return call_cancelled();
    if (asked == kMaxAsked || io::Clock::now() >= operation->scope.deadline) {
      take_words(*file, "not compiled as it is; only its words were read");
      continue;
    }
    operation->progress = [at = static_cast<double>(asked),
                           name = file->name]() -> std::optional<io::Progress> {
      return io::Progress{at, 0, "checking " + name};
    };
    ++asked;
    ide::NamedFiles named;
    named.paths = {file->path.string()};
    auto part = std::make_shared<io::Operation>(io::Operation{operation->scope, {}});
    ide::CheckExtent extent;
    const auto verdict = co_await check_files(lean, std::move(part), std::move(named), std::move(extent));
    if (!verdict && verdict.error().kind == ErrorKind::Cancelled) co_return call_cancelled();
    if (verdict)
      take_verdict(*file, verdict->all);
    else
      take_words(*file, verdict.error().message);
  }
  std::erase_if(files,
                [&](const SurveyedFile& file) { return file.declarations.empty() && file.unread.empty(); });
  co_return std::make_shared<const std::vector<SurveyedFile>>(std::move(files));
}

}  // namespace leanbridge::together
