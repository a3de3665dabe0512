#include "together_part.hpp"

#include "core/base/log.hpp"
#include "core/program/option_readers.hpp"
#include "core/program/runtime.hpp"
#include "together/statements/approvals.hpp"
#include "tools/together_environment.hpp"

#include <utility>

namespace leanbridge::tools {

mcp::Tool lean_claim(TogetherEnvironment& environment);
mcp::Tool lean_release(TogetherEnvironment& environment);
mcp::Tool lean_todo(TogetherEnvironment& environment);

}  // namespace leanbridge::tools

namespace leanbridge::app {

void add_approve(CLI::App& app, Options& options);
void add_hook(CLI::App& app, Options& options);
void add_todo(CLI::App& app, Options& options);

namespace {

class TogetherClient : public ClientPart {
 public:
  TogetherClient(Runtime& runtime, std::string connection)
      : guard_(std::make_shared<together::ClaimGuard>(runtime.environment().cache, std::move(connection),
                                                      !runtime.options().of<TogetherOptions>().no_record)),
        environment_{runtime.environment(), guard_} {}
  // Its calls have ended; one may have taken a claim after stop().
  ~TogetherClient() override { guard_->end(environment_.used); }

  std::vector<mcp::Tool> tools() override {
    return {tools::lean_claim(environment_), tools::lean_release(environment_),
            tools::lean_todo(environment_)};
  }
  std::shared_ptr<ide::WriteGuard> write_guard() override { return guard_; }
  // At once: the end of a client in a shared server must not wait for its calls.
  asio::awaitable<void> stop(io::Clock::duration grace) override {
    const auto end = [guard = guard_, used = std::exchange(environment_.used, {})]() -> Result<void> {
      guard->end(used);
      return {};
    };
    const auto ended = co_await environment_.pool.run(end, io::CancelScope(grace));
    if (!ended) log::debug("claims: {}", ended.error().message);
  }

 private:
  std::shared_ptr<together::ClaimGuard> guard_;
  tools::TogetherEnvironment environment_;
};

}  // namespace

void TogetherPart::add_options(CLI::App& app, Options& options) {
  add_switch(app, "--no-record", options.of<TogetherOptions>().no_record,
             "Keep no record of who has claimed and written which declaration", "LEANBRIDGE_NO_RECORD");
  add_todo(app, options);
  add_approve(app, options);
  add_hook(app, options);
}

// By the approvals of the commit: those of the working tree may be part of the change.
asio::awaitable<Result<std::vector<std::string>>> TogetherPart::objections(const std::filesystem::path& root,
                                                                           const std::string& commit,
                                                                           const text::SourceChanges& changes,
                                                                           io::CancelScope scope) {
  const auto approved = co_await together::approvals_in(root, commit, scope);
  if (approved) co_return together::touched(*approved, changes);
  if (approved.error().kind != ErrorKind::InvalidArgument) co_return tl::unexpected(approved.error());
  co_return std::vector{approved.error().message};
}

std::unique_ptr<ClientPart> TogetherPart::start_client(Runtime& runtime) {
  return std::make_unique<TogetherClient>(runtime, std::to_string(++clients_));
}

}  // namespace leanbridge::app
