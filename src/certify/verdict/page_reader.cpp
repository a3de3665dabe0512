#include "page_reader.hpp"

#include "core/base/try.hpp"
#include "core/olean/statement_printer.hpp"

#include <algorithm>

namespace leanbridge::certify {

using olean::ConstantId;
using olean::Expr;
using olean::ExprKind;
using olean::InfoKind;
using olean::Ref;
using olean::SetModule;

using olean::ConstantId;
using olean::Expr;
using olean::ExprKind;
using olean::InfoKind;
using olean::Ref;
using olean::SetModule;

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
  olean::StatementPrinter printer_;
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

}  // namespace leanbridge::certify
