#pragma once
/// The whole program behind `main`.

namespace leanbridge::app {

/// Runs what the command line asks for: the hidden supervisor, the server, a client of the shared one, or one
/// of the commands. Takes and returns what `main` does.
int run(int argc, char** argv);

}  // namespace leanbridge::app
