include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(WEIR_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/weir")
define_property(GLOBAL PROPERTY WEIR_COMPONENTS BRIEF_DOCS "Names of the components of this build, in order")

# weir_component(<name>
#   SOURCES  <file>...                 translation units of the library
#   PUBLIC   <target>...               what users of the component need too
#   PRIVATE  <target>...               what only its own sources need
#   PACKAGES <package>...              find_dependency() of each, for an installed weir (every target above has one)
#   PKGCONFIG_REQUIRES <module>...     modules that a user of the static library needs
#   PKGCONFIG_LIBS     <flag>...)      linker flags likewise
#
# Defines the library weir_<name> with the alias weir::<name>. Its public headers are those of include/ beside the
# calling CMakeLists.txt, its export set, its headers and its pkg-config file are its own: installing Weir with a
# broker switched off leaves no trace of that broker.
function(weir_component name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;PUBLIC;PRIVATE;PACKAGES;PKGCONFIG_REQUIRES;PKGCONFIG_LIBS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "weir_component(${name}): what is '${arg_UNPARSED_ARGUMENTS}'?")
  endif()
  set(target weir_${name})

  add_library(${target} ${arg_SOURCES})
  add_library(weir::${name} ALIAS ${target})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src)
  target_link_libraries(${target} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${name}
    OUTPUT_NAME ${target}
    CXX_EXTENSIONS OFF
    POSITION_INDEPENDENT_CODE ON
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}  # while 0.x, a minor version may break the ABI
    WEIR_SOURCE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  set_property(GLOBAL APPEND PROPERTY WEIR_COMPONENTS ${name})

  if(WEIR_INSTALL)
    install(TARGETS ${target} EXPORT weir-${name}-targets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT weir-${name}-targets NAMESPACE weir:: DESTINATION ${WEIR_PACKAGE_DIR})
    install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    weir_install_dependencies(${name} ${arg_PACKAGES})
    weir_install_pkgconfig(${name} REQUIRES ${arg_PKGCONFIG_REQUIRES} LIBS ${arg_PKGCONFIG_LIBS})
  endif()
endfunction()

# weir_optional_component(<folder> <what it is> <default>)
# The option WEIR_<FOLDER>; when it is OFF the folder is not entered: no target, nothing looked up.
function(weir_optional_component folder description default)
  string(TOUPPER "WEIR_${folder}" switch)
  option(${switch} "Build ${description}" ${default})
  if(${switch})
    add_subdirectory(${folder})
  endif()
endfunction()

# The find_dependency() calls of one component, read by weir-config.cmake before the component's targets.
function(weir_install_dependencies name)
  set(text "")
  foreach(package IN LISTS ARGN)
    string(APPEND text "find_dependency(${package})\n")
  endforeach()
  set(file "${PROJECT_BINARY_DIR}/package/weir-${name}-dependencies.cmake")
  file(CONFIGURE OUTPUT "${file}" CONTENT "${text}" @ONLY)
  install(FILES "${file}" DESTINATION ${WEIR_PACKAGE_DIR})
endfunction()

# A pkg-config file that finds its prefix from where it lies, so that an installed tree may be moved.
function(weir_install_pkgconfig name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "REQUIRES;LIBS")
  set(directory "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
  file(RELATIVE_PATH up "/prefix/${directory}" "/prefix")
  string(REGEX REPLACE "/$" "" up "${up}")
  set(pc_prefix "\${pcfiledir}/${up}")
  set(pc_name "weir-${name}")
  set(pc_library "weir_${name}")
  list(JOIN arg_REQUIRES ", " pc_requires)
  list(JOIN arg_LIBS " " pc_libs)
  set(file "${PROJECT_BINARY_DIR}/package/weir-${name}.pc")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/weir.pc.in" "${file}" @ONLY)
  install(FILES "${file}" DESTINATION "${directory}")
endfunction()

# After the last component: weir::weir, which is all of them, and the CMake package.
function(weir_finish_components)
  get_property(components GLOBAL PROPERTY WEIR_COMPONENTS)
  add_library(weir_everything INTERFACE)
  add_library(weir::weir ALIAS weir_everything)
  list(TRANSFORM components PREPEND "weir::" OUTPUT_VARIABLE targets)
  target_link_libraries(weir_everything INTERFACE ${targets})

  if(WEIR_INSTALL)
    list(JOIN components " " WEIR_COMPONENT_LIST)
    configure_package_config_file(cmake/weir-config.cmake.in "${PROJECT_BINARY_DIR}/package/weir-config.cmake"
      INSTALL_DESTINATION ${WEIR_PACKAGE_DIR} NO_SET_AND_CHECK_MACRO)
    write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/weir-config-version.cmake"
      COMPATIBILITY SameMinorVersion)
    install(FILES
      "${PROJECT_BINARY_DIR}/package/weir-config.cmake"
      "${PROJECT_BINARY_DIR}/package/weir-config-version.cmake"
      DESTINATION ${WEIR_PACKAGE_DIR})
  endif()
endfunction()
