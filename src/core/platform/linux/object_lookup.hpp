#pragma once
/// Finds the program or shared library that holds an address, for the unwinder of exceptions. Only for the
/// portable program: glibc has had such a function (`_dl_find_object`) since 2.35.

#include <dlfcn.h>

namespace leanbridge::platform {

/// Does what glibc's `_dl_find_object` does, by means of dl_iterate_phdr: returns 0, or -1 if no object holds
/// the address. Fills in the members that GCC's unwinder reads: the mapping, and the table of frames, whose
/// addresses are null without a table. Any thread.
int find_object(void* address, dl_find_object* result) noexcept;

}  // namespace leanbridge::platform
