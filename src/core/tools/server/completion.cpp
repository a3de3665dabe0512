// Completes arguments of prompts and of resources: files of the project, names of modules and of
// declarations.

#include "core/lean/project.hpp"
#include "core/tools/tools.hpp"

namespace leanbridge::tools {

namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

constexpr std::size_t kMaxOffered = 20'000;

fs::path project_root(Environment& environment) {
  const auto project = environment.workspace.project("");
  return project ? (*project)->root() : fs::path();
}

// Files that begin with the typed text: relative to the project, or absolute if the text is.
asio::awaitable<Texts> files_for(Environment& environment, std::string typed,
                                 std::shared_ptr<mcp::Call> call) {
  const fs::path root = project_root(environment);
  if (root.empty()) co_return Texts();
  const auto look = [root]() -> Result<Texts> { return lean::lean_files_below(root, kMaxOffered); };
  auto files = co_await environment.pool.run(look, call->scope);
  if (!files) co_return Texts();
  if (typed.starts_with('/'))
    for (std::string& file : *files) file = (root / file).string();
  co_return std::move(*files);
}

// The possible next components of a module or a name.
asio::awaitable<Texts> names_for(Environment& environment, std::string typed,
                                 std::shared_ptr<mcp::Call> call) {
  const fs::path root = project_root(environment);
  const std::size_t dot = typed.rfind('.');
  const std::string around = dot == std::string::npos ? "" : typed.substr(0, dot);
  Texts candidates;
  if (environment.names) candidates = co_await environment.names->components_below(root, around, call->scope);
  if (candidates.size() > kMaxOffered) candidates.resize(kMaxOffered);
  co_return candidates;
}

}  // namespace

mcp::Completer argument_completer(Environment& environment) {
  return [&environment](mcp::ArgumentKind kind, std::string typed, std::shared_ptr<mcp::Call> call) {
    return kind == mcp::ArgumentKind::File ? files_for(environment, std::move(typed), std::move(call))
                                           : names_for(environment, std::move(typed), std::move(call));
  };
}

}  // namespace leanbridge::tools
