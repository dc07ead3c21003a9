#!/usr/bin/env python3
"""How kfuse's time and memory grow with the size of a program.

Usage: scale.py KFUSE [--limit=SECONDS] [KIND[:SIZE...]...]
       scale.py --print [--elements=COUNT] KIND:SIZE

Writes programs of one kind in several sizes, runs kfuse on each and prints a
table: seconds of the processor, peak memory, and the power of the size by which
the time grew since the last size. What takes longer than the limit is stopped.
With --print it only prints one program.
"""
import argparse
import math
import os
import resource
import signal
import subprocess
import tempfile

HEAD = """\
__global__ void scale(const float *in, float *out, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * by;
}
__global__ void shift(const float *in, float *out, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] + by;
}
"""


def allocations(names):
    return "".join(f"  float *{name};\n  cudaMalloc(&{name}, n * sizeof(float));\n"
                   for name in names)


def releases(names):
    return "".join(f"  cudaFree({name});\n" for name in names)


def launch(kernel, source, target, by):
    return f"  {kernel}<<<n / 256, 256>>>({source}, {target}, {by}.5f, n);\n"


def in_main(arrays, body, head=HEAD):
    return (f"{head}int main(int argc, char **argv) {{\n"
            f"  const int n = ELEMENTS;\n{allocations(arrays)}{body}"
            f"{releases(arrays)}  return 0;\n}}\n")


def launches(count):
    """Launches one after the other that share four arrays: all can fuse."""
    arrays = ["north", "east", "south", "west"]
    return in_main(arrays, "".join(
        launch("scale" if k % 2 else "shift", arrays[k * 3 % 4],
               arrays[(k * 5 + 1) % 4], k) for k in range(count)))


def chain(count):
    """Each launch reads what the one before it wrote in an array of its own."""
    arrays = [f"stage{k}" for k in range(count + 1)]
    return in_main(arrays, "".join(
        launch("scale" if k % 2 else "shift", arrays[k], arrays[k + 1], k)
        for k in range(count)))


def fan(count):
    """Launches that read one array and write one of eight each."""
    arrays = ["source"] + [f"target{k}" for k in range(8)]
    return in_main(arrays, "".join(
        launch("scale", "source", f"target{k % 8}", k) for k in range(count)))


def stencils(count):
    """Launches that read neighbours, so that few can fuse."""
    head = HEAD + """\
__global__ void blur(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    out[i] = in[i - 1] + in[i + 1];
}
"""
    arrays = ["one", "two", "three"]
    body = ""
    for k in range(count):
        source, target = arrays[k % 3], arrays[(k + 1) % 3]
        body += (f"  blur<<<n / 256, 256>>>({source}, {target}, n);\n" if k % 2
                 else launch("scale", source, target, k))
    return in_main(arrays, body, head)


def arrays(count):
    """Arrays, of which every fiftieth is used by a launch."""
    names = [f"array{k}" for k in range(count)]
    return in_main(names, "".join(
        launch("scale", names[k], names[k + 1], k)
        for k in range(0, count - 1, 50)))


def pointers(count):
    """Three launches of a kernel with so many pointers."""
    names = [f"field{k}" for k in range(count)]
    parameters = ", ".join(f"float *{name}" for name in names)
    body = "".join(f"    {name}[i] = {names[k - 1]}[i] + {k};\n"
                   for k, name in enumerate(names))
    head = (f"__global__ void all({parameters}, int n) {{\n"
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            f"  if (i < n) {{\n{body}  }}\n}}\n")
    call = f"  all<<<n / 256, 256>>>({', '.join(names)}, n);\n"
    return in_main(names, 3 * call, head)


def wrappers(depth):
    """Functions of which each calls the next one twice."""
    head = HEAD
    for k in range(depth):
        inner = f"  level{k - 1}(b, a, n);\n" if k else ""
        head += (f"void level{k}(float *a, float *b, int n) {{\n"
                 f"{inner}{launch('scale', 'a', 'b', k)}{inner}}}\n")
    return in_main(["a", "b"], f"  level{depth - 1}(a, b, n);\n", head)


def nests(depth):
    """Branches within branches, with a launch in each."""
    body = "".join(f"  if (argc > {k}) {{\n{launch('scale', 'a', 'b', k)}"
                   for k in range(depth))
    return in_main(["a", "b"], body + "  }\n" * depth)


def expressions(terms):
    """A launch whose argument is a long sum of the host's."""
    body = "  int count = argc" + "".join(
        f" + {k % 7}" for k in range(terms)) + ";\n"
    return in_main(["a", "b", "c"], body + (
        "  scale<<<n / 256, 256>>>(a, b, count, n);\n"
        "  scale<<<n / 256, 256>>>(b, c, count, n);\n"))


KINDS = {
    launches: [100, 200, 400, 1000, 3000],
    chain: [100, 300, 1000, 3000],
    fan: [100, 300, 1000, 3000],
    stencils: [100, 300, 1000, 3000],
    arrays: [100, 1000, 3000, 10000],
    pointers: [30, 100, 300, 1000],
    wrappers: [3, 5, 7, 12, 30],
    nests: [30, 100, 250],
    expressions: [1000, 8000, 30000, 100000],
}


def text(kind, size, elements):
    return kind(size).replace("ELEMENTS", str(elements))


def measure(kfuse, path, limit):
    """The exit code, seconds of the processor and MiB of a run."""
    process = subprocess.Popen(
        [kfuse, "--quiet", path, "-o", os.devnull],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU,
                                              (limit, limit)))
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return (process.returncode, usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss / 1024)


def table(kfuse, kind, sizes, limit, folder):
    last = None
    for size in sizes:
        path = os.path.join(folder, f"{kind.__name__}-{size}.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text(kind, size, 1 << 20))
        code, seconds, memory = measure(kfuse, path, limit)
        name = f"{kind.__name__} {size}"
        if code != 0:
            end = ("stopped" if code in (-signal.SIGXCPU, -signal.SIGKILL)
                   else f"exit code {code}")
            print(f"| {name} | {end} after {seconds:.0f} s | {memory:.0f} | |",
                  flush=True)
            break
        power = ""
        if last:
            power = f"{math.log(seconds / last[1]) / math.log(size / last[0]):.1f}"
        print(f"| {name} | {seconds:.2f} | {memory:.0f} | {power} |",
              flush=True)
        last = size, seconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("arguments", nargs="+")
    parser.add_argument("--limit", type=int, default=900)
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--elements", type=int, default=1 << 20)
    options = parser.parse_intermixed_args()
    kinds = options.arguments if options.print else options.arguments[1:]
    byName = {kind.__name__: kind for kind in KINDS}
    wanted = []
    for each in kinds or byName:
        name, *sizes = each.split(":")
        if name not in byName:
            parser.error(f"there is no kind '{name}'")
        kind = byName[name]
        wanted.append((kind, [int(size) for size in sizes] or KINDS[kind]))
    if options.print:
        for kind, sizes in wanted:
            print(text(kind, sizes[0], options.elements), end="")
        return
    with tempfile.TemporaryDirectory() as folder:
        print("| program | seconds | MiB | grows with the power |\n"
              "|---|---|---|---|")
        for kind, sizes in wanted:
            table(options.arguments[0], kind, sizes, options.limit, folder)


if __name__ == "__main__":
    main()
