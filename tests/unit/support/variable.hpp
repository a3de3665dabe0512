#pragma once
/// Changes a variable of the environment for as long as it lives.

#include <stdlib.h>

#include <optional>
#include <string>

namespace leanbridge::test {

class Variable {
 public:
  /// nullopt: unset.
  Variable(std::string name, std::optional<std::string> value) : name_(std::move(name)) {
    if (const char* before = ::getenv(name_.c_str())) before_ = before;
    set(value);
  }
  ~Variable() { set(before_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const std::optional<std::string>& value) {
    if (value)
      ::setenv(name_.c_str(), value->c_str(), 1);
    else
      ::unsetenv(name_.c_str());
  }

  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace leanbridge::test
