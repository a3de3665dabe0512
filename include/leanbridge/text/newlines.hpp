#pragma once
/// Line endings. The mirror of a file that is sent to Lean has `\n` only (Lean converts on open, and its
/// offsets are those of the converted text); the ending found is remembered for writing back.

#include <string>
#include <string_view>

namespace leanbridge::text {

struct NormalisedText {
  std::string text;
  bool had_crlf = false;     ///< at least one `\r\n` was turned into `\n`
  bool had_lone_lf = false;  ///< at least one `\n` had no `\r` before it; with had_crlf: the file was mixed
};

/// Every `\r\n` becomes `\n`; a lone `\r` stays. A text without `\r` is moved through, not copied.
NormalisedText normalise_newlines(std::string text);

/// Every `\n` that has no `\r` before it becomes `\r\n`.
std::string to_crlf(std::string_view text);

}  // namespace leanbridge::text
