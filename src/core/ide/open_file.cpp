#include "open_file.hpp"

#include "core/base/similar.hpp"
#include "core/base/try.hpp"
#include "core/lean/build_output.hpp"
#include "core/text/utf8.hpp"

#include <algorithm>
#include <sstream>

namespace leanbridge::ide {

constexpr std::string_view kColumn = "From 1, in characters";

// The server's instructions explain file_path and line once for all tools.
wire::Fields FileParams::fields() {
  return wire::fields<&FileParams::file_path>();
}

wire::Fields FilePosition::fields() {
  return {wire::field<&FilePosition::file_path>(), wire::field<&FilePosition::line>().at_least(1),
          wire::field<&FilePosition::column>(kColumn).at_least(1)};
}

wire::Fields ExactPosition::fields() {
  return {wire::field<&ExactPosition::file_path>(), wire::field<&ExactPosition::line>().at_least(1),
          wire::field<&ExactPosition::column>(kColumn).at_least(1)};
}

wire::Fields ContextPosition::fields() {
  return {wire::field<&ContextPosition::line>("Where names are resolved").at_least(1),
          wire::field<&ContextPosition::column>(kColumn).at_least(1)};
}

wire::Fields NameParams::fields() {
  return {wire::field<&NameParams::file_path>(), wire::field<&NameParams::name>(),
          wire::flatten<&NameParams::at>()};
}

namespace {

// Lean's texts may be too long for a progress message.
std::string shortened(std::string_view text) {
  return std::string(text::beginning_of(text, 160));
}

// "elaborating Foo.lean: line 12, `theorem bar : ...`"
io::Progress progress_of(const document::Document& document, const lean::Server& server) {
  if (server.state() == lean::Server::State::Starting) {
    const std::string said = shortened(server.last_line());
    return {0, 0, "starting lake serve in " + server.root().string() + (said.empty() ? "" : ": " + said)};
  }
  if (document.usage.waits_for_slot)
    return {0, 0, document.name + " is waiting until another file is no longer in use (--max-open-files)"};
  const document::DocumentState& state = document.state;
  io::Progress progress{static_cast<double>(state.lines_done()),
                        static_cast<double>(state.text().line_count()), ""};
  const auto lines = state.still_elaborating();
  if (lines.empty()) {
    progress.message = document.name + " is elaborated";
    return progress;
  }
  if (!state.setup_output().empty()) {
    progress.message = document.name + ": " + shortened(state.setup_output());
    return progress;
  }
  const std::string_view line = state.text().line(static_cast<std::size_t>(lines.front().start - 1));
  const std::string what = "elaborating " + document.name, at = ": " + shortened(line);
  progress.message = what + ", " + std::to_string(state.lines_done()) + " of " +
                     std::to_string(state.text().line_count()) + " lines done" + at;
  progress.beside_bar = what + at;
  return progress;
}

}  // namespace

asio::awaitable<Result<OpenFile>> open_file(Lean& lean, std::shared_ptr<io::Operation> call,
                                            std::string file_path) {
  CO_TRY(auto location, lean.workspace.locate(file_path));
  call->progress = [store = location.project, path = location.path]() -> std::optional<io::Progress> {
    const auto document = store->find(path);
    if (!document) return std::nullopt;
    return progress_of(*document, store->server());
  };
  CO_TRY(auto synced, co_await location.project->sync(location.path, call->scope));
  co_return OpenFile{location.project, std::move(synced)};
}

Result<std::size_t> offset_of(const OpenFile& file, int line, std::optional<int> column,
                              ColumnDefault fallback) {
  const std::string& name = file.document().name;
  TRY_DONE(file.text().require_line(line, name));
  if (!column)
    column = fallback == ColumnDefault::FirstNonBlank ? file.text().first_non_blank_column(line)
                                                      : file.text().end_column(line);
  return file.text().offset_of({line, *column}, name);
}

asio::awaitable<Result<OpenPlace>> open_place(Lean& lean, std::shared_ptr<io::Operation> call,
                                              FilePosition position, ColumnDefault fallback) {
  CO_TRY(auto file, co_await open_file(lean, std::move(call), position.file_path));
  CO_TRY(const auto offset, offset_of(file, position.line, position.column, fallback));
  const document::TextAnchor anchor = file.anchor(offset);
  co_return OpenPlace{std::move(file), anchor};
}

tl::unexpected<Error> changed_meanwhile(const std::string& name) {
  return fail(ErrorKind::Cancelled, name + " or a file that it imports changed meanwhile.", "Call again.");
}

std::string not_checked_below(int line) {
  return "Lean stops at #exit in line " + std::to_string(line) + ": nothing below it is checked.";
}

wire::Fields FileStatus::fields() {
  return {wire::field<&FileStatus::version>().unlisted().only_full(),
          wire::field<&FileStatus::partial>().unlisted().omit_empty(),
          wire::field<&FileStatus::timed_out>().unlisted().omit_empty(),
          wire::field<&FileStatus::still_elaborating_lines>().unlisted().only_if<&FileStatus::partial>(),
          wire::field<&FileStatus::reopened>(),
          wire::field<&FileStatus::fallback_for>(),
          wire::field<&FileStatus::fallback>()};
}

FileStatus status_of(const OpenFile& file, Completeness completeness) {
  const document::DocumentState& state = file.document().state;
  FileStatus status;
  status.version = state.version();
  status.partial = completeness != Completeness::Complete;
  status.timed_out = completeness == Completeness::TimedOut;
  for (const document::LineRange& range : state.still_elaborating())
    status.still_elaborating_lines.push_back({range.start, range.end});
  status.reopened = file.synced.restarted;
  return status;
}

std::string line_context(const OpenFile& file, std::size_t offset) {
  return std::string(file.text().line(file.text().line_at(offset)));
}

wire::Fields DiagnosticItem::fields() {
  return {wire::field<&DiagnosticItem::severity>(),
          wire::field<&DiagnosticItem::message>(),
          wire::field<&DiagnosticItem::line>(),
          wire::field<&DiagnosticItem::column>(),
          wire::field<&DiagnosticItem::end_line>().only_full(),
          wire::field<&DiagnosticItem::end_column>().only_full(),
          wire::field<&DiagnosticItem::lean_tags>(),
          wire::field<&DiagnosticItem::category>().omit_value("diagnostic"),
          wire::field<&DiagnosticItem::hint>()};
}

namespace {

// Lean sends numbers; names are readable. Omits the tags of later versions.
std::vector<std::string> tag_names(const std::vector<int>& tags) {
  std::vector<std::string> names;
  for (const int tag : tags) {
    if (tag == lean::kTagUnsolvedGoals) names.emplace_back("unsolvedGoals");
    if (tag == lean::kTagGoalsAccomplished) names.emplace_back("goalsAccomplished");
  }
  return names;
}

// The kernel prints whole elaborated terms, which are of no use to a reader.
std::string without_kernel_terms(const std::string& message) {
  constexpr std::size_t kShownLines = 8;
  if (!message.starts_with("(kernel)")) return message;
  std::size_t end = 0;
  for (std::size_t line = 0; line < kShownLines && end != std::string::npos; ++line)
    end = message.find('\n', end == 0 ? 0 : end + 1);
  if (end == std::string::npos) return message;
  const auto left = std::count(message.begin() + static_cast<std::ptrdiff_t>(end), message.end(), '\n');
  return message.substr(0, end) + "\n[… " + std::to_string(left) + " lines of the kernel's terms left out …]";
}

// Where Lake could not build the imports, Lean shows all that Lake has printed.
std::string without_build_log(const std::string& message) {
  constexpr std::size_t kShownErrors = 8;
  const std::string first = message.substr(0, message.find('\n'));
  if (first.find("setup-file") == std::string::npos) return message;
  if (auto failure = lean::import_failure_in(message)) return *failure;
  std::string shown = first;
  std::size_t errors = 0, left_out = 0;
  std::istringstream lines(message.substr(first.size()));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("error:") && errors++ < kShownErrors)
      shown += "\n" + line;
    else if (!line.empty())
      ++left_out;
  }
  if (errors == 0) return message;
  if (left_out > 0)
    shown += "\n[… " + std::to_string(left_out) + " lines of Lake's log left out; lean_build shows them …]";
  return shown;
}

}  // namespace

DiagnosticItem diagnostic_item(const text::Text& text, const lean::Diagnostic& diagnostic) {
  const text::Position start = text.position_at(diagnostic.range.start);
  const text::Position end = text.position_at(diagnostic.range.end);
  DiagnosticItem item{diagnostic.severity,
                      without_build_log(without_kernel_terms(diagnostic.message)),
                      start.line,
                      start.column,
                      end.line,
                      end.column,
                      {}};
  if (auto tags = tag_names(diagnostic.lean_tags); !tags.empty()) item.lean_tags = std::move(tags);
  item.category = lean::category_of(diagnostic.severity, diagnostic.message);
  const std::string_view word = lean::word_at(text.str(), text.offset_at(diagnostic.range.start));
  if (auto hint = lean::hint_for(diagnostic.severity, diagnostic.message, word); !hint.empty())
    item.hint = std::move(hint);
  return item;
}

std::vector<Declaration> declarations_in(const text::Text& text) {
  std::vector<Declaration> found;
  for (const text::NamedDeclaration& declared : text::named_declarations(text.str())) {
    const text::DeclarationSite& site = declared.site;
    const std::size_t last = site.end > site.start ? site.end - 1 : site.end;
    found.push_back({declared.full_name, text.position_at(site.start).line, text.position_at(last).line});
  }
  return found;
}

Result<text::NamedDeclaration> declaration_named(const text::Text& text, const std::string& name,
                                                 const std::string& file) {
  constexpr std::size_t kBytesOfNames = 400;
  const auto listed = [](const std::vector<text::NamedDeclaration>& declarations) {
    std::string names;
    for (const text::NamedDeclaration& declaration : declarations)
      if (!declaration.full_name.empty() && names.size() < kBytesOfNames)
        names += (names.empty() ? "" : ", ") + declaration.full_name;
    return names;
  };
  auto found = text::find_declarations(text.str(), name);
  if (found.size() == 1) return std::move(found.front());
  if (found.empty()) {
    const auto all = text::named_declarations(text.str());
    std::vector<std::string> names;
    names.reserve(all.size());
    for (const text::NamedDeclaration& declaration : all) names.push_back(declaration.full_name);
    const std::string meant = did_you_mean(closest_names(name, names, 3));
    return fail(ErrorKind::InvalidArgument, "Declaration '" + name + "' not found in " + file + ".",
                meant + (meant.empty() ? "" : " ") + "Its declarations are: " + listed(all) + ".");
  }
  return fail(ErrorKind::InvalidArgument, "'" + name + "' is ambiguous in " + file + ".",
              "Pass one of: " + listed(found) + ".");
}

const Declaration* declaration_at(const std::vector<Declaration>& declarations, int line) {
  const Declaration* innermost = nullptr;
  for (const Declaration& declaration : declarations)
    if (declaration.start_line <= line && line <= declaration.end_line) innermost = &declaration;
  return innermost;
}

wire::Fields DiagnosticList::fields() {
  return {wire::field<&DiagnosticList::items>().only_if<&DiagnosticList::listed>(),
          wire::field<&DiagnosticList::total>().unlisted().only_if<&DiagnosticList::truncated>(),
          wire::field<&DiagnosticList::truncated>().unlisted().omit_empty(),
          wire::field<&DiagnosticList::linter_count>().unlisted().omit_empty()};
}

namespace {

// The order of importance, since the end of the list may be cut: an error, then a sorry or a suggestion, then
// anything else but linters.
int rank_of(const lean::Diagnostic& diagnostic, lean::MessageCategory category) {
  if (diagnostic.is_error()) return 0;
  switch (category) {
    case lean::MessageCategory::Sorry:
    case lean::MessageCategory::Suggestion:
      return 1;
    case lean::MessageCategory::Diagnostic:
      return 2;
    case lean::MessageCategory::Linter:
      return 3;
  }
  return 2;
}

}  // namespace

DiagnosticList list_of(const Messages& messages, LinterNoise noise) {
  struct Ranked {
    const lean::Diagnostic* diagnostic;
    int rank;
    bool is_noise;
  };
  DiagnosticList list;
  std::vector<Ranked> all;
  for (const lean::Diagnostic* diagnostic : messages.list()) {
    const auto category = lean::category_of(diagnostic->severity, diagnostic->message);
    const bool is_noise = noise == LinterNoise::Counted && category == lean::MessageCategory::Linter;
    if (is_noise) ++list.linter_count;
    all.push_back({diagnostic, rank_of(*diagnostic, category), is_noise});
  }
  // Lean reports messages in the order in which it finishes them.
  std::ranges::stable_sort(all, [](const Ranked& a, const Ranked& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.diagnostic->range.start < b.diagnostic->range.start;
  });
  list.total = static_cast<int>(all.size());
  list.truncated = all.size() > kMaxItems;
  if (list.truncated) all.resize(kMaxItems);
  for (const Ranked& each : all) {
    list.items.push_back(diagnostic_item(messages.text(), *each.diagnostic));
    list.items.back().noise = each.is_noise;
  }
  return list;
}

}  // namespace leanbridge::ide
