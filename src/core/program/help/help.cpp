#include "help.hpp"

#include "core/base/joined.hpp"
#include "core/program/documents.hpp"
#include "core/terminal/cells.hpp"
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace leanbridge::app {

using nlohmann::json;

namespace {

constexpr std::size_t kColumn = 26;     // the column where explanations of options begin
constexpr std::size_t kNarrow = 72;     // in a narrower window, explanations begin on the line below the
                                        // option
constexpr std::size_t kMaxWidth = 110;  // longer lines are hard to read
constexpr std::size_t kIndent = 2, kFarIndent = 6;
constexpr const char* kTagline = "a live Lean 4 proof session for AI agents, over MCP";

// --- reading an app

struct Example {
  std::string command, meaning;
};

struct Notes {
  std::vector<Example> examples;
  std::vector<std::string> paragraphs;
};

Notes notes_of(const CLI::App& command) {
  Notes notes;
  const std::string footer = command.get_footer();
  for (std::size_t at = 0; at < footer.size();) {
    const std::size_t end = std::min(footer.find('\n', at), footer.size());
    const std::string line = footer.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("  ")) {
      const std::size_t start = line.find_first_not_of(' ');
      const std::size_t gap = std::min(line.find("  ", start), line.size());
      const std::size_t meaning = std::min(line.find_first_not_of(' ', gap), line.size());
      notes.examples.push_back({line.substr(start, gap - start), line.substr(meaning)});
    } else if (!line.empty()) {
      notes.paragraphs.push_back(line);
    }
  }
  return notes;
}

// The name of an option's value, and its possible words: "N", "FILE", "text|json". CLI11 has both in one
// text, such as "INT:INT in [1 - 64]" or "TEXT:{text,json}".
struct ValueName {
  std::string name;  // empty: the option is a flag
  std::vector<std::string> choices;
};

ValueName value_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return {};
  const std::string whole = option.get_type_name();
  const std::size_t colon = std::min(whole.find(':'), whole.size());
  ValueName value{whole.substr(0, colon), {}};
  const std::size_t open = whole.find('{', colon), close = whole.find('}', std::min(open, whole.size()));
  if (open != std::string::npos && close != std::string::npos)
    value.choices = CLI::detail::split(whole.substr(open + 1, close - open - 1), ',');
  if (value.name == "INT" || value.name == "UINT") value.name = "N";
  if (value.name == "FLOAT") value.name = "SECONDS";
  if (value.name == "TEXT" && whole.substr(colon) == ":DIR") value.name = "DIR";
  if (value.name == "TEXT" && !value.choices.empty()) value.name = joined(value.choices, "|");
  return value;
}

// For shell completion: the kind of the value.
std::string kind_of(const ValueName& value) {
  if (value.name.empty()) return "flag";
  if (!value.choices.empty()) return "choice";
  if (value.name == "N" || value.name == "MB" || value.name == "SECONDS") return "number";
  if (value.name == "DIR") return "folder";
  return value.name == "FILE" || value.name == "TEXT" ? "file" : "text";
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

bool is_positional(const CLI::Option& option) {
  return option.get_positional();
}

std::vector<const CLI::Option*> options_of(const CLI::App& command, bool positional) {
  std::vector<const CLI::Option*> options;
  for (const CLI::Option* option : command.get_options())
    if (!option->get_group().empty() && is_positional(*option) == positional) options.push_back(option);
  return options;
}

std::vector<const CLI::App*> commands_of(const CLI::App& command) {
  std::vector<const CLI::App*> all;
  for (const CLI::App* each : command.get_subcommands([](const CLI::App*) { return true; }))
    if (!each->get_name().empty() && !each->get_group().empty()) all.push_back(each);
  return all;
}

std::string usage_of(const CLI::App& command) {
  std::string usage = name_of(command) + " [OPTIONS]";
  const bool has_commands = !commands_of(command).empty();
  if (has_commands) usage += command.get_require_subcommand_min() > 0 ? " COMMAND" : " [COMMAND]";
  for (const CLI::Option* option : options_of(command, true)) {
    const std::string name = option->get_name() + (option->get_items_expected_max() > 1 ? "..." : "");
    usage += option->get_required() ? " " + name : " [" + name + "]";
  }
  return usage;
}

// The distinct groups, in the order of their first items.
template <class Items, class GroupOf>
std::vector<std::string> groups_of(const Items& items, const GroupOf& group_of) {
  std::vector<std::string> groups;
  for (const auto* item : items)
    if (std::ranges::find(groups, group_of(*item)) == groups.end()) groups.push_back(group_of(*item));
  return groups;
}

// --- as text

class Page {
 public:
  explicit Page(const HelpLayout& layout) : width_(std::min(layout.width, kMaxWidth)), paint_(layout.paint) {}

  void paragraph(const std::string& text) { text_ += wrapped_block(with_documents(text), width_, 0); }
  void blank() { text_ += "\n"; }
  void heading(const std::string& title) {
    text_ += "\n";
    for (const std::string& line : wrapped(title + ":", width_)) text_ += paint_(Style::Heading, line) + "\n";
  }

  // Prints `left` and its explanation, beside it if there is room.
  void entry(const std::string& left, const std::string& placeholder, const std::string& meaning,
             std::size_t column) {
    const std::string whole = left + (placeholder.empty() ? "" : " " + placeholder);
    const bool is_beside = width_ >= kNarrow || column < kColumn;
    const std::size_t indent = is_beside ? column : kFarIndent;
    const std::string explained = wrapped_block(with_documents(meaning), width_, indent);
    const std::string shown = std::string(kIndent, ' ') + paint_(Style::Name, left) +
                              (placeholder.empty() ? "" : " " + paint_(Style::Faint, placeholder));
    const std::size_t used = kIndent + cells_of(whole);
    if (meaning.empty())
      text_ += shown + "\n";
    else if (used + 2 <= indent && is_beside)
      text_ += shown + explained.substr(used);
    else
      text_ += shown + "\n" + explained;
  }

  // Prints a command behind its group. If its whole explanation does not fit beside it, what precedes a
  // colon.
  void row(const std::string& group, const std::string& name, std::string meaning) {
    constexpr std::size_t kGroup = 10, kName = 9, kMeaning = kIndent + kGroup + kName;
    if (kMeaning + cells_of(meaning) > width_) meaning.resize(std::min(meaning.find(": "), meaning.size()));
    text_ += std::string(kIndent, ' ') + paint_(Style::Heading, fitted(group, kGroup)) +
             paint_(Style::Name, fitted(name, kName)) +
             wrapped_block(meaning, width_, kMeaning).substr(kMeaning);
  }

  // Prints commands to copy: never broken, explained behind or below.
  void examples(const std::vector<Example>& examples) {
    std::size_t column = 0, widest = 0;
    for (const Example& each : examples) {
      column = std::max(column, cells_of(each.command) + kIndent + 2);
      widest = std::max(widest, cells_of(each.meaning));
    }
    const bool is_beside = column + widest <= width_;
    for (const Example& each : examples) {
      text_ += std::string(kIndent, ' ') + paint_(Style::Name, each.command);
      if (!each.meaning.empty() && is_beside)
        text_ += std::string(column - kIndent - cells_of(each.command), ' ') + each.meaning;
      text_ += "\n";
      if (!each.meaning.empty() && !is_beside) text_ += wrapped_block(each.meaning, width_, kFarIndent);
    }
  }
  std::string take() { return std::move(text_); }

 private:
  std::size_t width_;
  Paint paint_;
  std::string text_;
};

// The commands of the program in the groups of --help.
const std::vector<std::pair<const char*, std::vector<std::string>>>& command_groups() {
  static const std::vector<std::pair<const char*, std::vector<std::string>>> groups = {
      {"To begin", {"setup", "doctor", "view", "help"}},
      {"Proofs", {"goal", "try", "todo", "check", "fill", "imports", "search", "diff", "certify", "approve"}},
      {"Tools", {"tools", "call"}},
      {"Servers", {"serve", "status", "mcp"}},
      {"Data", {"index"}}};
  return groups;
}

void add_commands(const CLI::App& command, Page& page) {
  auto commands = commands_of(command);
  std::size_t column = 0;
  for (const CLI::App* each : commands) column = std::max(column, each->get_name().size() + 2 * kIndent);
  if (command.get_parent() == nullptr)
    for (const auto& [title, names] : command_groups()) {
      bool is_headed = false;
      for (const std::string& name : names) {
        const CLI::App* each = find_command(command, {name});
        if (!each) continue;
        if (!is_headed) page.heading(title);
        is_headed = true;
        page.entry(name, "", each->get_description(), column);
        commands.erase(std::ranges::find(commands, each));
      }
    }
  if (!commands.empty()) page.heading("Commands");
  for (const CLI::App* each : commands) page.entry(each->get_name(), "", each->get_description(), column);
}

void add_options(const CLI::App& command, Page& page) {
  const auto options = options_of(command, false);
  const auto group_of = [](const CLI::Option& each) { return each.get_group(); };
  for (const std::string& group : groups_of(options, group_of)) {
    page.heading(with_documents(group));
    for (const CLI::Option* option : options)
      if (option->get_group() == group)
        page.entry(joined(names_of(*option)), value_of(*option).name, option->get_description(), kColumn);
  }
}

}  // namespace

std::string name_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent ? name_of(*parent) + " " + command.get_name() : command.get_name();
}

const CLI::App* find_command(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  for (const std::string& word : words) {
    const auto commands = commands_of(*command);
    const auto found =
        std::ranges::find_if(commands, [&](const CLI::App* each) { return each->get_name() == word; });
    if (found == commands.end()) return nullptr;
    command = *found;
  }
  return command;
}

std::string help_text(const CLI::App& command, const HelpLayout& layout) {
  Page page(layout);
  const bool is_program = command.get_parent() == nullptr;
  page.paragraph(is_program ? std::string("leanbridge: ") + kTagline + "." : command.get_description() + ".");
  page.blank();
  page.paragraph("Usage: " + usage_of(command));
  if (is_program) page.paragraph("Without a command it serves the host that starts it, on stdin and stdout.");
  add_commands(command, page);
  const Notes notes = notes_of(command);
  if (!notes.examples.empty()) {
    page.heading("Examples");
    page.examples(notes.examples);
  }
  if (const auto positionals = options_of(command, true); !positionals.empty()) {
    page.heading("Arguments");
    for (const CLI::Option* each : positionals)
      page.entry(each->get_name(), "", each->get_description(), kColumn);
  }
  add_options(command, page);
  for (const std::string& paragraph : notes.paragraphs) {
    page.blank();
    page.paragraph(paragraph);
  }
  if (!is_program) {
    page.blank();
    page.paragraph("The options of the server can be given, too: leanbridge --help.");
  }
  return page.take();
}

std::string overview_text(const CLI::App& program, const HelpLayout& layout) {
  Page page(layout);
  page.paragraph(std::string("leanbridge: ") + kTagline + ".");
  for (const auto& [title, names] : command_groups()) {
    std::string group = title;
    for (const std::string& name : names)
      if (const CLI::App* command = find_command(program, {name}))
        page.row(std::exchange(group, ""), name, command->get_description());
  }
  page.blank();
  page.paragraph("leanbridge help NAME explains a command or a tool; --help has all options too.");
  return page.take();
}

std::string tool_help_text(const mcp::Tool& tool, const HelpLayout& layout) {
  Page page(layout);
  page.paragraph(tool.description);
  page.blank();
  const auto arguments = wire::members_of(tool.arguments);
  const bool has_place =
      std::ranges::any_of(arguments, [](const auto* each) { return each->name == "line"; });
  page.paragraph("Usage: leanbridge call " + tool.name +
                 (has_place ? " [FILE[:LINE[:COLUMN]]] [NAME=VALUE...]" : " [NAME=VALUE...]"));
  page.heading("Arguments");
  std::size_t column = 0;
  for (const wire::Field* each : arguments) column = std::max(column, each->name.size() + 2 * kIndent);
  for (const wire::Field* each : arguments) {
    std::string meaning(each->description);
    if (each->type && each->type->choices)
      meaning +=
          fmt::format("{}one of {}", meaning.empty() ? "" : "; ", fmt::join(each->type->choices(), ", "));
    if (each->required) meaning += meaning.empty() ? "required" : " (required)";
    page.entry(std::string(each->name), "", meaning, std::min(column, kColumn - 1));
  }
  page.blank();
  page.paragraph("Every tool also takes timeout_s and verbose.");
  return page.take();
}

std::string greeting_text(const HelpLayout& layout) {
  Page page(layout);
  page.paragraph(std::string("leanbridge " LEANBRIDGE_VERSION ": ") + kTagline + ".");
  page.blank();
  page.paragraph("A host starts it: Claude Code, Codex, Cursor, VS Code and others. To begin:");
  page.examples({{"leanbridge setup", "connect a host"},
                 {"leanbridge doctor", "is all well? what to do if not"},
                 {"leanbridge view Foo.lean", "its goals in your browser"},
                 {"leanbridge help", "all commands"}});
  return page.take();
}

json help_json(const CLI::App& command) {
  json positionals = json::array(), options = json::array(), examples = json::array(),
       commands = json::array();
  for (const CLI::Option* each : options_of(command, true))
    positionals.push_back({{"name", each->get_name()}, {"help", each->get_description()}});
  for (const CLI::Option* each : options_of(command, false)) {
    const ValueName value = value_of(*each);
    options.push_back({{"names", names_of(*each)},
                       {"value", value.name},
                       {"kind", kind_of(value)},
                       {"choices", value.choices},
                       {"group", each->get_group()},
                       {"help", each->get_description()}});
  }
  const Notes notes = notes_of(command);
  for (const Example& each : notes.examples) examples.push_back({each.command, each.meaning});
  for (const CLI::App* each : commands_of(command)) commands.push_back(help_json(*each));
  return {{"words", CLI::detail::split(name_of(command), ' ')},
          {"summary", command.get_description()},
          {"usage", usage_of(command)},
          {"positionals", std::move(positionals)},
          {"options", std::move(options)},
          {"examples", std::move(examples)},
          {"notes", notes.paragraphs},
          {"commands", std::move(commands)}};
}

}  // namespace leanbridge::app
