# Writes HEADERS (below ROOT) and LIBRARIES (below LIBRARY_ROOT, as ones of CUDA)
# into OUTPUT as the table that EmbeddedHeaders.h declares. Run at build time:
# cmake -DROOT= -DHEADERS= -DLIBRARY_ROOT= -DLIBRARIES= -DOUTPUT= -P.
set(text "#include \"frontend/parse/EmbeddedHeaders.h\"\n\nnamespace kfuse {\n\n"
)
string(APPEND text "const std::vector<EmbeddedHeader> &embeddedHeaders() {\n"
  "  static const std::vector<EmbeddedHeader> headers = {\n")
function(embed file header)
  # Read as hexadecimal digits: CMake's own lists would split at semicolons.
  file(READ "${file}" content HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" content "${content}")
  # One literal a source line keeps the lines within what compilers take.
  string(REGEX REPLACE "(\\\\x0a)" "\\1\"\n     \"" content "${content}")
  string(APPEND text "    {\"${header}\",\n     \"${content}\"},\n")
  set(text "${text}" PARENT_SCOPE)
endfunction()
string(REPLACE "," ";" HEADERS "${HEADERS}")
foreach(header ${HEADERS})
  embed("${ROOT}/${header}" "${header}")
endforeach()
string(REPLACE "," ";" LIBRARIES "${LIBRARIES}")
foreach(header ${LIBRARIES})
  embed("${LIBRARY_ROOT}/${header}" "cuda/${header}")
endforeach()
string(APPEND text "  };\n  return headers;\n}\n\n} // namespace kfuse\n")
file(WRITE "${OUTPUT}" "${text}")
