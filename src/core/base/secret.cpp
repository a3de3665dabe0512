#include "secret.hpp"

#include "ascii.hpp"
#include "core/platform/machine.hpp"

#include <stdexcept>

namespace leanbridge {

std::ostream& operator<<(std::ostream& out, const Secret& secret) {
  return out << (secret.empty() ? "(no secret)" : "(secret)");
}

std::string random_bytes(std::size_t count) {
  std::string random(count, '\0');
  // Without randomness there is no security.
  if (!platform::fill_with_random_bytes(random.data(), count))
    throw std::runtime_error("the system provides no random bytes");
  return random;
}

std::string random_token() {
  return hexadecimal(random_bytes(32));
}

bool equal_secrets(std::string_view left, std::string_view right) {
  if (left.size() != right.size()) return false;
  // Volatile, so that the compiler looks at every byte.
  volatile unsigned char difference = 0;
  for (std::size_t i = 0; i < left.size(); ++i)
    difference = difference | static_cast<unsigned char>(static_cast<unsigned char>(left[i]) ^
                                                         static_cast<unsigned char>(right[i]));
  return difference == 0;
}

std::string without_secrets(std::string text, const std::vector<std::string>& secrets,
                            std::string_view instead) {
  for (const std::string& secret : secrets)
    // Continue after the replacement, which may itself contain the secret.
    for (std::size_t at = 0; !secret.empty() && (at = text.find(secret, at)) != std::string::npos;
         at += instead.size())
      text.replace(at, secret.size(), instead);
  return text;
}

}  // namespace leanbridge
