#include "prompts.hpp"

namespace leanbridge::prompts {

extern const char* const kProofSkill;

std::vector<mcp::Skill> all_skills() {
  return {mcp::read_skill(kProofSkill).value()};
}

}  // namespace leanbridge::prompts
