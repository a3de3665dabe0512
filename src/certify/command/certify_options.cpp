#include "certify_options.hpp"

#include "core/program/option_readers.hpp"
#include "core/program/options.hpp"
#include <CLI/CLI.hpp>

#include <type_traits>

namespace leanbridge::app {

namespace {

/// Adds the option that sets a member of the question. A repeatable option takes one value at a time;
/// otherwise it would take the files behind it.
CLI::Option* add(CLI::App* command, certify::Question& question, std::string_view name) {
  const certify::Flag& flag = certify::flag_named(name);
  const auto add_member = [&](auto member) -> CLI::Option* {
    auto& value = question.*member;
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, bool>)
      return command->add_flag(flag.name, value, flag.help);
    else if constexpr (std::is_same_v<Value, std::vector<std::string>>)
      return command->add_option(flag.name, value, flag.help)->type_name(flag.value)->allow_extra_args(false);
    else if constexpr (std::is_same_v<Value, std::optional<std::string>>)
      return command
          ->add_option_function<std::string>(
              flag.name,
              [&value](const std::string& given) {
                value = given.empty() ? std::nullopt : std::optional(given);
              },
              flag.help)
          ->type_name(flag.value);
    else
      return command->add_option(flag.name, value, flag.help)->type_name(flag.value);
  };
  return std::visit(add_member, flag.member);
}

// Options for the question and the kernels.
void add_question(CLI::App* command, CertifyOptions& certify) {
  command
      ->add_option("FILE", certify.files,
                   "CHALLENGE and SOLUTION; with --git only SOLUTION; or a comparator.json")
      ->expected(0, 2);
  for (const char* const flag : {"--git", "--name", "--allow-axiom", "--option", "--kernel"})
    add(command, certify, flag);
  add(command, certify, "--kernels")->delimiter(',');
}

// Options for many pairs.
void add_batch(CLI::App* command, CertifyOptions& certify) {
  command
      ->add_option("--input", certify.input,
                   "Judge the pairs in this file of JSON lines; - is stdin (docs/verification.md)")
      ->type_name("FILE");
  command
      ->add_option("--resume", certify.resume,
                   "Skip the pairs that this file of verdicts has decided; append to it with >>")
      ->type_name("FILE");
  command
      ->add_option("--cost", certify.cost_limit,
                   "With --input: what each declaration costs; one that is dearer than in --cost-baseline by "
                   "more than PERCENT ends in exit code 1")
      ->type_name("PERCENT")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--cost-baseline", certify.cost_baseline, "Verdicts of an earlier run with --cost")
      ->type_name("FILE");
  command->add_option("--jobs", certify.jobs, "Pairs at a time (default: 1; more only with bubblewrap)")
      ->check(CLI::Range(1, kMaxScratchWorkers));
}

// Options for the things to trust.
void add_trust(CLI::App* command, CertifyOptions& certify) {
  command->add_flag("--also-comparator", certify.also_comparator,
                    "With a comparator.json: `lake comparator` (Lean 4.35) must accept, too");
  add(command, certify, "--without-replay");
  add(command, certify, "--baseline");
  command
      ->add_option("--record-baseline", certify.record_baseline,
                   "Record the toolchain and all compiled modules in this file, and judge nothing")
      ->type_name("FILE");
  add(command, certify, "--trust-packages");
  add(command, certify, "--memory")->check(CLI::Range(256, 1 << 20));
}

// Options for written records, and for comparing with earlier ones.
void add_records(CLI::App* command, CertifyOptions& certify) {
  command->add_option("--output", certify.output, "Write the verdict and its hash to this file")
      ->type_name("FILE");
  command
      ->add_option("--receipt", certify.receipt,
                   "Write what was judged, by what and how, to this file (docs/verification.md)")
      ->type_name("FILE");
  command->add_option("--verify", certify.verify, "Judge again as in this receipt, and name what differs")
      ->type_name("FILE");
  command
      ->add_option("--page", certify.page,
                   "Write what a person must read to know what is stated to this file; - is stdout")
      ->type_name("FILE");
  command
      ->add_option("--approval", certify.approval,
                   "Certify only what states the same as when this file was approved")
      ->type_name("FILE");
  command
      ->add_option("--approve", certify.approve,
                   "Write to the file of --approval that NAME approves the page")
      ->type_name("NAME");
  command
      ->add_option("--export", certify.export_file,
                   "Write the theorems with all that they rest on to this file, as other kernels read it")
      ->type_name("FILE");
}

}  // namespace

void add_certify(CLI::App& app, Options& options) {
  CertifyOptions& certify = options.of<CertifyOptions>();
  CLI::App* command =
      app.add_subcommand("certify", "Judge whether a solution proves what a challenge states");
  command->footer(
      "  leanbridge certify --git HEAD Foo.lean            the working tree against a revision\n"
      "  leanbridge certify Challenge.lean Solution.lean   theorems of the challenge end in sorry\n"
      "  leanbridge certify --input pairs.jsonl            many pairs, a line of JSON for each verdict\n\n"
      "Exit status: 0 certified, 1 refused, 2 wrong usage, 3 incomplete, 4 refuted (the negation is "
      "proved), 5 filled (read what the solution has filled in), 130 interrupted.");
  add_question(command, certify);
  add_batch(command, certify);
  add_trust(command, certify);
  add_records(command, certify);
  command->add_flag("--json", options.as_json, "Print the verdict as JSON");
  command->fallthrough();
  command->callback([&options] { options.command = app::certify; });
}

void add_diff(CLI::App& app, Options& options) {
  DiffOptions& diff = options.of<DiffOptions>();
  CLI::App* command = app.add_subcommand(
      "diff", "Show what a change does to declarations: restated, reproved, sorries, axioms");
  command->footer(
      "  leanbridge diff                  the working tree against HEAD\n"
      "  leanbridge diff origin/main HEAD  one revision against another\n\n"
      "It reads the sources; without --cost, Lean is not asked. For a verdict: leanbridge certify --git REV "
      "FILE.\n"
      "Exit status: 0 if no sorry and no axiom is new, 1 if one is or, with --cost, a declaration is dearer, "
      "2 for wrong usage, 3 if not everything could be read or measured, 130 if interrupted.");
  command->fallthrough();
  command
      ->add_option("REVISION", diff.revisions,
                   "REV, before the change (default: HEAD), and REV2, after it (default: the working tree)")
      ->expected(0, 2);
  command
      ->add_option("--cost", diff.cost_limit,
                   "Elaborate both texts with Lean, and fail if a declaration takes so much more heartbeats")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.0, 1e6));
  command->add_flag("--json", options.as_json, "Print the changes as JSON");
  command->callback([&options] { options.command = app::diff; });
}

}  // namespace leanbridge::app
