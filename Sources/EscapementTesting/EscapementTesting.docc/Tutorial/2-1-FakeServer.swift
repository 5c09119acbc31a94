import EscapementTesting

struct NoConnection: Error {}

@MainActor
final class FakeServer {
  /// When it was asked, counted from the beginning of the test.
  private(set) var times: [Duration] = []
  /// How many questions fail before one is answered.
  var failures = 0
  /// The time until it answers.
  var latency = Duration.zero

  func places(for text: String) async throws -> [String] {
    times.append(try VirtualTime.required.now.offset)
    try await Task.sleep(for: latency)
    if times.count <= failures { throw NoConnection() }
    return [text]
  }
}
