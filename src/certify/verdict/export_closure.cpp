#include "export_closure.hpp"

#include "core/base/try.hpp"
#include "core/olean/constant_reader.hpp"
#include "export_lines.hpp"
#include "export_units.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace leanbridge::certify {

using olean::ConstantId;
using olean::ConstantReader;
using olean::ConstantTerms;
using olean::InfoKind;
using olean::Object;
using olean::Proofs;
using olean::TermId;
using olean::TermKind;
using olean::TermTable;

using olean::ConstantId;
using olean::InfoKind;
using olean::Object;

namespace {

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
