#pragma once
/// Prepares text of servers for our client: results, and questions to its user or model.

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace leanbridge::upstream {

/// Cleans a result's metadata (names, addresses, annotations) like a description, but passes its data on
/// unchanged.
nlohmann::json with_clean_metadata(nlohmann::json value);

/// The params of a server's request to our client, cleaned likewise. A question to the user begins with the
/// name of the server, since the user knows only this program.
nlohmann::json shown_question(std::string_view method, nlohmann::json params, const std::string& server);

}  // namespace leanbridge::upstream
