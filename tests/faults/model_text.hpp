#pragma once
/// What the modelled Lean says about a text: a pure function of the text and its imports, so that the judge
/// knows the right answer for every version of a file. Every answer contains a hash of the text before it, so
/// that an answer about another text cannot pass for a right one.
///
///   a line that begins with a space   ⊢ <the line> before it; the same after it, or nothing left (`-- done`)
///   `-- error: WORD`                  an error over the line; likewise `-- warning:` and `-- info:`
///   `sorry`                           the warning that Lean gives
///   `-- slow MS`                      takes that long
///   `-- crash`                        kills the worker that gets to it
///   `import X`                        X.lean beside it; the header fails where that is missing or has `--
///   broken`

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::faults {

/// The content of a module's source; nullopt if there is none.
using ReadModule = std::function<std::optional<std::string>(const std::string& module)>;

/// What a worker has loaded when it starts.
struct Imports {
  std::vector<std::string> words;  ///< of the header, as they stand
  std::uint32_t hash = 0;          ///< of the sources behind it
  std::string problem;             ///< why the header fails; empty: it does not
};
Imports load_imports(const std::string& text, const ReadModule& read);

struct ModelMessage {
  int line = 0;   ///< 0-based, and its last line, too
  int start = 0;  ///< UTF-16, as all characters here
  int end = 0;
  int severity = 1;
  std::string text;
  bool silent = false;

  nlohmann::json to_json() const;
};

class ModelText {
 public:
  ModelText(std::string text, Imports imports);

  const std::string& text() const { return text_; }
  const Imports& imports() const { return imports_; }
  const std::vector<std::string>& lines() const { return lines_; }
  int line_count() const { return static_cast<int>(lines_.size()); }
  /// The messages of the lines before `end`, in the order of the file.
  std::vector<ModelMessage> messages(int end) const;
  std::vector<ModelMessage> messages() const { return messages(line_count()); }
  /// nullopt: no tactic state there. `character` is in UTF-16 code units, as everywhere here.
  std::optional<std::vector<std::string>> goals(int line, int character) const;
  std::optional<std::string> hover(int line) const;
  nlohmann::json symbols() const;
  int slow_ms(int line) const;
  /// All lines together.
  int slow_ms() const;
  bool crashes(int line) const;
  /// The first line that differs.
  int first_difference(const ModelText& other) const;
  int length(int line) const;
  /// The hash in everything that is said after the lines before `end`.
  std::string hash_of(int end) const;

 private:
  ModelMessage message(int line, int severity, std::string text) const;

  std::string text_;
  Imports imports_;
  std::vector<std::string> lines_;
  std::vector<std::uint32_t> hashes_;  // of the text before each line, and of the whole text
};

/// Lines without their endings; one more than there are `\n`.
std::vector<std::string> split_lines(const std::string& text);
int utf16_length(std::string_view text);

}  // namespace leanbridge::faults
