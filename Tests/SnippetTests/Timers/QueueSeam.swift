// Code that submits work with a deadline to a queue, and its test.

import Dispatch
import EscapementDoubles
import EscapementFoundation
import EscapementVirtualTime
import Synchronization
import Testing

final class Banner: Sendable {
  private let queue: any DispatchScheduler
  private let shown = Mutex<String?>(nil)

  init(queue: any DispatchScheduler = DispatchQueue.main) { self.queue = queue }

  var text: String? { shown.withLock { $0 } }

  func show(_ text: String) {
    shown.withLock { $0 = text }
    queue.asyncAfter(deadline: .now() + 3) { [self] in shown.withLock { $0 = nil } }
  }
}

@Test func `the banner disappears after three seconds`() async throws {
  try await withVirtualTime { _ in
    let banner = Banner(queue: VirtualDispatchQueue())
    banner.show("Saved")
    try await Task.sleep(for: .milliseconds(2999))
    #expect(banner.text == "Saved")
    try await Task.sleep(for: .milliseconds(2))
    #expect(banner.text == nil)
  }
}
