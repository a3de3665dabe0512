#pragma once
/// Receipts of verdicts: converts the command line to a receipt's question, and back.

#include "certify/verdict/receipt.hpp"
#include "core/program/options.hpp"

#include <string>

namespace leanbridge::app {

/// The question of the command line. InvalidArgument, FileNotFound: the baseline cannot be read. Blocking.
Result<certify::ReceiptQuestion> question_of(const Options& options);

/// The command line that asks the receipt's question again. `given` is the command line of the user who
/// verifies the receipt. The author of a receipt chooses the texts to judge, but neither the programs that
/// run here nor anything that makes a verdict easier: lake, kernel, axioms, options of Lean, waivers,
/// baseline and memory are taken from `given`.
Options options_of(const certify::ReceiptQuestion& question, Options given);

/// Reads the receipt in a file. Errors: InvalidArgument, FileNotFound. Blocking.
Result<certify::Receipt> load_receipt(const std::string& file);

}  // namespace leanbridge::app
