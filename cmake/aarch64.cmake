# For aarch64 on an x86_64 Debian: clang with the headers and libraries of Debian's cross compiler.
#   dpkg --add-architecture arm64 && apt-get update
#   apt-get install g++-aarch64-linux-gnu lld-16 libsqlite3-dev:arm64 libcurl4-openssl-dev:arm64 libssl-dev:arm64
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER clang++-16)
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
# Otherwise pkg-config, and with it find_package(OpenSSL), finds the libraries of x86_64 if they are installed too.
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)
# Headers only, whose descriptions for CMake lie with those of x86_64.
set(utf8cpp_DIR /usr/lib/x86_64-linux-gnu/cmake/utf8cpp)
set(Boost_NO_BOOST_CMAKE ON)
