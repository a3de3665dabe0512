# Libraries that are linked in another way into the portable program, under one name each: fmt_library, spdlog_library, toml_library and
# sqlite_library. Otherwise they are Debian's shared libraries.
#
# The portable program needs the C library only, of version 2.34 or newer (docs/decisions/0021-portable-program.md).
option(LEANBRIDGE_PORTABLE "Link everything but the C library statically" OFF)

add_library(fmt_library INTERFACE)
add_library(spdlog_library INTERFACE)
add_library(toml_library INTERFACE)
add_library(sqlite_library INTERFACE)

if(LEANBRIDGE_PORTABLE)
  # Debian has no static fmt, spdlog and toml++: these compile as headers.
  find_path(FMT_HEADERS fmt/format.h REQUIRED)
  find_path(SPDLOG_HEADERS spdlog/spdlog.h REQUIRED)
  find_path(TOML_HEADERS toml++/toml.h REQUIRED)
  target_compile_definitions(fmt_library INTERFACE FMT_HEADER_ONLY=1)
  target_compile_definitions(spdlog_library INTERFACE SPDLOG_FMT_EXTERNAL)
  target_link_libraries(spdlog_library INTERFACE fmt_library Threads::Threads)
  if(APPLE)
    # From its one file, as Debian configures what the index uses of it.
    enable_language(C)
    set(SQLITE_FOLDER ${LEANBRIDGE_MACOS_TOOLS}/node_modules/better-sqlite3/deps/sqlite3)
    add_library(sqlite_archive STATIC ${SQLITE_FOLDER}/sqlite3.c)
    target_compile_definitions(sqlite_archive PRIVATE SQLITE_THREADSAFE=1 SQLITE_ENABLE_FTS5 SQLITE_OMIT_LOAD_EXTENSION)
    target_compile_options(sqlite_archive PRIVATE -w)
    target_include_directories(sqlite_library SYSTEM INTERFACE ${SQLITE_FOLDER})
    target_link_libraries(sqlite_library INTERFACE sqlite_archive)
  else()
    find_path(SQLITE_HEADERS sqlite3.h REQUIRED)
    find_library(SQLITE_ARCHIVE libsqlite3.a REQUIRED)
    target_link_libraries(sqlite_library INTERFACE ${SQLITE_ARCHIVE} m ${CMAKE_DL_LIBS} Threads::Threads)
  endif()

  add_compile_options(-ffunction-sections -fdata-sections)
  # The same program wherever the sources are.
  add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
else()
  find_package(fmt 9.1 REQUIRED)
  find_package(spdlog 1.10 REQUIRED)
  find_package(tomlplusplus 3.3 REQUIRED)
  find_package(SQLite3 3.35 REQUIRED)
  target_link_libraries(fmt_library INTERFACE fmt::fmt)
  target_link_libraries(spdlog_library INTERFACE spdlog::spdlog)
  target_link_libraries(toml_library INTERFACE tomlplusplus::tomlplusplus)
  target_link_libraries(sqlite_library INTERFACE SQLite::SQLite3)
endif()

# Always from the archive, of which five objects are linked: the start must not load 4 MB of which little is used.
# macOS has SHA-256 in its C library, and we have a header that gives it OpenSSL's names.
add_library(crypto_library INTERFACE)
if(APPLE)
  target_include_directories(crypto_library INTERFACE ${PROJECT_SOURCE_DIR}/src/core/platform/macos)
else()
  find_path(OPENSSL_HEADERS openssl/sha.h REQUIRED)
  find_library(CRYPTO_ARCHIVE libcrypto.a REQUIRED)
  target_include_directories(crypto_library INTERFACE ${OPENSSL_HEADERS})
  target_link_libraries(crypto_library INTERFACE ${CRYPTO_ARCHIVE})
endif()

# Only the headers: it is loaded when it is needed (src/http/curl.hpp), by this name. Every Mac has the file, which macOS keeps elsewhere; a
# mere name would be looked for in the working folder, too.
find_path(CURL_HEADERS curl/curl.h REQUIRED)
if(APPLE)
  set(LIBCURL_FILE /usr/lib/libcurl.4.dylib)
  set(LIBCURL_ADVICE "macOS has what it takes since version 12.")
else()
  set(LIBCURL_FILE libcurl.so.4)
  set(LIBCURL_ADVICE "Install libcurl4.")
endif()

# leanbridge_portable(TARGET): links it so, without symbols.
function(leanbridge_portable TARGET)
  if(NOT LEANBRIDGE_PORTABLE)
    return()
  endif()
  if(APPLE)
    target_link_options(${TARGET} PRIVATE -s)
    return()
  endif()
  target_link_options(${TARGET} PRIVATE -static-libstdc++ -static-libgcc
    -Wl,--as-needed -Wl,-z,relro -Wl,-z,now -Wl,--build-id=sha1 -Wl,-s)
endfunction()
