# leanbridge_module(NAME [PUBLIC libraries...] [PCH])
# A static library from every source file in the module's folder and below. What it may include is what it links:
# the order of the modules in src/CMakeLists.txt is the order of the layers, and there is no arrow back.
function(leanbridge_module NAME)
  cmake_parse_arguments(ARG "" "" "PUBLIC;PRECOMPILE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${NAME}/*.cpp)
  add_library(leanbridge_${NAME} STATIC ${sources})
  target_include_directories(leanbridge_${NAME} PUBLIC ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(leanbridge_${NAME} PUBLIC ${ARG_PUBLIC} PRIVATE leanbridge_options)
  # Under a sanitizer and without optimisation, reading a toolchain's .olean files takes minutes. -O1 would not do: clang inlines nothing there.
  if(LEANBRIDGE_SANITIZE AND NAME MATCHES "^(text|index)$")
    target_compile_options(leanbridge_${NAME} PRIVATE -O2)
  endif()
  if(ARG_PRECOMPILE)
    target_precompile_headers(leanbridge_${NAME} PRIVATE ${ARG_PRECOMPILE})
  endif()
endfunction()
