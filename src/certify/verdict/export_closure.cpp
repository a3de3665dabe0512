#include "export_closure.hpp"

#include "core/base/error.hpp"
#include "core/base/sha256.hpp"
#include "core/base/try.hpp"
#include "core/olean/constant_reader.hpp"
#include "core/olean/terms.hpp"
#include <boost/multiprecision/cpp_int.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace leanbridge::certify {

using olean::ConstantId;
using olean::ConstantReader;
using olean::ConstantTerms;
using olean::InfoKind;
using olean::Object;
using olean::parts_of;
using olean::Proofs;
using olean::Term;
using olean::TermId;
using olean::TermKind;
using olean::TermTable;

namespace {

constexpr char kEndOfComponent = '\x01';
constexpr std::size_t kBuffer = std::size_t{64} << 10U;  // bytes
constexpr std::size_t kMaxNumberBytes = std::size_t{64} << 10U;

const char* binder_name(olean::BinderInfo binder) {
  switch (binder) {
    case olean::BinderInfo::Implicit:
      return "implicit";
    case olean::BinderInfo::StrictImplicit:
      return "strictImplicit";
    case olean::BinderInfo::Instance:
      return "instImplicit";
    case olean::BinderInfo::Explicit:
      break;
  }
  return "default";
}

/// The destination of an export: counts and hashes the written bytes, and stops at a limit.
class ExportSink {
 public:
  ExportSink(const ExportWriter& out, std::uint64_t max_bytes) : out_(out), max_bytes_(max_bytes) {}

  void write(std::string_view line);
  std::uint64_t bytes() const { return bytes_; }
  /// Writes the rest and returns the hash of everything written. Call it once.
  std::string finish();

  /// Why writing has stopped, as a sentence; "": it has not.
  const std::string& problem() const { return problem_; }
  /// Stops writing. Only the first call counts.
  void fail(std::string_view sentence);

 private:
  void flush();

  const ExportWriter& out_;
  std::string buffer_;
  std::uint64_t max_bytes_;
  std::uint64_t bytes_ = 0;
  Sha256 digest_;
  std::string problem_;
};

/// Numbers names, levels and expressions, and writes each before its first use. The table must outlive it.
/// Reports problems to the sink.
class ExportLines {
 public:
  ExportLines(const olean::TermTable& terms, ExportSink& sink) : terms_(terms), sink_(sink) {}

  /// The number of a name, given by its key; 0: the empty name.
  std::uint32_t name(const std::string& key);
  /// The number of a level or of an expression.
  std::uint32_t term(olean::TermId id);

 private:
  bool is_known(olean::TermId id) const { return id < numbers_.size() && numbers_[id] != kUnknown; }
  std::string number(olean::TermId id) const { return std::to_string(numbers_[id]); }
  void write(olean::TermId id);
  void write_level(olean::TermId id, const std::string& content);
  void write_expression(olean::TermId id, const std::string& before, const std::string& after);
  void write_binder(olean::TermId id, const char* kind);
  std::string levels_in(olean::TermId list) const;
  /// The digits of a natural number; fails if there are more than a kernel should read.
  std::string digits(const std::string& text);

  static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;
  const olean::TermTable& terms_;
  ExportSink& sink_;
  std::unordered_map<std::string, std::uint32_t> names_;
  std::vector<std::uint32_t> numbers_;  ///< by TermId
  std::uint32_t next_level_ = 1;        ///< 0 stands for the level zero
  std::uint32_t next_expression_ = 0;
};

void ExportSink::write(std::string_view line) {
  if (!problem_.empty()) return;
  bytes_ += line.size() + 1;
  if (bytes_ > max_bytes_)
    return fail("The export is larger than " + std::to_string(max_bytes_ >> 20U) + " MB.");
  digest_.add(line);
  digest_.add("\n");
  buffer_ += line;
  buffer_ += '\n';
  if (buffer_.size() >= kBuffer) flush();
}

void ExportSink::flush() {
  if (!out_(buffer_)) fail("The export cannot be written.");
  buffer_.clear();
}

std::string ExportSink::finish() {
  flush();
  return digest_.finish();
}

void ExportSink::fail(std::string_view sentence) {
  if (problem_.empty()) problem_ = sentence;
}

/// A text as JSON. Fails if it is not UTF-8.
std::string json_text(std::string_view text, ExportSink& sink) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::type_error&) {
    sink.fail("A text in the compiled file is no UTF-8.");
    return "\"\"";
  }
}

std::uint32_t ExportLines::name(const std::string& key) {
  std::uint32_t prefix = 0;
  for (std::size_t begin = 0; begin < key.size();) {
    const std::size_t end = std::min(key.find(kEndOfComponent, begin), key.size() - 1) + 1;
    const auto [known, fresh] =
        names_.try_emplace(key.substr(0, end), static_cast<std::uint32_t>(names_.size() + 1));
    if (fresh) {
      const std::string_view component = std::string_view(key).substr(begin, end - 1 - begin);
      const std::string head = "{\"in\":" + std::to_string(known->second);
      const std::string pre = "\"pre\":" + std::to_string(prefix);
      if (component.starts_with('\0'))
        sink_.write(head + ",\"num\":{\"i\":" + std::string(component.substr(1)) + "," + pre + "}}");
      else
        sink_.write(head + ",\"str\":{" + pre + ",\"str\":" + json_text(component, sink_) + "}}");
    }
    prefix = known->second;
    begin = end;
  }
  return prefix;
}

std::uint32_t ExportLines::term(TermId id) {
  if (numbers_.size() <= id) numbers_.resize(std::size_t{id} + 1, kUnknown);  // parts have smaller numbers
  std::vector<TermId> todo = {id};
  while (!todo.empty() && sink_.problem().empty()) {
    const TermId next = todo.back();
    if (is_known(next)) {
      todo.pop_back();
      continue;
    }
    const Term& term = terms_.at(next);
    const TermId parts[] = {term.a, term.b, term.c};
    const std::string_view kinds = parts_of(term.kind);
    bool complete = true;
    for (std::size_t i = 0; i < kinds.size(); ++i)
      if (kinds[i] == 't' && !is_known(parts[i])) {
        todo.push_back(parts[i]);
        complete = false;
      }
    if (!complete) continue;
    write(next);
    todo.pop_back();
  }
  return numbers_[id];
}

void ExportLines::write_level(TermId id, const std::string& content) {
  numbers_[id] = next_level_++;
  sink_.write("{\"il\":" + number(id) + "," + content + "}");
}

/// Members are sorted by name, as in lean4export's output.
void ExportLines::write_expression(TermId id, const std::string& before, const std::string& after) {
  numbers_[id] = next_expression_++;
  sink_.write("{" + (before.empty() ? "" : before + ",") + "\"ie\":" + number(id) +
              (after.empty() ? "" : "," + after) + "}");
}

void ExportLines::write_binder(TermId id, const char* kind) {
  const Term& term = terms_.at(id);
  const std::string content = "\"" + std::string(kind) + "\":{\"binderInfo\":\"" + binder_name(term.binder) +
                              "\",\"body\":" + number(term.b) + ",\"name\":0,\"type\":" + number(term.a) +
                              "}";
  if (term.kind == TermKind::Forall)
    write_expression(id, content, "");
  else
    write_expression(id, "", content);
}

void ExportLines::write(TermId id) {
  const Term& term = terms_.at(id);
  switch (term.kind) {
    case TermKind::Zero:
    case TermKind::NoLevels:
    case TermKind::Levels:
      numbers_[id] = 0;  // it has no line of its own
      break;
    case TermKind::Succ:
      write_level(id, "\"succ\":" + number(term.a));
      break;
    case TermKind::Max:
    case TermKind::Imax:
      write_level(id, std::string(term.kind == TermKind::Max ? "\"max\"" : "\"imax\"") + ":[" +
                          number(term.a) + "," + number(term.b) + "]");
      break;
    case TermKind::Param:
      write_level(id, "\"param\":" + std::to_string(name(terms_.text(term.a))));
      break;
    case TermKind::Bvar:
      write_expression(id, "\"bvar\":" + digits(terms_.text(term.a)), "");
      break;
    case TermKind::Sort:
      write_expression(id, "", "\"sort\":" + number(term.a));
      break;
    case TermKind::Const:
      write_expression(id,
                       "\"const\":{\"name\":" + std::to_string(name(terms_.text(term.a))) + ",\"us\":[" +
                           levels_in(term.b) + "]}",
                       "");
      break;
    case TermKind::App:
      write_expression(id, "\"app\":{\"arg\":" + number(term.b) + ",\"fn\":" + number(term.a) + "}", "");
      break;
    case TermKind::Lam:
      write_binder(id, "lam");
      break;
    case TermKind::Forall:
      write_binder(id, "forallE");
      break;
    case TermKind::Let:
      write_expression(id, "",
                       "\"letE\":{\"body\":" + number(term.c) + ",\"name\":0,\"nondep\":false,\"type\":" +
                           number(term.a) + ",\"value\":" + number(term.b) + "}");
      break;
    case TermKind::Number:
      write_expression(id, "", "\"natVal\":\"" + digits(terms_.text(term.a)) + "\"");
      break;
    case TermKind::Text:
      write_expression(id, "", "\"strVal\":" + json_text(terms_.text(term.a), sink_));
      break;
    case TermKind::Proj:
      write_expression(id, "",
                       "\"proj\":{\"idx\":" + digits(terms_.text(term.b)) + ",\"struct\":" + number(term.c) +
                           ",\"typeName\":" + std::to_string(name(terms_.text(term.a))) + "}");
      break;
  }
}

std::string ExportLines::levels_in(TermId list) const {
  std::string text;
  for (; terms_.at(list).kind == TermKind::Levels; list = terms_.at(list).b)
    text += (text.empty() ? "" : ",") + number(terms_.at(list).a);
  return text;
}

std::string ExportLines::digits(const std::string& text) {
  if (!text.starts_with('#')) return text;
  if (text.size() > kMaxNumberBytes) {
    sink_.fail("A number in the compiled file has more than 64 KB.");
    return "0";
  }
  const std::vector<unsigned char> bytes(text.begin() + 1, text.end());
  boost::multiprecision::cpp_int value;
  import_bits(value, bytes.begin(), bytes.end(), 8, false);
  return value.str();
}

constexpr auto kQuotients = std::to_array<std::string_view>({"Quot", "Quot.mk", "Quot.lift", "Quot.ind"});

/// A single constant, the parts of a group of inductive types, or the parts of the quotient.
struct Unit {
  std::vector<olean::ConstantId> types;  ///< the types of a group, or all constants of another unit
  std::vector<olean::ConstantId> constructors, recursors;
  std::size_t nested = 0;  ///< number of recursors beyond one for each type

  std::vector<olean::ConstantId> members() const;
};

/// Finds the constants of a set that belong together. Set, table and reader must outlive it.
class Units {
 public:
  Units(olean::ModuleSet& set, olean::TermTable& terms, olean::ConstantReader& reader)
      : set_(set), terms_(terms), reader_(reader) {}

  /// The unit that contains a constant. NotSupported: its parts contradict each other.
  Result<Unit> around(olean::ConstantId id);

 private:
  tl::unexpected<Error> strange(olean::ConstantId id);
  Result<Unit> quotient();
  /// The type of a constructor or recursor.
  Result<olean::ConstantId> first_name(olean::ConstantId id);
  enum class Part { Types, Constructors };
  /// The parts of its group that an inductive type lists.
  Result<std::vector<olean::ConstantId>> listed(olean::ConstantId type, Part part);
  Result<Unit> group(olean::ConstantId first);
  std::optional<olean::ConstantId> recursor_of(olean::ConstantId type, const std::string& name);

  olean::ModuleSet& set_;
  olean::TermTable& terms_;
  olean::ConstantReader& reader_;
};

/// A constant as an error shows it.
std::string quoted_constant(olean::ModuleSet& set, ConstantId id) {
  return "`" + olean::name_of_key(set.key(id)) + "`";
}

std::vector<ConstantId> Unit::members() const {
  std::vector<ConstantId> all = types;
  all.insert(all.end(), constructors.begin(), constructors.end());
  all.insert(all.end(), recursors.begin(), recursors.end());
  return all;
}

Result<Unit> Units::around(ConstantId id) {
  const InfoKind kind = set_.info(id).kind;
  Unit unit;
  if (kind == InfoKind::Quot) {
    TRY(unit, quotient());
  } else if (kind == InfoKind::Inductive || kind == InfoKind::Constructor || kind == InfoKind::Recursor) {
    TRY(const ConstantId type, kind == InfoKind::Inductive ? Result<ConstantId>(id) : first_name(id));
    TRY(const auto types, listed(type, Part::Types));
    if (types.empty()) return strange(id);
    TRY(unit, group(types.front()));
  } else {
    unit.types = {id};
  }
  std::vector<ConstantId> members = unit.members();
  std::ranges::sort(members);
  const bool twice = std::adjacent_find(members.begin(), members.end()) != members.end();
  if (twice || !std::ranges::binary_search(members, id)) return strange(id);
  return unit;
}

tl::unexpected<Error> Units::strange(ConstantId id) {
  return fail(ErrorKind::NotSupported, quoted_constant(set_, id) + " is not as Lean writes it.");
}

Result<Unit> Units::quotient() {
  Unit unit;
  for (const std::string_view name : kQuotients) {
    const auto part = set_.find(olean::key_of(name));
    if (!part || set_.info(*part).kind != InfoKind::Quot)
      return fail(ErrorKind::NotSupported, "The library has no `" + std::string(name) + "`.");
    unit.types.push_back(*part);
  }
  return unit;
}

Result<ConstantId> Units::first_name(ConstantId id) {
  const auto constant = reader_.read(id);
  if (constant && !constant->names.empty())
    if (const auto type = set_.find(terms_.text(constant->names.front()));
        type && set_.info(*type).kind == InfoKind::Inductive)
      return *type;
  return strange(id);
}

Result<std::vector<ConstantId>> Units::listed(ConstantId type, Part part) {
  const auto constant = reader_.read(type);
  if (!constant) return strange(type);
  const std::size_t types = std::stoul(constant->numbers.at(2));
  const std::size_t begin = part == Part::Types ? 0 : types;
  const std::size_t end = part == Part::Types ? types : constant->names.size();
  const InfoKind expected = part == Part::Types ? InfoKind::Inductive : InfoKind::Constructor;
  std::vector<ConstantId> found;
  for (std::size_t i = begin; i < end; ++i) {
    const auto name = set_.find(terms_.text(constant->names[i]));
    if (!name || set_.info(*name).kind != expected) return strange(type);
    found.push_back(*name);
  }
  return found;
}

Result<Unit> Units::group(ConstantId first) {
  Unit unit;
  TRY(unit.types, listed(first, Part::Types));
  for (const ConstantId type : unit.types) {
    TRY(const auto same, listed(type, Part::Types));
    if (same != unit.types) return strange(type);
    TRY(const auto constructors, listed(type, Part::Constructors));
    for (const ConstantId constructor : constructors) {
      TRY(const ConstantId owner, first_name(constructor));
      if (owner != type) return strange(constructor);
      unit.constructors.push_back(constructor);
    }
    const auto recursor = recursor_of(type, "rec");
    if (!recursor) return strange(type);
    unit.recursors.push_back(*recursor);
  }
  while (const auto recursor = recursor_of(first, "rec_" + std::to_string(unit.nested + 1))) {
    unit.recursors.push_back(*recursor);
    ++unit.nested;
  }
  return unit;
}

std::optional<ConstantId> Units::recursor_of(ConstantId type, const std::string& name) {
  const auto found = set_.find(set_.key(type) + name + "\x01");
  return found && set_.info(*found).kind == InfoKind::Recursor ? found : std::nullopt;
}

/// Writes units as lines.
class Declarations {
 public:
  Declarations(olean::ModuleSet& set, TermTable& terms, ConstantReader& reader, ExportSink& sink)
      : set_(set), terms_(terms), reader_(reader), sink_(sink), lines_(terms, sink) {}

  Result<void> write(const Unit& unit) {
    const InfoKind kind = set_.info(unit.types.front()).kind;
    if (kind == InfoKind::Inductive) return write_group(unit);
    for (const ConstantId id : unit.types) {
      TRY(const std::string line, single(id));
      sink_.write(line);
    }
    return {};
  }

 private:
  Result<ConstantTerms> read(ConstantId id) {
    auto constant = reader_.read(id, Proofs::Read);
    if (!constant) return fail(ErrorKind::Internal, "A compiled module is damaged.", "Call lean_build.");
    if (constant->is_unsafe || constant->is_partial)
      return fail(ErrorKind::NotSupported, quoted_constant(set_, id) + " is unsafe or partial.");
    for (const std::string& number : constant->numbers)
      if (number.starts_with('#'))  // it does not fit into a word
        return fail(ErrorKind::NotSupported, quoted_constant(set_, id) + " is not as Lean writes it.");
    return std::move(*constant);
  }

  static std::string field(const char* name, const std::string& value) {
    return "\"" + std::string(name) + "\":" + value;
  }
  std::string names(const std::vector<TermId>& texts, std::size_t begin, std::size_t end) {
    std::string list;
    for (std::size_t i = begin; i < end; ++i)
      list += (list.empty() ? "" : ",") + std::to_string(lines_.name(terms_.text(texts[i])));
    return "[" + list + "]";
  }

  /// The fields that all kinds have.
  std::string common(ConstantId id, const ConstantTerms& constant) {
    for (const TermId param : constant.level_params)
      lines_.term(terms_.add({.kind = TermKind::Param, .a = param}));
    return field("levelParams", names(constant.level_params, 0, constant.level_params.size())) + "," +
           field("name", std::to_string(lines_.name(set_.key(id)))) + "," +
           field("type", std::to_string(lines_.term(constant.type)));
  }

  /// A declaration that is a unit of its own, as a line.
  Result<std::string> single(ConstantId id) {
    TRY(const ConstantTerms constant, read(id));
    const std::string head = common(id, constant);
    const std::string all = field("all", "[" + std::to_string(lines_.name(set_.key(id))) + "]");
    const auto with_value = [&](const char* kind, const std::string& more) -> Result<std::string> {
      if (!constant.value) return fail(ErrorKind::Internal, quoted_constant(set_, id) + " has no value.");
      return "{\"" + std::string(kind) + "\":{" + all + "," + more + head + "," +
             field("value", std::to_string(lines_.term(*constant.value))) + "}}";
    };
    switch (constant.kind) {
      case InfoKind::Axiom:
        if (set_.is_exported_as_axiom(id))
          return fail(ErrorKind::NotSupported,
                      "The library was installed without the proof of " + quoted_constant(set_, id) + ".");
        return "{\"axiom\":{\"isUnsafe\":false," + head + "}}";
      case InfoKind::Definition:
        return with_value("def", field("hints", hints(id)) + ",\"safety\":\"safe\",");
      case InfoKind::Theorem:
        return with_value("thm", "");
      case InfoKind::Opaque:
        return with_value("opaque", "\"isUnsafe\":false,");
      case InfoKind::Quot:
        return "{\"quot\":{" + field("kind", quotient_kind(id)) + "," + head + "}}";
      default:
        return fail(ErrorKind::NotSupported, quoted_constant(set_, id) + " is of an unknown kind.");
    }
  }

  /// The fields of a constant's value, in the order of Lean's src/Lean/Declaration.lean.
  Object value_of(ConstantId id) {
    olean::Region& region = set_.constants()[id].module->region;
    return region.constructor(region.field(region.constructor(set_.constants()[id].info), 0));
  }

  /// Lean.ReducibilityHints, which decide only the order in which a kernel unfolds constants.
  std::string hints(ConstantId id) {
    olean::Region& region = set_.constants()[id].module->region;
    const olean::Ref hint = region.field(value_of(id), 2);
    if (olean::is_boxed(hint)) return olean::unboxed(hint) == 0 ? "\"opaque\"" : "\"abbrev\"";
    std::uint32_t height = 0;
    const Object regular = region.constructor(hint);
    for (std::size_t i = 0; i < 4 && i < regular.scalars.size(); ++i)
      height |= std::uint32_t{static_cast<unsigned char>(regular.scalars[i])} << (8 * i);
    return "{\"regular\":" + std::to_string(height) + "}";
  }

  std::string quotient_kind(ConstantId id) {
    constexpr auto kKinds = std::to_array<const char*>({"\"type\"", "\"ctor\"", "\"lift\"", "\"ind\""});
    for (std::size_t i = 0; i < kKinds.size(); ++i)
      if (set_.key(id) == olean::key_of(kQuotients.at(i))) return kKinds.at(i);
    return "\"\"";
  }

  std::string flag(const char* name, ConstantId id, std::size_t scalar) {
    const std::string_view scalars = value_of(id).scalars;
    const bool is_set = scalar < scalars.size() && scalars[scalar] != '\0';
    return field(name, is_set ? "true" : "false");
  }

  Result<void> write_group(const Unit& unit) {
    const auto list = [&](const std::vector<ConstantId>& ids, auto&& write) -> Result<std::string> {
      std::string text;
      for (const ConstantId id : ids) {
        TRY(const std::string one, (this->*write)(id, unit));
        text += (text.empty() ? "" : ",") + one;
      }
      return text;
    };
    TRY(const std::string types, list(unit.types, &Declarations::type));
    TRY(const std::string constructors, list(unit.constructors, &Declarations::constructor));
    TRY(const std::string recursors, list(unit.recursors, &Declarations::recursor));
    sink_.write("{\"inductive\":{\"ctors\":[" + constructors + "],\"recs\":[" + recursors + "],\"types\":[" +
                types + "]}}");
    return {};
  }

  Result<std::string> type(ConstantId id, const Unit& unit) {
    TRY(const ConstantTerms constant, read(id));
    const std::size_t types = unit.types.size();
    return "{" + field("all", names(constant.names, 0, types)) + "," +
           field("ctors", names(constant.names, types, constant.names.size())) + "," + flag("isRec", id, 0) +
           "," + flag("isReflexive", id, 2) + ",\"isUnsafe\":false," +
           field("numIndices", constant.numbers.at(1)) + "," +
           field("numNested", std::to_string(unit.nested)) + "," +
           field("numParams", constant.numbers.at(0)) + "," + common(id, constant) + "}";
  }

  Result<std::string> constructor(ConstantId id, const Unit& /*unit*/) {
    TRY(const ConstantTerms constant, read(id));
    return "{" + field("cidx", constant.numbers.at(0)) + "," + field("induct", first(constant)) +
           ",\"isUnsafe\":false," + field("numFields", constant.numbers.at(2)) + "," +
           field("numParams", constant.numbers.at(1)) + "," + common(id, constant) + "}";
  }
  std::string first(const ConstantTerms& constant) {
    return std::to_string(lines_.name(terms_.text(constant.names.front())));
  }

  Result<std::string> recursor(ConstantId id, const Unit& /*unit*/) {
    TRY(const ConstantTerms constant, read(id));
    const std::vector<std::string>& numbers = constant.numbers;  // types, four counts, k, fields of the rules
    const std::size_t types = std::stoul(numbers.at(0));
    std::string rules;
    for (std::size_t i = 0; i < constant.rules.size(); ++i)
      rules += (rules.empty() ? "{" : ",{") +
               field("ctor", std::to_string(lines_.name(terms_.text(constant.names.at(types + i))))) + "," +
               field("nfields", numbers.at(6 + i)) + "," +
               field("rhs", std::to_string(lines_.term(constant.rules[i]))) + "}";
    return "{" + field("all", names(constant.names, 0, types)) + ",\"isUnsafe\":false," + flag("k", id, 0) +
           "," + field("numIndices", numbers.at(2)) + "," + field("numMinors", numbers.at(4)) + "," +
           field("numMotives", numbers.at(3)) + "," + field("numParams", numbers.at(1)) + "," +
           field("rules", "[" + rules + "]") + "," + common(id, constant) + "}";
  }

  olean::ModuleSet& set_;
  TermTable& terms_;
  ConstantReader& reader_;
  ExportSink& sink_;
  ExportLines lines_;
};

/// Walks the needed constants so that each unit comes after the units that it mentions.
class Closure {
 public:
  Closure(olean::ModuleSet& set, ExportSink& sink, const ExportLimits& limits,
          const std::function<bool()>& is_over)
      : set_(set),
        sink_(sink),
        limits_(limits),
        is_over_(is_over),
        reader_(terms_, set),
        units_(set, terms_, reader_),
        declarations_(set, terms_, reader_, sink) {}

  Result<void> add(ConstantId wanted) {
    std::vector<ConstantId> todo = {wanted};
    while (!todo.empty()) {
      if (is_over_()) return fail(ErrorKind::Cancelled, "The export was cancelled.");
      const ConstantId id = todo.back();
      if (done_.contains(id)) {
        todo.pop_back();
      } else if (const auto begun = begun_.find(id); begun == begun_.end()) {
        TRY_DONE(begin(id, todo));
      } else if (!add_literals(todo)) {
        TRY_DONE(finish(begun->second));
      }
    }
    return {};
  }
  std::size_t declarations() const { return done_.size(); }

 private:
  using SharedUnit = std::shared_ptr<const Unit>;

  /// Begins a constant whose mentioned constants must come first. If it has begun already, it belongs to the
  /// present unit, or it rests on itself, which no kernel accepts.
  Result<void> begin(ConstantId id, std::vector<ConstantId>& todo) {
    TRY(Unit found, units_.around(id));
    const auto unit = std::make_shared<const Unit>(std::move(found));
    const std::vector<ConstantId> members = unit->members();
    for (const ConstantId member : members) begun_.emplace(member, unit);
    for (const ConstantId member : members)
      for (const ConstantId used : set_.uses(member))
        if (!begun_.contains(used)) todo.push_back(used);
    TRY_DONE(set_.undamaged());
    for (const ConstantId member : members) static_cast<void>(reader_.read(member, Proofs::Read));
    return set_.undamaged();
  }

  /// A kernel knows the types of literals by their names.
  bool add_literals(std::vector<ConstantId>& todo) {
    bool added = false;
    const auto need = [&](std::string_view name) {
      const auto id = set_.find(olean::key_of(name));
      if (!id || done_.contains(*id) || begun_.contains(*id)) return;
      todo.push_back(*id);
      added = true;
    };
    for (; scanned_ < terms_.size(); ++scanned_) {
      has_numbers_ |= terms_.at(static_cast<TermId>(scanned_)).kind == TermKind::Number;
      has_texts_ |= terms_.at(static_cast<TermId>(scanned_)).kind == TermKind::Text;
    }
    if (has_numbers_) need("Nat");
    if (has_texts_)
      for (const char* const name : {"Char.ofNat", "String.ofList", "String.mk"}) need(name);
    return added;
  }

  Result<void> finish(const SharedUnit& unit) {
    TRY_DONE(declarations_.write(*unit));
    if (!sink_.problem().empty()) return fail(ErrorKind::NotSupported, sink_.problem());
    if (terms_.size() > limits_.terms)
      return fail(ErrorKind::NotSupported,
                  "The proofs have more than " + std::to_string(limits_.terms) + " different terms.");
    const std::vector<ConstantId> members = unit->members();
    done_.insert(members.begin(), members.end());
    return {};
  }

  olean::ModuleSet& set_;
  ExportSink& sink_;
  const ExportLimits& limits_;
  const std::function<bool()>& is_over_;
  TermTable terms_;
  ConstantReader reader_;
  Units units_;
  Declarations declarations_;
  std::unordered_map<ConstantId, SharedUnit> begun_;
  std::unordered_set<ConstantId> done_;
  std::size_t scanned_ = 0;  ///< the number of terms searched for literals
  bool has_numbers_ = false, has_texts_ = false;
};

}  // namespace

Result<ExportFacts> export_closure(olean::ModuleSet& set, const std::vector<ConstantId>& of,
                                   const ExportWriter& out, const ExportLimits& limits,
                                   const std::function<bool()>& is_over) {
  ExportSink sink(out, limits.bytes);
  sink.write("{\"meta\":{\"exporter\":{\"name\":\"leanbridge\",\"version\":\"" + std::string(kExportFormat) +
             "\"},\"format\":{\"version\":\"" + std::string(kExportFormat) +
             "\"},\"lean\":{\"githash\":\"\",\"version\":" +
             json_text(set.modules().front()->region.lean_version(), sink) + "}}}");
  Closure closure(set, sink, limits, is_over);
  for (const ConstantId id : of) TRY_DONE(closure.add(id));
  std::string hash = sink.finish();
  if (!sink.problem().empty()) return fail(ErrorKind::NotSupported, sink.problem());
  return ExportFacts{kExportFormat, std::move(hash), sink.bytes(), closure.declarations()};
}

}  // namespace leanbridge::certify
