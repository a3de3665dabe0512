#include "fingerprint.hpp"

#include "leanbridge/base/sha256.hpp"

#include <map>
#include <utility>

namespace leanbridge::certify {

using index::ConstantId;
using index::InfoKind;

namespace {

/// A text that says where it ends, so that two lists of texts are different if one text is.
std::string framed(std::string_view text) {
  return std::to_string(text.size()) + ":" + std::string(text) + ";";
}

}  // namespace

Fingerprints::Fingerprints(index::ModuleSet& set, std::function<bool(const index::SetModule&)> is_project)
    : set_(set), is_project_(std::move(is_project)), reader_(terms_, set) {}

std::optional<std::string> Fingerprints::of(ConstantId id) {
  std::map<std::string, std::string> hashes;  // by key, which is unique in the set
  std::vector<std::string> todo = {set_.key(id)};
  const std::string root = todo.front();
  while (!todo.empty()) {
    const std::string key = std::move(todo.back());
    todo.pop_back();
    const auto found = set_.find(key);
    if (hashes.contains(key) || !found || !is_project_(*set_.constants()[*found].module)) continue;
    const auto constant = reader_.read(*found);
    if (!constant) return std::nullopt;
    hashes[key] = hash_of(key, *constant);
    const auto add_mentions = [&](TermId term) {
      const auto mentioned = constants_in(terms_, term);
      todo.insert(todo.end(), mentioned.begin(), mentioned.end());
    };
    add_mentions(constant->type);
    if (constant->value) add_mentions(*constant->value);
    for (const TermId rule : constant->rules) add_mentions(rule);
    for (const TermId name : constant->names) todo.push_back(terms_.text(name));
    // What a type's recursor computes follows from the type, but proofs use the one in the file.
    if (constant->kind == InfoKind::Inductive) todo.push_back(key + "rec\x01");
  }
  Sha256 digest;
  digest.add(framed(root));
  for (const auto& [key, hash] : hashes) digest.add(framed(key) + hash);
  return digest.finish();
}

std::string Fingerprints::hash_of(const std::string& key, const ConstantTerms& constant) {
  Sha256 digest;
  digest.add(framed(key) + framed(index::keyword(constant.kind)));
  digest.add(constant.is_unsafe ? "u" : "-");
  digest.add(constant.is_partial ? "p" : "-");
  const auto add_names = [&](const std::vector<TermId>& names) {
    digest.add(std::to_string(names.size()) + ",");
    for (const TermId name : names) digest.add(framed(terms_.text(name)));
  };
  add_names(constant.level_params);
  add_names(constant.names);
  digest.add(std::to_string(constant.numbers.size()) + ",");
  for (const std::string& number : constant.numbers) digest.add(framed(number));
  digest.add(hash_of(constant.type));
  if (constant.value) digest.add("=" + hash_of(*constant.value));
  for (const TermId rule : constant.rules) digest.add("," + hash_of(rule));
  return digest.finish();
}

// The parts of a term come before it in the table.
const std::string& Fingerprints::hash_of(TermId id) {
  while (hashes_.size() <= id) {
    const Term& term = terms_.at(static_cast<TermId>(hashes_.size()));
    std::string content = std::to_string(static_cast<int>(term.kind)) + "/" +
                          std::to_string(static_cast<int>(term.binder)) + "/";
    const TermId parts[] = {term.a, term.b, term.c};
    const std::string_view kinds = parts_of(term.kind);
    for (std::size_t i = 0; i < kinds.size(); ++i)
      content += kinds[i] == 't' ? hashes_[parts[i]] : framed(terms_.text(parts[i]));
    hashes_.push_back(sha256_of(content));
  }
  return hashes_[id];
}

}  // namespace leanbridge::certify
