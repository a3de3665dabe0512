#include "item.hpp"

#include "core/base/json.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/lean_quoting.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace leanbridge::batch {

using nlohmann::json;

namespace {

constexpr double kMaxTimeoutS = 86'400;
constexpr std::size_t kMaxCandidates = 64;
constexpr auto kMembers =
    std::to_array<std::string_view>({"id", "code", "header", "body", "timeout_s", "theorem", "statement"});

const json* member(const json& object, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const auto found = object.find(name); found != object.end() && !found->is_null()) return &*found;
  return nullptr;
}

std::optional<std::string> id_in(const json& object) {
  const json* id = member(object, {"id", "custom_id"});
  if (!id) return std::nullopt;
  if (id->is_string()) return id->get<std::string>();
  if (id->is_number_integer()) return id->dump();
  return std::nullopt;
}

// The text of the item, or why it has none.
tl::expected<std::string, std::string> text_in(const json& object) {
  const json* code = member(object, {"code", "proof"});
  const json* header = member(object, {"header"});
  const json* body = member(object, {"body"});
  for (const json* part : {code, header, body})
    if (part && !part->is_string()) return tl::unexpected(std::string("its Lean text is not a string"));
  if (code && body) return tl::unexpected(std::string("it has both `code` and `body`; pass one of them"));
  if (!code && !body) return tl::unexpected(std::string("it has neither `code` nor `body`"));
  const std::string& text = (code ? code : body)->get_ref<const std::string&>();
  return header ? joined_text(header->get_ref<const std::string&>(), text) : text;
}

// Reads the optional members. Returns their fault; empty: there is none.
std::string read_options(const json& object, Item& item) {
  if (const json* timeout = member(object, {"timeout_s"})) {
    const double seconds = timeout->is_number() ? timeout->get<double>() : 0;
    if (!(seconds > 0 && seconds <= kMaxTimeoutS)) return "`timeout_s` is not a number of seconds above 0";
    item.timeout_s = seconds;
  }
  const json *theorem = member(object, {"theorem"}), *statement = member(object, {"statement"});
  if (theorem && !theorem->is_string()) return "`theorem` is not a string";
  if (statement && !statement->is_string()) return "`statement` is not a string";
  if (theorem) item.theorem = theorem->get<std::string>();
  if (statement) item.statement = statement->get<std::string>();
  if (!item.theorem.empty() && !text::is_lean_name(item.theorem)) return "`theorem` is not a valid name";
  if (!item.statement.empty() && item.theorem.empty())
    return "`statement` needs `theorem`, the name of its proof";
  if (!item.statement.empty()) {
    const auto term = text::parenthesize_term(item.statement, 2);
    if (!term) return "`statement` is not one term: " + term.error().message;
  }
  return {};
}

}  // namespace

std::string full_name(const Item& item) {
  const auto found = text::find_declarations(item.text, item.theorem);
  return found.size() == 1 && !found.front().full_name.empty() ? found.front().full_name : item.theorem;
}

std::vector<std::string> theorems_of(const Item& item) {
  if (!item.theorem.empty()) return {full_name(item)};
  std::vector<std::string> names;
  for (const text::NamedDeclaration& declaration : text::named_declarations(item.text))
    if (text::is_theorem_keyword(declaration.site.keyword) && text::is_lean_name(declaration.full_name))
      names.push_back(declaration.full_name);
  return names;
}

std::string joined_text(std::string_view header, std::string_view body) {
  std::string text(header);
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text += body;
}

tl::expected<Item, BadItem> read_item(std::string_view line, const std::string& place) {
  const json object = read_json(line);
  if (object.is_discarded()) return tl::unexpected(BadItem{place, place + ": the line is not JSON"});
  return read_item_object(object, place);
}

tl::expected<Item, BadItem> read_item_object(const json& object, const std::string& place) {
  if (!object.is_object()) return tl::unexpected(BadItem{place, place + ": the line is not a JSON object"});
  Item item;
  item.id = id_in(object).value_or(place);
  const auto bad = [&](const std::string& why) {
    return tl::unexpected(BadItem{item.id, place + ": " + why});
  };
  if (member(object, {"id", "custom_id"}) && !id_in(object))
    return bad("its id is neither a string nor an integer");
  auto text = text_in(object);
  if (!text) return bad(text.error());
  item.text = std::move(*text);
  if (const std::string why = read_options(object, item); !why.empty()) return bad(why);
  return item;
}

Result<std::vector<Item>> read_candidates(const json& list) {
  const auto wrong = [](const std::string& what, const char* hint) {
    return fail(ErrorKind::InvalidArgument, what, hint);
  };
  if (list.empty() || list.size() > kMaxCandidates)
    return wrong("items has " + std::to_string(list.size()) + " candidates.",
                 "Pass 1 to 64 at a time; `leanbridge check` takes any number from a file.");
  std::vector<Item> items;
  std::set<std::string> ids;
  for (const json& object : list) {
    const std::string place = "items[" + std::to_string(items.size()) + "]";
    for (const auto& [name, value] : object.items())
      if (std::ranges::find(kMembers, name) == kMembers.end())
        return wrong(place + " has an unknown member '" + name + "'.",
                     "Its members are id, code, header, body, timeout_s, theorem, statement.");
    auto item = read_item_object(object, place);
    if (!item) return wrong(item.error().why + ".", "Pass code, or header and body.");
    if (item->text.size() > kMaxItemBytes) return wrong(place + " is longer than 16 MiB.", "Split it.");
    if (!ids.insert(item->id).second)
      return wrong(place + " has the id \"" + item->id + "\" of an earlier one.",
                   "Give each its own id, or none.");
    items.push_back(std::move(*item));
  }
  return items;
}

std::optional<LineReader::Line> LineReader::cut(std::size_t end, std::size_t next) {
  ++number_;
  Line line{number_, buffer_.substr(taken_, end - taken_), false};
  if (!line.text.empty() && line.text.back() == '\r') line.text.pop_back();
  taken_ = scanned_ = next;
  if (line.text.size() > max_line_) {
    line.text.clear();
    line.too_long = true;
  }
  return line;
}

std::optional<LineReader::Line> LineReader::next() {
  for (;;) {
    const std::size_t end = buffer_.find('\n', scanned_);
    std::optional<Line> line;
    if (skipping_) {
      // Skips the rest of a line that was returned as too long.
      taken_ = scanned_ = end == std::string::npos ? buffer_.size() : end + 1;
      skipping_ = end == std::string::npos;
      if (!skipping_) continue;
    } else if (end != std::string::npos) {
      line = cut(end, end + 1);
    } else if (buffer_.size() - taken_ > max_line_) {
      line = cut(buffer_.size(), buffer_.size());
      skipping_ = true;
    } else if (ended_ && buffer_.size() > taken_) {
      ended_within_line_ = true;
      line = cut(buffer_.size(), buffer_.size());
    }
    if (!line) break;
    const bool blank = line->text.find_first_not_of(" \t") == std::string::npos;
    if (!blank || line->too_long) return line;
  }
  buffer_.erase(0, taken_);
  scanned_ = buffer_.size();
  taken_ = 0;
  return std::nullopt;
}

}  // namespace leanbridge::batch
