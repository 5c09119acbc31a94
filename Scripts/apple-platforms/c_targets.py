"""Compiles the targets in C, links them for macOS, and compares what they expect of the system."""

import os
import sys

from platforms import BUILD, C_MODULES, HERE, PACKAGE, TOOLCHAIN, TRIPLES, Failure, Platform, run

SYMBOLS = HERE / "symbols.txt"

RUNTIME = """\
--- !tapi-tbd
tbd-version: 4
targets: [ arm64-macos, x86_64-macos ]
install-name: /usr/lib/swift/libswift_Concurrency.dylib
exports:
  - targets: [ arm64-macos, x86_64-macos ]
    symbols: [ {} ]
...
"""


def objects(platform, sources):
    """Compiles sources, and returns the objects."""
    folders = [part for folder in C_MODULES.values() for part in (folder / "include", folder)]
    includes = [part for folder in folders for part in ("-I", folder)]
    result = []
    for source in sources:
        name = "-".join(source.relative_to(PACKAGE).with_suffix(".o").parts)
        result.append(platform.folder / name)
        platform.clang("-c", source, *includes, "-o", result[-1])
    return result


def expected():
    """The symbols that the targets may expect of the system."""
    lines = SYMBOLS.read_text().splitlines()
    return {name for line in lines if not line.startswith("#") for name in line.split()}


def undefined(objects):
    """The symbols that objects expect of the system."""
    defined, undefined = set(), set()
    for line in run(TOOLCHAIN / "bin/llvm-nm", "-P", *objects).splitlines():
        # A line that names a file has no kind.
        name, kind, *_ = line.split() + ["", ""]
        if kind:
            (undefined if kind == "U" else defined).add(name.removesuffix("$INODE64"))
    return undefined - defined


def link(platform, objects):
    """Links objects with Zig, whose linker links for macOS, other than that of the toolchain."""
    runtime = platform.folder / "runtime.tbd"
    names = sorted(name for name in expected() if name.startswith("_swift_"))
    runtime.write_text(RUNTIME.format(", ".join(names)))
    architecture = platform.triple.split("-")[0].replace("arm64", "aarch64")
    os.environ["ZIG_GLOBAL_CACHE_DIR"] = os.environ["ZIG_LOCAL_CACHE_DIR"] = str(BUILD / "zig")
    run(sys.executable, "-m", "ziglang", "cc", "-target", f"{architecture}-macos.13.0", "-shared",
        "-o", platform.folder / "c.dylib", *objects, runtime)


def compare(symbols):
    if symbols != expected():
        raise Failure(
            f"error: the targets in C do not expect of the system what '{SYMBOLS.name}' lists; "
            f"new: {sorted(symbols - expected())}; gone: {sorted(expected() - symbols)}")


def check(platform):
    """Returns the number of files."""
    sources = [source for folder in C_MODULES.values() for source in sorted(folder.rglob("*.c"))]
    found = objects(platform, sources)
    if platform.name.startswith("macOS"):
        compare(undefined(found))
        link(platform, found)
    return len(sources)
