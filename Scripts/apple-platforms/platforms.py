"""The platforms, and how the compiler of this machine is called for them."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
PACKAGE = HERE.parent.parent
BUILD = PACKAGE / ".build/apple"
CHECKOUTS = BUILD / "packages/checkouts"
TOOLCHAIN = Path(shutil.which("swift-frontend")).resolve().parent.parent

# The oldest versions that the package supports.
TRIPLES = {
    "macOS": "arm64-apple-macosx13.0",
    "iOS": "arm64-apple-ios16.0",
    "macOS-x86_64": "x86_64-apple-macosx13.0",
    "tvOS": "arm64-apple-tvos16.0",
    "watchOS": "arm64-apple-watchos9.0",
    "visionOS": "arm64-apple-xros1.0",
}

C_MODULES = {
    "CSimulation": PACKAGE / "Sources/CSimulation",
    "CVirtualTime": PACKAGE / "Sources/CVirtualTime",
    "CReach": PACKAGE / "Sources/CReach",
    "CEventFiles": PACKAGE / "Tests/CEventFiles",
}

# Which version of visionOS has what a version of iOS has.
VISION_VERSIONS = {
    "17.0": "1.0", "17.2": "1.1", "17.5": "1.2", "18.0": "2.0", "18.4": "2.4", "26.0": "26.0",
}


class Failure(Exception):
    """A command has failed; the text is what it has said."""


def run(*command):
    """Runs a command, and returns what it has said."""
    result = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, cwd=PACKAGE)
    output = result.stdout + result.stderr
    if result.returncode < 0:
        output += f"{command[0]} was ended by signal {-result.returncode}.\n"
    if result.returncode:
        raise Failure(output)
    return output


class Platform:
    """A platform, with the folder that looks like its SDK and the modules built for it."""

    def __init__(self, name):
        self.name = name
        self.triple = TRIPLES[name]
        self.folder = BUILD / self.triple
        self.sdk = self.folder / "sdk"
        self.modules = self.folder / "modules"

    def prepare(self):
        """Lays out the folder anew: the headers of Zig, and module maps for the targets in C."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.modules.mkdir(parents=True)
        import ziglang
        headers = Path(ziglang.__file__).parent / "lib/libc/include/any-darwin-any"
        shutil.copytree(headers, self.sdk / "usr/include")
        shutil.copytree(HERE / "stubs/include", self.sdk / "usr/include", dirs_exist_ok=True)
        versions = {"iOS_visionOS": VISION_VERSIONS, "iOS_xrOS": VISION_VERSIONS}
        (self.sdk / "SDKSettings.json").write_text(json.dumps(
            {"Version": "26.0", "MaximumDeploymentTarget": "26.99", "VersionMap": versions}))
        for name, folder in C_MODULES.items():
            self.map_of(name).parent.mkdir()
            self.map_of(name).write_text(
                f'module {name} {{ umbrella "{folder}/include" export * }}\n')

    def map_of(self, c_module):
        return self.folder / c_module / "module.modulemap"

    def frontend(self, *arguments):
        """Runs the compiler."""
        plugins = TOOLCHAIN / "lib/swift/host/plugins"
        maps = []
        for name in C_MODULES:
            maps += ["-Xcc", f"-fmodule-map-file={self.map_of(name)}"]
            maps += ["-Xcc", f"-I{C_MODULES[name]}/include"]
        # Without interoperability, because the standard library of Linux has been built without it.
        return run(
            "swift-frontend", *arguments, "-target", self.triple, "-sdk", self.sdk,
            "-I", self.modules, "-I", TOOLCHAIN / "lib/swift/shims", "-disable-objc-interop",
            "-module-cache-path", self.folder / "cache", "-plugin-path", plugins,
            "-plugin-path", plugins / "testing", *maps)

    def clang(self, *arguments):
        """Runs the compiler of C."""
        return run(
            TOOLCHAIN / "bin/clang", "-target", self.triple, "-isysroot", self.sdk, "-Wall",
            "-Wunguarded-availability", "-Werror", "-fblocks", "-O2", *arguments)

    def output_of(self, module):
        return self.modules / f"{module}.swiftmodule"

    # MARK: What Apple's SDK has

    def interface(self, module, *flags, kind="private."):
        """Builds a module of the toolchain from its textual interface for Linux."""
        path = TOOLCHAIN / "lib/swift/linux" / f"{module}.swiftmodule"
        path /= f"{os.uname().machine}-unknown-linux-gnu.{kind}swiftinterface"
        text = self.folder / f"{module}.swiftinterface"
        text.write_text(retargeted(path.read_text(), self.triple))
        self.frontend(
            "-compile-module-from-interface", text, "-disable-availability-checking",
            "-module-name", module, "-o", self.output_of(module), *flags)

    def stub(self, module):
        """Builds a module from the declarations in the folder `stubs`."""
        self.frontend(
            "-emit-module", *sorted((HERE / "stubs" / module).glob("*.swift")),
            "-module-name", module, "-parse-as-library", "-enable-library-evolution",
            "-swift-version", "5", "-o", self.output_of(module))

    def dependency(self, module, folder, mode="6"):
        """Builds a module of another package; the bodies of its functions are not checked."""
        self.frontend(
            "-emit-module", *sorted((CHECKOUTS / folder).rglob("*.swift")),
            "-module-name", module, "-parse-as-library", "-package-name", "dependency",
            "-experimental-skip-non-inlinable-function-bodies", "-disable-availability-checking",
            "-swift-version", mode, "-o", self.output_of(module))


def retargeted(text, triple):
    """The text of an interface, with another target.

    The interfaces of Linux keep all their `@available(macOS ...)`. Changed are the target in the flags,
    the C library, and declarations that are printed without what an Apple target asks of them.
    """
    text = re.sub(r"-target \S+-unknown-linux-gnu", f"-target {triple}", text)
    # Optimised, the module `Swift` takes a third longer.
    text = text.replace(" -O ", " -Onone ", 1)
    text = re.sub(r"^((?:public )?import) Glibc$", r"\1 Darwin", text, flags=re.M)
    # Such functions are printed without the bodies that an Apple target asks for. Without the attribute,
    # they are still available since the version of their `@available`.
    text = re.sub(r"@backDeployed\(before: [^)]*\)", "", text)
    # What `Mutex` is made of on Linux.
    text = text.replace("_swift_stdlib_gettid()", "Swift.UInt32(0)")
    if not triple.startswith("x86_64"):
        # The shims have no `Float80` elsewhere.
        text = text.replace("_stdlib_remainderl(self, other)", "other")
        text = text.replace("_stdlib_squareRootl(self)", "+self")
    return text
