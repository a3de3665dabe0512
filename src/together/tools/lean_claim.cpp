// lean_claim and lean_release: who works on which declaration.

#include "core/document/file.hpp"
#include "core/ide/project_edit.hpp"
#include "core/text/untrusted.hpp"
#include "core/text/utf8.hpp"
#include "together_environment.hpp"

namespace leanbridge::tools {

namespace {

using namespace together;

constexpr std::size_t kMaxWhy = 200;  // bytes

struct ClaimParams {
  FileParams file;
  std::string declaration;
  std::string why;

  static wire::Fields fields() {
    return {wire::flatten<&ClaimParams::file>(), wire::field<&ClaimParams::declaration>("Its name"),
            wire::field<&ClaimParams::why>("Shown to others").with_default()};
  }
};

struct ClaimResult {
  bool claimed = false;
  std::optional<std::string> reason;  ///< why not
  std::string declaration;            ///< its full name
  std::optional<std::string> until;

  static wire::Fields fields() {
    return wire::fields<&ClaimResult::claimed, &ClaimResult::reason, &ClaimResult::declaration,
                        &ClaimResult::until>();
  }
};

struct ReleaseParams {
  std::optional<std::vector<std::string>> declarations;
  std::optional<std::string> file_path;

  static wire::Fields fields() {
    return {wire::field<&ReleaseParams::declarations>("Full names; absent: all of yours"),
            wire::field<&ReleaseParams::file_path>()};
  }
};

struct ReleaseResult {
  std::vector<std::string> released;  ///< those that this client held

  static wire::Fields fields() { return wire::fields<&ReleaseResult::released>(); }
};

asio::awaitable<Result<ClaimResult>> claim(TogetherEnvironment& environment, std::shared_ptr<mcp::Call> call,
                                           ClaimParams params) {
  CO_TRY(const auto location, environment.workspace.locate(params.file.file_path));
  const std::filesystem::path root = location.project->root();
  Claim wanted{params.declaration, location.path.lexically_relative(root).string(),
               std::string(text::beginning_of(text::cleaned_line(params.why), kMaxWhy)),
               environment.holder_of(*call)};
  auto take = [guard = environment.guard, path = location.path, root,
               wanted = std::move(wanted)]() -> Result<ClaimResult> {
    Claim claim = wanted;
    TRY(const auto loaded, document::load_file(path, claim.file, std::nullopt));
    TRY(const auto declared, declaration_named(*loaded.text, claim.declaration, claim.file));
    claim.declaration = declared.full_name;
    const auto taken = guard->take(root, claim);
    if (taken) return ClaimResult{true, {}, taken->declaration, shown_time(taken->until)};
    if (taken.error().kind != ErrorKind::InvalidArgument) return tl::unexpected(taken.error());
    return ClaimResult{false, taken.error().message, claim.declaration, {}};
  };
  // As a write, it does not end with the call: the end of the client must find what was taken.
  auto result = co_await environment.pool.run(std::move(take), write_scope());
  if (result) environment.used.insert(root);
  co_return result;
}

asio::awaitable<Result<ReleaseResult>> release(TogetherEnvironment& environment,
                                               std::shared_ptr<mcp::Call> call, ReleaseParams params) {
  CO_TRY(const auto project, environment.project_of(params.file_path, *call));
  auto end = [guard = environment.guard, root = project->root(), holder = environment.holder_of(*call),
              names = params.declarations.value_or(std::vector<std::string>())]() -> Result<ReleaseResult> {
    TRY(const auto ended, guard->release(root, holder, names));
    ReleaseResult result;
    for (const Claim& each : ended) result.released.push_back(each.declaration);
    return result;
  };
  co_return co_await environment.pool.run(std::move(end), call->scope);
}

}  // namespace

mcp::Tool lean_claim(TogetherEnvironment& environment) {
  return make_tool(environment,
                   {.name = "lean_claim",
                    .title = "Claim a declaration",
                    .group = "together",
                    .description = "Before you prove where other agents work: until you release it, others' "
                                   "tools refuse to write this declaration. Ends 30 minutes after your last "
                                   "write there, or with your connection; claimed: false says who holds it."},
                   claim);
}

mcp::Tool lean_release(TogetherEnvironment& environment) {
  return make_tool(environment,
                   {.name = "lean_release",
                    .title = "Release declarations",
                    .group = "together",
                    .description = "Ends your claims of declarations."},
                   release);
}

}  // namespace leanbridge::tools
