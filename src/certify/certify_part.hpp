#pragma once
/// Verdicts on proofs as a part of the program: `leanbridge certify`, `leanbridge diff` and lean_certify.

#include "leanbridge/part.hpp"

namespace leanbridge::app {

class CertifyPart : public Part {
 public:
  void add_options(CLI::App& app, Options& options) override;
  std::unique_ptr<ClientPart> start_client(Runtime& runtime) override;
};

}  // namespace leanbridge::app
