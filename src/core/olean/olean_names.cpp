#include "olean_names.hpp"

#include "core/text/lean_names.hpp"

#include <algorithm>
#include <array>

namespace leanbridge::olean {
namespace {

constexpr int kMaxNameComponents = 200;
constexpr std::size_t kMaxNameBytes = 4096;
constexpr std::size_t kNameTextPerByte = 8;

enum NameKind : unsigned { kStringName = 1, kNumberName = 2 };

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

void append(NameText& name, std::string_view component) {
  if (!name.text.empty()) name.text += '.';
  name.text += component;
}

}  // namespace

bool is_internal(std::string_view component) {
  static constexpr auto kNumbered = std::to_array<std::string_view>({"match_", "proof_", "eq_", "omega_"});
  if (component.starts_with('_')) return true;
  return std::ranges::any_of(kNumbered, [component](std::string_view prefix) {
    return component.starts_with(prefix) && all_digits(component.substr(prefix.size()));
  });
}

const NameText& Names::at(Ref name) {
  return at(name, 0);
}

const NameText& Names::at(Ref name, int depth) {
  if (const auto known = known_.find(name); known != known_.end()) return known->second;
  NameText text = read(name, depth);
  spent_ += text.text.size() + text.last.size();
  if (spent_ > kNameTextPerByte * region_.bytes() + kMaxNameBytes) {
    region_.damaged("more text in names than the file can hold", name);
    text = {};
  }
  return known_.emplace(name, std::move(text)).first->second;
}

NameText Names::read(Ref name, int depth) {
  if (is_boxed(name)) return {};  // the anonymous name
  const Object object = region_.constructor(name);
  if ((object.tag != kStringName && object.tag != kNumberName) || depth > kMaxNameComponents) {
    region_.damaged("a name is missing", name);
    return {};
  }
  const Ref prefix = region_.field(object, 0);
  const Ref component = region_.field(object, 1);
  NameText text = at(prefix, depth + 1);
  text.prefix = prefix;
  if (object.tag == kNumberName) {
    text.last = is_boxed(component) ? std::to_string(unboxed(component)) : "_";
    if (text.inside_prefix) {  // the name begins after `_private.Init.Core.0`
      text = NameText{};
      text.is_private = true;
    } else {
      if (!text.hygienic) append(text, text.last);
      text.internal = true;
    }
    return text;
  }
  text.last = region_.string(component);
  if (is_boxed(prefix) && text.last == "_private") text.inside_prefix = true;
  if (text.inside_prefix) return text;
  if (text.last == "_@") text.hygienic = true;
  if (is_internal(text.last)) text.internal = true;
  if (!text.hygienic) append(text, text::as_component(text.last));
  if (text.text.size() > kMaxNameBytes) region_.damaged("a name is too long", name);
  return text;
}

}  // namespace leanbridge::olean
