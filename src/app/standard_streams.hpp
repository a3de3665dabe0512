#pragma once
/// The three standard descriptors: what a host has given us, and what must not happen to the rest.

namespace leanbridge::app {

/// Which of them were open when the program started.
struct StandardDescriptors {
  bool input = false;
  bool output = false;
  bool error = false;
};

/// To be called before anything else is opened. A closed standard descriptor is the next one that open()
/// gives away, and a log line would then end up in a database: each that is closed becomes /dev/null.
StandardDescriptors claim_standard_descriptors();

}  // namespace leanbridge::app
