#include "check_options.hpp"

#include "check_command.hpp"
#include "core/program/option_readers.hpp"
#include "core/program/options.hpp"
#include <CLI/CLI.hpp>

namespace leanbridge::app {

wire::Names<SummaryFormat> names_of(SummaryFormat) {
  return {{SummaryFormat::Text, "text"}, {SummaryFormat::Json, "json"}, {SummaryFormat::None, "none"}};
}

void add_check(CLI::App& app, Options& options) {
  CheckOptions& check = options.of<CheckOptions>();
  CLI::App* command =
      app.add_subcommand("check", "Check files, folders or many proofs: what is not ok, and a summary");
  command->footer(
      "  leanbridge check Proofs                    for people: a line for each file that is not ok\n"
      "  leanbridge check Proofs > verdicts.jsonl   for programs: a line of JSON for each\n"
      "  leanbridge check --resume v.jsonl items.jsonl >> v.jsonl  goes on where it was ended\n\n"
      "Exit status: 0 if all are ok, 1 if one is not, 2 for wrong usage, 3 if not all were judged, 130 if "
      "interrupted. With lines of JSON, 0 if all were judged, and 1 only with --strict.");
  command->fallthrough();
  command
      ->add_option("INPUT", check.inputs,
                   "Files of JSON lines ({\"id\", \"code\"} or {\"id\", \"header\", \"body\"}), .lean files, "
                   "folders of .lean files; - is stdin")
      ->required();
  command->add_flag("--json", options.as_json, "Print lines of JSON on a terminal, too");
  command->add_flag("--github", check.github, "Print what is not ok as annotations for GitHub Actions");
  command->add_option("--jobs", check.jobs, "Lean workers (default: as many as cores and memory allow)")
      ->check(CLI::Range(1, kMaxScratchWorkers));
  add_number(*command, "--timeout", check.timeout_s, 0.1, 86400.0,
             "Seconds for each item, once its imports are loaded");
  command
      ->add_option("--worker-memory", check.worker_memory_mb,
                   "Maximum resident memory of a worker (default: its share of what is free)")
      ->type_name("MB")
      ->check(CLI::Range(kMinWorkerMemory, kMaxWorkerMemory));
  command
      ->add_option("--shard", check.shard,
                   "Check only the I-th of N parts (default: that of a Slurm array or an Indexed Job)")
      ->type_name("I/N");
  command
      ->add_option("--resume", check.resume,
                   "Skip the ids that this file of verdicts has; append to it with >>")
      ->type_name("FILE");
  command->add_flag("--merge", check.merge, "Join files of verdicts: each id once, on stdout");
  command->add_option("--junit", check.junit, "Also write a JUnit report to this file")->type_name("FILE");
  command
      ->add_option_function<std::string>(
          "--summary",
          [&check](const std::string& word) {
            for (const auto& [format, name] : names_of(SummaryFormat()))
              if (word == name) check.summary = format;
          },
          "At the end, on stderr (default: text)")
      ->check(CLI::IsMember({"text", "json", "none"}));
  command->add_flag("--goals", check.goals, "Add the first unsolved goals");
  command->add_flag("--axioms", check.axioms, "Add the axioms of what is ok");
  command->add_flag("--strict", check.strict, "Exit with 1 unless every verdict is ok, also with JSON");
  add_number(*command, "--grace", check.grace_s, 0.0, 3600.0,
             "Seconds for items under way after SIGTERM or Ctrl-C");
  command->callback([&options] {
    options.command = app::check;
    options.own_workers = true;  // the runner decides the number of workers, and limits each
  });
}

}  // namespace leanbridge::app
