#include "object_lookup.hpp"

#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace leanbridge::platform {

namespace {

struct ObjectSearch {
  std::uintptr_t address;
  dl_find_object* result;
};

// Looks at one object; ends the iteration with 1 if it holds the address.
int look_at(dl_phdr_info* object, std::size_t, void* data) {
  const ObjectSearch& search = *static_cast<const ObjectSearch*>(data);
  std::uintptr_t first = std::numeric_limits<std::uintptr_t>::max(), last = 0, frames = 0;
  bool holds = false;
  for (std::size_t i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    const std::uintptr_t start = object->dlpi_addr + segment.p_vaddr, end = start + segment.p_memsz;
    if (segment.p_type == PT_LOAD) {
      first = std::min(first, start);
      last = std::max(last, end);
      holds = holds || (start <= search.address && search.address < end);
    } else if (segment.p_type == PT_GNU_EH_FRAME) {
      frames = start;
    }
  }
  if (!holds) return 0;
  *search.result = {};
  search.result->dlfo_map_start = reinterpret_cast<void*>(first);
  search.result->dlfo_map_end = reinterpret_cast<void*>(last);
  search.result->dlfo_eh_frame = reinterpret_cast<void*>(frames);
  return 1;
}

}  // namespace

int find_object(void* address, dl_find_object* result) noexcept {
  ObjectSearch search{reinterpret_cast<std::uintptr_t>(address), result};
  return ::dl_iterate_phdr(look_at, &search) == 1 ? 0 : -1;
}

}  // namespace leanbridge::platform
