#pragma once
/// Relations between the arguments of a constant: some determine others, which then need not be printed.

#include "core/olean/module_set.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace leanbridge::statement {

using olean::ConstantId;
using olean::ModuleSet;
using olean::Ref;
using olean::SetModule;

/// The type of a constant as binders and result.
struct ConstantShape {
  struct Binder {
    Ref type = olean::kBoxedZero;
    olean::BinderInfo info = olean::BinderInfo::Explicit;
    /// The earlier binders that this binder's type determines, because it contains them in places other than
    /// functions. For an instance, the ones that its class determines (outParam).
    std::vector<std::size_t> determines;
  };

  ConstantId id = 0;
  SetModule* module = nullptr;
  std::string name;  ///< the full name, including the prefix of a private one
  std::vector<Binder> binders;
  Ref result = olean::kBoxedZero;
  std::vector<Ref> level_params;  ///< names of universe parameters
  bool has_free_level = false;    ///< it has a universe that no argument determines
  bool is_project = false;
  bool is_instance = false;  ///< Lean finds it by itself
  bool is_class = false;
};

/// Reads each constant once. The set must outlive it.
class ConstantShapes {
 public:
  ConstantShapes(ModuleSet& set, std::function<bool(const SetModule&)> is_project)
      : set_(set), is_project_(std::move(is_project)) {}

  /// null: there is no such constant.
  const ConstantShape* find(SetModule& module, Ref name);

 private:
  ConstantShape read(ConstantId id);
  /// Finds the variables that follow from a type with `before` binders around it.
  void rigid(olean::Expressions& expressions, Ref type, std::size_t before, std::vector<std::size_t>& found);
  void out_params(SetModule& module, Ref type, std::size_t before, std::vector<std::size_t>& found);

  ModuleSet& set_;
  std::function<bool(const SetModule&)> is_project_;
  std::unordered_map<std::string, std::optional<ConstantShape>> known_;
};

}  // namespace leanbridge::statement
