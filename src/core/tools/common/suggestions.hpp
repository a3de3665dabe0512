#pragma once
/// Suggestions of what the caller meant by a file or a name that does not exist. Private to this module.

#include "core/tools/tools.hpp"
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::document {
class DocumentState;
}

namespace leanbridge::tools {

/// Declarations that `name` may mean, at most three, likeliest first. They come from the index, if there is
/// one, and from `own`, which may be newer than the index. Waits a second at most.
asio::awaitable<std::vector<std::string>> names_like(Environment& environment, std::filesystem::path project,
                                                     std::string name, std::vector<std::string> own,
                                                     io::CancelScope scope);

/// The error, with suggestions in its hint if `file_path` names no file or if Lean does not know a name.
/// `arguments` are the call's.
asio::awaitable<Error> with_suggestions(Environment& environment, std::shared_ptr<mcp::Call> call,
                                        nlohmann::json arguments, Error error);

/// Whether a message in the answer says that Lean does not know a name.
bool has_unknown_name(const nlohmann::json& answer);
/// Adds suggestions to these messages, as their `hint`.
asio::awaitable<nlohmann::json> with_suggested_names(Environment& environment,
                                                     std::shared_ptr<mcp::Call> call,
                                                     nlohmann::json arguments, nlohmann::json answer);

/// A hint for a byte offset of the file's text that has no goals: where the proof of its declaration begins
/// or, between declarations, where the neighbours' proofs begin; or that Lean stops above it, at an #exit.
/// nullopt: there is no proof.
std::optional<std::string> where_proof_begins(const document::DocumentState& file, std::size_t offset);

}  // namespace leanbridge::tools
