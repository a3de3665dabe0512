#pragma once
/// The questions to `certify`: from its command line, a line of a batch, a receipt, or a configuration of
/// `lake comparator` (leanprover/comparator's README). Blocking: reads the files.

#include "certify/verdict/certify.hpp"
#include "certify/verdict/pair.hpp"
#include "certify/verdict/receipt.hpp"
#include "core/base/error.hpp"
#include "core/program/options.hpp"

#include <optional>
#include <string>

namespace leanbridge::app {

/// The question of the command line. Errors: InvalidArgument, FileNotFound.
Result<certify::Request> request_of(const Options& options);

/// The question of `--verify RECEIPT --export FILE`. None of it comes from the receipt.
certify::Request request_about_export(const Options& options);

struct PairRequest {
  certify::Request request;
  /// The hash of the whole question. nullopt: git names the challenge by something other than a commit, which
  /// can change.
  std::optional<std::string> asked_sha256;
};
/// The question of a line, with the options of the command line. Errors: InvalidArgument, FileNotFound.
Result<PairRequest> request_of(const Options& options, const certify::Pair& pair);

/// The question of the command line. InvalidArgument, FileNotFound: the baseline cannot be read. Blocking.
Result<certify::ReceiptQuestion> question_of(const Options& options);

/// The command line that asks the receipt's question again. `given` is the command line of the user who
/// verifies the receipt. The author of a receipt chooses the texts to judge, but neither the programs that
/// run here nor anything that makes a verdict easier: lake, kernel, axioms, options of Lean, waivers,
/// baseline and memory are taken from `given`.
Options options_of(const certify::ReceiptQuestion& question, Options given);

/// Reads the receipt in a file. Errors: InvalidArgument, FileNotFound. Blocking.
Result<certify::Receipt> load_receipt(const std::string& file);

/// The options with the files, names and axioms of the configuration, if one was given as the only file.
/// Programs can be named only on the command line. InvalidArgument, FileNotFound: the configuration cannot be
/// read, or asks for something that `certify` does not do. Blocking.
Result<Options> with_comparator(Options options);

}  // namespace leanbridge::app
