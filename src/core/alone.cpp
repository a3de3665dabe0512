// The program of the core alone (cmake --preset core) has no parts.

#include "leanbridge/part.hpp"

namespace leanbridge::app {

const std::vector<std::unique_ptr<Part>>& parts() {
  static const std::vector<std::unique_ptr<Part>> none;
  return none;
}

}  // namespace leanbridge::app
