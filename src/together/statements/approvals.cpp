#include "approvals.hpp"

#include "certify/git/git.hpp"
#include "core/base/files.hpp"
#include "core/base/json.hpp"
#include "core/base/try.hpp"
#include "core/ide/module_compiler.hpp"
#include "core/lean/project.hpp"
#include "core/lean/source_folders.hpp"

#include <algorithm>

namespace leanbridge::together {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

Result<ApprovedStatement> statement_of(olean::ModuleSet& set, certify::Fingerprints& prints,
                                       const std::string& declaration) {
  const std::string key = olean::key_of(declaration);
  const auto id = set.find(key);
  if (!id)
    return fail(ErrorKind::InvalidArgument, "The compiled module has no " + declaration + ".",
                "A private declaration cannot be approved.");
  TRY(const auto below, prints.walk({key}, certify::Fingerprints::Scope::Project));
  ApprovedStatement statement{declaration, "", {}};
  TRY(statement.sha256, prints.of(*id));
  TRY_DONE(set.undamaged());
  for (const std::string& each : below.keys)
    if (each != key) statement.means.push_back(olean::name_of_key(each));
  std::ranges::sort(statement.means);
  return statement;
}

// Whether a command may put other words in the place of those that are read.
bool may_rewrite(const std::string& command) {
  for (const char* word : {"macro", "elab", "syntax", "notation", "infix", "prefix", "postfix"})
    if (command.find(word) != command.npos) return true;
  return false;
}

}  // namespace

Result<Approvals> read_approvals(std::string_view text) {
  const json all = read_json(text);
  const auto is_whole = [](const ApprovedStatement& each) {
    return !each.declaration.empty() && !each.sha256.empty();
  };
  if (member(all, "leanbridge_approved") == 1 && member(all, "statements").is_array()) try {
      auto read = wire::read<Approvals>(member(all, "statements"));
      if (std::ranges::all_of(read, is_whole)) return read;
    } catch (const json::exception&) {  // a member of another type
    }
  return fail(ErrorKind::InvalidArgument, std::string(kApprovalsName) + " is no list of approved statements.",
              "`leanbridge approve` writes it.");
}

Result<Approvals> approvals_of(const fs::path& root) {
  const auto text = read_regular_file(root / kApprovalsName, kMaxConfigurationSize);
  if (!text && text.error().kind == FileProblem::Kind::Missing) return Approvals();
  if (!text) return tl::unexpected(text.error().to_error(kApprovalsName));
  return read_approvals(*text);
}

std::string written(const Approvals& approvals) {
  const json all = {{"leanbridge_approved", 1}, {"statements", wire::write(approvals)}};
  return all.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

Statements statements_in(const fs::path& olean, const std::vector<fs::path>& search_path,
                         const fs::path& built, const std::vector<std::string>& declarations) {
  const auto open = [&](olean::ModuleBytes bytes) {
    return olean::ModuleSet::open(std::move(bytes), olean, search_path);
  };
  auto set = olean::ModuleBytes::map(olean).and_then(open);
  Statements all;
  if (!set) {
    for (const std::string& each : declarations) all.emplace(each, tl::unexpected(set.error()));
    return all;
  }
  certify::Fingerprints prints(
      *set, [&](const olean::SetModule& module) { return lean::is_within(module.file, built); });
  for (const std::string& each : declarations) all.emplace(each, statement_of(*set, prints, each));
  return all;
}

asio::awaitable<Result<Statements>> statements_now(ide::Lean& lean,
                                                   std::shared_ptr<document::DocumentStore> store,
                                                   std::vector<std::string> names, io::CancelScope scope,
                                                   Survey known) {
  const auto found = co_await ide::search_path_of(lean, *store, scope);
  if (!found) co_return fail(ErrorKind::LeanUnavailable, "Lake does not say where compiled modules are.");
  auto read = [root = store->root(), folders = found->folders, names = std::move(names),
               known = std::move(known)]() -> Result<Statements> {
    const Survey files = known ? known : std::make_shared<const std::vector<SurveyedFile>>(survey(root));
    const fs::path built = lean::product_folders(root).modules;
    Statements all;
    for (const SurveyedFile& file : *files) {
      std::vector<std::string> here;
      for (const Declared& each : file.declarations)
        if (!file.olean.empty() && std::ranges::find(names, each.name) != names.end())
          here.push_back(each.name);
      if (!here.empty()) all.merge(statements_in(file.olean, folders, built, here));
    }
    for (const std::string& name : names)
      all.emplace(name,
                  fail(ErrorKind::InvalidArgument, "No compiled module that is current has " + name + ".",
                       "Pass its full name, after `lake build`."));
    return all;
  };
  co_return co_await lean.pool.run(std::move(read), scope);
}

asio::awaitable<ApprovedNow> approved_now(ide::Lean& lean, std::shared_ptr<document::DocumentStore> store,
                                          io::CancelScope scope, Survey known) {
  ApprovedNow found{approvals_of(store->root()), {}};
  std::vector<std::string> names;
  for (const ApprovedStatement& each : found.approved.value_or(Approvals()))
    names.push_back(each.declaration);
  if (names.empty()) co_return found;
  if (auto now = co_await statements_now(lean, std::move(store), std::move(names), std::move(scope),
                                         std::move(known)))
    found.now = std::move(*now);
  co_return found;
}

asio::awaitable<Result<Approvals>> approvals_in(fs::path root, std::string revision, io::CancelScope scope) {
  CO_TRY(auto found, co_await certify::GitRevision::find(io::ChildProcess::spawn, root, revision, scope));
  CO_TRY(const auto text, co_await found.read(root / kApprovalsName, scope));
  co_return text ? read_approvals(*text) : Approvals();
}

std::vector<std::string> touched(const Approvals& approvals, const text::SourceChanges& changes) {
  std::vector<std::string> found;
  for (const text::DeclarationChange& change : changes.declarations) {
    using text::Change;
    const std::string name = change.renamed_from.value_or(change.name);
    const bool is_restated = change.change == Change::Restated || change.change == Change::Removed ||
                             change.change == Change::Renamed;
    const bool is_other =
        is_restated || change.change == Change::Revalued || change.change == Change::Attributed;
    // A type stands for its constructors, too.
    const auto is_part = [&](const std::string& each) {
      return each == name || each.starts_with(name + ".");
    };
    for (const ApprovedStatement& each : approvals)
      if (each.declaration == name && (is_restated || change.change == Change::Revalued))
        found.push_back(
            "The statement of " + name +
            " is approved, and would be another: " + change.statement_before.value_or("as it was") + " → " +
            change.statement_after.value_or(change.change == Change::Removed ? "gone" : change.name));
      else if (is_other && std::ranges::any_of(each.means, is_part))
        found.push_back("The statement of " + each.declaration + " is approved, and it means " + name +
                        ", which would be another.");
  }
  return found;
}

CommitVerdict judge_commit(const Approvals& approved, const Approvals& after,
                           const text::SourceChanges& changes) {
  CommitVerdict verdict{touched(approved, changes), {}};
  const auto place = [](const auto& each) { return each.file + ":" + std::to_string(each.line) + ": "; };
  for (const text::DeclarationChange& each : changes.declarations)
    if (each.change != text::Change::Added && each.sorries_before == 0 && each.sorries_after > 0)
      verdict.refused.push_back(place(each) + each.name + " was proved, and has a sorry now.");
  for (const text::NewGap& each : changes.new_axioms)
    verdict.refused.push_back(place(each) + "a new axiom" +
                              (each.name.empty() ? "." : ", " + each.name + "."));
  for (const ApprovedStatement& each : approved)
    if (std::ranges::find(after, each) == after.end())
      verdict.refused.push_back("The approval of " + each.declaration + " is removed or changed.");
  for (const text::CommandChange& each : changes.commands)
    if (!approved.empty() || may_rewrite(each.text))
      verdict.undecided.push_back(place(each) + (each.added ? "new: " : "gone: ") + each.text);
  return verdict;
}

}  // namespace leanbridge::together
