#pragma once
/// The questions to `certify`, from its command line or from a line of a batch. Blocking: reads the files.

#include "certify/verdict/certify.hpp"
#include "certify/verdict/pair.hpp"
#include "core/program/options.hpp"

#include <filesystem>
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

}  // namespace leanbridge::app
