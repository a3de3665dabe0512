#include "completion.hpp"

#include "leanbridge/certify/judge.hpp"
#include "leanbridge/text/untrusted.hpp"

#include <algorithm>
#include <set>

namespace leanbridge::certify {

namespace {

enum class Waivers { Use, Leave };

std::string command_with(const std::vector<Missing>& missing, const std::vector<std::string>& command,
                         Waivers waivers) {
  std::string line;
  for (const std::string& word : command) line += (line.empty() ? "" : " ") + text::shell_word(word);
  for (const Missing& one : missing) {
    const bool waived = waivers == Waivers::Use && !one.waiver.empty();
    const std::string& option = waived ? one.waiver : one.option;
    if (!option.empty()) line += " " + option;
  }
  return line;
}

}  // namespace

std::string what_is_missing(const std::vector<Missing>& missing) {
  std::string what;
  for (const Missing& one : missing) what += (what.empty() ? "" : "; ") + one.what;
  return what;
}

std::string how_to_complete(const std::vector<Missing>& missing, const std::vector<std::string>& command) {
  std::string how;
  const auto add = [&](const std::string& line) { how += (how.empty() ? "" : "\n") + line; };
  for (const Missing& one : missing)
    if (how.find(one.how) == std::string::npos) add(one.how);
  const auto any = [&](std::string Missing::*member) {
    return std::any_of(missing.begin(), missing.end(),
                       [&](const Missing& one) { return !(one.*member).empty(); });
  };
  if (any(&Missing::option)) add("Run: " + command_with(missing, command, Waivers::Leave));
  if (any(&Missing::waiver))
    add("Or trust that the compiler called its kernel: " + command_with(missing, command, Waivers::Use));
  return how;
}

std::string more_axioms(const Certificate& certificate) {
  const auto& standard = standard_axioms();
  std::set<std::string> more;
  for (const NameVerdict& name : certificate.names)
    for (const std::string& axiom : name.axioms.value_or(std::vector<std::string>()))
      if (std::find(standard.begin(), standard.end(), axiom) == standard.end()) more.insert(axiom);
  std::string text;
  for (const std::string& axiom : more) text += (text.empty() ? ", among them `" : ", `") + axiom + "`";
  return text;
}

}  // namespace leanbridge::certify
