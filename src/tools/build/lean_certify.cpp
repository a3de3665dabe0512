// lean_certify: a verdict on whether a solution proves what a challenge states.

#include "leanbridge/certify/certify.hpp"
#include "leanbridge/document/file.hpp"

#include "tools/common/module_compiler.hpp"
#include "tools/common/open_file.hpp"

namespace leanbridge::tools {

namespace {

struct CertifyParams {
  std::optional<std::string> file_path;
  std::optional<std::string> solution;
  std::optional<std::string> challenge;
  std::optional<std::string> challenge_file;
  std::optional<std::string> challenge_revision;
  std::vector<std::string> names;
  std::vector<std::string> allowed_axioms = certify::standard_axioms();
  std::vector<std::string> options;
  bool without_replay = false;
  bool trust_packages = false;

  static wire::Fields fields() {
    using P = CertifyParams;
    return {
        wire::field<&P::file_path>("file_path", "The solution"),
        wire::field<&P::solution>("solution", "Its text, instead"),
        wire::field<&P::challenge>("challenge", "Text with imports; theorems end in sorry"),
        wire::field<&P::challenge_file>("challenge_file", "Or its file"),
        wire::field<&P::challenge_revision>("challenge_revision", "Or file_path in this git revision"),
        wire::field<&P::names>("names", "Default: all theorems of the challenge").with_default(),
        wire::field<&P::allowed_axioms>("allowed_axioms", "Default: the standard three").with_default(),
        wire::field<&P::options>("options", "Lean options, NAME=VALUE").with_default(),
        wire::field<&P::without_replay>("without_replay", "Accept without a kernel's replay").with_default(),
        wire::field<&P::trust_packages>("trust_packages", "Accept packages as compiled").with_default()};
  }
};

tl::unexpected<Error> wrong_inputs(const char* what) {
  return fail(ErrorKind::InvalidArgument, what,
              "Pass file_path or solution, and one of challenge, challenge_file and challenge_revision.");
}

Result<void> check_inputs(const CertifyParams& params) {
  if (params.file_path.has_value() == params.solution.has_value())
    return wrong_inputs("The solution is file_path or the text solution: pass one of them.");
  const int challenges = int{params.challenge.has_value()} + int{params.challenge_file.has_value()} +
                         int{params.challenge_revision.has_value()};
  if (challenges != 1) return wrong_inputs("Exactly one challenge is needed.");
  if (params.challenge_revision && !params.file_path)
    return wrong_inputs("challenge_revision is about a file, which file_path must name.");
  return {};
}

asio::awaitable<Result<std::string>> load_source(Environment& environment, std::filesystem::path path,
                                                 std::string name, io::CancelScope scope) {
  const auto load = [=] { return document::load_bytes(path, name); };
  co_return co_await environment.pool.run(load, scope);
}

asio::awaitable<Result<certify::Certificate>> certify_solution(Environment& environment,
                                                               std::shared_ptr<mcp::Call> call,
                                                               CertifyParams params) {
  CO_CHECK(check_inputs(params));
  certify::Request request;
  std::shared_ptr<document::DocumentStore> project;
  if (params.file_path) {
    CO_TRY(const auto location, environment.workspace.locate(*params.file_path));
    project = location.project;
    request.challenge_file = location.named;
    CO_TRY(request.solution,
           co_await load_source(environment, location.path, *params.file_path, call->scope));
  } else {
    request.solution = *params.solution;
  }
  if (params.challenge_file) {
    CO_TRY(const auto location, environment.workspace.locate(*params.challenge_file));
    project = location.project;
    CO_TRY(request.challenge,
           co_await load_source(environment, location.path, *params.challenge_file, call->scope));
  }
  if (!project) {
    CO_TRY(project, environment.workspace.project(""));
  }
  if (params.challenge) request.challenge = *params.challenge;
  request.revision = params.challenge_revision;
  request.root = project->root();
  request.lake = project->server().options().lake;
  request.spawn = project->server().options().spawn;
  if (const auto& given = project->server().options().environment) request.environment = *given;
  request.names = std::move(params.names);
  request.allowed_axioms = std::move(params.allowed_axioms);
  request.options = std::move(params.options);
  request.without_replay = params.without_replay;
  request.trust_packages = params.trust_packages;
  const auto step = std::make_shared<std::string>("waiting for another compilation");
  request.on_step = [step](std::string what) { *step = std::move(what); };
  call->progress = [step]() -> std::optional<mcp::Progress> { return mcp::Progress{0, 0, *step}; };
  const auto turn = co_await compiler_memory(environment).turns.in(request.root).acquire(call->scope);
  if (!turn && turn.error() == io::WaitStatus::Cancelled) co_return call_cancelled();
  if (!turn)
    co_return fail(ErrorKind::Timeout, "Another file was still being compiled at the call's deadline.",
                   "Call again with a longer timeout_s.");
  auto certificate = co_await certify::certify(std::move(request), environment.pool, call->scope);
  call->progress = {};
  co_return certificate;
}

}  // namespace

mcp::Tool lean_certify(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_certify",
       .title = "Verdict on a proof",
       .group = "build",
       .description = "Judges whether a solution proves a challenge's theorems as stated, from allowed "
                      "axioms: compares what both compile to, and replays it in a kernel. Only the "
                      "verdict certified means yes; incomplete names what is missing in complete_with.",
       .caller_code = true},
      certify_solution);
}

}  // namespace leanbridge::tools
