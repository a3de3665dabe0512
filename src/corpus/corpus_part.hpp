#pragma once
/// Records of published formalisations as a part of the program.

#include "leanbridge/part.hpp"

namespace leanbridge::app {

class CorpusPart : public Part {
 public:
  std::unique_ptr<ClientPart> start_client(Runtime& runtime) override;
};

}  // namespace leanbridge::app
