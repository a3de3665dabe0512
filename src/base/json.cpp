#include "leanbridge/base/json.hpp"

template class nlohmann::basic_json<>;
