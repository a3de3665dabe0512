// lean_certify: a verdict on whether a solution proves what a challenge states.

#include "certify/verdict/certify.hpp"
#include "core/document/file.hpp"
#include "core/ide/module_compiler.hpp"
#include "core/ide/open_file.hpp"
#include "core/lean/axioms.hpp"
#include "core/tools/common/typed_tool.hpp"

#include <algorithm>

namespace leanbridge::tools {

namespace {

struct CertifyParams {
  std::optional<std::string> file_path;
  std::optional<std::string> solution;
  std::optional<std::string> challenge;
  std::optional<std::string> challenge_file;
  std::optional<std::string> challenge_revision;
  std::vector<std::string> names;
  std::vector<std::string> allowed_axioms = lean::standard_axioms();
  std::vector<std::string> options;
  bool page = false;
  bool without_replay = false;
  bool trust_packages = false;

  static wire::Fields fields() {
    using P = CertifyParams;
    return {wire::field<&P::file_path>("The solution"),
            wire::field<&P::solution>("Its text, instead"),
            wire::field<&P::challenge>("Text with imports; theorems end in sorry"),
            wire::field<&P::challenge_file>("Or its file"),
            wire::field<&P::challenge_revision>("Or file_path in this git revision"),
            wire::field<&P::names>("Default: all").with_default(),
            wire::field<&P::allowed_axioms>("Default: standard").with_default(),
            wire::field<&P::options>("NAME=VALUE").with_default(),
            wire::field<&P::page>("What a person must read, too").with_default(),
            wire::field<&P::without_replay>().with_default(),
            wire::field<&P::trust_packages>().with_default()};
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

/// The command line that asks the same question. `challenge` and `solution` are files, or names for the texts
/// that were passed.
std::vector<std::string> command_of(const CertifyParams& params, const std::string& root,
                                    const std::string& challenge, const std::string& solution) {
  std::vector<std::string> words = {"leanbridge", "certify", "--project-root", root};
  if (params.challenge_revision)
    words.insert(words.end(), {"--git", *params.challenge_revision});
  else
    words.push_back(challenge);
  words.push_back(solution);
  for (const std::string& name : params.names) words.insert(words.end(), {"--name", name});
  const std::vector<std::string>& standard = lean::standard_axioms();
  for (const std::string& axiom : params.allowed_axioms)
    if (std::find(standard.begin(), standard.end(), axiom) == standard.end())
      words.insert(words.end(), {"--allow-axiom", axiom});
  for (const std::string& option : params.options) words.insert(words.end(), {"--option", option});
  if (params.trust_packages) words.emplace_back("--trust-packages");
  return words;
}

asio::awaitable<Result<certify::Certificate>> certify_solution(Environment& environment,
                                                               std::shared_ptr<mcp::Call> call,
                                                               CertifyParams params) {
  CO_CHECK(check_inputs(params));
  certify::Request request;
  std::shared_ptr<document::DocumentStore> project;
  std::string challenge = "CHALLENGE.lean", solution = "SOLUTION.lean";
  if (params.file_path) {
    CO_TRY(const auto location, environment.workspace.locate(*params.file_path));
    project = location.project;
    request.challenge_file = location.named;
    solution = location.named.string();
    CO_TRY(request.solution,
           co_await load_source(environment, location.path, *params.file_path, call->scope));
  } else {
    request.solution = *params.solution;
  }
  if (params.challenge_file) {
    CO_TRY(const auto location, environment.workspace.locate(*params.challenge_file));
    project = location.project;
    challenge = location.named.string();
    CO_TRY(request.challenge,
           co_await load_source(environment, location.path, *params.challenge_file, call->scope));
  }
  if (!project) {
    CO_TRY(project, environment.workspace.project(call->project));
  }
  if (params.challenge) request.challenge = *params.challenge;
  request.command = command_of(params, project->root().string(), challenge, solution);
  request.revision = params.challenge_revision;
  request.root = project->root();
  request.lake = project->server().options().lake;
  request.spawn = project->server().options().spawn;
  if (const auto& given = project->server().options().environment) request.environment = *given;
  request.names = std::move(params.names);
  request.allowed_axioms = std::move(params.allowed_axioms);
  request.options = std::move(params.options);
  request.with_page = params.page;
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
