#pragma once
/// The configuration of `lake comparator` (leanprover/comparator's README) as a question to `certify`.

#include "core/base/error.hpp"
#include "core/program/options.hpp"

namespace leanbridge::app {

/// The options with the files, names and axioms of the configuration, if one was given as the only file.
/// Programs can be named only on the command line. InvalidArgument, FileNotFound: the configuration cannot be
/// read, or asks for something that `certify` does not do. Blocking.
Result<Options> with_comparator(Options options);

}  // namespace leanbridge::app
