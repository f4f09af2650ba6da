# Registers each suite of a test program as one test of ctest: a process a suite, not a test, and fixtures are shared.
# cmake -DPROGRAM=... -DPREFIX=... -DOUTPUT=... -P suites.cmake, after the program is linked.
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\n[^ \n]+\\." suites "\n${listed}")
# Skipped, if the last lines list skipped tests and no failed ones.
set(skipped [==[listed below:(
\[  SKIPPED \] [^
]*)+
$]==])
set(tests "")
foreach(suite ${suites})
  string(REGEX REPLACE "\n(.*)\\." "${PREFIX}.\\1" name "${suite}")
  string(STRIP "${suite}" suite)
  string(APPEND tests "add_test([=[${name}]=] [=[${PROGRAM}]=] [=[--gtest_filter=${suite}*]=]"
    " --gtest_also_run_disabled_tests)\n"
    "set_tests_properties([=[${name}]=] PROPERTIES SKIP_REGULAR_EXPRESSION [==[${skipped}]==])\n")
endforeach()
file(WRITE ${OUTPUT} "${tests}")
