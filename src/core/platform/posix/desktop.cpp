#include "core/platform/program.hpp"

#include <cstdlib>

namespace leanbridge::platform {

// xdg-open(1), of freedesktop.org.
std::string browser_opener() {
  const char *wayland = std::getenv("WAYLAND_DISPLAY"), *x = std::getenv("DISPLAY");
  return (wayland && *wayland) || (x && *x) ? "xdg-open" : "";
}

}  // namespace leanbridge::platform
