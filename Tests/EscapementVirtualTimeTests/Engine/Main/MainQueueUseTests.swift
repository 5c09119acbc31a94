import CReach
import Testing

@testable import EscapementVirtualTime

@Suite struct MainQueueUseTests {
  private func withJobOnMain(_ body: (ReadyJob) -> Void) {
    var entry = rch_entry(
      run: { _ in }, drop: { _ in }, place: rch_on_main, scope: 0, tell: nil, queue: nil,
      is_exclusive: false, task: nil, goes_first: false, life: 0)
    withUnsafeMutablePointer(to: &entry) { body(ReadyJob($0)) }
  }

  @Test func `jobs of the main queue wait behind code that waits there, others do not`() {
    withJobOnMain { job in
      var use = MainQueueUse()
      #expect(!use.keeps(job))
      use.isWaiting = true
      #expect(use.keeps(job))
      #expect(!use.keeps(.standIn(2)))
    }
  }

  @Test func `what has waited is ready when the code goes on`() {
    withJobOnMain { job in
      var use = MainQueueUse()
      use.isWaiting = true
      use.behind = [job, job]
      #expect(use.goOn().count == 2)
      #expect(!use.keeps(job))
      #expect(use.goOn().isEmpty)
    }
  }
}
