#include "export_lines.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace leanbridge::certify {

using olean::parts_of;
using olean::Term;
using olean::TermId;
using olean::TermKind;

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

}  // namespace

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

}  // namespace leanbridge::certify
