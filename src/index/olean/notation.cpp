#include "notation.hpp"

#include <algorithm>
#include <array>

namespace leanbridge::index {
namespace {

// Sorted by name, for the search.
constexpr auto kInfixes = std::to_array<Infix>({
    {"And", 2, " ∧ ", 35, 36, 35},
    {"AndThen.andThen", 4, " >> ", 60, 60, 61},
    {"Append.append", 4, " ++ ", 65, 65, 66},
    {"BEq.beq", 4, " == ", 50, 51, 51},
    {"Bind.bind", 6, " >>= ", 55, 55, 56},
    {"Dvd.dvd", 4, " ∣ ", 50, 51, 51},
    {"Eq", 3, " = ", 50, 51, 51},
    {"Function.comp", 5, " ∘ ", 90, 91, 90},
    {"Functor.map", 6, " <$> ", 100, 101, 100},
    {"GE.ge", 4, " ≥ ", 50, 51, 51},
    {"GT.gt", 4, " > ", 50, 51, 51},
    {"HAdd.hAdd", 6, " + ", 65, 65, 66},
    {"HAnd.hAnd", 6, " &&& ", 60, 60, 61},
    {"HAndThen.hAndThen", 6, " >> ", 60, 60, 61},
    {"HAppend.hAppend", 6, " ++ ", 65, 65, 66},
    {"HDiv.hDiv", 6, " / ", 70, 70, 71},
    {"HEq", 4, " ≍ ", 50, 51, 51},
    {"HMod.hMod", 6, " % ", 70, 70, 71},
    {"HMul.hMul", 6, " * ", 70, 70, 71},
    {"HOr.hOr", 6, " ||| ", 55, 55, 56},
    {"HOrElse.hOrElse", 6, " <|> ", 20, 21, 20},
    {"HPow.hPow", 6, " ^ ", 75, 76, 75},
    {"HSMul.hSMul", 6, " • ", 73, 74, 73},
    {"HShiftLeft.hShiftLeft", 6, " <<< ", 75, 75, 76},
    {"HShiftRight.hShiftRight", 6, " >>> ", 75, 75, 76},
    {"HSub.hSub", 6, " - ", 65, 65, 66},
    {"HXor.hXor", 6, " ^^^ ", 58, 58, 59},
    {"HasSSubset.SSubset", 4, " ⊂ ", 50, 51, 51},
    {"HasSubset.Subset", 4, " ⊆ ", 50, 51, 51},
    {"Iff", 2, " ↔ ", 20, 21, 21},
    {"Inter.inter", 4, " ∩ ", 70, 70, 71},
    {"LE.le", 4, " ≤ ", 50, 51, 51},
    {"LT.lt", 4, " < ", 50, 51, 51},
    {"List.cons", 3, " :: ", 67, 68, 67},
    {"Membership.mem", 5, " ∈ ", 50, 51, 51, true},
    {"Ne", 3, " ≠ ", 50, 51, 51},
    {"Or", 2, " ∨ ", 30, 31, 30},
    {"PProd", 2, " ×' ", 35, 36, 35},
    {"Prod", 2, " × ", 35, 36, 35},
    {"SDiff.sdiff", 4, " \\ ", 70, 70, 71},
    {"Sum", 2, " ⊕ ", 30, 31, 30},
    {"Union.union", 4, " ∪ ", 65, 65, 66},
    {"and", 2, " && ", 35, 35, 36},
    {"bne", 4, " != ", 50, 51, 51},
    {"or", 2, " || ", 30, 30, 31},
    {"xor", 2, " ^^ ", 33, 33, 34},
});

constexpr auto kPrefixes = std::to_array<Prefix>({
    {"Complement.complement", 3, "~~~", 100, 100},
    {"EmptyCollection.emptyCollection", 2, "∅", kAtom, 0},
    {"Neg.neg", 3, "-", 75, 75},
    {"Not", 1, "¬", 1022, 40},
    {"not", 1, "!", kApplication, kAtom},
});

template <class Table>
auto find(const Table& table, std::string_view constant) -> const typename Table::value_type* {
  const auto at =
      std::lower_bound(table.begin(), table.end(), constant,
                       [](const auto& entry, std::string_view name) { return entry.constant < name; });
  return at != table.end() && at->constant == constant ? &*at : nullptr;
}

constexpr bool by_name(const auto& a, const auto& b) {
  return a.constant < b.constant;
}
static_assert(std::is_sorted(kInfixes.begin(), kInfixes.end(), by_name<Infix, Infix>));
static_assert(std::is_sorted(kPrefixes.begin(), kPrefixes.end(), by_name<Prefix, Prefix>));

}  // namespace

const Infix* infix(std::string_view constant) {
  return find(kInfixes, constant);
}

const Prefix* prefix(std::string_view constant) {
  return find(kPrefixes, constant);
}

}  // namespace leanbridge::index
