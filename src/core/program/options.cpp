#include "options.hpp"

#include "leanbridge/part.hpp"

#include "call.hpp"
#include "core/base/ascii.hpp"
#include "core/base/files.hpp"
#include "core/base/joined.hpp"
#include "core/base/user_folders.hpp"
#include "core/program/help/help.hpp"
#include "option_readers.hpp"
#include "output.hpp"
#include "place_word.hpp"
#include "usage_hint.hpp"
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace leanbridge::app {

std::string variable(const char* name) {
  return environment_variable(name).value_or("");
}

bool is_on(const std::string& value) {
  return !value.empty() && value != "0" && value != "false" && value != "no" && value != "off";
}

std::string with_fallback(const std::string& help, const Fallback& fallback) {
  std::string all;
  for (const char* name : fallback.variables) join(all, name, ", else ");
  if (!fallback.otherwise.empty()) join(all, fallback.otherwise, ", else ");
  return help + " (default: " + all + ")";
}

CLI::Option* add_text(CLI::App& app, const char* flags, std::string& value, const std::string& help,
                      const Fallback& fallback) {
  for (auto name = fallback.variables.rbegin(); name != fallback.variables.rend(); ++name)
    if (std::string set = variable(*name); !set.empty()) value = std::move(set);
  return app.add_option(flags, value, with_fallback(help, fallback));
}

CLI::Option* add_switch(CLI::App& app, const char* flags, bool& value, const std::string& help,
                        const char* name) {
  value = is_on(variable(name));
  return app.add_flag(flags, value, with_fallback(help, {{name}}));
}

void read_integer(const char* name, std::int64_t min, std::int64_t max, std::int64_t& number) {
  const std::string text = variable(name);
  std::int64_t value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty()) return;
  if (error == std::errc() && end == text.data() + text.size() && min <= value && value <= max)
    number = value;
  else
    std::fprintf(stderr, "leanbridge: ignoring %s=%.100s: it must be an integer from %lld to %lld\n", name,
                 text.c_str(), static_cast<long long>(min), static_cast<long long>(max));
}

namespace {

constexpr int kMaxOpenFiles = 1000;
// Variables whose mistakes count for less than those of the flags.
constexpr const char* kDisabledTools = "LEAN_MCP_DISABLED_TOOLS";
constexpr const char* kBuildConcurrency = "LEAN_BUILD_CONCURRENCY";
constexpr const char* kToolDescriptions = "LEAN_MCP_TOOL_DESCRIPTIONS";

// Splits a list of paths, which may contain spaces.
std::vector<std::string> split_paths(const std::string& list) {
  std::vector<std::string> paths;
  for (std::string path : CLI::detail::split(list, ',')) {
    CLI::detail::trim(path);
    if (!path.empty()) paths.push_back(std::move(path));
  }
  return paths;
}

std::set<std::string> split(std::string list) {
  std::ranges::replace(list, ' ', ',');
  const auto words = split_paths(list);
  return {words.begin(), words.end()};
}

// Reads a JSON object that maps tool names to descriptions, given inline or as the path of a file. Returns
// false, with an error on stderr, if it is neither.
bool read_descriptions(const std::string& source, std::map<std::string, std::string>& descriptions) {
  std::string text = source;
  if (const std::size_t first = text.find_first_not_of(" \t\r\n");
      first != std::string::npos && text[first] != '{') {
    text = read_regular_file(source, kMaxConfigurationSize).value_or("");
  }
  const auto object = nlohmann::json::parse(text, nullptr, false);
  bool valid = object.is_object();
  if (valid)
    for (const auto& [name, description] : object.items()) {
      if (description.is_string())
        descriptions[name] = description.get<std::string>();
      else
        valid = false;
    }
  if (!valid)
    std::fprintf(stderr, "leanbridge: tool descriptions must be a JSON object of strings: %.200s\n",
                 source.c_str());
  return valid;
}

// A command for one place of a file.
CLI::App* add_place_command(CLI::App& app, Options& options, const char* name, const char* about,
                            int (*command)(const Options&)) {
  const auto fault_of = [](const std::string& word) {
    const PlaceWord place = read_place_word(word);
    return place.line || !place.fault.empty() ? place.fault : "Name a line of a file, such as Foo.lean:12.";
  };
  CLI::App* added = app.add_subcommand(name, about);
  added->add_option("PLACE", options.call.place, "FILE:LINE or FILE:LINE:COLUMN")
      ->required()
      ->check(fault_of);
  added->callback([&options, command] { options.command = command; });
  return added;
}

constexpr const char* kCallStatus =
    "Exit status: 0 on success, 1 if the tool failed, 2 for wrong usage, 130 if interrupted.";

// Adds `goal`, `try`, `call` and `tools`.
void add_commands(CLI::App& app, Options& options) {
  app.require_subcommand(0, 1);
  app.fallthrough();
  add_place_command(app, options, "goal", "Show the goals at a place of a file", app::goal)
      ->footer(std::string("  leanbridge goal Foo.lean:12    before and after a line\n"
                           "  leanbridge goal Foo.lean:12:5  at a column\n\n"
                           "The same as leanbridge call lean_goal.\n") +
               kCallStatus);
  CLI::App* attempt =
      add_place_command(app, options, "try", "Try tactics at a place, and change no file", try_tactics);
  attempt->footer(std::string("  leanbridge try Foo.lean:12 simp omega 'exact h.symm'  one after another\n\n"
                              "The same as leanbridge call lean_multi_attempt.\n") +
                  kCallStatus);
  attempt->add_option("TACTIC", options.call.words, "What to write at the place, each a word of its own")
      ->required();
  CLI::App* call = app.add_subcommand("call", "Call one tool: text on a terminal, JSON everywhere else");
  call->footer(
      std::string("  leanbridge call lean_goal Foo.lean:12:5                   the goals at a place\n"
                  "  leanbridge call lean_multi_attempt Foo.lean:12 snippets=simp snippets=omega\n"
                  "  leanbridge call lean_check_all Foo.lean | jq .error_count  JSON for a program\n"
                  "  leanbridge help lean_goal                                 the arguments of a tool\n\n"
                  "Paths are those of the current folder. leanbridge tools lists the tools.\n") +
      kCallStatus);
  call->add_option("TOOL", options.call.tool, "Name of the tool")->required();
  call->add_option("ARGUMENT", options.call.words,
                   "FILE, FILE:LINE or FILE:LINE:COLUMN, and others as NAME=VALUE");
  call->add_option("--json", options.call.json, "Arguments as a JSON object")->type_name("OBJECT");
  call->callback([&options] { options.command = app::call; });
  CLI::App* tools = app.add_subcommand("tools", "List the tools that a client gets");
  tools->footer(
      "  leanbridge tools              with their arguments\n"
      "  leanbridge --tools all tools  also those that are left out by default");
  tools->add_flag("--json", options.as_json, "Print them as a client sees them in tools/list");
  tools->callback([&options] { options.command = list_tools; });
}

// The examples in the help, limited to commands that this program has.
std::string footer_of(const CLI::App& app) {
  constexpr std::pair<const char*, const char*> kExamples[] = {
      {"setup",
       "  leanbridge setup                       connect Claude Code, Codex, Cursor, VS Code or another "
       "host\n"},
      {"check", "  leanbridge check Proofs                which files are not ok, and why\n"},
      {"goal", "  leanbridge goal Foo.lean:12            the goals at a line, as an agent gets them\n"},
      {"check", "  leanbridge help check                  the options of a command\n"}};
  std::string footer;
  for (const auto& [command, example] : kExamples)
    if (find_command(app, {command})) footer += example;
  return footer + "\nArguments after -- are passed to `lake serve --`.";
}

// The options of the server itself that were given, in the order of --help.
std::vector<std::pair<std::string, std::optional<std::string>>> given_flags(const CLI::App& app) {
  std::vector<std::pair<std::string, std::optional<std::string>>> flags;
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const std::string name = "--" + option->get_lnames().front();
    if (option->get_items_expected_max() == 0)
      flags.emplace_back(name, std::nullopt);
    else
      flags.emplace_back(name, option->results().back());
  }
  return flags;
}

// --- Lean workers

constexpr std::size_t kMaxOutputChars = std::size_t{1} << 30U;
void add_worker_limits(CLI::App& app, Options& options) {
  add_number(
      app, "--max-open-files", options.max_open_files, 1, kMaxOpenFiles,
      "Maximum number of files per project with a Lean worker; one more closes the least recently used",
      {{"LEANBRIDGE_MAX_OPEN_FILES", "LEAN_LSP_MAX_OPEN_FILES"}});
  add_number(app, "--min-free-memory", options.min_free_mb, std::int64_t{1}, kMaxWorkerMemory,
             "While less memory is free, close the files that were idle longest",
             {{}, "a twentieth of the machine's, at least 512"})
      ->type_name("MB");
  add_number(app, "--max-scratch-workers", options.max_scratch_workers, 1, kMaxScratchWorkers,
             "Maximum number of Lean workers per project for trials and queries outside your files",
             {{"LEANBRIDGE_MAX_SCRATCH_WORKERS", "LEAN_MCP_SCRATCH_SLOTS"}});
  add_number(app, "--max-worker-memory", options.max_worker_memory_mb, kMinWorkerMemory, kMaxWorkerMemory,
             "Maximum resident memory of all scratch workers together; workers of your files do not count",
             {{"LEANBRIDGE_MAX_WORKER_MEMORY"}, "half of the machine's memory, at least 6144"})
      ->type_name("MB");
}

// --- help

void add_help(CLI::App& app, Options& options, std::vector<std::string>& words) {
  CLI::App* help = app.add_subcommand("help", "Explain a command or a tool");
  help->add_option("NAME", words, "A command, such as check or mcp call, or a tool, such as lean_goal");
  help->add_flag("--json", options.as_json, "Print all commands, options and tools as JSON");
}

int print_help(const CLI::App& command) {
  std::fputs(help_text(command, HelpLayout::of(stdout)).c_str(), stdout);
  return 0;
}

// Whether this is `call TOOL --help`, whose parsing ends before TOOL is stored.
bool asks_about_tool(const CLI::App& app, Options& options) {
  const CLI::App& command = innermost_command(app);
  if (name_of(command) != "leanbridge call") return false;
  const auto& words = command.get_option("TOOL")->results();
  if (words.empty()) return false;
  options.command = help_with_tools;
  options.call.tool = words.front();
  return true;
}

// Answers a request for help and returns the exit code; nullopt if it is about a tool.
std::optional<int> answer_help(const CLI::App& app, const std::vector<std::string>& words, Options& options) {
  options.command = help_with_tools;
  if (options.as_json) {
    options.help_tree = help_json(app).dump();
    return std::nullopt;
  }
  if (words.empty()) {
    std::fputs(overview_text(app, HelpLayout::of(stdout)).c_str(), stdout);
    return 0;
  }
  if (const CLI::App* command = find_command(app, words)) return print_help(*command);
  options.call.tool = words.back();
  return std::nullopt;
}

// Texts that are read after the whole command line is known.
struct GivenTexts {
  std::string tools, prewarm;
  std::optional<std::string> disabled;
  std::string descriptions, builds;
  std::vector<std::string> help_words;
};

// Options for the project, its Lean, and the selected tools.
void add_selection(CLI::App& app, Options& options, GivenTexts& given) {
  add_text(app, "--project-root", options.project_root, "Serve only files of this Lean project",
           {{"LEAN_PROJECT_PATH"}, "the project that contains each file"})
      ->check(CLI::ExistingDirectory);
  app.add_option("--lake", options.lake, "The lake command (default: lake on PATH, else ~/.elan/bin/lake)")
      ->type_name("COMMAND");
  add_text(app, "--cache-dir", options.cache_folder, "Directory for indexes",
           {{"LEANBRIDGE_CACHE_DIR"}, "~/.cache/leanbridge"})
      ->type_name("DIR");
  add_text(app, "--tools", given.tools,
           "Comma-separated tool groups: proof, query, build, search, corpus, together, server; all; or core "
           "for the 13 most needed tools",
           {{"LEANBRIDGE_TOOLS"}, "all but corpus, of which tools/list shows those that agents use"})
      ->type_name("GROUPS");
  // A name that no tool has is an error here, and only a warning in the variable.
  app.add_option("--disable,--disable-tools", given.disabled,
                 with_fallback("Comma-separated names of tools to leave out", {{kDisabledTools}}))
      ->type_name("TOOLS");
  add_switch(app, "--no-caller-code", options.no_caller_code,
             "Leave out every tool that elaborates Lean code passed by the caller: such code can run any "
             "program",
             "LEANBRIDGE_NO_CALLER_CODE");
  add_text(
      app, "--builds", given.builds,
      "When lean_build is called during a build: allow (it waits its turn), cancel (the build that runs) or "
      "share (cancel it, and give its caller the new result)",
      {{kBuildConcurrency}, wire::name_of(options.builds)})
      ->check(CLI::IsMember(enum_words<ide::BuildConcurrency>()));
}

// Options for the time limits of calls and the size of answers.
void add_call_limits(CLI::App& app, Options& options, GivenTexts& given) {
  add_text(app, "--prewarm", given.prewarm,
           "Comma-separated files to elaborate as soon as the session starts", {{"LEAN_MCP_PREWARM_FILES"}})
      ->type_name("FILES");
  add_number(app, "--timeout", options.timeout_s, 0.1, 86400.0,
             "Timeout for calls that do not set timeout_s");
  add_number(app, "--max-output-chars", options.max_output_chars, std::size_t{0}, kMaxOutputChars,
             "Maximum number of characters of each text in an answer; 0: all",
             {{"LEAN_MCP_MAX_OUTPUT_CHARS"}});
}

// Options for the log and for texts that the model sees.
void add_words(CLI::App& app, Options& options, GivenTexts& given) {
  add_text(app, "--log-level", options.log_level, "What to log: debug, info, warning, error or off",
           {{"LEAN_LOG_LEVEL"}, options.log_level})
      ->type_name("LEVEL")
      ->check(CLI::IsMember({"trace", "debug", "info", "warning", "error", "off"}, CLI::ignore_case));
  app.add_option("--log-file", options.log_file, "Log to this file instead of stderr")->type_name("FILE");
  add_text(app, "--instructions", options.instructions,
           "Instructions for the model, instead of the built-in ones", {{"LEAN_MCP_INSTRUCTIONS"}});
  app.add_option("--tool-descriptions", given.descriptions,
                 with_fallback("Tool descriptions to replace: a JSON object of name to text, or a file that "
                               "contains one",
                               {{kToolDescriptions}}))
      ->type_name("JSON");
}

// Parses the command line. Returns the exit code if the program must end now.
std::optional<int> parse(CLI::App& app, int argc, char** argv, Options& options, const GivenTexts& given) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    if (!asks_about_tool(app, options)) return print_help(innermost_command(app));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    std::fputs(usage_message(app, error, {argv + 1, argv + argc}).c_str(), stderr);
    return 2;
  }
  if (app.got_subcommand("help")) return answer_help(app, given.help_words, options);
  return std::nullopt;
}

// Reads the texts. Returns false, after a line on stderr, if the command line is wrong.
bool take(const GivenTexts& given, Options& options) {
  if (!given.tools.empty()) options.groups = split(given.tools);
  options.named_tools = split(given.disabled.value_or(""));
  options.disabled = given.disabled ? options.named_tools : split(variable(kDisabledTools));
  options.prewarm_files = split_paths(given.prewarm);
  const std::string builds = lower_case(trimmed(given.builds));
  if (const auto found = value_named<ide::BuildConcurrency>(builds))
    options.builds = *found;
  else if (!builds.empty())  // of the variable, since the flag takes no other words
    std::fprintf(stderr, "leanbridge: ignoring %s=%.100s: it must be one of %s\n", kBuildConcurrency,
                 builds.c_str(), joined(enum_words<ide::BuildConcurrency>()).c_str());
  if (!given.descriptions.empty()) {
    const bool valid = read_descriptions(given.descriptions, options.descriptions);
    for (const auto& [name, text] : options.descriptions) options.named_tools.insert(name);
    return valid;
  }
  // A bad setting of the host must not prevent the start.
  if (const std::string set = variable(kToolDescriptions); !set.empty())
    read_descriptions(set, options.descriptions);
  return true;
}

}  // namespace

std::optional<int> read_options(int argc, char** argv, Options& options) {
  // Everything after `--` belongs to `lake serve`, whatever it is.
  char** const end = argv + argc;
  char** const separator = std::find(argv, end, std::string("--"));
  if (separator != end) options.serve_args.assign(separator + 1, end);

  CLI::App app{"A live Lean 4 proof session for AI agents, over MCP", "leanbridge"};
  app.set_help_flag("-h,--help", "Print this help");
  app.set_version_flag("-v,--version", "leanbridge " LEANBRIDGE_VERSION, "Print the version");
  GivenTexts given;
  add_selection(app, options, given);
  add_call_limits(app, options, given);
  add_worker_limits(app, options);
  add_words(app, options, given);
  add_help(app, options, given.help_words);
  add_commands(app, options);
  for (const auto& part : parts()) part->add_options(app, options);
  app.footer(footer_of(app));
  if (const auto code = parse(app, static_cast<int>(separator - argv), argv, options, given)) return *code;
  const EnvironmentLookup environment = [](const std::string& name) -> std::optional<std::string> {
    std::string value = variable(name.c_str());
    return value.empty() ? std::nullopt : std::optional(std::move(value));
  };
  for (const auto& part : parts())
    if (const auto read = part->read_options(environment, options); !read) return usage(read.error());
  if (!take(given, options)) return 2;
  options.flags = given_flags(app);
  options.timeout_given = app.get_option("--timeout")->count() > 0;
  return std::nullopt;
}

}  // namespace leanbridge::app
