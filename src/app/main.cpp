// The entry: the hidden supervisor, or the server.

#include "leanbridge/io/supervisor.hpp"

#include "serve.hpp"

#include <cstdlib>
#include <cstring>

int main(int argc, char** argv) {
  if (argc > 3 && std::strcmp(argv[1], leanbridge::io::kSuperviseCommand) == 0)
    return leanbridge::io::supervise(std::atoi(argv[2]), argv + 3);
  leanbridge::app::Options options;
  if (const auto code = leanbridge::app::read_options(argc, argv, options)) return *code;
  return leanbridge::app::serve(options);
}
