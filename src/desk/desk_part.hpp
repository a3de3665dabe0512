#pragma once
/// The commands for people, and the server that clients share, as a part of the program.

#include "leanbridge/part.hpp"

namespace leanbridge::app {

class DeskPart : public Part {
 public:
  void add_options(CLI::App& app, Options& options) override;
  std::optional<int> begin(int argc, char** argv) override;
  std::optional<int> serve(const Options& options, const StandardDescriptors& were_open) override;
};

}  // namespace leanbridge::app
