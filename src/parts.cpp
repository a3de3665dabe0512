// The parts of the whole program. Add a new one here and in src/CMakeLists.txt.

#include "leanbridge/part.hpp"

#include "certify/certify_part.hpp"
#include "check/check_part.hpp"
#include "corpus/corpus_part.hpp"
#include "desk/desk_part.hpp"
#include "gateway/gateway_part.hpp"
#include "search/search_part.hpp"
#include "together/together_part.hpp"

namespace leanbridge::app {

const std::vector<std::unique_ptr<Part>>& parts() {
  static const std::vector<std::unique_ptr<Part>> all = [] {
    std::vector<std::unique_ptr<Part>> made;
    made.push_back(std::make_unique<SearchPart>());
    made.push_back(std::make_unique<CheckPart>());
    made.push_back(std::make_unique<CertifyPart>());
    made.push_back(std::make_unique<GatewayPart>());
    made.push_back(std::make_unique<CorpusPart>());
    made.push_back(std::make_unique<TogetherPart>());
    made.push_back(std::make_unique<DeskPart>());
    return made;
  }();
  return all;
}

}  // namespace leanbridge::app
