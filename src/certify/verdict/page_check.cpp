#include "certify/statement/statement_printer.hpp"
#include "core/base/try.hpp"
#include "core/olean/constant_reader.hpp"
#include "core/text/lean_header.hpp"
#include "core/text/untrusted.hpp"
#include "steps.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

namespace leanbridge::certify {

using olean::ConstantId;
using olean::ConstantReader;
using olean::InfoKind;
using olean::Ref;
using olean::TermTable;
using statement::Spelling;
namespace fs = std::filesystem;

namespace {

constexpr const char* kModule = "LeanbridgePage";
constexpr std::chrono::seconds kMaxTime{60};

/// A line of the page in the form of source text.
struct Line {
  std::size_t item = 0;
  std::optional<std::size_t> constructor;
  ConstantId id = 0;
  bool has_value = false;
  std::string text;     ///< `.{u} (n : Nat) : T := value`
  std::string in_full;  ///< shown instead if Lean reads something else
  bool is_tried = true;

  std::string name(std::size_t number) const {
    return std::string(kModule) + ".line" + std::to_string(number);
  }
};

bool has_shown_value(const olean::ConstantInfo& info) {
  return info.value && info.kind != InfoKind::Theorem;
}

class LinesReader {
 public:
  LinesReader(olean::ModuleSet& set, const std::function<bool(const olean::SetModule&)>& is_project)
      : set_(set), printer_(set, is_project) {}

  std::vector<Line> read(const Page& page) {
    for (std::size_t i = 0; i < page.items.size(); ++i) {
      const auto id = set_.find(olean::key_of(page.items[i].name));
      if (!id) {  // a name that cannot occur in a source
        lines_.push_back({i, std::nullopt, 0, false, {}, page.items[i].text, false});
        continue;
      }
      if (page.items[i].text.empty() || is_projection(*id)) continue;
      add(*id, {i, std::nullopt, *id, has_shown_value(set_.info(*id)), {}, {}, true});
      std::size_t number = 0;
      for (const ConstantId constructor : constructors_of(*id)) {
        if (number >= page.items[i].constructors.size()) break;
        add(constructor, {i, number++, constructor, false, {}, {}, true});
      }
    }
    return std::move(lines_);
  }

 private:
  void add(ConstantId id, Line line) {
    const std::string shown = printer_.definition(id);
    line.text = printer_.level_params(id) + " " + shown;
    line.in_full = printer_.definition(id, Spelling::InFull);
    // If the page must escape the line, Lean would receive another text than the one shown.
    line.is_tried = !shown.empty() && text::escaped(line.text) == line.text;
    lines_.push_back(std::move(line));
  }

  /// `S.x (self : S) : T := self.1`: a source cannot write the right side, which Lean reads as S.x itself.
  bool is_projection(ConstantId id) {
    const olean::ConstantInfo info = set_.info(id);
    if (!has_shown_value(info)) return false;
    olean::Expressions& expressions = set_.constants()[id].module->expressions;
    olean::Expr node = expressions.at(*info.value);
    while (node.kind == olean::ExprKind::Lam) node = expressions.at(expressions.field(node, 2));
    return node.kind == olean::ExprKind::Proj &&
           expressions.at(expressions.field(node, 2)).kind == olean::ExprKind::Bvar;
  }

  std::vector<ConstantId> constructors_of(ConstantId id) {
    constexpr std::size_t kMaxConstructors = 10'000;
    std::vector<ConstantId> found;
    olean::SetModule& module = *set_.constants()[id].module;
    for (Ref list = set_.info(id).constructors.value_or(olean::kBoxedZero);
         !olean::is_boxed(list) && found.size() < kMaxConstructors;) {
      const olean::Object cell = module.region.constructor(list);
      list = module.region.field(cell, 1);
      const auto constructor = set_.find(olean::key_of(module, module.region.field(cell, 0)));
      if (!constructor) break;
      found.push_back(*constructor);
    }
    return found;
  }

  olean::ModuleSet& set_;
  statement::StatementPrinter printer_;
  std::vector<Line> lines_;
};

/// The text with one line for each line to try, and the indices of these.
std::pair<std::string, std::vector<std::size_t>> source_of(const std::vector<Line>& lines, bool has_prelude) {
  std::string text = has_prelude ? "prelude " : "";
  text += std::string("import ") + kCandidate + "\n";
  std::vector<std::size_t> numbers = {lines.size()};  // by line of the text, which begins at 0 with none
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].is_tried) continue;
    text += (lines[i].has_value ? "noncomputable def " : "axiom ") + lines[i].name(i) + lines[i].text + "\n";
    numbers.push_back(i);
  }
  return {std::move(text), std::move(numbers)};
}

/// Removes the lines about which Lean reports an error from the lines to try. Returns whether there were any.
bool leave_errors(const std::string& printed, const std::vector<std::size_t>& numbers,
                  std::vector<Line>& lines) {
  bool any = false;
  for (const lean::CompilerMessage& message : messages_in(printed)) {
    if (message.severity != lean::Severity::Error) continue;
    const auto at = static_cast<std::size_t>(std::max(message.start.line, 1)) - 1;
    if (at == 0 || at >= numbers.size()) continue;
    any = any || lines[numbers[at]].is_tried;
    lines[numbers[at]].is_tried = false;
  }
  return any;
}

/// The lines that Lean has read as the constants that they show.
std::set<std::size_t> same_lines(olean::ModuleSet& challenge, olean::ModuleSet& read,
                                 const std::vector<Line>& lines) {
  TermTable terms;
  ConstantReader theirs(terms, challenge), ours(terms, read);
  std::set<std::size_t> same;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].is_tried) continue;
    const auto id = read.find(olean::key_of(lines[i].name(i)));
    if (!id || !read.is_own(*id)) continue;
    const auto shown = theirs.read(lines[i].id), found = ours.read(*id);
    if (!shown || !found) continue;
    if (shown->type == found->type && shown->level_params == found->level_params &&
        (!lines[i].has_value || shown->value == found->value))
      same.insert(i);
  }
  return same;
}

void note(Page& page, const std::vector<Line>& lines, const std::set<std::size_t>& same) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (same.contains(i)) continue;
    const std::string in_full = lines[i].in_full.empty() ? "too long to be printed" : lines[i].in_full;
    PageItem& item = page.items[lines[i].item];
    if (lines[i].constructor)
      item.constructors[*lines[i].constructor] += "    -- in full: " + in_full;
    else
      item.in_full = in_full;
  }
}

/// Runs Lean on the lines, and once more without the lines that it does not understand. Returns why there is
/// no file.
asio::awaitable<Result<std::string>> compile_lines(const Job& job, const Inputs& inputs, bool has_prelude,
                                                   const RunPlaces& places, std::vector<Line>& lines,
                                                   io::CancelScope scope) {
  constexpr int kMaxRuns = 3;
  std::string why = "Lean does not understand them";
  for (int run = 0; run < kMaxRuns; ++run) {
    const auto source = source_of(lines, has_prelude);
    const fs::path file = places.readable.front() / (std::string(kModule) + std::to_string(run)) /
                          (std::string(kModule) + ".lean");
    const auto write = [file, text = source.first] { return write_new_file(file, text); };
    CO_CHECK(co_await job.run(write));
    std::vector<std::string> arguments = {"--json", "-R", file.parent_path().string(), "-o",
                                          (places.writable / (std::string(kModule) + kOlean)).string()};
    for (const std::string& option : job.request.options) arguments.push_back("-D" + option);
    arguments.push_back(file.string());
    auto end = co_await inputs.runner.run_lean(std::move(arguments), places, scope);
    if (!end && end.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(end.error());
    if (!end) co_return end.error().message;
    if (end->timed_out) co_return "Lean did not end in time";
    if (end->succeeded()) co_return "";
    if (!leave_errors(end->output, source.second, lines)) break;
  }
  co_return why;
}

}  // namespace

asio::awaitable<Result<Page>> read_back(const Job& job, const Inputs& inputs, SharedSet challenge,
                                        std::vector<std::string> parts, Page page) {
  job.request.on_step("having Lean read the page back");
  const fs::path modules = inputs.folder / "page-modules", out = inputs.folder / "page-out",
                 sources = inputs.folder / "page-source";
  const auto prepare = [=, is_project = inputs.is_project()]() -> Result<std::vector<Line>> {
    std::error_code ignored;
    for (const fs::path& folder : {modules, out, sources}) fs::create_directory(folder, ignored);
    TRY_DONE(write_parts(modules, kCandidate, parts));
    return challenge.use([&](olean::ModuleSet& set) { return LinesReader(set, is_project).read(page); });
  };
  CO_TRY(std::vector<Line> lines, co_await job.run(prepare));
  RunPlaces places;
  places.search_path = inputs.lean_path();
  places.search_path.insert(places.search_path.begin(), modules);
  places.readable = {sources};
  places.writable = out;
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(job.scope.deadline - io::Clock::now());
  const auto scope = job.scope.with_timeout(std::min<io::Clock::duration>(kMaxTime, left / 3));
  const bool has_prelude = text::parse_lean_header(inputs.challenge).has_prelude;
  CO_TRY(page.not_read, co_await compile_lines(job, inputs, has_prelude, places, lines, scope));
  const auto compare = [=, page = std::move(page), path = inputs.search_path()]() mutable -> Result<Page> {
    std::set<std::size_t> same;
    if (page.not_read.empty()) {
      path.insert(path.begin(), modules);
      std::error_code ignored;
      const std::string last = std::string(kModule) + kOlean + ".private";
      const auto read = read_parts(out, kModule, fs::exists(out / last, ignored));
      const auto set = read ? open_set(*read, path) : Result<SharedSet>(tl::unexpected(read.error()));
      if (set)
        same = challenge.use([&](olean::ModuleSet& theirs) {
          return set->use([&](olean::ModuleSet& ours) { return same_lines(theirs, ours, lines); });
        });
      else
        page.not_read = "what Lean made of them cannot be read: " + set.error().message;
    }
    note(page, lines, same);
    return std::move(page);
  };
  co_return co_await job.run(compare);
}

}  // namespace leanbridge::certify
