#pragma once
/// The state that the steps of a verdict share. Private to this module.

#include "certify.hpp"

namespace leanbridge::certify {

/// One question on its way to its verdict: read_inputs(), compile(), compare(), conclude(). Belongs to the
/// loop's thread, and outlives the steps.
struct Job {
  Request request;
  io::Pool& pool;
  io::CancelScope scope;
  /// The facts so far. Each step notes its facts here as soon as it has them, so that they are reported even
  /// if time runs out in the next step.
  Certificate certificate;
};

}  // namespace leanbridge::certify
