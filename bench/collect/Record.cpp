//===- Record.cpp - What a program's launches were ------------------------===//

#include "bench/collect/Record.h"

#include "system/Input.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <tuple>

#include <cxxabi.h>

namespace kfuse {
namespace {

using Json = nlohmann::json;
using Records = std::vector<LaunchRecord>;

constexpr std::pair<const char *, RecordKind> RecordKinds[] = {
    {"kernel", RecordKind::Kernel}, {"copy", RecordKind::Copy},
    {"fill", RecordKind::Fill},     {"read", RecordKind::Read},
    {"write", RecordKind::Write},   {"map", RecordKind::Map},
    {"unmap", RecordKind::Map},
};

/// Returns a name as C++ writes it; names that aren't mangled stay.
std::string demangled(const std::string &name) {
  if (!name.starts_with("_Z"))
    return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : name;
}

/// Returns the bytes that hexadecimal digits stand for.
std::string bytesOfDigits(const std::string &digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

RecordedArgument argumentOf(const Json &object) {
  RecordedArgument argument;
  argument.index = object.at("index").get<std::uint32_t>();
  argument.name = object.value("name", "");
  argument.type = object.value("type", "");
  argument.bytes = object.value("bytes", std::uint64_t{0});
  if (object.contains("array"))
    argument.arrayBytes = object["array"].get<std::uint64_t>();
  if (object.contains("local"))
    argument.localBytes = object["local"].get<std::uint64_t>();
  argument.raw = bytesOfDigits(object.value("raw", ""));
  return argument;
}

std::array<std::uint64_t, 3> extentsIn(const Json &object, const char *key) {
  return object.at(key).get<std::array<std::uint64_t, 3>>();
}

void readLaunch(const Json &object, LaunchRecord &record) {
  record.function = demangled(object.at("name").get<std::string>());
  record.name = baseName(record.function);
  record.sharedBytes = object.value("shared", std::uint64_t{0});
  if (object.contains("grid")) { // CUDA
    record.block = extentsIn(object, "block");
    record.threads = extentsIn(object, "grid");
    for (std::size_t axis = 0; axis < record.threads.size(); ++axis)
      record.threads[axis] *= (*record.block)[axis];
  } else {
    record.threads = extentsIn(object, "global");
    record.offset = extentsIn(object, "offset");
    if (object.contains("local"))
      record.block = extentsIn(object, "local");
  }
  const std::vector<std::string> types = parameterTypes(record.function);
  for (const Json &each : object.value("arguments", Json::array())) {
    RecordedArgument argument = argumentOf(each);
    if (argument.type.empty() && argument.index < types.size())
      argument.type = types[argument.index];
    argument.value = scalarValue(argument.type, argument.raw);
    record.arguments.push_back(std::move(argument));
  }
}

/// A device of a process, as both number it.
using DeviceKey = std::tuple<Interface, std::int64_t, std::uint32_t>;
struct DeviceText {
  std::string name, driver;
};

/// Reads a line; returns nullopt for one that is no command. Throws what the
/// JSON library does.
std::optional<LaunchRecord> recordOf(const Json &object,
                                     std::map<DeviceKey, DeviceText> &devices) {
  const auto kind = object.at("kind").get<std::string>();
  if (kind == "problem")
    return std::nullopt;
  LaunchRecord record;
  record.interface =
      object.at("interface") == "cuda" ? Interface::Cuda : Interface::OpenCl;
  record.process = object.at("process").get<std::int64_t>();
  record.device = object.at("device").get<std::uint32_t>();
  const DeviceKey device = {record.interface, record.process, record.device};
  if (kind == "device") {
    devices[device] = {object.value("name", ""), object.value("driver", "")};
    return std::nullopt;
  }
  const auto *known =
      std::find_if(std::begin(RecordKinds), std::end(RecordKinds),
                   [&](const auto &each) { return kind == each.first; });
  if (known == std::end(RecordKinds))
    throw Json::other_error::create(501, "unknown kind", nullptr);
  record.kind = known->second;
  record.deviceName = devices[device].name;
  record.driver = devices[device].driver;
  record.ordinal = object.at("ordinal").get<std::uint64_t>();
  record.stream = object.at("stream").get<std::uint32_t>();
  record.bytes = object.value("bytes", std::uint64_t{0});
  if (object.contains("begin") && object.contains("end")) {
    record.begin = object["begin"].get<std::uint64_t>();
    record.end = std::max(*record.begin, object["end"].get<std::uint64_t>());
  }
  if (record.kind == RecordKind::Kernel)
    readLaunch(object, record);
  return record;
}

/// Sorts by processes as they come, and in each by the host's order.
void sortRecords(Records &records) {
  std::map<std::pair<std::int64_t, Interface>, std::size_t> places;
  for (const LaunchRecord &record : records)
    places.try_emplace({record.process, record.interface}, places.size());
  const auto key = [&](const LaunchRecord &record) {
    return std::tuple(places[{record.process, record.interface}],
                      record.ordinal, record.begin.value_or(0),
                      record.end.value_or(0));
  };
  std::sort(records.begin(), records.end(),
            [&](const LaunchRecord &lhs, const LaunchRecord &rhs) {
              return key(lhs) < key(rhs);
            });
}

/// Returns where `text` has its last closing bracket's partner, from `end` on
/// backwards; npos if there is none.
std::size_t partnerOf(const std::string &text, std::size_t end, char open,
                      char close) {
  int depth = 0;
  for (std::size_t at = end + 1; at-- > 0;) {
    depth += text[at] == close ? 1 : 0;
    depth -= text[at] == open ? 1 : 0;
    if (depth == 0)
      return at;
  }
  return std::string::npos;
}

/// Returns where the list of parameters begins; npos if the text has none.
std::size_t parametersIn(const std::string &function) {
  const std::size_t end = function.rfind(')');
  // A name in `(anonymous namespace)` isn't followed by parameters.
  if (end == std::string::npos || function.find("::", end) != std::string::npos)
    return std::string::npos;
  return partnerOf(function, end, '(', ')');
}

template <typename Number> double numberIn(const std::string &raw) {
  Number number{};
  std::memcpy(&number, raw.data(), sizeof(number));
  return static_cast<double>(number);
}

} // namespace

std::variant<Records, std::string> parseRecords(const std::string &text) {
  Records records;
  std::map<DeviceKey, DeviceText> devices;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos)
      break; // written in part
    ++number;
    try {
      const Json object = Json::parse(text.begin() + static_cast<long>(at),
                                      text.begin() + static_cast<long>(end));
      if (auto record = recordOf(object, devices))
        records.push_back(*std::move(record));
    } catch (const std::exception &) {
      return "line " + std::to_string(number) + " is no record of a launch";
    }
    at = end + 1;
  }
  sortRecords(records);
  return records;
}

std::variant<Records, std::string> readRecords(const std::string &path) {
  const std::optional<std::string> text = readInput(path);
  if (!text)
    return "cannot read '" + path + "'";
  auto records = parseRecords(*text);
  if (auto *error = std::get_if<std::string>(&records))
    *error = "'" + path + "': " + *error;
  return records;
}

std::vector<std::string> readProblems(const std::string &path) {
  std::vector<std::string> problems;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const Json object = Json::parse(line, nullptr, false);
    if (object.is_object() && object.value("kind", Json()) == "problem" &&
        object.value("text", Json()).is_string())
      problems.push_back(object["text"].get<std::string>());
  }
  return problems;
}

std::string baseName(const std::string &function) {
  std::string name = function.substr(0, parametersIn(function));
  if (name.ends_with('>'))
    if (const std::size_t at = partnerOf(name, name.size() - 1, '<', '>');
        at != std::string::npos)
      name.resize(at);
  const std::size_t before = name.find_last_of(": ");
  return before == std::string::npos ? name : name.substr(before + 1);
}

std::vector<std::string> parameterTypes(const std::string &function) {
  std::vector<std::string> types;
  const std::size_t begin = parametersIn(function);
  if (begin == std::string::npos)
    return types;
  const std::size_t end = function.rfind(')');
  int depth = 0;
  std::string type;
  for (std::size_t at = begin + 1; at < end; ++at) {
    const char each = function[at];
    depth += each == '<' || each == '(' ? 1 : 0;
    depth -= each == '>' || each == ')' ? 1 : 0;
    if (each == ',' && depth == 0)
      types.push_back(std::exchange(type, {}));
    else if (each != ' ' || !type.empty())
      type += each;
  }
  if (!type.empty())
    types.push_back(type);
  return types;
}

std::optional<double> scalarValue(const std::string &type,
                                  const std::string &raw) {
  using Reader = double (*)(const std::string &);
  struct ScalarType {
    const char *name;
    std::size_t bytes;
    Reader read;
  };
  static constexpr ScalarType Types[] = {
      {"bool", 1, numberIn<std::uint8_t>},
      {"char", 1, numberIn<std::int8_t>},
      {"signed char", 1, numberIn<std::int8_t>},
      {"uchar", 1, numberIn<std::uint8_t>},
      {"unsigned char", 1, numberIn<std::uint8_t>},
      {"short", 2, numberIn<std::int16_t>},
      {"ushort", 2, numberIn<std::uint16_t>},
      {"unsigned short", 2, numberIn<std::uint16_t>},
      {"int", 4, numberIn<std::int32_t>},
      {"uint", 4, numberIn<std::uint32_t>},
      {"unsigned int", 4, numberIn<std::uint32_t>},
      {"long", 8, numberIn<std::int64_t>},
      {"long long", 8, numberIn<std::int64_t>},
      {"ulong", 8, numberIn<std::uint64_t>},
      {"unsigned long", 8, numberIn<std::uint64_t>},
      {"unsigned long long", 8, numberIn<std::uint64_t>},
      {"float", 4, numberIn<float>},
      {"double", 8, numberIn<double>},
  };
  for (const ScalarType &each : Types)
    if (type == each.name && raw.size() == each.bytes)
      return each.read(raw);
  return std::nullopt;
}

} // namespace kfuse
