#include "local_index.hpp"

#include "leanbridge/lean/project.hpp"

#include "search_common.hpp"

namespace leanbridge::tools {

namespace fs = std::filesystem;

namespace {

constexpr auto kAWhile = std::chrono::seconds(20);
constexpr auto kSearchAgain = std::chrono::seconds(2);

bool any_building(const index::IndexStatus& status) {
  for (const auto& part : status.parts)
    if (part.state == index::IndexStatus::State::Building) return true;
  return false;
}

}  // namespace

Result<fs::path> index_root(Environment& environment, const std::string& folder) {
  const auto project = environment.workspace.project(folder);
  if (project) return (*project)->root();
  if (folder.empty() && project.error().kind == ErrorKind::NotALeanProject) return fs::path();
  return tl::unexpected(project.error());
}

void show_index_progress(Environment& environment, mcp::Call& call) {
  call.progress = [&environment]() -> std::optional<mcp::Progress> {
    for (const auto& part : environment.index.status().parts)
      if (part.state == index::IndexStatus::State::Building)
        return mcp::Progress{static_cast<double>(part.modules), static_cast<double>(part.modules_total),
                             "indexing " + part.name + ": " + std::to_string(part.modules) + " of " +
                                 std::to_string(part.modules_total) + " modules, " +
                                 std::to_string(part.declarations) + " declarations"};
    return std::nullopt;
  };
}

asio::awaitable<Result<index::Matches>> find_when_built(Environment& environment,
                                                        std::shared_ptr<mcp::Call> call, index::Lookup lookup,
                                                        bool may_wait,
                                                        bool (*enough)(const index::Matches&)) {
  show_index_progress(environment, *call);
  const io::CancelScope patience = may_wait ? call->scope : call->scope.with_timeout(kAWhile);
  for (;;) {
    auto matches = co_await environment.index.find(lookup, call->scope);
    if (!matches || matches->complete || enough(*matches)) co_return matches;
    const auto done = [&] { return !any_building(environment.index.status()); };
    const auto end =
        co_await io::wait_until(environment.index.changed, patience.with_timeout(kSearchAgain), done);
    if (end == io::WaitStatus::Cancelled) co_return call_cancelled();
    // A last search after the build; what failed will not come.
    if (end == io::WaitStatus::Ready) co_return co_await environment.index.find(lookup, call->scope);
    if (io::Clock::now() >= patience.deadline) co_return matches;
  }
}

std::string shown_path(const std::string& file, const fs::path& root) {
  if (file.empty() || root.empty() || !lean::is_within(file, root)) return file;
  return fs::path(file).lexically_relative(root).string();
}

wire::Fields IndexPart::fields() {
  return {wire::field<&IndexPart::name>("name"), wire::field<&IndexPart::state>("state"),
          wire::field<&IndexPart::modules>("modules"),
          wire::field<&IndexPart::modules_total>("modules_total"),
          wire::field<&IndexPart::problem>("problem")};
}

std::vector<IndexPart> index_state(Environment& environment) {
  std::vector<IndexPart> parts;
  for (const auto& part : environment.index.status().parts)
    if (part.state != index::IndexStatus::State::Ready)
      parts.push_back(
          {part.name, part.state, part.modules, part.modules_total, text_or_absent(part.problem)});
  return parts;
}

}  // namespace leanbridge::tools
