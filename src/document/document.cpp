#include "leanbridge/document/document.hpp"

#include "leanbridge/text/file_uri.hpp"

namespace leanbridge::document {

Document::Document(std::filesystem::path file, std::string display_name, Version forgotten)
    : path(std::move(file)), uri(text::file_uri(path)), name(std::move(display_name)), state(forgotten) {}

std::optional<std::size_t> Document::cursor_offset() const {
  if (!cursor) return std::nullopt;
  return state.resolve(*cursor);
}

}  // namespace leanbridge::document
