#include "lemma_extraction.hpp"

#include "core/lean/sorries.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/text/lean_names.hpp"
#include "core/text/lean_quoting.hpp"
#include "core/text/missing_proofs.hpp"
#include "core/text/proof_part.hpp"
#include "core/text/utf8.hpp"
#include "scratch_query.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace leanbridge::ide {

// --- the text of a lemma

namespace {

constexpr std::string_view kInaccessible = "✝";
constexpr std::string_view kSuperscripts[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

// The end of the mark for inaccessible names (`✝` and a number) that may follow a name.
std::size_t end_of_mark(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with(kInaccessible)) return at;
  at += kInaccessible.size();
  for (bool more = true; more;) {
    more = false;
    for (const std::string_view digit : kSuperscripts)
      if (text.substr(at).starts_with(digit)) {
        at += digit.size();
        more = true;
      }
  }
  return at;
}

struct NameUse {
  std::size_t begin = 0, end = 0;
  std::string name;  ///< with its mark, without fields after it (`x.succ`)
};

std::vector<NameUse> names_in(std::string_view text) {
  std::vector<NameUse> uses;
  text::LeanLexer lexer(text);
  while (const auto token = lexer.next()) {
    if (token->kind != text::LeanTokenKind::Word) continue;
    const std::size_t marked = end_of_mark(text, token->end);
    std::string_view word = text.substr(token->begin, token->end - token->begin);
    std::size_t end = marked;
    if (marked == token->end) {
      word = text::parts_of(word).front();
      end = token->begin + word.size();
    }
    if (!word.empty())
      uses.push_back({token->begin, end, std::string(text.substr(token->begin, end - token->begin))});
  }
  return uses;
}

std::string renamed(std::string_view text, const std::map<std::string, std::string>& names) {
  std::string result;
  std::size_t copied = 0;
  for (const NameUse& use : names_in(text)) {
    const auto other = names.find(use.name);
    if (other == names.end()) continue;
    result += text.substr(copied, use.begin - copied);
    result += other->second;
    copied = use.end;
  }
  return result + std::string(text.substr(copied));
}

bool is_sort(std::string_view type) {
  return type.starts_with("Type") || type.starts_with("Sort");
}

// Indents lines deeper than the line of the declaration, wherever Lean broke them.
std::string indented(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += c;
    if (c == '\n') result += "    ";
  }
  return result;
}

// Adds the universe levels in `Type u`, `Sort (max u v)` and `foo.{u, v}`.
void add_levels(std::string_view text, std::vector<std::string>& levels) {
  const auto add = [&](const std::string& name) {
    if (name != "max" && name != "imax" && name != "_" && std::ranges::count(levels, name) == 0)
      levels.push_back(name);
  };
  const auto uses = names_in(text);
  for (std::size_t i = 0; i + 1 < uses.size(); ++i) {
    if (!is_sort(uses[i].name) || uses[i].name.size() != 4) continue;
    const std::string_view between = text.substr(uses[i].end, uses[i + 1].begin - uses[i].end);
    if (between == " ") add(uses[i + 1].name);
    if (between != " (") continue;
    const std::size_t close = text.find(')', uses[i].end);
    for (std::size_t k = i + 1; k < uses.size() && uses[k].begin < close; ++k) add(uses[k].name);
  }
  for (std::size_t at = 0; (at = text.find(".{", at)) != std::string_view::npos; at += 2) {
    const std::size_t close = std::min(text.find('}', at), text.size());
    for (const NameUse& use : names_in(text.substr(at + 2, close - at - 2))) add(use.name);
  }
}

std::set<std::string> declared_levels(std::string_view source) {
  std::set<std::string> levels;
  for (std::size_t at = 0; (at = source.find("universe ", at)) != std::string_view::npos; at += 9) {
    if (at > 0 && source[at - 1] != '\n' && source[at - 1] != ' ') continue;
    const std::size_t end = std::min(source.find('\n', at), source.size());
    for (const NameUse& use : names_in(source.substr(at + 9, end - at - 9))) levels.insert(use.name);
  }
  return levels;
}

std::set<std::string> words_in(std::string_view text) {
  std::set<std::string> found;
  for (const NameUse& use : names_in(text)) found.insert(use.name);
  return found;
}

// New names in place of those that cannot be written.
std::map<std::string, std::string> written_names(const StructuredGoal& goal) {
  std::set<std::string> taken = words_in(goal.pretty);
  std::map<std::string, std::string> names;
  for (const Hypothesis& each : goal.context) {
    if (each.can_be_named()) continue;
    const std::string base = each.name.substr(0, each.name.find(kInaccessible));
    for (int i = 1; !names.contains(each.name); ++i)
      if (std::string name = base + "_" + std::to_string(i); taken.insert(name).second)
        names.emplace(each.name, std::move(name));
  }
  return names;
}

// The hypotheses of a goal, and those of them that a lemma about it needs.
class Binders {
 public:
  Binders(const StructuredGoal& goal, const std::map<std::string, std::string>& names)
      : of_goal_(words_in(renamed(goal.goal, names))), needed_(of_goal_) {
    for (const Hypothesis& each : goal.context) add(each, names);
    is_kept_.resize(all_.size());
  }

  // In the order of the goal.
  std::vector<LemmaBinder> needed() {
    keep_mentioned(true);
    while (keep_about_kept()) {
    }
    std::vector<LemmaBinder> kept;
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (is_kept_[i]) kept.push_back(as_used(i));
    return kept;
  }

 private:
  void add(const Hypothesis& each, const std::map<std::string, std::string>& names) {
    LemmaBinder binder;
    binder.name = renamed(each.name, names);
    binder.type = renamed(each.type, names);
    if (each.is_instance == true) binder.kind = LemmaBinder::Kind::Instance;
    if (binder.kind == LemmaBinder::Kind::Explicit) binder.argument = each.can_be_named() ? each.name : "?";
    const std::string name = binder.name;
    push(std::move(binder));
    if (!each.value) return;
    LemmaBinder equation;  // the value of a `let`
    equation.name = name + "_eq";
    equation.type = name + " = " + renamed(*each.value, names);
    equation.argument = "rfl";
    push(std::move(equation));
  }
  void push(LemmaBinder binder) {
    words_of_.push_back(words_in(binder.type));
    all_.push_back(std::move(binder));
  }

  // The type of a hypothesis mentions only hypotheses before it.
  void keep_mentioned(bool by_goal) {
    for (std::size_t i = all_.size(); i-- > 0;) {
      if (is_kept_[i] || !needed_.contains(all_[i].name)) continue;
      is_kept_[i] = true;
      all_[i].is_mentioned = by_goal;
      needed_.insert(words_of_[i].begin(), words_of_[i].end());
    }
  }

  // Keeps what says something about a kept hypothesis. False: there is nothing more.
  bool keep_about_kept() {
    bool grows = false;
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (is_kept_[i]) kept_.insert(all_[i].name);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const bool says_something =
          std::ranges::any_of(words_of_[i], [&](const std::string& name) { return kept_.contains(name); });
      if (is_kept_[i] || !says_something) continue;
      is_kept_[i] = grows = true;
      needed_.insert(words_of_[i].begin(), words_of_[i].end());
      keep_mentioned(false);
    }
    return grows;
  }

  LemmaBinder as_used(std::size_t i) const {
    LemmaBinder binder = all_[i];
    bool is_used_later = false;
    for (std::size_t k = i + 1; k < all_.size(); ++k)
      is_used_later = is_used_later || (is_kept_[k] && words_of_[k].contains(binder.name));
    const bool is_used = is_used_later || of_goal_.contains(binder.name);
    if (binder.argument == "?") binder.argument = is_used ? "_" : "(by assumption)";
    if (binder.kind == LemmaBinder::Kind::Instance && !is_used) binder.name.clear();
    if (is_sort(binder.type) && is_used_later) {
      binder.kind = LemmaBinder::Kind::Implicit;
      binder.argument.clear();
    }
    return binder;
  }

  const std::set<std::string> of_goal_;
  std::set<std::string> needed_, kept_;  // names
  std::vector<LemmaBinder> all_;
  std::vector<std::set<std::string>> words_of_;  // of their types
  std::vector<bool> is_kept_;
};

}  // namespace

LemmaStatement lemma_statement(const StructuredGoal& goal, std::string_view source) {
  const std::map<std::string, std::string> names = written_names(goal);
  LemmaStatement statement;
  statement.goal = renamed(goal.goal, names);
  statement.binders = Binders(goal, names).needed();
  std::vector<std::string> levels;
  for (const LemmaBinder& each : statement.binders) add_levels(each.type, levels);
  add_levels(statement.goal, levels);
  const auto declared = declared_levels(source);
  std::copy_if(levels.begin(), levels.end(), std::back_inserter(statement.levels),
               [&](const std::string& level) { return !declared.contains(level); });
  return statement;
}

std::string lemma_header(const std::string& name, const LemmaStatement& statement) {
  std::string text = "theorem " + name;
  for (std::size_t i = 0; i < statement.levels.size(); ++i)
    text += (i == 0 ? ".{" : ", ") + statement.levels[i] + (i + 1 == statement.levels.size() ? "}" : "");
  const auto& binders = statement.binders;
  for (std::size_t i = 0; i < binders.size(); ++i) {
    const LemmaBinder& each = binders[i];
    const bool continues = i > 0 && !each.name.empty() && each.kind != LemmaBinder::Kind::Instance &&
                           binders[i - 1].kind == each.kind && binders[i - 1].type == each.type;
    const bool ends = i + 1 == binders.size() || binders[i + 1].kind != each.kind ||
                      each.kind == LemmaBinder::Kind::Instance || binders[i + 1].type != each.type;
    constexpr std::string_view kOpen = "({[", kClose = ")}]";
    const auto bracket = static_cast<std::size_t>(each.kind);
    text += ' ';
    if (!continues) text += kOpen[bracket];
    text += each.name;
    if (!ends) continue;
    text += (each.name.empty() ? "" : " : ") + indented(each.type) + kClose[bracket];
  }
  return text + " :\n    " + indented(statement.goal);
}

std::string lemma_use(const std::string& name, const LemmaStatement& statement) {
  std::string text = name;
  for (const LemmaBinder& each : statement.binders)
    if (!each.argument.empty()) text += " " + each.argument;
  return text;
}

bool mentions(std::string_view text, const std::string& name) {
  const auto uses = names_in(text);
  return std::ranges::any_of(uses, [&](const NameUse& use) { return use.name == name; });
}

std::string moved_block(std::string_view block, std::size_t column) {
  constexpr std::size_t kIndent = 2;
  std::string text(kIndent, ' ');
  for (std::size_t at = 0; at < block.size();) {
    const std::size_t end = std::min(block.find('\n', at), block.size() - 1) + 1;
    std::string_view line = block.substr(at, end - at);
    if (at > 0 && line.find_first_not_of(" \n") != std::string_view::npos) {
      const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
      line.remove_prefix(std::min(blanks, column));
      text += std::string(kIndent, ' ');
    }
    text += line;
    at = end;
  }
  return text;
}

// --- a lemma that Lean accepts

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
  return tried.messages.items.empty() ? "" : " " + tried.messages.items.front().message;
}

// The lemma's name, if the caller does not give one.
std::string free_name(std::string_view source, const std::string& declaration) {
  const auto declared = text::named_declarations(source);
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::any_of(declared,
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
  const auto site = text::enclosing_declaration(source_, offset);
  const auto nothing = [] {
    return fail(ErrorKind::InvalidArgument, "No tactic and no sorry begins here.",
                "Pass the line, and the column if it is not the first word, of a sorry or a tactic.");
  };
  if (!site) return nothing();
  Place found{*site, with_prefixes(source_, command_start(source_, site->start)), {}, 0, false, false, {}};
  for (const lean::SorryPlace& each : lean::find_sorries(text_, file_.document().state.diagnostics()))
    found.is_unproved |= each.offset >= site->start && each.offset < site->end;
  const std::size_t line_end = std::min(source_.find('\n', offset), source_.size());
  const auto sorries = fill_places(source_);
  const auto sorry = std::ranges::find_if(sorries, [&](const FillPlace& each) {
    return each.begin >= offset && each.begin < (at_.column ? offset + 1 : line_end);
  });
  text::ProofLayout layout;
  const auto part = text::proof_part(source_, layout, offset, offset);
  if (sorry != sorries.end()) {
    found.proof = *sorry;
    found.is_sorry = true;
  } else if (part && part->before_tactic) {
    const std::size_t line = source_.rfind('\n', offset) + 1;
    found.column = offset - line;
    const std::size_t code_points = text::count_code_points(source_.substr(line, offset - line));
    found.proof = {offset, text::tactic_extent(source_, offset, code_points).block, true, false, {}};
  } else {
    return nothing();
  }
  if (found.is_sorry && !found.is_unproved)
    return fail(ErrorKind::NotSupported, "Lean does not say that the declaration uses sorry.",
                "Write the lemma with lean_write_proof.");
  found.name = name_.value_or(site->name.empty() ? "" : free_name(source_, site->name));
  if (!text::is_lean_name(found.name))
    return fail(
        ErrorKind::InvalidArgument,
        name_ ? "name is no name of a declaration." : "The declaration has no name to derive one from.",
        "Pass name, such as foo_aux.");
  if (found.command > 0 && source_[found.command - 1] != '\n')
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
  if (std::ranges::none_of(binders, may_go)) co_return Result<void>();
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
             std::ranges::count(unused, each.name) > 0;
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
  return write_proof(lean_, operation_, std::move(change));
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
