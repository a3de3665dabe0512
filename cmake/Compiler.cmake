# Coroutines determine the compiler: see docs/decisions/0001-compiler.md.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 16)
  message(FATAL_ERROR
    "leanbridge is built with clang 16 or newer (found ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, "
    "and g++ 12 miscompiles some coroutines): apt-get install clang-16, then cmake --preset release.")
endif()

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# The sanitized programs have 40 to 200 MB each; the default linker takes longer for one than the compiler for a file.
# zig brings its own for macOS.
if(NOT APPLE)
  find_program(LLD NAMES ld.lld ld.lld-16 PATHS /usr/lib/llvm-16/bin)
endif()
if(LLD)
  add_link_options(-fuse-ld=${LLD})
endif()

# Memory that the program has mapped: what nothing refers to goes, equal functions become one, what runs only at its start lies together
# (as with GNU's linker), and relocations take an eighth. A seventh of it, measured after tools/list.
if(APPLE)
  # zig's linker leaves local symbols, in spite of -s: a third of the program.
  add_link_options($<$<CONFIG:Release>:LINKER:-dead_strip,-x>)
else()
  add_link_options($<$<CONFIG:Release>:LINKER:--gc-sections>)
endif()
if(LLD)
  add_link_options($<$<CONFIG:Release>:LINKER:--icf=safe,-z,keep-text-section-prefix>)
  include(CheckCXXSourceCompiles)
  check_cxx_source_compiles("#include <features.h>\n#if !__GLIBC_PREREQ(2, 36)\n#error older\n#endif\nint main() {}" LEANBRIDGE_GLIBC_READS_RELR)
  # The portable program runs with an older glibc, too.
  if(LEANBRIDGE_GLIBC_READS_RELR AND NOT LEANBRIDGE_PORTABLE)
    add_link_options($<$<CONFIG:Release>:LINKER:-z,pack-relative-relocs>)
  endif()
endif()

# Warnings, as a target, so that they do not apply to third-party headers (SYSTEM).
add_library(leanbridge_options INTERFACE)
target_compile_options(leanbridge_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
# What `{.a = 1}` leaves out has its default. clang 16 knows no such warning.
if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19)
  target_compile_options(leanbridge_options INTERFACE -Wno-missing-designated-field-initializers)
endif()

set(LEANBRIDGE_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=")
if(LEANBRIDGE_SANITIZE)
  add_compile_options(-fsanitize=${LEANBRIDGE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # These take a third of the build. AddressSanitizer reports uses of null pointers and of objects that are gone, and nothing here casts
  # bytes to objects.
  add_compile_options(-fno-sanitize=null,alignment,vptr)
  # Reports need only file and line; full -g takes half the time of a build.
  add_compile_options(-gline-tables-only)
  add_link_options(-fsanitize=${LEANBRIDGE_SANITIZE})
endif()

# Part of the sanitized build: without optimisation the counters cost little beside the sanitizers.
option(LEANBRIDGE_FUZZ "Build the fuzzers (docs/testing.md), and count branches for them" OFF)
if(LEANBRIDGE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
