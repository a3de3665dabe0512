// lean_fill: tries automatic tactics at every sorry of a file, in a few elaborations of the whole.

#include "core/document/file.hpp"
#include "core/ide/statement_changes.hpp"
#include "core/text/lines.hpp"
#include "filling.hpp"
#include "own_file.hpp"

#include <cmath>

namespace leanbridge::tools {

namespace {

constexpr double kUsualBudget = 30;  // s
constexpr std::size_t kMaxPlaces = 200;
constexpr std::size_t kMaxGoalsShown = 8;
constexpr auto kFillWriteLimit = std::chrono::minutes(1);

struct FillParams {
  FileParams file;
  std::optional<std::string> declaration;
  double budget_s = kUsualBudget;
  bool write = false;

  static wire::Fields fields() {
    return {wire::flatten<&FillParams::file>(),
            wire::field<&FillParams::declaration>("Default: the whole file"),
            wire::field<&FillParams::budget_s>("Of processor time").with_default(),
            wire::field<&FillParams::write>().with_default()};
  }
};

struct FillResult {
  int closed = 0;
  int refuted = 0;
  int left = 0;  ///< refuted goals included
  bool written = false;
  std::optional<std::string> reason;  ///< why nothing was written, or not everything was tried
  std::vector<FillItem> places;
  std::optional<double> cpu_s;  ///< processor time of the worker; absent if unknown: then the time on the
                                ///< clock counted
  double seconds = 0;

  static wire::Fields fields() {
    return {wire::field<&FillResult::closed>(), wire::field<&FillResult::refuted>().omit_empty(),
            wire::field<&FillResult::left>(),   wire::field<&FillResult::written>().omit_empty(),
            wire::field<&FillResult::reason>(), wire::field<&FillResult::places>(),
            wire::field<&FillResult::cpu_s>(),  wire::field<&FillResult::seconds>()};
  }
};

double hundredths(double seconds) {
  return std::round(seconds * 100) / 100;
}

// Writes the new text in place of the old one, with the file's line endings.
asio::awaitable<Result<void>> write_text(Environment& environment, const OpenFile& file, std::string old_text,
                                         std::string new_text) {
  auto write = [path = file.document().path, name = file.document().name, old_text = std::move(old_text),
                new_text = std::move(new_text)]() -> Result<void> {
    TRY(std::string bytes, document::load_bytes(path, name));
    const text::NormalisedText now = text::normalise_newlines(bytes);
    if (now.text != old_text)
      return fail(ErrorKind::InvalidArgument, name + " was changed while it was filled.",
                  "Nothing is written; call again.");
    std::string content = text::with_line_endings_of(bytes, new_text);
    return document::replace_file({path, name, std::move(bytes), std::move(content)});
  };
  const io::CancelScope scope(kFillWriteLimit);
  co_return co_await environment.pool.run(std::move(write), scope);
}

// The sorries of the file, or of one declaration.
Result<std::vector<FillPlace>> wanted_places(const OpenFile& file, const FillParams& params) {
  std::vector<FillPlace> places = fill_places(file.text().str());
  add_failures(file.text(), file.document().state.diagnostics(), places);
  if (params.declaration) {
    TRY(const text::NamedDeclaration named,
        declaration_named(file.text(), *params.declaration, file.document().name));
    std::erase_if(places, [&](const FillPlace& place) {
      return place.begin < named.site.start || place.begin >= named.site.end;
    });
  }
  return places;
}

asio::awaitable<Result<FillResult>> fill_file(Environment& environment, std::shared_ptr<mcp::Call> call,
                                              FillParams params) {
  const auto start = io::Clock::now();
  if (!(params.budget_s > 0))
    co_return fail(ErrorKind::InvalidArgument, "budget_s must be more than 0.", "Pass seconds, such as 30.");
  CO_TRY(const auto file, co_await open_file(environment, call, params.file.file_path));
  if (params.write) {
    CO_TRY(const auto location, environment.workspace.locate(params.file.file_path));
    CO_CHECK(require_own_file(*file.store(), file.document().path, location.named));
    CO_CHECK(document::check_replaceable(file.document().path, file.document().name));
  }
  CO_CHECK(co_await file.wait_until_done(call->scope));
  if (auto failure = file.header_failure()) co_return tl::unexpected(std::move(*failure));
  CO_TRY(auto places, wanted_places(file, params));
  FillResult result;
  if (places.empty()) {
    result.reason = "There is no sorry here, and nothing that fails.";
    co_return result;
  }
  const std::string source = file.text().str();
  const auto budget =
      std::chrono::duration_cast<io::Clock::duration>(std::chrono::duration<double>(params.budget_s));
  if (places.size() > kMaxPlaces) {
    result.reason = "Only the first " + std::to_string(kMaxPlaces) + " of " + std::to_string(places.size()) +
                    " sorries were tried: pass a declaration for others.";
    places.resize(kMaxPlaces);
  }
  CO_TRY(Filled filled, co_await fill_at(environment, call, file, std::move(places), budget));
  if (!filled.is_cpu_known) {
    constexpr std::string_view kByClock =
        "Processor time is unknown here, so budget_s was time on the clock.";
    result.reason = result.reason ? *result.reason + " " + std::string(kByClock) : std::string(kByClock);
  }
  std::size_t shown = 0;
  for (FillItem& item : filled.places) {
    if (item.goals && ++shown > kMaxGoalsShown) item.goals.reset();
    (item.closed_by ? result.closed : result.left) += 1;
    if (item.refuted) ++result.refuted;
    result.places.push_back(std::move(item));
  }
  if (call->scope.cancel->cancelled()) co_return call_cancelled();
  if (params.write && result.closed > 0) {
    const FileEdit edit{file.store(), file.document().path, source, filled.text};
    CO_TRY(std::string objection,
           co_await statement_objection(environment, call, edit, nullptr, call->scope));
    if (objection.empty()) {
      CO_CHECK(co_await write_text(environment, file, source, filled.text));
      result.written = true;
    } else {
      result.reason = "Nothing is written. " + objection;
    }
  }
  if (filled.is_cpu_known) result.cpu_s = hundredths(filled.cpu_s);
  result.seconds = hundredths(std::chrono::duration<double>(io::Clock::now() - start).count());
  co_return result;
}

}  // namespace

mcp::Tool lean_fill(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_fill",
       .title = "Fill sorries",
       .group = "proof",
       .description = "Tries what a machine can prove at every sorry of a file: what closes each, values "
                      "that refute it, or its goal. write: true puts in all that Lean accepts.",
       .annotations = {.read_only = false, .destructive = true, .idempotent = false, .open_world = false},
       .may_be_task = true},
      fill_file);
}

}  // namespace leanbridge::tools
