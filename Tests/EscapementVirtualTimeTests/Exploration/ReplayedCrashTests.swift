import Testing

@testable import EscapementVirtualTime

@Suite struct ReplayedCrashTests {
  @Test func `the message is what the test has printed last, without the steps`() {
    let crash = ReplayedCrash(
      output: """
        warning: of the runtime
        ◇ Test run started.
        ↳ Testing Library Version: 1902
        ◇ Test "load" started.
        Escapement step: +0.0 seconds  task 3 overtakes task 2
        one
        two
        Cache.swift:7: Fatal error: no entry
        Current stack trace:
        0    libswiftCore.so  0x00007f3b68c1a5d0 _swift_stdlib_reportFatalErrorInFile + 109

        """, signal: "Illegal instruction")
    #expect(crash.message == "one\ntwo\nCache.swift:7: Fatal error: no entry")
    #expect(crash.steps == ["+0.0 seconds  task 3 overtakes task 2"])
  }

  @Test func `of a long message the last five lines are shown`() {
    let crash = ReplayedCrash(output: (1...9).map { "\($0)\n" }.joined(), signal: "Aborted")
    #expect(crash.message == "5\n6\n7\n8\n9")
  }

  @Test func `a process that has printed nothing is shown by its signal`() {
    let crash = ReplayedCrash(output: "◇ Test \"load\" started.\n", signal: "Segmentation fault")
    #expect(crash.message == "Signal: Segmentation fault")
  }
}
