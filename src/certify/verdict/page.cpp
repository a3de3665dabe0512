#include "page.hpp"

#include "core/base/json.hpp"
#include "core/text/untrusted.hpp"

#include <algorithm>

namespace leanbridge::certify {

using nlohmann::json;

wire::Fields PageItem::fields() {
  return {wire::field<&PageItem::kind>(),   wire::field<&PageItem::name>(),
          wire::field<&PageItem::text>(),   wire::field<&PageItem::in_full>().with_default().omit_empty(),
          wire::field<&PageItem::place>(),  wire::field<&PageItem::constructors>(),
          wire::field<&PageItem::sha256>(), wire::field<&PageItem::generated>()};
}

wire::Fields Page::fields() {
  return {wire::field<&Page::theorems>(),
          wire::field<&Page::items>(),
          wire::field<&Page::library>(),
          wire::field<&Page::lean>(),
          wire::field<&Page::library_sha256>(),
          wire::field<&Page::fingerprint>(),
          wire::field<&Page::not_read>().with_default().omit_empty()};
}

wire::Fields Approval::fields() {
  return {wire::named_field<&Approval::format>("leanbridge_approval"), wire::field<&Approval::approved_by>(),
          wire::field<&Approval::approved_at>(), wire::field<&Approval::page>()};
}

namespace {

constexpr int kApprovalFormat = 1;

std::string in_full(const PageItem& item) {
  std::string text = to_line(item);
  for (const std::string& constructor : item.constructors) text += " | " + constructor;
  return text;
}

const PageItem* find(const Page& page, const PageItem& wanted) {
  const auto found = std::find_if(page.items.begin(), page.items.end(),
                                  [&](const PageItem& item) { return item.name == wanted.name; });
  return found == page.items.end() ? nullptr : &*found;
}

}  // namespace

std::string to_line(const PageItem& item) {
  return item.kind + " " + item.name +
         (item.text.empty() ? " (too long to be printed: read it in its source)" : " " + item.text);
}

std::string to_text(const Page& page) {
  std::string text;
  const auto line = [&](const std::string& content) { text += text::escaped(content) + "\n"; };
  const auto items = [&](const char* title, auto&& belongs) {
    bool begun = false;
    for (const PageItem& item : page.items) {
      if (!belongs(item)) continue;
      if (!begun) line(""), line(title), line("");
      begun = true;
      line("  " + to_line(item) + (item.place.empty() ? "" : "    -- " + item.place));
      if (!item.in_full.empty())
        line("    -- Lean reads this line otherwise, or not at all. In full: " + item.in_full);
      for (const std::string& constructor : item.constructors) line("    | " + constructor);
    }
  };
  const auto is_asked = [&](const PageItem& item) {
    return std::find(page.theorems.begin(), page.theorems.end(), item.name) != page.theorems.end();
  };
  line("What is stated, printed from the compiled terms. Fingerprint: " + page.fingerprint);
  line(page.not_read.empty()
           ? "Lean has read each line back as the same term, but those that are also there in full."
           : "Lean has not read these lines back, " + page.not_read + ": each is also there in full.");
  items("Theorems", is_asked);
  items("What they rest on in the project",
        [&](const PageItem& item) { return !is_asked(item) && !item.generated; });
  items("Made by Lean, or by programs of the project",
        [&](const PageItem& item) { return !is_asked(item) && item.generated; });
  line("");
  line("Notions of the library (Lean " + page.lean + ", sha256 " + page.library_sha256 + ")");
  line("");
  std::string names;
  for (const std::string& name : page.library) names += (names.empty() ? "  " : ", ") + name;
  line(names.empty() ? "  none" : names);
  return text;
}

Result<Approval> read_approval(std::string_view text, const std::string& name) {
  const json value = read_json(text);
  try {
    if (value.is_object() && value.value("leanbridge_approval", json()) == kApprovalFormat) {
      auto approval = wire::read<Approval>(value);
      if (!approval.page.fingerprint.empty()) return approval;
    }
  } catch (const json::exception&) {  // it lacks a member of an approval
  }
  return fail(ErrorKind::InvalidArgument, name + " is no approval.",
              "Pass a file that `leanbridge certify --approve NAME --approval FILE` has written.");
}

std::vector<std::string> changes(const Page& approved, const Page& now) {
  if (approved.fingerprint == now.fingerprint) return {};
  std::vector<std::string> found;
  if (approved.theorems != now.theorems) found.emplace_back("Other theorems are judged.");
  for (const PageItem& item : now.items) {
    const PageItem* const then = find(approved, item);
    if (then == nullptr)
      found.push_back("New: " + in_full(item));
    else if (then->sha256 != item.sha256 && in_full(*then) != in_full(item))
      found.push_back("Changed: " + in_full(item) + "; approved was: " + in_full(*then));
    else if (then->sha256 != item.sha256)
      found.push_back("Changed in what is not printed: " + in_full(item));
  }
  for (const PageItem& item : approved.items)
    if (find(now, item) == nullptr) found.push_back("Gone: " + in_full(item));
  if (approved.library_sha256 != now.library_sha256)
    found.push_back("The library below is another" +
                    (approved.lean == now.lean
                         ? std::string(".")
                         : ": Lean " + now.lean + "; approved was Lean " + approved.lean + "."));
  if (found.empty()) found.emplace_back("The approval is not as it was written.");
  return found;
}

}  // namespace leanbridge::certify
