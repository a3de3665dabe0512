#include "lemma_extraction.hpp"

#include "core/lean/sorries.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/text/lean_quoting.hpp"
#include "core/text/missing_proofs.hpp"
#include "core/text/proof_part.hpp"
#include "core/text/utf8.hpp"
#include "scratch_query.hpp"

#include <algorithm>

namespace leanbridge::ide {

namespace {

// Lean cannot always read back its own default printing: each entry prints more.
constexpr std::string_view kPrinting[] = {
    "",
    "set_option pp.numericTypes true in\nset_option pp.funBinderTypes true in\n"
    "set_option pp.structureInstanceTypes true in\nset_option pp.proofs true in\n"
    "set_option pp.deepTerms true in\nset_option pp.fullNames true in\n",
    "set_option pp.explicit true in\nset_option pp.funBinderTypes true in\nset_option pp.proofs true in\n"
    "set_option pp.deepTerms true in\nset_option pp.fullNames true in\n"};
constexpr std::string_view kProbe = "leanbridge proposition ";
constexpr int kMaxLemmaRounds = 4;  // rounds of removing hypotheses: a hypothesis may be needed only by
                                    // another

bool has_metavariable(const std::string& text) {
  for (std::size_t at = 0; (at = text.find('?', at)) != std::string::npos; ++at)
    if (at + 1 < text.size() &&
        (text[at + 1] == '_' || std::isalpha(static_cast<unsigned char>(text[at + 1])) != 0) &&
        (at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0))
      return true;
  return false;
}

std::string first_message(const WriteProofResult& tried) {
  return tried.messages.diagnostics.empty() ? "" : " " + tried.messages.diagnostics.front().message;
}

// The lemma's name, if the caller does not give one.
std::string free_name(std::string_view source, const std::string& declaration) {
  const auto declared = text::named_declarations(source);
  const auto is_taken = [&](const std::string& name) {
    return std::any_of(declared.begin(), declared.end(),
                       [&](const text::NamedDeclaration& each) { return each.site.name == name; });
  };
  std::string name = declaration + "_aux";
  for (int i = 2; is_taken(name); ++i) name = declaration + "_aux" + std::to_string(i);
  return name;
}

// The offset where the command begins whose declaration begins at `start`, including a preceding `open ...
// in` and the like. A lemma inserted between the two would separate them, which could change the statement.
std::size_t with_prefixes(const std::string& source, std::size_t start) {
  std::size_t first = start;  // start of the last line that does not continue a line ending with `in`
  bool is_in = false;         // whether the last token was `in`
  text::LeanLexer lexer(source);
  while (const auto token = lexer.next()) {
    if (token->begin >= start) break;
    if (text::is_comment(token->kind)) continue;
    const bool begins_line = token->begin == 0 || source[token->begin - 1] == '\n';
    const bool was_in = is_in;
    is_in = std::string_view(source).substr(token->begin, token->end - token->begin) == "in";
    if (begins_line && !was_in && !is_in) first = token->begin;
  }
  return is_in ? first : start;
}

}  // namespace

wire::Fields ExtractedLemma::fields() {
  return {wire::field<&ExtractedLemma::written>(),
          wire::field<&ExtractedLemma::lemma>(),
          wire::field<&ExtractedLemma::use>(),
          wire::field<&ExtractedLemma::uses_sorry>().omit_empty(),
          wire::field<&ExtractedLemma::start_line>(),
          wire::field<&ExtractedLemma::end_line>(),
          wire::field<&ExtractedLemma::new_text>().omit_empty()};
}

asio::awaitable<Result<ExtractedLemma>> LemmaExtraction::run(bool write) {
  CO_TRY(const auto known, co_await file_.wait_until_done(operation_->scope));
  if (known != document::WaitOutcome::Complete)
    co_return fail(ErrorKind::Timeout, "Lean did not finish the file in time.", "Pass a longer timeout_s.");
  text_ = file_.text();
  source_ = text_.str();
  CO_TRY(what_, find_place());
  std::string why;  // the objection to the plainest form that Lean does not accept
  for (const std::string_view printing : kPrinting) {
    CO_TRY(const StructuredGoal goal, co_await goal_as(printing));
    if (has_metavariable(goal.pretty))
      co_return fail(ErrorKind::NotSupported, "The goal has metavariables, which a lemma cannot have.",
                     "Extract where they are known.");
    statement_ = lemma_statement(goal, source_.substr(0, what_.command));
    if (what_.is_sorry) CO_CHECK(co_await drop_data());
    CO_TRY(auto tried, co_await try_write(true));
    if (file_.text().str() != source_) co_return changed_meanwhile(file_.document().name);
    if (tried.reason && why.empty()) why = *tried.reason + first_message(tried);
    if (tried.reason && tried.trial.timed_out)
      co_return fail(ErrorKind::Timeout, "Lean did not finish the file in time.",
                     "Nothing is written; pass a longer timeout_s.");
    if (tried.reason) continue;
    if (!what_.is_sorry) CO_CHECK(co_await drop_unused(std::move(tried.unused)));
    co_return co_await finish(write);
  }
  co_return fail(ErrorKind::NotSupported, "Lean does not accept the lemma as it prints the goal: " + why,
                 "Nothing is written; state it yourself with lean_write_proof.");
}

Result<LemmaExtraction::Place> LemmaExtraction::find_place() const {
  TRY(const std::size_t offset, offset_of(file_, at_.line, at_.column, ColumnDefault::FirstNonBlank));
  const std::string& source = source_;
  const auto site = text::enclosing_declaration(source, offset);
  const auto nothing = [] {
    return fail(ErrorKind::InvalidArgument, "No tactic and no sorry begins here.",
                "Pass the line, and the column if it is not the first word, of a sorry or a tactic.");
  };
  if (!site) return nothing();
  Place found{*site, with_prefixes(source, command_start(source, site->start)), {}, 0, false, false, {}};
  for (const lean::SorryPlace& each : lean::find_sorries(text_, file_.document().state.diagnostics()))
    found.is_unproved |= each.offset >= site->start && each.offset < site->end;
  const std::size_t line_end = std::min(source.find('\n', offset), source.size());
  const auto sorries = fill_places(source);
  const auto sorry = std::find_if(sorries.begin(), sorries.end(), [&](const FillPlace& each) {
    return each.begin >= offset && each.begin < (at_.column ? offset + 1 : line_end);
  });
  text::ProofLayout layout;
  const auto part = text::proof_part(source, layout, offset, offset);
  if (sorry != sorries.end()) {
    found.proof = *sorry;
    found.is_sorry = true;
  } else if (part && part->before_tactic) {
    const std::size_t line = source.rfind('\n', offset) + 1;
    found.column = offset - line;
    const std::size_t code_points = text::count_code_points(source.substr(line, offset - line));
    found.proof = {offset, text::tactic_extent(source, offset, code_points).block, true, false, {}};
  } else {
    return nothing();
  }
  if (found.is_sorry && !found.is_unproved)
    return fail(ErrorKind::NotSupported, "Lean does not say that the declaration uses sorry.",
                "Write the lemma with lean_write_proof.");
  found.name = name_.value_or(site->name.empty() ? "" : free_name(source, site->name));
  if (!text::is_lean_name(found.name))
    return fail(
        ErrorKind::InvalidArgument,
        name_ ? "name is no name of a declaration." : "The declaration has no name to derive one from.",
        "Pass name, such as foo_aux.");
  if (found.command > 0 && source[found.command - 1] != '\n')
    return fail(ErrorKind::NotSupported, "The declaration does not begin a line.", "Put it on its own line.");
  return found;
}

asio::awaitable<Result<HeldTrial>> LemmaExtraction::elaborate(std::string text) {
  CO_TRY(auto trial, co_await elaborate_and_hold(operation_, file_, std::move(text), operation_->scope));
  if (trial.header_failed)
    co_return fail(ErrorKind::LeanUnavailable, imports_not_loaded(trial),
                   "Fix the header or the imported file that it names, then call again.");
  co_return trial;
}

// The only goal in the place.
asio::awaitable<Result<StructuredGoal>> LemmaExtraction::goal_as(std::string_view printing) {
  std::string text = source_.substr(0, what_.site.start) + std::string(printing);
  text += source_.substr(what_.site.start, what_.proof.begin - what_.site.start);
  const std::size_t at = text.size() + (what_.proof.is_tactic ? 1 : 4);
  text += what_.proof.is_tactic ? "(skip; sorry)" : "(by skip; sorry)";
  text += source_.substr(what_.proof.end, what_.site.end - what_.proof.end);
  CO_TRY(const auto trial, co_await elaborate(std::move(text)));
  const auto handle = trial.scratch->handle();
  CO_TRY(const auto goals,
         co_await goals_at(handle, handle.anchor(at), GoalFormat::Structured, operation_->scope));
  if (!trial.complete && goals.goals.empty())
    co_return fail(ErrorKind::Timeout, "Lean did not get to the place in time.", "Pass a longer timeout_s.");
  if (goals.goals.size() != 1)
    co_return fail(ErrorKind::InvalidArgument,
                   goals.goals.empty() ? "Lean has no goal here."
                                       : "There are " + std::to_string(goals.goals.size()) + " goals here.",
                   "Point at a sorry or a tactic with one goal, such as the first behind `·`.");
  co_return std::get<StructuredGoal>(goals.goals.front());
}

// Drops hypotheses that are data and that neither the goal nor a remaining hypothesis mentions: a proof
// does not need them.
asio::awaitable<Result<void>> LemmaExtraction::drop_data() {
  auto& binders = statement_.binders;
  const auto may_go = [](const LemmaBinder& each) {
    return !each.is_mentioned && each.kind == LemmaBinder::Kind::Explicit;
  };
  if (std::none_of(binders.begin(), binders.end(), may_go)) co_return Result<void>();
  LemmaStatement probe = statement_;
  probe.goal = "True";
  std::string text = source_.substr(0, what_.command) + lemma_header("leanbridge_probe", probe) + " := by\n";
  for (std::size_t i = 0; i < binders.size(); ++i)
    if (may_go(binders[i]))
      text += "  first | (have _p : Prop := (" + binders[i].type + "); trace \"" + std::string(kProbe) +
              std::to_string(i) + ";\") | skip\n";
  text += "  trivial\n";
  CO_TRY(const auto trial, co_await elaborate(std::move(text)));
  std::string said;
  for (const lean::Diagnostic& each : trial.diagnostics) said += each.message + "\n";
  if (said.find(kProbe) == std::string::npos)
    co_return Result<void>();  // Lean cannot read the probe, or all hypotheses are data
  for (std::size_t i = binders.size(); i-- > 0;) {
    const auto at = binders.begin() + static_cast<std::ptrdiff_t>(i);
    const bool is_proposition = said.find(std::string(kProbe) + std::to_string(i) + ";") != std::string::npos;
    const bool is_mentioned_below = std::any_of(
        at + 1, binders.end(), [&](const LemmaBinder& each) { return mentions(each.type, at->name); });
    if (may_go(*at) && !is_proposition && !is_mentioned_below) binders.erase(at);
  }
  co_return Result<void>();
}

// Drops hypotheses that the proof does not use, according to Lean's linter, as long as the result is
// accepted.
asio::awaitable<Result<void>> LemmaExtraction::drop_unused(std::vector<std::string> unused) {
  for (int round = 0; round < kMaxLemmaRounds; ++round) {
    const LemmaStatement before = statement_;
    std::erase_if(statement_.binders, [&](const LemmaBinder& each) {
      return !each.is_mentioned && each.kind == LemmaBinder::Kind::Explicit &&
             std::count(unused.begin(), unused.end(), each.name) > 0;
    });
    if (statement_.binders.size() == before.binders.size()) break;
    CO_TRY(auto again, co_await try_write(true));
    unused = std::move(again.unused);
    if (!again.reason) continue;
    statement_ = before;
    break;
  }
  co_return Result<void>();
}

std::string LemmaExtraction::lemma() const {
  const std::string_view moved =
      std::string_view(source_).substr(what_.proof.begin, what_.proof.end - what_.proof.begin);
  return lemma_header(what_.name, statement_) + " := by\n" +
         (what_.is_sorry ? "  sorry" : moved_block(moved, what_.column));
}

std::string LemmaExtraction::use() const {
  const std::string use = lemma_use(what_.name, statement_);
  if (what_.proof.is_tactic) return "exact " + use;
  return what_.proof.after_assignment || use == what_.name ? use : "(" + use + ")";
}

ProofEdit LemmaExtraction::edit() const {
  const std::size_t end = std::min(source_.find('\n', what_.proof.end), source_.size());
  return {text_.position_at(what_.command).line, text_.position_at(what_.proof.end).line,
          lemma() + "\n\n" + source_.substr(what_.command, what_.proof.begin - what_.command) + use() +
              source_.substr(what_.proof.end, end - what_.proof.end) + "\n",
          source_.substr(what_.command, end - what_.command)};
}

asio::awaitable<Result<WriteProofResult>> LemmaExtraction::try_write(bool dry_run) {
  WriteProofParams change{at_.file_path, {edit()}};
  change.allow_sorry = what_.is_unproved;  // what Lean believes to be proved must stay so
  change.dry_run = dry_run;
  return write_proof(environment_, operation_, std::move(change));
}

asio::awaitable<Result<ExtractedLemma>> LemmaExtraction::finish(bool write) {
  ProofEdit edit = this->edit();
  ExtractedLemma result{false, lemma(), use(), false, edit.start_line, edit.end_line, {}};
  result.uses_sorry = text::find_missing_proof(result.lemma).has_value();
  if (!write) {
    result.new_text = std::move(edit.new_text);
    co_return result;
  }
  CO_TRY(const auto written, co_await try_write(false));
  if (!written.written)
    co_return fail(ErrorKind::InvalidArgument, written.reason.value_or("The file was changed meanwhile."),
                   "Nothing is written; call again.");
  result.written = true;
  co_return result;
}

}  // namespace leanbridge::ide
