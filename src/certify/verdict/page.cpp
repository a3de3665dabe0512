#include "page.hpp"

#include "certify/statement/statement_printer.hpp"
#include "core/base/json.hpp"
#include "core/base/sha256.hpp"
#include "core/base/try.hpp"
#include "core/text/untrusted.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace leanbridge::certify {

using nlohmann::json;
using olean::ConstantId;
using olean::constants_in;
using olean::ConstantTerms;
using olean::Expr;
using olean::ExprKind;
using olean::InfoKind;
using olean::parts_of;
using olean::Ref;
using olean::SetModule;
using olean::Term;
using olean::TermId;

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

namespace {

/// Whether the type of a field is a proposition, as far as the heads of the terms show.
enum class Proposition { No, Yes, Unknown };

class Fields {
 public:
  Fields(olean::ModuleSet& set, SetModule& module) : set_(set), module_(module) {}

  /// The assumptions of a constructor: names of its fields, in brackets if it is uncertain.
  std::string assumptions(Ref type, std::size_t parameters) {
    std::string names;
    std::vector<Ref> scope;  // types of the variables
    olean::Expressions& expressions = module_.expressions;
    Expr node = expressions.at(type);
    for (std::size_t i = 0; node.kind == ExprKind::Forall; ++i, node = expressions.at(type)) {
      const Ref field = expressions.field(node, 1);
      const Proposition is = i < parameters ? Proposition::No : of(field, scope);
      std::string name = module_.names.at(expressions.field(node, 0)).text;
      if (name.empty()) name = "_";
      if (is == Proposition::Unknown) name = "(" + name + ")";
      if (is != Proposition::No) names += (names.empty() ? "" : ", ") + name;
      scope.push_back(field);
      type = expressions.field(node, 2);
    }
    return names;
  }

 private:
  /// A type is a proposition if its own type is Prop, which follows from the type of its head after its
  /// arguments.
  Proposition of(Ref type, std::vector<Ref> scope) {
    olean::Expressions& expressions = module_.expressions;
    Expr node = expressions.at(type);
    for (; node.kind == ExprKind::Forall; node = expressions.at(type)) {
      scope.push_back(expressions.field(node, 1));
      type = expressions.field(node, 2);
    }
    if (node.kind == ExprKind::Sort) return Proposition::No;
    std::vector<Ref> arguments;
    const Expr head = expressions.at(expressions.head(type, arguments));
    if (head.kind == ExprKind::Bvar) {
      const std::uint64_t index = olean::unboxed(expressions.field(head, 0));
      if (index >= scope.size()) return Proposition::Unknown;
      return ends(module_, scope[scope.size() - 1 - index], arguments.size());
    }
    if (head.kind != ExprKind::Const) return Proposition::Unknown;
    const auto id = set_.find(olean::key_of(module_, expressions.field(head, 0)));
    if (!id) return Proposition::Unknown;
    return ends(*set_.constants()[*id].module, set_.info(*id).type, arguments.size());
  }

  /// Whether this many arguments lead to Prop.
  static Proposition ends(SetModule& module, Ref type, std::size_t arguments) {
    Expr node = module.expressions.at(type);
    for (; arguments > 0 && node.kind == ExprKind::Forall; --arguments)
      node = module.expressions.at(module.expressions.field(node, 2));
    if (arguments > 0 || node.kind != ExprKind::Sort) return Proposition::Unknown;
    const Ref level = module.expressions.field(node, 0);
    if (olean::is_boxed(level)) return Proposition::Yes;
    return module.region.constructor(level).tag == olean::kLevelSucc ? Proposition::No : Proposition::Unknown;
  }

  olean::ModuleSet& set_;
  SetModule& module_;
};

class PageReader {
 public:
  /// `first`: the name of the set's first module in places.
  PageReader(olean::ModuleSet& set, const std::function<bool(const SetModule&)>& is_project,
             const char* first)
      : set_(set), fingerprints_(set, is_project), printer_(set, is_project), first_(first) {}

  Result<Page> read(const std::vector<std::string>& theorems) {
    using Scope = Fingerprints::Scope;
    TRY(Dependencies project, fingerprints_.walk(theorems, Scope::Project));
    TRY(const Dependencies library, fingerprints_.walk(project.boundary, Scope::Everything));
    Page page;
    for (const std::string& key : theorems) page.theorems.push_back(olean::name_of_key(key));
    for (const std::string& key : project.boundary) page.library.push_back(olean::name_of_key(key));
    page.lean = set_.modules().front()->region.lean_version();
    page.library_sha256 = hash_of({}, library.hashes);
    page.items = items(project);
    project.hashes.emplace("", page.library_sha256);
    page.fingerprint = hash_of(theorems, project.hashes);
    TRY_DONE(set_.undamaged());
    return page;
  }

  Result<std::vector<PageItem>> read_items(const std::vector<std::string>& roots, std::size_t limit) {
    TRY(const Dependencies project, fingerprints_.walk(roots, Fingerprints::Scope::Project));
    if (project.keys.size() > limit)
      return fail(ErrorKind::NotSupported, "It rests on " + std::to_string(project.keys.size()) +
                                               " constants, more than anybody reads.");
    std::vector<PageItem> found = items(project);
    TRY_DONE(set_.undamaged());
    return found;
  }

 private:
  std::vector<PageItem> items(const Dependencies& project) {
    std::vector<PageItem> found;
    for (const std::string& key : project.keys) {
      const ConstantId id = set_.find(key).value();
      if (!follows(id)) found.push_back(item(id, key, project.hashes.at(key)));
    }
    return found;
  }

  /// Whether it follows from other items: constructors are shown with their types, and recursors follow from
  /// those.
  bool follows(ConstantId id) {
    const InfoKind kind = set_.info(id).kind;
    return kind == InfoKind::Constructor || kind == InfoKind::Recursor;
  }

  PageItem item(ConstantId id, const std::string& key, std::string hash) {
    SetModule& module = *set_.constants()[id].module;
    const olean::ConstantInfo info = set_.info(id);
    const olean::ExtensionFacts& facts = set_.facts(id);
    PageItem item;
    item.kind = facts.classes.contains(info.name)      ? "class"
                : facts.structures.contains(info.name) ? "structure"
                : is_instance(facts, info)             ? "instance"
                                                       : olean::keyword(info.kind);
    item.name = olean::name_of_key(key);
    item.text = printer_.definition(id);
    if (const auto place = facts.places.find(info.name); place != facts.places.end())
      item.place = (module.name.empty() ? first_ : module.name) + ":" + std::to_string(place->second.line);
    item.generated = item.place.empty();
    item.sha256 = std::move(hash);
    add_constructors(info, module, item);
    return item;
  }

  /// Lean counts the projections of a class to the classes that it extends as instances, too.
  static bool is_instance(const olean::ExtensionFacts& facts, const olean::ConstantInfo& info) {
    return facts.instances.contains(info.name) && !facts.projections.contains(info.name);
  }

  void add_constructors(const olean::ConstantInfo& info, SetModule& module, PageItem& item) {
    for (Ref list = info.constructors.value_or(olean::kBoxedZero); !olean::is_boxed(list);) {
      const olean::Object cell = module.region.constructor(list);
      list = module.region.field(cell, 1);
      const std::string key = olean::key_of(module, module.region.field(cell, 0));
      const auto id = set_.find(key);
      if (!id || item.constructors.size() > kMaxConstructors) return;
      const olean::ConstantInfo constructor = set_.info(*id);
      const olean::Object value = module.region.constructor(
          module.region.field(module.region.constructor(set_.constants()[*id].info), 0));
      const Ref parameters = module.region.field(value, 3);  // the ConstantVal is followed by induct, cidx
                                                             // and numParams
      const std::string assumes =
          Fields(set_, module)
              .assumptions(constructor.type, olean::is_boxed(parameters) ? olean::unboxed(parameters) : 0);
      std::string text = printer_.statement(*id);
      if (text.empty()) text = "(too long to be printed: read it in its source)";
      item.constructors.push_back(olean::name_of_key(key) + " " + text +
                                  (assumes.empty() ? "" : "    -- assumes " + assumes));
    }
  }

  static constexpr std::size_t kMaxConstructors = 10'000;

  olean::ModuleSet& set_;
  Fingerprints fingerprints_;
  statement::StatementPrinter printer_;
  const char* first_;
};

}  // namespace

Result<Page> read_page(olean::ModuleSet& set, const std::vector<std::string>& theorems,
                       const std::function<bool(const SetModule&)>& is_project) {
  return PageReader(set, is_project, "Challenge").read(theorems);
}

Result<std::vector<PageItem>> read_fillings(olean::ModuleSet& solution, const std::vector<std::string>& holes,
                                            const std::function<bool(const SetModule&)>& is_project) {
  constexpr std::size_t kMaxConstants = 1000;
  return PageReader(solution, is_project, "Solution").read_items(holes, kMaxConstants);
}

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
  const auto found =
      std::ranges::find_if(page.items, [&](const PageItem& item) { return item.name == wanted.name; });
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
    return std::ranges::find(page.theorems, item.name) != page.theorems.end();
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
