# Writes the version and the commit of SOURCE into FILE, if they changed.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short HEAD
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
                ERROR_QUIET)
execute_process(COMMAND git -C ${SOURCE} status --porcelain -uno
                OUTPUT_VARIABLE changes ERROR_QUIET)
set(text "${VERSION}")
if(commit)
  string(APPEND text " (${commit}")
  if(changes)
    string(APPEND text "+")
  endif()
  string(APPEND text ")")
endif()
file(CONFIGURE OUTPUT ${FILE} CONTENT "#define KFUSE_VERSION_TEXT \"${text}\"\n"
     @ONLY)
