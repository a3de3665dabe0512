#include "core/base/json.hpp"
#include "core/olean/olean_names.hpp"
#include "core/text/lean_names.hpp"
#include "core/text/text.hpp"
#include "search/index/readers.hpp"
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace leanbridge::index {

using olean::is_internal;

namespace {

using nlohmann::json;

constexpr std::uint64_t kFirstVersion = 1, kLastVersion = 5;  // versions in Lean's
                                                              // src/Lean/Server/References.lean

tl::unexpected<Error> not_an_ilean(const std::string& why) {
  return fail(ErrorKind::Internal, "Not an .ilean: " + why + ".", "The module is not indexed; rebuild it.");
}

/// The name as users see it; nullopt for Lean's internal names.
std::optional<Declaration> named(std::string_view name) {
  std::vector<std::string_view> parts = text::parts_of(name);
  if (parts.empty()) return std::nullopt;
  const auto is_number = [](std::string_view part) {
    return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
  };
  Declaration declaration;
  if (parts.front() == "_private") {
    const auto number = std::ranges::find_if(parts, is_number);
    if (number == parts.end()) return std::nullopt;
    parts.erase(parts.begin(), number + 1);
    declaration.is_private = true;
  }
  for (const std::string_view part : parts) {
    if (part.empty() || is_internal(part) || is_number(part)) return std::nullopt;
    declaration.name.append(declaration.name.empty() ? "" : ".").append(part);
  }
  if (declaration.name.empty()) return std::nullopt;
  return declaration;
}

/// The constant in a key of `references`: `c:Name` in version 1, `{"c":{"m":"Module","n":"Name"}}` since
/// then.
std::optional<std::string> constant_of(const std::string& key) {
  if (key.starts_with("c:")) return key.substr(2);
  const json parsed = read_json(key);
  const json& constant = member(parsed, "c");
  const json& name = constant.is_string() ? constant : member(constant, "n");
  return name.is_string() ? std::optional(name.get<std::string>()) : std::nullopt;
}

/// Picks the needed values from the events of a parser, so that the rest of the file, mostly usages, takes no
/// memory, whatever the file contains.
class IleanReader : public json::json_sax_t {
 public:
  std::optional<std::uint64_t> version;
  std::optional<std::string> module;
  std::map<std::string, text::LspPosition> references, declarations;
  bool too_many = false;

  bool null() override { return element(std::nullopt); }
  bool boolean(bool) override { return element(std::nullopt); }
  bool number_integer(number_integer_t) override { return element(std::nullopt); }
  bool number_unsigned(number_unsigned_t value) override {
    if (depth_ == 1 && section_ == Section::Version) version = value;
    return element(value);
  }
  bool number_float(number_float_t, const string_t&) override { return element(std::nullopt); }
  bool string(string_t& value) override {
    if (depth_ == 1 && section_ == Section::Module) module = value;
    return element(std::nullopt);
  }
  bool binary(binary_t&) override { return false; }
  bool key(string_t& name) override {
    if (depth_ == 1) {
      section_ = section_of(name);
      entry_.reset();
    } else if (depth_ == 2 && has_entries()) {
      in_definition_ = false;
      if (name.size() <= kMaxKey)
        entry_ = name;
      else
        entry_.reset();
    } else if (depth_ == 3 && section_ == Section::References) {
      in_definition_ = name == "definition";
    }
    return true;
  }
  bool start_object(std::size_t) override { return enter(false); }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override { return enter(true); }
  bool end_array() override { return leave(); }
  bool parse_error(std::size_t, const std::string&, const json::exception&) override { return false; }

 private:
  enum class Section { Other, Version, Module, References, Declarations };
  static constexpr std::size_t kMaxKey = 16u << 10;  // bytes
  static constexpr std::size_t kMaxNames = 100'000;  // over ten times the largest module of Lean

  static Section section_of(const std::string& name) {
    if (name == "version") return Section::Version;
    if (name == "module") return Section::Module;
    if (name == "references") return Section::References;
    return name == "decls" ? Section::Declarations : Section::Other;
  }
  bool has_entries() const { return section_ == Section::References || section_ == Section::Declarations; }

  bool enter(bool is_array) {
    if (depth_ == 0 && is_array) return false;  // it is not an object
    element(std::nullopt);
    ++depth_;
    const bool is_definition = section_ == Section::References && depth_ == 4 && in_definition_;
    const bool is_declaration = section_ == Section::Declarations && depth_ == 3;
    if (is_array && entry_ && list_depth_ == 0 && (is_definition || is_declaration)) {
      list_depth_ = depth_;
      at_ = 0;
      numbers_ = {};
    }
    return depth_ <= kMaxJsonNesting;
  }
  bool leave() {
    const bool was_list = list_depth_ == depth_;
    --depth_;
    if (!was_list) return true;
    list_depth_ = 0;
    if (const auto place = position()) return add(*place);
    return true;
  }
  bool element(std::optional<std::uint64_t> number) {
    if (list_depth_ == 0 || list_depth_ != depth_) return true;
    if (at_ < numbers_.size()) numbers_[at_] = number;
    ++at_;
    return true;
  }
  // Line and UTF-16 column, both 0-based. For a definition, these are the first two numbers. For a
  // declaration (a name that the text declares, since version 4), they are the fifth and sixth, the start of
  // the selection range.
  std::optional<text::LspPosition> position() const {
    const std::size_t first = section_ == Section::References ? 0 : 4;
    const auto line = numbers_[first], column = numbers_[first + 1];
    constexpr std::uint64_t kMax = 0x7FFFFFFE;
    if (!line || !column || *line > kMax || *column > kMax) return std::nullopt;
    return text::LspPosition{static_cast<std::uint32_t>(*line), static_cast<std::uint32_t>(*column)};
  }
  bool add(text::LspPosition place) {
    if (section_ == Section::Declarations)
      declarations.emplace(*entry_, place);
    else if (const auto name = constant_of(*entry_))
      references.emplace(*name, place);
    too_many = references.size() + declarations.size() > kMaxNames;
    return !too_many;
  }

  std::size_t depth_ = 0;
  Section section_ = Section::Other;
  std::optional<std::string> entry_;  // the key of the section's current member
  bool in_definition_ = false;
  std::size_t list_depth_ = 0;  // depth of the current list of numbers; 0: none
  std::size_t at_ = 0;
  std::array<std::optional<std::uint64_t>, 6> numbers_;
};

}  // namespace

Result<std::vector<Declaration>> read_ilean(std::string_view bytes, std::string_view source) {
  IleanReader file;
  const bool whole = json::sax_parse(bytes, &file);
  if (file.too_many) return not_an_ilean("it names more declarations than a module can have");
  if (!whole) return not_an_ilean("it is not a JSON object");
  if (!file.version) return not_an_ilean("it has no version");
  if (*file.version < kFirstVersion || *file.version > kLastVersion)
    return fail(ErrorKind::NotSupported,
                "The .ilean has format version " + std::to_string(*file.version) +
                    "; only versions 1 to 5 are supported.",
                "The module is not indexed; report its Lean version.");
  if (!file.module) return not_an_ilean("it names no module");
  auto places = std::move(file.references);
  places.merge(file.declarations);

  const std::optional<text::Text> text =
      source.empty() ? std::nullopt : std::optional<text::Text>(std::string(source));
  std::vector<Declaration> declarations;
  for (const auto& [name, place] : places) {
    auto declaration = named(name);
    if (!declaration) continue;
    declaration->module = *file.module;
    declaration->line = place.line + 1;
    if (text) declaration->column = static_cast<std::uint32_t>(text->position_at(place).column);
    declarations.push_back(std::move(*declaration));
  }
  return declarations;
}

}  // namespace leanbridge::index
