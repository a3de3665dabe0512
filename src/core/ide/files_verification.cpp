#include "files_verification.hpp"

#include "core/base/counted.hpp"
#include "core/base/json.hpp"
#include "core/document/file.hpp"
#include "core/lean/project.hpp"
#include "core/lean/sorries.hpp"
#include "core/text/lean_names.hpp"
#include "core/text/missing_proofs.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

namespace leanbridge::ide {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kWithoutProofs = " rests on is unknown: its library was installed without proofs.";

// The part of a reason that others have, too, about other declarations.
std::string cause_of(const std::string& reason) {
  return reason.ends_with(kWithoutProofs) ? kWithoutProofs : reason;
}

}  // namespace

std::vector<VerifyException> one_for_each_reason(std::vector<VerifyException> exceptions) {
  constexpr std::size_t kAlsoShown = 5;
  std::vector<VerifyException> ones;
  std::map<std::tuple<std::string, std::vector<std::string>, bool>, std::size_t> known;
  for (VerifyException& each : exceptions) {
    const auto [at, is_new] = known.emplace(
        std::tuple(cause_of(each.reason.value_or("")), each.axioms, each.own_sorry), ones.size());
    if (is_new) {
      ones.push_back(std::move(each));
      continue;
    }
    VerifyException& one = ones[at->second];
    one.count = one.count.value_or(1) + 1;
    if (!one.also) one.also.emplace();
    if (one.also->size() < kAlsoShown) {
      const std::string file = each.file_path == one.file_path ? "" : each.file_path + ":";
      one.also->push_back(each.declaration ? file + std::to_string(each.line) + " " + *each.declaration
                                           : each.file_path);
    }
  }
  const auto rank = [](const VerifyException& one) { return one.own_sorry ? 0 : one.axioms.empty() ? 2 : 1; };
  std::ranges::stable_sort(ones, {}, rank);
  return ones;
}

// --- one file

namespace {

/// The declaration that a constant was made for, with its line; the constant itself if none is known.
std::pair<std::string_view, int> owner_of(const olean::CompiledConstant& constant,
                                          const std::map<std::string_view, int>& lines) {
  const int line = static_cast<int>(constant.line);
  std::pair<std::string_view, int> owner = {constant.name, line};
  for (std::string_view name = constant.name; !name.empty(); name = text::namespace_of(name)) {
    const auto at = lines.find(name);
    if (at != lines.end() && (owner.second == 0 || at->second == owner.second)) owner = *at;
  }
  return owner;
}

// Finds the constant by its full name. A macro may have opened a namespace: then by the end of the name,
// among the constants in the declaration's lines.
const olean::CompiledConstant* constant_of(const CompiledModule& module, const text::Text& text,
                                           const text::NamedDeclaration& declared) {
  const int first = text.position_at(declared.site.start).line;
  const int last = text.position_at(declared.site.end - 1).line;
  const olean::CompiledConstant* found = nullptr;
  for (const olean::CompiledConstant& constant : module.constants) {
    if (constant.name == declared.full_name) return &constant;
    const int line = static_cast<int>(constant.line);
    if (first <= line && line <= last && constant.name.ends_with("." + declared.full_name)) found = &constant;
  }
  return found;
}

void join(VerifyException& of, const VerifyException& more) {
  if (more.declaration->size() < of.declaration->size()) of.declaration = more.declaration;
  std::set<std::string> axioms(of.axioms.begin(), of.axioms.end());
  axioms.insert(more.axioms.begin(), more.axioms.end());
  of.axioms.assign(axioms.begin(), axioms.end());
  of.own_sorry = of.own_sorry || more.own_sorry;
  if (!of.reason) of.reason = more.reason;
}

}  // namespace

void FileFindings::object(std::string reason, int line) {
  exceptions.push_back({.file_path = file_path, .line = line, .reason = std::move(reason)});
}

void FileFindings::read(const text::Text& text, const CompiledModule& module) {
  // They have its line, or its name before their own.
  std::map<std::string, std::size_t> by_declaration;
  std::map<std::string_view, int> lines;
  for (const olean::CompiledConstant& constant : module.constants)
    if (constant.line > 0) lines.emplace(constant.name, static_cast<int>(constant.line));
  for (std::size_t i = 0; i < module.constants.size(); ++i) {
    const olean::CompiledConstant& constant = module.constants[i];
    const auto [owner, line] = owner_of(constant, lines);
    VerifyException one{file_path, std::max(1, line), std::string(owner)};
    if (const auto beyond = module.beyond.find(i); beyond != module.beyond.end()) {
      for (const std::string& axiom : beyond->second.axioms)
        if (!lean::is_standard_axiom(axiom)) one.axioms.push_back(axiom);
      if (!beyond->second.without_proof.empty())
        one.reason = "What " + beyond->second.without_proof.front() + kWithoutProofs;
    }
    one.own_sorry = constant.uses_sorry;
    if (constant.is_unsafe) one.reason = "It is unsafe: the kernel did not check it.";
    if (constant.is_partial) one.reason = "It is partial: it may not terminate.";
    if (one.axioms.empty() && !one.own_sorry && !one.reason) continue;
    const std::string declaration = line > 0 ? std::to_string(line) : std::string(owner);
    const auto [at, is_new] = by_declaration.emplace(declaration, exceptions.size());
    if (is_new)
      exceptions.push_back(std::move(one));
    else
      join(exceptions[at->second], one);
  }
  // A macro may have replaced a theorem by something else, or by nothing. An example leaves no constant
  // behind, so only its words can be checked.
  const auto sorries = lean::sorry_words(text.str());
  for (const text::NamedDeclaration& declared : text::named_declarations(text.str())) {
    const text::DeclarationSite& site = declared.site;
    const int line = text.position_at(site.keyword_offset).line;
    ++declarations;
    const auto sorry = std::ranges::lower_bound(sorries, site.start);
    if (site.keyword == "example" && sorry != sorries.end() && *sorry < site.end)
      exceptions.push_back({.file_path = file_path,
                            .line = line,
                            .own_sorry = true,
                            .reason = "An example has the word sorry."});
    if (!text::is_theorem_keyword(site.keyword)) continue;
    const auto* constant = constant_of(module, text, declared);
    std::string why =
        constant ? replaced_objection(site.keyword, constant->kind) : "The compiled file does not have it.";
    if (!why.empty()) exceptions.push_back({file_path, line, declared.full_name, {}, false, std::move(why)});
  }
}

namespace {

asio::awaitable<Result<FileFindings>> verify_file(Lean& lean, std::string path, io::CancelScope scope) {
  CO_TRY(const auto location, lean.workspace.locate(path));
  FileFindings found{location.path.lexically_relative(location.project->root()).string()};
  const auto load = [path = location.path, name = found.file_path] {
    return document::load_file(path, name, {});
  };
  CO_TRY(const auto file, co_await lean.pool.run(load, scope));
  TextOfFile whole{location.project, location.path, file.text->str()};
  CO_TRY(const auto sources, co_await scan_sources(lean, whole, scope));
  if (sources.unchecked) found.object(unchecked_reason(*sources.unchecked));
  if (const auto exit = text::find_exit(whole.text)) found.object(not_checked_below(*exit), *exit);
  if (sources.may_hide_example && (sources.silencer || text::find_doubt(whole.text)))
    found.object("It, or a file that it imports, may state an example that is not seen in its text.");
  whole.has_programs = sources.program.has_value();
  CO_TRY(const auto module, co_await compile_module(lean, std::move(whole), sources.read, {{}, true}, scope));
  if (!module.not_accepted.empty())
    found.object(unchecked_reason(*sources.program) + " " + module.not_accepted);
  if (module.why_not.empty()) {
    found.read(*file.text, module);
  } else if (io::Clock::now() >= scope.deadline) {
    found.object("It was not compiled by the call's deadline; pass a longer timeout_s.");
    found.timed_out = true;
  } else {
    found.object(module.why_not);
  }
  std::ranges::stable_sort(found.exceptions, {}, &VerifyException::line);
  co_return found;
}

// --- the baseline: an earlier answer

struct KnownException {
  std::set<std::string> axioms;
  std::string reason;
};
using Baseline = std::multimap<std::pair<std::string, std::string>, KnownException>;

// "LINE NAME" or "FILE:LINE NAME" of `also`; nullopt: it is about a whole file.
std::optional<std::pair<std::string, std::string>> exception_in(const std::string& text,
                                                                const std::string& file) {
  constexpr std::string_view kLean = ".lean:";
  const std::size_t end = text.find(kLean);
  const std::size_t line = end == std::string::npos ? 0 : end + kLean.size();
  const std::size_t space = text.find_first_not_of("0123456789", line);
  if (space == std::string::npos || text[space] != ' ') return std::nullopt;
  return std::pair{line == 0 ? file : text.substr(0, line - 1), text.substr(space + 1)};
}

Result<Baseline> read_baseline(const std::string& text, const std::string& name) {
  const json answer = json::parse(text, nullptr, false);
  const json& exceptions = member(answer, "exceptions");
  if (!exceptions.is_array())
    return fail(ErrorKind::InvalidArgument, name + " is no answer of lean_verify: it has no exceptions.",
                "Save the JSON of an earlier call about the same files.");
  Baseline baseline;
  for (const json& each : exceptions) {
    KnownException known{{}, cause_of(text_member(each, "reason"))};
    for (const json& axiom : member(each, "axioms"))
      if (axiom.is_string()) known.axioms.insert(axiom.get<std::string>());
    const json& also = member(each, "also");
    const json& count = member(each, "count");
    if (count.is_number_unsigned() && count.get<std::size_t>() > 1 + also.size())
      return fail(ErrorKind::InvalidArgument, name + " has only the first of its exceptions.",
                  "Save an answer with verbose: true, which has all.");
    for (const json& one : also)
      if (one.is_string())
        if (const auto place = exception_in(one.get<std::string>(), text_member(each, "file_path")))
          baseline.emplace(*place, known);
    baseline.emplace(std::pair{text_member(each, "file_path"), text_member(each, "declaration")},
                     std::move(known));
  }
  return baseline;
}

asio::awaitable<Result<Baseline>> load_baseline(Lean& lean, std::string named, io::CancelScope scope) {
  CO_TRY(const auto project, lean.workspace.locate("."));
  const auto load = [root = project.path, named]() -> Result<Baseline> {
    std::error_code error;
    const fs::path path = fs::weakly_canonical(root / named, error);
    if (error || !lean::is_within(path, root))
      return fail(ErrorKind::OutsideProject, named + " is outside the project.", "Keep the baseline in it.");
    TRY(const std::string text, document::load_bytes(path, named));
    return read_baseline(text, named);
  };
  co_return co_await lean.pool.run(load, scope);
}

// A finding about a whole file may hide findings within it, so a baseline never covers it.
bool covers(const Baseline& baseline, const VerifyException& exception) {
  if (!exception.declaration) return false;
  const auto [begin, end] = baseline.equal_range({exception.file_path, *exception.declaration});
  return std::any_of(begin, end, [&](const auto& known) {
    return known.second.reason == cause_of(exception.reason.value_or("")) &&
           std::ranges::all_of(exception.axioms,
                               [&](const std::string& axiom) { return known.second.axioms.contains(axiom); });
  });
}

/// Whether an error concerns one file only: a link may lead out of the project, or nowhere.
bool is_about_one_file(ErrorKind kind) {
  return kind == ErrorKind::OutsideProject || kind == ErrorKind::FileNotFound ||
         kind == ErrorKind::InvalidArgument || kind == ErrorKind::NotALeanProject;
}

}  // namespace

asio::awaitable<Result<Verdict>> verify_files(Lean& lean, std::shared_ptr<io::Operation> operation,
                                              NamedFiles named, std::optional<std::string> baseline) {
  Baseline known;
  if (baseline) {
    CO_TRY(known, co_await load_baseline(lean, *baseline, operation->scope));
  }
  Verdict verdict;
  verdict.of_theorem = false;
  verdict.compiled = true;
  std::vector<VerifyException>& exceptions = verdict.exceptions.emplace();
  std::set<std::string> axioms;
  std::size_t declarations = 0, sorries = 0, done = 0;
  for (const std::string& path : named.paths) {
    operation->progress = [path, done, all = named.paths.size()]() -> std::optional<io::Progress> {
      return io::Progress{static_cast<double>(done), static_cast<double>(all), "compiling " + path};
    };
    auto file = co_await verify_file(lean, path, operation->scope);
    if (!file) {
      const bool is_late = file.error().kind == ErrorKind::Timeout;
      if (!is_late && !(named.several && is_about_one_file(file.error().kind)))
        co_return tl::unexpected(file.error());
      const std::string why = is_late ? "It was not verified by the call's deadline; pass a longer timeout_s."
                                      : "It was not verified: " + file.error().message;
      file = FileFindings{path};
      file->object(why);
      file->timed_out = is_late;
    }
    ++done;
    declarations += file->declarations;
    verdict.timed_out = verdict.timed_out || file->timed_out;
    for (VerifyException& each : file->exceptions) {
      axioms.insert(each.axioms.begin(), each.axioms.end());
      if (each.own_sorry || std::ranges::count(each.axioms, text::kSorryAxiom) > 0) ++sorries;
      if (covers(known, each))
        ++verdict.in_baseline;
      else
        exceptions.push_back(std::move(each));
    }
  }
  operation->progress = {};
  for (const NamedFiles::LeftOut& each : named.left_out)
    exceptions.push_back({.file_path = each.path, .reason = "It was not verified. " + each.why});
  const std::size_t all = exceptions.size() + verdict.in_baseline;
  verdict.trusted = all == 0 && !named.truncated;
  verdict.axioms = std::vector<std::string>(axioms.begin(), axioms.end());
  verdict.files = named.paths.size();
  verdict.declarations = declarations;
  const std::string where =
      " in " + counted(named.paths.size(), "file") + " with " + counted(declarations, "declaration") + ".";
  verdict.reason = all == 0
                       ? "No sorry, and no axiom beyond propext, Classical.choice and Quot.sound" + where
                       : counted(all, "exception") + ", " + std::to_string(sorries) + " by sorry" + where;
  if (named.truncated) *verdict.reason += " The folder has more files than were verified.";
  if (baseline) verdict.as_baseline = exceptions.empty() && !named.truncated;
  if (verdict.timed_out) verdict.partial = true;
  co_return verdict;
}

}  // namespace leanbridge::ide
