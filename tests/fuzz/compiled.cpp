// The readers of compiled modules. An `.olean` is the memory of a process, with its pointers, from whoever
// built the module. Input: an `.olean`; or, if it begins like one, the JSON of an `.ilean`, 0xFF, and its
// source.

#include "fuzz.hpp"
#include "search/index/readers.hpp"

namespace leanbridge::fuzz {
namespace {

void check(const std::vector<index::Declaration>& declarations, std::size_t bytes) {
  std::size_t total = 0;
  for (const index::Declaration& one : declarations) {
    require(!one.name.empty(), "a declaration has a name");
    total += one.name.size() + one.signature.size() + one.docstring.size() + one.statement.size();
    for (const std::string& constant : one.constants) total += constant.size();
  }
  // Objects are shared, so a few bytes can hold much, but only in proportion to their number.
  constexpr std::size_t kPerByte = 4096, kAlways = std::size_t{1} << 20U;
  require(total <= kAlways + kPerByte * bytes, "what is read of a small file is not large");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = text_of(data, size);
  if (input.starts_with('{')) {
    const auto parts = parts_of(input);
    const auto without_source = index::read_ilean(parts.front());
    if (without_source) check(*without_source, size);
    const auto with_source = index::read_ilean(parts.front(), parts.back());
    require(with_source.has_value() == without_source.has_value(),
            "the source does not make an .ilean readable");
    if (with_source) check(*with_source, size);
    return 0;
  }
  const std::string_view parts[] = {input};
  olean::BinderTable binders;
  (void)index::read_binders(parts, binders);
  const auto module = index::read_olean(parts, "M", binders);
  if (module) check(module->declarations, size);
  // A second part, like `.olean.server`: both halves, and the same bytes twice.
  const std::string_view halves[] = {input.substr(0, size / 2), input.substr(size / 2)};
  (void)index::read_olean(halves, "M");
  const std::string_view twice[] = {input, input};
  (void)index::read_olean(twice, "M");
  return 0;
}

}  // namespace leanbridge::fuzz
