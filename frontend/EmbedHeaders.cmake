# Writes HEADERS (below ROOT) into OUTPUT as the table that EmbeddedHeaders.h
# declares. Run at build time: cmake -DROOT= -DHEADERS= -DOUTPUT= -P.
set(text "#include \"frontend/parse/EmbeddedHeaders.h\"\n\nnamespace kfuse {\n\n"
)
string(APPEND text "const std::vector<EmbeddedHeader> &embeddedHeaders() {\n"
  "  static const std::vector<EmbeddedHeader> headers = {\n")
string(REPLACE "," ";" HEADERS "${HEADERS}")
foreach(header ${HEADERS})
  # Read as hexadecimal digits: CMake's own lists would split at semicolons.
  file(READ "${ROOT}/${header}" content HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" content "${content}")
  # One literal a source line keeps the lines within what compilers take.
  string(REGEX REPLACE "(\\\\x0a)" "\\1\"\n     \"" content "${content}")
  string(APPEND text "    {\"${header}\",\n     \"${content}\"},\n")
endforeach()
string(APPEND text "  };\n  return headers;\n}\n\n} // namespace kfuse\n")
file(WRITE "${OUTPUT}" "${text}")
