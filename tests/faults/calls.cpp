#include "calls.hpp"

#include "model_text.hpp"

#include <algorithm>
#include <map>

namespace leanbridge::faults {

using nlohmann::json;

namespace {

std::string some_name(const std::string& content, Random& random) {
  std::vector<std::string> names;
  for (const std::string& line : split_lines(content))
    if (line.starts_with("theorem ")) names.push_back(line.substr(8, line.find(' ', 8) - 8));
  if (names.empty() || random.percent(5)) return "no_such_name";
  return random.of(names);
}

// Arguments are chosen by name, which means the same in all tools, otherwise by type.
json value_for(const wire::Field& field, const std::string& file, const std::string& content, Random& random,
               Texts& texts) {
  const auto lines = static_cast<int>(split_lines(content).size());
  const std::string_view name = field.name;
  if (field.type->choices) {
    const auto choices = field.type->choices();
    return random.of(choices);
  }
  switch (field.type->type) {
    case wire::Type::String:
      if (name == "file_path") return file;
      if (name == "code") return texts.theorem();
      if (name == "tactic" || name == "new_text") return texts.snippet();
      if (name == "expression") return texts.term();
      if (name.find("name") != name.npos || name == "symbol") return some_name(content, random);
      return "t";
    case wire::Type::Integer:
      if (name.find("line") != name.npos) return random.between(1, lines);
      if (name == "column") return random.between(1, 4);
      return std::max(static_cast<int>(field.minimum.value_or(0)), random.between(0, 5));
    case wire::Type::Number:
      return random.between(1, 10);
    case wire::Type::Boolean:
      return random.percent(50);
    case wire::Type::Array:
      return json::array({texts.snippet()});
    case wire::Type::Object: {
      json object = json::object();
      for (const wire::Field* member : wire::members_of(field.type->fields()))
        object[member->name] = value_for(*member, file, content, random, texts);
      return object;
    }
    case wire::Type::Any:
      break;
  }
  return nullptr;
}

}  // namespace

const std::vector<LeftOut>& left_out() {
  static const std::vector<LeftOut> list = {
      {"lean_write_proof",
       "It writes the file, and what has stood in it when is the script's to say: "
       "tests/e2e/build, killed-writes, limits."},
      {"lean_server_health",
       "It tells the memory and the times of this process, which differ from run to run."},
  };
  return list;
}

std::vector<std::string> problems_of_list(const std::vector<mcp::Tool>& all) {
  std::vector<std::string> problems;
  std::set<std::string> names;
  for (const mcp::Tool& tool : all) names.insert(tool.name);
  for (const auto& [tool, why] : left_out()) {
    if (!names.contains(tool))
      problems.push_back(std::string(tool) + " is left out, and there is no such tool");
    if (std::string(why).size() < 20) problems.push_back(std::string(tool) + " is left out without a reason");
  }
  return problems;
}

bool is_known_well(const std::string& tool) {
  static const std::set<std::string> known = {
      "lean_goal", "lean_check",      "lean_check_all",     "lean_sync",  "lean_diagnostic_messages",
      "lean_open", "lean_hover_info", "lean_multi_attempt", "lean_close", "lean_reset"};
  return known.contains(tool);
}

bool tries_texts(const std::string& tool) {
  static const std::set<std::string> trying = {"lean_validate_step",
                                               "lean_check_type",
                                               "lean_about",
                                               "lean_print",
                                               "lean_search",
                                               "lean_locate",
                                               "lean_run_code",
                                               "lean_verify",
                                               "lean_fill",
                                               "lean_profile_proof",
                                               "lean_minimal_hypotheses"};
  return trying.contains(tool);
}

json arguments_from(const mcp::Tool& tool, const std::string& file, const std::string& content,
                    Random& random, Texts& texts) {
  json arguments = json::object();
  for (const wire::Field* field : wire::members_of(tool.arguments))
    if (field->required || random.percent(40))
      arguments[field->name] = value_for(*field, file, content, random, texts);
  return arguments;
}

}  // namespace leanbridge::faults
