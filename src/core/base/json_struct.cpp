#include "json_struct.hpp"

#include "ordered_json.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace leanbridge::wire {

using nlohmann::json;

std::vector<const Field*> members_of(const Fields& fields) {
  std::vector<const Field*> members;
  for (const Field& field : fields) {
    if (!field.flattened) {
      members.push_back(&field);
      continue;
    }
    const auto parts = members_of(field.type->fields());
    members.insert(members.end(), parts.begin(), parts.end());
  }
  return members;
}

namespace {

// Clients also write whole numbers as 3.0.
bool is_whole(const json& value, bool wide) {
  if (!value.is_number()) return false;
  constexpr double kExact = 9e15;  // whole numbers below are exact
  const double number = value.get<double>();
  return std::floor(number) == number && number >= (wide ? -kExact : std::numeric_limits<int>::min()) &&
         number <= (wide ? kExact : std::numeric_limits<int>::max());
}

}  // namespace

bool has_type(const json& value, const ValueType& type) {
  if (type.nullable && value.is_null()) return true;
  switch (type.type) {
    case Type::Any:
      return true;
    case Type::Boolean:
      return value.is_boolean();
    case Type::Integer:
      return is_whole(value, type.wide);
    case Type::Number:
      return value.is_number();
    case Type::String:
      return value.is_string();
    case Type::Array:
      return value.is_array() && std::ranges::all_of(value, [&](const json& item) {
               return !type.item || has_type(item, *type.item);
             });
    case Type::Object:
      return value.is_object();
  }
  return false;
}

namespace detail {

namespace {

bool is_empty(const json& value) {
  if (value.is_boolean()) return !value.get<bool>();
  if (value.is_number()) return value == 0;
  if (value.is_string()) return value.get_ref<const std::string&>().empty();
  return value.empty();  // null, lists, objects
}

// Whether an object in brief has the member.
bool is_in_brief(const Field& field, const void* object, const json& value) {
  switch (field.in_brief) {
    case InBrief::Always:
      return true;
    case InBrief::IfNotEmpty:
      return !is_empty(value);
    case InBrief::IfNotOmittedValue:
      return std::visit([&](const auto omitted) { return value != json(omitted); }, field.omitted_value);
    case InBrief::IfMember:
      return field.says_more(object);
    case InBrief::Never:
      return false;
  }
  return true;
}

void write_members(json& target, const Fields& fields, const void* object, Detail detail) {
  for (const Field& field : fields) {
    const void* member = field.get(object);
    if (field.flattened) {
      write_members(target, field.type->fields(), member, detail);
      continue;
    }
    if (field.type->is_absent && field.type->is_absent(member)) continue;
    json value = field.type->write(member, detail);
    if (detail == Detail::Full || is_in_brief(field, object, value)) target[field.name] = std::move(value);
  }
}

}  // namespace

json write_object(const Fields& fields, const void* object, Detail detail) {
  json target = json::object();
  write_members(target, fields, object, detail);
  return target;
}

void read_object(const Fields& fields, const json& from, void* object) {
  for (const Field& field : fields) {
    if (field.flattened)
      read_object(field.type->fields(), from, field.edit(object));
    else if (const auto found = from.find(field.name); found != from.end())
      field.type->read(*found, field.edit(object));
  }
}

json fitting(const json& value, const ValueType& type) {
  const auto fits = [](const json& part, const ValueType& wanted) {
    return wanted.type == Type::Array ? part.is_array() : has_type(part, wanted);
  };
  if (type.fields) {
    json object = json::object();
    for (const Field* field : members_of(type.fields()))
      if (const auto found = value.find(field->name); found != value.end() && fits(*found, *field->type))
        object[field->name] = fitting(*found, *field->type);
    return object;
  }
  if (!type.item || !value.is_array()) return value;
  json list = json::array();
  for (const json& item : value)
    if (fits(item, *type.item)) list.push_back(fitting(item, *type.item));
  return list;
}

}  // namespace detail

namespace {

std::string plain(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

void append_value(std::string& text, const json& value, const ValueType* type);

void append_object(std::string& text, const json& object, const Fields& fields) {
  text += '{';
  const auto append = [&](const std::string& name, const json& value, const ValueType* type) {
    if (text.back() != '{') text += ',';
    text += plain(name) + ':';
    append_value(text, value, type);
  };
  const std::vector<const Field*> members = members_of(fields);
  for (const Field* field : members)
    if (const auto found = object.find(field->name); found != object.end())
      append(found.key(), *found, field->type);
  for (const auto& [name, value] : object.items())
    if (std::ranges::none_of(members, [&](const Field* field) { return field->name == name; }))
      append(name, value, nullptr);
  text += '}';
}

void append_value(std::string& text, const json& value, const ValueType* type) {
  if (value.is_object() && type && type->fields) return append_object(text, value, type->fields());
  if (!value.is_array() || !type || !type->item) {
    text += plain(value);
    return;
  }
  text += '[';
  for (const json& item : value) {
    if (&item != &value.front()) text += ',';
    append_value(text, item, type->item);
  }
  text += ']';
}

}  // namespace

std::string dump_in_order(const json& object, const Fields& fields) {
  std::string text;
  append_object(text, object, fields);
  return text;
}

}  // namespace leanbridge::wire
