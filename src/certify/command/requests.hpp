#pragma once
/// What `certify` is asked, from its command line or from a line of a batch. Blocking: reads the files.

#include "certify/verdict/certify.hpp"
#include "certify/verdict/pair.hpp"
#include "core/program/options.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace leanbridge::app {

/// The question of the command line. InvalidArgument, FileNotFound.
Result<certify::Request> request_of(const Options& options);

/// That of `--verify RECEIPT --export FILE`. Nothing of it comes from the receipt.
certify::Request request_about_export(const Options& options);

struct PairRequest {
  certify::Request request;
  /// Of all that is asked. nullopt: the challenge is what a name of git's points to, which can change.
  std::optional<std::string> asked_sha256;
};
/// That of a line, with the options of the command line. InvalidArgument, FileNotFound.
Result<PairRequest> request_of(const Options& options, const certify::Pair& pair);

}  // namespace leanbridge::app
