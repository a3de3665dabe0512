#pragma once
/// What a tool is: its name, its arguments (from which the input schema and the checks are made), the shape
/// of its answer, and a coroutine that answers.

#include "leanbridge/io/condition.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::mcp {

enum class ArgumentType { String, Integer, Number, Boolean, StringList, Object };

struct Argument {
  std::string name;
  ArgumentType type = ArgumentType::String;
  bool required = false;
  std::string description;           ///< short: every host pays for it
  std::vector<std::string> choices;  ///< for String: the only values, if not empty
  std::optional<double> minimum;  ///< for Integer and Number; checked, but not worth its bytes in the schema
  std::vector<Argument> members;  ///< for Object: what it has, checked in the same way

  /// The names in the contract's own order: required("file_path", ...), optional("column", ...).
  static Argument required_(std::string name, ArgumentType type, std::string description);
  static Argument optional_(std::string name, ArgumentType type, std::string description);
  Argument& at_least(double value);
  Argument& one_of(std::vector<std::string> values);
  Argument& with(std::vector<Argument> of_object);
};

/// The arguments of one call, checked: required ones are there, types are right, nothing is unknown.
class Arguments {
 public:
  explicit Arguments(nlohmann::json values) : values_(std::move(values)) {}

  bool has(const char* name) const { return values_.contains(name); }
  std::string string(const char* name) const { return values_.at(name).get<std::string>(); }
  std::string string(const char* name, std::string otherwise) const;
  int integer(const char* name) const { return values_.at(name).get<int>(); }
  int integer(const char* name, int otherwise) const { return has(name) ? integer(name) : otherwise; }
  std::optional<int> optional_integer(const char* name) const;
  std::optional<double> optional_number(const char* name) const;
  bool boolean(const char* name, bool otherwise) const;
  std::vector<std::string> strings(const char* name) const;
  const nlohmann::json& values() const { return values_; }
  Arguments object(const char* name) const { return Arguments(values_.at(name)); }

 private:
  nlohmann::json values_;
};

/// Hints for the host; all four are always sent, since their defaults are the cautious ones. They speak of
/// what the tool does, beside what the project's own files do whenever Lean elaborates them (decision 15).
struct Annotations {
  bool read_only = true;
  bool destructive = false;
  bool idempotent = true;
  bool open_world = false;
};

/// How far a wait has come.
struct Progress {
  double done = 0;
  double total = 0;
  std::string message;
};

/// One call under way.
struct Call {
  io::CancelScope scope;
  bool has_timeout = false;  ///< the scope's deadline is the caller's timeout_s, not the server's own
  /// Set by the tool before it waits; asked about once a second while the client wants progress.
  std::function<std::optional<Progress>()> progress;
};

struct Tool {
  using Handler = std::function<asio::awaitable<Result<nlohmann::json>>(std::shared_ptr<Call>, Arguments)>;

  std::string name;
  std::string title;
  std::string group;        ///< "proof", "query", ...: what --tools selects
  std::string description;  ///< at most 3 sentences: when to use it
  std::vector<Argument> arguments;
  nlohmann::json output;            ///< properties of the answer's JSON schema
  std::vector<std::string> always;  ///< those of them that every answer has
  Annotations annotations;
  /// Lean elaborates text of the arguments, which is to say that it runs it: any program. Its annotations are
  /// then those of such a program, whatever `annotations` says, and --no-caller-code leaves it out.
  bool caller_code = false;
  bool waits = true;  ///< takes timeout_s
  Handler handler;
};

/// The hints of the tool as the host gets them.
Annotations hints_of(const Tool& tool);

/// The tool as `tools/list` shows it. Of its output only the outermost members: hosts put all of this into a
/// model's context.
nlohmann::json describe(const Tool& tool);

/// Runs the handler; what it throws becomes an Internal error.
asio::awaitable<Result<nlohmann::json>> run(const Tool* tool, std::shared_ptr<Call> call,
                                            Arguments arguments);

/// Checks `given` (the `arguments` of tools/call) against the tool: aliases (`file`, `col`) are resolved,
/// unknown, missing and wrongly typed arguments give InvalidArgument that names the argument and what is
/// accepted; so do the members of an object, as `goal_at.line`.
Result<Arguments> check_arguments(const Tool& tool, nlohmann::json given);

/// The arguments of a call from words of a command line, each NAME=VALUE. A value is read as JSON where that
/// fits the argument's type, else it is the string as it stands; a list argument may be given several times.
/// InvalidArgument for a word without `=` and for one argument given twice. What else is wrong is for
/// check_arguments() to say.
Result<nlohmann::json> arguments_from_words(const Tool& tool, const std::vector<std::string>& words);

/// Short JSON schemas for `Tool::output`.
namespace schema {
nlohmann::json string();
nlohmann::json integer();
nlohmann::json number();
nlohmann::json boolean();
nlohmann::json any();  ///< any value, null included
nlohmann::json list(nlohmann::json item);
nlohmann::json object(nlohmann::json properties);  ///< with these properties, none required, others allowed
/// The schema or null, said with anyOf: type arrays are valid, but not every host's dialect has them.
nlohmann::json nullable(nlohmann::json schema);
}  // namespace schema

}  // namespace leanbridge::mcp
