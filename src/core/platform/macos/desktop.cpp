#include "core/platform/program.hpp"

namespace leanbridge::platform {

// open(1). Every Mac has a desktop.
std::string browser_opener() {
  return "/usr/bin/open";
}

}  // namespace leanbridge::platform
