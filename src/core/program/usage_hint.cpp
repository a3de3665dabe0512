#include "usage_hint.hpp"

#include "core/base/ascii.hpp"
#include "core/base/joined.hpp"
#include "core/base/similar.hpp"
#include "core/program/help/help.hpp"
#include "core/terminal/cells.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace leanbridge::app {

namespace {

void add_commands_of(const CLI::App& app, std::vector<std::string>& words) {
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_name().empty() && !command->get_group().empty()) words.push_back(command->get_name());
}

void add_options_of(const CLI::App& app, std::vector<std::string>& words) {
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
}

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

std::string hint(const std::vector<std::string>& meant) {
  return meant.empty() ? "" : " " + did_you_mean(meant);
}

// Collects the faults, word by word.
class Complaints {
 public:
  explicit Complaints(const CLI::App& app) : app_(app), command_(&innermost_command(app)) {}

  void add(const std::string& typed) {
    const std::string word = one_line(typed.substr(0, typed.find('=')));
    if (word.starts_with("-"))
      add_option(word);
    else if (expects_command_)
      add_command(word);
    else if (!is_misspelt_)
      line("There is no place for '" + word + "' in " + name_of(*command_) + ".");
  }
  std::string take() { return std::move(text_); }
  const CLI::App& command() const { return *command_; }

 private:
  void add_option(const std::string& word) {
    std::vector<std::string> known;
    add_options_of(*command_, known);
    if (command_ != &app_) add_options_of(app_, known);
    // The command is only misspelt, and its own options are correct.
    if (!has(known, word)) line("There is no option " + word + "." + hint(closest_words(word, known, 2)));
  }

  void add_command(const std::string& word) {
    expects_command_ = false;
    is_misspelt_ = true;
    if (word.starts_with("lean_"))
      return line("There is no command " + word + ". To run a tool: leanbridge call " + word + " ...");
    std::vector<std::string> known;
    add_commands_of(*command_, known);
    const auto meant = closest_words(word, known, 2);
    line("There is no command " + word + "." + hint(meant));
    if (meant.size() == 1) command_ = find_below(meant.front());
  }

  const CLI::App* find_below(const std::string& name) const { return find_command(*command_, {name}); }

  void line(const std::string& sentence) { text_ += "leanbridge: " + sentence + "\n"; }

  const CLI::App& app_;
  const CLI::App* command_;
  bool expects_command_ = !command_->get_subcommands([](const CLI::App*) { return true; }).empty();
  bool is_misspelt_ = false;
  std::string text_;
};

// The pieces of the text around these words, in their order; none if one is missing.
std::vector<std::string> around(std::string_view text, std::initializer_list<std::string_view> words) {
  std::vector<std::string> pieces;
  for (const std::string_view word : words) {
    const std::size_t at = text.find(word);
    if (at == std::string_view::npos) return {};
    pieces.emplace_back(text.substr(0, at));
    text.remove_prefix(at + word.size());
  }
  pieces.emplace_back(text);
  return pieces;
}

// "0.1" for "0.100000"
std::string shortened(std::string number) {
  if (number.find('.') == std::string::npos) return number;
  number.resize(number.find_last_not_of('0') + 1);
  return number.ends_with('.') ? number.substr(0, number.size() - 1) : number;
}

// The sentences of CLI11 2.1 in our words.
std::string said_plainly(const std::string& text, const CLI::App& command) {
  if (const auto part = around(text, {": Value ", " not in range ", " to "}); !part.empty())
    return part[0] + " takes a number from " + shortened(part[2]) + " to " + shortened(part[3]) + ", not '" +
           part[1] + "'";
  if (const auto part = around(text, {": ", " not in {", "}"}); !part.empty()) {
    std::string words;
    for (const char c : part[2]) words += c == ',' ? ", " : std::string(1, c);
    return part[0] + " takes one of " + words + ", not '" + part[1] + "'";
  }
  if (const auto part = around(text, {"Could not convert: ", " = "}); !part.empty())
    return part[1] + " does not take '" + part[2] + "'";
  if (const auto part = around(text, {": At Most ", " required but received "}); !part.empty())
    return part[0] + " takes at most " + part[1] + " values, not " + part[2];
  if (text == "A subcommand is required") {
    std::vector<std::string> words;
    add_commands_of(command, words);
    return "a command is missing: " + joined(words, " or ");
  }
  return text;
}

std::string fault_of(const CLI::ParseError& error, const CLI::App& command) {
  const std::string text = one_line(without_long_numbers(error.what()));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) && text.ends_with("missing"))
    return text.substr(0, text.find(':')) + " needs a value";
  return said_plainly(text, command);
}

}  // namespace

const CLI::App& innermost_command(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().back();
  return *command;
}

std::string usage_message(const CLI::App& app, const CLI::ParseError& error,
                          const std::vector<std::string>& words) {
  Complaints complaints(app);
  const std::vector<std::string> rest = app.remaining(true);
  for (const std::string& word : words)
    if (has(rest, word)) complaints.add(word);
  std::string text = complaints.take();
  const std::string name = name_of(complaints.command());
  const std::string fault = fault_of(error, complaints.command());
  if (text.empty()) text = name + ": " + fault + (fault.ends_with(".") ? "\n" : ".\n");
  const bool is_program = &complaints.command() == &app;
  return text + "Run `leanbridge help" + (is_program ? "" : name.substr(name.find(' '))) + "`.\n";
}

}  // namespace leanbridge::app
