# leanbridge_module(NAME [PUBLIC libraries...] [FOLDERS folders... | SOURCES files...])
# Defines a static library from every source file in the module's folders, or in that of its name, and below; or from these files. It may include only what it
# links: the order of the modules in src/CMakeLists.txt is the order of the layers, and there is no arrow back.
function(leanbridge_module NAME)
  cmake_parse_arguments(ARG "" "" "PUBLIC;FOLDERS;SOURCES" ${ARGN})
  if(NOT ARG_FOLDERS AND NOT ARG_SOURCES)
    set(ARG_FOLDERS ${NAME})
  endif()
  set(sources)
  if(ARG_FOLDERS)
    list(TRANSFORM ARG_FOLDERS REPLACE "(.+)" "${CMAKE_CURRENT_SOURCE_DIR}/\\1/*.cpp")
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${ARG_FOLDERS})
  endif()
  add_library(leanbridge_${NAME} STATIC ${sources} ${ARG_SOURCES})
  target_include_directories(leanbridge_${NAME} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(leanbridge_${NAME} PUBLIC ${ARG_PUBLIC} PRIVATE leanbridge_options)
  leanbridge_precompiled(leanbridge_${NAME})
endfunction()

# leanbridge_command(NAME)
# A module that reads the command line, and knows the version and where this program is published.
function(leanbridge_command NAME)
  target_link_libraries(leanbridge_${NAME} PRIVATE CLI11::CLI11)
  target_compile_definitions(leanbridge_${NAME} PRIVATE LEANBRIDGE_VERSION="${PROJECT_VERSION}"
    LEANBRIDGE_PUBLISHED="${LEANBRIDGE_PUBLISHED}" LEANBRIDGE_HOME="${LEANBRIDGE_HOME}")
endfunction()

# leanbridge_part(NAME [FOLDERS folders...] PUBLIC libraries...)
# A product beside the core (include/leanbridge/part.hpp): the sources of these folders, and those of src/NAME itself.
function(leanbridge_part NAME)
  leanbridge_module(${NAME} ${ARGN})
  file(GLOB own CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${NAME}/*.cpp)
  target_sources(leanbridge_${NAME} PRIVATE ${own})
  target_link_libraries(leanbridge_${NAME} PUBLIC leanbridge_program)
  leanbridge_command(${NAME})
endfunction()

# leanbridge_embed(NAME FILE VARIABLE)
# Adds `extern const char* const VARIABLE` to the module: the text of the file, without the characters `)EMBEDDED"`. A line `{{part.js}}`
# stands for the file part.js beside it.
function(leanbridge_embed NAME FILE VARIABLE)
  set(files ${CMAKE_CURRENT_SOURCE_DIR}/${FILE})
  get_filename_component(folder ${files} DIRECTORY)
  file(READ ${files} text)
  string(REGEX MATCHALL "{{[a-z_]+\\.[a-z]+}}" marks "${text}")
  foreach(mark IN LISTS marks)
    string(REGEX REPLACE "[{}]" "" part ${mark})
    list(APPEND files ${folder}/${part})
    file(READ ${folder}/${part} content)
    string(REPLACE "${mark}\n" "${content}" text "${text}")
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/embedded.cpp.in ${PROJECT_BINARY_DIR}/embedded/${VARIABLE}.cpp @ONLY)
  target_sources(leanbridge_${NAME} PRIVATE ${PROJECT_BINARY_DIR}/embedded/${VARIABLE}.cpp)
endfunction()

# leanbridge_small(NAME…)
# For modules that mostly wait for Lean, services or clients. A threshold for inlining below that of -Os (50) makes the program a third
# smaller, and a server's memory a tenth. What scans and searches is not among them: it would take half as long again.
function(leanbridge_small)
  foreach(name IN LISTS ARGN)
    target_compile_options(leanbridge_${name} PRIVATE $<$<CONFIG:Release>:SHELL:-mllvm -inline-threshold=25>)
  endforeach()
endfunction()

# leanbridge_optimised(NAME REGEX)
# Under a sanitizer and without optimisation, reading a toolchain's .olean files takes minutes, so files of the module whose names match are
# optimised even there. Only those, since the sanitizers make optimising slow. -O1 is not enough: clang inlines nothing there.
function(leanbridge_optimised NAME REGEX)
  if(NOT LEANBRIDGE_SANITIZE)
    return()
  endif()
  get_target_property(sources leanbridge_${NAME} SOURCES)
  set(rest ${sources})
  list(FILTER sources INCLUDE REGEX "${REGEX}")
  list(REMOVE_ITEM rest ${sources})
  set_target_properties(leanbridge_${NAME} PROPERTIES SOURCES "${rest}")
  add_library(leanbridge_${NAME}_optimised OBJECT ${sources})
  get_target_property(libraries leanbridge_${NAME} LINK_LIBRARIES)
  target_include_directories(leanbridge_${NAME}_optimised PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(leanbridge_${NAME}_optimised PRIVATE ${libraries})
  # The check of object sizes, which only exists with optimisation, takes a third of the time; AddressSanitizer sees what it would.
  target_compile_options(leanbridge_${NAME}_optimised PRIVATE "SHELL:-O2 -mllvm -inline-threshold=20" -fno-sanitize=object-size)
  # The other targets' precompiled headers are not optimised, so the first of these compiles its own, and the others reuse them.
  get_property(first GLOBAL PROPERTY leanbridge_first_optimised)
  if(first)
    target_precompile_headers(leanbridge_${NAME}_optimised REUSE_FROM ${first})
  else()
    target_precompile_headers(leanbridge_${NAME}_optimised PRIVATE ${third_party_headers})
    set_property(GLOBAL PROPERTY leanbridge_first_optimised leanbridge_${NAME}_optimised)
  endif()
  target_sources(leanbridge_${NAME} PRIVATE $<TARGET_OBJECTS:leanbridge_${NAME}_optimised>)
endfunction()

# Third-party headers that most files include, compiled once for all targets: reading Asio and json again would take 5 s per module. Our own
# headers are not among them, or a change to one would recompile everything.
set(third_party_headers
  <nlohmann/json.hpp> <tl/expected.hpp> <fmt/format.h>
  <boost/asio/awaitable.hpp> <boost/asio/basic_waitable_timer.hpp> <boost/asio/co_spawn.hpp> <boost/asio/detached.hpp> <boost/asio/io_context.hpp>
  <boost/asio/posix/stream_descriptor.hpp> <boost/asio/post.hpp> <boost/asio/redirect_error.hpp> <boost/asio/steady_timer.hpp>
  <boost/asio/this_coro.hpp> <boost/asio/thread_pool.hpp> <boost/asio/use_awaitable.hpp> <boost/intrusive/list.hpp>
  <algorithm> <chrono> <filesystem> <functional> <map> <memory> <optional> <set> <string> <string_view> <unordered_map> <variant> <vector>)

# macOS's <math.h> reads a part of <float.h>, which libc++ lets nobody read again: all of it comes first, which it has with extensions.
if(APPLE)
  list(PREPEND third_party_headers <cfloat>)
  set(CMAKE_CXX_EXTENSIONS ON)
endif()

# Reuses them from the one target that compiles them.
function(leanbridge_precompiled TARGET)
  if(NOT TARGET leanbridge_precompiled)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/precompiled.cpp CONTENT "// Nothing but the precompiled headers.\n")
    add_library(leanbridge_precompiled OBJECT ${PROJECT_BINARY_DIR}/precompiled.cpp)
    target_link_libraries(leanbridge_precompiled PRIVATE leanbridge_options nlohmann_json::nlohmann_json tl::expected fmt_library Boost::headers
      Threads::Threads)
    target_precompile_headers(leanbridge_precompiled PRIVATE ${third_party_headers})
  endif()
  target_precompile_headers(${TARGET} REUSE_FROM leanbridge_precompiled)
endfunction()
