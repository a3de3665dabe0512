#pragma once
/// The common conventions of commands: exit codes, JSON, errors, questions. src/core/terminal handles the
/// terminal itself.

#include "core/base/error.hpp"
#include "core/terminal/cells.hpp"
#include "core/terminal/table.hpp"
#include "core/terminal/terminal.hpp"
#include <nlohmann/json.hpp>

#include <cstdio>
#include <string>

namespace leanbridge::app {

/// Exit codes; 0 is success.
inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;
inline constexpr int kUndecided = 3;  ///< no objection, but some of it could not be judged
inline constexpr int kRefuted = 4;    ///< the negation is proved
inline constexpr int kFilled = 5;     ///< proved, with definitions filled in that a person has to read
inline constexpr int kInterrupted = 130;

/// Prints on stdout: indented on a terminal, on one line otherwise.
void print_json(const nlohmann::json& value);

/// Prints a paragraph: wrapped on a terminal, on one line otherwise. `start` precedes the first line, and the
/// other lines are indented by as much. If the start takes half of the window, or if a word beside it would
/// have to be broken, all lines begin below it.
void print_paragraph(std::FILE* stream, const std::string& text, const std::string& start = "");

/// {"kind", "message", "hint"}, as in a tool error.
nlohmann::json error_json(const Error& error);

/// Prints on stderr, on one line.
void print_error(const Error& error);
/// Prints the error and returns kUsage.
int usage(const Error& error);
/// Prints the error and returns the exit code: kUsage for InvalidArgument, which means a wrong command line,
/// kFailed otherwise.
int report(const Error& error);

/// Prints the error, as JSON on stdout if the command prints JSON, and returns the exit code of a command
/// that judges: kUsage for a wrong command line or file, kUndecided otherwise.
int report_undecided(const Error& error, bool as_json);

/// Whether a person can see the output and answer: all three streams are terminals.
bool is_interactive();
/// Asks on stderr. Returns the answer, trimmed; empty at the end of the input.
std::string asked(const std::string& question);
/// Asks for agreement. True only for a yes.
bool agreed(const std::string& question);

}  // namespace leanbridge::app
