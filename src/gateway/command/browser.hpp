#pragma once
/// The user's browser.

#include <string>

namespace leanbridge::app {

/// Whether there is a desktop that a browser could open on.
bool has_desktop();

/// Opens an http or https URL with xdg-open, without a shell, and does not wait for it: a browser
/// outlives the command. False if that cannot be started. Everybody on the machine can read the URL
/// meanwhile.
bool open_in_browser(const std::string& url);

}  // namespace leanbridge::app
