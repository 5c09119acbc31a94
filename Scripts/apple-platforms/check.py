"""Type-checks the package for Apple platforms, without an SDK of Apple. Run by `Scripts/apple`."""

import hashlib
import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import ziglang

import c_targets
import controls
from platforms import HERE, PACKAGE, TRIPLES, Failure, Platform, run

PRODUCTS = [
    "_EscapementCore", "EscapementClocks", "Escapement", "EscapementFoundation",
    "EscapementSimulation", "EscapementVirtualTime", "_EscapementDates", "EscapementTesting", "EscapementNetwork",
    "EscapementModels", "EscapementDoubles", "EscapementMockHTTP", "EscapementMockServer",
]
TEST_TARGETS = {
    "TestSupport": "TestSupport",
    "StandardDeadlineWithBody": "StandardDeadlines/WithBody",
    "StandardDeadlineWithOperation": "StandardDeadlines/WithOperation",
}
# Not the tests in real time and the snippets, which show what is virtual on Linux.
TESTS = [
    "_EscapementCoreTests", "EscapementClocksTests", "EscapementTests", "EscapementFoundationTests",
    "EscapementSimulationTests", "EscapementVirtualTimeTests", "EscapementTestingTests", "EscapementNetworkTests",
    "EscapementModelsTests", "EscapementDoublesTests", "EscapementMockHTTPTests", "EscapementMockServerTests",
    "XCTestIntegrationTests",
]
LANGUAGE_MODES = {"Swift5": "5", "Swift6": "6", "Swift5Nonsending": "5", "Swift6Nonsending": "6"}
# Each time; the others have what iOS has.
OFTEN = ["macOS", "iOS", "watchOS", "macOS-x86_64"]
TRAITS = ["ServiceLifecycle", "Logging", "Metrics", "Tracing", "MockServer"]
# Tests may use what only the newest systems have; they run there, with the same flag.
ANY_VERSION = "-disable-availability-checking"

NONSENDING = ["-enable-upcoming-feature", "NonisolatedNonsendingByDefault"]
FEATURES = NONSENDING + [
    part for feature in ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault"]
    for part in ["-enable-upcoming-feature", feature]
]


def build_base(platform):
    """Builds what the package imports, unless it has been built from the same sources."""
    pins = run("git", "hash-object", "Package.resolved", "Package.swift")
    state = hashlib.sha256((pins + run("swift-frontend", "-version") + ziglang.__file__).encode())
    for path in sorted([*HERE.glob("*.py"), *(HERE / "stubs").rglob("*.*")]):
        if path.is_file():
            state.update(path.read_bytes())
    stamp = platform.folder / "stamp"
    if stamp.exists() and stamp.read_text() == state.hexdigest():
        return
    platform.prepare()
    platform.interface("Swift", "-parse-stdlib")
    platform.interface("_Concurrency", "-parse-stdlib")
    platform.interface("SwiftOnoneSupport", "-parse-stdlib")
    platform.interface("_RegexParser")
    platform.interface("_StringProcessing")
    platform.interface("Synchronization")
    platform.stub("Darwin")
    platform.interface("Observation")
    platform.interface("Distributed")
    for module in ["ObjectiveC", "Dispatch", "os", "Foundation", "XCTest", "SwiftUI"]:
        platform.stub(module)
    platform.interface("Testing", kind="")
    platform.dependency("IssueReporting", "xctest-dynamic-overlay/Sources/IssueReporting")
    platform.dependency("Logging", "swift-log/Sources/Logging")
    for module in ["CoreMetrics", "Metrics", "MetricsTestKit"]:
        platform.dependency(module, f"swift-metrics/Sources/{module}")
    for module in ["Instrumentation", "ServiceContextModule", "Tracing", "InMemoryTracing"]:
        platform.dependency(module, f"swift-distributed-tracing/Sources/{module}")
    platform.stub("DequeModule")
    platform.stub("OrderedCollections")
    platform.dependency("AsyncAlgorithms", "swift-async-algorithms/Sources/AsyncAlgorithms", "5")
    for module in ["ConcurrencyHelpers", "UnixSignals", "ServiceLifecycle", "ServiceLifecycleTestKit"]:
        platform.dependency(module, f"swift-service-lifecycle/Sources/{module}")
    platform.dependency("FlyingSocks", "FlyingFox/FlyingSocks/Sources")
    stamp.write_text(state.hexdigest())


def compile(
    platform, module, sources, *flags, features=FEATURES, mode="6", traits=TRAITS, emits=True
):
    """Checks a module as far as the diagnostics of SIL, which find races."""
    platform.frontend(
        "-emit-sil", *sources, *flags, "-module-name", module, "-parse-as-library",
        "-package-name", "escapement", "-swift-version", mode, *features, "-enable-testing",
        *[f"-D{trait}" for trait in traits], "-warnings-as-errors", "-Onone",
        "-whole-module-optimization", "-o", "/dev/null",
        *(["-emit-module-path", platform.output_of(module)] if emits else []))


def sources_of(folder):
    """The files that a target compiles: catalogs of documentation have code as well."""
    return sorted(
        path for path in (PACKAGE / folder).rglob("*.swift")
        if not any(parent.suffix == ".docc" for parent in path.parents))


def depends_on_traits(sources):
    condition = re.compile(rf"#(else)?if .*\b({'|'.join(TRAITS)})\b")
    return any(condition.search(path.read_text()) for path in sources)


def check(name):
    """Checks a platform; the result tells what has been checked."""
    platform = Platform(name)
    if name == "macOS-x86_64":
        # It differs from the other Macs in its C code alone.
        platform.prepare()
        return f"{c_targets.check(platform)} files of C"
    build_base(platform)
    # As in a framework in binary form, which cannot have the traits: they need packages without library evolution.
    evolves = name == "iOS"
    without_traits = 0
    for module in PRODUCTS:
        sources = sources_of(f"Sources/{module}")
        if evolves:
            compile(platform, module, sources, "-enable-library-evolution", traits=[])
            continue
        compile(platform, module, sources)
        if depends_on_traits(sources):
            compile(platform, module, sources, traits=[], emits=False)
            without_traits += 1
    checked = f"{len(PRODUCTS)} products, "
    checked += "with library evolution" if evolves else f"{without_traits} of them without traits as well"
    checked += f", {c_targets.check(platform)} files of C"
    if name == "macOS":
        for module, folder in TEST_TARGETS.items():
            compile(platform, module, sources_of(f"Tests/{folder}"), ANY_VERSION)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(
                lambda module: compile(
                    platform, module, sources_of(f"Tests/{module}"), ANY_VERSION, emits=False),
                TESTS))
        for module, mode in LANGUAGE_MODES.items():
            compile(
                platform, module, sources_of(f"Tests/LanguageModeTests/{module}"), ANY_VERSION,
                features=NONSENDING if "Nonsending" in module else [], mode=mode, emits=False)
        checked += f", {len(TESTS) + len(LANGUAGE_MODES)} targets of tests"
        checked += f"; {controls.check(platform, compile)} planted errors found"
    return checked


def report(name):
    """Prints a line about a platform, and what a command has said that failed."""
    start = time.monotonic()
    try:
        text, failed = check(name), False
    except Failure as failure:
        text, failed = f"\n{failure}", True
    seconds = time.monotonic() - start
    print(f"{'FAILED' if failed else 'ok    '}  {seconds:4.0f} s  {name}: {text}", flush=True)
    return failed


def main(names):
    for name in names:
        if name not in [*TRIPLES, "all"]:
            sys.exit(f"There is no platform {name!r}. There are: {', '.join(TRIPLES)}.")
    if names == ["all"]:
        names = TRIPLES
    # The one with tests comes first, because it takes longest.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return any(list(pool.map(report, names or OFTEN)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
