#include "pkce.hpp"

#include "leanbridge/base/base64.hpp"
#include "leanbridge/base/sha256.hpp"

namespace leanbridge::upstream {

namespace {

std::string base64url(std::string_view bytes) {
  std::string text = to_base64(bytes);
  for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
  while (text.ends_with('=')) text.pop_back();
  return text;
}

}  // namespace

std::string random_text(std::size_t bytes) {
  return base64url(random_bytes(bytes));
}

std::string pkce_challenge(std::string_view verifier) {
  Sha256 digest;
  digest.add(verifier);
  return base64url(digest.finish_bytes());
}

}  // namespace leanbridge::upstream
