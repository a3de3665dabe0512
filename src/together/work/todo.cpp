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

constexpr std::size_t kMaxFiles = 5000;
constexpr std::size_t kMaxAsked = 10;  // files: each is a worker of Lean
constexpr std::size_t kMaxGoal = 100;  // bytes of a goal that is shown
constexpr std::size_t kMaxNeeds = 3;

std::string shown_goal(const Declared& declared) {
  std::string goal = declared.goal;
  // Of a goal, the hypotheses are in lines above.
  if (const std::size_t turnstile = goal.rfind("⊢"); turnstile != goal.npos) goal.erase(0, turnstile);
  std::ranges::replace(goal, '\n', ' ');
  if (goal.empty()) goal = declared.statement;
  if (goal.size() <= kMaxGoal) return goal;
  return std::string(text::beginning_of(goal, kMaxGoal)) + "…";
}

/// The users of each declaration, by the places in one list.
class Graph {
 public:
  explicit Graph(const std::vector<const Declared*>& all) : users_(all.size()) {
    std::unordered_map<std::string, std::size_t> by_name;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (!all[i]->name.empty()) by_name.emplace(all[i]->name, i);
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const std::string& use : all[i]->uses) {
        // `A.rec` is of `A`.
        std::string name = use;
        auto found = by_name.find(name);
        while (found == by_name.end() && !name.empty()) {
          name.resize(name.size() - std::min(name.size(), text::last_part(name).size() + 1));
          found = by_name.find(name);
        }
        if (found != by_name.end() && found->second != i) users_[found->second].push_back(i);
      }
  }

  /// All that rest on it, directly or not, without itself.
  std::vector<std::size_t> above(std::size_t start) const {
    std::vector<std::size_t> found;
    std::vector<bool> seen(users_.size());
    seen[start] = true;
    std::vector<std::size_t> todo = {start};
    while (!todo.empty()) {
      const std::size_t next = todo.back();
      todo.pop_back();
      for (const std::size_t user : users_[next]) {
        if (seen[user]) continue;
        seen[user] = true;
        found.push_back(user);
        todo.push_back(user);
      }
    }
    return found;
  }

 private:
  std::vector<std::vector<std::size_t>> users_;
};

ProofState state_of(ide::UnfinishedReason reason) {
  switch (reason) {
    case ide::UnfinishedReason::Error:
      return ProofState::Error;
    case ide::UnfinishedReason::Sorry:
      return ProofState::Sorry;
    case ide::UnfinishedReason::StillElaborating:
      return ProofState::Elaborating;
    default:
      return ProofState::Unknown;
  }
}

// The words of a file that neither Lean nor a compiled module has told about.
void take_words(SurveyedFile& file, std::string why) {
  file.unread = std::move(why);
  for (Declared& each : file.declarations)
    each.state = each.has_sorry_word ? ProofState::Unknown : ProofState::Proved;
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

}  // namespace

wire::Fields TodoItem::fields() {
  return {wire::field<&TodoItem::declaration>(),
          wire::field<&TodoItem::at>(),
          wire::field<&TodoItem::ready>().omit_empty(),
          wire::field<&TodoItem::state>().omit_value("sorry"),
          wire::field<&TodoItem::goal>(),
          wire::field<&TodoItem::needs>(),
          wire::field<&TodoItem::waiting>().omit_empty(),
          wire::field<&TodoItem::held_by>()};
}

wire::Fields Todo::fields() {
  return {wire::field<&Todo::open>(),
          wire::field<&Todo::ready>(),
          wire::field<&Todo::items>(),
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
  const Graph graph(all);
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
    const std::vector<std::size_t> above = graph.above(i);
    item.waiting = above.size();
    for (const std::size_t user : above) {
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

void shorten(Todo& todo, std::size_t most_bytes) {
  const auto size = [](const auto& value) { return wire::write(value, wire::Detail::Brief).dump().size(); };
  for (TodoItem& item : todo.items)
    if (item.needs && item.needs->size() > kMaxNeeds) item.needs->resize(kMaxNeeds);
  std::size_t bytes = size(todo);
  const auto leave_out = [&](auto TodoItem::*member) {
    for (auto item = todo.items.rbegin(); item != todo.items.rend() && bytes > most_bytes; ++item) {
      const std::size_t before = size(*item);
      ((*item).*member).reset();
      bytes -= before - size(*item);
    }
  };
  leave_out(&TodoItem::goal);
  leave_out(&TodoItem::needs);
  if (bytes > most_bytes && todo.not_looked_at.size() > kMaxNeeds) {
    const std::size_t more = todo.not_looked_at.size() - kMaxNeeds;
    todo.not_looked_at.resize(kMaxNeeds);
    todo.not_looked_at.push_back("and " + std::to_string(more) + " more");
    bytes = size(todo);
  }
  while (bytes > most_bytes && !todo.items.empty()) {
    bytes -= std::min(bytes, size(todo.items.back()) + 1);
    todo.items.pop_back();
    todo.truncated = true;
  }
}

asio::awaitable<Result<std::vector<SurveyedFile>>> look_at_work(
    ide::Lean& lean, std::shared_ptr<io::Operation> operation,
    std::shared_ptr<document::DocumentStore> store) {
  const auto read = [root = store->root()]() -> Result<std::vector<SurveyedFile>> {
    return survey(root, kMaxFiles);
  };
  CO_TRY(auto files, co_await lean.pool.run(read, operation->scope));
  std::vector<SurveyedFile*> unknown;
  for (SurveyedFile& file : files)
    if (!file.is_compiled && file.unread.empty() && !file.declarations.empty()) unknown.push_back(&file);
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
  co_return files;
}

}  // namespace leanbridge::together
