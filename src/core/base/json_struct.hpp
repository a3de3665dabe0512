#pragma once
/// Structs that are JSON objects on the wire. A struct lists its members once, in a static function
/// `fields()`. Checking, schema, reading and writing all derive from that list, and naming a member that does
/// not exist does not compile:
///
///     struct HoverParams {
///       FilePosition at;
///       std::optional<int> limit;
///       static wire::Fields fields() {
///         return {wire::flatten<&HoverParams::at>(),
///                 wire::field<&HoverParams::limit>("Show at most").at_least(1)};
///       }
///     };
///
/// Member types, with their JSON where it is not obvious: bool, int, std::int64_t, std::size_t, double,
/// std::string; an enum with names_of(); a struct with fields(); std::vector and std::array (array); std::map
/// from std::string (object); std::optional (absent when empty); wire::Nullable (null when empty);
/// nlohmann::json (any value); std::variant of these (written only).
///
/// An object can be written in brief: without members that carry no information. Each field declares when it
/// can be left out (omit_empty(), omit_value(), only_if(), only_full()). Brief lists leave out the items for
/// which `is_noise()` is true; give their number beside the list.

#include "enum_names.hpp"
#include <nlohmann/json.hpp>

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace leanbridge::wire {

/// A value that is null in JSON when it is empty, where an empty std::optional is absent. It does not derive
/// from std::optional, because an optional of these would confuse an empty one with its own emptiness.
template <class T>
class Nullable {
 public:
  Nullable() = default;
  // Implicit, like those of std::optional.
  Nullable(std::nullopt_t) {}                                     // NOLINT(google-explicit-constructor)
  Nullable(T value) : value_(std::move(value)) {}                 // NOLINT(google-explicit-constructor)
  Nullable(std::optional<T> value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor)

  bool has_value() const { return value_.has_value(); }
  explicit operator bool() const { return has_value(); }
  const T& operator*() const { return *value_; }
  T& operator*() { return *value_; }
  const T* operator->() const { return &*value_; }
  T* operator->() { return &*value_; }

  friend bool operator==(const Nullable&, const Nullable&) = default;

 private:
  std::optional<T> value_;
};

/// How much a written object contains.
enum class Detail { Full, Brief };

enum class Type { Any, Boolean, Integer, Number, String, Array, Object };

struct Field;
using Fields = std::vector<Field>;

/// The JSON form of a C++ type.
struct ValueType {
  Type type = Type::Any;
  bool optional = false;                            ///< may be absent
  bool nullable = false;                            ///< may be null
  bool wide = false;                                ///< an Integer of 64 bits
  std::vector<std::string> (*choices)() = nullptr;  ///< for an enum
  const ValueType* item = nullptr;                  ///< for an Array
  const Fields& (*fields)() = nullptr;              ///< for a struct

  /// Reads a value that has been checked; throws nlohmann::json::exception if it has another type.
  void (*read)(const nlohmann::json& from, void* value) = nullptr;
  nlohmann::json (*write)(const void* value, Detail detail) = nullptr;
  bool (*is_absent)(const void* value) = nullptr;  ///< for an `optional` type
};

namespace detail {
template <auto Member>
struct MemberOf;
template <class S, class T, T S::*Member>
struct MemberOf<Member> {
  using Struct = S;
  using Value = T;
};

/// "limit" of `&HoverParams::limit`: Clang ends the name of this function with `::limit]`, GCC with `::limit;
/// …]`.
template <auto Member>
consteval std::string_view name_of_member() {
  constexpr std::string_view text = __PRETTY_FUNCTION__;
  constexpr std::size_t begin = text.find("Member = &");
  constexpr std::string_view member = text.substr(begin, text.find_first_of(";]", begin) - begin);
  return member.substr(member.rfind(':') + 1);
}
}  // namespace detail

/// The condition under which a brief object has a member.
enum class InBrief { Always, IfNotEmpty, IfNotOmittedValue, IfMember, Never };

/// One member of a struct. It is a constant, so that a list of them costs a compiler next to nothing.
struct Field {
  using Omitted = std::variant<std::nullptr_t, bool, std::string_view>;

  std::string_view name;
  std::string_view description;  ///< for the model or person that fills it in; short, since hosts pay for
                                 ///< every word
  const ValueType* type = nullptr;
  const void* (*get)(const void* object) = nullptr;
  void* (*edit)(void* object) = nullptr;
  bool required = true;           ///< present in every object
  bool flattened = false;         ///< its own members appear in its place
  bool listed = true;             ///< shown in the struct's schema
  std::optional<double> minimum;  ///< for a number
  InBrief in_brief = InBrief::Always;
  Omitted omitted_value;                            ///< for IfNotOmittedValue
  bool (*says_more)(const void* object) = nullptr;  ///< for IfMember

  /// Makes the field optional: if it is absent, the struct's own initializer is the value.
  consteval Field with_default() const {
    Field field = *this;
    field.required = false;
    return field;
  }
  consteval Field at_least(double value) const {
    Field field = *this;
    field.minimum = value;
    return field;
  }
  /// Leaves the field out of the schema: it is in every answer, and no client needs to know.
  consteval Field unlisted() const {
    Field field = *this;
    field.listed = false;
    return field;
  }

  /// Brief objects lack the field while it is false, 0, null or empty.
  consteval Field omit_empty() const {
    Field field = *this;
    field.in_brief = InBrief::IfNotEmpty;
    return field;
  }
  /// Brief objects lack the field while it has this value.
  consteval Field omit_value(Omitted value) const {
    Field field = *this;
    field.in_brief = InBrief::IfNotOmittedValue;
    field.omitted_value = value;
    return field;
  }
  /// Brief objects have the field only if that member of the same struct is true, or has a value.
  template <auto Member>
  consteval Field only_if() const {
    using Struct = typename detail::MemberOf<Member>::Struct;
    Field field = *this;
    field.in_brief = InBrief::IfMember;
    field.says_more = [](const void* object) {
      return static_cast<bool>(static_cast<const Struct*>(object)->*Member);
    };
    return field;
  }
  /// Brief objects lack the field: it repeats an argument, or few callers need it.
  consteval Field only_full() const {
    Field field = *this;
    field.in_brief = InBrief::Never;
    return field;
  }

  /// Whether every object has the field, brief ones too.
  bool always_present() const { return required && in_brief == InBrief::Always; }
};

/// The fields with flattened ones replaced by their members.
std::vector<const Field*> members_of(const Fields& fields);

/// Whether a value has the type. Items of arrays are checked, members of objects are not.
bool has_type(const nlohmann::json& value, const ValueType& type);

namespace detail {

nlohmann::json write_object(const Fields& fields, const void* object, Detail detail);
void read_object(const Fields& fields, const nlohmann::json& from, void* object);
/// The value without the parts that do not have their types.
nlohmann::json fitting(const nlohmann::json& value, const ValueType& type);

template <class T>
struct Traits;

}  // namespace detail

/// The JSON form of T.
template <class T>
inline constexpr ValueType kValueType = detail::Traits<T>::type();

template <class T>
constexpr const ValueType& value_type() {
  return kValueType<T>;
}

/// The fields of a struct, listed once.
template <class T>
const Fields& fields_of() {
  static const Fields fields = T::fields();
  return fields;
}

template <class T>
nlohmann::json write(const T& value, Detail detail = Detail::Full) {
  return value_type<T>().write(&value, detail);
}

/// Reads JSON that has been checked; throws nlohmann::json::exception if it does not fit.
template <class T>
T read(const nlohmann::json& from) {
  T value{};
  value_type<T>().read(from, &value);
  return value;
}

/// Reads JSON that has not been checked: skips members and items of lists that have another type, so that the
/// value keeps its own.
template <class T>
void read_fitting(const nlohmann::json& from, T& value) {
  value_type<T>().read(detail::fitting(from, value_type<T>()), &value);
}

namespace detail {

template <class T>
struct Traits {
  static constexpr ValueType type() {
    ValueType type;
    if constexpr (std::is_enum_v<T>) {
      type.type = Type::String;
      type.choices = [] {
        std::vector<std::string> choices;
        for (const auto& [value, name] : names_of(T{})) choices.emplace_back(name);
        return choices;
      };
      type.read = [](const nlohmann::json& from, void* value) {
        const auto& text = from.get_ref<const std::string&>();
        for (const auto& [each, name] : names_of(T{}))
          if (text == name) *static_cast<T*>(value) = each;
      };
      type.write = [](const void* value, Detail) {
        return nlohmann::json(name_of(*static_cast<const T*>(value)));
      };
    } else if constexpr (requires { T::fields(); }) {
      type.type = Type::Object;
      type.fields = []() -> const Fields& { return fields_of<T>(); };
      type.read = [](const nlohmann::json& from, void* value) { read_object(fields_of<T>(), from, value); };
      type.write = [](const void* value, Detail detail) {
        return write_object(fields_of<T>(), value, detail);
      };
    } else {
      if constexpr (std::is_same_v<T, bool>)
        type.type = Type::Boolean;
      else if constexpr (std::is_integral_v<T>) {
        type.type = Type::Integer;
        type.wide = sizeof(T) > sizeof(int);
      } else if constexpr (std::is_floating_point_v<T>)
        type.type = Type::Number;
      else if constexpr (std::is_same_v<T, std::string>)
        type.type = Type::String;
      else
        static_assert(std::is_same_v<T, nlohmann::json>, "this type has no JSON form");
      type.read = [](const nlohmann::json& from, void* value) { *static_cast<T*>(value) = from.get<T>(); };
      type.write = [](const void* value, Detail) { return nlohmann::json(*static_cast<const T*>(value)); };
    }
    return type;
  }
};

template <class T>
struct Traits<std::optional<T>> {
  static constexpr ValueType type() {
    ValueType type = kValueType<T>;
    type.optional = true;
    type.is_absent = [](const void* value) {
      return !static_cast<const std::optional<T>*>(value)->has_value();
    };
    type.read = [](const nlohmann::json& from, void* value) {
      *static_cast<std::optional<T>*>(value) = wire::read<T>(from);
    };
    type.write = [](const void* value, Detail detail) {
      return wire::write(**static_cast<const std::optional<T>*>(value), detail);
    };
    return type;
  }
};

template <class T>
struct Traits<Nullable<T>> {
  static constexpr ValueType type() {
    ValueType type = kValueType<T>;
    type.nullable = true;
    type.read = [](const nlohmann::json& from, void* value) {
      auto& target = *static_cast<Nullable<T>*>(value);
      target = from.is_null() ? Nullable<T>() : Nullable<T>(wire::read<T>(from));
    };
    type.write = [](const void* value, Detail detail) {
      const auto& source = *static_cast<const Nullable<T>*>(value);
      return source ? wire::write(*source, detail) : nlohmann::json();
    };
    return type;
  }
};

template <class T>
bool is_noise(const T& item) {
  if constexpr (requires { item.is_noise(); })
    return item.is_noise();
  else
    return false;
}

template <class T>
struct Traits<std::vector<T>> {
  static constexpr ValueType type() {
    ValueType type;
    type.type = Type::Array;
    type.item = &kValueType<T>;
    type.read = [](const nlohmann::json& from, void* value) {
      auto& list = *static_cast<std::vector<T>*>(value);
      list.clear();
      for (const nlohmann::json& item : from) list.push_back(wire::read<T>(item));
    };
    type.write = [](const void* value, Detail detail) {
      nlohmann::json list = nlohmann::json::array();
      for (const T& item : *static_cast<const std::vector<T>*>(value))
        if (detail == Detail::Full || !is_noise(item)) list.push_back(wire::write(item, detail));
      return list;
    };
    return type;
  }
};

template <class T>
struct Traits<std::map<std::string, T>> {
  static constexpr ValueType type() {
    ValueType type;
    type.type = Type::Object;
    type.read = [](const nlohmann::json& from, void* value) {
      auto& map = *static_cast<std::map<std::string, T>*>(value);
      map.clear();
      for (const auto& [name, item] : from.items()) map.emplace(name, wire::read<T>(item));
    };
    type.write = [](const void* value, Detail detail) {
      nlohmann::json object = nlohmann::json::object();
      for (const auto& [name, item] : *static_cast<const std::map<std::string, T>*>(value))
        object[name] = wire::write(item, detail);
      return object;
    };
    return type;
  }
};

template <class T, std::size_t N>
struct Traits<std::array<T, N>> {
  static constexpr ValueType type() {
    ValueType type;
    type.type = Type::Array;
    type.item = &kValueType<T>;
    type.read = [](const nlohmann::json& from, void* value) {
      for (std::size_t i = 0; i < N; ++i)
        (*static_cast<std::array<T, N>*>(value))[i] = wire::read<T>(from.at(i));
    };
    type.write = [](const void* value, Detail detail) {
      nlohmann::json list = nlohmann::json::array();
      for (const T& item : *static_cast<const std::array<T, N>*>(value))
        list.push_back(wire::write(item, detail));
      return list;
    };
    return type;
  }
};

template <class... T>
struct Traits<std::variant<T...>> {
  static constexpr ValueType type() {
    ValueType type;
    type.write = [](const void* value, Detail detail) {
      return std::visit([detail](const auto& each) { return wire::write(each, detail); },
                        *static_cast<const std::variant<T...>*>(value));
    };
    return type;
  }
};

}  // namespace detail

/// A member with another name on the wire. It is required unless it is a std::optional.
template <auto Member>
consteval Field named_field(std::string_view name, std::string_view description = {}) {
  using Struct = typename detail::MemberOf<Member>::Struct;
  const ValueType& type = kValueType<typename detail::MemberOf<Member>::Value>;
  Field field;
  field.name = name;
  field.description = description;
  field.type = &type;
  field.get = [](const void* object) -> const void* {
    return &(static_cast<const Struct*>(object)->*Member);
  };
  field.edit = [](void* object) -> void* { return &(static_cast<Struct*>(object)->*Member); };
  field.required = !type.optional;
  return field;
}

/// A member with the same name on the wire.
template <auto Member>
consteval Field field(std::string_view description = {}) {
  return named_field<Member>(detail::name_of_member<Member>(), description);
}

/// Members that have no description and no conditions.
template <auto... Members>
Fields fields() {
  static constexpr Field all[] = {field<Members>()...};
  return {std::begin(all), std::end(all)};
}

/// A struct as a member: its own members take its place in the object.
template <auto Member>
consteval Field flatten() {
  Field part = field<Member>();
  part.flattened = true;
  return part;
}

}  // namespace leanbridge::wire
