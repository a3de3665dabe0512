#pragma once
/// Which program or shared library holds an address, for the unwinder of exceptions. Only for the portable
/// program: glibc itself says so since 2.35 (`_dl_find_object`).

#include <dlfcn.h>

namespace leanbridge::app {

/// What glibc's `_dl_find_object` does, by dl_iterate_phdr: 0, or -1 if no object holds the address. Fills in
/// what GCC's unwinder reads: the mapping and the table of frames, whose addresses are null without a table.
/// Any thread.
int find_object(void* address, dl_find_object* result) noexcept;

}  // namespace leanbridge::app
