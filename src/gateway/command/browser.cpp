#include "browser.hpp"

#include "core/platform/program.hpp"
#include <fcntl.h>
#include <unistd.h>

namespace leanbridge::app {

bool has_desktop() {
  return !platform::browser_opener().empty();
}

bool open_in_browser(const std::string& url) {
  if (!url.starts_with("https://") && !url.starts_with("http://")) return false;
  platform::Start browser;
  browser.program = platform::browser_opener();
  browser.arguments = {browser.program, url};
  // The browser gets neither our terminal nor our output.
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    browser.files.push_back({fd, "/dev/null", O_RDWR});
  return platform::start(browser) > 0;
}

}  // namespace leanbridge::app
