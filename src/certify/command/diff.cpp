// leanbridge diff: the changes to the declarations of a project, read from its sources.

#include "diff.hpp"

#include "leanbridge/part.hpp"

#include "certify/command/certify_options.hpp"
#include "certify/git/changed_files.hpp"
#include "core/base/counted.hpp"
#include "core/base/files.hpp"
#include "core/base/try.hpp"
#include "core/ide/lake_run.hpp"
#include "core/lean/project.hpp"
#include "core/program/output.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/source_changes.hpp"
#include "one_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <utility>

namespace leanbridge::app {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

using certify::Costs;

/// The measurement of one text.
struct Measurement {
  Costs costs;
  std::string why_not;  ///< as a clause; "": it was measured
};

class Meter {
 public:
  Meter(fs::path root, fs::path lake, io::Spawn spawn, io::Pool& pool, io::CancelScope scope)
      : root_(std::move(root)),
        lake_(std::move(lake)),
        spawn_(std::move(spawn)),
        pool_(pool),
        scope_(std::move(scope)) {}

  /// Errors: Timeout, Cancelled; Internal if there is no folder for it.
  asio::awaitable<Result<Measurement>> measure(std::string source) {
    const auto write = [source]() -> Result<std::shared_ptr<const TemporaryFolder>> {
      TRY(auto folder, TemporaryFolder::create());
      TRY_DONE(write_new_file(folder->path() / "Measured.lean", source));
      return folder;
    };
    CO_TRY(const auto folder, co_await pool_.run(write, scope_));
    std::vector<std::string> arguments = {"env", "lean", "--json"};
    arguments.insert(arguments.end(), certify::cost_options().begin(), certify::cost_options().end());
    arguments.push_back((folder->path() / "Measured.lean").string());
    ide::LakeCommand command{lake_, root_, std::move(arguments), spawn_};
    CO_TRY(const ide::CompilerRun run, co_await ide::run_compiler(std::move(command), scope_));
    if (run.end.how == ide::LakeEnd::How::TimedOut)
      co_return fail(ErrorKind::Timeout, "Lean did not elaborate everything in time.",
                     "Pass a longer --timeout.");
    if (run.output.too_many()) co_return Measurement{{}, "Lean reported too much about it"};
    for (const lean::CompilerMessage& message : run.output.messages())
      if (message.severity == lean::Severity::Error)
        co_return Measurement{{},
                              "it does not compile, in line " + std::to_string(message.start.line) + ": " +
                                  message.message.substr(0, message.message.find('\n'))};
    if (run.end.exit_code != 0)
      co_return Measurement{{}, "Lean ended with " + run.output.how_it_ended(run.end)};
    Costs costs = certify::read_costs(source, run.output.messages());
    if (costs.empty() && !text::named_declarations(source).empty())
      co_return Measurement{{}, "this Lean reports no heartbeats"};
    co_return Measurement{std::move(costs), ""};
  }

 private:
  fs::path root_, lake_;
  io::Spawn spawn_;
  io::Pool& pool_;
  io::CancelScope scope_;
};

}  // namespace

wire::Fields DeclarationCost::fields() {
  return wire::fields<&DeclarationCost::file, &DeclarationCost::name, &DeclarationCost::line,
                      &DeclarationCost::before, &DeclarationCost::after>();
}

wire::Fields UnmeasuredFile::fields() {
  return wire::fields<&UnmeasuredFile::file, &UnmeasuredFile::why>();
}

bool CostReport::is_dearer(const DeclarationCost& each) const {
  return each.before && each.after && certify::is_dearer(*each.before, *each.after, limit);
}

bool CostReport::any_dearer() const {
  return std::ranges::any_of(declarations, [&](const DeclarationCost& each) { return is_dearer(each); });
}

std::vector<DeclarationCost> compare_costs(const std::string& file, const Costs& before, const Costs& after) {
  std::vector<DeclarationCost> found;
  std::set<std::string> names;
  for (const auto& [name, cost] : before) names.insert(name);
  for (const auto& [name, cost] : after) names.insert(name);
  for (const std::string& name : names) {
    const auto then = before.find(name), now = after.find(name);
    DeclarationCost cost{file, name, now != after.end() ? now->second.line : then->second.line, {}, {}};
    if (then != before.end()) cost.before = then->second.heartbeats;
    if (now != after.end()) cost.after = now->second.heartbeats;
    const bool is_same =
        cost.before && cost.after && std::abs(*cost.after - *cost.before) <= certify::kLeastCostChange;
    if (!is_same) found.push_back(std::move(cost));
  }
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.line < b.line; });
  return found;
}

asio::awaitable<Result<CostReport>> measure_costs(const certify::ChangeQuestion& question, std::string lake,
                                                  double limit, std::vector<certify::ChangedFile> files,
                                                  io::Pool& pool, io::CancelScope scope) {
  CO_TRY(const fs::path program, lean::find_lake(lake));
  Meter meter(question.root, program, question.spawn, pool, scope);
  CostReport report{limit, {}, {}};
  for (certify::ChangedFile& file : files) {
    if (certify::is_setting(file.name)) continue;
    const std::string name = file.name.string();
    std::string why = file.unread;
    Costs sides[2];
    std::optional<std::string>* const texts[] = {&file.before, &file.after};
    for (std::size_t i = 0; i < 2 && why.empty(); ++i) {
      if (!*texts[i]) continue;
      question.on_step("measuring " + name);
      CO_TRY(Measurement measured, co_await meter.measure(std::move(**texts[i])));
      sides[i] = std::move(measured.costs);
      if (!measured.why_not.empty())
        why = std::string(i == 0 ? "before the change " : "after the change ") + measured.why_not;
    }
    if (!why.empty()) {
      report.unmeasured.push_back({name, std::move(why)});
      continue;
    }
    auto found = compare_costs(name, sides[0], sides[1]);
    report.declarations.insert(report.declarations.end(), found.begin(), found.end());
  }
  co_return report;
}

using text::Change;

namespace {

constexpr double kDiffSeconds = 120;
constexpr const char* kNote =
    "This is a reading of the sources, not Lean's word: what a theorem depends on, only Lean can say. For a "
    "verdict: leanbridge certify --git REV FILE";

enum class DiffVerdict { NothingNew, New, Refused, Dearer, Incomplete };
wire::Names<DiffVerdict> names_of(DiffVerdict) {
  return {{DiffVerdict::NothingNew, "nothing_new"},
          {DiffVerdict::New, "new"},
          {DiffVerdict::Refused, "refused"},
          {DiffVerdict::Dearer, "dearer"},
          {DiffVerdict::Incomplete, "incomplete"}};
}

/// A file that is new, gone or changed, or that could not be read.
struct FileChange {
  std::string file;
  Change change = Change::Revalued;  ///< Added, Removed, or the default: the file existed before
  std::string unread;                ///< why it was not read; "": it was
  bool is_setting = false;
  std::string before, after;  ///< the versions in a toolchain file
};

struct DiffReport {
  std::string before;
  std::optional<std::string> after;
  std::vector<FileChange> files;
  text::SourceChanges changes;
  std::vector<std::string> objections = {};        ///< of parts, in sentences
  std::optional<CostReport> costs = std::nullopt;  ///< absent if they were not requested

  DiffVerdict verdict() const {
    if (!changes.new_sorries.empty() || !changes.new_axioms.empty()) return DiffVerdict::New;
    if (!objections.empty()) return DiffVerdict::Refused;
    if (costs && costs->any_dearer()) return DiffVerdict::Dearer;
    if (costs && !costs->unmeasured.empty()) return DiffVerdict::Incomplete;
    const bool all_read =
        std::ranges::all_of(files, [](const FileChange& file) { return file.unread.empty(); });
    return all_read ? DiffVerdict::NothingNew : DiffVerdict::Incomplete;
  }
};

const char* change_word(const FileChange& file) {
  if (file.change == Change::Added || file.change == Change::Removed) return wire::name_of(file.change);
  return "changed";
}

FileChange described(const certify::ChangedFile& file) {
  FileChange made;
  made.file = file.name.string();
  if (!file.before) made.change = Change::Added;
  if (!file.after) made.change = Change::Removed;
  made.unread = file.unread;
  made.is_setting = certify::is_setting(file.name);
  if (file.name.filename() == "lean-toolchain" && file.unread.empty()) {
    made.before = one_line(file.before.value_or(""));
    made.after = one_line(file.after.value_or(""));
  }
  return made;
}

/// Adds the declarations of the text, if there is one. One file at a time, so that an interrupt need not wait
/// for more.
asio::awaitable<Result<void>> read_into(std::vector<text::SourceReading>& readings, std::string name,
                                        std::optional<std::string> source, io::Pool& pool,
                                        io::CancelScope scope) {
  if (!source) co_return Result<void>();
  const auto read = [name = std::move(name), text = std::move(*source)]() -> Result<text::SourceReading> {
    return text::read_declarations(name, text);
  };
  CO_TRY(text::SourceReading reading, co_await pool.run(read, scope));
  readings.push_back(std::move(reading));
  co_return Result<void>();
}

asio::awaitable<Result<DiffReport>> report_on(certify::ChangeQuestion question, const Options& options,
                                              io::Pool& pool, io::CancelScope scope) {
  const auto on_step = question.on_step;
  CO_TRY(certify::ChangedFiles changed, co_await certify::changed_files(question, pool, scope));
  DiffReport report{changed.before, changed.after, {}, {}};
  if (options.of<DiffOptions>().cost_limit) {
    CO_TRY(report.costs, co_await measure_costs(question, options.lake, *options.of<DiffOptions>().cost_limit,
                                                changed.files, pool, scope));
  }
  std::vector<text::SourceReading> before, after;
  for (certify::ChangedFile& file : changed.files) {
    report.files.push_back(described(file));
    if (report.files.back().is_setting || !file.unread.empty()) continue;
    const std::string name = file.name.string();
    on_step("reading " + name);
    CO_CHECK(co_await read_into(before, name, std::move(file.before), pool, scope));
    CO_CHECK(co_await read_into(after, name, std::move(file.after), pool, scope));
    for (const auto* readings : {&before, &after})
      if (!readings->empty() && readings->back().file == name && report.files.back().unread.empty())
        report.files.back().unread = readings->back().doubt;
  }
  // Sorted like the declarations: paths are compared by their components.
  std::ranges::sort(report.files, [](const FileChange& a, const FileChange& b) { return a.file < b.file; });
  on_step("comparing");
  report.changes = text::source_changes(before, after);
  for (const auto& part : parts()) {
    CO_TRY(const auto found, co_await part->objections(question.root, report.before, report.changes, scope));
    report.objections.insert(report.objections.end(), found.begin(), found.end());
  }
  co_return report;
}

std::map<Change, std::size_t> counts_of(const text::SourceChanges& changes) {
  std::map<Change, std::size_t> counts;
  for (const text::DeclarationChange& each : changes.declarations) ++counts[each.change];
  return counts;
}

// --- as JSON

json json_of(const DiffReport& report, const fs::path& root) {
  const text::SourceChanges& changes = report.changes;
  json counts = json::object(), files = json::array(), settings = json::array(), unread = json::array();
  const auto counted = counts_of(changes);
  for (const auto& [change, name] : names_of(Change())) {
    const auto count = counted.find(change);
    counts[name] = count == counted.end() ? 0 : count->second;
  }
  for (const FileChange& file : report.files) {
    json made = {{"file", file.file}, {"change", change_word(file)}};
    if (!file.before.empty()) made["before"] = file.before;
    if (!file.after.empty()) made["after"] = file.after;
    if (!file.unread.empty()) unread.push_back({{"file", file.file}, {"why", file.unread}});
    (file.is_setting ? settings : files).push_back(std::move(made));
  }
  json made = {{"verdict", wire::name_of(report.verdict())},
               {"note", kNote},
               {"before", report.before},
               {"after", report.after ? json(*report.after) : json()},
               {"root", root.string()},
               {"counts", counts},
               {"sorries", {{"before", changes.sorries_before}, {"after", changes.sorries_after}}},
               {"axioms", {{"before", changes.axioms_before}, {"after", changes.axioms_after}}},
               {"new_sorries", wire::write(changes.new_sorries)},
               {"new_axioms", wire::write(changes.new_axioms)},
               {"objections", report.objections},
               {"files", files},
               {"declarations", wire::write(changes.declarations)},
               {"commands", wire::write(changes.commands)},
               {"settings", settings},
               {"unread", unread}};
  if (report.costs) {
    made["cost_limit"] = report.costs->limit;
    made["costs"] = wire::write(report.costs->declarations);
    made["unmeasured"] = wire::write(report.costs->unmeasured);
  }
  return made;
}

// --- for a person

std::size_t sum_of(const std::vector<text::NewGap>& gaps) {
  std::size_t sum = 0;
  for (const text::NewGap& gap : gaps) sum += gap.count;
  return sum;
}

std::string verdict_line(const DiffReport& report) {
  const text::SourceChanges& changes = report.changes;
  std::string line = "no new sorry, no new axiom";
  const std::size_t sorries = sum_of(changes.new_sorries), axioms = sum_of(changes.new_axioms);
  if (report.verdict() == DiffVerdict::Refused) line += ", but refused";
  if (report.verdict() == DiffVerdict::Dearer) line += ", but dearer than the limit allows";
  if (report.verdict() == DiffVerdict::Incomplete)
    line = std::string("incomplete: not everything could be read") + (report.costs ? " or measured" : "");
  if (sorries + axioms > 0)
    line = "new: " + (sorries > 0 ? counted(sorries, "sorry", "sorries") : "") +
           (sorries > 0 && axioms > 0 ? ", " : "") + (axioms > 0 ? counted(axioms, "axiom") : "");
  std::string counts;
  const auto all = counts_of(changes);
  for (const auto& [change, name] : names_of(Change()))
    if (const auto count = all.find(change); count != all.end())
      counts += (counts.empty() ? "" : ", ") + std::to_string(count->second) + " " + name;
  const auto turned = [](std::size_t before, std::size_t after) {
    return std::to_string(before) + " -> " + std::to_string(after);
  };
  return line + "; declarations: " + (counts.empty() ? "no change" : counts) + "; in changed files sorries " +
         turned(changes.sorries_before, changes.sorries_after) + ", axioms " +
         turned(changes.axioms_before, changes.axioms_after);
}

std::string cut_for_person(const std::string& statement) {
  constexpr std::size_t kCells = 300;
  const std::string line = one_line(statement);
  return cells_of(line) > kCells ? fitted(line, kCells) : line;
}

std::string place_of(const std::string& file, int line) {
  return one_line(file) + ":" + std::to_string(line);
}

void print_gaps(const std::vector<text::NewGap>& gaps, const char* what) {
  for (const text::NewGap& gap : gaps)
    print_paragraph(stdout,
                    (gap.name.empty() ? "outside of declarations" : cut_for_person(gap.name)) +
                        (gap.count > 1 ? " (" + std::to_string(gap.count) + ")" : ""),
                    std::string("  NEW ") + what + "  " + place_of(gap.file, gap.line) + "  ");
}

void print_declaration(const text::DeclarationChange& each) {
  std::string about;
  if (each.renamed_from) about += ", renamed from " + *each.renamed_from;
  if (each.moved_from) about += ", moved from " + *each.moved_from;
  if (each.sorries_before != each.sorries_after)
    about += ", sorries " + std::to_string(each.sorries_before) + " -> " + std::to_string(each.sorries_after);
  const std::string name = each.name.starts_with(each.kind + " ") ? each.name : each.kind + " " + each.name;
  print_paragraph(stdout,
                  cut_for_person(name) + one_line(about) + " (line " + std::to_string(each.line) + ")",
                  "  " + fitted(wire::name_of(each.change), 11));
  if (each.change != Change::Restated) return;
  print_paragraph(stdout, cut_for_person(*each.statement_before), "    before   ");
  print_paragraph(stdout, cut_for_person(*each.statement_after), "    after    ");
}

void print_looks(const DiffReport& report) {
  bool any = false;
  const auto print = [&any](const std::string& place, const std::string& what) {
    if (!std::exchange(any, true))
      print_paragraph(stdout, "\nlook at these yourself: they can change what every statement means");
    const std::string shown = one_line(place);
    print_paragraph(stdout, what, "  " + fitted(shown, std::max<std::size_t>(cells_of(shown), 24)) + " ");
  };
  for (const FileChange& file : report.files) {
    if (!file.is_setting) continue;
    const bool turned = !file.before.empty() && !file.after.empty();
    print(file.file, change_word(file) + (turned ? ": " + file.before + " -> " + file.after : ""));
  }
  for (const text::CommandChange& each : report.changes.commands)
    print(place_of(each.file, each.line), (each.added ? "+ " : "- ") + cut_for_person(each.text));
}

void print_costs(const CostReport& costs) {
  const auto shown = [](std::optional<double> heartbeats) {
    return heartbeats ? std::to_string(std::llround(*heartbeats)) : "none";
  };
  print_paragraph(
      stdout,
      "\nheartbeats of declarations where they differ, both sides with imports as they are built now");
  for (const DeclarationCost& each : costs.declarations)
    print_paragraph(
        stdout, cut_for_person(each.name) + ": " + shown(each.before) + " -> " + shown(each.after),
        std::string(costs.is_dearer(each) ? "  DEARER  " : "  ") + place_of(each.file, each.line) + "  ");
  for (const UnmeasuredFile& each : costs.unmeasured)
    print_paragraph(stdout, one_line(each.file) + ": " + one_line(each.why), "  not measured: ");
}

void print_report(const DiffReport& report) {
  print_paragraph(stdout, verdict_line(report));
  print_paragraph(stdout, kNote);
  print_gaps(report.changes.new_sorries, "SORRY");
  print_gaps(report.changes.new_axioms, "AXIOM");
  for (const std::string& why : report.objections) print_paragraph(stdout, one_line(why), "  REFUSED  ");
  const std::vector<text::DeclarationChange>& all = report.changes.declarations;
  auto next = all.begin();
  for (const FileChange& file : report.files) {
    const auto is_here = [&] { return next != all.end() && next->file == file.file; };
    const bool whole = file.change == Change::Added || file.change == Change::Removed;
    if (file.is_setting || !(whole || is_here())) continue;
    std::printf("\n%s%s\n", one_line(file.file).c_str(),
                whole ? (std::string(" (") + change_word(file) + ")").c_str() : "");
    for (; is_here(); ++next) print_declaration(*next);
  }
  if (report.costs) print_costs(*report.costs);
  print_looks(report);
  bool any = false;
  for (const FileChange& file : report.files) {
    if (file.unread.empty()) continue;
    if (!std::exchange(any, true)) std::printf("\nnot read\n");
    print_paragraph(stdout, one_line(file.file) + ": " + one_line(file.unread), "  ");
  }
}

Result<certify::ChangeQuestion> changes_asked_for(const Options& options) {
  certify::ChangeQuestion question;
  question.before =
      options.of<DiffOptions>().revisions.empty() ? "HEAD" : options.of<DiffOptions>().revisions[0];
  if (options.of<DiffOptions>().revisions.size() > 1) question.after = options.of<DiffOptions>().revisions[1];
  for (const std::string& revision : options.of<DiffOptions>().revisions)
    if (revision.empty() || revision.starts_with('-'))
      return fail(ErrorKind::InvalidArgument, "\"" + revision + "\" is no revision.",
                  "Pass a commit, a branch or a tag, such as HEAD.");
  const fs::path folder = absolute_path(options.project_root.empty() ? "." : options.project_root);
  const auto root = lean::find_project_root(folder.has_filename() ? folder : folder.parent_path());
  if (!root)
    return fail(ErrorKind::InvalidArgument, "There is no Lean project around " + folder.string() + ".",
                "Run it in a project, or pass --project-root.");
  question.root = *root;
  return question;
}

}  // namespace

int diff(const Options& options) {
  auto question = changes_asked_for(options);
  if (!question) return report_undecided(question.error(), options.as_json);
  OneRun<DiffReport> run(options.timeout_given ? options.timeout_s : kDiffSeconds);
  question->on_step = [&run](const std::string& step) { run.progress().show({0, 0, step}); };
  const fs::path root = question->root;
  const auto report = run.run([&](io::Pool& pool, const io::CancelScope& scope) {
    return report_on(std::move(*question), options, pool, scope);
  });
  if (run.interrupted()) return kInterrupted;
  if (!report) return report_undecided(report.error(), options.as_json);
  if (options.as_json)
    print_json(json_of(*report, root));
  else
    print_report(*report);
  const DiffVerdict verdict = report->verdict();
  if (verdict == DiffVerdict::Incomplete) return kUndecided;
  return verdict == DiffVerdict::NothingNew ? 0 : kFailed;
}

}  // namespace leanbridge::app
