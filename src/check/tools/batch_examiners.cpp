#include "batch_examiners.hpp"

#include "core/ide/hidden_sorries.hpp"
#include "core/ide/symbols.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/tools/common/typed_tool.hpp"

#include <algorithm>
#include <set>

namespace leanbridge::tools {

using batch::Scrutiny;

namespace {

TextOfFile text_of(const std::shared_ptr<document::DocumentStore>& project, const batch::Item& item) {
  return {project, item.file.empty() ? project->root() / "code" : item.file, item.text};
}

// The findings in the compiled text, if messages do not suffice.
Scrutiny scrutiny_of(const HiddenSorries& hidden, const std::string& text) {
  Scrutiny scrutiny;
  scrutiny.commands_suffice = hidden.messages_suffice;
  if (hidden.messages_suffice) return scrutiny;
  const auto& constants = hidden.constants;
  const auto sorry = std::ranges::find_if(
      constants, [](const olean::CompiledConstant& constant) { return constant.uses_sorry; });
  if (hidden.unknown.empty() && sorry != constants.end()) {
    scrutiny.finding = Scrutiny::Finding::Sorry;
    scrutiny.reason = sorry->name + " contains a sorry, which Lean did not report: " + hidden.because + ".";
    return scrutiny;
  }
  const auto sites = text::declarations(text);
  const bool has_example =
      hidden.may_hide_example ||
      std::ranges::any_of(sites, [](const text::DeclarationSite& site) { return site.keyword == "example"; });
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
  if (scrutiny.commands_suffice)
    scrutiny.commands_suffice =
        co_await lists_all_axioms(environment, *document.store(), text::parse_lean_header(item.text), scope);
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
  const std::vector<std::string> names = batch::theorems_of(item);
  if (names.empty()) co_return batch::Examiners::Axioms{std::nullopt, "The text declares no theorem."};
  CO_TRY(auto found, co_await scan_sources(environment, of, scope));
  if (found.unchecked) co_return batch::Examiners::Axioms{std::nullopt, unchecked_reason(*found.unchecked)};
  if (item.theorem.empty() && found.silencer)
    co_return batch::Examiners::Axioms{
        std::nullopt,
        "The text could answer `#print axioms` in Lean's place; name what to compile in `theorem`."};
  of.has_programs = found.program.has_value();
  CO_TRY(const auto module,
         co_await compile_module(environment, std::move(of), std::move(found.read), {names}, scope));
  batch::Examiners::Axioms axioms;
  axioms.why_not = module.why_not.empty() ? module.not_accepted : module.why_not;
  if (axioms.why_not.empty() && module.foundations.size() < names.size())
    axioms.why_not = "The compiled text does not have " +
                     (names.size() == 1 ? names.front() : "all theorems that stand in it") + ".";
  std::set<std::string> all;
  for (const olean::Foundation& foundation : module.foundations) {
    if (axioms.why_not.empty() && !foundation.without_proof.empty())
      axioms.why_not = "What " + foundation.without_proof.front() +
                       " depends on is unknown: this library was installed without proofs.";
    all.insert(foundation.axioms.begin(), foundation.axioms.end());
  }
  if (axioms.why_not.empty()) axioms.names = std::vector<std::string>(all.begin(), all.end());
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
