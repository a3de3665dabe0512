#pragma once
/// The items of a batch: one Lean text each, read from JSON lines or from files. Pure, no I/O.

#include "core/base/error.hpp"
#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::batch {

/// The maximum size of a line, and of a file, that is read as an item.
inline constexpr std::size_t kMaxItemBytes = std::size_t{16} << 20;

/// A Lean text to check, imports included.
struct Item {
  std::string id;
  std::string text;
  std::optional<double> timeout_s;  ///< instead of the run's own limit
  std::string theorem;              ///< a theorem that the text must declare; empty: none in particular
  std::string statement;            ///< the statement that `theorem` must prove; empty: any
  /// A file of the project that exists: the text gets the options of its library. Empty: the text belongs to
  /// no library.
  std::filesystem::path file;

  friend bool operator==(const Item&, const Item&) = default;
};

/// A line that is not an item.
struct BadItem {
  std::string id;  ///< the id if it could be read, otherwise the place of the line
  std::string why;

  friend bool operator==(const BadItem&, const BadItem&) = default;
};

/// One line: `{"id", "code"}` or `{"id", "header", "body"}`, with optional `timeout_s`, `theorem` and
/// `statement`. Also under Kimina's names: `custom_id`, `proof`. An id is a string or an integer; `place`
/// ("proofs.jsonl:3") stands in for one that is missing. Other members are ignored.
tl::expected<Item, BadItem> read_item(std::string_view line, const std::string& place);
/// Reads an item from a line that is parsed already.
tl::expected<Item, BadItem> read_item_object(const nlohmann::json& object, const std::string& place);
/// Reads the items of one call, with distinct ids and no members that lines would ignore. InvalidArgument
/// names the one that is wrong.
Result<std::vector<Item>> read_candidates(const nlohmann::json& list);

/// The text of an item that is given as a header (imports, options) and a body.
std::string joined_text(std::string_view header, std::string_view body);

/// The full name of the item's theorem; the name as given if the text does not declare it exactly once.
std::string full_name(const Item& item);
/// The item's theorem alone, or else all theorems of the text.
std::vector<std::string> theorems_of(const Item& item);

/// Cuts a stream into numbered lines. Feed bytes as they arrive, then call next() until it returns nothing.
class LineReader {
 public:
  explicit LineReader(std::size_t max_line = kMaxItemBytes) : max_line_(max_line) {}

  struct Line {
    std::size_t number = 1;  ///< from 1; blank lines count, but are not returned
    std::string text;        ///< without its ending; empty if it was too long
    bool too_long = false;
  };
  void feed(std::string_view bytes) { buffer_ += bytes; }
  /// Tells that the stream has ended: the rest is its last line.
  void end() { ended_ = true; }
  std::optional<Line> next();
  /// Whether the stream ended in the middle of a line.
  bool ends_within_line() const { return ended_within_line_; }

 private:
  std::optional<Line> cut(std::size_t end, std::size_t next);

  std::size_t max_line_;
  std::string buffer_;
  std::size_t taken_ = 0;    // bytes of buffer_ in lines already returned
  std::size_t scanned_ = 0;  // no line ends between taken_ and here
  std::size_t number_ = 0;   // number of the line that was returned last
  bool skipping_ = false;    // inside a line that is too long and was reported
  bool ended_ = false;
  bool ended_within_line_ = false;
};

}  // namespace leanbridge::batch
