#include "leanbridge/tools/batch_examiners.hpp"

#include "leanbridge/text/lean_declarations.hpp"

#include "hidden_sorries.hpp"
#include "symbols.hpp"

#include <algorithm>

namespace leanbridge::tools {

using batch::Scrutiny;

namespace {

TextOfFile text_of(const std::shared_ptr<document::DocumentStore>& project, const batch::Item& item) {
  return {project, item.file.empty() ? project->root() / "code" : item.file, item.text};
}

// What the compiled text shows where messages do not suffice.
Scrutiny scrutiny_of(const HiddenSorries& hidden, const std::string& text) {
  Scrutiny scrutiny;
  scrutiny.commands_suffice = hidden.messages_suffice;
  if (hidden.messages_suffice) return scrutiny;
  const auto& constants = hidden.constants;
  const auto sorry =
      std::find_if(constants.begin(), constants.end(),
                   [](const index::CompiledConstant& constant) { return constant.uses_sorry; });
  if (hidden.unknown.empty() && sorry != constants.end()) {
    scrutiny.finding = Scrutiny::Finding::Sorry;
    scrutiny.reason = sorry->name + " contains a sorry, which Lean did not report: " + hidden.because + ".";
    return scrutiny;
  }
  const auto sites = text::declarations(text);
  const bool has_example = std::any_of(sites.begin(), sites.end(), [](const text::DeclarationSite& site) {
    return site.keyword == "example";
  });
  if (hidden.unknown.empty() && !has_example) return scrutiny;
  scrutiny.finding = Scrutiny::Finding::Unknown;
  scrutiny.reason = hidden.why_unknown();
  scrutiny.timed_out = hidden.timed_out;
  return scrutiny;
}

asio::awaitable<Result<Scrutiny>> scrutinise(Environment& environment, document::DocumentHandle document,
                                             batch::Item item, io::CancelScope scope) {
  if (const auto exit = text::find_exit(item.text))
    co_return Scrutiny{Scrutiny::Finding::Unknown, not_checked_below(*exit), false, false};
  CO_TRY(const HiddenSorries hidden,
         co_await hidden_sorries(environment, text_of(document.store(), item), scope));
  Scrutiny scrutiny = scrutiny_of(hidden, item.text);
  if (scrutiny.finding != Scrutiny::Finding::Nothing) co_return scrutiny;
  CO_TRY(const auto unannounced, co_await unannounced_theorems(std::move(document), scope));
  if (unannounced.empty()) co_return scrutiny;
  scrutiny.finding = Scrutiny::Finding::Unknown;
  scrutiny.reason = unannounced_reason(unannounced.front());
  co_return scrutiny;
}

asio::awaitable<Result<batch::Examiners::Axioms>> compiled_axioms(
    Environment& environment, std::shared_ptr<document::DocumentStore> project, batch::Item item,
    io::CancelScope scope) {
  TextOfFile of = text_of(project, item);
  const auto written = text::find_declarations(item.text, item.theorem);
  const std::string name = written.size() == 1 ? written.front().full_name : item.theorem;
  CO_TRY(auto found, co_await scan_sources(environment, of, scope));
  if (found.unchecked) co_return batch::Examiners::Axioms{std::nullopt, unchecked_reason(*found.unchecked)};
  CO_TRY(const auto module,
         co_await compile_module(environment, std::move(of), std::move(found.read), name, scope));
  batch::Examiners::Axioms axioms;
  if (!module.why_not.empty())
    axioms.why_not = module.why_not;
  else if (!module.foundation)
    axioms.why_not = "The compiled text has no " + name + ".";
  else if (!module.foundation->without_proof.empty())
    axioms.why_not = "What " + module.foundation->without_proof.front() +
                     " depends on is unknown: this library was installed without proofs.";
  else
    axioms.names = module.foundation->axioms;
  co_return axioms;
}

}  // namespace

batch::Examiners batch_examiners(Environment& environment) {
  batch::Examiners examiners;
  examiners.scrutinise = [&environment](document::DocumentHandle document, batch::Item item,
                                        io::CancelScope scope) {
    return scrutinise(environment, std::move(document), std::move(item), std::move(scope));
  };
  examiners.compiled_axioms = [&environment](std::shared_ptr<document::DocumentStore> project,
                                             batch::Item item, io::CancelScope scope) {
    return compiled_axioms(environment, std::move(project), std::move(item), std::move(scope));
  };
  return examiners;
}

}  // namespace leanbridge::tools
