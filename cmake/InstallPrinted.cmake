# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Man pages and completions: what the fxscope-cli that was built prints. Run by `cmake --install`, with FXS_CLI, FXS_OUT and FXS_DATADIR.
function(fxs_install_printed file folder)
  execute_process(COMMAND ${FXS_CLI} ${ARGN} OUTPUT_FILE ${FXS_OUT}/${file} COMMAND_ERROR_IS_FATAL ANY)
  if(file MATCHES "\\.1$")
    execute_process(COMMAND gzip -9nf ${FXS_OUT}/${file} COMMAND_ERROR_IS_FATAL ANY)
    string(APPEND file .gz)
  endif()
  file(INSTALL ${FXS_OUT}/${file} DESTINATION ${CMAKE_INSTALL_PREFIX}/${FXS_DATADIR}/${folder})
endfunction()

foreach(program IN LISTS FXS_PROGRAMS)
  fxs_install_printed(${program}.1 man/man1 man ${program})
  # A shell looks for a file by the name of the program.
  fxs_install_printed(${program} bash-completion/completions completion bash)
  fxs_install_printed(${program}.fish fish/vendor_completions.d completion fish)
endforeach()
fxs_install_printed(_fxscope-cli zsh/vendor-completions completion zsh)
