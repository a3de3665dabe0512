#include "source_members.hpp"

#include "index/olean/olean_names.hpp"

#include <algorithm>

namespace leanbridge::index {
namespace {

constexpr std::string_view kOpen = "«", kClose = "»";

constexpr std::size_t kMaxTogether = 100;  // fields of one type: each has a copy of it

bool is_modifier(std::string_view word) {
  return word == "private" || word == "protected" || word == "public";
}

class MemberReader {
 public:
  MemberReader(const SourceTokens& tokens, std::size_t begin, std::size_t end)
      : tokens_(tokens), at_(begin), end_(end) {}

  std::vector<Member> constructors() {
    for (int depth = 0; at_ < end_; ++at_) {
      count(depth);
      if (depth != 0) continue;
      if (tokens_.word(at_) == "deriving") break;
      note(at_);
      if (tokens_.symbol(at_) != "|") continue;
      std::size_t name = at_ + 1;
      while (name < end_ && skippable(name)) note(name++);
      if (tokens_.word(name).empty()) continue;
      start(name, "constructor");
      at_ = name;
    }
    finish(at_);
    return std::move(members_);
  }

  /// Fields begin in one column; what is further right goes on with the one before.
  std::vector<Member> fields() {
    if (at_ < end_ && tokens_.word(at_ + 2).empty() && tokens_.symbol(at_ + 2) == ":" &&
        tokens_.symbol(at_ + 3) == ":")
      at_ += 3;  // `where mk ::`
    ++at_;
    std::size_t column = std::string_view::npos;
    while (at_ < end_ && tokens_.word(at_) != "deriving") {
      const bool in_column =
          column == std::string_view::npos || (tokens_.first_on_line(at_) && tokens_.indent(at_) == column);
      const bool next_bracket = after_bracket_ && opens_bracket(tokens_.symbol(at_));
      after_bracket_ = false;
      if (!in_column && !next_bracket) {
        ++at_;
        continue;
      }
      if (in_column) column = tokens_.indent(at_);
      finish(at_);
      field();
    }
    finish(at_);
    return std::move(members_);
  }

 private:
  void count(int& depth) const {
    if (opens_bracket(tokens_.symbol(at_))) ++depth;
    if (closes_bracket(tokens_.symbol(at_)) && depth > 0) --depth;
  }

  bool skippable(std::size_t i) const { return tokens_.is_doc(i) || is_modifier(tokens_.word(i)); }

  void note(std::size_t i) {
    if (tokens_.is_doc(i)) docstring_ = docstring(tokens_.text(i));
    if (tokens_.word(i) == "private") private_ = true;
  }

  /// Doc comment and modifiers, then `a b : T`, `f (x : A) : T`, or `(a : T)` in one of the brackets.
  void field() {
    while (at_ < end_ && (skippable(at_) || tokens_.symbol(at_) == "@[")) {
      note(at_);
      at_ = tokens_.symbol(at_) == "@[" ? tokens_.skip_brackets(at_, end_) : at_ + 1;
    }
    std::size_t limit = end_;
    if (opens_bracket(tokens_.symbol(at_))) limit = tokens_.skip_brackets(at_++, end_) - 1;
    const std::size_t first = members_.size();
    const std::string doc = docstring_;
    const bool hidden = private_;
    for (; at_ < limit && !tokens_.word(at_).empty() && tokens_.word(at_) != "deriving"; ++at_) {
      if (members_.size() - first >= kMaxTogether) continue;
      docstring_ = doc;
      private_ = hidden;
      start(at_, "field");
    }
    docstring_.clear();
    private_ = false;
    for (std::size_t i = first; i < members_.size(); ++i) members_[i].type_begin = at_;
    open_from_ = first;
    if (limit != end_) {
      finish(limit);
      at_ = limit + 1;
      after_bracket_ = true;
    } else if (members_.size() == first) {
      ++at_;
    }
  }

  void start(std::size_t name, std::string_view kind) {
    if (kind == "constructor") finish(bar_before(name));
    Member member;
    member.kind = kind;
    member.name = tokens_.word(name);
    member.docstring = std::move(docstring_);
    member.is_private = private_;
    member.token = name;
    member.type_begin = name + 1;
    docstring_.clear();
    private_ = false;
    members_.push_back(std::move(member));
  }

  std::size_t bar_before(std::size_t name) const {
    while (name > 0 && tokens_.symbol(name) != "|") --name;
    return name;
  }

  /// The types of the members that are open end here, or at their default value.
  void finish(std::size_t end) {
    for (; open_from_ < members_.size(); ++open_from_) {
      Member& member = members_[open_from_];
      member.type_end = std::max(member.type_begin, std::min(end, end_));
      int depth = 0;
      for (std::size_t i = member.type_begin; i < member.type_end; ++i) {
        if (opens_bracket(tokens_.symbol(i))) ++depth;
        if (closes_bracket(tokens_.symbol(i))) --depth;
        if (depth == 0 && tokens_.symbol(i) == ":=") member.type_end = i;
      }
    }
  }

  const SourceTokens& tokens_;
  std::size_t at_, end_;
  std::vector<Member> members_;
  std::size_t open_from_ = 0;
  std::string docstring_;
  bool private_ = false;
  bool after_bracket_ = false;
};

}  // namespace

std::size_t header_end(const SourceTokens& tokens, std::size_t begin, std::size_t end) {
  int depth = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (opens_bracket(tokens.symbol(i))) ++depth;
    if (closes_bracket(tokens.symbol(i))) --depth;
    if (depth == 0 && (tokens.symbol(i) == "|" || tokens.word(i) == "deriving" || tokens.is_doc(i))) return i;
  }
  return end;
}

std::vector<Member> members_of(const SourceTokens& tokens, std::size_t begin, std::size_t end) {
  bool alternatives = false;
  for (std::size_t i = begin; i < end && i < begin + 4; ++i) alternatives |= tokens.symbol(i) == "|";
  MemberReader reader(tokens, begin, end);
  if (alternatives) return reader.constructors();
  const bool has_fields = tokens.word(begin) == "where" || tokens.symbol(begin) == ":=";
  return has_fields ? reader.fields() : std::vector<Member>();
}

std::vector<std::string_view> parts_of(std::string_view name) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin < name.size();) {
    std::size_t at = begin;
    if (name.substr(at).starts_with(kOpen)) at = std::min(name.find(kClose, at), name.size());
    const std::size_t end = std::min(name.find('.', at), name.size());
    parts.push_back(name.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string plain_component(std::string_view part) {
  if (part.starts_with(kOpen) && part.ends_with(kClose) && part.size() > kOpen.size() + kClose.size())
    part = part.substr(kOpen.size(), part.size() - kOpen.size() - kClose.size());
  return as_component(part);
}

std::string plain_name(std::string_view name) {
  std::string plain;
  for (const std::string_view part : parts_of(name))
    plain.append(plain.empty() ? "" : ".").append(plain_component(part));
  return plain;
}

}  // namespace leanbridge::index
