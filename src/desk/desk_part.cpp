#include "desk_part.hpp"

#include "core/program/options.hpp"
#include "core/program/serve.hpp"
#include "desk_options.hpp"
#include "shared/shared.hpp"

#include <cstring>

namespace leanbridge::app {

void DeskPart::add_options(CLI::App& app, Options& options) {
  add_desk(app, options);
}

std::optional<int> DeskPart::begin(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], kSharedServerCommand) == 0) return leave_parent();
  return std::nullopt;
}

std::optional<int> DeskPart::serve(const Options& options, const StandardDescriptors& were_open) {
  return options.of<SharedOptions>().shared ? serve_shared(options, were_open) : std::nullopt;
}

}  // namespace leanbridge::app
