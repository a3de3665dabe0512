#include "call_slots.hpp"

#include <string>

namespace leanbridge::mcp {

Result<CallSlot> CallSlots::take() {
  if (*taken_ >= limit_)
    return fail(ErrorKind::RateLimited, std::to_string(*taken_) + " calls are under way already.",
                "Wait for some of them to end, then call again.");
  return CallSlot(taken_);
}

}  // namespace leanbridge::mcp
