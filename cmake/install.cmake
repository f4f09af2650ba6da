# What `cmake --install` puts where: library, headers, CMake package, pkg-config file, command, manual, completions.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/halfspace)

install(TARGETS halfspace EXPORT halfspace)
install(TARGETS halfspace_c)
install(FILES include/halfspace_c.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/halfspace DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(PROGRAMS tools/verify-certificate DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME halfspace-verify)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN "CMakeLists.txt" EXCLUDE)
install(DIRECTORY deploy DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN "site" EXCLUDE)
install(EXPORT halfspace NAMESPACE halfspace:: FILE halfspaceTargets.cmake DESTINATION ${package_folder})

configure_package_config_file(cmake/halfspaceConfig.cmake.in halfspaceConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(halfspaceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/halfspaceConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/halfspaceConfigVersion.cmake
  DESTINATION ${package_folder})

# The prefix is found from where the file lies, so that it may be chosen (or changed) after the build.
set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH prefix_from_pkgconfig ${CMAKE_INSTALL_PREFIX}/${pkgconfig_folder} ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" prefix_from_pkgconfig ${prefix_from_pkgconfig})
configure_file(cmake/halfspace.pc.in halfspace.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/halfspace.pc DESTINATION ${pkgconfig_folder})

if(TARGET halfspace_cli)
  install(TARGETS halfspace_cli)
  # The command writes its own manual and completions, so that they cannot tell anything else than --help.
  set(written ${CMAKE_CURRENT_BINARY_DIR}/written)
  file(MAKE_DIRECTORY ${written})
  add_custom_command(TARGET halfspace_cli POST_BUILD VERBATIM
    COMMAND halfspace_cli manual > ${written}/halfspace.1
    COMMAND halfspace_cli completion bash > ${written}/halfspace.bash
    COMMAND halfspace_cli completion zsh > ${written}/_halfspace
    COMMAND halfspace_cli completion fish > ${written}/halfspace.fish)
  install(FILES ${written}/halfspace.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${written}/halfspace.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME halfspace)
  install(FILES ${written}/_halfspace DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${written}/halfspace.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
