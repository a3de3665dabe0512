#include "statement_changes.hpp"

#include "core/base/try.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/text/lean_quoting.hpp"
#include "core/text/missing_proofs.hpp"
#include "core/text/proof_edits.hpp"
#include "core/text/silencers.hpp"
#include "core/text/statements.hpp"
#include "core/text/utf8.hpp"
#include "hidden_sorries.hpp"
#include "scratch_query.hpp"
#include "symbols.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace leanbridge::ide {

using olean::TypeChange;

namespace {

constexpr std::size_t kMaxChangesNamed = 3;
constexpr std::size_t kMaxTypeShown = 400;    // bytes
constexpr std::size_t kMaxNamesAsked = 1000;  // by `#check`
constexpr const char* kAllow = "; pass allow_statement_change if that is intended.";

// Prints types in full, independent of notations and options.
constexpr const char* kCheck =
    "set_option pp.all true in set_option pp.deepTerms true in set_option pp.maxSteps 10000000 in #check @";

std::string cut(const std::string& type) {
  const auto beginning = text::beginning_of(type, kMaxTypeShown);
  return std::string(beginning) + (beginning.size() < type.size() ? " […]" : "");
}

std::string described(const TypeChange& change) {
  switch (change.kind) {
    case TypeChange::Kind::Lost:
      return "lose " + change.name + (change.before.empty() ? "" : " `" + cut(change.before) + "`");
    case TypeChange::Kind::Demoted:
      return "make the theorem " + change.name + " one no more, but: " + change.after;
    case TypeChange::Kind::Assumed:
      return "assume the axiom " + change.name + (change.after.empty() ? "" : " `" + cut(change.after) + "`");
    case TypeChange::Kind::Changed:
      break;
  }
  if (change.before == change.after)
    return "change what " + change.name + " `" + cut(change.before) + "` means: it " + change.how;
  return "change " + change.name + " from `" + cut(change.before) + "` to `" + cut(change.after) + "`";
}

std::string as_objection(const std::vector<TypeChange>& changes) {
  return changes.empty() ? "" : "As Lean has it, it would " + describe(changes) + kAllow;
}

// --- the quick way

// A word that could answer or declare in Lean's place, as "FILE:LINE has WORD". An `#eval` that only prints
// could not.
asio::awaitable<Result<std::optional<std::string>>> program_in(Lean& lean, const FileEdit& edit,
                                                               std::string text, io::CancelScope scope) {
  const bool has_macro = text.find("macro") != std::string::npos || text.find("syntax") != std::string::npos;
  const bool only_prints = text::only_evaluates(text) && !has_macro;
  TextOfFile of{
      .project = edit.project, .path = edit.path, .text = std::move(text), .evaluates = only_prints};
  CO_TRY(auto found, co_await scan_sources(lean, std::move(of), scope));
  if (only_prints && !found.silencer) found.answers.reset();
  co_return std::move(found.answers);
}

// Whether Lean's outline has exactly one declaration where the edited proof is; nullopt: the outline has none
// there.
std::optional<bool> confirms(const std::vector<Symbol>& outline, const text::EditedProof& proof) {
  const auto found = std::ranges::find_if(outline, [&](const Symbol& symbol) {
    return symbol.from_lean && symbol.keyword != "namespace" && symbol.start == proof.begin;
  });
  return found == outline.end() ? std::nullopt : std::optional(found->end == proof.end);
}

asio::awaitable<Result<bool>> is_change_of_proofs(Lean& lean, const FileEdit& edit, HeldTrial* trial,
                                                  io::CancelScope scope) {
  const auto proofs = text::edited_proofs(edit.before, edit.after);
  if (!proofs) co_return false;
  if (proofs->empty()) co_return true;
  std::vector<Symbol> outline;
  if (trial) {
    const auto answer = co_await trial->scratch->handle().request("textDocument/documentSymbol", scope);
    if (!answer && answer.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(answer.error());
    outline = symbols_of(trial->text, answer.value_or(nlohmann::json()));
  }
  const auto is_sure = [&](const text::EditedProof& proof) {
    return confirms(outline, proof).value_or(proof.has_no_command_word);
  };
  if (!std::ranges::all_of(*proofs, is_sure)) co_return false;
  // A program of the project may turn any word into a command, or run in a proof and declare something.
  const auto program = co_await program_in(lean, edit, edit.after, scope);
  if (!program && program.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(program.error());
  co_return program && !*program;
}

// --- both texts compiled

// Tells lines in declarations of `source` that are not, word for word, in `other`.
std::function<bool(std::uint32_t)> edited_lines(const std::string& source, const std::string& other) {
  const text::Text text(source), others(other);
  const auto code = [](const text::Text& of, const Symbol& symbol) {
    return of.str().substr(symbol.start, symbol.end - symbol.start);
  };
  std::set<std::string> same;
  for (const Symbol& symbol : symbols_in(others)) same.insert(code(others, symbol));
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
  for (const Symbol& symbol : symbols_in(text))
    if (!same.contains(code(text, symbol)))
      ranges.emplace_back(text.position_at(symbol.start).line, text.position_at(symbol.end).line);
  return [ranges = std::move(ranges)](std::uint32_t line) {
    return std::ranges::any_of(
        ranges, [&](const auto& range) { return range.first <= line && line <= range.second; });
  };
}

Result<std::vector<TypeChange>> changes_between(const CompiledText& before, const CompiledText& after,
                                                const FileEdit& edit) {
  const auto open = [](const CompiledText& compiled, std::shared_ptr<const olean::ImportedModules> known) {
    return olean::ModuleSet::open(*compiled.files, compiled.files->path(), compiled.folders,
                                  std::move(known));
  };
  TRY(olean::ModuleSet old, open(before, nullptr));
  TRY(olean::ModuleSet now, open(after, old.imported()));
  return olean::type_changes(
      old, now, {edited_lines(edit.before, edit.after), edited_lines(edit.after, edit.before), {}});
}

/// How a text came out: compiled, or why not.
struct Outcome {
  std::shared_ptr<const CompiledText> compiled;
  std::string why_not;
};

asio::awaitable<Result<Outcome>> compile(Lean& lean, const FileEdit& edit, std::string text,
                                         io::CancelScope scope) {
  TextOfFile of{edit.project, edit.path, std::move(text)};
  auto read = co_await scan_sources(lean, of, scope);
  if (!read && read.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(read.error());
  if (!read) co_return Outcome{nullptr, read.error().message};
  CO_TRY(auto compilation, co_await compiled_text(lean, of, std::move(read->read), scope));
  if (!compilation.compiled) co_return Outcome{nullptr, std::move(compilation.why_not)};
  if (!compilation.compiled->files) co_return Outcome{nullptr, compilation.compiled->why_not};
  co_return Outcome{std::move(compilation.compiled), {}};
}

// --- a text with errors, which Lean does not compile: ask by `#check`

using Types = std::map<std::string, std::string>;

struct CheckedTypes {
  Types types;
  std::string why_not;  ///< why the types are not reliable
};

asio::awaitable<Result<CheckedTypes>> checked(Lean& lean, const FileEdit& edit, std::string text,
                                              std::vector<std::string> names, io::CancelScope scope) {
  CO_TRY(const auto program, co_await program_in(lean, edit, text, scope));
  if (program) co_return CheckedTypes{{}, *program + ", which may answer in its place"};
  std::vector<std::string> commands;
  for (const std::string& name : names) {
    const auto quoted = text::quote_name("_root_." + name);
    commands.push_back(kCheck + (quoted ? *quoted : "_root_." + name));
  }
  Context context;
  context.file = edit.path;
  context.text = text + (text.ends_with('\n') || text.empty() ? "" : "\n");
  const std::size_t end = context.text.size();
  CO_TRY(const auto asked, co_await ask_in_scratch(edit.project, std::move(context), commands, scope));
  const auto types = co_await checked_types(asked, scope);
  CheckedTypes checked;
  for (std::size_t i = 0; i < names.size(); ++i)
    // A printed type that contains an error is not a type.
    if (types[i] && types[i]->find(text::kSorryAxiom) == std::string::npos)
      checked.types.emplace(names[i], *types[i]);
  // A declaration that only Lean sees was not among the names in the question.
  CO_TRY(const auto outline, co_await asked->file().handle().request("textDocument/documentSymbol", scope));
  const std::vector<Symbol> own = symbols_in(asked->file().text());
  for (const Symbol& symbol : symbols_of(asked->file().text(), outline)) {
    const auto is_it = [&](const Symbol& known) { return known.start == symbol.start; };
    if (symbol.from_lean && symbol.keyword != "namespace" && symbol.start < end &&
        std::ranges::none_of(own, is_it))
      checked.why_not = "only Lean sees the declaration of " + symbol.name;
  }
  co_return checked;
}

std::vector<std::string> names_in(const FileEdit& edit) {
  std::vector<std::string> names = text::names_declared_in(edit.before);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (names.size() > kMaxNamesAsked) names.clear();
  return names;
}

// The words between declarations: commands that may change the meaning of declarations.
std::string other_words(const std::string& source) {
  std::string words;
  std::size_t at = 0;
  const auto add_up_to = [&](std::size_t end) {
    text::LeanLexer lexer(std::string_view(source).substr(at, end - at));
    while (const auto token = lexer.next())
      if (!text::is_remark(token->kind))
        words.append(source, at + token->begin, token->end - token->begin).append(1, '\n');
  };
  for (const text::DeclarationSite& site : text::declarations(source)) {
    add_up_to(site.start);
    at = site.end;
  }
  add_up_to(source.size());
  return words;
}

asio::awaitable<Result<std::string>> objection_by_check(Lean& lean, const FileEdit& edit,
                                                        const std::string& why_not_compiled,
                                                        io::CancelScope scope) {
  const auto unknown = [&](const std::string& why) {
    return "Whether it changes a statement is not known: " + why +
           " Mend the errors first, or pass allow_statement_change.";
  };
  const std::vector<std::string> names = names_in(edit);
  CO_TRY(const auto before, co_await checked(lean, edit, edit.before, names, scope));
  CO_TRY(const auto after, co_await checked(lean, edit, edit.after, names, scope));
  for (const CheckedTypes* each : {&before, &after})
    if (!each->why_not.empty())
      co_return unknown("it cannot be compiled (" + why_not_compiled + "), and " + each->why_not + ".");
  std::vector<TypeChange> changes;
  for (const std::string& name : names) {
    const auto old = before.types.find(name), now = after.types.find(name);
    if (old == before.types.end()) {
      if (now != after.types.end() && other_words(edit.before) != other_words(edit.after))
        co_return unknown("before it, Lean had no type of " + name + ".");
      continue;
    }
    if (now == after.types.end())
      changes.push_back({TypeChange::Kind::Lost, name, old->second, "", ""});
    else if (old->second != now->second)
      changes.push_back({TypeChange::Kind::Changed, name, old->second, now->second, ""});
  }
  co_return as_objection(changes);
}

}  // namespace

std::string describe(const std::vector<TypeChange>& changes) {
  std::string what;
  for (std::size_t i = 0; i < std::min(changes.size(), kMaxChangesNamed); ++i)
    what += (i > 0 ? ", " : "") + described(changes[i]);
  if (changes.size() > kMaxChangesNamed)
    what += ", and change " + std::to_string(changes.size() - kMaxChangesNamed) + " more";
  return what;
}

std::string objection_of_words(const FileEdit& edit) {
  const auto changes = text::statement_changes(edit.before, edit.after);
  if (changes.empty()) return {};
  std::string what;
  for (std::size_t i = 0; i < std::min(changes.size(), kMaxChangesNamed); ++i)
    what += (i > 0 ? ", " : "") + text::describe(changes[i]);
  if (changes.size() > kMaxChangesNamed)
    what += ", and change " + std::to_string(changes.size() - kMaxChangesNamed) + " more";
  return "It would " + what + kAllow;
}

asio::awaitable<Result<std::string>> statement_objection(Lean& lean, std::shared_ptr<io::Operation> call,
                                                         FileEdit edit, HeldTrial* trial,
                                                         io::CancelScope scope) {
  CO_TRY(const bool only_proofs, co_await is_change_of_proofs(lean, edit, trial, scope));
  if (only_proofs) co_return "";
  call->progress = [] { return io::Progress{0, 0, "comparing what the file states", "comparing"}; };
  Outcome after, before;
  if (trial && !trial->is_accepted())
    after.why_not = "it has errors";
  else {
    CO_TRY(after, co_await compile(lean, edit, edit.after, scope));
  }
  if (after.compiled) {
    CO_TRY(before, co_await compile(lean, edit, edit.before, scope));
  }
  if (!after.compiled || !before.compiled) {
    if (trial) trial->scratch.reset();  // compiling may need its scratch document
    co_return co_await objection_by_check(lean, edit, after.compiled ? before.why_not : after.why_not, scope);
  }
  const auto compare = [edit, before = before.compiled, after = after.compiled] {
    return changes_between(*before, *after, edit);
  };
  const auto changes = co_await lean.pool.run(compare, scope);
  if (!changes && changes.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(changes.error());
  if (!changes)
    co_return "Whether it changes a statement is not known: " + changes.error().message +
        " Pass allow_statement_change if that is intended.";
  co_return as_objection(*changes);
}

}  // namespace leanbridge::ide
