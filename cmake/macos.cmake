# For macOS on Linux, by zig's clang, C++ library and linker: scripts/lib/macos-tools fetches them and what else is in build/macos, and the
# cache variable LEANBRIDGE_MACOS says for which processor, aarch64 or x86_64.
cmake_path(SET LEANBRIDGE_MACOS_TOOLS NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../build/macos)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LEANBRIDGE_MACOS)
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR ${LEANBRIDGE_MACOS})
set(CMAKE_C_COMPILER ${LEANBRIDGE_MACOS_TOOLS}/${LEANBRIDGE_MACOS}-cc)
set(CMAKE_CXX_COMPILER ${LEANBRIDGE_MACOS_TOOLS}/${LEANBRIDGE_MACOS}-c++)
set(CMAKE_AR ${LEANBRIDGE_MACOS_TOOLS}/ar)
set(CMAKE_RANLIB ${LEANBRIDGE_MACOS_TOOLS}/ranlib)
# Nothing is installed from such a build.
set(CMAKE_INSTALL_NAME_TOOL /bin/true)
# zig knows the system's headers and libraries by itself.
set(CMAKE_OSX_SYSROOT "" CACHE STRING "")
# The headers that are the same everywhere, and nothing of this system.
set(CMAKE_FIND_ROOT_PATH ${LEANBRIDGE_MACOS_TOOLS}/root)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(Boost_NO_BOOST_CMAKE ON)
