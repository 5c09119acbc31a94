import Escapement

@MainActor
final class SearchField {
  /// The text that the user has typed.
  var text = "" {
    didSet { debouncer.execute { [weak self] in self?.search() } }
  }
  /// The places that the server has found, or nil if it does not answer.
  private(set) var places: [String]? = []

  private let find: @MainActor (String) async throws -> [String]
  private let debouncer = Debouncer(delay: .milliseconds(300))

  init(find: @escaping @MainActor (String) async throws -> [String]) {
    self.find = find
  }

  private func search() {
    let text = text
    Task {
      let answer = try? await retry(
        backoff: .exponential(base: .seconds(1), cap: .seconds(8)), before: .now + .seconds(10)
      ) {
        try await find(text)
      }
      if text == self.text { places = answer }
    }
  }
}
