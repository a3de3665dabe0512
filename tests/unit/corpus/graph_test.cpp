#include "corpus/records/graph.hpp"

#include "corpus/corpus_fixture.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::corpus {

namespace {

Strings sorted(Strings names) {
  std::sort(names.begin(), names.end());
  return names;
}

// "name down/up", sorted
Strings members(const DependencyGraph& graph, const Neighbourhood& around) {
  const auto word = [](const wire::Nullable<std::size_t>& distance) {
    return distance ? std::to_string(*distance) : std::string("-");
  };
  Strings all;
  for (const auto& member : around.nodes)
    all.push_back(graph.label(member.index) + " " + word(member.dependency_distance) + "/" +
                  word(member.dependent_distance));
  std::sort(all.begin(), all.end());
  return all;
}

Strings around(const std::string& id, const std::string& name, std::optional<std::size_t> depth) {
  const DependencyGraph graph(fixture_paper(id));
  return members(graph, graph.around(graph.find(name).value(), depth));
}

// n cards, each of which depends on the one before.
Paper chain(std::size_t count) {
  Paper paper;
  for (std::size_t i = 0; i < count; ++i) {
    Card card;
    card.id = "c" + std::to_string(i);
    card.lean_decl = "N.d" + std::to_string(i);
    if (i > 0) card.dependency_ids.push_back("c" + std::to_string(i - 1));
    paper.cards.push_back(std::move(card));
  }
  return paper;
}

}  // namespace

TEST_CASE("a neighbourhood is bounded in both directions", "[corpus]") {
  CHECK(around("parity_notes", "Parity.even_add", 1) ==
        Strings{"Parity.Even 1/-", "Parity.even_add 0/0", "Parity.vanished -/1"});
  CHECK(around("parity_notes", "Parity.vanished", 1) ==
        Strings{"Parity.even_add 1/-", "Parity.vanished 0/0"});
  CHECK(around("parity_notes", "Parity.vanished", std::nullopt) ==
        Strings{"Parity.Even 2/-", "Parity.even_add 1/-", "Parity.vanished 0/0"});
  CHECK(around("parity_notes", "parity_notes_card_008", std::nullopt).size() == 3);
  CHECK(around("parity_notes", "Parity.«even four»", 9) ==
        Strings{"Parity.Even 1/-", "Parity.even four 0/0"});
}

TEST_CASE("cycles end, and are told", "[corpus]") {
  const DependencyGraph graph(fixture_paper("cycles"));
  const auto near_a = graph.around(graph.find("C.a").value(), std::nullopt);
  CHECK(members(graph, near_a) == Strings{"C.a 0/0", "C.above -/1", "C.b 2/1", "C.c 1/2", "C.top -/2"});
  REQUIRE(near_a.cycles.size() == 1);
  CHECK(sorted(near_a.cycles[0]) == Strings{"C.a", "C.b", "C.c"});
  CHECK(near_a.edges.size() == 5);
  const auto near_self = graph.around(graph.find("C.self").value(), 3);
  REQUIRE(near_self.cycles.size() == 1);
  CHECK(sorted(near_self.cycles[0]) == Strings{"C.self"});
  CHECK(graph.around(graph.find("C.top").value(), 1).cycles.empty());
}

TEST_CASE("a neighbourhood has the published edges within it", "[corpus]") {
  Paper paper = chain(4);
  for (const auto& [from, to] : {std::pair("c0", "c1"), {"N.d1", "N.d2"}, {"c2", "c3"}, {"c3", "nonesuch"}})
    paper.edges.push_back({from, to, {{"from", from}, {"to", to}}});
  const DependencyGraph graph(paper);
  const auto near = graph.around(graph.find("c0").value(), 2);
  const auto edge = [](const char* from, const char* to) {
    return nlohmann::json({{"from", from}, {"to", to}});
  };
  CHECK(graph.published_edges(paper, near) == nlohmann::json({edge("c0", "c1"), edge("N.d1", "N.d2")}));
  CHECK(wire::write(near)["edges"] == nlohmann::json({edge("N.d0", "N.d1"), edge("N.d1", "N.d2")}));
  CHECK(wire::write(near.nodes[1]) == nlohmann::json({{"lean_decl", "N.d1"},
                                                      {"id", "c1"},
                                                      {"dependency_distance", nullptr},
                                                      {"dependent_distance", 1}}));
}

TEST_CASE("an id that no card has stays what it is", "[corpus]") {
  const DependencyGraph graph(fixture_paper("cycles"));
  const auto node = graph.find("another_paper_card_001");
  REQUIRE(node);
  CHECK(*graph.node(*node).id == "another_paper_card_001");
  CHECK_FALSE(graph.node(*node).lean_decl.has_value());
  CHECK(around("cycles", "C.far", 1) == Strings{"C.far 0/0", "another_paper_card_001 1/-"});
  CHECK(graph.find("C.nonesuch") == std::nullopt);
  CHECK(graph.find("") == std::nullopt);
}

TEST_CASE("edges may name declarations; two cards of one declaration are one node", "[corpus]") {
  CHECK(around("no_cards", "Alone.b", std::nullopt) == Strings{"Alone.a 1/-", "Alone.b 0/0"});
  const DependencyGraph graph(fixture_paper("duplicates"));
  CHECK(graph.find("duplicates_card_001") == graph.find("D.a"));
  CHECK(graph.find("duplicates_card_002") == graph.find("D.a"));
  CHECK(around("wrong_types", "A.c", 1) == Strings{"A.a 1/-", "A.c 0/0", "A.d -/1"});
}

TEST_CASE("a long chain and a large neighbourhood", "[corpus]") {
  const DependencyGraph graph(chain(100'000));
  const auto bounded = graph.around(graph.find("N.d50000").value(), 10);
  CHECK(bounded.nodes.size() == 21);
  CHECK_FALSE(bounded.truncated);
  const auto all = graph.around(graph.find("c50000").value(), std::nullopt);
  CHECK(all.truncated);
  CHECK(all.nodes.size() == kMaxNodes);
  CHECK(graph.label(all.nodes[0].index) == "N.d50000");
  CHECK(all.edges.size() == kMaxNodes - 1);
  CHECK(all.cycles.empty());
}

}  // namespace leanbridge::corpus
