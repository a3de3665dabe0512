#include "core/ide/messages.hpp"
#include <catch2/catch.hpp>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace leanbridge::ide {
namespace {

const text::Text kText("theorem a : p := x\ntheorem b : q :=\ntheorem c : r := by\n  skip\n");

lean::Diagnostic said(const std::string& at, lean::Severity severity, std::string message,
                      std::vector<int> tags = {}) {
  const std::size_t begin = kText.str().find(at);
  REQUIRE(begin != std::string::npos);
  lean::Diagnostic diagnostic;
  diagnostic.range = kText.lsp_range(begin, begin + at.size());
  diagnostic.severity = severity;
  diagnostic.message = std::move(message);
  diagnostic.silent = tags == std::vector<int>{lean::kTagGoalsAccomplished};
  diagnostic.lean_tags = std::move(tags);
  return diagnostic;
}

std::vector<std::string> texts(const Messages& messages) {
  std::vector<std::string> found;
  for (const lean::Diagnostic* each : messages.list()) found.push_back(each->message);
  return found;
}

using Texts = std::vector<std::string>;

// A `for` over the list of a temporary must not look at what is gone.
static_assert(!std::is_reference_v<decltype(std::declval<Messages>().list())>);

}  // namespace

TEST_CASE("messages are selected by what they say", "[ide][messages]") {
  const std::vector<lean::Diagnostic> all{
      said("skip", lean::Severity::Error, "no goal"),
      said("by", lean::Severity::Error, "unsolved goals", {lean::kTagUnsolvedGoals}),
      said("a :", lean::Severity::Warning, "declaration uses `sorry`"),
      said("b :", lean::Severity::Warning, "unused"),
      said("c :", lean::Severity::Information, "Goals accomplished!", {lean::kTagGoalsAccomplished})};
  const Messages messages(kText, all);
  CHECK(texts(messages.shown()) == Texts{"no goal", "unsolved goals", "declaration uses `sorry`", "unused"});
  CHECK(texts(messages.shown(lean::Severity::Warning)) == Texts{"declaration uses `sorry`", "unused"});
  CHECK(texts(messages.errors()) == Texts{"no goal", "unsolved goals"});
  CHECK(texts(messages.unsolved()) == Texts{"unsolved goals"});
  CHECK(texts(messages.other_errors()) == Texts{"no goal"});
  CHECK(texts(messages.sorries()) == Texts{"declaration uses `sorry`"});
  CHECK(texts(messages.objections()) == Texts{"no goal", "unsolved goals", "declaration uses `sorry`"});
  CHECK(texts(messages.announcements()) == Texts{"Goals accomplished!"});
  CHECK(messages.first()->message == "no goal");
  CHECK(messages.earliest()->message == "declaration uses `sorry`");
  const Messages none = messages.errors().sorries();
  CHECK_FALSE(none.any());
  CHECK(none.first() == nullptr);
  CHECK(none.earliest() == nullptr);
}

TEST_CASE("a range of bytes has the messages that begin in it", "[ide][messages]") {
  const std::vector<lean::Diagnostic> all{said("a :", lean::Severity::Error, "a"),
                                          said("b :", lean::Severity::Error, "b"),
                                          said("skip", lean::Severity::Error, "skip")};
  const Messages messages(kText, all);
  const std::size_t b = kText.str().find("b :");
  CHECK(texts(messages.within(b, b + 1)) == Texts{"b"});
  CHECK(texts(messages.within(b + 1, kText.size())) == Texts{"skip"});
  CHECK(texts(messages.within(0, b)) == Texts{"a"});
  CHECK(texts(messages.from_line(2)) == Texts{"b", "skip"});
  CHECK(texts(messages.from_line(5)).empty());
}

TEST_CASE("an incomplete declaration has the parser's error, wherever Lean reports it", "[ide][messages]") {
  const std::vector<lean::Diagnostic> all{said("theorem c", lean::Severity::Error, "expected term")};
  const Messages messages(kText, all);
  const std::size_t b = kText.str().find("theorem b"), c = kText.str().find("theorem c");
  CHECK(messages.within(b, c).any());
  CHECK_FALSE(messages.within(c, kText.size()).any());
  CHECK(messages.place(all[0]) == kText.str().find(":=\ntheorem c") + 1);
}

}  // namespace leanbridge::ide
