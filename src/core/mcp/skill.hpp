#pragma once
/// Skills: instructions that a host loads for its model when a task calls for them (agentskills.io), served
/// as resources with digests (SEP-2640, specification of 2026-09-13). Like tools they are data.

#include "core/base/error.hpp"
#include "resource.hpp"
#include <nlohmann/json.hpp>

#include <string>

namespace leanbridge::mcp {

/// A skill that consists of its SKILL.md alone.
struct Skill {
  nlohmann::json frontmatter;  ///< of the text: `name`, `description` and any further members
  std::string text;            ///< the text of SKILL.md

  /// skill://NAME/SKILL.md
  std::string uri() const;
};

/// Reads the frontmatter. Each of its lines must be `KEY: VALUE`; a value is a JSON string or plain text.
/// InvalidArgument for another form, or without name and description.
Result<Skill> read_skill(std::string text);

/// The skill's entry in `skills/list`, with size and digest of its file.
nlohmann::json describe(const Skill& skill);

/// The resource that is the skill's file.
Resource resource_of(const Skill& skill);

}  // namespace leanbridge::mcp
