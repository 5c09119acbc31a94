import EscapementVirtualTime
import TestSupport
import Testing

private final class Reports: Sendable {
  let log = Log<String>()
  func note(_ name: String, _ time: VirtualTime) {
    log.append(VirtualTime.current?.id == time.id ? name : "\(name), outside")
  }
}

private actor Plain {
  let (time, reports): (VirtualTime, Reports)
  init(_ time: VirtualTime, _ reports: Reports) { (self.time, self.reports) = (time, reports) }
  func touch() {}
  deinit {
    reports.note("deinit", time)
    let (time, reports) = (time, reports)
    Task { reports.note("task of deinit", time) }
  }
}

private actor Isolated {
  let (time, reports): (VirtualTime, Reports)
  private var count = 0
  init(_ time: VirtualTime, _ reports: Reports) { (self.time, self.reports) = (time, reports) }
  func touch() { count += 1 }
  isolated deinit {
    count += 1
    reports.note("isolated deinit", time)
  }
}

@MainActor private final class OnMain {
  let (time, reports): (VirtualTime, Reports)
  init(_ time: VirtualTime, _ reports: Reports) { (self.time, self.reports) = (time, reports) }
  isolated deinit {
    MainActor.assertIsolated()
    reports.note("main deinit", time)
  }
}

@SharedActor private final class OnShared {
  let (time, reports): (VirtualTime, Reports)
  init(_ time: VirtualTime, _ reports: Reports) { (self.time, self.reports) = (time, reports) }
  isolated deinit { reports.note("shared deinit", time) }
}

/// Objects that go away inside a scope.
@Suite(.virtualStandardClocks) struct DeinitTests {
  @Test func `the deinitialiser of an actor and its tasks belong to the scope`() async throws {
    let reports = Reports()
    try await withVirtualTime { time in
      for _ in 0..<20 { await Plain(time, reports).touch() }
      await time.settle()
    }
    #expect(Set(reports.log.entries) == ["deinit", "task of deinit"])
    #expect(reports.log.count == 40)
  }

  @Test func `isolated deinitialisers run before time moves`() async throws {
    let reports = Reports()
    try await withVirtualTime { time in
      for round in 1...20 {
        await Isolated(time, reports).touch()
        _ = await OnMain(time, reports)
        _ = await OnShared(time, reports)
        try await Task.sleep(for: .seconds(1))
        #expect(reports.log.count == 3 * round)
      }
      #expect(time.now.offset == .seconds(20))
    }
  }
}
