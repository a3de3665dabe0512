#include "leanbridge/http/client.hpp"

namespace leanbridge::http {

std::string Response::header(const std::string& lower_case_name) const {
  for (const auto& [name, value] : headers)
    if (name == lower_case_name) return value;
  return "";
}

}  // namespace leanbridge::http
