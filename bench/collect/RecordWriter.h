//===- RecordWriter.h - Records of launches, written as they end ----------===//
//
// Included by the collectors, which are loaded into the user's program: it
// needs nothing but the standard library, and is C++17. The text of this file
// is also part of kfuse-bench, which compiles the collector of CUDA when it is
// needed. bench/collect/Record.h reads what this writes.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_BENCH_COLLECT_RECORDWRITER_H
#define KFUSE_BENCH_COLLECT_RECORDWRITER_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace kfuse {

/// A JSON object that grows by its keys, in their order.
class RecordLine {
public:
  RecordLine &text(std::string_view key, std::string_view value) {
    add(key);
    appendQuoted(value);
    return *this;
  }
  RecordLine &number(std::string_view key, std::uint64_t value) {
    add(key);
    Text += std::to_string(value);
    return *this;
  }
  /// Adds three extents as a list.
  template <typename Size>
  RecordLine &extents(std::string_view key, const Size *sizes) {
    add(key);
    for (int axis = 0; axis < 3; ++axis)
      Text += (axis == 0 ? "[" : ",") + std::to_string(sizes[axis]);
    Text += ']';
    return *this;
  }
  /// Adds bytes as hexadecimal digits, in the order of memory.
  RecordLine &bytes(std::string_view key, const void *data, std::size_t size) {
    static constexpr char Digits[] = "0123456789abcdef";
    std::string digits;
    for (std::size_t i = 0; i < size; ++i) {
      const auto byte = static_cast<const unsigned char *>(data)[i];
      digits += Digits[byte >> 4];
      digits += Digits[byte & 15];
    }
    return text(key, digits);
  }
  /// Adds a value that is JSON already.
  RecordLine &json(std::string_view key, std::string_view value) {
    add(key);
    Text += value;
    return *this;
  }
  std::string object() const { return Text + "}"; }

private:
  void add(std::string_view key) {
    Text += Text.size() > 1 ? "," : "";
    appendQuoted(key);
    Text += ':';
  }
  void appendQuoted(std::string_view value) {
    Text += '"';
    for (const char each : value) {
      if (each == '"' || each == '\\')
        Text += '\\';
      // A name has no control characters but by mistake.
      Text += static_cast<unsigned char>(each) < ' ' ? ' ' : each;
    }
    Text += '"';
  }

  std::string Text = "{";
};

/// The file that the variable KFUSE_COLLECT names. Several processes may write
/// to it: each line goes there at once.
class RecordFile {
public:
  RecordFile() {
    const char *path = std::getenv("KFUSE_COLLECT");
    if (path && *path)
      Descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  }
  bool isOpen() const { return Descriptor >= 0; }
  void write(const RecordLine &line) const {
    const std::string text = line.object() + "\n";
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t count =
          ::write(Descriptor, text.data() + done, text.size() - done);
      if (count < 0 && errno != EINTR)
        return;
      done += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
  }

private:
  int Descriptor = -1;
};

} // namespace kfuse

#endif
