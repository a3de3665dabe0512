#include "pair.hpp"

#include "core/base/json.hpp"
#include "costs.hpp"

#include <set>
#include <utility>

namespace leanbridge::certify {

using nlohmann::json;

namespace {

constexpr double kMaxTimeoutS = 86'400;

std::optional<std::string> id_in(const json& object) {
  const auto id = object.find("id");
  if (id == object.end()) return std::nullopt;
  if (id->is_string()) return id->get<std::string>();
  if (id->is_number_integer()) return id->dump();
  return std::nullopt;
}

/// The first member that the object has twice; "": none. Readers of JSON keep one of the two, and disagree
/// about which.
std::string repeated_member(std::string_view line) {
  std::set<std::string> seen;
  std::string repeated;
  const auto look = [&](int depth, json::parse_event_t event, const json& parsed) {
    if (event == json::parse_event_t::key && depth == 1 && repeated.empty())
      if (std::string name = parsed.get<std::string>(); !seen.insert(name).second) repeated = std::move(name);
    return true;
  };
  (void)json::parse(line, look, false);
  return repeated;
}

/// Why the members are not a question, as a clause; "": they are.
std::string problem_with(const Pair& pair) {
  if (const auto problem = problem_with(pair.texts)) return problem->clause;
  if (pair.timeout_s && !(*pair.timeout_s > 0 && *pair.timeout_s <= kMaxTimeoutS))
    return "`timeout_s` is not a number of seconds above 0";
  return {};
}

template <class T>
std::string line_of(const T& value) {
  return wire::write(value).dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace

wire::Fields Pair::fields() {
  return {wire::flatten<&Pair::texts>(), wire::field<&Pair::allowed_axioms>(),
          wire::field<&Pair::options>().with_default(), wire::field<&Pair::timeout_s>()};
}

tl::expected<Pair, BadPair> read_pair(std::string_view line, const std::string& place) {
  const json object = read_json(line);
  const auto bad = [&](const std::string& id, const std::string& why) {
    return tl::unexpected(BadPair{id, place + ": " + why});
  };
  if (!object.is_object()) return bad(place, "the line is not a JSON object");
  const std::string id = id_in(object).value_or(place);
  if (const std::string name = repeated_member(line); !name.empty())
    return bad(id, "it has the member `" + name + "` twice");
  if (object.contains("id") && !id_in(object)) return bad(id, "its id is neither a string nor an integer");
  json members = json::object();
  for (const wire::Field* field : wire::members_of(wire::fields_of<Pair>())) {
    const auto found = object.find(field->name);
    if (found == object.end() || found->is_null()) continue;
    if (!wire::has_type(*found, *field->type))
      return bad(id, "`" + std::string(field->name) + "` has the wrong type");
    members[field->name] = *found;
  }
  Pair pair = wire::read<Pair>(members);
  pair.id = id;
  if (const std::string problem = problem_with(pair); !problem.empty()) return bad(id, problem);
  return pair;
}

wire::Fields JudgedPair::fields() {
  return {wire::field<&JudgedPair::id>(), wire::field<&JudgedPair::asked_sha256>(),
          wire::flatten<&JudgedPair::certificate>()};
}

wire::Names<PairProblem> names_of(PairProblem) {
  return {{PairProblem::Invalid, "invalid"}};
}

wire::Fields InvalidPair::fields() {
  return wire::fields<&InvalidPair::id, &InvalidPair::verdict, &InvalidPair::reason, &InvalidPair::hint,
                      &InvalidPair::line>();
}

std::string to_line(const JudgedPair& pair) {
  return line_of(pair);
}
std::string to_line(const InvalidPair& pair) {
  return line_of(pair);
}

bool EarlierVerdicts::add(std::string_view line) {
  const json object = read_json(line);
  const std::string word = text_member(object, "verdict");
  if (!object.is_object() || !object.contains("id") || !object["id"].is_string()) return false;
  std::string id = object["id"].get<std::string>();
  for (const auto& [verdict, name] : names_of(Outcome()))
    if (word == name) {
      answers_.insert_or_assign(std::move(id), Answer{text_member(object, "asked_sha256"), verdict});
      return true;
    }
  if (word != wire::name_of(PairProblem::Invalid)) return false;
  answers_.erase(id);  // the pair may have been corrected
  return true;
}

std::optional<Outcome> EarlierVerdicts::find(const std::string& id, const std::string& asked_sha256) const {
  const auto found = answers_.find(id);
  const bool known = found != answers_.end() && !asked_sha256.empty() &&
                     found->second.asked_sha256 == asked_sha256 &&
                     found->second.verdict != Outcome::Incomplete;
  return known ? std::optional(found->second.verdict) : std::nullopt;
}

bool EarlierCosts::add(std::string_view line) {
  const json object = read_json(line);
  const json& declarations = member(member(object, "cost"), "declarations");
  if (!declarations.is_array()) return false;
  auto& heartbeats = heartbeats_[text_member(object, "id")];
  heartbeats.clear();
  for (const json& each : declarations)
    if (const json& cost = member(each, "heartbeats"); cost.is_number())
      heartbeats[text_member(each, "name")] = cost.get<double>();
  return true;
}

std::size_t EarlierCosts::compare(const std::string& id, double limit, CostFacts& now) const {
  const auto then = heartbeats_.find(id);
  if (then == heartbeats_.end()) return 0;
  std::size_t dearer = 0;
  for (DeclarationHeartbeats& each : now.declarations) {
    const auto before = then->second.find(each.name);
    if (before == then->second.end() || !certify::is_dearer(before->second, each.heartbeats, limit)) continue;
    each.before = before->second;
    ++dearer;
  }
  return dearer;
}

void PairCounts::add(Outcome verdict) {
  switch (verdict) {
    case Outcome::Certified:
      ++certified;
      return;
    case Outcome::Refused:
      ++refused;
      return;
    case Outcome::Incomplete:
      ++incomplete;
      return;
    case Outcome::Refuted:
      ++refuted;
      return;
    case Outcome::Filled:
      ++filled;
      return;
  }
}

std::string one_line_of(const PairCounts& counts) {
  std::string line = std::to_string(counts.judged()) + " judged";
  if (counts.skipped > 0) line += ", " + std::to_string(counts.skipped) + " known from before";
  const char* separator = ": ";
  for (const auto& [count, name] :
       {std::pair{counts.certified, "certified"}, std::pair{counts.refused, "refused"},
        std::pair{counts.incomplete, "incomplete"}, std::pair{counts.refuted, "refuted"},
        std::pair{counts.filled, "filled"}, std::pair{counts.invalid, "invalid"}}) {
    if (count == 0) continue;
    line += separator + std::to_string(count) + " " + name;
    separator = ", ";
  }
  return line;
}

}  // namespace leanbridge::certify
