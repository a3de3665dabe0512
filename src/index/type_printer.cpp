#include "type_printer.hpp"

#include "printer.hpp"

namespace leanbridge::index {

std::string print_signature(Expressions& expressions, Ref type, const BinderTable& binders) {
  return TypePrinter(expressions, binders).signature(type);
}

}  // namespace leanbridge::index
