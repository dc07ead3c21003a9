//===- OpenClLaunchers.cpp - How hosts launch in OpenCL -------------------===//
#include "codegen/host/OpenClLaunchers.h"

#include "codegen/text/ParameterText.h"
#include "text/Layout.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

namespace kfuse {
namespace {

/// Writes a line as a string literal of its own.
std::string literal(std::string_view line) {
  std::string text = "\"";
  for (const char c : line) {
    const bool isTrigraph = c == '?' && text.back() == '?';
    if (c == '\r' || c == '\t') {
      text += c == '\r' ? "\\r" : "\\t";
      continue;
    }
    if (c == '"' || c == '\\' || isTrigraph)
      text += '\\';
    text += c;
  }
  return text + "\\n\"";
}

/// Returns the white space before the literal that ends at `end`. If that one
/// doesn't begin a line, returns the white space for a literal below it.
std::string literalIndent(const SourceText &host, std::uint32_t end) {
  std::size_t last = tokenAt(host, end);
  while (last > 0 && host.tokens[last - 1].begin >= end)
    --last;
  if (last == 0)
    return "    ";
  const std::uint32_t begin = host.tokens[last - 1].begin;
  const std::string indent = indentation(host, begin);
  const std::size_t line = host.text.rfind('\n', begin);
  const bool isFirst =
      line != std::string_view::npos && line + 1 + indent.size() == begin;
  return isFirst ? indent : indent + "    ";
}

struct LauncherParameter {
  std::string type, name;
  bool isLocal = false; ///< it is how many bytes of local memory there are
};

/// Returns the values that the kernel gets. Their types are those of the host's
/// own variables, so that nothing is converted.
std::vector<LauncherParameter> valuesOf(const Program &program,
                                        const HostGroup &group,
                                        const Names &names,
                                        std::set<std::string> &taken) {
  std::vector<LauncherParameter> values;
  for (std::size_t i = 0; i < group.code->arguments.size(); ++i) {
    const ParameterSource &source = group.code->arguments[i];
    const Launch &launch = program[group.launches[source.member]];
    const LaunchArgument &argument = launch.arguments[source.parameter];
    values.push_back({argument.type, names.inner(group.code->names[i], taken),
                      argument.isLocal});
  }
  return values;
}

} // namespace

namespace {

std::string launcherInC(const Program &program, const HostGroup &group,
                        const Names &names) {
  const FusedCode &code = *group.code;
  std::set<std::string> taken;
  const auto own = [&](const char *wanted) {
    return names.inner(wanted, taken);
  };
  const std::string queue = own("queue"), like = own("like");
  const std::string dimensions = own("dimensions");
  const std::string global = own("globalSize"), local = own("localSize");
  const std::string made = own("program"), error = own("error");
  const std::string kernel = own("kernel"), zeros = own("zeros");
  const std::vector<LauncherParameter> values =
      valuesOf(program, group, names, taken);
  std::vector<std::string> parameters = {
      "cl_command_queue " + queue, "cl_kernel " + like, "cl_uint " + dimensions,
      "const size_t *" + global, "const size_t *" + local};
  for (const LauncherParameter &value : values)
    parameters.push_back(value.type + " " + value.name);
  std::string text =
      "// kfuse: launches '" + code.name + "', of the program that has '" +
      like + "'.\n" +
      listed("static cl_int " + code.launcher + "(", parameters, ") {", "") +
      "\n";
  text += "  cl_program " + made + " = NULL;\n  clGetKernelInfo(" + like +
          ", CL_KERNEL_PROGRAM, sizeof(" + made + "), &" + made +
          ", NULL);\n  cl_int " + error + ";\n  cl_kernel " + kernel +
          " = clCreateKernel(" + made + ", \"" + code.name + "\", &" + error +
          ");\n  if (" + error + " != CL_SUCCESS)\n    return " + error + ";\n";
  std::uint32_t index = 0;
  const auto set = [&](const std::string &bytes, const std::string &pointer) {
    text += "  clSetKernelArg(" + kernel + ", " + std::to_string(index++) +
            ", " + bytes + ", " + pointer + ");\n";
  };
  for (const LauncherParameter &value : values)
    if (value.isLocal)
      set(value.name, "NULL");
    else
      set("sizeof(" + value.name + ")", "&" + value.name);
  if (code.zeroCount != 0) {
    text += "  const cl_uint " + zeros + "[" + std::to_string(code.zeroCount) +
            "] = {0};\n";
    set("sizeof(" + zeros + ")", zeros);
  }
  // Without an argument that could not be set this fails.
  text += listed("  " + error + " = clEnqueueNDRangeKernel(",
                 {queue, kernel, dimensions, "NULL", global, local, "0", "NULL",
                  "NULL"},
                 ");", "") +
          "\n";
  return text + "  clReleaseKernel(" + kernel + ");\n  return " + error +
         ";\n}\n";
}

/// Writes the launcher by C++'s classes, whose objects release what they hold.
std::string launcherByClasses(const Program &program, const HostGroup &group,
                              const Names &names) {
  const FusedCode &code = *group.code;
  std::set<std::string> taken;
  const auto own = [&](const char *wanted) {
    return names.inner(wanted, taken);
  };
  const std::string queue = own("queue"), made = own("program");
  const std::string global = own("global"), local = own("local");
  const std::string kernel = own("kernel"), zeros = own("zeros");
  const std::vector<LauncherParameter> values =
      valuesOf(program, group, names, taken);
  std::vector<std::string> parameters = {
      "const cl::CommandQueue &" + queue, "const cl::Program &" + made,
      "const cl::NDRange &" + global, "const cl::NDRange &" + local};
  for (const LauncherParameter &value : values)
    parameters.push_back(value.type == "cl::Buffer"
                             ? "const cl::Buffer &" + value.name
                             : value.type + " " + value.name);
  std::string text =
      "// kfuse: launches '" + code.name + "' of the program.\n" +
      listed("static cl_int " + code.launcher + "(", parameters, ") {", "") +
      "\n  cl::Kernel " + kernel + "(" + made + ", \"" + code.name + "\");\n";
  std::uint32_t index = 0;
  const auto set = [&](const std::string &value) {
    text += "  " + kernel + ".setArg(" + std::to_string(index++) + ", " +
            value + ");\n";
  };
  for (const LauncherParameter &value : values)
    set(value.name + (value.isLocal ? ", nullptr" : ""));
  if (code.zeroCount != 0) {
    text += "  cl_uint " + zeros + "[" + std::to_string(code.zeroCount) +
            "] = {0};\n";
    set("sizeof(" + zeros + "), " + zeros);
  }
  return text +
         listed("  return " + queue + ".enqueueNDRangeKernel(",
                {kernel, "cl::NullRange", global, local}, ");", "") +
         "\n}\n";
}

} // namespace

std::string launcherText(const Program &program, const HostGroup &group,
                         const Names &names) {
  return program[group.launches.front()].enqueue->byClasses
             ? launcherByClasses(program, group, names)
             : launcherInC(program, group, names);
}

std::string launcherCall(const Program &program, const HostGroup &group,
                         const HostText &text, const std::string &indent) {
  const LaunchId leaderId = group.kernel->launches[group.kernel->leader];
  const Launch &leader = program[leaderId];
  const LaunchId lastId = group.launches.back();
  const Launch &last = program[lastId];
  std::vector<std::string> items = {text(lastId, last.stream),
                                    text(lastId, last.enqueue->program)};
  if (!last.enqueue->byClasses)
    items.push_back(std::to_string(leader.enqueue->dimensions));
  items.push_back(text(leaderId, leader.grid.expression));
  items.push_back(text(leaderId, leader.block.expression));
  for (const ParameterSource source : group.code->arguments) {
    const LaunchId launch = group.launches[source.member];
    items.push_back(
        text(launch, program[launch].arguments[source.parameter].expression));
  }
  return listed(last.enqueue->before + group.code->launcher + "(", items,
                ")" + last.enqueue->after +
                    (last.enqueue->after.ends_with("}") ? "" : ";"),
                indent)
      .substr(indent.size());
}

std::string loadedText(const SourceFile &kernels, std::string_view added,
                       const LoadedNames &names) {
  std::string delimiter = "kfuse";
  while (added.find(")" + delimiter + "\"") != std::string_view::npos)
    delimiter += '_';
  // FNV-1a, of 64 bits.
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : kernels.text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  const std::string file =
      std::filesystem::path(kernels.path).filename().string();
  return "// kfuse: the fused kernels, of those in '" + file +
         "'.\nstatic const char " + names.kernels + "[] = R\"" + delimiter +
         "(" + std::string(added) + ")" + delimiter +
         "\";\n\n"
         "// kfuse: the text of '" +
         file +
         "' with the fused kernels behind it, as long as\n"
         "// it is what it was when they were made.\n"
         "static std::string " +
         names.function +
         "(const std::string &kernels) {\n"
         "  unsigned long long hash = 14695981039346656037ULL;\n"
         "  for (const char c : kernels)\n"
         "    hash = (hash ^ static_cast<unsigned char>(c)) * "
         "1099511628211ULL;\n"
         "  return kernels + (hash == " +
         std::to_string(hash) + "ULL\n                        ? " +
         names.kernels + "\n                        : \"\\n#error '" + file +
         "' has changed: fuse it again\\n\");\n}\n";
}

void addToKernels(const SourceText &host, const KernelString &kernels,
                  std::string_view text, Edits &edits) {
  if (kernels.isRaw) {
    const std::size_t end = host.text.rfind(')', kernels.end);
    edits.insert(static_cast<std::uint32_t>(end), std::string(text));
    return;
  }
  const std::string indent = literalIndent(host, kernels.end);
  std::string literals;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    literals += "\n" + indent + literal(text.substr(at, end - at));
    at = end + 1;
  }
  edits.insert(kernels.end, withLineEnds(host, literals));
}

} // namespace kfuse
