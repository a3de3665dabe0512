#include "toolchain.hpp"

#include <array>
#include <charconv>
#include <optional>

namespace leanbridge::lean {

namespace {

struct Version {
  std::array<int, 3> numbers{};
  bool is_release = true;  ///< not "-rc1", "-nightly-…" or "-pre", which come before the release

  friend auto operator<=>(const Version&, const Version&) = default;
};

struct Defect {
  const char* fixed_in;  ///< whose release notes tell of it
  const char* what;
};

// In the order of the fixes.
constexpr auto kDefects = std::to_array<Defect>({
    {"4.32.1",
     "a program that runs while a file is compiled can make the kernel accept a proof of False "
     "(lean4#14484)"},
    {"4.32.2",
     "the kernel does not check nested inductive types with phantom parameters completely, so a term can "
     "prove False without an axiom (lean4#14577)"},
    {"4.33.0",
     "several ways to a proof of False in the kernel (lean4#14607, lean4#14609, lean4#14613, lean4#14616)"},
    {"4.33.1",
     "the kernel projects data out of a proposition whose type does not reduce to a sort, and its cache "
     "makes equality depend on the order of questions: both prove False without an axiom (lean4#14807, "
     "lean4#14806); it accepts inductive types that occur in themselves with other parameters (lean4#14582); "
     "reference counts can overflow on machines with 18 GB of memory (lean4#14838); big numbers can be "
     "computed wrongly by old versions of GMP (lean4#14833)"},
    {"4.34.1",
     "reference counts can overflow on very large inputs (lean4#15289, lean4#15241), and where an object is "
     "shared between threads (lean4#15288)"},
});

std::optional<Version> read_version(std::string_view text) {
  Version version;
  for (std::size_t i = 0; i < version.numbers.size(); ++i) {
    if (i > 0) {
      if (!text.starts_with('.')) return std::nullopt;
      text.remove_prefix(1);
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version.numbers[i]);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  version.is_release = text.empty();
  return version;
}

}  // namespace

std::vector<std::string> known_defects(std::string_view text) {
  const auto version = read_version(text);
  if (!version) return {"The version of Lean is not known, so neither are its defects."};
  std::vector<std::string> found;
  for (const Defect& defect : kDefects)
    if (version < read_version(defect.fixed_in))
      found.push_back(std::string("Fixed in Lean ") + defect.fixed_in + ": " + defect.what +
                      ". Source: https://lean-lang.org/doc/reference/latest/releases/v" + defect.fixed_in +
                      "/");
  return found;
}

std::string defects_in_brief(std::string_view text) {
  const auto known = known_defects(text);
  if (known.empty() || !read_version(text)) return known.empty() ? "" : known.front();
  return "Lean " + std::string(text) + " has known defects; Lean " + kDefects.back().fixed_in +
         " has none of them.";
}

std::vector<std::string> defects_of_kernel(std::string_view name, std::string_view version) {
  if (name.starts_with("leanchecker") || name == "lean") {
    if (version.empty()) return {"Its version is not known, so neither are its defects."};
    return known_defects(version);
  }
  // Source: the fix of lean4#14807. Later toolchains come with a nanoda of their own.
  if (name.starts_with("nanoda") && version.empty())
    return {"Versions of before September 2026 accept a proof of False, as Lean's kernel did (lean4#14807)."};
  return {};
}

bool lists_all_axioms(std::string_view text) {
  const auto version = read_version(text);
  return version && version->numbers < std::array{4, 30, 0};
}

bool ships_leanchecker(std::string_view text) {
  const auto version = read_version(text);
  return !version || version->numbers >= std::array{4, 28, 0};
}

}  // namespace leanbridge::lean
