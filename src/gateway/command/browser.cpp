#include "browser.hpp"

#include "core/platform/program.hpp"
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace leanbridge::app {

bool has_desktop() {
  for (const char* name : {"WAYLAND_DISPLAY", "DISPLAY"}) {
    const char* value = std::getenv(name);
    if (value && *value) return true;
  }
  return false;
}

bool open_in_browser(const std::string& url) {
  if (!url.starts_with("https://") && !url.starts_with("http://")) return false;
  platform::Start browser;
  browser.program = "xdg-open";
  browser.arguments = {browser.program, url};
  // The browser gets neither our terminal nor our output.
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    browser.files.push_back({fd, "/dev/null", O_RDWR});
  return platform::start(browser) > 0;
}

}  // namespace leanbridge::app
