#include "proof_layout.hpp"

#include "declaration_scan.hpp"
#include "lean_declarations.hpp"
#include "tactic_scan.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace leanbridge::text {

/// Some lines of the source, which can be read by themselves, given the state where they begin. Offsets are
/// stored as distances from there, so that a piece stays the same when it moves; they are negative for tokens
/// above it.
struct ProofLayout::Piece {
  using Distance = std::int32_t;
  struct Range {
    Distance begin, end;
  };
  struct NearMark {
    Distance begin;
    Range before;
    Distance column;  // -1: it is not the first token on its line
    bool is_tactic;
  };
  /// Where a declaration begins, or the last one ends, and the end of the source.
  struct Command {
    Distance begin = 0;
    Range before{};
    bool is_declaration = false, is_proposition = false, is_end = false;
  };
  struct State {
    DeclarationScan::State declarations;
    TacticScan::State tactics;  // offsets in it are distances, modulo the range of size_t

    friend bool operator==(const State&, const State&) = default;
  };

  std::size_t begin = 0;
  std::size_t looked = 0;  ///< the end of the source that reading it depended on, plus kLookahead
  State state;             ///< the state where it begins
  std::vector<NearMark> marks;
  std::vector<Distance> ends;  ///< the ends of outermost blocks, each found by the token behind it
  std::vector<Command> commands;

  Distance distance(std::size_t offset) const { return static_cast<Distance>(offset - begin); }
  Range distance(SourceRange range) const { return {distance(range.begin), distance(range.end)}; }
  std::size_t offset(Distance distance) const { return begin + static_cast<std::size_t>(distance); }
  SourceRange offset(Range range) const { return {offset(range.begin), offset(range.end)}; }
  Mark at(const NearMark& mark) const {
    std::optional<std::size_t> column;
    if (mark.column >= 0) column = static_cast<std::size_t>(mark.column);
    return {offset(mark.begin), offset(mark.before), column, mark.is_tactic};
  }
};

/// Reads a source piece by piece, from the beginning of a piece.
class ProofLayout::Reader {
 public:
  Reader(std::string_view source, std::size_t begin, const Piece::State& state)
      : source_(source),
        tokens_(source, begin),
        declarations_(tokens_, state.declarations),
        tactics_(tokens_, state.tactics.moved(begin)),
        begin_(begin) {}

  /// Where the next piece begins.
  std::size_t begin() const { return begin_; }
  Piece::State state() const { return {declarations_.state(), tactics_.state().moved(0 - begin_)}; }
  bool is_done() const { return is_done_; }

  /// Reads up to a line that `ends` the piece, or to the end of the source.
  template <class Ends>
  Piece next(Ends ends) {
    Piece piece;
    piece.begin = begin_;
    piece.state = state();
    tokens_.drop_before(at_);
    for (; tokens_.has(at_); ++at_) {
      const std::size_t line = tokens_[at_].line;
      const bool can_stop =
          tokens_[at_].opens_line && line > begin_ && declarations_.can_stop_at(at_) && tactics_.can_stop();
      if (can_stop && ends(line)) {
        begin_ = line;
        piece.looked = tokens_.looked();
        return piece;
      }
      read(piece);
    }
    piece.looked = source_.size();
    add_command(piece, source_.size(), {.is_end = true});
    tactics_.finish();
    add_places(piece);
    is_done_ = true;
    return piece;
  }

 private:
  SourceRange last() const { return {tactics_.state().last.begin, tactics_.state().last.end}; }

  void read(Piece& piece) {
    const LaidOutToken token = tokens_[at_];
    const SourceRange before = last();
    const auto command = declarations_.read(at_);
    if (command) {
      const auto& site = command->declaration;
      add_command(piece, token.begin,
                  {.is_declaration = site.has_value(), .is_proposition = site && is_proposition(*site)});
    }
    tactics_.read(at_, command.has_value());
    const bool is_tactic = add_places(piece);
    if (is_remark(token.kind) || (!is_tactic && !token.first_on_line)) return;
    const auto column = token.first_on_line ? static_cast<Piece::Distance>(tactics_.column()) : -1;
    piece.marks.push_back({piece.distance(token.begin), piece.distance(before), column, is_tactic});
  }

  static bool is_proposition(const DeclarationSite& site) {
    return is_theorem_keyword(site.keyword) || site.keyword == "example";
  }

  void add_command(Piece& piece, std::size_t begin, Piece::Command command) {
    command.begin = piece.distance(begin);
    command.before = piece.distance(last());
    piece.commands.push_back(command);
  }

  // Returns whether a tactic is among them.
  bool add_places(Piece& piece) {
    bool has_tactic = false;
    for (const TacticPlace& place : tactics_.places()) {
      if (place.kind == TacticPlace::Kind::End)
        piece.ends.push_back(piece.distance(place.offset));
      else
        has_tactic = true;
    }
    tactics_.places().clear();
    return has_tactic;
  }

  std::string_view source_;
  TokenWindow tokens_;
  DeclarationScan declarations_;
  TacticScan tactics_;
  std::size_t begin_;
  std::size_t at_ = 0;  // the next token
  bool is_done_ = false;
};

ProofLayout::ProofLayout(std::size_t piece_size) : piece_size_(piece_size) {}
ProofLayout::ProofLayout(const ProofLayout&) = default;
ProofLayout::ProofLayout(ProofLayout&&) noexcept = default;
ProofLayout& ProofLayout::operator=(const ProofLayout&) = default;
ProofLayout& ProofLayout::operator=(ProofLayout&&) noexcept = default;
ProofLayout::~ProofLayout() = default;

void ProofLayout::edited(std::size_t front, std::size_t back) {
  front_ = std::min(front_, front);
  back_ = std::min(back_, back);
  is_current_ = false;
}

// A piece is kept if the source is unchanged as far as reading it looked. From the first changed piece on,
// the source is read until the unchanged rest begins in the same state as before: reading that again would
// give the same result.
void ProofLayout::update(std::string_view source) {
  if (is_current_) return;
  // The lexer looks past the end of a line only for tokens that reach there, and for a character literal,
  // which has at most eight bytes: `'\`, five bytes, `'`.
  constexpr std::size_t kLookahead = 8;
  const std::size_t line = front_ == 0 ? 0 : source.rfind('\n', front_ - 1) + 1;
  const auto changed =
      std::ranges::find_if(pieces_, [&](const Piece& piece) { return piece.looked + kLookahead > line; });
  std::vector<Piece> old(std::make_move_iterator(changed), std::make_move_iterator(pieces_.end()));
  pieces_.erase(changed, pieces_.end());
  auto rest = std::ranges::find_if(old, [&](const Piece& piece) { return piece.begin >= size_ - back_; });
  const std::size_t moved_by = source.size() - size_;  // computed modulo the range of size_t
  const auto meets_rest = [&](std::size_t at) {
    while (rest != old.end() && rest->begin + moved_by < at) ++rest;
    return rest != old.end() && rest->begin + moved_by == at;
  };

  Reader reader(source, old.empty() ? 0 : old.front().begin,
                old.empty() ? Piece::State() : old.front().state);
  while (!reader.is_done()) {
    const std::size_t begin = reader.begin();
    if (meets_rest(begin) && reader.state() == rest->state) break;
    pieces_.push_back(
        reader.next([&](std::size_t at) { return meets_rest(at) || at - begin >= piece_size_; }));
  }
  for (; !reader.is_done() && rest != old.end(); ++rest) {
    rest->begin += moved_by;
    rest->looked += moved_by;
    pieces_.push_back(std::move(*rest));
  }
  size_ = front_ = back_ = source.size();
  is_current_ = true;
}

/// The last piece that begins at or before an offset. The first piece begins at 0.
std::size_t ProofLayout::piece_at(std::size_t offset) const {
  const auto beyond = std::partition_point(pieces_.begin(), pieces_.end(),
                                           [&](const Piece& piece) { return piece.begin <= offset; });
  return static_cast<std::size_t>(beyond - pieces_.begin()) - 1;
}

std::optional<ProofLayout::Declaration> ProofLayout::declaration_at(std::string_view source,
                                                                    std::size_t offset) {
  update(source);
  std::optional<Declaration> found;
  for (std::size_t i = piece_at(offset) + 1; i-- > 0 && !found;) {
    const Piece& piece = pieces_[i];
    for (auto command = piece.commands.rbegin(); command != piece.commands.rend(); ++command) {
      const std::size_t start = piece.offset(command->begin);
      if (start > offset || command->is_end) continue;
      if (!command->is_declaration) return std::nullopt;
      found = Declaration{.start = start, .is_proposition = command->is_proposition};
      break;
    }
  }
  if (!found) return std::nullopt;
  for (std::size_t i = piece_at(found->start);; ++i)
    for (const Piece::Command& command : pieces_[i].commands)
      if (const std::size_t end = pieces_[i].offset(command.begin); end > found->start) {
        found->end = end;
        found->last_code = pieces_[i].offset(command.before);
        return found;
      }
}

std::optional<ProofLayout::Mark> ProofLayout::first_mark(std::string_view source, std::size_t from,
                                                         std::size_t to, const MarkTest& is_wanted) {
  update(source);
  for (std::size_t i = piece_at(from); i < pieces_.size() && pieces_[i].begin < to; ++i)
    for (const Piece::NearMark& near : pieces_[i].marks) {
      const Mark mark = pieces_[i].at(near);
      if (mark.begin >= to) return std::nullopt;
      if (mark.begin >= from && is_wanted(mark)) return mark;
    }
  return std::nullopt;
}

std::optional<ProofLayout::Mark> ProofLayout::last_mark(std::string_view source, std::size_t from,
                                                        std::size_t to, const MarkTest& is_wanted) {
  update(source);
  for (std::size_t i = piece_at(to) + 1; i-- > 0;) {
    const Piece& piece = pieces_[i];
    for (auto near = piece.marks.rbegin(); near != piece.marks.rend(); ++near) {
      const Mark mark = piece.at(*near);
      if (mark.begin < from) return std::nullopt;
      if (mark.begin < to && is_wanted(mark)) return mark;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> ProofLayout::block_end(std::string_view source, std::size_t from, std::size_t to) {
  update(source);
  for (std::size_t i = piece_at(from); i < pieces_.size(); ++i)
    for (const Piece::Distance end : pieces_[i].ends) {
      const std::size_t offset = pieces_[i].offset(end);
      if (offset > to) return std::nullopt;
      if (offset >= from) return offset;
    }
  return std::nullopt;
}

}  // namespace leanbridge::text
