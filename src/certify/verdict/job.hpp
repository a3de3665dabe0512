#pragma once
/// What the steps of a verdict share. Private to this module.

#include "certify.hpp"

namespace leanbridge::certify {

/// One question on its way to its verdict: read_inputs(), compile(), compare(), conclude(). Belongs to the
/// loop's thread, and outlives the steps.
struct Job {
  Request request;
  io::Pool& pool;
  io::CancelScope scope;
  /// What is known so far. Each step notes its facts here as soon as it has them, so that they are told even
  /// if the time is up in the next one.
  Certificate certificate;
};

}  // namespace leanbridge::certify
