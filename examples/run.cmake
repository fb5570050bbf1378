# Runs an example and compares: its exit code, and what it prints, line by line, with the comment `// Prints:` at its
# top. Examples without such a comment print what differs from run to run; their output matches a regular expression.
#   cmake -DPROGRAM=... -DSOURCE=... [-DARGUMENT=...] [-DSTATUS=0] [-DMATCHES=regex] -P run.cmake
if(NOT DEFINED STATUS)
  set(STATUS 0)
endif()

execute_process(COMMAND "${PROGRAM}" ${ARGUMENT}
  RESULT_VARIABLE status OUTPUT_VARIABLE printed ERROR_VARIABLE complaints)
message("${printed}${complaints}")
if(NOT status STREQUAL STATUS)
  message(FATAL_ERROR "it ended with ${status}, not with ${STATUS}")
endif()

if(DEFINED MATCHES)
  if(NOT "${printed}${complaints}" MATCHES "${MATCHES}")
    message(FATAL_ERROR "its output does not match ${MATCHES}")
  endif()
  return()
endif()

file(READ "${SOURCE}" source)
if(NOT source MATCHES "// Prints:\n((//   [^\n]*\n)+)")
  message(FATAL_ERROR "${SOURCE} does not say what it prints")
endif()
string(REGEX REPLACE "(^|\n)//   " "\\1" expected "${CMAKE_MATCH_1}")
if(NOT printed STREQUAL expected)
  message(FATAL_ERROR "it should print\n${expected}")
endif()
