#!/usr/bin/env python3
"""Writes kfuse's declarations of the CUDA runtime and driver after a toolkit's.

Usage: runtime-declarations.py [TOOLKIT]          (/usr/local/cuda by default)

Clang parses the toolkit's cuda_runtime.h and cuda.h; what they declare is
written, without a parameter's name, into headers of frontend/headers/cuda.
Whatever older toolkits had stands in driver_types.h and cuda_runtime_api.h.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent / "frontend/headers"
TYPES = ("driver_types.h", "texture_types.h", "surface_types.h")
CALLS = ("cuda_runtime.h", "cuda_runtime_api.h")
# Members of cudaDeviceProp that toolkit 13 no longer has.
OLDER_PROPERTIES = [
    "int clockRate", "int deviceOverlap", "int kernelExecTimeoutEnabled",
    "int computeMode", "int maxTexture1DLinear", "int memoryClockRate",
    "int singleToDoublePrecisionPerfRatio", "int cooperativeMultiDeviceLaunch"]
# Defined where a header has to decide how.
OWN = {"cudaCreateChannelDesc", "cudaLaunchKernelEx", "cudaConfigureCall",
       "CUuuid_st"}


def parse(toolkit):
    """Returns the declarations of the toolkit's runtime, and their headers."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "runtime.cu")
        source.write_text("#include <cuda_runtime.h>\n#include <cuda.h>\n")
        tree = json.loads(subprocess.run(
            ["clang++-19", "-x", "cuda", "--cuda-host-only", "-nocudalib", "-w",
             f"--cuda-path={toolkit}", "-isystem", ROOT / "toolkit",
             "-fsyntax-only", "-Xclang", "-ast-dump=json", source],
            check=True, stdout=subprocess.PIPE).stdout)
    note_headers(tree, [""])
    return [(pathlib.Path(node["header"]).name, node)
            for node in tree["inner"] if "header" in node]


def note_headers(node, last):
    """Sets `header` in all nodes; Clang tells a file only where it changes."""
    for key in ("loc", "range"):
        place = node.get(key) or {}
        for part in [place] if key == "loc" else place.values():
            for each in (part.get("spellingLoc", part),
                         part.get("expansionLoc", part)):
                last[0] = each.get("file", last[0])
        if key == "loc":
            node["header"] = last[0]
    for child in node.get("inner", []):
        note_headers(child, last)


def plain(text):
    """Returns a type without what C++ doesn't need."""
    text = re.sub(r"\b(enum|struct|union) ", "", text)
    return text.replace("unsigned int", "unsigned").replace(" *", "*")


def value_of(node):
    """Returns the value of the first constant in `node`."""
    for child in node.get("inner", []):
        if child["kind"] == "ConstantExpr":
            return int(child["value"])
        if (inner := value_of(child)) is not None:
            return inner
    return None


def enumeration(node):
    parts, last = [], -1
    for child in node.get("inner", []):
        if child["kind"] == "EnumConstantDecl":
            value = value_of(child)
            value = last + 1 if value is None else value
            parts.append(child["name"] +
                         ("" if value == last + 1 else f" = {value}"))
            last = value
    name = f" {node['name']}" if "name" in node else ""
    return f"enum{name} {{ {', '.join(parts)} }};"


def member(kind, name):
    kind = plain(kind)
    if call := re.match(r"(.*)\(\*\)(.*)$", kind):
        return f"{call[1]}(*{name}){call[2]};"
    if array := re.match(r"(.*?)((?:\[\d+\])+)$", kind):
        return f"{array[1]} {name}{array[2]};"
    return f"{kind} {name};"


def record(node):
    """Returns a struct or union with its members."""
    members, nameless = [], []
    for child in node.get("inner", []):
        if child["kind"] == "CXXRecordDecl" and not child.get("isImplicit"):
            if "name" in child:
                members.append(record(child) + ";")
            else:
                nameless.append(record(child))
        elif child["kind"] == "FieldDecl":
            kind, name = child["type"]["qualType"], child.get("name", "")
            isNameless = "unnamed" in kind or "anonymous" in kind
            members.append(f"{nameless.pop(0)} {name};" if isNameless
                           else member(kind, name))
    if node.get("name") == "cudaDeviceProp":
        members += [f"{each};" for each in OLDER_PROPERTIES
                    if f"{each};" not in members]
    name = f" {node['name']}" if "name" in node else ""
    return f"{node['tagUsed']}{name} {{ {' '.join(members)} }}"


def alias(node):
    kind, name = node["type"]["qualType"], node["name"]
    if plain(kind) == name:
        return None
    # A handle's structure may be named here for the first time.
    return f"using {name} = {kind if kind.endswith('*') else plain(kind)};"


def default_of(parameter):
    for child in parameter.get("inner", []):
        if child["kind"] == "IntegerLiteral":
            return child["value"]
        if child["kind"] == "DeclRefExpr":
            return child["referencedDecl"]["name"]
        if found := default_of(child):
            return found
    return "0"


def function(node, onDevice, template=""):
    """Returns a function, or the template that `template` opens."""
    parameters = []
    for child in node.get("inner", []):
        if child["kind"] == "ParmVarDecl":
            text = plain(child["type"]["qualType"])
            parameters.append(
                text + (f" = {default_of(child)}" if "init" in child else ""))
    result = plain(node["type"]["qualType"].split("(")[0]).strip()
    isOnDevice = node["name"] in onDevice
    return (f"{template}{'__host__ __device__ ' if isOnDevice else ''}"
            f"{result} {node['name']}({', '.join(parameters)});")


def template(node, onDevice):
    """Returns a function template; empty for one of parameter packs."""
    names = [f"typename {child['name']}" for child in node["inner"]
             if child["kind"] == "TemplateTypeParmDecl"
             and not child.get("isParameterPack")]
    call = next(child for child in node["inner"]
                if child["kind"] == "FunctionDecl")
    text = function(call, onDevice, f"template <{', '.join(names)}> ")
    return "" if "..." in text else text


def device_functions(toolkit):
    """Returns the names of the runtime's functions that kernels may call."""
    header = pathlib.Path(toolkit, "include/cuda_device_runtime_api.h")
    return set(re.findall(r"CUDARTAPI (cuda\w+?)(?:_ptsz)?\(",
                          header.read_text()))


def macros(toolkit, headers, prefix):
    """Returns the flags that headers of the toolkit define as macros."""
    flag = re.compile(rf"#define +({prefix}\w+) +((?:\(\(\w+\))?-?\w+\)?)\s")
    flags = {}
    for header in headers:
        for line in pathlib.Path(toolkit, "include", header).open():
            # Which stream is the default one doesn't matter here.
            line = re.sub(r"__CUDA_API_\w+\((\w+_v\d+)\)", r"\1", line)
            if (found := flag.match(line)) and "API" not in found[2]:
                flags.setdefault(found[1], found[2])
    return [f"#define {name} {value}" for name, value in flags.items()]


def driver(nodes):
    """Returns the driver's declarations, types before functions."""
    types, calls = [], []
    for node in nodes:
        kind = node["kind"]
        if node.get("name") in OWN:
            continue
        if kind == "LinkageSpecDecl":
            innerTypes, innerCalls = driver(node["inner"])
            types, calls = types + innerTypes, calls + innerCalls
        elif kind == "EnumDecl":
            types.append(enumeration(node))
        elif kind == "CXXRecordDecl":
            types.append(record(node) + ";" if "completeDefinition" in node
                         else f"{node['tagUsed']} {node['name']};")
        elif kind == "TypedefDecl" and (text := alias(node)):
            types.append(text)
        elif kind == "TypedefDecl" and types and " {" in types[-1]:
            # It names the type before it: `typedef enum {} CUname;`.
            types[-1] = re.sub(r"^(\w+) {", rf"\1 {node['name']} {{", types[-1])
        elif kind == "FunctionDecl":
            calls.append(function(node, ()))
    return types, calls


def write(name, what, lines, isPacked=False):
    """Writes one of the headers, `lines` filled up to 80 columns, with more than
    one declaration a line if `isPacked`."""
    if isPacked:
        lines = [line for line in lines if line.startswith("#")] + [
            " ".join(line for line in lines if not line.startswith("#"))]
    text = [f"// {what}", "// Written by scripts/runtime-declarations.py.",
            "// clang-format off", "#pragma once", "#pragma GCC system_header"]
    for line in lines:
        text += [line] if line.startswith("#") else textwrap.wrap(
            line, 80, subsequent_indent="  ", break_long_words=False,
            break_on_hyphens=False)
    (ROOT / "cuda" / name).write_text("\n".join(text) + "\n")


def main():
    toolkit = sys.argv[1] if len(sys.argv) > 1 else "/usr/local/cuda"
    onDevice = device_functions(toolkit)
    enums, types, calls, templates, library = [], [], [], [], []
    nodes = parse(toolkit)
    for header, node in nodes:
        kind = node["kind"]
        if header in TYPES and kind == "EnumDecl":
            enums.append(enumeration(node))
        elif header in TYPES and kind == "CXXRecordDecl":
            types.append(record(node) + ";" if "completeDefinition" in node
                         else f"{node['tagUsed']} {node['name']};")
        elif header in TYPES and kind == "TypedefDecl":
            types.append(alias(node))
        elif header == "library_types.h" and kind == "EnumDecl":
            library.append(enumeration(node))
        elif header == "library_types.h" and kind == "TypedefDecl":
            library.append(alias(node))
        elif header == "cuda_runtime_api.h" and kind == "LinkageSpecDecl":
            calls += [function(child, onDevice) for child in node["inner"]
                      if child["kind"] == "FunctionDecl"
                      and child["name"] not in OWN]
            types += [alias(child) for child in node["inner"]
                      if child["kind"] == "TypedefDecl"]
        elif header == "cuda_runtime.h" and node.get("name") not in OWN:
            if kind == "FunctionDecl":
                templates.append(function(node, onDevice))
            elif kind == "FunctionTemplateDecl":
                templates.append(template(node, onDevice))
    write("runtime_enums.h", "Flags and enumerations of the runtime API.",
          macros(toolkit, (*TYPES, "cuda_runtime_api.h"), "cuda") + enums)
    write("runtime_records.h", "Structures and handles of the runtime API.",
          ['#include "runtime_enums.h"', '#include "vector_types.h"',
           "#include <stddef.h>", "struct CUuuid_st { char bytes[16]; };"] +
          list(dict.fromkeys(filter(None, types))))
    write("runtime_functions.h", "Functions of the runtime API.",
          ['#include "driver_types.h"', 'extern "C" {'] + sorted(set(calls)) +
          ["}"])
    write("runtime_templates.h", "Declares the parts of the runtime API that only C++ has.",
          ['#include "driver_types.h"'] +
          sorted(set(filter(None, templates))))
    # The guard keeps out a toolkit's own, which its headers find beside them.
    write("library_types.h", "Types that CUDA's libraries have in common.",
          ["#define __LIBRARY_TYPES_H__"] + list(filter(None, library)))
    driverTypes, driverCalls = driver(
        [node for header, node in nodes if header == "cuda.h"])
    isEnum = lambda text: text.startswith("enum ")
    isLong = lambda text: text.startswith(("enum cudaError_enum",
                                           "enum CUdevice_attribute_enum"))
    write("driver_api_results.h", "Results of the driver API, and what it tells of devices.",
          [text for text in driverTypes if isLong(text)], isPacked=True)
    write("driver_api_enums.h", "Flags and enumerations of the driver API.",
          ['#include "driver_api_results.h"'] +
          macros(toolkit, ("cuda.h",), "CU_|cu") +
          [text for text in driverTypes if isEnum(text) and not isLong(text)],
          isPacked=True)
    write("driver_api_records.h", "Structures and handles of the driver API.",
          ['#include "driver_api_enums.h"', '#include "driver_types.h"'] +
          [text for text in dict.fromkeys(driverTypes) if not isEnum(text)],
          isPacked=True)
    write("driver_api_functions.h", "Functions of the driver API.",
          ['#include "driver_api_records.h"', 'extern "C" {'] +
          sorted(set(driverCalls)) + ["}"], isPacked=True)


main()
