# busfare_report(TARGET NAME... [NAME TARGET] [FORMAT text|json|...] [OUTPUT FILE]
#                [FAIL_ON CONDITION...] [BASELINE FILE] [ARGS WORD...])
#
# A target, called NAME (default: busfare-report-<first target>), that analyses the C and C++ sources of the targets as one
# program, with the flags that the build gives them, and writes a report into the build folder:
#
#   find_package(busfare REQUIRED)
#   busfare_report(TARGET solver FAIL_ON "speedup<2" ARGS --machine a100-pcie4)
#
#   OUTPUT    the report (default: <first target>.busfare.txt, or what fits the format, in the current binary folder)
#   FAIL_ON   conditions of `busfare analyze --fail-on`: the report is then part of every build, which fails if one holds,
#             or if a source could not be read: an answer with holes passes no gate
#   BASELINE  an earlier JSON report, for --baseline; relative to the current source folder
#   ARGS      any other words for `busfare analyze`
#
# The flags come from compile_commands.json, which the Ninja and Makefile generators write. A source that two targets
# compile with different flags is read with those of its first entry there, which the report's run says.

function(busfare_report)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;FORMAT;OUTPUT;BASELINE" "TARGET;FAIL_ON;ARGS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "busfare_report: what is '${arg_UNPARSED_ARGUMENTS}'? There are TARGET, NAME, FORMAT, OUTPUT, FAIL_ON, BASELINE and ARGS")
  endif()
  if(NOT arg_TARGET)
    message(FATAL_ERROR "busfare_report: TARGET names no target")
  endif()
  if(NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    message(FATAL_ERROR "busfare_report: the generator '${CMAKE_GENERATOR}' writes no compile_commands.json; Ninja and the Makefile generators do")
  endif()
  list(GET arg_TARGET 0 first)
  if(NOT arg_NAME)
    set(arg_NAME busfare-report-${first})
  endif()
  if(NOT arg_FORMAT)
    set(arg_FORMAT text)
  endif()
  if(NOT arg_OUTPUT)
    set(suffix ${arg_FORMAT})
    if(arg_FORMAT STREQUAL "text")
      set(suffix txt)
    elseif(arg_FORMAT STREQUAL "markdown")
      set(suffix md)
    endif()
    set(arg_OUTPUT ${first}.busfare.${suffix})
  endif()
  cmake_path(ABSOLUTE_PATH arg_OUTPUT BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR} NORMALIZE)
  set(words --format ${arg_FORMAT} -o ${arg_OUTPUT} --no-progress)
  foreach(condition IN LISTS arg_FAIL_ON)
    list(APPEND words --fail-on ${condition})
  endforeach()
  if(arg_BASELINE)
    cmake_path(ABSOLUTE_PATH arg_BASELINE BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    list(APPEND words --baseline ${arg_BASELINE})
  endif()
  set(sources "")
  foreach(target IN LISTS arg_TARGET)
    if(NOT TARGET ${target})
      message(FATAL_ERROR "busfare_report: '${target}' is no target (call busfare_report behind what makes it)")
    endif()
    set_target_properties(${target} PROPERTIES EXPORT_COMPILE_COMMANDS ON)
    # A target's sources are relative to its folder, or absolute; beside them stand headers and objects.
    set(all "$<FILTER:$<TARGET_PROPERTY:${target},SOURCES>,INCLUDE,\\.(c|C|cc|cp|cpp|cxx|c\\+\\+|CPP)$>")
    set(relative "$<FILTER:${all},EXCLUDE,^/>")
    set(folder $<TARGET_PROPERTY:${target},SOURCE_DIR>)
    list(APPEND sources "$<FILTER:${all},INCLUDE,^/>" "$<$<BOOL:${relative}>:${folder}/$<JOIN:${relative},$<SEMICOLON>${folder}/>>")
  endforeach()
  # The report stays where it is when a condition holds; that the analysis is up to date is said by a file of its own.
  set(stamp ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${arg_NAME}.stamp)
  set(run $<TARGET_FILE:busfare::busfare> analyze -p ${CMAKE_BINARY_DIR} ${words} ${arg_ARGS} ${sources})
  if(NOT arg_FAIL_ON)
    # 3: some sources could not be read; the report says which, and is there.
    set(run sh -c "\"$@\" || [ $? -eq 3 ]" sh ${run})
  endif()
  add_custom_command(OUTPUT ${stamp} BYPRODUCTS ${arg_OUTPUT}
    COMMAND ${run}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${arg_TARGET} ${arg_BASELINE} $<TARGET_FILE:busfare::busfare>
    WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
    COMMENT "busfare: analysing ${first}"
    COMMAND_EXPAND_LISTS VERBATIM)
  if(arg_FAIL_ON)
    add_custom_target(${arg_NAME} ALL DEPENDS ${stamp})
  else()
    add_custom_target(${arg_NAME} DEPENDS ${stamp})
  endif()
endfunction()
