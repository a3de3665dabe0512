#pragma once
/// Writes `.olean` bytes as Lean's compactor would, in 32 and 64 bits and with both headers, from one
/// content.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::test {

class OleanWriter {
 public:
  using Ref = std::uint64_t;
  enum Binder : unsigned char { Explicit, Implicit, StrictImplicit, Instance };

  OleanWriter(unsigned width, unsigned version, Ref base = 0x40000000) : width_(width), base_(base) {
    bytes_ = "olean";
    bytes_ += static_cast<char>(version);
    if (version == 2) {
      std::string lean = "4.28.0-test";
      lean.resize(33);
      bytes_ += '\0' + lean;
    } else {
      bytes_ += "ab";
    }
    bytes_ += std::string(40, 'c');
    word(base);
    root_at_ = bytes_.size();
    word(0);
  }

  static Ref number(std::uint64_t value) { return value << 1U | 1U; }

  Ref constructor(unsigned tag, const std::vector<Ref>& fields, std::string scalars = {}) {
    const std::string key = std::to_string(tag) + ":" + joined(fields) + scalars;
    if (const auto known = shared_.find(key); known != shared_.end()) return known->second;
    while (scalars.size() % width_ != 0) scalars += '\0';
    const std::size_t size = 8 + fields.size() * width_ + scalars.size();
    const Ref at = header(size, fields.size(), tag);
    for (const Ref field : fields) word(field);
    bytes_ += scalars;
    return shared_[key] = at;
  }

  Ref array(const std::vector<Ref>& elements) {
    const Ref at = header(1, 0, 246);
    word(elements.size());
    word(elements.size());
    for (const Ref element : elements) word(element);
    return at;
  }

  Ref string(std::string_view text) {
    const std::string key = "s" + std::string(text);
    if (const auto known = shared_.find(key); known != shared_.end()) return known->second;
    const Ref at = header(1, 0, 249);
    word(text.size() + 1);
    word(text.size() + 1);
    word(text.size());
    bytes_.append(text).append(1, '\0');
    return shared_[key] = at;
  }

  /// A name such as `Nat.add`; a component of digits is a number.
  Ref name(std::string_view dotted) {
    Ref made = number(0);
    for (std::size_t at = 0; at < dotted.size();) {
      const std::size_t dot = std::min(dotted.find('.', at), dotted.size());
      made = component(made, dotted.substr(at, dot - at));
      at = dot + 1;
    }
    return made;
  }
  Ref component(Ref prefix, std::string_view text) {
    const bool digits = text.find_first_not_of("0123456789") == std::string_view::npos;
    return digits ? constructor(2, {prefix, number(std::stoul(std::string(text)))}, hash())
                  : constructor(1, {prefix, string(text)}, hash());
  }

  // Expressions. `loose` is one more than the highest variable that is not bound inside.
  Ref bvar(std::uint64_t index) { return expression(0, {number(index)}, {index + 1, false}); }
  Ref type() { return expression(3, {constructor(1, {number(0)}, level_data(false))}, {}); }
  Ref prop() { return expression(3, {number(0)}, {}); }
  Ref constant(std::string_view dotted) { return expression(4, {name(dotted), number(0)}, {}); }
  Ref constant_named(Ref full_name) { return expression(4, {full_name, number(0)}, {}); }
  Ref app(Ref function, std::initializer_list<Ref> arguments, unsigned loose = 0) {
    for (const Ref argument : arguments)
      function =
          expression(5, {function, argument}, both({loose, false}, both(facts(function), facts(argument))));
    return function;
  }
  Ref forall(std::string_view binder, Ref of, Ref body, Binder kind = Explicit, unsigned loose = 0) {
    return expression(7, {name(binder), of, body}, both({loose, false}, both(facts(of), bound(facts(body)))),
                      std::string(1, static_cast<char>(kind)));
  }

  /// A constant: `tag` is that of Lean.ConstantInfo.
  Ref constant_info(unsigned tag, std::string_view dotted, Ref of) {
    return constant_info(tag, name(dotted), of);
  }
  Ref constant_info(unsigned tag, Ref full_name, Ref of) {
    const Ref value = constructor(0, {full_name, number(0), of});
    return constructor(tag, {constructor(0, {value, number(0)}, "x")});
  }

  Ref pair(Ref first, Ref second) { return constructor(0, {first, second}); }

  // The parts of constants that certify reads, in the order of Lean's src/Lean/Declaration.lean.
  Ref list(const std::vector<Ref>& items) {
    Ref made = number(0);
    for (auto item = items.rbegin(); item != items.rend(); ++item) made = constructor(1, {*item, made});
    return made;
  }
  Ref level_param(std::string_view param) {
    return with_params(constructor(4, {name(param)}, level_data(true)));
  }
  Ref sort(Ref level) { return expression(3, {level}, facts(level)); }
  Ref free_variable(std::string_view id) { return expression(1, {name(id)}, {}); }
  Ref lambda(std::string_view binder, Ref of, Ref body) {
    return expression(6, {name(binder), of, body}, both(facts(of), bound(facts(body))),
                      std::string(1, static_cast<char>(Explicit)));
  }
  Ref natural(std::uint64_t value) { return expression(9, {constructor(0, {number(value)})}, {}); }
  /// A number that does not fit into a word.
  Ref big_natural(const std::vector<std::uint64_t>& limbs) {
    return expression(9, {constructor(0, {big_number(limbs)})}, {});
  }
  Ref big_number(const std::vector<std::uint64_t>& limbs) {
    const Ref at = header(1, 0, 250);
    bytes_ += {static_cast<char>(limbs.size()), 0, 0, 0, static_cast<char>(limbs.size()), 0, 0, 0};
    word(base_ + bytes_.size() + width_);
    for (const std::uint64_t limb : limbs) word(limb);
    return at;
  }
  Ref common(Ref full_name, Ref of, const std::vector<std::string_view>& params = {}) {
    std::vector<Ref> levels;
    for (const std::string_view param : params) levels.push_back(name(param));
    return constructor(0, {full_name, list(levels), of});
  }
  Ref axiom(Ref common_part, bool is_unsafe = false) {
    return constructor(0, {constructor(0, {common_part}, std::string(1, is_unsafe ? '\1' : '\0'))});
  }
  enum Safety : char { Unsafe, Safe, Partial };
  Ref definition(Ref common_part, Ref value, Safety safety = Safe) {
    return constructor(1,
                       {constructor(0, {common_part, value, number(0), number(0)}, std::string(1, safety))});
  }
  Ref theorem(Ref common_part, Ref value) {
    return constructor(2, {constructor(0, {common_part, value, number(0)})});
  }
  Ref quotient(Ref common_part) {
    return constructor(4, {constructor(0, {common_part}, std::string(1, '\0'))});
  }
  Ref inductive(Ref common_part, Ref own_name, const std::vector<Ref>& constructors) {
    return constructor(
        5,
        {constructor(0, {common_part, number(0), number(0), list({own_name}), list(constructors), number(0)},
                     std::string(3, '\0'))});
  }
  Ref constructor_of(Ref common_part, Ref type_name, std::uint64_t index, std::uint64_t fields) {
    return constructor(6, {constructor(0, {common_part, type_name, number(index), number(0), number(fields)},
                                       std::string(1, '\0'))});
  }

  /// A module with constants and their names, each once in both lists.
  std::string named_module(const std::vector<Ref>& imports, const std::vector<std::pair<Ref, Ref>>& constants,
                           const std::vector<Ref>& entries = {}) {
    std::vector<Ref> names, infos;
    for (const auto& [full_name, info] : constants) {
      names.push_back(full_name);
      infos.push_back(info);
    }
    return module(imports, names, infos, entries);
  }

  std::string module(const std::vector<Ref>& imports, const std::vector<Ref>& constants,
                     const std::vector<Ref>& entries) {
    return module(imports, {}, constants, entries);
  }
  std::string module(const std::vector<Ref>& imports, const std::vector<Ref>& names,
                     const std::vector<Ref>& constants, const std::vector<Ref>& entries) {
    std::vector<Ref> imported;
    for (const Ref one : imports) imported.push_back(constructor(0, {one}, std::string(2, '\1')));
    const Ref root =
        constructor(0, {array(imported), array(names), array(constants), array({}), array(entries)},
                    std::string(1, '\1'));
    put(root_at_, root);
    return bytes_;
  }

 private:
  std::string hash() const { return std::string(8, 'h'); }
  /// What Lean stores in each node of a term.
  struct Facts {
    std::uint64_t loose = 0;
    bool has_params = false;
  };
  Facts facts(Ref term) const {
    const auto known = facts_.find(term);
    return known == facts_.end() ? Facts{} : known->second;
  }
  static Facts both(Facts a, Facts b) { return {std::max(a.loose, b.loose), a.has_params || b.has_params}; }
  static Facts bound(Facts body) { return {body.loose == 0 ? 0 : body.loose - 1, body.has_params}; }
  Ref expression(unsigned tag, const std::vector<Ref>& fields, Facts of, const std::string& more = {}) {
    const Ref made = constructor(tag, fields, data(of) + more);
    facts_[made] = of;
    return made;
  }
  Ref with_params(Ref level) {
    facts_[level] = {0, true};
    return level;
  }
  static std::string data(Facts of) {
    std::string packed(8, '\0');
    const std::uint64_t bits = of.loose << 4U | (of.has_params ? 8U : 0U);
    for (std::size_t i = 0; i < 3; ++i) packed[5 + i] = static_cast<char>(bits >> (8 * i));
    return packed;
  }
  static std::string level_data(bool has_params) {
    std::string packed(8, '\0');
    packed[4] = has_params ? '\2' : '\0';
    return packed;
  }
  static std::string joined(const std::vector<Ref>& fields) {
    std::string text;
    for (const Ref field : fields) text += std::to_string(field) + ",";
    return text;
  }
  Ref header(std::size_t size, std::size_t fields, unsigned tag) {
    while (bytes_.size() % 8 != 0) bytes_ += '\0';
    const Ref at = base_ + bytes_.size();
    bytes_ += std::string(4, '\0');
    bytes_ += {static_cast<char>(size), static_cast<char>(size >> 8U), static_cast<char>(fields),
               static_cast<char>(tag)};
    return at;
  }
  void word(Ref value) {
    bytes_.append(width_, '\0');
    put(bytes_.size() - width_, value);
  }
  void put(std::size_t at, Ref value) {
    for (unsigned i = 0; i < width_; ++i) bytes_[at + i] = static_cast<char>(value >> (8 * i));
  }

  unsigned width_;
  Ref base_;
  std::size_t root_at_ = 0;
  std::string bytes_;
  std::map<std::string, Ref> shared_;
  std::map<Ref, Facts> facts_;
};

}  // namespace leanbridge::test
