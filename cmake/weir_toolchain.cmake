# What Weir asks of the compiler, and what it does for whoever builds Weir itself. Nothing here changes flags:
# warnings and sanitizers belong to the presets.

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  message(STATUS "Weir: g++ ${CMAKE_CXX_COMPILER_VERSION} miscompiles some coroutine expressions; "
                 "see \"Coroutines under g++ 12\" in CONTRIBUTING.md")
endif()

# Every build makes object files twice sooner or later. A launcher someone chose already wins.
if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(WEIR_CCACHE ccache)
  mark_as_advanced(WEIR_CCACHE)
  if(WEIR_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${WEIR_CCACHE}")
  endif()
endif()

# Weir's own tests and examples speak plain C++20, as its users' code may.
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_STANDARD 20)
  set(CMAKE_CXX_STANDARD_REQUIRED ON)
  set(CMAKE_CXX_EXTENSIONS OFF)
endif()

# Programs of all directories in one place, so that scripts find them without asking CMake.
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
endif()
