#include "options.hpp"

#include "leanbridge/base/ascii.hpp"
#include "leanbridge/base/files.hpp"

#include "app/certify/certify_options.hpp"
#include "app/help/help.hpp"
#include "app/hosts/hosts.hpp"
#include "app/mcp/commands.hpp"
#include "lean_lsp_mcp_options.hpp"
#include "usage_hint.hpp"
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace leanbridge::app {

namespace {

constexpr int kMaxOpenFiles = 1000;
constexpr std::int64_t kMinWorkerMemory = 64, kMaxWorkerMemory = std::int64_t{1} << 24;  // MB

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  // Hosts pass `${NAME}` literally if the variable is not set.
  if (!value || std::string(value).starts_with("${")) return "";
  return value;
}

template <class Enum>
std::vector<std::string> enum_words() {
  std::vector<std::string> words;
  for (const auto& [value, word] : names_of(Enum())) words.emplace_back(word);
  return words;
}

template <class Enum>
std::optional<Enum> value_named(const std::string& word) {
  for (const auto& [value, name] : names_of(Enum()))
    if (word == name) return value;
  return std::nullopt;
}

// Warns about any other value and ignores it: a bad setting of the host must not keep the server from
// starting.
template <class Number>
void read_number(const char* name, Number min, Number max, Number& number) {
  const std::string text = variable(name);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty()) return;
  if (error == std::errc() && end == text.data() + text.size() && min <= value && value <= max)
    number = value;
  else
    std::fprintf(stderr, "leanbridge: ignoring %s=%.100s: it must be an integer from %lld to %lld\n", name,
                 text.c_str(), static_cast<long long>(min), static_cast<long long>(max));
}

// The value of the variable, if it is a word of the enum in either case; warns about any other word.
template <class Enum>
void read_word(const char* name, Enum& value) {
  std::string text = lower_case(variable(name));
  text.erase(0, text.find_first_not_of(" \t"));
  text.erase(text.find_last_not_of(" \t") + 1);
  if (text.empty()) return;
  if (const auto found = value_named<Enum>(text))
    value = *found;
  else
    std::fprintf(stderr, "leanbridge: ignoring %s=%.100s: it must be one of %s\n", name, text.c_str(),
                 CLI::detail::join(enum_words<Enum>(), ", ").c_str());
}

// Paths may hold spaces.
std::vector<std::string> split_paths(const std::string& list) {
  std::vector<std::string> paths;
  for (std::string path : CLI::detail::split(list, ',')) {
    CLI::detail::trim(path);
    if (!path.empty()) paths.push_back(std::move(path));
  }
  return paths;
}

std::set<std::string> split(const std::string& list) {
  std::set<std::string> words;
  std::string word;
  for (const char c : list + ",") {
    if (c != ',' && c != ' ') {
      word += c;
    } else if (!word.empty()) {
      words.insert(std::exchange(word, ""));
    }
  }
  return words;
}

// A protective switch is on unless its value is a word that turns it off.
bool is_on(const std::string& value) {
  return !value.empty() && value != "0" && value != "false" && value != "no" && value != "off";
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

// `fill`.
void add_fill(CLI::App& app, Options& options) {
  FillOptions& fill = options.fill;
  CLI::App* command = app.add_subcommand("fill", "Close the sorries of files, or refute them, by tactics");
  command->footer(
      "  leanbridge fill Foo.lean          what would be written\n"
      "  leanbridge fill --write Foo.lean  put it in\n\n"
      "Exit status: 0 if nothing is left open, 1 if something is or a file cannot be checked, 2 for wrong "
      "usage, 130 if interrupted.");
  command->fallthrough();
  command->add_option("FILE", fill.files, "Lean files")->required();
  command->add_flag("--write", fill.write, "Put in what Lean accepts");
  command->add_option("--budget", fill.budget_s, "Seconds of processor time for each file (default: 30)")
      ->check(CLI::PositiveNumber);
  command->add_flag("--json", options.as_json, "Print the answers of lean_fill as JSON, one for each file");
  command->callback([&options] { options.command = Command::Fill; });
}

// `imports`.
void add_imports(CLI::App& app, Options& options) {
  CLI::App* command = app.add_subcommand("imports", "Find the imports that files do not need, or lack");
  command->footer(
      "  leanbridge imports Foo.lean          which imports are not needed, and why the others are\n"
      "  leanbridge imports --write Foo.lean  put it right, if all that imports it still compiles\n\n"
      "Compiles each file without each of its imports, in a copy; what it declares, its axioms and Lean's "
      "messages must stay the same. A file with names that Lean does not know first gets the imports that "
      "Lean "
      "offers. --timeout is for each file (default: 600).\n"
      "Exit status: 0 if there is nothing to change or it is written, 1 if there is or a file does not "
      "compile, "
      "2 for wrong usage, 3 if not every import could be tried, 130 if interrupted.");
  command->fallthrough();
  command->add_option("FILE", options.imports.files, "Lean files")->required();
  command->add_flag("--write", options.imports.write, "Write what is found");
  command->add_flag("--json", options.as_json,
                    "Print the answers of lean_minimal_imports as JSON, one for each file");
  command->callback([&options] { options.command = Command::Imports; });
}

// `search`.
void add_search(CLI::App& app, Options& options) {
  CLI::App* search = app.add_subcommand("search", "Search all sources for theorems");
  search->footer(
      "  leanbridge search \"addition commutative natural numbers\"  words\n"
      "  leanbridge search \"a + b = b + a\"                         a statement\n"
      "  leanbridge search --verify Foo.lean Nat.add_comm           which of them Foo.lean can use\n\n"
      "Exit status: 0 if any theorem was found, 1 if not, 2 for wrong usage, 130 if interrupted.");
  search->fallthrough();
  search->add_option("QUERY", options.query.text, "A name, words, or a statement such as \"a + b = b + a\"")
      ->required();
  search->add_flag("--json", options.as_json, "Print the result of lean_theorem_search as JSON");
  search->add_option("--source", options.query.sources, "Search only this source (repeatable)")
      ->type_name("NAME");
  search->add_option("--limit", options.query.limit, "Maximum number of results (default: 20)")
      ->check(CLI::Range(1, 200));
  search
      ->add_option("--verify", options.query.verify_file,
                   "Check with Lean which results are available in this file")
      ->type_name("FILE");
  search->callback([&options] { options.command = Command::Search; });
}

// `check`.
void add_check(CLI::App& app, Options& options) {
  CheckOptions& check = options.check;
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
  command->add_option("--jobs", check.jobs, "Lean workers (default: as many as cores and memory allow)")
      ->check(CLI::Range(1, kMaxScratchWorkers));
  command
      ->add_option("--timeout", check.timeout_s,
                   "Seconds for each item, once its imports are loaded (default: 60)")
      ->check(CLI::Range(0.1, 86400.0));
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
  command->add_flag("--strict", check.strict,
                    "Exit with 1 unless every verdict is ok, also with lines of JSON");
  command
      ->add_option("--grace", check.grace_s,
                   "Seconds for items under way after SIGTERM or Ctrl-C (default: 10)")
      ->check(CLI::Range(0.0, 3600.0));
  command->callback([&options] { options.command = Command::Check; });
}

// `index build` and `index status`.
void add_index(CLI::App& app, Options& options) {
  CLI::App* index = app.add_subcommand("index", "Manage the local index of declarations");
  index->require_subcommand(1);
  index->fallthrough();
  index->footer(
      "  leanbridge index build   builds it now, not at the first search\n"
      "  leanbridge index status  where it is and what is in it");
  CLI::App* build =
      index->add_subcommand("build", "Bring the index up to date and wait until it is complete");
  build->footer("Exit status: 0 if the index is complete, 1 if not, 2 for wrong usage, 130 if interrupted.");
  CLI::App* status = index->add_subcommand("status", "Show where the index is and what it contains");
  build->callback([&options] { options.command = Command::IndexBuild; });
  status->callback([&options] { options.command = Command::IndexStatus; });
  for (CLI::App* command : {build, status}) {
    command->fallthrough();
    command->add_flag("--json", options.as_json, "Print the result as JSON");
  }
}

// `view`.
void add_view(CLI::App& app, Options& options) {
  ViewOptions& view = options.view;
  CLI::App* command = app.add_subcommand(
      "view", "Show a file with its goals and messages in your browser, while it is edited");
  command->footer(
      "  leanbridge view Foo.lean:12        opens a browser\n"
      "  leanbridge view --no-browser Foo.lean  only prints the URL\n"
      "  leanbridge view --watch            follows agents that run with --shared --watchable\n\n"
      "Serves the page to this machine until Ctrl-C. The URL lets its holder read the file and change "
      "it, as far as Lean accepts it; with --disable lean_write_proof only read it.\n"
      "Exit status: 0, 1 if there is no such file or port, 2 for wrong usage.");
  command->fallthrough();
  command->add_option("FILE", view.file, "FILE, FILE:LINE or FILE:LINE:COLUMN");
  command->add_flag("--watch", view.watch, "Follow your agents at work; FILE may be left out");
  command->add_flag("--no-browser", view.no_browser, "Only print the page's URL");
  command->add_option("--port", view.port, "Port to listen on (default: any free one)");
  command->callback([&options] { options.command = Command::View; });
}

// `setup`.
void add_setup(CLI::App& app, Options& options) {
  SetupOptions& setup = options.setup;
  CLI::App* command =
      app.add_subcommand("setup", "Connect a host: write the entry that starts leanbridge with these flags");
  command->footer(
      "  leanbridge setup                        lists the hosts, and asks which\n"
      "  leanbridge setup --host codex --yes     for all projects\n"
      "  leanbridge setup --host codex --remove  the way back\n\n"
      "Runs the host's own program where there is one, else edits its file and keeps a copy of the old one. "
      "Shows what it does before it asks (docs/hosts.md).\n"
      "Exit status: 0 if the host is set up as it should be, 1 if not, 2 for wrong usage, 130 if "
      "interrupted.");
  command->fallthrough();
  command
      ->add_option(
          "--host", setup.host,
          "claude-code, claude-desktop, codex, gemini, cursor, vscode, zed or opencode (default: ask)")
      ->type_name("HOST")
      ->check(CLI::IsMember(hosts::host_words()));
  command
      ->add_option("--project", setup.project, "Only for this project, in its own file if the host has one")
      ->check(CLI::ExistingDirectory);
  command->add_option("--name", setup.name, "Name of the entry (default: lean)")->type_name("NAME");
  command->add_flag("--yes", setup.yes, "Do not ask");
  command->add_flag("--remove", setup.remove, "Remove the entry instead");
  command->callback([&options] { options.command = Command::Setup; });
}

void add_diff(CLI::App& app, Options& options) {
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
      ->add_option("REVISION", options.revisions,
                   "REV, before the change (default: HEAD), and REV2, after it (default: the working tree)")
      ->expected(0, 2);
  command
      ->add_option("--cost", options.cost_limit,
                   "Elaborate both texts with Lean, and fail if a declaration takes so much more heartbeats")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.0, 1e6));
  command->add_flag("--json", options.as_json, "Print the changes as JSON");
  command->callback([&options] { options.command = Command::Diff; });
}

// `serve` and `status`.
void add_serve(CLI::App& app, Options& options) {
  HttpOptions& http = options.http;
  CLI::App* serve =
      app.add_subcommand("serve", "Serve MCP: over HTTP to many clients, or on stdin and stdout");
  serve->footer(
      "  leanbridge serve --http 127.0.0.1:8765            http://127.0.0.1:8765/mcp, for this machine\n"
      "  leanbridge serve --http unix:/run/lean.sock       for this user");
  serve->fallthrough();
  CLI::Option* address = serve->add_option(
      "--http", http.address, "Listen on IP:PORT (port 0: any free one) or unix:PATH; MCP is at /mcp");
  address->type_name("ADDRESS");
  serve->add_flag("--read-only", options.read_only,
                  "Leave out every tool that writes files, builds, or elaborates text of the caller");
  for (CLI::Option* option :
       {serve->add_flag(
            "--listen-any", http.listen_any,
            "Allow an address that other machines reach; needs --token-file, and a proxy for TLS"),
        serve
            ->add_option("--token-file", http.token_file,
                         "Require one of the tokens in this file, one a line, as Authorization: Bearer")
            ->type_name("FILE"),
        serve->add_option("--allow-host", http.hosts, "Also accept this name in Host and Origin (repeatable)")
            ->type_name("NAME")
            ->allow_extra_args(false),
        serve
            ->add_option("--access-log", http.access_log,
                         "Append a line of JSON for each request to this file; - is stderr")
            ->type_name("FILE"),
        serve->add_option("--max-connections", http.max_connections, "Connections at once (default: 2048)")
            ->check(CLI::Range(1, 100'000)),
        serve->add_option("--max-calls", http.max_calls, "Requests in progress at once (default: 512)")
            ->check(CLI::Range(1, 100'000)),
        serve
            ->add_option("--max-client-calls", http.max_client_calls,
                         "Requests in progress at once from one client (default: 128)")
            ->check(CLI::Range(1, 100'000))})
    option->needs(address);
  serve->callback([&options] { options.command = Command::Serve; });

  CLI::App* status =
      app.add_subcommand("status", "Show what servers do: those that clients share, and one over HTTP");
  status->footer(
      "  leanbridge status                 the user's shared servers, and 127.0.0.1:8765 if it answers\n"
      "  leanbridge status 127.0.0.1:9000  the one over HTTP there\n"
      "  leanbridge status --stop          ends the shared server\n\n"
      "Exit status: 0, 1 if none answers, 2 for wrong usage.");
  status->fallthrough();
  status->add_option("ADDRESS", options.status.address, "Of a server over HTTP: a URL, IP:PORT or unix:PATH");
  status
      ->add_option("--stop", options.status.stop,
                   "End the shared server with this process id, or the only one; its clients start another")
      ->expected(0, 1)
      ->type_name("PID");
  status->add_option("--token-file", options.status.token_file, "A file whose first token to send")
      ->type_name("FILE");
  status->add_option("--watch", options.status.watch_s, "Repeat every N seconds")
      ->check(CLI::Range(0.1, 3600.0));
  status->add_flag("--json", options.as_json, "Print it as JSON");
  status->callback([&options] { options.command = Command::Status; });
}

void add_commands(CLI::App& app, Options& options, CLI::App*& call, CLI::App*& tools, CLI::App*& doctor) {
  add_serve(app, options);
  add_check(app, options);
  add_index(app, options);
  add_search(app, options);
  add_certify(app, options);
  add_diff(app, options);
  add_setup(app, options);
  add_view(app, options);
  add_fill(app, options);
  add_imports(app, options);
  app.require_subcommand(0, 1);
  app.fallthrough();
  call = app.add_subcommand("call", "Call one tool: text on a terminal, JSON everywhere else");
  call->footer(
      "  leanbridge call lean_goal Foo.lean:12:5                   the goals at a place\n"
      "  leanbridge call lean_multi_attempt Foo.lean:12 snippets=simp snippets=omega\n"
      "  leanbridge call lean_check_all Foo.lean | jq .error_count  JSON for a program\n"
      "  leanbridge help lean_goal                                 the arguments of a tool\n\n"
      "Paths are those of the current folder. leanbridge tools lists the tools.\n"
      "Exit status: 0 on success, 1 if the tool failed, 2 for wrong usage, 130 if interrupted.");
  call->add_option("TOOL", options.call.tool, "Name of the tool")->required();
  call->add_option("ARGUMENT", options.call.words,
                   "FILE, FILE:LINE or FILE:LINE:COLUMN, and others as NAME=VALUE");
  call->add_option("--json", options.call.json, "Arguments as a JSON object")->type_name("OBJECT");
  tools = app.add_subcommand("tools", "List the tools that a client gets");
  tools->footer(
      "  leanbridge tools              with their arguments\n"
      "  leanbridge --tools all tools  also those that are left out by default");
  tools->add_flag("--json", options.as_json, "Print them as a client sees them in tools/list");
  doctor =
      app.add_subcommand("doctor", "Check what a session needs, and say what to do: Lean, project, hosts");
  doctor->footer(
      "  leanbridge doctor          in a project, before a host starts leanbridge there\n"
      "  leanbridge doctor --clean  removes what runs that were killed have left\n"
      "  leanbridge doctor --probe  tries on this toolchain what leanbridge takes for granted of Lake and "
      "Lean\n\n"
      "Exit status: 0 if no check failed, 1 if one did, 3 if a probe could not be tried, 130 if "
      "interrupted.");
  doctor->add_flag("--json", options.as_json, "Print the findings as JSON");
  CLI::Option* clean =
      doctor->add_flag("--clean", options.clean, "Remove what earlier runs have left behind, without asking");
  doctor
      ->add_flag("--probe", options.probe,
                 "Only try what leanbridge assumes of elan, Lake and Lean, in a temporary folder; with "
                 "--project-root also in that project, without changing its files")
      ->excludes(clean);
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

// Why `folder` cannot be one; empty: it can. `https://host/x` would be a relative path.
std::string not_a_folder(const std::string& folder) {
  const std::size_t scheme = std::min(folder.find(":/"), folder.size());
  const bool is_url =
      scheme >= 2 && scheme < folder.size() &&
      std::all_of(folder.begin(), folder.begin() + static_cast<std::ptrdiff_t>(scheme),
                  [](unsigned char c) { return std::isalnum(c) || c == '+' || c == '-' || c == '.'; });
  return is_url ? folder + " is a URL. Pass the path of a directory on this machine." : "";
}

void add_upstream(CLI::App& app, Options& options) {
  options.upstream = variable("LEANBRIDGE_UPSTREAM");
  options.save_media = variable("LEANBRIDGE_SAVE_MEDIA");
  if (const std::string why = not_a_folder(options.save_media); !why.empty()) {
    std::fprintf(stderr, "leanbridge: ignoring LEANBRIDGE_SAVE_MEDIA: %s\n", why.c_str());
    options.save_media.clear();
  }
  app.add_option("--upstream", options.upstream,
                 "MCP servers of the workspace to connect to: comma-separated names, or all; none disables "
                 "every other "
                 "server (default: LEANBRIDGE_UPSTREAM)")
      ->type_name("NAMES");
  app.add_flag("--lazy-upstream", options.lazy_upstream,
               "Instead of all tools of other servers, offer three that list, describe and call them");
  app.add_option("--save-media", options.save_media,
                 "Also save images, audio and resources in other servers' results to this directory "
                 "(default: LEANBRIDGE_SAVE_MEDIA)")
      ->check(CLI::Validator(not_a_folder, "DIR"));
}

// --- search

// Whether --help shows it. docs/search.md lists all settings.
bool is_common(const search::Setting& setting) {
  return setting.value == search::Setting::Value::None || setting.key.ends_with(".url") ||
         setting.key == "loogle.local";
}

// --config and one flag for each of search::settings(). Must live as long as the app is used.
class SearchOptions {
 public:
  void add_to(CLI::App& app);
  // Call after parsing.
  Result<search::Config> read(
      const std::function<std::optional<std::string>(const std::string&)>& environment) const;

 private:
  std::string file_;
  std::map<std::string, std::string> values_;
};

void SearchOptions::add_to(CLI::App& app) {
  constexpr const char* kGroup = "Search (all settings: docs/search.md)";
  app.add_option("--config", file_,
                 "Search settings file (default: leanbridge/config.toml in $XDG_CONFIG_HOME or ~/.config)")
      ->type_name("FILE")
      ->group(kGroup);
  for (const search::Setting& setting : search::settings()) {
    const std::string flag = search::flag_of(setting) + (setting.alias.empty() ? "" : "," + setting.alias);
    const auto take = [this, key = setting.key](const std::string& value) { values_[key] = value; };
    using Value = search::Setting::Value;
    CLI::Option* option = setting.value == Value::None
                              ? app.add_flag_callback(
                                    flag, [take] { take("true"); }, setting.help)
                              : app.add_option_function<std::string>(flag, take, setting.help);
    if (setting.value != Value::None) option->type_name(setting.key.ends_with(".url") ? "URL" : "VALUE");
    if (setting.value == Value::Optional) option->expected(0, 1)->default_str("true");
    option->group(is_common(setting) ? kGroup : "");
  }
}

Result<search::Config> SearchOptions::read(
    const std::function<std::optional<std::string>(const std::string&)>& environment) const {
  search::ConfigSources sources;
  sources.flags = values_;
  sources.environment = environment;
  sources.file_required = !file_.empty();
  sources.file = file_.empty() ? search::default_config_file(environment) : std::filesystem::path(file_);
  return search::read_config(sources);
}

// --- Lean workers

constexpr std::size_t kMaxOutputChars = std::size_t{1} << 30U;
void add_worker_limits(CLI::App& app, Options& options) {
  read_number("LEAN_MCP_SCRATCH_SLOTS", 1, kMaxScratchWorkers, options.max_scratch_workers);
  read_number("LEANBRIDGE_MAX_SCRATCH_WORKERS", 1, kMaxScratchWorkers, options.max_scratch_workers);
  read_number("LEANBRIDGE_MAX_WORKER_MEMORY", kMinWorkerMemory, kMaxWorkerMemory,
              options.max_worker_memory_mb);
  read_number("LEAN_LSP_MAX_OPEN_FILES", 1, kMaxOpenFiles, options.max_open_files);
  read_number("LEANBRIDGE_MAX_OPEN_FILES", 1, kMaxOpenFiles, options.max_open_files);
  app.add_option("--max-open-files", options.max_open_files,
                 "Maximum number of files per project with a Lean worker; one more closes the least recently "
                 "used (default: LEANBRIDGE_MAX_OPEN_FILES, else LEAN_LSP_MAX_OPEN_FILES, else 12)")
      ->check(CLI::Range(1, kMaxOpenFiles));
  app.add_option("--min-free-memory", options.min_free_mb,
                 "While less memory is free, close the files that were idle longest (default: a twentieth "
                 "of the machine's, at least 512)")
      ->type_name("MB")
      ->check(CLI::Range(std::int64_t{1}, kMaxWorkerMemory));
  app.add_option("--max-scratch-workers", options.max_scratch_workers,
                 "Maximum number of Lean workers per project for trials and queries outside your files "
                 "(default: LEANBRIDGE_MAX_SCRATCH_WORKERS, else LEAN_MCP_SCRATCH_SLOTS, else 3)")
      ->check(CLI::Range(1, kMaxScratchWorkers));
  app.add_option(
         "--max-worker-memory", options.max_worker_memory_mb,
         "Maximum resident memory of all scratch workers together; workers of your files do not count "
         "(default: LEANBRIDGE_MAX_WORKER_MEMORY, else half of the machine's memory, at least 6144)")
      ->type_name("MB")
      ->check(CLI::Range(kMinWorkerMemory, kMaxWorkerMemory));
}

// --- sharing

void add_shared(CLI::App& app, Options& options) {
  options.shared = is_on(variable("LEANBRIDGE_SHARED"));
  app.add_flag(
      "--shared", options.shared,
      "Share Lean with the user's other clients: attach to one server for all of them, and start it if "
      "there is none (default: LEANBRIDGE_SHARED)");
  options.watchable = is_on(variable("LEANBRIDGE_WATCHABLE"));
  app.add_flag("--watchable", options.watchable,
               "With --shared: let you watch this client's calls with `leanbridge view --watch` (default: "
               "LEANBRIDGE_WATCHABLE)");
  app.add_option("--shared-idle-s", options.shared_idle_s,
                 "Seconds that a shared server outlives its last client (default: 60)")
      ->check(CLI::Range(0.0, 86400.0));
  // Started by --shared (app/shared/launch.cpp).
  CLI::App* server = app.add_subcommand("shared-server", "")->group("");
  server->fallthrough();
  server->add_option("--key", options.shared_key)->required();
  server->callback([&options] { options.command = Command::SharedServer; });
}

}  // namespace

// --- help

namespace {

void add_help(CLI::App& app, Options& options, std::vector<std::string>& words) {
  CLI::App* help = app.add_subcommand("help", "Explain a command or a tool");
  help->add_option("NAME", words, "A command, such as check or mcp call, or a tool, such as lean_goal");
  help->add_flag("--json", options.as_json, "Print all commands, options and tools as JSON");
}

int print_help(const CLI::App& command) {
  std::fputs(help_text(command, HelpLayout::of(stdout)).c_str(), stdout);
  return 0;
}

// `call TOOL --help`, whose parsing ends before TOOL is stored.
bool asks_about_tool(const CLI::App& app, Options& options) {
  const CLI::App& command = innermost_command(app);
  if (name_of(command) != "leanbridge call") return false;
  const auto& words = command.get_option("TOOL")->results();
  if (words.empty()) return false;
  options.command = Command::ToolHelp;
  options.call.tool = words.front();
  return true;
}

// The exit code, or nothing if a tool is asked about.
std::optional<int> answer_help(const CLI::App& app, const std::vector<std::string>& words, Options& options) {
  options.command = Command::ToolHelp;
  if (options.as_json) {
    options.help_tree = help_json(app).dump();
    return std::nullopt;
  }
  if (const CLI::App* command = find_command(app, words)) return print_help(*command);
  options.call.tool = words.back();
  return std::nullopt;
}

}  // namespace

wire::Names<SummaryFormat> names_of(SummaryFormat) {
  return {{SummaryFormat::Text, "text"}, {SummaryFormat::Json, "json"}, {SummaryFormat::None, "none"}};
}

std::optional<int> read_options(int argc, char** argv, Options& options) {
  // Everything after `--` belongs to `lake serve`, whatever it looks like.
  char** const end = argv + argc;
  char** const separator = std::find(argv, end, std::string("--"));
  if (separator != end) options.serve_args.assign(separator + 1, end);

  CLI::App app{"A live Lean 4 proof session for AI agents, over MCP", "leanbridge"};
  app.set_help_flag("-h,--help", "Print this help");
  app.set_version_flag("-v,--version", "leanbridge " LEANBRIDGE_VERSION, "Print the version");
  std::string tools = variable("LEANBRIDGE_TOOLS"), disabled = variable("LEAN_MCP_DISABLED_TOOLS");
  std::string descriptions, builds, prewarm = variable("LEAN_MCP_PREWARM_FILES");
  LeanLspMcpOptions of_lean_lsp_mcp;
  options.project_root = variable("LEAN_PROJECT_PATH");
  options.no_caller_code = is_on(variable("LEANBRIDGE_NO_CALLER_CODE"));
  options.cache_folder = variable("LEANBRIDGE_CACHE_DIR");
  options.instructions = variable("LEAN_MCP_INSTRUCTIONS");
  if (const std::string level = variable("LEAN_LOG_LEVEL"); !level.empty()) options.log_level = level;
  app.add_option("--project-root", options.project_root,
                 "Serve only files of this Lean project (default: LEAN_PROJECT_PATH, else the project that "
                 "contains each file)")
      ->check(CLI::ExistingDirectory);
  app.add_option("--lake", options.lake, "The lake command (default: lake on PATH, else ~/.elan/bin/lake)")
      ->type_name("COMMAND");
  app.add_option("--cache-dir", options.cache_folder,
                 "Directory for indexes (default: LEANBRIDGE_CACHE_DIR, else ~/.cache/leanbridge)")
      ->type_name("DIR");
  app.add_option("--tools", tools,
                 "Comma-separated tool groups: proof, query, build, search, corpus, server; all; or core for "
                 "the 14 most needed tools (default: LEANBRIDGE_TOOLS, else all but corpus, of which "
                 "tools/list shows those that agents use)")
      ->type_name("GROUPS");
  app.add_option("--disable,--disable-tools", disabled,
                 "Comma-separated names of tools to leave out (default: LEAN_MCP_DISABLED_TOOLS)")
      ->type_name("TOOLS");
  app.add_flag("--no-caller-code", options.no_caller_code,
               "Leave out every tool that elaborates Lean code passed by the caller: such code can run any "
               "program (default: LEANBRIDGE_NO_CALLER_CODE)");
  app.add_option(
         "--builds", builds,
         "When lean_build is called during a build: allow (it waits its turn), cancel (the build that "
         "runs) or share (cancel it, and give its caller the new result) (default: "
         "LEAN_BUILD_CONCURRENCY, else allow)")
      ->check(CLI::IsMember(enum_words<tools::BuildConcurrency>()));
  app.add_option("--prewarm", prewarm,
                 "Comma-separated files to elaborate as soon as the session starts (default: "
                 "LEAN_MCP_PREWARM_FILES)")
      ->type_name("FILES");
  app.add_option("--timeout", options.timeout_s, "Timeout for calls that do not set timeout_s (default: 120)")
      ->check(CLI::Range(0.1, 86400.0));
  read_number("LEAN_MCP_MAX_OUTPUT_CHARS", std::size_t{0}, kMaxOutputChars, options.max_output_chars);
  app.add_option("--max-output-chars", options.max_output_chars,
                 "Maximum number of characters of each text in an answer; 0: all (default: "
                 "LEAN_MCP_MAX_OUTPUT_CHARS, else 6000)")
      ->check(CLI::Range(std::size_t{0}, kMaxOutputChars));
  add_worker_limits(app, options);
  app.add_option("--log-level", options.log_level,
                 "What to log: debug, info, warning, error or off (default: LEAN_LOG_LEVEL, else warning)")
      ->type_name("LEVEL")
      ->check(CLI::IsMember({"trace", "debug", "info", "warning", "error", "off"}, CLI::ignore_case));
  app.add_option("--log-file", options.log_file, "Log to this file instead of stderr")->type_name("FILE");
  app.add_option("--instructions", options.instructions,
                 "Instructions for the model, instead of the built-in ones (default: LEAN_MCP_INSTRUCTIONS)");
  app.add_option("--tool-descriptions", descriptions,
                 "Tool descriptions to replace: a JSON object of name to text, or a file that contains one "
                 "(default: LEAN_MCP_TOOL_DESCRIPTIONS)")
      ->type_name("JSON");
  add_upstream(app, options);
  of_lean_lsp_mcp.add_to(app);
  CLI::App *call = nullptr, *list = nullptr, *doctor = nullptr;
  std::vector<std::string> help_words;
  add_help(app, options, help_words);
  add_commands(app, options, call, list, doctor);
  add_mcp(app, options);
  add_shared(app, options);
  SearchOptions search;
  search.add_to(app);
  app.footer(
      "  leanbridge setup                       connect Claude Code, Codex, Cursor, VS Code or another host\n"
      "  leanbridge check Proofs                which files are not ok, and why\n"
      "  leanbridge call lean_goal Foo.lean:12  the goals at a line, as an agent gets them\n"
      "  leanbridge help check                  the options of a command\n\n"
      "Arguments after -- are passed to `lake serve --`.");
  try {
    app.parse(static_cast<int>(separator - argv), argv);
  } catch (const CLI::CallForHelp&) {
    if (!asks_about_tool(app, options)) return print_help(innermost_command(app));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    std::fputs(usage_message(app, error, {argv + 1, separator}).c_str(), stderr);
    return 2;
  }
  if (app.got_subcommand("help"))
    if (const auto code = answer_help(app, help_words, options)) return *code;
  const EnvironmentLookup environment = [](const std::string& name) -> std::optional<std::string> {
    std::string value = variable(name.c_str());
    return value.empty() ? std::nullopt : std::optional(std::move(value));
  };
  if (const auto read = of_lean_lsp_mcp.read(environment, options); !read) {
    std::fprintf(stderr, "leanbridge: %s %s\n", read.error().message.c_str(), read.error().hint.c_str());
    return 2;
  }
  auto config = search.read(environment);
  if (!config) {
    std::fprintf(stderr, "leanbridge: %s %s\n", config.error().message.c_str(), config.error().hint.c_str());
    return 2;
  }
  options.search = std::move(*config);
  if (!tools.empty()) options.groups = split(tools);
  options.disabled = split(disabled);
  options.prewarm_files = split_paths(prewarm);
  read_word("LEAN_BUILD_CONCURRENCY", options.builds);
  if (!builds.empty()) options.builds = *value_named<tools::BuildConcurrency>(builds);
  if (!descriptions.empty()) {
    if (!read_descriptions(descriptions, options.descriptions)) return 2;
  } else if (const std::string set = variable("LEAN_MCP_TOOL_DESCRIPTIONS"); !set.empty()) {
    read_descriptions(set, options.descriptions);  // a bad setting of the host must not keep us from starting
  }
  options.flags = given_flags(app);
  options.timeout_given = app.get_option("--timeout")->count() > 0;
  if (call->parsed() && options.command != Command::ToolHelp) options.command = Command::Call;
  if (list->parsed()) options.command = Command::Tools;
  if (doctor->parsed()) options.command = Command::Doctor;
  return std::nullopt;
}

}  // namespace leanbridge::app
