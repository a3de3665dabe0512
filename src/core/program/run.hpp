#pragma once
/// The whole program behind `main`.

namespace leanbridge::app {

/// Does what the command line asks for: runs the hidden supervisor, the server, a client of the shared
/// server, or a command. Takes and returns the same as `main`.
int run(int argc, char** argv);

}  // namespace leanbridge::app
