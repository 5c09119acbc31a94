/// Shows how far a download is; the number never falls.
package actor ProgressView {
  package private(set) var shown: [String] = []

  package init() {}

  package func show(_ text: String) { shown.append(text) }
}

/// Formats a number, not on the caller's actor, since that takes a while.
@concurrent private func formatted(_ percent: Int) async -> String { "\(percent) %" }

/// Counts the parts that have arrived.
package protocol Download: Actor {
  init(partCount: Int, view: ProgressView)
  func partArrived() async
}

/// Formats between counting and showing: a later count may be shown first.
package actor RacyDownload: Download {
  private let partCount: Int
  private let view: ProgressView
  private var arrivedCount = 0

  package init(partCount: Int, view: ProgressView) {
    self.partCount = partCount
    self.view = view
  }

  package func partArrived() async {
    arrivedCount += 1
    await view.show(formatted(100 * arrivedCount / partCount))
  }
}

/// Sends the counts through a stream, which keeps their order.
package actor FixedDownload: Download {
  private let partCount: Int
  private let counts: AsyncStream<(Int, CheckedContinuation<Void, Never>)>.Continuation
  private var arrivedCount = 0

  package init(partCount: Int, view: ProgressView) {
    self.partCount = partCount
    let (stream, continuation) = AsyncStream.makeStream(
      of: (Int, CheckedContinuation<Void, Never>).self)
    counts = continuation
    Task {
      for await (percent, done) in stream {
        await view.show(formatted(percent))
        done.resume()
      }
    }
  }

  deinit { counts.finish() }

  package func partArrived() async {
    arrivedCount += 1
    await withCheckedContinuation { counts.yield((100 * arrivedCount / partCount, $0)) }
  }
}
