# Runs at installation: manual and changelogs, compressed to the same bytes each time (gzip -n). The Debian changelog carries the date of
# SOURCE_DATE_EPOCH, or today's.
function(install_compressed source name folder)
  set(made ${CMAKE_CURRENT_BINARY_DIR}/${name})
  configure_file(${PROJECT_SOURCE_DIR}/${source} ${made} @ONLY)
  execute_process(COMMAND gzip -9nc ${made} OUTPUT_FILE ${made}.gz COMMAND_ERROR_IS_FATAL ANY)
  file(INSTALL ${made}.gz DESTINATION ${CMAKE_INSTALL_PREFIX}/share/${folder})
endfunction()

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
install_compressed(package/phlo.1.in phlo.1 man/man1)
install_compressed(package/changelog.in changelog.Debian doc/phlogiston)
install_compressed(CHANGELOG.md changelog doc/phlogiston)
