#include "fingerprint.hpp"

#include "core/base/sha256.hpp"
#include "core/base/try.hpp"

#include <set>
#include <utility>

namespace leanbridge::certify {

using olean::ConstantId;
using olean::constants_in;
using olean::ConstantTerms;
using olean::InfoKind;
using olean::parts_of;
using olean::Term;
using olean::TermId;

using olean::ConstantId;
using olean::InfoKind;

namespace {

constexpr std::size_t kMaxTerms = 5'000'000;

/// A text preceded by its length, so that different lists of texts never become equal when joined.
std::string framed(std::string_view text) {
  return std::to_string(text.size()) + ":" + std::string(text) + ";";
}

}  // namespace

Result<const Fingerprints::Node*> Fingerprints::node(const std::string& key, ConstantId id) {
  if (const auto known = nodes_.find(key); known != nodes_.end()) return &known->second;
  const auto constant = reader_.read(id);
  if (!constant) return fail(ErrorKind::Internal, "A compiled module is damaged.", "Call lean_build.");
  if (terms_.size() > kMaxTerms)
    return fail(ErrorKind::NotSupported, "The statements rest on more than 5 million different terms.");
  Node node{hash_of(key, *constant), {}};
  const auto add_mentions = [&](TermId term) {
    const auto mentioned = constants_in(terms_, term);
    node.mentions.insert(node.mentions.end(), mentioned.begin(), mentioned.end());
  };
  add_mentions(constant->type);
  if (constant->value) add_mentions(*constant->value);
  for (const TermId rule : constant->rules) add_mentions(rule);
  for (const TermId name : constant->names) node.mentions.push_back(terms_.text(name));
  // The rules of a type's recursor follow from the type, but proofs use the recursor in the file.
  if (constant->kind == InfoKind::Inductive) node.mentions.push_back(key + "rec\x01");
  return &nodes_.emplace(key, std::move(node)).first->second;
}

Result<Dependencies> Fingerprints::walk(std::vector<std::string> roots, Scope scope) {
  Dependencies found;
  std::set<std::string> seen(roots.begin(), roots.end());
  std::vector<std::string> todo = std::move(roots);
  for (std::size_t next = 0; next < todo.size(); ++next) {
    const std::string key = todo[next];
    const auto id = set_.find(key);
    if (!id) continue;
    if (scope == Scope::Project && !is_project_(*set_.constants()[*id].module)) {
      found.boundary.push_back(key);
      continue;
    }
    TRY(const Node* const read, node(key, *id));
    found.keys.push_back(key);
    found.hashes.emplace(key, read->hash);
    for (const std::string& mentioned : read->mentions)
      if (seen.insert(mentioned).second) todo.push_back(mentioned);
  }
  return found;
}

Result<std::string> Fingerprints::of(ConstantId id) {
  const std::string root = set_.key(id);
  TRY(const Dependencies found, walk({root}, Scope::Project));
  return certify::hash_of({root}, found.hashes);
}

std::string hash_of(const std::vector<std::string>& roots, const std::map<std::string, std::string>& hashes) {
  Sha256 digest;
  for (const std::string& root : roots) digest.add(framed(root));
  for (const auto& [key, hash] : hashes) digest.add(framed(key) + hash);
  return digest.finish();
}

std::string Fingerprints::hash_of(const std::string& key, const ConstantTerms& constant) {
  Sha256 digest;
  digest.add(framed(key) + framed(olean::keyword(constant.kind)));
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

// The parts of a term precede it in the table.
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
