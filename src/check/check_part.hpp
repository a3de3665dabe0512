#pragma once
/// Batches as a part of the program: `leanbridge check` and lean_check_batch.

#include "leanbridge/part.hpp"

namespace leanbridge::app {

class CheckPart : public Part {
 public:
  void add_options(CLI::App& app, Options& options) override;
  std::unique_ptr<ClientPart> start_client(Runtime& runtime) override;
};

}  // namespace leanbridge::app
