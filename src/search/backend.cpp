#include "leanbridge/search/backend.hpp"

namespace leanbridge::search {

std::string_view wire_name(Failure failure) {
  switch (failure) {
    case Failure::Timeout:
      return "timeout";
    case Failure::Unavailable:
      return "unavailable";
    case Failure::Invalid:
      return "invalid";
    case Failure::ServerError:
      return "server_error";
    case Failure::Auth:
      return "auth";
    case Failure::Cancelled:
      return "cancelled";
  }
  return "server_error";
}

}  // namespace leanbridge::search
