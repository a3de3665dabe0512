// lean_certify: a verdict on whether a solution proves what a challenge states.

#include "certify/verdict/certify.hpp"
#include "core/document/file.hpp"
#include "core/ide/module_compiler.hpp"
#include "core/ide/open_file.hpp"
#include "core/lean/axioms.hpp"
#include "core/tools/common/typed_tool.hpp"

namespace leanbridge::tools {

namespace {

struct CertifyParams {
  certify::Texts texts;
  std::vector<std::string> allowed_axioms = lean::standard_axioms();
  std::vector<std::string> options;
  bool page = false;
  bool without_replay = false;
  bool trust_packages = false;

  static wire::Fields fields() {
    using P = CertifyParams;
    return {wire::flatten<&P::texts>(),
            wire::field<&P::allowed_axioms>("Default: standard").with_default(),
            wire::field<&P::options>("NAME=VALUE").with_default(),
            wire::field<&P::page>("What a person must read, too").with_default(),
            wire::field<&P::without_replay>().with_default(),
            wire::field<&P::trust_packages>().with_default()};
  }
};

asio::awaitable<Result<certify::Certificate>> certify_solution(Environment& environment,
                                                               std::shared_ptr<mcp::Call> call,
                                                               CertifyParams params) {
  if (const auto problem = certify::problem_with(params.texts))
    co_return fail(
        ErrorKind::InvalidArgument, problem->sentence,
        "Pass file_path or solution, and one of challenge, challenge_file and challenge_revision.");
  certify::Request request;
  static_cast<certify::Texts&>(request) = std::move(params.texts);
  std::shared_ptr<document::DocumentStore> project;
  // In the command, names stand for texts that were passed.
  std::string challenge = "CHALLENGE.lean", solution = "SOLUTION.lean";
  const auto load = [&](std::filesystem::path path, std::string name) {
    return environment.pool.run([=] { return document::load_bytes(path, name); }, call->scope);
  };
  if (auto& file = request.file_path) {
    CO_TRY(const auto location, environment.workspace.locate(*file));
    project = location.project;
    solution = location.named.string();
    CO_TRY(request.solution, co_await load(location.path, *file));
    file = solution;
  }
  if (const auto& file = request.challenge_file) {
    CO_TRY(const auto location, environment.workspace.locate(*file));
    project = location.project;
    challenge = location.named.string();
    CO_TRY(request.challenge, co_await load(location.path, *file));
  }
  if (!project) {
    CO_TRY(project, environment.workspace.project(call->project));
  }
  request.axioms = std::move(params.allowed_axioms);
  request.options = std::move(params.options);
  request.without_replay = params.without_replay;
  request.trust_packages = params.trust_packages;
  std::vector<std::string> files = {solution};
  if (!request.challenge_revision) files.insert(files.begin(), challenge);
  request.command = certify::command_of(
      request, {"leanbridge", "certify", "--project-root", project->root().string()}, files);
  request.root = project->root();
  request.lake = project->server().options().lake;
  request.spawn = project->server().options().spawn;
  if (const auto& given = project->server().options().environment) request.environment = *given;
  request.with_page = params.page;
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
  if (certificate && certificate->page) {
    certificate->page_text = certify::to_text(*certificate->page);
    certificate->page.reset();
  }
  if (certificate && call->detail == wire::Detail::Brief) certify::shorten(*certificate);
  co_return certificate;
}

}  // namespace

mcp::Tool lean_certify(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_certify",
       .title = "Verdict on a proof",
       .group = "build",
       .description = "Does a solution prove a challenge's theorems as stated, from allowed axioms? "
                      "Compares what both compile to, and replays it in a kernel. Only certified "
                      "means yes; complete_with names what is missing.",
       .caller_code = true,
       .may_be_task = true},
      certify_solution);
}

}  // namespace leanbridge::tools
