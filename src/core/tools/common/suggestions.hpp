#pragma once
/// What the caller may have meant by a file or a name that does not exist. Private to this module.

#include "core/tools/tools.hpp"
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::document {
class DocumentState;
}

namespace leanbridge::tools {

/// The names, at most three, of declarations that `name` may mean, likeliest first: from the index if
/// there is one, and `own`, which the index may not have yet. Waits a second at most.
asio::awaitable<std::vector<std::string>> names_like(Environment& environment, std::filesystem::path project,
                                                     std::string name, std::vector<std::string> own,
                                                     io::CancelScope scope);

/// The error, with what may be meant in its hint if `file_path` names no file, or if Lean does not know a
/// name. `arguments` are those of the call.
asio::awaitable<Error> with_suggestions(Environment& environment, std::shared_ptr<mcp::Call> call,
                                        nlohmann::json arguments, Error error);

/// Whether Lean says in a message of the answer that it does not know a name.
bool has_unknown_name(const nlohmann::json& answer);
/// Adds what may be meant to these messages, as their `hint`.
asio::awaitable<nlohmann::json> with_suggested_names(Environment& environment,
                                                     std::shared_ptr<mcp::Call> call,
                                                     nlohmann::json arguments, nlohmann::json answer);

/// For a byte offset of the file's text without goals: where the proof of its declaration begins or, between
/// declarations, those of its neighbours; that Lean stops above it, at an #exit. nullopt: there is no proof.
std::optional<std::string> where_proof_begins(const document::DocumentState& file, std::size_t offset);

}  // namespace leanbridge::tools
