import EscapementTesting

@MainActor
final class FakeServer {
  /// When it was asked, counted from the beginning of the test.
  private(set) var times: [Duration] = []

  func places(for text: String) async throws -> [String] {
    times.append(try VirtualTime.required.now.offset)
    return [text]
  }
}
