#pragma once
/// Recognises, in Lean's messages about a file, that Lake could not load the project.

#include <optional>
#include <string>
#include <string_view>

namespace leanbridge::lean {

/// If Lake cannot load the project, no file of it can be elaborated, and the files are not at fault.
struct ConfigurationFailure {
  enum class Of {
    Server,  ///< at the start of `lake serve`: lasts until the server is started again
    File     ///< when the file was opened: opening it again makes Lake try again
  };
  Of of = Of::Server;
  std::string said;  ///< Lake's errors, shortened; may be empty
};

/// `message`: an error at the header of a file. nullopt: the error has another reason.
std::optional<ConfigurationFailure> read_configuration_failure(std::string_view message);

}  // namespace leanbridge::lean
