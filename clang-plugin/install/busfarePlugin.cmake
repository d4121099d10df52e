# busfare_plugin(TARGET NAME... [OUT FOLDER | EMBED])
#
# The compiler leaves what busfare reads of each C and C++ source of the targets as it goes, so that a report of the tree takes no
# time of its own:
#
#   find_package(busfare REQUIRED)
#   busfare_plugin(TARGET solver)
#   # busfare project -p build
#
#   OUT    leaves it in this folder, relative to the current binary folder; else beside the objects
#   EMBED  leaves it in a section of the objects, which archives, links and ccache keep
#
# With Clang of the version that busfare was built for. Another compiler says nothing and leaves nothing, which one line says
# when CMake runs: `busfare project` then reads the sources.

function(busfare_plugin)
  cmake_parse_arguments(PARSE_ARGV 0 arg "EMBED" "OUT" "TARGET")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "busfare_plugin: what is '${arg_UNPARSED_ARGUMENTS}'? There are TARGET, OUT and EMBED")
  endif()
  if(NOT arg_TARGET)
    message(FATAL_ERROR "busfare_plugin: TARGET names no target")
  endif()
  set(words -fplugin=$<TARGET_FILE:busfare::busfare-plugin>)
  if(arg_EMBED)
    list(APPEND words -fplugin-arg-busfare-embed)
  elseif(arg_OUT)
    cmake_path(ABSOLUTE_PATH arg_OUT BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR} NORMALIZE)
    list(APPEND words -fplugin-arg-busfare-out=${arg_OUT})
  endif()
  foreach(language C CXX)
    if(NOT CMAKE_${language}_COMPILER)
      continue()
    endif()
    if(NOT CMAKE_${language}_COMPILER_ID STREQUAL "Clang" OR NOT CMAKE_${language}_COMPILER_VERSION MATCHES "^${busfare_CLANG_RELEASE}\\.")
      message(STATUS "busfare_plugin: ${CMAKE_${language}_COMPILER} is not Clang ${busfare_CLANG_RELEASE}: nothing is left of ${language} sources")
      continue()
    endif()
    foreach(target IN LISTS arg_TARGET)
      if(NOT TARGET ${target})
        message(FATAL_ERROR "busfare_plugin: '${target}' is no target (call busfare_plugin behind what makes it)")
      endif()
      target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:${language}>:${words}>")
    endforeach()
  endforeach()
endfunction()
