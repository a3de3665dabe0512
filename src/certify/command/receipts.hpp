#pragma once
/// Receipts of verdicts: from the command line, and back to it.

#include "certify/verdict/receipt.hpp"
#include "core/program/options.hpp"

#include <string>

namespace leanbridge::app {

/// What the command line asks. InvalidArgument, FileNotFound: the baseline cannot be read. Blocking.
Result<certify::ReceiptQuestion> question_of(const Options& options);

/// The command line that asks the same of `given`, that of whoever verifies a receipt. Whoever has written
/// the receipt chooses what is judged, but no program that runs here and nothing that makes a verdict easier:
/// lake, kernel, axioms, options of Lean, waivers, baseline and memory are those of `given`.
Options options_of(const certify::ReceiptQuestion& question, Options given);

/// The receipt in a file. InvalidArgument, FileNotFound. Blocking.
Result<certify::Receipt> load_receipt(const std::string& file);

}  // namespace leanbridge::app
