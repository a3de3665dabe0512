#include "hidden_sorries.hpp"

#include "leanbridge/base/files.hpp"
#include "leanbridge/text/lean_header.hpp"

#include <algorithm>

namespace leanbridge::tools {

namespace fs = std::filesystem;

std::string unchecked_reason(const std::string& word) {
  return "The kernel may not have checked it: " + word + ".";
}

HiddenSorries::Answer HiddenSorries::about(int first_line, int last_line, bool named) const {
  if (messages_suffice) return Answer::No;
  if (!unknown.empty() || !named) return Answer::Unknown;
  for (const index::CompiledConstant& constant : constants) {
    const auto line = static_cast<int>(constant.line);
    if (first_line <= line && line <= last_line) return Answer::Sorry;
  }
  return Answer::No;
}

std::string HiddenSorries::why_unknown() const {
  if (unchecked) return unknown;
  return "Lean may not report sorry here (" + because + "), " +
         (unknown.empty() ? "and an example leaves nothing in the compiled file to inspect."
                          : "and the compiled file could not be inspected: " + unknown);
}

const SilencerWatch::ScannedFile& SilencerWatch::scan(const fs::path& file,
                                                      const lean::FileIdentity& identity) {
  ScannedFile& known = scanned_[file];
  if (known.identity == identity && identity.exists()) return known;
  known = {identity, {}};
  if (!identity.exists()) return known;
  const auto bytes = read_regular_file(file, lean::kMaxSourceSize);
  if (!bytes) {
    // A file that cannot be read may contain anything.
    const text::TrustFinding finding{1, "unreadable content"};
    known.silencers = {finding, finding, finding, finding};
  } else if (file.filename() == "lakefile.toml" || file.filename() == "lakefile.lean") {
    known.silencers = text::find_silencers_in_lakefile(*bytes);
  } else {
    known.silencers = text::find_silencers(*bytes);
  }
  return known;
}

namespace {

std::optional<std::string> described(const fs::path& file, const std::optional<text::TrustFinding>& finding) {
  if (!finding) return std::nullopt;
  return file.string() + ":" + std::to_string(finding->line) + " has " + finding->pattern;
}

}  // namespace

SilencerWatch::Found SilencerWatch::find(std::string_view source) {
  Found found;
  found.read = lean::configuration_state(root_);
  found.read.merge(imports_.state_of(text::parse_lean_header(source).imported_modules()));
  for (const auto& [file, identity] : found.read) {
    if (file.extension() != ".lean" && file.filename() != "lakefile.toml") continue;
    const ScannedFile& known = scan(file, identity);
    const fs::path name = file.lexically_relative(root_);
    if (!found.silencer) found.silencer = described(name, known.silencers.any);
    if (!found.option) found.option = described(name, known.silencers.option);
    if (!found.answers) found.answers = described(name, known.silencers.answers);
    if (!found.unchecked) found.unchecked = described(name, known.silencers.unchecked);
  }
  return found;
}

asio::awaitable<Result<SilencerWatch::Found>> scan_sources(Environment& environment, TextOfFile of,
                                                           io::CancelScope scope) {
  const fs::path root = of.project->root();
  // The watch moves to the pool and back; a call that arrives meanwhile creates its own.
  auto watch = std::exchange(compiler_memory(environment).silencers[root], nullptr);
  if (!watch) watch = std::make_shared<SilencerWatch>(root);
  auto work = [watch, name = of.path.lexically_relative(root), text = std::move(of.text),
               trusted = of.trusted_until]() -> Result<SilencerWatch::Found> {
    SilencerWatch::Found found = watch->find(text);
    if (trusted > 0) found.silencer = std::move(found.option);
    const text::Silencers here = text::find_silencers(text);
    if (here.unchecked) found.unchecked = described(name, here.unchecked);
    if (here.answers) found.answers = described(name, here.answers);
    auto own = here.option;
    if (!own && trusted == 0) own = here.any;
    if (!own && trusted > 0)
      own = text::find_silencers(std::string_view(text).substr(std::min(trusted, text.size()))).any;
    if (own) found.silencer = described(name, own);
    return found;
  };
  auto found = co_await environment.pool.run(std::move(work), scope);
  // If the wait ended early, the pool still has the watch.
  if (found) compiler_memory(environment).silencers[root] = std::move(watch);
  co_return found;
}

asio::awaitable<Result<std::optional<std::string>>> find_silencer(Environment& environment, TextOfFile of,
                                                                  io::CancelScope scope) {
  auto found = co_await scan_sources(environment, std::move(of), scope);
  if (!found) co_return tl::unexpected(found.error());
  co_return std::move(found->silencer);
}

wire::Fields Verdict::fields() {
  return {wire::field<&Verdict::success>("success"), wire::field<&Verdict::silenced_by>("silenced_by")};
}

asio::awaitable<Result<std::optional<Verdict>>> verdict_on(Environment& environment, bool success,
                                                           TextOfFile of, io::CancelScope scope) {
  if (!success) co_return Verdict{};
  auto silencer = co_await find_silencer(environment, std::move(of), scope);
  if (!silencer && silencer.error().kind == ErrorKind::Timeout) co_return std::nullopt;
  if (!silencer) co_return tl::unexpected(silencer.error());
  co_return Verdict{true, std::move(*silencer)};
}

asio::awaitable<Result<HiddenSorries>> hidden_sorries(Environment& environment, TextOfFile of,
                                                      io::CancelScope scope) {
  constexpr std::size_t kMaxKeptAnswers = 16;
  HiddenSorries hidden;
  auto found = co_await scan_sources(environment, of, scope);
  if (!found && found.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(found.error());
  hidden.messages_suffice = found && !found->silencer && !found->unchecked;
  if (hidden.messages_suffice) co_return hidden;
  if (!found) {
    hidden.because = "its imports were not inspected";
    hidden.unknown = found.error().message;
    hidden.timed_out = io::Clock::now() >= scope.deadline;
    co_return hidden;
  }
  if (found->unchecked) {
    hidden.because = *found->unchecked;
    hidden.unchecked = true;
    hidden.unknown = unchecked_reason(hidden.because);
    co_return hidden;
  }
  auto& kept = compiler_memory(environment).sorries;
  if (const auto known = kept.find(of.path);
      known != kept.end() && known->second->text == of.text && known->second->read == found->read)
    co_return *known->second;
  hidden.because = *found->silencer;
  hidden.text = of.text;
  hidden.read = std::move(found->read);
  const fs::path path = of.path;
  auto module = co_await compile_module(environment, std::move(of), hidden.read, std::nullopt, scope);
  if (!module) co_return tl::unexpected(module.error());
  hidden.unknown = std::move(module->why_not);
  for (index::CompiledConstant& constant : module->constants)
    if (constant.uses_sorry) hidden.constants.push_back(std::move(constant));
  // Do not keep a failure: the next call may have more time.
  if (!hidden.unknown.empty()) {
    hidden.timed_out = io::Clock::now() >= scope.deadline;
    co_return hidden;
  }
  if (kept.size() >= kMaxKeptAnswers) kept.clear();
  kept[path] = std::make_shared<const HiddenSorries>(hidden);
  co_return hidden;
}

asio::awaitable<Result<HiddenSorries>> hidden_sorries(Environment& environment, const OpenFile& file,
                                                      io::CancelScope scope) {
  const document::Version version = file.state().version();
  auto hidden =
      co_await hidden_sorries(environment, {file.store(), file.document().path, file.text().str()}, scope);
  if (hidden && !hidden->messages_suffice && file.state().version() != version)
    hidden->unknown = "The file changed meanwhile.";
  co_return hidden;
}

}  // namespace leanbridge::tools
