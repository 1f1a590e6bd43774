# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One declaration per component: what it is made of and what it may see. The same
# list links the target and feeds the include check, so the two cannot drift.

find_program(FXS_CCACHE ccache)
if(FXS_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${FXS_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${FXS_CCACHE})
endif()

add_library(fxs_warnings INTERFACE)
target_compile_options(fxs_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 reports -Wrestrict inside std::string's own operator+ (its bug 105651), and -Wmaybe-uninitialized for the
  # alternatives of a std::variant that is moved out of a Result.
  target_compile_options(fxs_warnings INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # std::stable_sort of GCC 12's library calls what the library itself declares deprecated.
  target_compile_options(fxs_warnings INTERFACE -Wno-deprecated-declarations)
endif()
if(FXS_WERROR)
  target_compile_options(fxs_warnings INTERFACE -Werror)
endif()
if(FXS_SANITIZE)
  add_compile_options(-fsanitize=${FXS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${FXS_SANITIZE})
endif()

if(CMAKE_CXX_CLANG_TIDY)
  # Generated files are not linted. clang-tidy refuses an empty list of checks.
  file(WRITE ${PROJECT_BINARY_DIR}/.clang-tidy "Checks: -*,misc-unused-alias-decls\n")
endif()

# What is read comes from strangers: mistakes that are left end the program where they happen, and are harder to make use of. In
# every build: bounds of the standard library's containers; with optimization, and where no sanitizer does it better: the C library's.
add_compile_definitions(_GLIBCXX_ASSERTIONS)
if(NOT FXS_SANITIZE)
  add_compile_options(-fstack-protector-strong -fstack-clash-protection -fcf-protection)
  add_compile_definitions($<$<NOT:$<CONFIG:Debug>>:_FORTIFY_SOURCE=3>)
  add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
endif()

# Sources of one component are compiled together, in batches: most of their time went into the same headers again and again. What is
# file-local has a name of its own in its component (arch.local_names); where two would mean the same, it is one. A preset without
# FXS_UNITY keeps each file's includes honest.
if(FXS_UNITY)
  set(CMAKE_UNITY_BUILD ON)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 20)
endif()

# Four fifths of what is left is the optimizer's. -O3 takes three times as long as -O1 and is worth it only where every byte of a file
# is read: those components say HOT. GCC inlines less in large files, whatever is in them; there it is told not to.
string(REPLACE "-O3" "-O1" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
# In packages that are downloaded, the rest is made small instead: a third of its code.
set(FXS_COLD_OPTIONS "")
if(FXS_STATIC)
  add_link_options(-Wl,--gc-sections)
  set(FXS_COLD_OPTIONS $<$<CONFIG:Release>:-Os>)
endif()
set(FXS_HOT_OPTIONS $<$<CONFIG:Release>:-O3> $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:--param=large-unit-insns=1000000>)

# fxs_component(NAME [HOT] DEPENDS component.. LINKS lib..)
# builds every .cpp of core/NAME (its folders too); a component sees those that it depends on.
function(fxs_component name)
  cmake_parse_arguments(M "HOT" "" "DEPENDS;LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(sources)
    add_library(fxs_${name} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(fxs_${name} PRIVATE fxs_warnings ${M_LINKS})
    if(M_HOT)
      target_compile_options(fxs_${name} PRIVATE ${FXS_HOT_OPTIONS})
    else()
      target_compile_options(fxs_${name} PRIVATE ${FXS_COLD_OPTIONS})
    endif()
    if(FXS_STATIC)
      target_compile_options(fxs_${name} PRIVATE -ffunction-sections -fdata-sections)  # fxscope-layout needs little of each
    endif()
  else()
    add_library(fxs_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(fxs::${name} ALIAS fxs_${name})
  target_include_directories(fxs_${name} ${scope}
    ${PROJECT_SOURCE_DIR}/core ${PROJECT_BINARY_DIR}/core)
  foreach(d IN LISTS M_DEPENDS)
    if(NOT TARGET fxs_${d})
      message(FATAL_ERROR "core/${name} depends on core/${d}, which is not above it in core/CMakeLists.txt")
    endif()
    target_link_libraries(fxs_${name} ${scope} fxs_${d})
  endforeach()
  list(JOIN M_DEPENDS "," depends)
  set_property(GLOBAL APPEND PROPERTY FXS_LAYERS "${name}:${depends}")
endfunction()

# Turns every <dir>/*.cpp into one call of register<Stem>(registry) in a
# generated function: adding a file is the whole registration, the order is the
# file names' and no static constructor is involved. With FILE each folder
# <dir>/*/ that holds such a file is one call of register<Folder>(registry).
function(fxs_collect target)
  cmake_parse_arguments(C "" "DIR;FILE;FUNCTION;ARG;HEADER;NAMESPACE" "" ${ARGN})
  if(NOT C_NAMESPACE)
    set(C_NAMESPACE fxs)
  endif()
  if(C_FILE)
    file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${C_DIR}/*/${C_FILE})
    list(TRANSFORM files REPLACE "/${C_FILE}$" "")
  else()
    file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${C_DIR}/*.cpp)
  endif()
  list(SORT files)
  set(decls "")
  set(calls "")
  foreach(f IN LISTS files)
    get_filename_component(stem ${f} NAME_WE)
    string(REPLACE "_" ";" words ${stem})
    set(camel "")
    foreach(w IN LISTS words)
      string(SUBSTRING ${w} 0 1 head)
      string(SUBSTRING ${w} 1 -1 tail)
      string(TOUPPER ${head} head)
      string(APPEND camel ${head}${tail})
    endforeach()
    string(APPEND decls "void register${camel}(${C_ARG}&);\n")
    string(APPEND calls "  register${camel}(r);\n")
  endforeach()
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${C_FUNCTION}.gen.cpp)
  file(CONFIGURE OUTPUT ${out} CONTENT
    "#include \"${C_HEADER}\"\nnamespace ${C_NAMESPACE} {\n${decls}void ${C_FUNCTION}(${C_ARG}& r) {\n${calls}}\n}\n" @ONLY)
  target_sources(${target} PRIVATE ${out})
endfunction()

# Embeds one file as `extern const std::string_view <symbol>` (namespace fxs::resource).
function(fxs_embed target symbol file)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.gen.S)
  set(cpp ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.gen.cpp)
  file(CONFIGURE OUTPUT ${out} CONTENT
"    .section .rodata
    .global fxs_embed_${symbol}
    .global fxs_embed_${symbol}_end
fxs_embed_${symbol}:
    .incbin \"${file}\"
fxs_embed_${symbol}_end:
    .byte 0
    .section .note.GNU-stack,\"\",%progbits
" @ONLY)
  file(CONFIGURE OUTPUT ${cpp} CONTENT
"#include <string_view>
extern \"C\" const char fxs_embed_${symbol}[];
extern \"C\" const char fxs_embed_${symbol}_end[];
namespace fxs::resource {
std::string_view ${symbol}();
std::string_view ${symbol}() {
  return {fxs_embed_${symbol}, static_cast<std::size_t>(fxs_embed_${symbol}_end - fxs_embed_${symbol})};
}
}
" @ONLY)
  set_source_files_properties(${out} PROPERTIES OBJECT_DEPENDS ${file} LANGUAGE ASM)
  # An object of its own, so that a test can link another file under the same symbol.
  set_source_files_properties(${cpp} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${out} ${cpp})
endfunction()
