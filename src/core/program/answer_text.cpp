#include "answer_text.hpp"

#include "core/base/joined.hpp"
#include "core/base/ordered_json.hpp"
#include "core/terminal/cells.hpp"

#include <utility>
#include <vector>

namespace leanbridge::app {

namespace {

using Ordered = nlohmann::ordered_json;

constexpr std::size_t kStep = 2;

bool is_nothing(const Ordered& value) {
  return value.is_null() || ((value.is_array() || value.is_object() || value.is_string()) && value.empty());
}

// The value on one line; nullopt if it is not short.
std::optional<std::string> short_text(const Ordered& value) {
  if (value.is_object()) return std::nullopt;
  if (value.is_boolean()) return std::string(value.get<bool>() ? "yes" : "no");
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    return text.find('\n') == std::string::npos ? std::optional(one_line(text)) : std::nullopt;
  }
  if (!value.is_array()) return value.dump();
  std::vector<std::string> items;
  for (const Ordered& each : value) {
    auto item = each.is_array() ? std::nullopt : short_text(each);
    if (!item || item->find(", ") != std::string::npos) return std::nullopt;
    items.push_back(std::move(*item));
  }
  return joined(items);
}

Style style_of(const std::string& severity) {
  if (severity == "error") return Style::Error;
  return severity == "warning" ? Style::Warning : Style::Faint;
}

class Answer {
 public:
  Answer(std::size_t width, const Paint& paint) : width_(width), paint_(paint) {}

  void members(const Ordered& object, std::size_t indent) {
    for (const auto& [name, value] : object.items()) member(name, value, indent);
  }
  std::string take() { return std::move(text_); }

 private:
  void member(const std::string& name, const Ordered& value, std::size_t indent) {
    if (is_nothing(value)) return;
    const std::string label = printable_line(name) + ":";
    const std::string start = std::string(indent, ' ') + paint_(Style::Name, label);
    const auto brief = short_text(value);
    if (brief && indent + label.size() + 1 + cells_of(*brief) <= width_) {
      text_ += start + " " + *brief + "\n";
      return;
    }
    text_ += start + "\n";
    if (value.is_object())
      members(value, indent + kStep);
    else if (value.is_array())
      items(value, indent + kStep);
    else
      block(value.is_string() ? value.get_ref<const std::string&>() : *brief, indent + kStep);
  }

  void items(const Ordered& list, std::size_t indent) {
    bool is_first = true;
    for (const Ordered& each : list) {
      const bool is_long = !short_text(each) && !each.is_object();
      if (is_long && !is_first) text_ += "\n";
      is_first = false;
      if (each.is_object())
        item(each, indent);
      else if (const auto brief = short_text(each))
        block(*brief, indent);
      else if (each.is_string())
        block(each.get_ref<const std::string&>(), indent);
      else
        items(each, indent + kStep);
    }
  }

  // A message, a place or any other object of a list: its short members on one line, the others below.
  void item(const Ordered& object, std::size_t indent) {
    Ordered rest = object;
    std::string line;
    const auto take_text = [&](const char* name) {
      std::string text = rest.contains(name) ? short_text(rest[name]).value_or("") : "";
      if (!text.empty()) rest.erase(name);
      return text;
    };
    const std::string row = take_text("line"), column = take_text("column");
    if (!row.empty()) line = paint_(Style::Faint, row + (column.empty() ? "" : ":" + column)) + " ";
    const std::string severity = take_text("severity");
    if (!severity.empty()) line += paint_(style_of(severity), severity) + " ";
    const auto said = rest.find("message");
    if (said != rest.end() && said->is_string() && !is_nothing(*said)) {
      const auto message = said->get<std::string>();
      rest.erase("message");
      text_ += std::string(indent, ' ') + line.substr(0, line.size() - (line.empty() ? 0 : 1)) + "\n";
      block(message, indent + kStep);
    } else {
      std::vector<std::string> parts;
      for (auto each = rest.begin(); each != rest.end();) {
        const auto brief = is_nothing(*each) ? std::optional<std::string>("") : short_text(*each);
        if (brief && !brief->empty()) parts.push_back(printable_line(each.key()) + " " + *brief);
        each = brief ? rest.erase(each) : std::next(each);
      }
      text_ += std::string(indent, ' ') + line + joined(parts) + "\n";
    }
    members(rest, indent + kStep);
  }

  void block(const std::string& text, std::size_t indent) {
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      if (end > at || end < text.size())
        text_ += wrapped_block(printable_line(text.substr(at, end - at)), width_, indent);
      at = end + 1;
    }
  }

  std::size_t width_;
  const Paint& paint_;
  std::string text_;
};

}  // namespace

std::string answer_text(const nlohmann::json& answer, const wire::Fields& output, std::size_t width,
                        const Paint& paint) {
  Answer text(width, paint);
  text.members(Ordered::parse(wire::dump_in_order(answer, output)), 0);
  return text.take();
}

}  // namespace leanbridge::app
