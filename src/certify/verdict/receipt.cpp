#include "receipt.hpp"

#include "core/base/json.hpp"
#include "core/base/sha256.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace leanbridge::certify {

using nlohmann::json;

wire::Fields ReceiptQuestion::fields() {
  using Q = ReceiptQuestion;
  return {wire::field<&Q::challenge>(),    wire::field<&Q::solution>(),       wire::field<&Q::revision>(),
          wire::field<&Q::project_root>(), wire::field<&Q::lake>(),           wire::field<&Q::names>(),
          wire::flatten<&Q::terms>(),      wire::field<&Q::baseline_sha256>()};
}

wire::Fields ReceiptTheorem::fields() {
  return wire::fields<&ReceiptTheorem::name, &ReceiptTheorem::verdict, &ReceiptTheorem::statement,
                      &ReceiptTheorem::statement_sha256, &ReceiptTheorem::axioms>();
}

wire::Fields ReceiptPackage::fields() {
  return wire::fields<&ReceiptPackage::package, &ReceiptPackage::revision, &ReceiptPackage::modules,
                      &ReceiptPackage::sha256, &ReceiptPackage::in_baseline>();
}

wire::Fields ReceiptKernel::fields() {
  return wire::fields<&ReceiptKernel::program, &ReceiptKernel::sha256, &ReceiptKernel::version,
                      &ReceiptKernel::answer, &ReceiptKernel::defects>();
}

wire::Fields Receipt::fields() {
  return {wire::named_field<&Receipt::format>("leanbridge_receipt"),
          wire::field<&Receipt::leanbridge>(),
          wire::field<&Receipt::question>(),
          wire::field<&Receipt::verdict>(),
          wire::field<&Receipt::reason>(),
          wire::field<&Receipt::theorems>(),
          wire::field<&Receipt::challenge_sha256>(),
          wire::field<&Receipt::solution_sha256>(),
          wire::field<&Receipt::revision_path>(),
          wire::field<&Receipt::toolchain>(),
          wire::field<&Receipt::modules>(),
          wire::field<&Receipt::packages>(),
          wire::field<&Receipt::kernels>(),
          wire::named_field<&Receipt::exported>("export"),
          wire::field<&Receipt::sandbox>(),
          wire::field<&Receipt::sandbox_note>(),
          wire::field<&Receipt::checked_by>()};
}

namespace {

constexpr int kReceiptFormat = 1;
constexpr const char* kHash = "sha256";

std::string hash_of_json(const json& value) {
  return sha256_of(value.dump(-1, ' ', true, json::error_handler_t::replace));
}

std::string change(const std::string& what, const std::string& now, const std::string& then) {
  return what + " is " + now + " instead of " + then + ".";
}

std::string in_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "none" : text;
}

/// Pairs the items of two lists by their names, and passes each pair to `compare`.
template <class Item, class Compare>
void compare_lists(const std::vector<Item>& then, const std::vector<Item>& now, std::string Item::*name,
                   const std::string& what, std::vector<std::string>& found, Compare compare) {
  const auto in = [&](const std::vector<Item>& list, const Item& wanted) {
    return std::ranges::find_if(list, [&](const Item& item) { return item.*name == wanted.*name; });
  };
  for (const Item& item : then)
    if (const auto other = in(now, item); other != now.end())
      compare(item, *other);
    else
      found.push_back(what + " " + item.*name + " is not there any more.");
  for (const Item& item : now)
    if (in(then, item) == then.end()) found.push_back(what + " " + item.*name + " is new.");
}

/// The flags that make a verdict easier to get.
std::vector<std::string> waivers_of(const Terms& terms) {
  std::vector<std::string> flags;
  if (terms.without_replay) flags.emplace_back("--without-replay");
  if (terms.trust_packages) flags.emplace_back("--trust-packages");
  for (const std::string& axiom : terms.allowed_axioms) flags.push_back("--allow-axiom " + axiom);
  for (const std::string& option : terms.options) flags.push_back("--option " + option);
  if (terms.baseline) flags.emplace_back("--baseline");
  std::ranges::sort(flags);
  return flags;
}

void compare_waivers(const Terms& then, const Terms& now, std::vector<std::string>& found) {
  const auto old = waivers_of(then), given = waivers_of(now);
  const auto has = [](const std::vector<std::string>& flags, const std::string& flag) {
    return std::ranges::binary_search(flags, flag);
  };
  for (const std::string& flag : old)
    if (!has(given, flag))
      found.push_back("It was judged with " + flag + ", which a receipt cannot grant: pass it if you do.");
  for (const std::string& flag : given)
    if (!has(old, flag)) found.push_back("It was judged without " + flag + ".");
}

void compare_theorems(const Receipt& then, const Receipt& now, std::vector<std::string>& found) {
  compare_lists(
      then.theorems, now.theorems, &ReceiptTheorem::name, "The theorem", found,
      [&](const ReceiptTheorem& old, const ReceiptTheorem& other) {
        const std::string of = "of " + old.name;
        if (old.statement != other.statement)
          found.push_back(change("The statement " + of, other.statement.value_or("unknown"),
                                 old.statement.value_or("unknown")));
        else if (old.statement_sha256 != other.statement_sha256)
          found.push_back("Something of the project below the statement " + of + " has another meaning.");
        if (old.axioms != other.axioms)
          found.push_back(change("What the proof " + of + " rests on",
                                 other.axioms ? in_words(*other.axioms) : "unknown",
                                 old.axioms ? in_words(*old.axioms) : "unknown"));
        if (old.verdict != other.verdict)
          found.push_back(
              change("The verdict on " + old.name, wire::name_of(other.verdict), wire::name_of(old.verdict)));
      });
}

void compare_imports(const Receipt& then, const Receipt& now, std::vector<std::string>& found) {
  if (then.toolchain.version != now.toolchain.version)
    found.push_back(change("Lean", now.toolchain.version, then.toolchain.version));
  else if (then.toolchain.sha256 != now.toolchain.sha256)
    found.emplace_back("The files of the toolchain, or what is imported of them, are others.");
  compare_lists(then.modules, now.modules, &ModuleHash::module, "The module", found,
                [&](const ModuleHash& old, const ModuleHash& other) {
                  if (old.sha256 != other.sha256)
                    found.push_back("The module " + old.module + " is compiled to another file.");
                });
  compare_lists(
      then.packages, now.packages, &ReceiptPackage::package, "The package", found,
      [&](const ReceiptPackage& old, const ReceiptPackage& other) {
        const std::string package = "The package " + old.package;
        if (old.revision != other.revision)
          found.push_back(change("The revision of " + old.package, other.revision.value_or("unknown"),
                                 old.revision.value_or("unknown")));
        if (old.sha256 != other.sha256) found.push_back(package + " has other compiled files.");
        if (old.in_baseline != other.in_baseline)
          found.push_back(package + (other.in_baseline ? " is now" : " is no longer") +
                          " compared with a baseline.");
      });
}

void compare_checks(const Receipt& then, const Receipt& now, std::vector<std::string>& found) {
  compare_lists(then.kernels, now.kernels, &ReceiptKernel::program, "The kernel", found,
                [&](const ReceiptKernel& old, const ReceiptKernel& other) {
                  if (old.sha256 != other.sha256)
                    found.push_back("The kernel " + old.program + " is another program.");
                  if (old.answer != other.answer)
                    found.push_back(change("The answer of " + old.program, wire::name_of(other.answer),
                                           wire::name_of(old.answer)));
                });
  if (then.exported && now.exported && then.exported->sha256 != now.exported->sha256)
    found.emplace_back("The export of the theorems with everything below them is another.");
  if (then.sandbox != now.sandbox)
    found.push_back(change("The sandbox", wire::name_of(now.sandbox), wire::name_of(then.sandbox)));
  if (then.checked_by != now.checked_by)
    found.push_back(change("What has checked it", in_words(now.checked_by), in_words(then.checked_by)));
  if (then.verdict != now.verdict)
    found.push_back(change("The verdict", wire::name_of(now.verdict), wire::name_of(then.verdict)));
}

}  // namespace

Receipt receipt_of(const Certificate& certificate, ReceiptQuestion question, std::string leanbridge) {
  Receipt receipt;
  receipt.leanbridge = std::move(leanbridge);
  if (certificate.revision) question.revision = certificate.revision;
  receipt.question = std::move(question);
  receipt.verdict = certificate.verdict;
  receipt.reason = certificate.reason;
  for (std::size_t i = 0; i < certificate.names.size(); ++i) {
    const NameVerdict& name = certificate.names[i];
    ReceiptTheorem theorem = {name.name, name.verdict, name.statement, std::nullopt, name.axioms};
    if (i < certificate.fingerprints.size() && !certificate.fingerprints[i].empty())
      theorem.statement_sha256 = certificate.fingerprints[i];
    receipt.theorems.push_back(std::move(theorem));
  }
  receipt.challenge_sha256 = certificate.challenge_sha256;
  receipt.solution_sha256 = certificate.solution_sha256;
  receipt.revision_path = certificate.revision_path;
  receipt.toolchain = certificate.toolchain;
  receipt.modules = certificate.modules;
  for (const PackageHash& package : certificate.packages)
    receipt.packages.push_back({package.package,
                                package.revision.empty() ? std::nullopt : std::optional(package.revision),
                                package.modules, package.sha256, package.in_baseline});
  for (const KernelResult& kernel : certificate.kernels)
    receipt.kernels.push_back({kernel.program, kernel.sha256, kernel.version, kernel.answer,
                               kernel.defects.empty() ? std::nullopt : std::optional(kernel.defects)});
  receipt.exported = certificate.exported;
  if (const auto& kernel = certificate.kernel; kernel && certificate.kernels.empty()) {
    const auto folder = [](const std::string& program) {
      return std::filesystem::path(program).parent_path();
    };
    const bool is_of_toolchain = folder(kernel->program) == folder(certificate.toolchain.lean);
    receipt.kernels.push_back({kernel->program, kernel->sha256,
                               is_of_toolchain ? std::optional(certificate.toolchain.version) : std::nullopt,
                               kernel->answer, std::nullopt});
  }
  receipt.sandbox = certificate.sandbox;
  receipt.sandbox_note = certificate.sandbox_note;
  receipt.checked_by = certificate.checked_by;
  return receipt;
}

json to_json(const Receipt& receipt) {
  json value = wire::write(receipt);
  value[kHash] = hash_of_json(wire::write(receipt));
  return value;
}

Result<Receipt> read_receipt(std::string_view text, const std::string& name) {
  const auto refused = [&](const std::string& why) {
    return fail(ErrorKind::InvalidArgument, name + " " + why,
                "Pass a file that `leanbridge certify --receipt FILE` has written.");
  };
  json value = read_json(text);
  const json& format = member(value, "leanbridge_receipt");
  if (!format.is_number_integer()) return refused("is no receipt.");
  if (format != kReceiptFormat) return refused("is a receipt of another version of leanbridge.");
  const json hash = value.value(kHash, json());
  value.erase(kHash);
  if (hash != hash_of_json(value)) return refused("is not as it was written: its hash is another.");
  try {
    return wire::read<Receipt>(value);
  } catch (const json::exception&) {
    return refused("lacks what a receipt has.");
  }
}

std::vector<std::string> differences(const Receipt& then, const Receipt& now) {
  std::vector<std::string> found;
  const ReceiptQuestion& question = then.question;
  if (then.challenge_sha256 != now.challenge_sha256)
    found.push_back("The challenge " + question.challenge.value_or(question.solution) + " has another text.");
  if (then.solution_sha256 != now.solution_sha256)
    found.push_back("The solution " + question.solution + " has another text.");
  if (question.baseline_sha256 != now.question.baseline_sha256)
    found.push_back("The baseline " + question.terms.baseline.value_or("") + " is another record.");
  compare_waivers(question.terms, now.question.terms, found);
  compare_imports(then, now, found);
  compare_theorems(then, now, found);
  compare_checks(then, now, found);
  return found;
}

std::vector<std::string> differences(const Receipt& then, const StoredExport& now) {
  std::vector<std::string> found;
  if (!then.exported)
    found.emplace_back("The receipt is about no export.");
  else if (then.exported->sha256 != now.sha256)
    found.emplace_back("The export is not the one of the receipt.");
  bool accepted = false;
  for (const KernelResult& kernel : now.kernels) {
    accepted |= kernel.answer == KernelAnswer::Accepted;
    const auto old = std::ranges::find_if(
        then.kernels, [&](const ReceiptKernel& one) { return one.program == kernel.program; });
    if (old != then.kernels.end() && old->sha256 != kernel.sha256)
      found.push_back("The kernel " + kernel.program + " is another program.");
    if (old != then.kernels.end() && old->answer != kernel.answer)
      found.push_back(change("The answer of " + kernel.program, wire::name_of(kernel.answer),
                             wire::name_of(old->answer)));
    else if (old == then.kernels.end() && kernel.answer == KernelAnswer::Rejected)
      found.push_back(kernel.program + ", which the receipt does not name, rejects the export.");
  }
  if (!accepted) found.emplace_back("No kernel accepts the export.");
  return found;
}

}  // namespace leanbridge::certify
