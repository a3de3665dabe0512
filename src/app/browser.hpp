#pragma once
/// The user's browser.

#include <string>

namespace leanbridge::app {

/// Whether there is a desktop that a browser could open on.
bool has_desktop();

/// Starts xdg-open with an http or https address, without a shell, and does not wait for it: a browser lives
/// longer than the command. False where that cannot be started.
bool open_in_browser(const std::string& url);

}  // namespace leanbridge::app
