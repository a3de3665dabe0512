#pragma once
/// Writes names, levels and expressions as lines of an export, each once, parts before wholes. Private to
/// this module.

#include "core/base/sha256.hpp"
#include "core/olean/terms.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace leanbridge::certify {

/// Receives a part of an export; returns false if it cannot be written.
using ExportWriter = std::function<bool(std::string_view)>;

/// The destination of an export: counts and hashes the written bytes, and stops at a limit.
class ExportSink {
 public:
  ExportSink(const ExportWriter& out, std::uint64_t max_bytes) : out_(out), max_bytes_(max_bytes) {}

  void write(std::string_view line);
  std::uint64_t bytes() const { return bytes_; }
  /// Writes the rest and returns the hash of everything written. Call it once.
  std::string finish();

  /// Why writing has stopped, as a sentence; "": it has not.
  const std::string& problem() const { return problem_; }
  /// Stops writing. Only the first call counts.
  void fail(std::string_view sentence);

 private:
  void flush();

  const ExportWriter& out_;
  std::string buffer_;
  std::uint64_t max_bytes_;
  std::uint64_t bytes_ = 0;
  Sha256 digest_;
  std::string problem_;
};

/// A text as JSON. Fails if it is not UTF-8.
std::string json_text(std::string_view text, ExportSink& sink);

/// Numbers names, levels and expressions, and writes each before its first use. The table must outlive it.
/// Reports problems to the sink.
class ExportLines {
 public:
  ExportLines(const olean::TermTable& terms, ExportSink& sink) : terms_(terms), sink_(sink) {}

  /// The number of a name, given by its key; 0: the empty name.
  std::uint32_t name(const std::string& key);
  /// The number of a level or of an expression.
  std::uint32_t term(olean::TermId id);

 private:
  bool is_known(olean::TermId id) const { return id < numbers_.size() && numbers_[id] != kUnknown; }
  std::string number(olean::TermId id) const { return std::to_string(numbers_[id]); }
  void write(olean::TermId id);
  void write_level(olean::TermId id, const std::string& content);
  void write_expression(olean::TermId id, const std::string& before, const std::string& after);
  void write_binder(olean::TermId id, const char* kind);
  std::string levels_in(olean::TermId list) const;
  /// The digits of a natural number; fails if there are more than a kernel should read.
  std::string digits(const std::string& text);

  static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;
  const olean::TermTable& terms_;
  ExportSink& sink_;
  std::unordered_map<std::string, std::uint32_t> names_;
  std::vector<std::uint32_t> numbers_;  ///< by TermId
  std::uint32_t next_level_ = 1;        ///< 0 stands for the level zero
  std::uint32_t next_expression_ = 0;
};

}  // namespace leanbridge::certify
