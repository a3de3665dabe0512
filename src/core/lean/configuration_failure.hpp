#pragma once
/// Recognises that Lake could not load a project, in what Lean reports about a file.

#include <optional>
#include <string>
#include <string_view>

namespace leanbridge::lean {

/// If Lake cannot load the project, no file of it can be elaborated, and none is at fault.
struct ConfigurationFailure {
  enum class Of {
    Server,  ///< when `lake serve` started: it holds until the server is started again
    File     ///< when the file was opened: opening it again tries again
  };
  Of of = Of::Server;
  std::string said;  ///< by Lake: its errors, shortened; may be empty
};

/// `message`: an error at the header of a file. nullopt: it has another reason.
std::optional<ConfigurationFailure> read_configuration_failure(std::string_view message);

}  // namespace leanbridge::lean
