# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The libraries of others, under the names by which components link them. With FXS_STATIC the programs contain those that Debian 12 does not
# have for other systems: RE2, fmt, libzip and libcrypto.
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PkgConfig REQUIRED)
if(FXS_STATIC)
  set(OPENSSL_USE_STATIC_LIBS TRUE)
endif()
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(GVC REQUIRED IMPORTED_TARGET libgvc libcgraph)

if(NOT FXS_STATIC)
  find_package(fmt REQUIRED)
  pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET libzip)
  return()
endif()

find_library(RE2_ARCHIVE libre2.a REQUIRED)
set_target_properties(PkgConfig::RE2 PROPERTIES INTERFACE_LINK_LIBRARIES ${RE2_ARCHIVE})

# Debian's libfmt-dev has no archive, but the sources that are not templates.
add_library(fxs_fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/static_fmt.cpp)
target_compile_definitions(fxs_fmt PUBLIC FMT_SHARED)  # as with Debian's library
add_library(fmt::fmt ALIAS fxs_fmt)

# Nor has libzip-dev one, and its library needs libcrypto, for encrypted members: they are refused. The sources are those of Debian 12's
# package, with which the tests run.
set(FXS_LIBZIP_URL https://deb.debian.org/debian/pool/main/libz/libzip/libzip_1.7.3.orig.tar.xz CACHE STRING "Where the sources of libzip are")
include(FetchContent)
FetchContent_Declare(libzip URL ${FXS_LIBZIP_URL} URL_HASH SHA256=a60473ffdb7b4260c08bfa19c2ccea0438edac11193c3afbbb1f17fbcf6c6132)
FetchContent_GetProperties(libzip)
if(NOT libzip_POPULATED)
  FetchContent_Populate(libzip)
endif()
function(fxs_add_libzip)
  foreach(option COMMONCRYPTO GNUTLS MBEDTLS OPENSSL BZIP2 LZMA)
    set(ENABLE_${option} OFF CACHE INTERNAL "of libzip")
  endforeach()
  foreach(option BUILD_TOOLS BUILD_REGRESS BUILD_EXAMPLES BUILD_DOC BUILD_SHARED_LIBS LIBZIP_DO_INSTALL)
    set(${option} OFF CACHE INTERNAL "of libzip")
  endforeach()
  set(ZLIB_USE_STATIC_LIBS ON)
  set(CMAKE_UNITY_BUILD OFF)
  set(CMAKE_WARN_DEPRECATED OFF CACHE INTERNAL "of libzip")
  add_subdirectory(${libzip_SOURCE_DIR} ${libzip_BINARY_DIR} EXCLUDE_FROM_ALL)
endfunction()
fxs_add_libzip()
get_target_property(headers zip INTERFACE_INCLUDE_DIRECTORIES)
set_target_properties(zip PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${headers}")  # warnings in them are not of this project
add_library(PkgConfig::LIBZIP ALIAS zip)
