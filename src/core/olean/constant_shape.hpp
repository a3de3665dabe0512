#pragma once
/// What the arguments of a constant say about each other: which ones need not be printed.

#include "module_set.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace leanbridge::olean {

/// The type of a constant as binders and result.
struct ConstantShape {
  struct Binder {
    Ref type = kBoxedZero;
    BinderInfo info = BinderInfo::Explicit;
    /// The binders before it that are known where its type is: those in it, but not as functions. Of an
    /// instance, those that its class determines (outParam).
    std::vector<std::size_t> determines;
  };

  ConstantId id = 0;
  SetModule* module = nullptr;
  std::string name;  ///< with the prefix of a private one
  std::vector<Binder> binders;
  Ref result = kBoxedZero;
  std::vector<Ref> level_params;  ///< names
  bool has_free_level = false;    ///< a universe that no argument determines
  bool is_project = false;
  bool is_instance = false;  ///< that Lean finds by itself
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
  /// The variables of a type that has so many binders before it, which follow from the type.
  void rigid(Expressions& expressions, Ref type, std::size_t before, std::vector<std::size_t>& found);
  void out_params(SetModule& module, Ref type, std::size_t before, std::vector<std::size_t>& found);

  ModuleSet& set_;
  std::function<bool(const SetModule&)> is_project_;
  std::unordered_map<std::string, std::optional<ConstantShape>> known_;
};

}  // namespace leanbridge::olean
