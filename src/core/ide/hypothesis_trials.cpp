#include "hypothesis_trials.hpp"

#include "core/text/lean_names.hpp"
#include "core/text/mutual_blocks.hpp"
#include "core/text/signature.hpp"
#include "hidden_sorries.hpp"
#include "scratch_elaboration.hpp"

#include <algorithm>

namespace leanbridge::ide {

wire::Names<HypothesisStatus> names_of(HypothesisStatus) {
  return {{HypothesisStatus::LoadBearing, "load-bearing"},
          {HypothesisStatus::Removable, "removable"},
          {HypothesisStatus::Error, "error"}};
}

namespace {

std::string first_line_of(const std::string& message) {
  return message.substr(0, message.find('\n'));
}

// "line 7: unknown identifier": the first thing that breaks. "unsolved goals", reported where the proof
// begins, only follows from it.
std::string first_of(const Messages& found) {
  const Messages telling = found.where([](const auto& each) { return each.lean_tags.empty(); });
  const lean::Diagnostic& first = *(telling.any() ? telling : found).earliest();
  return "line " + std::to_string(found.text().position_at(first.range.start).line) + ": " +
         first_line_of(first.message);
}

// The first part of the statement that mentions the name of a binder: `(h : p)`, or the conclusion.
std::string where_mentioned(const std::string& source, const text::Signature& signature,
                            const text::Binder& binder, const std::string& name) {
  for (const text::Binder& other : signature.binders)
    if (other.begin >= binder.end && text::mentions(source, other.begin, other.end, name))
      return "`" + source.substr(other.begin, other.end - other.begin) + "`";
  return "its conclusion";
}

struct HypothesisTrials {
  Lean& lean;
  std::shared_ptr<io::Operation> operation;
  const OpenFile& file;
  const text::DeclarationSite site;
  const io::Clock::duration limit;
  const std::string source = file.text().str();
  const int first_line = file.text().position_at(site.start).line;
  HypothesisReport report = {};
  bool complete = true;  ///< no trial ran out of time

  asio::awaitable<Result<HypothesisReport>> run() {
    CO_TRY(const std::string wrong, co_await why_unproved());
    const text::Signature signature = text::signature_of(source, site);
    for (const text::Binder& binder : signature.binders) {
      if (binder.kind != text::BinderKind::Explicit) {
        ++report.skipped_implicit;
        continue;
      }
      for (std::size_t i = 0; i < binder.names.size(); ++i) {
        const std::string& name = binder.names[i].name;
        HypothesisVerdict verdict;
        verdict.detail = wrong;
        // With autoImplicit, Lean would bind the missing name itself.
        if (wrong.empty() && text::mentions(source, binder.end, signature.end, name)) {
          verdict.status = HypothesisStatus::LoadBearing;
          verdict.detail = "Not tried: the rest of the statement mentions it, in " +
                           where_mentioned(source, signature, binder, name) + ".";
        } else if (wrong.empty()) {
          CO_TRY(verdict, co_await try_without({binder, i}, signature.end));
        }
        const std::string type = binder.type.empty() ? "" : " : " + binder.type;
        report.verdicts.push_back({"(" + name + type + ")", name, binder.type, std::move(verdict)});
      }
    }
    report.status = status_of(file, late_if(!complete));
    co_return report;
  }

  /// One explicit hypothesis: a name in a binder.
  struct Hypothesis {
    const text::Binder& binder;
    std::size_t index;

    const std::string& name() const { return binder.names[index].name; }
  };

  // The error in the unchanged theorem, or why its success says nothing; empty: it is proved.
  asio::awaitable<Result<std::string>> why_unproved() {
    std::string unchanged = source.substr(0, site.end) + text::rest_of_block(source, site.keyword_offset);
    const auto trial = co_await elaborate_text(operation, file, std::move(unchanged), operation->scope);
    if (!trial) co_return tl::unexpected(trial.error());
    complete = trial->complete;
    std::string wrong = why_inconclusive(trial);
    const Messages found = objections(*trial);
    if (wrong.empty() && found.any())
      wrong = found.first()->is_error() ? first_line_of(found.first()->message) : "The proof uses sorry.";
    if (!wrong.empty()) co_return "The theorem itself is not proved: " + wrong;
    TextOfFile whole{file.store(), file.document().path, source};
    CO_TRY(const auto silencer, co_await find_silencer(lean, std::move(whole), operation->scope));
    co_return silencer
        ? "A successful proof means nothing here: Lean may not report sorry (" + *silencer + ")."
        : std::string();
  }

  // Tries a text that ends with the theorem, and with the end of its block. A proof does not depend on the
  // text below. A worker that crashes or takes too long is an inconclusive trial.
  asio::awaitable<Result<Trial>> try_cut(std::string theorem) {
    theorem += text::rest_of_block(source, site.keyword_offset);
    return elaborate_text(operation, file, std::move(theorem), operation->scope.with_timeout(limit));
  }

  // Tries the theorem without the hypothesis, and then whichever trial follows from the result.
  asio::awaitable<Result<HypothesisVerdict>> try_without(Hypothesis hypothesis, std::size_t proof) {
    std::string shorter = text::without_name(source, hypothesis.binder, hypothesis.index);
    const auto trial = co_await try_cut(shorter.substr(0, shorter.size() - (source.size() - site.end)));
    if (!trial && trial.error().kind != ErrorKind::WorkerCrashed && trial.error().kind != ErrorKind::Timeout)
      co_return tl::unexpected(trial.error());
    HypothesisVerdict verdict;
    verdict.detail = why_inconclusive(trial);
    if (!verdict.detail.empty()) {
      complete = complete && trial && trial->complete;
      co_return verdict;
    }
    const Messages found = objections(*trial);
    if (!found.any()) co_return co_await try_below(std::move(shorter));
    verdict.status = HypothesisStatus::LoadBearing;
    verdict.detail = "The proof breaks without it.";
    verdict.tried.push_back("Without it: " + first_of(found));
    verdict.breaks = list_of(found).items;
    if (!text::mentions(source, proof, site.end, hypothesis.name())) co_return verdict;
    co_return co_await try_name_alone(hypothesis, std::move(verdict));
  }

  // The proof works without the hypothesis: tries the whole file without it.
  asio::awaitable<Result<HypothesisVerdict>> try_below(std::string shorter) {
    HypothesisVerdict verdict{HypothesisStatus::Removable, "The proof works without it.", {}, {}};
    verdict.tried.emplace_back("Without it: the proof works.");
    if (!is_named_below()) co_return verdict;

    const io::CancelScope scope = operation->scope.with_timeout(limit);
    CO_TRY(const auto known, co_await file.wait_until_done(scope));
    const auto trial = co_await elaborate_text(operation, file, std::move(shorter), scope);
    if (!trial && trial.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(trial.error());
    const std::string why_not = known == document::WaitOutcome::Partial
                                    ? "Lean did not finish the file in time."
                                    : why_inconclusive(trial);
    if (!why_not.empty()) {
      complete = false;
      verdict.status = HypothesisStatus::Error;
      verdict.detail = "The proof works without it; whether the rest of the file does is unknown: " + why_not;
      co_return verdict;
    }
    verdict.breaks = new_errors(*trial);
    verdict.tried.push_back("The code below, without it: " +
                            (verdict.breaks.empty()
                                 ? std::string("works.")
                                 : "line " + std::to_string(verdict.breaks.front().line) + ": " +
                                       first_line_of(verdict.breaks.front().message)));
    if (!verdict.breaks.empty()) {
      verdict.status = HypothesisStatus::LoadBearing;
      verdict.detail = "The proof works without it, but code below uses it.";
    }
    co_return verdict;
  }

  // The proof breaks without the hypothesis, but merely because it uses the name. Tries whether the proof
  // needs its content: with `True` in its place, the name still exists.
  asio::awaitable<Result<HypothesisVerdict>> try_name_alone(Hypothesis hypothesis,
                                                            HypothesisVerdict verdict) {
    const std::string bound = "`(" + hypothesis.name() + " : True)`";
    const auto trial = co_await try_cut(
        text::with_type(source.substr(0, site.end), hypothesis.binder, hypothesis.index, "True"));
    if (!trial && trial.error().kind != ErrorKind::WorkerCrashed && trial.error().kind != ErrorKind::Timeout)
      co_return tl::unexpected(trial.error());
    if (const std::string why_not = why_inconclusive(trial); !why_not.empty()) {
      complete = complete && trial && trial->complete;
      verdict.status = HypothesisStatus::Error;
      verdict.detail =
          "The proof names it; whether it needs it is unknown: with " + bound + " in its place, " + why_not;
      co_return verdict;
    }
    const Messages found = objections(*trial);
    if (found.any()) {
      verdict.tried.push_back("With " + bound + " in its place: " + first_of(found));
      co_return verdict;
    }
    verdict.tried.push_back("With " + bound + " in its place: the proof works.");
    verdict.status = HypothesisStatus::Removable;
    verdict.detail = "The proof only names it: with " + bound +
                     " in its place it works. To remove it, remove its name from the proof too (see breaks).";
    if (is_named_below()) verdict.detail += " The code below was not tried.";
    co_return verdict;
  }

  // Why a trial does not tell anything about the declaration; empty: it does.
  std::string why_inconclusive(const Result<Trial>& trial) const {
    if (!trial) return trial.error().message;
    if (!trial->complete) return "Lean did not finish it in time.";
    if (trial->header_failed) return imports_not_loaded(*trial);
    for (const Symbol& symbol : trial->unannounced)
      if (trial->text.position_at(symbol.end).line >= first_line) return unannounced_reason(symbol);
    return {};
  }

  Messages objections(const Trial& trial) const {
    return trial.messages().objections().from_line(first_line);
  }

  // Errors that the unchanged file does not have. Compares the text of lines, not their numbers: removing a
  // hypothesis may remove a line.
  std::vector<DiagnosticItem> new_errors(const Trial& trial) const {
    const auto told = [](const text::Text& text, const lean::Diagnostic& diagnostic) {
      return std::pair(std::string(text.line(text.line_at(text.offset_at(diagnostic.range.start)))),
                       diagnostic.message);
    };
    std::vector<std::pair<std::string, std::string>> old;
    for (const auto* each : Messages(file.state()).objections().from_line(first_line).list())
      old.push_back(told(file.text(), *each));
    const auto is_fresh = [&](const lean::Diagnostic& each) {
      return std::ranges::find(old, told(trial.text, each)) == old.end();
    };
    return list_of(objections(trial).where(is_fresh)).items;
  }

  // Whether something below the theorem names it, and so may pass the hypothesis.
  bool is_named_below() const {
    return source.find(text::last_part(site.name), site.end) != std::string::npos;
  }
};

}  // namespace

asio::awaitable<Result<HypothesisReport>> try_hypotheses(Lean& lean, std::shared_ptr<io::Operation> operation,
                                                         std::string file_path, std::string theorem_name,
                                                         io::Clock::duration each) {
  CO_TRY(const OpenFile file, co_await open_file(lean, operation, std::move(file_path)));
  CO_TRY(auto declaration, declaration_named(file.text(), theorem_name, file.document().name));
  HypothesisTrials trials{lean, std::move(operation), file, std::move(declaration.site), each};
  trials.report.theorem_name = declaration.full_name;
  trials.report.file = file.document().name;
  co_return co_await trials.run();
}

}  // namespace leanbridge::ide
