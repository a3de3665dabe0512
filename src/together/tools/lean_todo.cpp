// lean_todo: the open work of the project.

#include "together/work/todo.hpp"
#include "together_environment.hpp"

namespace leanbridge::tools {

namespace {

using together::Todo;

constexpr std::size_t kMaxBytes = 4000;
constexpr auto kUsualLimit = std::chrono::seconds(30);

struct TodoParams {
  std::optional<std::string> file_path;
  static wire::Fields fields() { return {wire::field<&TodoParams::file_path>()}; }
};

asio::awaitable<Result<Todo>> todo(TogetherEnvironment& environment, std::shared_ptr<mcp::Call> call,
                                   TodoParams params) {
  CO_TRY(const auto store, environment.project_of(params.file_path, *call));
  if (!call->has_timeout) call->scope = call->scope.with_timeout(kUsualLimit);
  CO_TRY(const auto files, co_await together::look_at_work(environment, call, store));
  const auto approved = co_await together::approved_now(environment, store, call->scope, files);
  auto answer = [guard = environment.guard, approved, files, root = store->root(),
                 is_brief = call->detail == wire::Detail::Brief]() -> Result<Todo> {
    const auto claims = guard->claims_of(root);
    Todo todo = together::todo_of(*files, claims ? claims->list() : std::vector<together::Claim>());
    todo.add_approved(approved);
    if (is_brief) together::shorten(todo, kMaxBytes);
    return todo;
  };
  const io::CancelScope enough(kUsualLimit, call->scope.cancel);
  co_return co_await environment.pool.run(std::move(answer), enough);
}

}  // namespace

mcp::Tool lean_todo(TogetherEnvironment& environment) {
  return make_tool(
      environment,
      {.name = "lean_todo",
       .title = "Open work",
       .group = "together",
       .description = "What is left to prove in the project, where, and who holds it: ready ones "
                      "first, whose uses are all proved, then by how many wait. partial: true: "
                      "not_looked_at says what may be missing."},
      todo);
}

}  // namespace leanbridge::tools
