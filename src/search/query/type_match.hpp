#pragma once
/// A type as it is compared with patterns, read once for all that is asked of it. Private to this module.

#include "type_pattern.hpp"

#include <string_view>
#include <vector>

namespace leanbridge::search {

struct ReadType {
  explicit ReadType(std::string_view type);

  TypePattern pattern;
  std::vector<TermToken> tokens;  ///< of the pattern's text, as far as they are compared
};

/// type_match() for one pattern and many types.
class WantedType {
 public:
  explicit WantedType(const TypePattern& wanted);
  double match(const ReadType& type) const;

 private:
  std::vector<TermToken> pattern_;
};

}  // namespace leanbridge::search
