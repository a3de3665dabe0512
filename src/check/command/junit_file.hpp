#pragma once
/// A JUnit report, written as verdicts come. Blocking.

#include "check/batch/summary.hpp"
#include "core/base/files.hpp"

#include <memory>
#include <string>

namespace leanbridge::app {

class JUnitFile {
 public:
  JUnitFile(Descriptor file, std::string name) : file_(std::move(file)), name_(std::move(name)) {}

  /// InvalidArgument if the file cannot be written.
  static Result<std::shared_ptr<JUnitFile>> create(const std::string& name);
  /// Appends the text of a verdict. Internal: the disk is full or missing.
  Result<void> write(const std::string& text) const;
  /// Ends the report, and writes the numbers into its head.
  Result<void> finish(const batch::Summary& summary) const;

 private:
  Descriptor file_;
  std::string name_;
};

}  // namespace leanbridge::app
