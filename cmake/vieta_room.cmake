# How every room is built: one static library (or one header-only target), one test program.

add_library(vieta_flags INTERFACE)
target_compile_options(vieta_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wold-style-cast -Wnon-virtual-dtor
  # Inside another project compiler and flags are that one's choice, and so is what their warnings mean.
  $<$<BOOL:${PROJECT_IS_TOP_LEVEL}>:-Werror>
  # Contraction is written out where it is wanted (fma), so that every target rounds alike.
  -ffp-contract=off -fno-math-errno)
if(VIETA_SANITIZE)
  target_compile_options(vieta_flags INTERFACE -fsanitize=${VIETA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(vieta_flags INTERFACE -fsanitize=${VIETA_SANITIZE})
endif()
if(VIETA_HOSTILE)
  target_compile_definitions(vieta_flags INTERFACE VIETA_HOSTILE=1)
endif()
target_compile_definitions(vieta_flags INTERFACE VIETA_VERSION="${PROJECT_VERSION}")

# vieta_room(NAME SOURCES a.cc ... TESTS a_test.cc ... GRANTS lower rooms ... LIBRARIES outside libraries ...)
# GRANTS are the only rooms whose headers and objects the room gets.
function(vieta_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;TESTS;GRANTS;LIBRARIES" ${ARGN})
  list(TRANSFORM ROOM_GRANTS PREPEND vieta_)
  if(ROOM_SOURCES)
    add_library(vieta_${name} STATIC ${ROOM_SOURCES})
    target_include_directories(vieta_${name} PUBLIC "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(vieta_${name} PUBLIC ${ROOM_GRANTS} ${ROOM_LIBRARIES} PRIVATE vieta_flags)
  else()
    add_library(vieta_${name} INTERFACE)
    target_include_directories(vieta_${name} INTERFACE "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(vieta_${name} INTERFACE ${ROOM_GRANTS} ${ROOM_LIBRARIES})
  endif()
  if(VIETA_TESTS AND ROOM_TESTS)
    vieta_test(${name}_test SOURCES ${ROOM_TESTS} LIBRARIES vieta_${name})
  endif()
endfunction()

# vieta_test(NAME SOURCES ... LIBRARIES ...): one GoogleTest program, every test of it known to CTest.
function(vieta_test name)
  cmake_parse_arguments(T "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${T_SOURCES})
  target_link_libraries(${name} PRIVATE ${T_LIBRARIES} vieta_flags GTest::gtest_main)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
endfunction()
