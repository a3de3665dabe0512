#include "search_common.hpp"

#include "core/ide/goals.hpp"
#include "core/tools/common/typed_tool.hpp"

#include <algorithm>

namespace leanbridge::tools {

namespace fs = std::filesystem;

Result<fs::path> index_root(document::Workspace& workspace, const std::string& folder) {
  const auto project = workspace.project(folder);
  if (project) return (*project)->root();
  if (folder.empty() && project.error().kind == ErrorKind::NotALeanProject) return fs::path();
  return tl::unexpected(project.error());
}

void show_index_progress(SearchEnvironment& environment, mcp::Call& call) {
  call.progress = [&environment]() -> std::optional<mcp::Progress> {
    for (const auto& part : environment.index.status().parts)
      if (part.state == index::IndexStatus::State::Building)
        return mcp::Progress{static_cast<double>(part.modules), static_cast<double>(part.modules_total),
                             "indexing " + part.name + ": " + std::to_string(part.modules) + " of " +
                                 std::to_string(part.modules_total) + " modules, " +
                                 std::to_string(part.declarations) + " declarations",
                             "indexing " + part.name};
    return std::nullopt;
  };
}

asio::awaitable<Result<search::AskedGoal>> find_goal(SearchEnvironment& environment,
                                                     std::shared_ptr<mcp::Call> call, FilePosition position) {
  CO_TRY(const auto at, co_await open_place(environment, call, position, ColumnDefault::FirstNonBlank));
  CO_TRY(const auto goals, co_await goals_at(at.file.handle(), at.anchor, GoalFormat::Text, call->scope));
  if (goals.goals.empty())
    co_return fail(ErrorKind::InvalidArgument,
                   "There is no goal at line " + std::to_string(position.line) + ": " +
                       wire::name_of(goals.status()) + ".",
                   where_proof_begins(at.file.state(), at.file.resolve(at.anchor))
                       .value_or("Pass a position inside a proof, such as the start of a tactic."));
  search::AskedGoal found;
  found.text = std::get<std::string>(goals.goals.front());
  const std::size_t offset = at.file.resolve(at.anchor);
  for (const text::NamedDeclaration& each : text::named_declarations(at.file.text().str()))
    if (each.site.end > offset && !each.full_name.empty()) found.not_before.insert(each.full_name);
  co_return found;
}

wire::Fields SourceAnswer::fields() {
  return {wire::field<&SourceAnswer::items>(),
          wire::field<&SourceAnswer::source>().unlisted().only_if<&SourceAnswer::fallback_for>(),
          wire::field<&SourceAnswer::cached>().unlisted().only_full(),
          wire::field<&SourceAnswer::fallback_for>(), wire::field<&SourceAnswer::problem>(),
          wire::field<&SourceAnswer::partial>().unlisted().omit_empty(),
          // The note tells the limits of the index's answer, or the data that a service has searched.
          wire::field<&SourceAnswer::note>().only_if<&SourceAnswer::fallback_for>(),
          wire::field<&SourceAnswer::suggestions>()};
}

SourceAnswer shaped_for(const std::string& source, const search::OneAnswer& answer) {
  SourceAnswer shaped;
  for (const search::Theorem& hit : answer.found.hits)
    shaped.items.push_back(search::lean_lsp_mcp_item(source, hit));
  shaped.source = answer.source;
  shaped.cached = answer.cached;
  shaped.partial = answer.found.partial;
  if (!answer.fallback_for.empty()) {
    shaped.fallback_for = answer.fallback_for;
    shaped.problem = answer.problem;
  }
  shaped.note = absent_if_empty(answer.found.note);
  shaped.suggestions = absent_if_empty(answer.found.suggestions);
  return shaped;
}

asio::awaitable<Result<search::OneAnswer>> ask_one(SearchEnvironment& environment,
                                                   std::shared_ptr<mcp::Call> call, std::string source,
                                                   search::Question question) {
  const fs::path project = index_root(environment.workspace, "").value_or(fs::path());
  search::Query query = search::analyse(question.text);
  auto answer = co_await environment.search.engine().ask(source, std::move(question), std::move(query),
                                                         project, call->scope);
  if (!answer) co_return tl::unexpected(search::to_error(answer.error()));
  co_return std::move(*answer);
}

}  // namespace leanbridge::tools
