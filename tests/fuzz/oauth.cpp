// What a remote server and its authorization server say: challenges, metadata, addresses; and the headers
// that mirror a message. Input: the server's address, a WWW-Authenticate header, a JSON document, and an
// address that came from somewhere.

#include "core/base/ascii.hpp"
#include "fuzz.hpp"
#include "gateway/upstream/media.hpp"
#include "gateway/upstream/oauth/metadata.hpp"
#include "gateway/upstream/token_store.hpp"
#include "gateway/upstream/transport/http_headers.hpp"

#include <algorithm>

namespace leanbridge::fuzz {
namespace {

using nlohmann::json;

bool is_printable_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

void check_challenge(const std::string& header) {
  const auto challenge = upstream::bearer_challenge(header);
  if (!challenge) return;
  require(lower_case(header).find("bearer") != std::string::npos, "a Bearer challenge says so");
  const upstream::Scopes scopes = upstream::split_scopes(challenge->scope);
  require(upstream::split_scopes(upstream::join_scopes(scopes)) == scopes, "scopes come back");
}

// An accepted address is http(s), and nothing in it can control a terminal or pass for another host.
void check_used(const std::string& url) {
  const std::string lower = lower_case(url);
  require(lower.starts_with("https://") || lower.starts_with("http://"), "an address is one of the web");
  const std::string host =
      lower.substr(lower.find("//") + 2, lower.find_first_of("/?#", lower.find("//") + 2));
  require(host.substr(0, host.find_first_of("/?#")).find('@') == std::string::npos,
          "an address names no user");
  require(std::none_of(url.begin(), url.end(),
                       [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7F; }),
          "an address has no control characters");
  if (lower.starts_with("http://"))
    require(upstream::origin_text(url).starts_with("http://localhost") ||
                upstream::origin_text(url).starts_with("http://127.") ||
                upstream::origin_text(url).starts_with("http://[::1]"),
            "an address without TLS is this machine's");
}

void check_addresses(const std::string& server, const std::string& address) {
  const std::string canonical = upstream::canonical_resource(server), kept = upstream::canonical_url(server);
  if (!upstream::origin_text(server).empty()) {
    require(upstream::canonical_resource(canonical) == canonical, "a canonical address is its own");
    require(upstream::canonical_url(kept) == kept, "a canonical URL is its own");
  }
  (void)upstream::resource_metadata_addresses(server);
  (void)upstream::issuer_metadata_addresses(address);
  if (upstream::check_address(address, server, "the address")) check_used(address);
}

void check_documents(const json& document, const std::string& server, const std::string& issuer) {
  if (const auto resource = upstream::read_resource_metadata(document, server))
    require(!resource->issuers.empty() &&
                upstream::origin_text(resource->resource) == upstream::origin_text(server),
            "a resource is of the server, and has an issuer");
  if (const auto read = upstream::read_issuer_metadata(document, issuer, server)) {
    require(read->issuer == issuer, "an issuer is the one that was asked for");
    require(!read->token_endpoint.empty(), "there is an address for tokens");
    for (const std::string* endpoint : {&read->authorization_endpoint, &read->token_endpoint,
                                        &read->registration_endpoint, &read->revocation_endpoint})
      if (!endpoint->empty()) check_used(*endpoint);
  }
}

void check_headers(const json& document) {
  const auto mirrored = upstream::mirrored_arguments(document);
  if (!mirrored) return;
  const upstream::MirroredArguments all = {{"tool", *mirrored}};
  // The method of a request is ours; its params come from the client.
  for (const char* method : {"tools/call", "prompts/get", "resources/read"})
    for (const json& params : {document, json{{"name", "tool"}, {"uri", document}, {"arguments", document}}})
      for (const auto& [name, value] :
           upstream::mirroring_headers({{"method", method}, {"params", params}}, all))
        require(is_printable_ascii(name) && is_printable_ascii(value), "a header is one line of ASCII");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parts = parts_of(text_of(data, size));
  const auto part = [&](std::size_t i) {
    return std::string(i < parts.size() ? parts[i] : std::string_view());
  };
  const std::string server = part(0), challenge = part(1), address = part(3);
  check_challenge(challenge);
  check_addresses(server, address);
  require(is_printable_ascii(upstream::header_value(challenge)), "a header is one line of ASCII");
  const json document = json::parse(part(2), nullptr, false);
  if (document.is_discarded()) return 0;
  check_documents(document, server, address);
  check_headers(document);
  (void)upstream::media_of(document);
  (void)upstream::holds_media(document);
  return 0;
}

}  // namespace leanbridge::fuzz
