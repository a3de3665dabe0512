#include "model_text.hpp"

#include <algorithm>
#include <cstdio>
#include <set>

namespace leanbridge::faults {

using nlohmann::json;

namespace {

constexpr std::uint32_t kBasis = 2166136261U;

std::uint32_t hashed(std::uint32_t hash, std::string_view text) {  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

std::string after_mark(const std::string& line, std::string_view mark) {
  const std::size_t at = line.find(mark);
  if (at == std::string::npos) return {};
  const std::size_t start = at + mark.size();
  return line.substr(start, line.find(' ', start) - start);
}

std::string trimmed(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return line.substr(first, line.find_last_not_of(' ') - first + 1);
}

bool is_theorem(const std::string& line) {
  return line.starts_with("theorem ");
}

}  // namespace

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  for (;;) {
    const std::size_t end = text.find('\n', start);
    lines.push_back(text.substr(start, end - start));
    if (end == std::string::npos) return lines;
    start = end + 1;
  }
}

int utf16_length(std::string_view text) {
  int length = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) != 0x80U) length += byte >= 0xF0U ? 2 : 1;
  }
  return length;
}

Imports load_imports(const std::string& text, const ReadModule& read) {
  Imports imports;
  imports.hash = kBasis;
  std::set<std::string> seen;
  std::vector<std::string> to_visit;
  for (const std::string& line : split_lines(text)) {
    if (!line.starts_with("import ")) break;
    to_visit.push_back(trimmed(line.substr(7)));
    imports.words.push_back(to_visit.back());
  }
  while (!to_visit.empty()) {
    const std::string module = to_visit.back();
    to_visit.pop_back();
    if (!seen.insert(module).second) continue;
    const auto source = read(module);
    if (!source) {
      imports.problem = "unknown module prefix '" + module + "'";
    } else if (source->find("-- broken") != std::string::npos) {
      imports.problem = "error: " + module + ".lean:1:0: does not build";
    }
    imports.hash = hashed(hashed(imports.hash, module), source.value_or(""));
    for (const std::string& line : split_lines(source.value_or(""))) {
      if (!line.starts_with("import ")) break;
      to_visit.push_back(trimmed(line.substr(7)));
    }
  }
  return imports;
}

json ModelMessage::to_json() const {
  const json range = {{"start", {{"line", line}, {"character", start}}},
                      {"end", {{"line", line}, {"character", end}}}};
  json message = {{"source", "Lean 4"},
                  {"severity", severity},
                  {"range", range},
                  {"fullRange", range},
                  {"message", text}};
  if (silent) {
    message["isSilent"] = true;
    message["leanTags"] = {2};
  }
  return message;
}

ModelText::ModelText(std::string text, Imports imports)
    : text_(std::move(text)), imports_(std::move(imports)), lines_(split_lines(text_)) {
  std::uint32_t hash = imports_.hash;
  for (const std::string& line : lines_) {
    hashes_.push_back(hash);
    hash = hashed(hashed(hash, line), "\n");
  }
  hashes_.push_back(hash);
}

std::string ModelText::hash_of(int end) const {
  char digits[16];
  std::snprintf(digits, sizeof digits, " @%08x", hashes_[static_cast<std::size_t>(end)]);
  return digits;
}

int ModelText::length(int line) const {
  return utf16_length(lines_[static_cast<std::size_t>(line)]);
}

ModelMessage ModelText::message(int line, int severity, std::string text) const {
  const std::string& content = lines_[static_cast<std::size_t>(line)];
  const std::size_t blank = content.find_first_not_of(' ');
  return {line,
          static_cast<int>(std::min(blank, content.size())),
          length(line),
          severity,
          std::move(text) + hash_of(line + 1),
          false};
}

std::vector<ModelMessage> ModelText::messages(int end) const {
  std::vector<ModelMessage> found;
  if (!imports_.problem.empty()) {
    found.push_back({0, 0, 1, 1, imports_.problem, false});
    return found;
  }
  int theorem = -1;
  bool clean = false;
  const auto accomplished = [&] {
    if (theorem >= 0 && clean)
      found.push_back({theorem, 0, length(theorem), 3, "Goals accomplished!" + hash_of(theorem), true});
  };
  for (int i = 0; i < std::min(end, line_count()); ++i) {
    const std::string& line = lines_[static_cast<std::size_t>(i)];
    if (is_theorem(line)) {
      accomplished();
      theorem = i;
      clean = true;
    }
    int severity = 1;
    for (const char* mark : {"-- error: ", "-- warning: ", "-- info: "}) {
      const std::string word = after_mark(line, mark);
      if (!word.empty()) found.push_back(message(i, severity, word));
      if (!word.empty() && severity == 1) clean = false;
      ++severity;
    }
    if (line.find("sorry") != std::string::npos) {
      found.push_back(message(i, 2, "declaration uses `sorry`"));
      clean = false;
    }
  }
  if (end >= line_count()) accomplished();
  return found;
}

std::optional<std::vector<std::string>> ModelText::goals(int line, int character) const {
  if (!imports_.problem.empty() || line >= line_count()) return std::nullopt;
  const std::string& content = lines_[static_cast<std::size_t>(line)];
  const std::string tactic = trimmed(content);
  if (!content.starts_with(' ') || tactic.empty()) return std::nullopt;
  const bool after = character >= utf16_length(content.substr(0, content.find_last_not_of(' ') + 1));
  if (!after) return std::vector<std::string>{"⊢ " + tactic + hash_of(line)};
  if (content.find("-- done") != std::string::npos) return std::vector<std::string>();
  return std::vector<std::string>{"case a\n⊢ " + tactic + hash_of(line + 1), "⊢ rest" + hash_of(line + 1)};
}

std::optional<std::string> ModelText::hover(int line) const {
  if (!imports_.problem.empty() || line >= line_count()) return std::nullopt;
  const std::string word = trimmed(lines_[static_cast<std::size_t>(line)]);
  if (word.empty()) return std::nullopt;
  return word.substr(0, word.find(' ')) + " : T" + hash_of(line + 1);
}

json ModelText::symbols() const {
  json symbols = json::array();
  for (int i = 0; i < line_count(); ++i) {
    const std::string& line = lines_[static_cast<std::size_t>(i)];
    if (!is_theorem(line)) continue;
    // Extends to the last line of code before the next one.
    int last = i;
    for (int next = i + 1; next < line_count(); ++next) {
      const std::string& below = lines_[static_cast<std::size_t>(next)];
      if (is_theorem(below)) break;
      if (!trimmed(below).empty()) last = next;
    }
    const json start = {{"line", i}, {"character", 0}};
    symbols.push_back({{"kind", 6},
                       {"name", line.substr(8, line.find(' ', 8) - 8)},
                       {"range", {{"start", start}, {"end", {{"line", last}, {"character", length(last)}}}}},
                       {"selectionRange", {{"start", start}, {"end", {{"line", i}, {"character", 7}}}}}});
  }
  return symbols;
}

int ModelText::slow_ms(int line) const {
  const std::string ms = after_mark(lines_[static_cast<std::size_t>(line)], "-- slow ");
  return ms.empty() ? 0 : std::stoi(ms);
}

int ModelText::slow_ms() const {
  int sum = 0;
  for (int line = 0; line < line_count(); ++line) sum += slow_ms(line);
  return sum;
}

bool ModelText::crashes(int line) const {
  return lines_[static_cast<std::size_t>(line)].find("-- crash") != std::string::npos;
}

int ModelText::first_difference(const ModelText& other) const {
  const auto [mine, theirs] =
      std::mismatch(lines_.begin(), lines_.end(), other.lines_.begin(), other.lines_.end());
  return static_cast<int>(mine - lines_.begin());
}

}  // namespace leanbridge::faults
