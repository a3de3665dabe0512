#include "typed_tool.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

mcp::ArgumentType argument_type(const wire::ValueType& type) {
  switch (type.type) {
    case wire::Type::Boolean:
      return mcp::ArgumentType::Boolean;
    case wire::Type::Integer:
      return mcp::ArgumentType::Integer;
    case wire::Type::Number:
      return mcp::ArgumentType::Number;
    case wire::Type::Array:
      return mcp::ArgumentType::StringList;
    case wire::Type::Object:
      return mcp::ArgumentType::Object;
    case wire::Type::String:
    case wire::Type::Any:
      break;
  }
  return mcp::ArgumentType::String;
}

std::vector<mcp::Argument> arguments_of(const wire::Fields& fields) {
  std::vector<mcp::Argument> arguments;
  for (const wire::Field* field : wire::members_of(fields)) {
    mcp::Argument argument;
    argument.name = field->name;
    argument.type = argument_type(*field->type);
    argument.required = field->required;
    argument.description = field->description;
    if (field->type->choices) argument.choices = field->type->choices();
    argument.minimum = field->minimum;
    if (field->type->fields) argument.members = arguments_of(field->type->fields());
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

json schema_of(const wire::ValueType& type) {
  switch (type.type) {
    case wire::Type::Boolean:
      return schema::boolean();
    case wire::Type::Integer:
      return schema::integer();
    case wire::Type::Number:
      return schema::number();
    case wire::Type::String:
      return schema::string();
    case wire::Type::Array:
      return schema::list({});
    case wire::Type::Object:
      return schema::object({});
    case wire::Type::Any:
      break;
  }
  return schema::any();
}

}  // namespace

mcp::Tool describe_tool(const ToolInfo& info, const wire::Fields& params, const wire::Fields& output) {
  mcp::Tool tool;
  tool.name = info.name;
  tool.title = info.title;
  tool.group = info.group;
  tool.description = info.description;
  tool.annotations = info.annotations;
  tool.caller_code = info.caller_code;
  tool.waits = info.waits;
  tool.arguments = arguments_of(params);
  // What an answer may lack promises nothing: docs/tools.md has it, and no host has to read it here.
  for (const wire::Field* field : wire::members_of(output)) {
    if (!field->required || !field->listed) continue;
    const json plain = schema_of(*field->type);
    tool.output[field->name] = field->type->nullable ? schema::nullable(plain) : plain;
    tool.always.push_back(field->name);
  }
  return tool;
}

}  // namespace leanbridge::tools
