#pragma once
/// Writes `.olean` bytes as Lean's compactor would, in 32 and 64 bits and with both headers, from one
/// content.

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

  /// `Nat.add`; a component of digits is a number.
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
  Ref bvar(std::uint64_t index) { return constructor(0, {number(index)}, data(index + 1)); }
  Ref type() { return constructor(3, {constructor(1, {number(0)}, data(0))}, data(0)); }
  Ref prop() { return constructor(3, {number(0)}, data(0)); }
  Ref constant(std::string_view dotted) { return constructor(4, {name(dotted), number(0)}, data(0)); }
  Ref app(Ref function, std::initializer_list<Ref> arguments, unsigned loose = 0) {
    for (const Ref argument : arguments) function = constructor(5, {function, argument}, data(loose));
    return function;
  }
  Ref forall(std::string_view binder, Ref of, Ref body, Binder kind = Explicit, unsigned loose = 0) {
    return constructor(7, {name(binder), of, body}, data(loose) + static_cast<char>(kind));
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

  std::string module(const std::vector<Ref>& imports, const std::vector<Ref>& constants,
                     const std::vector<Ref>& entries) {
    std::vector<Ref> imported;
    for (const Ref one : imports) imported.push_back(constructor(0, {one}, std::string(2, '\1')));
    const Ref root = constructor(0, {array(imported), array({}), array(constants), array({}), array(entries)},
                                 std::string(1, '\1'));
    put(root_at_, root);
    return bytes_;
  }

 private:
  std::string hash() const { return std::string(8, 'h'); }
  static std::string data(std::uint64_t loose) {
    std::string packed(8, '\0');
    for (std::size_t i = 0; i < 3; ++i) packed[5 + i] = static_cast<char>((loose << 4U) >> (8 * i));
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
};

}  // namespace leanbridge::test
