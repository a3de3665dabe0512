#pragma once
/// Opens the user's browser.

#include <string>

namespace leanbridge::app {

/// Whether there is a desktop on which a browser could open.
bool has_desktop();

/// Opens an http or https URL, without a shell, and does not wait for it: a browser outlives the command.
/// False if the system's program for that cannot be started. Every user of the machine can read the URL
/// meanwhile.
bool open_in_browser(const std::string& url);

}  // namespace leanbridge::app
